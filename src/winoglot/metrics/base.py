"""What every metric takes and returns: the outcomes of a run; a value with interval, count and method.

A metric is a module of this package whose name is the metric's; it offers

    def estimate(run: Outcomes) -> Estimate
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Protocol

from winoglot.schemas.model import Item

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Outcome:
    """What a solver did with one item."""

    item: Item
    choice: int | None  # None: it abstained
    scores: tuple[float | None, ...] = ()  # one a candidate
    note: str = ""  # why it abstained
    fallback: bool = False  # a reading was not derived, so the naive one stood in
    window: str = ""  # of partial scoring: "empty", "punctuation", "segment before", or nothing special

    @property
    def right(self) -> bool | None:
        """Whether the choice is the answer; None for an item without one. An abstention is not right."""
        return None if self.item.answer is None else self.choice == self.item.answer


class Outcomes(Protocol):
    """What a metric needs of a run."""

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        """Of the originals or, where a kind is named, of the variants of that kind."""
        ...


@dataclass(frozen=True)
class Estimate:
    """A figure about a population of schemas, as far as the schemas at hand tell it.

    `low` and `high` are the limits of the interval, 95% unless `method` says otherwise; `n` counts what the figure is
    an average over (items as a rule, schemas for pair accuracy). Where the figure is undefined, `value`, `low` and
    `high` are None and `method` is the reason.

    >>> print(Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas"))
    0.563 [0.501, 0.622], n=263, BCa over 131 schemas
    >>> print(f"{Estimate(0.0203, -0.0411, 0.0629, 277, 'BCa over 139 schemas'):+.1%}")
    +2.0% [-4.1%, +6.3%], n=277, BCa over 139 schemas
    >>> print(Estimate.undefined("no switchable items"))
    undefined, n=0, no switchable items
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str

    def __post_init__(self) -> None:
        """Refuse what no method yields: half an interval, limits in the wrong order, numbers that are none."""
        numbers = [number for number in (self.value, self.low, self.high) if number is not None]
        if len(numbers) not in {0, 3}:
            raise ValueError(f"an estimate has a value and two limits, or none of them: {numbers}")
        if not all(isfinite(number) for number in numbers):
            raise ValueError(f"an estimate is made of finite numbers, not {numbers}")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"the lower limit {self.low} lies above the upper one, {self.high}")
        if self.n < 0:
            raise ValueError(f"an estimate cannot rest on {self.n} items")

    @classmethod
    def undefined(cls, reason: str, n: int = 0) -> Estimate:
        """An estimate without value, and why."""
        return cls(None, None, None, n, reason)

    def __str__(self) -> str:
        """Three decimals, interval, count, method."""
        return format(self, "")

    def __format__(self, spec: str) -> str:
        """The same with the numbers written as `spec` says: `.1%`, `+.3f`."""
        if self.value is None or self.low is None or self.high is None:
            return f"undefined, n={self.n}, {self.method}"
        value, low, high = (format(number, spec or "z.3f") for number in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}], n={self.n}, {self.method}"


def at_level(level: float, method: str) -> str:
    """The method's name with the confidence level before it, where that is not the usual one.

    >>> at_level(0.95, "Wilson"), at_level(0.9, "Wilson")
    ('Wilson', '90% Wilson')
    """
    if not 0 < level < 1:
        raise ValueError(f"a confidence level lies between 0 and 1, not at {level}")
    return method if level == 0.95 else f"{100 * level:.4g}% {method}"
