"""Calibration: whether the margin between two readings' scores says how likely the choice is to be right."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from winoglot.metrics._counting import Counted, labelled, two_way
from winoglot.statistics.calibration import Calibration
from winoglot.statistics.calibration import calibration as calibrated

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcome, Outcomes
    from winoglot.statistics.intervals import Estimate


def estimate(run: Outcomes, kind: str | None = None) -> Estimate:
    """The expected calibration error: the mean over items of |accuracy − confidence| of those of like confidence.

    The confidence is the chosen reading's share of the two probabilities. `curve` gives all there is to see.
    """
    return _counted(run, kind).noted(curve(run, kind).error)


def curve(run: Outcomes, kind: str | None = None, *, bins: int = 10) -> Calibration:
    """Accuracy by bins of confidence, the calibration error with its noise, overconfidence, a logistic fit.

    Of labelled items with two candidates, answered, with two finite scores. Scores are taken as natural logarithms of
    probabilities; for others (normalised by length, similarities) only the logistic fit has a meaning.
    """
    cases = _counted(run, kind).cases
    margins = [margin(outcome) or 0.0 for outcome in cases]
    right = [float(bool(outcome.right)) for outcome in cases]
    return calibrated(margins, right, [outcome.item.schema_id for outcome in cases], bins=bins)


def margin(outcome: Outcome) -> float | None:
    """The score of the choice less that of the other candidate; None without a choice or without two finite scores.

    >>> import winoglot as wg
    >>> from winoglot.metrics.base import Outcome
    >>> margin(Outcome(wg.load("winoglot-en").items[0], choice=1, scores=(-42.5, -40.25)))
    2.25
    """
    known = [score for score in outcome.scores if score is not None and isfinite(score)]
    if outcome.choice is None or len(known) != 2 or len(outcome.scores) != 2:
        return None
    return known[outcome.choice] - known[1 - outcome.choice]


def _counted(run: Outcomes, kind: str | None) -> Counted[Outcome]:
    answered = two_way(labelled(run, kind)).where(lambda outcome: outcome.choice is not None, "abstained")
    scored = answered.where(lambda outcome: margin(outcome) is not None, "without two finite scores")
    return scored.where(lambda outcome: (margin(outcome) or 0.0) >= 0, "whose choice has the lower score")
