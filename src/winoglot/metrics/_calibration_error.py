"""The expected calibration error, with limits that allow for what it shows by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from winoglot.metrics._bootstrap import all_alike
from winoglot.metrics._clusters import cluster_sums, counted
from winoglot.metrics._resampling import RESAMPLES, resampled_totals
from winoglot.metrics.base import Estimate, at_level

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from winoglot.metrics._clusters import Floats

FEWEST_SCHEMAS = 10  # resampling fewer shows too little of how the gaps vary


class CalibrationError(NamedTuple):
    """The error, and how much of it these schemas would show were the solver perfectly calibrated."""

    error: Estimate
    noise: float | None


def calibration_error(
    confidence: Floats,
    right: Floats,
    bins: NDArray[np.intp],
    clusters: ArrayLike,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> CalibrationError:
    """Estimate Σ over bins of (share of items) × |accuracy − confidence|; `bins` numbers the bin of each item.

    An absolute value is never negative, so chance gaps add up instead of cancelling: the observed error overstates the
    true one, and ordinary bootstrap limits, which overstate it twice, exclude 0 for a perfect solver. Here the lower
    limit is the observed error less what the resampled gaps differ from the observed ones, all bins together (97.5%
    quantile): by the triangle inequality the true error is smaller than that at most once in forty. The upper limit is
    the same quantile of the resampled error, which errs to the safe side.
    """
    alone = (np.arange(bins.max() + 1)[:, np.newaxis] == bins) * (confidence - right)
    rows = cluster_sums(clusters, *alone, np.ones_like(right))
    gaps = rows[:, :-1].sum(axis=0) / len(right)
    value = float(np.abs(gaps).sum())
    over, among = counted(len(rows)), counted(len(gaps), "bin")
    if np.ptp(right) == 0:  # resampling sees how confidence varies, but not that an answer might be of the other kind
        low, high = all_alike(float(right[0]), len(rows), level=level)
        limits = max(0.0, value - (high - low)), min(1.0, value + (high - low))
        method = f"exact (Clopper-Pearson) over {over}, all {'right' if right[0] else 'wrong'}, {among}"
        return CalibrationError(Estimate(value, *limits, len(right), at_level(level, method)), None)
    if len(rows) < FEWEST_SCHEMAS:
        reason = f"undefined with {over}: at least {FEWEST_SCHEMAS} are needed"
        return CalibrationError(Estimate.undefined(reason, len(right)), None)
    totals = resampled_totals(rows, resamples, np.random.default_rng(seed))
    resampled = totals[:, :-1] / totals[:, -1:]
    deviations = np.abs(resampled - gaps).sum(axis=1)
    low = max(0.0, value - float(np.quantile(deviations, (1 + level) / 2)))
    high = max(value, float(np.quantile(np.abs(resampled).sum(axis=1), (1 + level) / 2)))
    method = at_level(level, f"bootstrap over {over}, {among}")
    return CalibrationError(Estimate(value, low, high, len(right), method), float(deviations.mean()))
