"""Chains of taller, older, … and of not taller, not older, …, told from either end; and chains of ancestors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.chains import ORDERS, order

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.situation import Situation

FAMILIES = {"order": (1, 2, 3, 4)}


def draw(rng: Random, family: str, depth: int) -> Situation:  # noqa: ARG001 - there is one family
    """A chain of comparisons."""
    return order(rng, depth, ORDERS)
