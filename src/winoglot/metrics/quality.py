"""Quality: how often a solver is right where it answers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.metrics._counting import labelled

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcomes
    from winoglot.statistics.intervals import Estimate


def estimate(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """h / (n − θ): right answers by answers, the θ abstentions left out and counted.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> run = Answers(wg.load("winoglot-en"), {"piano-sale.0": 1, "piano-sale.1": None})
    >>> print(estimate(run))
    1.000 [0.025, 1.000], n=1, exact (Clopper-Pearson) over 1 schema; left out: 1 abstained
    """
    answered = labelled(run, kind).where(lambda outcome: outcome.choice is not None, "abstained")
    return answered.share(lambda outcome: outcome.right, interval=interval, undefined="no answered items")
