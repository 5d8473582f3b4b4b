"""Estimates with intervals: the cluster bootstrap (the default), the exact limits and Wilson's interval."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np

from winoglot.notebook import card, interval_svg
from winoglot.statistics.resampling import distinct_rows, random_totals, sample_totals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from numpy.typing import ArrayLike, NDArray

    from winoglot.statistics.resampling import Floats

RESAMPLES = 10_000  # if they are drawn, the Monte-Carlo error of a 95% limit is about 2% of the interval's width
FEWER = 2_000  # for statistics that must be computed for each sample by itself
_PLACES, _ALL_PLACES = 2_000_000, 40_000_000  # of schemas in samples that are computed at once, and in all of them
_FEWEST = 400  # of those samples
_MEMORABLE = 64  # kinds of schemas of which an estimate is remembered
_ROUNDING = 1e-12  # two ratios closer than this are equal


@dataclass(frozen=True, repr=False)
class Estimate:
    """A quantity estimated from a sample of schemas.

    `low` and `high` are the limits of the interval, 95% unless `method` says otherwise; `n` counts what the value is
    an average over (usually items; schemas for pair accuracy). If the quantity is undefined, `value`, `low` and `high`
    are None and `method` gives the reason.

    >>> print(Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas"))
    0.563 [0.501, 0.622], n=263, BCa over 131 schemas
    >>> print(f"{Estimate(0.0203, -0.0411, 0.0629, 277, 'BCa over 139 schemas'):+.1%}")
    +2.0% [-4.1%, +6.3%], n=277, BCa over 139 schemas
    >>> print(Estimate.undefined("no switchable items"))
    undefined, n=0, no switchable items
    """

    value: float | None
    low: float | None
    high: float | None
    n: int
    method: str

    def __post_init__(self) -> None:
        """Refuse half an interval, limits in the wrong order, and numbers that are not finite."""
        numbers = [number for number in (self.value, self.low, self.high) if number is not None]
        if len(numbers) not in {0, 3}:
            raise ValueError(f"an estimate has a value and two limits, or none of them: {numbers}")
        if not all(isfinite(number) for number in numbers):
            raise ValueError(f"an estimate needs finite numbers, not {numbers}")
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValueError(f"the lower limit {self.low} is above the upper limit {self.high}")
        if self.n < 0:
            raise ValueError(f"an estimate cannot be based on {self.n} items")

    @classmethod
    def undefined(cls, reason: str, n: int = 0) -> Estimate:
        """An estimate without a value, and why."""
        return cls(None, None, None, n, reason)

    def __str__(self) -> str:
        """Value and interval to three decimals, count, method."""
        return format(self, "")

    def __repr__(self) -> str:
        """What `str` gives, with what it is."""
        return f"<Estimate {self}>"

    def _repr_html_(self) -> str:
        if self.value is None or self.low is None or self.high is None:
            return card(escape(str(self)))
        picture = interval_svg(self.value, self.low, self.high) if self.low >= 0 and self.high <= 1 else ""
        description = f"95% interval {self.low:z.3f} to {self.high:z.3f}, n = {self.n}, {self.method}"
        return card(f'<b>{self.value:z.3f}</b> {picture} <span class="quiet">{escape(description)}</span>')

    def __format__(self, spec: str) -> str:
        """Value, interval, count and method, with the numbers formatted by `spec`: `.1%`, `+.3f`."""
        if self.value is None or self.low is None or self.high is None:
            return f"undefined, n={self.n}, {self.method}"
        value, low, high = (format(number, spec or "z.3f") for number in (self.value, self.low, self.high))
        return f"{value} [{low}, {high}], n={self.n}, {self.method}"


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
    """Estimate Σ numerator / Σ denominator in the population from which the schemas were drawn.

    Both have one value per item: accuracy is right over 1, quality right over answered, consistency changed over
    switchable, and the difference of two solvers on the same items (right by A − right by B) over 1 with `bounds`
    (−1, 1). Whole schemas are drawn with replacement (`clusters` says which schema an item belongs to), so the interval
    accounts for any dependence within a schema, positive or negative.

    Items with denominator 0 are left out, and so are schemas that have no other items; `n` counts the rest. If all
    schemas have the same ratio, resampling shows no spread and the exact limits of `all_alike` are used instead; if the
    BCa correction is not finite, plain percentiles are. `method` names what was done.

    >>> right = [1, 1, 1, 0, 1, 1, 0, 0, 1, 0, 1, 1]
    >>> print(bootstrap_ratio(right, [1] * 12, [0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5]))
    0.667 [0.333, 0.917], n=12, BCa over 6 schemas
    >>> print(bootstrap_ratio([1, 1, 1, 1], [1, 1, 1, 1], ["a", "a", "b", "b"]))
    1.000 [0.158, 1.000], n=4, exact (Clopper-Pearson) over 2 schemas, all alike
    """
    numerators, denominators = numbers(numerator, "numerator"), numbers(denominator, "denominator")
    if numerators.shape != denominators.shape:
        raise ValueError(
            f"{len(numerators)} numerators but {len(denominators)} denominators: there must be one of each per item"
        )
    if (denominators < 0).any():
        raise ValueError("denominators are counts and must not be negative")
    if numerators[denominators == 0].any():
        raise ValueError("an item with denominator 0 is not part of the estimate and must have numerator 0")
    rows = cluster_sums(clusters, numerators, denominators)
    rows = rows[rows[:, 1] > 0]
    if not len(rows):
        return Estimate.undefined(undefined)
    kinds, counts = distinct_rows(rows)
    estimate = _ratio_of_kinds if len(kinds) <= _MEMORABLE else _ratio_of_kinds.__wrapped__
    n = int(np.count_nonzero(denominators))
    return estimate(kinds.tobytes(), counts.tobytes(), n, level, resamples, seed, bounds, unit)


@lru_cache(maxsize=4096)  # a report asks for the same accuracy many times, once for each comparison
def _ratio_of_kinds(
    kinds: bytes,
    counts: bytes,
    n: int,
    level: float,
    resamples: int,
    seed: int,
    bounds: tuple[float, float],
    unit: str,
) -> Estimate:
    rows = np.repeat(np.frombuffer(kinds).reshape(-1, 2), np.frombuffer(counts, dtype=np.int64), axis=0)
    return cluster_bootstrap(
        rows,
        lambda totals: totals[..., 0] / totals[..., 1],
        rows[:, 0] / rows[:, 1],
        n=n,
        level=level,
        resamples=resamples,
        seed=seed,
        bounds=bounds,
        unit=unit,
    )


def cluster_bootstrap(
    rows: Floats,
    statistic: Callable[[Floats], Floats],
    of_each: Floats,
    *,
    n: int,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    bounds: tuple[float, float] = (0.0, 1.0),
    unit: str = "schema",
) -> Estimate:
    """Estimate a `statistic` of column totals by drawing rows with replacement: BCa limits, or exact ones.

    There is one row per schema; `of_each` is what decides whether the schemas are all alike, one value per schema.
    """
    total = np.array([column.sum() for column in rows.T])
    value = float(statistic(total))
    schema_count = counted(len(rows), unit)
    if np.ptp(of_each) <= _ROUNDING:
        low, high = all_alike(value, len(rows), level=level, bounds=bounds)
        suffix = ", all alike" if len(rows) > 1 else ""
        return Estimate(value, low, high, n, at_level(level, f"exact (Clopper-Pearson) over {schema_count}{suffix}"))
    totals, chances = sample_totals(rows, resamples, seed)
    resampled, without_one = statistic(totals), statistic(total - rows)
    resampled, chances = resampled[np.isfinite(resampled)], chances[np.isfinite(resampled)]
    without_one = without_one[np.isfinite(without_one)]
    tails = bca_tails(resampled, value, without_one, chances, level=level)
    method = f"BCa over {schema_count}" if tails else f"percentile bootstrap over {schema_count} (BCa is not finite)"
    low, high = quantiles(resampled, chances, tails or ((1 - level) / 2, (1 + level) / 2))
    return Estimate(value, low, high, n, at_level(level, method))


def mean_of_means(
    values: Sequence[Floats],
    groups: Sequence[NDArray[np.int64]],
    *,
    resamples: int = RESAMPLES,
    bounds: tuple[float, float] = (0.0, 1.0),
    unit: str = "schema",
) -> Estimate:
    """Estimate the mean over columns (collections, languages) of the mean over items, drawing groups from all together.

    Of each column there is a value per item, NaN for one that does not count, and the number of the item's group. `n`
    counts the values.

    >>> english, french = np.array([1.0, 1.0, 0.0, 1.0]), np.array([1.0, 0.0, np.nan, np.nan])
    >>> print(mean_of_means([english, french], [np.array([0, 1, 2, 3])] * 2))
    0.625 [0.250, 1.000], n=6, BCa over 4 schemas
    """
    number = 1 + max((int(column.max(initial=-1)) for column in groups), default=-1)
    counts = [~np.isnan(column) for column in values]
    sums = [
        np.bincount(of_column[known], weights=weights[known], minlength=number)
        for weights_of in (values, [np.ones(len(column)) for column in values])
        for of_column, weights, known in zip(groups, weights_of, counts, strict=True)
    ]
    size = len(values)
    above, below = np.stack(sums[:size], axis=1), np.stack(sums[size:], axis=1)
    kept = below.any(axis=1)
    above, below = above[kept], below[kept]
    n = int(below.sum())
    if size == 1 or not np.ptp(below, axis=1).any():  # then it is the mean over all items, which is estimated fast
        estimate = bootstrap_ratio(
            above.sum(axis=1), below.sum(axis=1), np.arange(len(above)), resamples=resamples, bounds=bounds, unit=unit
        )
        return replace(estimate, n=n)
    with np.errstate(invalid="ignore", divide="ignore"):
        return cluster_bootstrap(
            np.concatenate([above, below], axis=1),
            lambda totals: (totals[..., :size] / totals[..., size:]).mean(axis=-1),
            np.nanmean(above / below, axis=1),
            n=n,
            resamples=resamples,
            bounds=bounds,
            unit=unit,
        )


def mean_of_dependent(estimates: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    """The weighted mean of estimates from samples that depend on each other in an unknown way, with the mean limits.

    The standard error of a mean is at most the mean of the standard errors, which it is if the samples are one and the
    same. So the interval is too wide rather than too narrow, and no narrower for a second translation.

    >>> english, portuguese = Estimate(0.5, 0.4, 0.6, 200, "BCa"), Estimate(0.7, 0.6, 0.9, 100, "BCa")
    >>> print(mean_of_dependent([english, portuguese], [1, 1]))
    0.600 [0.500, 0.750], n=300, mean of the limits of 2 dependent samples: BCa
    """
    if len(estimates) == 1:
        return estimates[0]
    undefined = [estimate for estimate in estimates if estimate.value is None]
    if undefined:
        return undefined[0]
    value, low, high = (
        float(np.average([getattr(estimate, name) for estimate in estimates], weights=weights))
        for name in ("value", "low", "high")
    )
    methods = "; ".join(dict.fromkeys(estimate.method for estimate in estimates))
    n = sum(estimate.n for estimate in estimates)
    return Estimate(value, low, high, n, f"mean of the limits of {len(estimates)} dependent samples: {methods}")


def group_totals(values: Sequence[Floats], groups: Sequence[NDArray[np.int64]]) -> Floats:
    """The total of each group, as `mean_of_means` counts it: an item counts more in a column with fewer of them."""
    number = 1 + max((int(column.max(initial=-1)) for column in groups), default=-1)
    sizes = [int(np.count_nonzero(~np.isnan(column))) for column in values]
    totals = np.zeros(number)
    for column, of_column, size in zip(values, groups, sizes, strict=True):
        totals += max(sizes) / size * np.bincount(of_column, weights=np.nan_to_num(column), minlength=number)
    return totals[np.unique(np.concatenate(groups))]  # groups may have been numbered together with other columns


def bootstrap_statistic(
    schemas: int,
    statistic: Callable[[NDArray[np.int64]], Floats],
    *,
    n: int,
    resamples: int = FEWER,
    seed: int = 0,
    bounds: tuple[float, float] = (0.0, 1.0),
    unit: str = "schema",
) -> Estimate:
    """Estimate a statistic that is no function of totals (a rank correlation, a share of the largest) over schemas.

    It is given samples as rows of places of schemas, from 0 to `schemas` − 1, and returns one value for each row.

    >>> height = np.array([3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0])
    >>> print(bootstrap_statistic(8, lambda places: np.median(height[places], axis=1), n=8, bounds=(0, 10)))
    3.500 [1.500, 6.000], n=8, BCa over 8 schemas
    """
    all_places = np.arange(schemas)
    value = float(statistic(all_places[np.newaxis])[0])
    schema_count = counted(schemas, unit)
    if not np.isfinite(value):
        return Estimate.undefined(f"it is not defined for these {schema_count}", n)
    resamples = min(resamples, max(_FEWEST, _ALL_PLACES // schemas))
    rng = np.random.default_rng(seed)
    resampled = _compute_in_parts(
        statistic, resamples, schemas, lambda part: rng.integers(schemas, size=(len(part), schemas))
    )
    limits = all_alike(value, schemas, bounds=bounds)
    exact = Estimate(value, *limits, n, f"exact (Clopper-Pearson) over {schema_count}, samples alike")
    if not len(resampled) or np.ptp(resampled) <= _ROUNDING:
        return exact
    tails = None
    if schemas <= resamples:  # for more, the correction is small and leaving each of them out takes long
        without_one = _compute_in_parts(
            statistic, schemas, schemas, lambda part: np.array([np.delete(all_places, place) for place in part])
        )
        tails = bca_tails(resampled, value, without_one) if len(without_one) else None
    method = f"BCa over {schema_count}" if tails else f"percentile bootstrap over {schema_count}"
    low, high = quantiles(resampled, np.ones_like(resampled), tails or (0.025, 0.975))
    if high - low <= _ROUNDING:
        return exact
    return Estimate(value, min(low, value), max(high, value), n, method)


def _compute_in_parts(
    statistic: Callable[[NDArray[np.int64]], Floats],
    samples: int,
    schemas: int,
    draw: Callable[[range], NDArray[np.int64]],
) -> Floats:
    """The statistic of each sample for which it is defined; some are drawn and computed at a time."""
    at_once = max(1, _PLACES // schemas)
    with np.errstate(invalid="ignore", divide="ignore"):
        parts = [statistic(draw(range(start, min(start + at_once, samples)))) for start in range(0, samples, at_once)]
    values = np.concatenate(parts)
    return values[np.isfinite(values)]


def two_sample_bootstrap(
    first: Floats,
    second: Floats,
    statistic: Callable[[Floats, Floats], Floats],
    *,
    n: int,
    level: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    bounds: tuple[float, float] | None = None,
    unit: str = "schema",
) -> Estimate:
    """Estimate a `statistic` of the column totals of two independent samples, drawing the rows of each separately.

    There is one row per schema; limits are BCa's, with the acceleration of a statistic of two samples. If the schemas
    of each sample are all alike, `bounds` of the statistic give exact limits; without them it is undefined.

    >>> rows = np.array([[1.0, 2.0], [2.0, 2.0], [1.0, 2.0], [0.0, 2.0]])
    >>> difference = lambda a, b: a[..., 0] / a[..., 1] - b[..., 0] / b[..., 1]
    >>> print(two_sample_bootstrap(rows, rows[:3], difference, n=14))
    -0.167 [-0.625, 0.250], n=14, BCa over 4 and 3 schemas
    >>> print(two_sample_bootstrap(rows[:1], rows, difference, n=10))
    undefined, n=10, one of two samples has fewer than two schemas
    """
    if min(len(first), len(second)) < 2:
        return Estimate.undefined(f"one of two samples has fewer than two {unit}s", n)
    totals_of_all = first.sum(axis=0), second.sum(axis=0)
    value = float(statistic(*totals_of_all))
    resampled_totals = [random_totals(rows, resamples, seed + number) for number, rows in enumerate((first, second))]
    fewest = min(map(len, resampled_totals))  # of many schemas, fewer samples are drawn
    resampled = statistic(*(totals[:fewest] for totals in resampled_totals))
    schema_counts = f"{len(first):,} and {counted(len(second), unit)}"
    if np.ptp(resampled) <= _ROUNDING:
        if bounds is None:
            return Estimate.undefined(f"all {unit}s are alike, so resampling shows no spread", n)
        # Either sample may deviate, so each has half of the error.
        low, high = all_alike(value, min(len(first), len(second)), level=(1 + level) / 2, bounds=bounds)
        return Estimate(
            value, low, high, n, at_level(level, f"exact (Clopper-Pearson) over {schema_counts}, all alike")
        )
    without_one = (
        statistic(totals_of_all[0] - first, totals_of_all[1]),
        statistic(totals_of_all[0], totals_of_all[1] - second),
    )
    tails = bca_tails(resampled, value, np.concatenate([values - values.mean() for values in without_one]), level=level)
    method = f"BCa over {schema_counts}" if tails else f"percentile bootstrap over {schema_counts} (BCa is not finite)"
    chances = np.full(fewest, 1 / fewest)
    low, high = quantiles(resampled, chances, tails or ((1 - level) / 2, (1 + level) / 2))
    return Estimate(value, low, high, n, at_level(level, method))


def quantiles(values: Floats, chances: Floats, shares: Iterable[float]) -> list[float]:
    """The smallest values that are reached or stayed below with these probabilities.

    >>> quantiles(np.array([3.0, 1.0, 2.0]), np.array([0.5, 0.25, 0.25]), [0.2, 0.5, 0.51])
    [1.0, 2.0, 3.0]
    """
    order = np.argsort(values)
    below = np.cumsum(chances[order])
    places = np.searchsorted(below, np.array([*shares]) * below[-1] - _ROUNDING)
    return [float(value) for value in values[order][np.minimum(places, len(values) - 1)]]


def bca_tails(
    resampled: Floats, observed: float, without_one: Floats, chances: Floats | None = None, *, level: float = 0.95
) -> tuple[float, float] | None:
    """The quantiles of the resampled values that are the BCa limits; None if the correction is not finite.

    Resampled values are equally likely unless `chances` are given.

    The bias correction is how far the observed value is from the median of the resampled values (ties count half); the
    acceleration is a sixth of the skewness of the leave-one-schema-out values.
    """
    from scipy.special import ndtr, ndtri

    if not len(without_one):  # of two schemas, each alone may leave the statistic undefined
        return None
    shifts = without_one.mean() - without_one
    spread = float((shifts**2).sum())
    if spread == 0:
        return None
    acceleration = float((shifts**3).sum()) / (6 * spread**1.5)
    share_below = np.average(resampled < observed - _ROUNDING, weights=chances)
    bias = float(ndtri((share_below + np.average(resampled <= observed + _ROUNDING, weights=chances)) / 2))
    if not np.isfinite(bias):
        return None
    shifted_bias = bias + ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    denominator = 1 - acceleration * shifted_bias
    if (denominator <= 0).any():
        return None
    low, high = ndtr(bias + shifted_bias / denominator)
    return float(low), float(high)


def all_alike(
    value: float, schemas: int, *, level: float = 0.95, bounds: tuple[float, float] = (0.0, 1.0)
) -> tuple[float, float]:
    """Exact limits for the mean when every schema has exactly this value.

    None of them deviates, so the Clopper-Pearson limit says how large the share q of deviating schemas in the
    population may still be: (1 − q)^schemas = (1 − level) / 2. If all of those were at one of the bounds, the mean
    would move q of the way towards it. For schemas that are entirely right this is the Clopper-Pearson interval for the
    share of such schemas; it also covers the case in which each pair has exactly one right answer (a solver that
    ignores the segment). Every schema counts the same, whatever its number of items.

    >>> low, high = all_alike(1.0, 20)
    >>> round(low, 3), high
    (0.832, 1.0)
    """
    low, high = bounds
    if not low - _ROUNDING <= value <= high + _ROUNDING:
        raise ValueError(f"the value {value} is outside the bounds {bounds}")
    deviating_share = 1 - ((1 - level) / 2) ** (1 / schemas)
    return value - deviating_share * (value - low), value + deviating_share * (high - value)


def wilson(successes: int, n: int, *, level: float = 0.95, undefined: str = "no items") -> Estimate:
    """Estimate a probability from `successes` in `n` independent trials, with Wilson's score interval.

    Items of one schema are not independent: this interval is right for one item per schema (or for pair accuracy), too
    narrow if a solver tends to get both or neither of a pair, and too wide if it tends to get exactly one. It is here
    because other tools report it.

    >>> print(wilson(149, 263))
    0.567 [0.506, 0.625], n=263, Wilson, items taken as independent
    """
    from scipy.stats import binomtest

    if n == 0:
        return Estimate.undefined(undefined)
    limits = binomtest(successes, n).proportion_ci(level, method="wilson")
    method = at_level(level, "Wilson, items taken as independent")
    return Estimate(successes / n, float(limits.low), float(limits.high), n, method)


def cluster_sums(clusters: ArrayLike, *columns: Floats) -> Floats:
    """The columns summed over the items of each schema: one row per schema.

    >>> cluster_sums(["a", "b", "a"], np.array([1.0, 0.0, 1.0]), np.ones(3))
    array([[2., 2.],
           [0., 1.]])
    """
    ids = np.asarray(clusters)
    for column in columns:
        if ids.shape != column.shape:
            raise ValueError(f"{len(column)} values but {ids.size} schema ids: there must be one per item")
    distinct, index = np.unique(ids, return_inverse=True)
    return np.stack([np.bincount(index, weights=column, minlength=len(distinct)) for column in columns], axis=1)


def numbers(values: ArrayLike, what: str) -> Floats:
    """The values as a one-dimensional array of finite floats."""
    row = np.asarray(values, dtype=np.float64)
    if row.ndim != 1:
        raise ValueError(f"{what} must have one dimension, with one number per item; it has {row.ndim}")
    if not np.isfinite(row).all():
        raise ValueError(f"{what} must be finite; value {int(np.argmin(np.isfinite(row)))} is not")
    return row


def at_level(level: float, method: str) -> str:
    """The name of the method, preceded by the confidence level unless that is 95%.

    >>> at_level(0.95, "Wilson"), at_level(0.9, "Wilson")
    ('Wilson', '90% Wilson')
    """
    if not 0 < level < 1:
        raise ValueError(f"a confidence level is between 0 and 1, not {level}")
    return method if level == 0.95 else f"{100 * level:.4g}% {method}"


def counted(number: int, unit: str = "schema") -> str:
    """The number with its unit.

    >>> counted(1), counted(1310)
    ('1 schema', '1,310 schemas')
    """
    return f"{number} {unit}" if number == 1 else f"{number:,} {unit}s"
