"""How a training is run, beside its recipe, and how it ended."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from winoglot.errors import InputError
from winoglot.training.schedule import Course

Progress = Callable[[int, int, int, float | None], object]  # steps done, of how many, tokens, loss
SEEDS = 2**63  # how many there are: what all generators take


@dataclass(frozen=True)
class Settings:
    """How a training is run; of these only the seed and the precision change what comes out.

    >>> Settings(seed=-1)
    Traceback (most recent call last):
    winoglot.errors.InputError: the seed is -1. Give a whole number from 0 to 9223372036854775807.
    """

    seed: int = 0
    precision: str = "auto"
    device: str = "auto"
    max_minutes: float = math.inf
    checkpoint_minutes: float = 10.0
    log_every: int = 50

    def __post_init__(self) -> None:
        """Refuse what no training can be run with."""
        check_seed(self.seed)
        for name, minutes in (("max-minutes", self.max_minutes), ("checkpoint-minutes", self.checkpoint_minutes)):
            if not minutes >= 0:
                raise InputError(f"--{name} is {minutes:g}", remedy="Give a number from 0.")
        if self.log_every < 1:
            raise InputError(f"--log-every is {self.log_every}", remedy="Give a number from 1.")


def check_seed(seed: int) -> None:
    """An input error for a seed that not all generators take."""
    if not 0 <= seed < SEEDS:
        raise InputError(f"the seed is {seed}", remedy=f"Give a whole number from 0 to {SEEDS - 1}.")


@dataclass(frozen=True)
class Ended:
    """A training's end: `why` is epochs, patience, minutes or signal; after a signal there is no model yet."""

    why: str
    course: Course
    config: dict[str, Any]
