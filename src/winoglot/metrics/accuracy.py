"""Accuracy: the share of items answered right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.metrics._counting import labelled

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcomes
    from winoglot.statistics.intervals import Estimate


def estimate(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """h / n: right answers by labelled items; an abstention is not right.

    Over the originals or, where a kind is named, over its variants. `interval` is `bootstrap`, over whole schemas, or
    `wilson`, which takes items as independent.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> collection = wg.load("winoglot-en")
    >>> always_first = Answers(collection, {item.id: 0 for item in collection.items[:12]})
    >>> print(estimate(always_first, interval="wilson"))
    0.500 [0.254, 0.746], n=12, Wilson, items taken as independent
    """
    return labelled(run, kind).share(lambda outcome: outcome.right, interval=interval, undefined="no labelled items")
