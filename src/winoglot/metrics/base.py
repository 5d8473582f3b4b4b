"""What every metric takes and returns: the outcomes of a run; a value with interval, count and method.

A metric is a module of this package whose name is the metric's; it offers

    def estimate(run: Outcomes) -> Estimate
"""

from __future__ import annotations

from dataclasses import dataclass
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
