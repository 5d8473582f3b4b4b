"""Position preference: whether a solver that cannot know prefers what was mentioned first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.metrics._changes import why_none
from winoglot.metrics._counting import answered_or_not, two_way

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcome, Outcomes
    from winoglot.schemas.model import Item
    from winoglot.statistics.intervals import Estimate

KIND = "segment-masked"


def estimate(run: Outcomes, kind: str | None = KIND, *, interval: str = "bootstrap") -> Estimate:
    """The share of answers that are the candidate mentioned first: 1 always the first, 0 always the second, ½ neither.

    Where the segment is masked nothing tells which candidate is meant, so accuracy is one half by construction, and
    what remains is this. With `kind` None it is the preference on the originals, where first and second are right about
    equally often.
    """
    answered = two_way(answered_or_not(run, kind)).where(lambda outcome: outcome.choice is not None, "abstained")
    placed = answered.where(lambda outcome: first_mentioned(outcome.item) is not None, "not mentioned in an order")
    undefined = why_none(run, kind, "no answers between two mentioned candidates") if kind else "no answered items"
    return placed.share(_is_first, interval=interval, undefined=undefined)


def first_mentioned(item: Item) -> int | None:
    """The index of the candidate whose first mention begins first; None where one has none or both begin together.

    >>> import winoglot as wg
    >>> first_mentioned(wg.load("winoglot-en").items[0])
    0
    """
    starts = [candidate.mentions[0].start if candidate.mentions else None for candidate in item.candidates]
    known = [start for start in starts if start is not None]
    if len(known) < max(2, len(starts)) or known.count(min(known)) > 1:
        return None
    return starts.index(min(known))


def _is_first(outcome: Outcome) -> bool:
    return outcome.choice == first_mentioned(outcome.item)
