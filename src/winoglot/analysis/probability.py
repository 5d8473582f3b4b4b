"""Candidates' probabilities: is a candidate more likely when it is right, and how far do other wordings shift it?

A model that prefers a candidate whatever the segment says gives it a similar score in both items of a schema, whether
it is right there or wrong. Over schemas, the two scores are then correlated (Spearman's ρ). The correlation is given
for the candidate mentioned first, for the second, and for the first one's share of the two probabilities (`share`).
Scores of whole sentences are also correlated because the items share most of their words; shares are free of that, so
their ρ can be compared between scorings.

A shift is the mean change from an original to its variant: of the right candidate's log probability, of the wrong
one's, of their difference, and of the right candidate's share.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp
from typing import TYPE_CHECKING

import numpy as np

from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo, no_scores, not_possible
from winoglot.analysis.marginal import margin, pairs
from winoglot.metrics.robustness import changes
from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.intervals import Estimate, bootstrap_statistic, counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.analysis.base import Subject
    from winoglot.examples import Outcome
    from winoglot.statistics.resampling import Floats

_FEWEST = 5  # schemas: of fewer, ranks say nothing
# Scorings whose scores are natural logarithms of probabilities, of a text or of each of its tokens.
_LOGARITHMS = ("partial", "full", "normalised", "candidate", "candidate-mean", "pll", "pll-word", "log-sigmoid")


def probability(subject: Subject) -> Iterator[Measurement]:
    """The correlations of the originals and of each kind, and the shifts of each kind."""
    for kind in (ORIGINAL, *subject.perturbations):
        reason = no_scores(subject, kind)
        if reason:
            quantities = ("correlation",) if kind == ORIGINAL else ("correlation", *_SHIFTS)
            yield from not_possible(quantities, reason, kind)
            continue
        yield from _correlations(subject, kind)
        if kind != ORIGINAL:
            yield from _shifts(subject, kind)


# Right and wrong in the two items of a schema


def _correlations(subject: Subject, kind: str) -> Iterator[Measurement]:
    schemas = [_Twins.of(pair) for pair in pairs(subject, kind)]
    for candidate in ("first", "second", "share"):
        values = np.array([getattr(twins, candidate) for twins in schemas]).reshape(-1, 2)
        yield Measurement("correlation", _correlation(values, subject), kind, {"candidate": candidate})


@dataclass(frozen=True)
class _Twins:
    """The scores in a schema's two items, each as (where the candidate is right, where it is wrong).

    `share` is the first one's share of the two probabilities; that of the second would have the same ranks, reversed.
    """

    first: tuple[float, float]
    second: tuple[float, float]
    share: tuple[float, float]

    @classmethod
    def of(cls, pair: tuple[Outcome, Outcome]) -> _Twins:
        order = pair[0].example.features.get("mention_order") or (0, 1)
        first_twin, second_twin = sorted(pair, key=lambda outcome: outcome.example.answer != order[0])
        (first_right, second_wrong), (first_wrong, second_right) = (
            tuple(outcome.scores[place] or 0.0 for place in order) for outcome in (first_twin, second_twin)
        )
        share = (first_right - second_wrong, first_wrong - second_right)  # the logarithm of the odds: the same ranks
        return cls((first_right, first_wrong), (second_right, second_wrong), share)


def _correlation(values: Floats, subject: Subject) -> Estimate:
    if len(values) < _FEWEST:
        count = counted(len(values), "pair")
        return Estimate.undefined(f"{count} with scores, expected at least {_FEWEST}", len(values))
    return bootstrap_statistic(
        len(values), lambda samples: spearman(values[samples]), n=len(values), seed=subject.seed, bounds=(-1.0, 1.0)
    )


def spearman(values: Floats) -> Floats:
    """Spearman's ρ of samples of pairs of numbers (samples × pairs × 2); not a number where all are equal.

    >>> spearman(np.array([[[1.0, 10.0], [2.0, 30.0], [3.0, 20.0]]]))
    array([0.5])
    """
    from scipy.stats import rankdata

    ranks = rankdata(values, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    first, second = ranks[..., 0], ranks[..., 1]
    with np.errstate(invalid="ignore"):
        return np.asarray((first * second).sum(axis=1) / np.sqrt((first**2).sum(axis=1) * (second**2).sum(axis=1)))


# From an original to its variant


def _shifts(subject: Subject, kind: str) -> Iterator[Measurement]:
    cases = changes(subject.run, kind).two_way()
    cases = cases.where(
        lambda case: None not in (margin(case.original), margin(case.variant)), "without two scores and an answer"
    )
    scoring = subject.run.settings.scoring
    if scoring not in _LOGARITHMS:
        yield from not_possible(_SHIFTS, f"the scores of {scoring!r} are not log probabilities", kind)
        return
    for quantity, of in _SHIFTS.items():
        shift = cases.mean(
            lambda case, of=of: of(case.variant) - of(case.original),  # type: ignore[misc]
            undefined="no labelled items with scores",
        )
        yield Measurement(quantity, shift, kind)


def _score_of_right(outcome: Outcome) -> float:
    return outcome.scores[outcome.example.answer or 0] or 0.0


def _score_of_wrong(outcome: Outcome) -> float:
    return outcome.scores[1 - (outcome.example.answer or 0)] or 0.0


def _share_of_right(outcome: Outcome) -> float:
    """The right candidate's share of the two probabilities."""
    ahead = margin(outcome) or 0.0
    return 1 / (1 + exp(-ahead)) if ahead > -700 else 0.0


_SHIFTS: dict[str, Callable[[Outcome], float]] = {
    "shift-right": _score_of_right,
    "shift-wrong": _score_of_wrong,
    "shift-difference": lambda outcome: margin(outcome) or 0.0,
    "shift-share": _share_of_right,
}


PLUGINS = {
    "probability": AnalysisMeasure(
        "Candidates' probabilities",
        "Correlation of a candidate's scores when it is right and when it is wrong; shifts of probabilities by kind.",
        probability,
        {
            "correlation": QuantityInfo("correlation of a candidate's scores, right and wrong", "plain", 0.0),
            "shift-right": QuantityInfo("shift of the right candidate", "plain", 0.0, "nats"),
            "shift-wrong": QuantityInfo("shift of the wrong candidate", "plain", 0.0, "nats"),
            "shift-difference": QuantityInfo("shift of the right minus the wrong candidate", "plain", 0.0, "nats"),
            "shift-share": QuantityInfo("shift of the right candidate's share", "points", 0.0),
        },
    )
}
