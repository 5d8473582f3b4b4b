"""Stability: whether the choice survives a change of the text that keeps the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.metrics._changes import answered_changes, why_none

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcomes
    from winoglot.statistics.intervals import Estimate


def estimate(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """Of a kind's items with an answer on both sides, the share whose choice is the same candidate as before.

    Only kinds that keep the answer: for those that flip it there is consistency. Abstentions on either side are left
    out and counted. No label is needed.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> collection = wg.load("winoglot-en")
    >>> always_first = {item.id: 0 for item in (*collection.items, *collection.variants("relative"))}
    >>> print(estimate(Answers(collection, always_first), "relative"))
    1.000 [0.025, 1.000], n=2, exact (Clopper-Pearson) over 1 schema
    """
    changes = answered_changes(run, kind, "keeps")
    undefined = why_none(run, kind, f"no items of kind {kind!r} that keep the answer, answered on both sides")
    return changes.share(lambda change: change.is_same, interval=interval, undefined=undefined)
