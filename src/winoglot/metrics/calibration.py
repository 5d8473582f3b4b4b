"""Calibration of a run: whether the margin between two scores says how likely the choice is to be right."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING

from winoglot.metrics.base import Cases, Metric, labelled
from winoglot.statistics.calibration import Calibration, calibration

if TYPE_CHECKING:
    from winoglot.examples import Outcome, Outcomes
    from winoglot.statistics.intervals import Estimate


def calibration_error(run: Outcomes, kind: str | None = None) -> Estimate:
    """The expected calibration error: the mean over items of |accuracy − confidence| at similar confidence.

    The confidence is the chosen reading's share of the two probabilities. `curve` has the details.
    """
    return _scored_answers(run, kind).noted(curve(run, kind).error)


def curve(run: Outcomes, kind: str | None = None, *, bins: int = 10) -> Calibration:
    """Accuracy by bins of confidence, the calibration error with its noise, overconfidence, and a logistic fit.

    Of labelled items with two candidates, answered, with two finite scores. Scores are taken as natural logarithms of
    probabilities; for others (normalised by length, similarities) only the logistic fit is meaningful.
    """
    scored = _scored_answers(run, kind)
    margins = [margin(outcome) or 0.0 for outcome in scored.cases]
    right = [float(bool(outcome.right)) for outcome in scored.cases]
    return calibration(margins, right, scored.clusters, bins=bins)


def margin(outcome: Outcome) -> float | None:
    """The score of the choice − that of the other candidate; None without a choice or without two finite scores.

    >>> from winoglot.examples import Example, Outcome
    >>> margin(Outcome(Example("a.0", "a", ("Ana", "Bea"), 1), choice=1, scores=(-42.5, -40.25)))
    2.25
    """
    finite = [score for score in outcome.scores if score is not None and isfinite(score)]
    if outcome.choice is None or len(finite) != 2 or len(outcome.scores) != 2:
        return None
    return finite[outcome.choice] - finite[1 - outcome.choice]


def _scored_answers(run: Outcomes, kind: str | None) -> Cases[Outcome]:
    answered = labelled(run, kind).two_way().where(lambda outcome: outcome.choice is not None, "abstained")
    scored = answered.where(lambda outcome: margin(outcome) is not None, "without two finite scores")
    return scored.where(lambda outcome: (margin(outcome) or 0.0) >= 0, "whose choice has the lower score")


PLUGINS = {
    "calibration": Metric(
        "calibration",
        "Expected calibration error of log-probability scores: mean gap between confidence and accuracy.",
        calibration_error,
        needs=("labels", "scores"),
        shown="by name",
    )
}
