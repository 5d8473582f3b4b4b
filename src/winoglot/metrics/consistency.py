"""Consistency: whether the choice moves with the candidates when these are switched."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.metrics._changes import answered_changes, why_none
from winoglot.metrics._counting import two_way

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcomes
    from winoglot.statistics.intervals import Estimate

KIND = "switched"


def estimate(run: Outcomes, kind: str = KIND, *, interval: str = "bootstrap") -> Estimate:
    """Of the switched items with an answer on both sides, the share whose choice is another candidate than before.

    A candidate's index is its identity, so a solver that understands changes the index, right or wrong, and one that
    goes by the name alone does not. A tie on either side tells neither: it is left out and counted. No label is needed.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> collection = wg.load("winoglot-en")
    >>> perfect = {item.id: item.answer for item in (*collection.items, *collection.variants("switched"))}
    >>> print(estimate(Answers(collection, perfect)))
    1.000 [0.025, 1.000], n=2, exact (Clopper-Pearson) over 1 schema
    """
    changes = two_way(answered_changes(run, kind, "flips"))
    undefined = why_none(run, kind, "no switched items answered on both sides")
    return changes.share(lambda change: not change.is_same, interval=interval, undefined=undefined)
