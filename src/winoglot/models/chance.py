"""Guessing: `chance`. What every solver has to beat, and what the intervals of a run of this size look like by luck.

A guess depends on the seed and on the item alone, so it is the same whatever else is asked, and in whatever order.
"""

from __future__ import annotations

import hashlib
import math
from functools import partial
from typing import TYPE_CHECKING

from winoglot.models._rule import RuleSolver, check_told
from winoglot.models.base import Question, Scores
from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from winoglot.models.base import Options, Solver

_BITS = 52  # as many as a float between 0 and 1 holds for sure


check = partial(check_told, "chance")


def load(location: str, options: Options) -> Solver:
    """The guesses of one seed."""
    check(location, options)

    def rule(question: Question) -> Scores:
        return guess(question, options.seed)

    return RuleSolver("chance", rule, digest(["chance", 1]), {"seed": options.seed})


def guess(question: Question, seed: int) -> Scores:
    """A number between 0 and 1 for each candidate, all equally likely to be the highest."""
    drawn = (_draw(f"{seed} {question.item.hash} {reading.candidate}") for reading in question.readings)
    return Scores(tuple(drawn))


def _draw(text: str) -> float:
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8])
    return math.ldexp(number >> (64 - _BITS), -_BITS)
