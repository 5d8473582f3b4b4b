"""Tests that flip whole schemas: a solver against chance, and two solvers on the same items.

Both ask whether the schemas' totals are symmetric about 0. Against chance an item counts +½ when right and −½ when
wrong: a solver that knows nothing of the answers does as well after the key of any schema is turned round. Between two
solvers an item counts right by A − right by B: were the solvers exchangeable, swapping them in any schema would change
nothing but the sign. The dependence within a schema is kept, because its items flip together.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from winoglot.metrics._clusters import cluster_sums, counted, numbers
from winoglot.metrics._p_value import PValue

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    from winoglot.metrics._clusters import Floats

Alternative = Literal["two-sided", "greater"]
MEASURES = {"two-sided": np.abs, "greater": np.positive}  # how extreme a total is

FLIPS = 10_000  # p = 0.05 is then known to ±0.002
_PARTS = 60  # totals in halves, thirds, quarters, fifths or sixths of an item are whole numbers of these
_LONGEST = 400_000  # different totals an exact distribution may have
_ENUMERATED = 16  # schemas whose 65,536 sign patterns are gone through one by one
_ROUNDING = 1e-9


def against_chance(
    right: ArrayLike,
    clusters: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    flips: int = FLIPS,
    seed: int = 0,
) -> PValue:
    """Test that a solver picks one of two candidates without knowing the answer.

    `right` is 1, 0, or ½ for an abstention, one value an item; only items with two candidates may be among them.

    >>> print(against_chance([1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1], list("aabbccddeeff")))
    p=0.062, n=5, exact flips of 6 schemas
    """
    values = numbers(right, "right")
    if ((values < 0) | (values > 1)).any():
        raise ValueError("an item is right (1), wrong (0) or something between, nothing else")
    return flip_test(values - 0.5, clusters, alternative=alternative, flips=flips, seed=seed)


def between_solvers(
    right_a: ArrayLike,
    right_b: ArrayLike,
    clusters: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    flips: int = FLIPS,
    seed: int = 0,
) -> PValue:
    """Test that two solvers answer the same items equally well: that within a schema they are exchangeable.

    >>> a, b = [1] * 14, [1, 0] * 7
    >>> print(between_solvers(a, b, [schema for schema in "abcdefg" for item in range(2)]))
    p=0.016, n=7, exact flips of 7 schemas
    """
    first, second = numbers(right_a, "right_a"), numbers(right_b, "right_b")
    if first.shape != second.shape:
        raise ValueError(f"{len(first)} and {len(second)} answers cannot be paired: both solvers need the same items")
    return flip_test(first - second, clusters, alternative=alternative, flips=flips, seed=seed)


def flip_test(
    values: ArrayLike,
    clusters: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    flips: int = FLIPS,
    seed: int = 0,
) -> PValue:
    """Test that the schemas' totals of `values` are symmetric about 0; the statistic is the total over all schemas.

    Schemas whose total is 0 stay out: flipping changes nothing. Where the totals are whole numbers of simple fractions,
    as counts of right answers are, the distribution over all sign patterns is computed exactly, however many schemas
    there are; otherwise by enumeration when they are few, and else from random patterns drawn with `seed`, the observed
    one counted among them so that the p-value is valid ((k + 1) / (flips + 1)).
    """
    sums = cluster_sums(clusters, numbers(values, "values"))[:, 0]
    over = counted(len(sums))
    sums = sums[np.abs(sums) > _ROUNDING]
    if alternative not in MEASURES:
        raise ValueError(f"the alternative is {' or '.join(map(repr, MEASURES))}, not {alternative!r}")
    measure = MEASURES[alternative]
    least = float(measure(sums.sum())) - _ROUNDING
    parts = np.abs(np.rint(sums * _PARTS)).astype(np.int64)
    if np.abs(np.abs(sums) * _PARTS - parts).max(initial=0) < 1e-6 and _support(parts) <= _LONGEST:
        totals, chances = _exact_distribution(parts)
        p = min(1.0, float(chances[measure(totals) >= least].sum()))
        return PValue(p, 0.0, len(sums), f"exact flips of {over}")
    if len(sums) <= _ENUMERATED:
        patterns = (np.arange(2 ** len(sums))[:, np.newaxis] >> np.arange(len(sums))) & 1
        p = float(np.mean(measure((2.0 * patterns - 1.0) @ sums) >= least))
        return PValue(p, 0.0, len(sums), f"exact flips of {over}")
    totals = _random_totals(sums, flips, np.random.default_rng(seed))
    p = (int((measure(totals) >= least).sum()) + 1) / (flips + 1)
    return PValue(p, sqrt(p * (1 - p) / flips), len(sums), f"{flips:,} random flips of {over}")


def _support(parts: NDArray[np.int64]) -> int:
    return 2 * int(parts.sum()) // int(np.gcd.reduce(parts)) + 1 if len(parts) else 1


def _exact_distribution(parts: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """All totals that sign patterns can give, and how probable each is: two shifted copies are added a schema."""
    step = int(np.gcd.reduce(parts)) if len(parts) else 1
    chances = np.ones(1)
    for size in (parts // step).tolist():
        longer = np.zeros(len(chances) + 2 * size)
        longer[: len(chances)] += chances / 2
        longer[2 * size :] += chances / 2
        chances = longer
    largest = (len(chances) - 1) // 2
    return np.arange(-largest, largest + 1, dtype=np.float64) * (step / _PARTS), chances


def _random_totals(sums: Floats, flips: int, rng: np.random.Generator) -> Floats:
    batches = []
    for start in range(0, flips, 1000):  # a thousand patterns at a time bound the memory
        patterns = rng.integers(0, 2, size=(min(1000, flips - start), len(sums)), dtype=np.int8)
        batches.append((2.0 * patterns - 1.0) @ sums)
    return np.concatenate(batches)
