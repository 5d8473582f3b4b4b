"""Whether the margin between the two readings' scores says how likely the choice is to be right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from winoglot.metrics._bootstrap import bootstrap_ratio
from winoglot.metrics._calibration_error import calibration_error
from winoglot.metrics._clusters import numbers
from winoglot.metrics._logistic import LogisticFit, logistic_fit
from winoglot.metrics._resampling import RESAMPLES
from winoglot.metrics.base import Estimate

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from winoglot.metrics._clusters import Floats

FEWEST_IN_A_BIN = 10  # the share of right among fewer says next to nothing


@dataclass(frozen=True)
class ReliabilityBin:
    """Items of like confidence: the range, the mean confidence, the share of right."""

    low: float
    high: float
    confidence: float
    accuracy: Estimate


@dataclass(frozen=True)
class Calibration:
    """Confidence against accuracy.

    `error` is the expected calibration error: the mean over bins, weighted by items, of |accuracy − confidence|. It is
    above 0 by chance even for a perfectly calibrated solver; `noise` is how much of it these schemas would show then.
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
    """Set a solver's confidence beside its accuracy; schemas are what is resampled.

    `margins` are score of the choice − score of the other candidate, never negative, in natural logarithms; so the
    confidence is the chosen reading's share of the two probabilities, 1 / (1 + exp(−margin)), from ½ to 1. (For scores
    that are no log probabilities only the logistic fit has a meaning.) Abstentions have no margin and stay out.
    There are `bins` of about equally many items, fewer where a bin would hold under ten.

    >>> rng = np.random.default_rng(0)
    >>> margins = rng.exponential(1.5, 400)
    >>> right = rng.random(400) < 1 / (1 + np.exp(-margins))
    >>> found = calibration(margins, right, np.arange(400) // 2, bins=5)
    >>> print(found.error, f"noise {found.noise:.3f}", sep=", ")
    0.016 [0.000, 0.060], n=400, bootstrap over 200 schemas, 5 bins, noise 0.031
    """
    from scipy.special import expit

    margin, hits = numbers(margins, "margins"), numbers(right, "right")
    if (margin < 0).any():
        raise ValueError("a margin is the choice's score less the other's: it cannot be negative")
    if not np.isin(hits, (0, 1)).all():
        raise ValueError("an item is right (1) or wrong (0); abstentions have no margin and stay out")
    if not len(margin):
        nothing = Estimate.undefined("no answered items")
        return Calibration((), nothing, None, nothing, LogisticFit(nothing, nothing))
    confidence = np.asarray(expit(margin), dtype=np.float64)
    index = _binned(confidence, min(bins, len(margin) // FEWEST_IN_A_BIN))
    ratio = partial(bootstrap_ratio, level=level, resamples=resamples, seed=seed)
    error = calibration_error(confidence, hits, index, clusters, level=level, resamples=resamples, seed=seed)
    over = ratio(confidence - hits, np.ones_like(hits), clusters, bounds=(-1.0, 1.0))
    if np.ptp(hits) == 0:  # resampling sees how confidence varies, but not that an answer might be of the other kind
        over = _from(float(confidence.mean()), ratio(hits, np.ones_like(hits), clusters))
    found = []
    for number in range(index.max() + 1):
        inside = index == number
        here = confidence[inside]
        accuracy = ratio(hits[inside], np.ones(len(here)), np.asarray(clusters)[inside])
        found.append(ReliabilityBin(float(here.min()), float(here.max()), float(here.mean()), accuracy))
    return Calibration(tuple(found), *error, over, logistic_fit(margin, hits, clusters, level=level))


def _binned(confidence: Floats, bins: int) -> NDArray[np.intp]:
    """The bin of each item: about equally many a bin, equal confidences together, none empty."""
    edges = np.unique(np.quantile(confidence, np.arange(1, bins) / max(bins, 1), method="inverted_cdf"))
    return np.searchsorted(edges[edges > confidence.min()], confidence, side="right")


def _from(start: float, subtracted: Estimate) -> Estimate:
    """The known number less the estimate."""
    if subtracted.value is None or subtracted.low is None or subtracted.high is None:
        return subtracted
    value, low, high = start - subtracted.value, start - subtracted.high, start - subtracted.low
    return Estimate(value, low, high, subtracted.n, subtracted.method)
