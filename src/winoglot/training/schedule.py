"""How a training goes by its checks on the validation text: rates, averaging, the best, when to stop."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from winoglot.training.recipes import Recipe

_DIVISOR = 4.0
_PATIENT = 5  # checks: averaging begins when the loss is above the best of all but the last five


@dataclass(frozen=True)
class Course:
    """Where a training stands; everything that decides how it goes on, beside weights and optimiser."""

    rate: float
    epoch: int = 0
    at: int = 0  # steps done of this epoch
    step: int = 0  # steps done in all
    tokens: int = 0
    seconds: float = 0.0
    losses: tuple[float, ...] = ()  # of each check
    best: float = math.inf
    best_step: int = 0
    averaging: bool = False
    stopped: bool = False

    def to_json(self) -> dict[str, Any]:
        """For a checkpoint."""
        return asdict(self) | {"best": self.best if self.losses else None}

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Course:
        """Of a checkpoint."""
        best = math.inf if found["best"] is None else found["best"]
        return cls(**(found | {"losses": tuple(found["losses"]), "best": best}))


def step_rate(recipe: Recipe, course: Course, steps_in_all: int) -> float:
    """The learning rate of the next step."""
    if recipe.schedule != "cosine":
        return course.rate
    if course.step < recipe.warmup:
        return course.rate * (course.step + 1) / recipe.warmup
    share = (course.step - recipe.warmup) / max(1, steps_in_all - recipe.warmup)
    return course.rate * (0.1 + 0.45 * (1 + math.cos(math.pi * min(1.0, share))))


def after_check(recipe: Recipe, course: Course, loss: float) -> Course:
    """The course after a check: a new best or not, another rate, averaging from here on, the end.

    >>> from winoglot.training.recipes import RECIPES
    >>> course = after_check(RECIPES["lstm-small"], Course(rate=20.0, step=100), 5.0)
    >>> after_check(RECIPES["lstm-small"], course, 5.1).rate
    5.0
    """
    better = loss < course.best
    averaging = course.averaging
    if recipe.schedule == "average" and len(course.losses) > _PATIENT:
        averaging = averaging or loss > min(course.losses[:-_PATIENT])
    losses = (*course.losses, loss)
    best_at = losses.index(min(losses))
    return replace(
        course,
        losses=losses,
        best=min(loss, course.best),
        best_step=course.step if better else course.best_step,
        rate=course.rate / _DIVISOR if recipe.schedule == "divide" and not better else course.rate,
        averaging=averaging,
        stopped=len(losses) - 1 - best_at >= recipe.patience,
    )
