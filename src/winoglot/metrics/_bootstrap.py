"""The default interval: a bootstrap over schemas, bias-corrected and accelerated (BCa), exact where all are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.metrics._clusters import cluster_sums, counted, numbers
from winoglot.metrics._resampling import RESAMPLES, resampled_totals
from winoglot.metrics.base import Estimate, at_level

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from winoglot.metrics._clusters import Floats

_ROUNDING = 1e-12  # two ratios closer than this are one value


def bootstrap_ratio(
    numerator: ArrayLike,
    denominator: ArrayLike,
    clusters: ArrayLike,
    *,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    bounds: tuple[float, float] = (0.0, 1.0),
    undefined: str = "no items",
    unit: str = "schema",
) -> Estimate:
    """Estimate Σ numerator / Σ denominator in the population that the schemas were drawn from.

    Both are additive per-item statistics: accuracy is right over 1, quality right over answered, consistency changed
    over switchable, a difference of two solvers on the same items (right by A − right by B) over 1 with `bounds`
    (−1, 1). What is drawn with replacement is whole schemas (`clusters` says which an item belongs to), since the
    items of one depend on each other; so any dependence within a schema is in the interval, whatever its sign.

    Items with denominator 0 are left out, and so are schemas that have no others; `n` counts the rest. When all
    schemas have the same ratio, resampling shows no spread, and the exact limits of `all_alike` are given instead; when
    the BCa correction is not finite, plain percentiles are. `method` names what was done.

    >>> right = [1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    >>> print(bootstrap_ratio(right, [1] * 12, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]))
    0.667 [0.333, 0.917], n=12, BCa over 6 schemas
    >>> print(bootstrap_ratio([1, 1, 1, 1], [1, 1, 1, 1], ["a", "a", "b", "b"]))
    1.000 [0.158, 1.000], n=4, exact (Clopper-Pearson) over 2 schemas, all alike
    """
    above, below = numbers(numerator, "numerator"), numbers(denominator, "denominator")
    if above.shape != below.shape:
        raise ValueError(f"{len(above)} numerators cannot stand over {len(below)} denominators")
    if (below < 0).any():
        raise ValueError("denominators count something: none may be negative")
    if above[below == 0].any():
        raise ValueError("an item with denominator 0 must have numerator 0: it is not part of the estimate")
    rows = cluster_sums(clusters, above, below)
    rows = rows[rows[:, 1] > 0]
    n = int(np.count_nonzero(below))
    if n == 0:
        return Estimate.undefined(undefined)
    value = float(rows[:, 0].sum() / rows[:, 1].sum())
    over = counted(len(rows), unit)
    ratios = rows[:, 0] / rows[:, 1]
    if np.ptp(ratios) <= _ROUNDING:
        low, high = all_alike(value, len(rows), level=level, bounds=bounds)
        alike = ", all alike" if len(rows) > 1 else ""
        return Estimate(value, low, high, n, at_level(level, f"exact (Clopper-Pearson) over {over}{alike}"))
    totals = resampled_totals(rows, resamples, np.random.default_rng(seed))
    resampled = totals[:, 0] / totals[:, 1]
    without_one = (rows[:, 0].sum() - rows[:, 0]) / (rows[:, 1].sum() - rows[:, 1])
    corrected = bca_tails(resampled, value, without_one, level=level)
    method = f"BCa over {over}" if corrected else f"percentile bootstrap over {over} (BCa breaks down)"
    low, high = np.quantile(resampled, corrected or ((1 - level) / 2, (1 + level) / 2))
    return Estimate(value, float(low), float(high), n, at_level(level, method))


def bca_tails(
    resampled: Floats, observed: float, without_one: Floats, *, level: float = 0.95
) -> tuple[float, float] | None:
    """Which quantiles of the resampled values are the BCa limits; None where the correction is not finite.

    The bias correction is how far the observed value lies from the resampled values' median (ties count half); the
    acceleration is a sixth of the skewness of the values got by leaving out one schema in turn.
    """
    from scipy.special import ndtr, ndtri

    shifts = without_one.mean() - without_one
    spread = float((shifts**2).sum())
    if spread == 0:
        return None
    acceleration = float((shifts**3).sum()) / (6 * spread**1.5)
    below = np.mean(resampled < observed - _ROUNDING)
    bias = float(ndtri((below + np.mean(resampled <= observed + _ROUNDING)) / 2))
    if not np.isfinite(bias):
        return None
    shifted = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    stretch = 1 - acceleration * shifted
    if (stretch <= 0).any():
        return None
    low, high = ndtr(bias + shifted / stretch)
    return float(low), float(high)


def all_alike(
    value: float, schemas: int, *, level: float = 0.95, bounds: tuple[float, float] = (0.0, 1.0)
) -> tuple[float, float]:
    """Limits for the mean when each of the schemas has exactly this value.

    None of them deviates, so the Clopper-Pearson limit says how large the share q of deviating schemas in the
    population may still be: (1 − q)^schemas = (1 − level) / 2. Were all of those at one of the bounds, the mean would
    lie q of the way towards it. For schemas wholly right this is the Clopper-Pearson interval for the share of such
    schemas; it also serves where each pair has exactly one right (a solver that ignores the segment). Schemas count
    alike, whatever their number of items.

    >>> low, high = all_alike(1.0, 20)
    >>> round(low, 3), high
    (0.832, 1.0)
    """
    low, high = bounds
    if not low - _ROUNDING <= value <= high + _ROUNDING:
        raise ValueError(f"the value {value} lies outside the bounds {bounds}")
    deviating = 1 - ((1 - level) / 2) ** (1 / schemas)
    return value - deviating * (value - low), value + deviating * (high - value)
