"""Exactness: accuracy under the name it has beside quality and success."""

from __future__ import annotations

from winoglot.metrics import accuracy

estimate = accuracy.estimate  # h / n: abstentions count as wrong
