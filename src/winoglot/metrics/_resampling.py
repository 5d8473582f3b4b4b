"""Schemas drawn with replacement, many times over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from winoglot.metrics._clusters import Floats

RESAMPLES = 10_000  # the Monte-Carlo error of a 95% limit is then about 2% of the interval's width
_FEW_KINDS = 16  # up to here drawing how often each kind occurs is faster than drawing schemas
_AT_ONCE = 1_000_000  # draws held in memory at a time


def resampled_totals(rows: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    """Column totals of `resamples` samples, each of as many rows as there are, drawn with replacement.

    Rows are schemas, columns additive statistics. Two schemas with equal rows are interchangeable, and with right and
    wrong answers there are few different rows: then it is enough to draw how many of each kind a sample holds, which
    has the same (multinomial) distribution as drawing the schemas one by one.

    >>> rows = np.array([[2.0, 2.0]] * 7 + [[1.0, 2.0]] * 3)
    >>> totals = resampled_totals(rows, 4000, np.random.default_rng(0))
    >>> totals.shape, totals.mean(axis=0).round(1)
    ((4000, 2), array([17., 20.]))
    """
    kinds, counts = np.unique(rows, axis=0, return_counts=True)
    if len(kinds) <= _FEW_KINDS:
        return np.asarray(rng.multinomial(len(rows), counts / len(rows), size=resamples) @ kinds, dtype=np.float64)
    per_batch = max(1, _AT_ONCE // len(rows))
    sizes = [min(per_batch, resamples - start) for start in range(0, resamples, per_batch)]
    return np.concatenate([_drawn_one_by_one(rows, size, rng) for size in sizes])


def _drawn_one_by_one(rows: Floats, resamples: int, rng: np.random.Generator) -> Floats:
    number = len(rows)
    drawn = rng.integers(0, number, size=(resamples, number))
    drawn += number * np.arange(resamples)[:, np.newaxis]  # each sample counts in cells of its own
    times = np.bincount(drawn.ravel(), minlength=resamples * number).reshape(resamples, number)
    return np.asarray(times.astype(np.float64) @ rows, dtype=np.float64)
