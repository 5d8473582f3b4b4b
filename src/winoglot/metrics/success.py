"""Success: the accuracy of a solver that guesses where it abstains."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.metrics._counting import labelled, two_way

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcome, Outcomes
    from winoglot.statistics.intervals import Estimate


def estimate(run: Outcomes, kind: str | None = None) -> Estimate:
    """(h + θ/2) / n: each of the θ abstentions counts one half, since an item has two candidates; others stay out.

    What lies above one half is what the solver knows, so solvers that abstain unequally often can be set side by side.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> run = Answers(wg.load("winoglot-en"), {"piano-sale.0": 1, "piano-sale.1": None})
    >>> estimate(run).value
    0.75
    """
    return two_way(labelled(run, kind)).share(credit, undefined="no labelled items of two candidates")


def credit(outcome: Outcome) -> float:
    """1 for a right answer, 0 for a wrong one, one half for none."""
    return 0.5 if outcome.choice is None else float(bool(outcome.right))
