"""Samples of schemas drawn with replacement: what their totals can be, and how often.

Rows are schemas, columns what is added up over a sample (right answers, items). A sample has as many rows as there are.
"""

from __future__ import annotations

from functools import lru_cache
from math import ceil, prod, sqrt
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

PARTS = 60  # totals in halves, thirds, quarters, fifths or sixths of an item are whole numbers of these
_LARGEST_GRID = 1 << 15  # cells of an exact distribution; beyond it, drawing is as fast
_NEGLIGIBLE = 1e-12  # the probability of a total that is left out
_FEW_KINDS = 16  # up to here, drawing how often each kind of row occurs is faster than drawing rows
_AT_ONCE = 1_000_000  # draws kept in memory at a time
_KEPT = 2_000_000  # draws kept for the next statistic of the same schemas
_DRAWS = 200_000_000  # of rows one by one; with more rows there are fewer samples
_FEWEST_SAMPLES = 2000


class Totals(NamedTuple):
    """Column totals of samples, one row each, and their probabilities."""

    totals: Floats
    chances: Floats


def sample_totals(rows: Floats, resamples: int, seed: int) -> Totals:
    """The totals of all possible samples or, if there are too many to compute, of random ones.

    >>> samples = sample_totals(np.array([[2.0, 2.0], [1.0, 2.0]]), 1000, seed=0)
    >>> samples.totals.tolist(), samples.chances.round(6).tolist()
    ([[2.0, 4.0], [3.0, 4.0], [4.0, 4.0]], [0.25, 0.5, 0.25])
    """
    kinds, counts = distinct_rows(rows)
    exact = _all_totals(kinds, counts)
    if exact is not None:
        return exact
    random = _drawn_totals(rows, kinds, counts, resamples, seed)
    return Totals(random, np.full(len(random), 1 / len(random)))


def random_totals(rows: Floats, resamples: int, seed: int) -> Floats:
    """Column totals of `resamples` random samples; of fewer, but at least 2,000, if there are over 20,000 rows.

    Schemas with equal rows are interchangeable, and right and wrong answers give few different rows. It is then enough
    to draw how many of each kind a sample has, which has the same (multinomial) distribution as drawing the schemas one
    by one.

    >>> rows = np.array([[2.0, 2.0]] * 7 + [[1.0, 2.0]] * 3)
    >>> totals = random_totals(rows, 4000, seed=0)
    >>> totals.shape, totals.mean(axis=0).round(1)
    ((4000, 2), array([17., 20.]))
    """
    return _drawn_totals(rows, *distinct_rows(rows), resamples, seed)


def distinct_rows(rows: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """The different rows, sorted, and how often each occurs."""
    if rows.shape[1] != 2:
        return np.unique(rows, axis=0, return_counts=True)
    # Two columns are sorted as complex numbers, ten times as fast.
    kinds, counts = np.unique(np.ascontiguousarray(rows).view(np.complex128), return_counts=True)
    return kinds.view(np.float64).reshape(-1, 2), counts


def _all_totals(kinds: Floats, counts: NDArray[np.int64]) -> Totals | None:
    """The exact distribution, by fast Fourier transform; None if values are no simple fractions or the grid is large.

    The transform of the distribution of one drawn row, to the power of their number, is that of the totals. The grid
    wraps around: it is as wide as the totals vary, and by Bernstein's inequality what lies outside, and falls on wrong
    cells, has a probability of about one in a million at most.
    """
    whole_numbers = np.rint(kinds * PARTS)
    if np.abs(kinds * PARTS - whole_numbers).max() > 1e-6:
        return None
    number, shares = int(counts.sum()), counts / counts.sum()
    lowest = whole_numbers.min(axis=0)
    axes, sizes, places = [], [], []
    for column, least in zip(whole_numbers.T, lowest, strict=True):
        steps = (column - least).astype(np.int64)
        step = max(1, int(np.gcd.reduce(steps)))
        steps //= step
        widest, mean = int(steps.max()), float(shares @ steps)
        deviation = sqrt(number * max(0.0, float(shares @ steps**2) - mean**2))
        largest = number * widest
        size = min(largest, 2 * ceil(6 * deviation + 8 * widest)) + 1
        size += (size > 1) * (-size % 8)  # a multiple of eight transforms fast
        start = max(0, min(round(number * mean) - size // 2, largest + 1 - size))
        axes.append((number * least + step * (start + (np.arange(size) - start) % size)) / PARTS)
        sizes.append(size)
        places.append(steps % size)
    if prod(sizes) > _LARGEST_GRID:
        return None
    distribution = np.zeros(sizes)
    np.add.at(distribution, tuple(places), shares)
    varying_axes = tuple(axis for axis, size in enumerate(sizes) if size > 1) or (0,)
    chances = np.fft.irfftn(
        _power(np.fft.rfftn(distribution, axes=varying_axes), number),
        [sizes[axis] for axis in varying_axes],
        varying_axes,
    )
    likely = chances > _NEGLIGIBLE
    totals = np.stack([axis[place] for axis, place in zip(axes, np.nonzero(likely), strict=True)], axis=1)
    return Totals(totals, chances[likely] / chances[likely].sum())


def _power(base: NDArray[np.complex128], exponent: int) -> NDArray[np.complex128]:
    """The power by repeated squaring: several times as fast as numpy's power of complex numbers."""
    result = np.ones_like(base)
    while exponent:
        if exponent & 1:
            result *= base
        base = base * base
        exponent >>= 1
    return result


def _drawn_totals(rows: Floats, kinds: Floats, counts: NDArray[np.int64], resamples: int, seed: int) -> Floats:
    number = len(rows)
    if len(kinds) <= _FEW_KINDS:
        draws = np.random.default_rng(seed).multinomial(number, counts / number, size=resamples)
        return np.asarray(draws @ kinds, dtype=np.float64)
    resamples = min(resamples, max(_FEWEST_SAMPLES, _DRAWS // number))
    if resamples * number <= _KEPT:
        return _sum_samples(_kept_samples(number, resamples, seed), rows)
    rng, per_batch = np.random.default_rng(seed), max(1, _AT_ONCE // number)
    sizes = [min(per_batch, resamples - start) for start in range(0, resamples, per_batch)]
    return np.concatenate([_sum_samples(_samples(number, size, rng), rows) for size in sizes])


def _sum_samples(samples: NDArray[np.integer], rows: Floats) -> Floats:
    """The product, in blocks so small that BLAS does not wake its threads: their waiting costs more than they save."""
    block = max(1, 200_000 // rows.size)
    starts = range(0, len(samples), block)
    return np.concatenate([samples[start : start + block].astype(np.float64) @ rows for start in starts])


@lru_cache(maxsize=8)
def _kept_samples(number: int, resamples: int, seed: int) -> NDArray[np.uint16]:
    """Samples that many statistics of the same schemas use, a few megabytes at most."""
    return _samples(number, resamples, np.random.default_rng(seed)).astype(np.uint16)


def _samples(number: int, resamples: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """How often each of the rows is in each sample."""
    cells = rng.integers(0, number, size=(resamples, number))
    cells += number * np.arange(resamples)[:, np.newaxis]  # each sample is counted in cells of its own
    return np.bincount(cells.ravel(), minlength=resamples * number).reshape(resamples, number)
