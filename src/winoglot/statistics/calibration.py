"""Calibration: whether the margin between the scores of two readings says how likely the choice is to be right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from winoglot.statistics.intervals import (
    RESAMPLES,
    Estimate,
    all_alike,
    at_level,
    bootstrap_ratio,
    cluster_sums,
    counted,
    numbers,
)
from winoglot.statistics.resampling import random_totals

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from winoglot.statistics.resampling import Floats

FEWEST_IN_A_BIN = 10  # the accuracy of fewer items says next to nothing
FEWEST_SCHEMAS = 10  # with fewer, resampling and sandwich errors understate the variance badly


@dataclass(frozen=True)
class ReliabilityBin:
    """Items of similar confidence: the range, the mean confidence and the accuracy."""

    low: float
    high: float
    confidence: float
    accuracy: Estimate


class LogisticFit(NamedTuple):
    """The log odds of being right: intercept + slope × margin."""

    intercept: Estimate
    slope: Estimate


@dataclass(frozen=True)
class Calibration:
    """Confidence against accuracy.

    `error` is the expected calibration error: the mean over bins, weighted by items, of |accuracy − confidence|. Chance
    alone makes it positive even for a perfectly calibrated solver; `noise` is its expected size in that case.
    `overconfidence` is mean confidence − accuracy. `fit` is the logistic curve of right over margin.
    """

    bins: tuple[ReliabilityBin, ...]
    error: Estimate
    noise: float | None
    overconfidence: Estimate
    fit: LogisticFit


def calibration(
    margins: ArrayLike,
    right: ArrayLike,
    clusters: ArrayLike,
    *,
    bins: int = 10,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Calibration:
    """Compare a solver's confidence with its accuracy, resampling schemas.

    A margin is the score of the choice − the score of the other candidate, in natural logarithms, and never negative.
    The confidence is the chosen reading's share of the two probabilities, 1 / (1 + exp(−margin)), from ½ to 1. (For
    scores that are not log probabilities only the logistic fit is meaningful.) Abstentions have no margin and are left
    out. There are `bins` bins of about equally many items, fewer if a bin would have under ten.

    >>> rng = np.random.default_rng(0)
    >>> margins = rng.exponential(1.5, 400)
    >>> right = rng.random(400) < 1 / (1 + np.exp(-margins))
    >>> curve = calibration(margins, right, np.arange(400) // 2, bins=5)
    >>> print(curve.error, f"noise {curve.noise:.3f}", sep=", ")
    0.016 [0.000, 0.060], n=400, bootstrap over 200 schemas, 5 bins, noise 0.031
    """
    from scipy.special import expit

    margin, hits = numbers(margins, "margins"), _hits(right)
    if (margin < 0).any():
        raise ValueError("a margin is the score of the choice minus the other score: it cannot be negative")
    if not len(margin):
        undefined = Estimate.undefined("no answered items")
        return Calibration((), undefined, None, undefined, LogisticFit(undefined, undefined))
    confidence = np.asarray(expit(margin), dtype=np.float64)
    index = _binned(confidence, min(bins, len(margin) // FEWEST_IN_A_BIN))
    ratio = partial(bootstrap_ratio, level=level, resamples=resamples, seed=seed)
    error = _calibration_error(confidence, hits, index, clusters, level=level, resamples=resamples, seed=seed)
    overconfidence = ratio(confidence - hits, np.ones_like(hits), clusters, bounds=(-1.0, 1.0))
    if np.ptp(hits) == 0:  # resampling varies the confidence, but never shows an answer of the other kind
        overconfidence = _subtract(float(confidence.mean()), ratio(hits, np.ones_like(hits), clusters))
    by_confidence = []
    for number in range(index.max() + 1):
        in_bin = index == number
        bin_confidence = confidence[in_bin]
        accuracy = ratio(hits[in_bin], np.ones(len(bin_confidence)), np.asarray(clusters)[in_bin])
        by_confidence.append(
            ReliabilityBin(
                float(bin_confidence.min()), float(bin_confidence.max()), float(bin_confidence.mean()), accuracy
            )
        )
    return Calibration(tuple(by_confidence), *error, overconfidence, logistic_fit(margin, hits, clusters, level=level))


def _hits(right: ArrayLike) -> Floats:
    hits = numbers(right, "right")
    if not np.isin(hits, (0, 1)).all():
        raise ValueError("an item is right (1) or wrong (0); leave out abstentions, which have no margin")
    return hits


def _binned(confidence: Floats, bins: int) -> NDArray[np.intp]:
    """The bin of each item: about equally many items per bin, equal confidences together, no bin empty."""
    edges = np.unique(np.quantile(confidence, np.arange(1, bins) / max(bins, 1), method="inverted_cdf"))
    return np.searchsorted(edges[edges > confidence.min()], confidence, side="right")


def _subtract(start: float, estimate: Estimate) -> Estimate:
    """A known number minus an estimate."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate
    value, low, high = start - estimate.value, start - estimate.high, start - estimate.low
    return Estimate(value, low, high, estimate.n, estimate.method)


def _calibration_error(
    confidence: Floats,
    right: Floats,
    bins: NDArray[np.intp],
    clusters: ArrayLike,
    *,
    level: float,
    resamples: int,
    seed: int,
) -> tuple[Estimate, float | None]:
    """Estimate Σ over bins of (share of items) × |accuracy − confidence|, and the noise; `bins` is each item's bin.

    An absolute value is never negative, so chance gaps add up instead of cancelling: the observed error overstates the
    true one, and ordinary bootstrap limits, which overstate it twice, exclude 0 for a perfect solver. Here the lower
    limit is the observed error minus the 97.5% quantile of how far the resampled gaps are from the observed ones,
    summed over the bins: by the triangle inequality the true error is below that at most once in forty. The upper limit
    is the same quantile of the resampled error, which is conservative.
    """
    item_gaps = (np.arange(bins.max() + 1)[:, np.newaxis] == bins) * (confidence - right)
    rows = cluster_sums(clusters, *item_gaps, np.ones_like(right))
    gaps = rows[:, :-1].sum(axis=0) / len(right)
    value = float(np.abs(gaps).sum())
    schema_count, bin_count = counted(len(rows)), counted(len(gaps), "bin")
    if np.ptp(right) == 0:  # resampling varies the confidence, but never shows an answer of the other kind
        low, high = all_alike(float(right[0]), len(rows), level=level)
        limits = max(0.0, value - (high - low)), min(1.0, value + (high - low))
        method = f"exact (Clopper-Pearson) over {schema_count}, all {'right' if right[0] else 'wrong'}, {bin_count}"
        return Estimate(value, *limits, len(right), at_level(level, method)), None
    if len(rows) < FEWEST_SCHEMAS:
        return Estimate.undefined(_too_few(len(rows)), len(right)), None
    totals = random_totals(rows, resamples, seed)
    resampled = totals[:, :-1] / totals[:, -1:]
    deviations = np.abs(resampled - gaps).sum(axis=1)
    low = max(0.0, value - float(np.quantile(deviations, (1 + level) / 2)))
    high = max(value, float(np.quantile(np.abs(resampled).sum(axis=1), (1 + level) / 2)))
    method = at_level(level, f"bootstrap over {schema_count}, {bin_count}")
    return Estimate(value, low, high, len(right), method), float(deviations.mean())


def logistic_fit(margins: ArrayLike, right: ArrayLike, clusters: ArrayLike, *, level: float = 0.95) -> LogisticFit:
    """Fit the probability of being right as a logistic curve of the margin, by maximum likelihood.

    If margins are well-calibrated log odds, the intercept is 0 and the slope 1; a slope below 1 is overconfidence, and
    at 0 margins say nothing. Intervals are Student's with one degree of freedom fewer than schemas, around sandwich
    standard errors clustered by schema. Both are undefined if right and wrong do not overlap along the margin, since
    there is then no finite maximum-likelihood curve.
    """
    from scipy.special import expit, stdtrit

    x, y = numbers(margins, "margins"), _hits(right)
    schemas = len(np.unique(np.asarray(clusters)))
    reason = _why_undefined(x, y, schemas)
    if reason:
        return LogisticFit(Estimate.undefined(reason, len(x)), Estimate.undefined(reason, len(x)))
    centre, scale = float(x.mean()), float(x.std())
    design = np.stack([np.ones_like(x), (x - centre) / scale], axis=1)
    weights = _fit_weights(design, y)
    probabilities = expit(design @ weights)
    curvature = np.linalg.inv((design * (probabilities * (1 - probabilities))[:, np.newaxis]).T @ design)
    scores = cluster_sums(clusters, *((y - probabilities)[:, np.newaxis] * design).T)
    correction = schemas / (schemas - 1) * (len(x) - 1) / (len(x) - 2)  # the usual correction for few schemas and items
    covariance = correction * curvature @ scores.T @ scores @ curvature
    to_margins = np.array([[1.0, -centre / scale], [0.0, 1.0 / scale]])  # from standardised margins to margins
    values, errors = to_margins @ weights, np.sqrt(np.diag(to_margins @ covariance @ to_margins.T))
    half_widths = float(stdtrit(schemas - 1, (1 + level) / 2)) * errors
    method = at_level(level, f"logistic fit, sandwich errors over {counted(schemas)}")
    intercept, slope = (
        Estimate(float(value), float(value - width), float(value + width), len(x), method)
        for value, width in zip(values, half_widths, strict=True)
    )
    return LogisticFit(intercept, slope)


def _why_undefined(x: Floats, y: Floats, schemas: int) -> str:
    if schemas < FEWEST_SCHEMAS:
        return _too_few(schemas)
    right, wrong = x[y == 1], x[y == 0]
    if not len(right) or not len(wrong):
        return f"undefined when every item is {'wrong' if not len(right) else 'right'}"
    if right.min() >= wrong.max() or wrong.min() >= right.max():
        return "undefined when a margin separates right from wrong"
    return ""


def _too_few(schemas: int) -> str:
    return f"undefined with {counted(schemas)}: at least {FEWEST_SCHEMAS} are needed"


def _fit_weights(design: Floats, y: Floats) -> Floats:
    """Newton's method; a step that does not raise the likelihood is halved."""
    from scipy.special import expit

    def likelihood(weights: Floats) -> float:
        return -float(np.logaddexp(0, (1 - 2 * y) * (design @ weights)).sum())

    weights = np.zeros(design.shape[1])
    for _ in range(100):
        probabilities = expit(design @ weights)
        slope = design.T @ (y - probabilities)
        step = np.linalg.solve((design * (probabilities * (1 - probabilities))[:, np.newaxis]).T @ design, slope)
        while likelihood(weights + step) < likelihood(weights) and np.abs(step).max() > 1e-12:
            step = step / 2
        weights = weights + step
        if np.abs(step).max() < 1e-10:
            break
    return weights
