"""Who came and went before, after, until and since whom: chains of arrivals and departures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.chains import times

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.situation import Situation

FAMILIES = {"events": (1, 2, 3, 4)}


def draw(rng: Random, family: str, depth: int) -> Situation:  # noqa: ARG001 - there is one family
    """A chain of events."""
    return times(rng, depth)
