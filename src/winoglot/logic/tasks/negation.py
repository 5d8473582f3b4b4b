"""Affirmed and denied facts about sides: with two sides, two denials make an affirmation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.chains import sides

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.situation import Situation

FAMILIES = {"same-side": (1, 2, 3, 4)}


def draw(rng: Random, family: str, depth: int) -> Situation:  # noqa: ARG001 - there is one family
    """A chain of likenesses and differences."""
    return sides(rng, depth)
