"""Exactness: accuracy under the name it has beside quality and success."""

from __future__ import annotations

from winoglot.metrics.accuracy import estimate

__all__ = ["estimate"]  # h / n: abstentions count as wrong
