"""Krippendorff's alpha: how far readers agree beyond what their answers would agree by chance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.metrics._bootstrap import all_alike, bca_tails
from winoglot.metrics._clusters import cluster_sums, counted
from winoglot.metrics._resampling import RESAMPLES, resampled_totals
from winoglot.metrics.base import Estimate

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from winoglot.metrics._clusters import Floats

_ROUNDING = 1e-12  # two shares closer than this are one value


def krippendorff_alpha(
    answers: Sequence[Sequence[Hashable]], clusters: Sequence[str], *, resamples: int = RESAMPLES, seed: int = 0
) -> Estimate:
    """Alpha for answers that are alike or not (nominal), one list of answers an item, any number of readers each.

    Items that fewer than two readers answered say nothing and are left out; `n` counts the others. The interval comes
    from drawing whole schemas with replacement; where readers agree equally often in all of them, from the share of
    schemas that might still be otherwise (Clopper-Pearson), with the answers' distribution taken as it is.

    >>> print(krippendorff_alpha([[0, 0], [1, 1], [0, 0], [0, 1]], ["a", "a", "b", "b"]))
    0.533 [-0.167, 1.000], n=4, BCa over 2 schemas
    >>> print(krippendorff_alpha([[0], [1]], ["a", "a"]))
    undefined, n=0, no item was answered by two readers
    """
    several = [number for number, row in enumerate(answers) if len(row) > 1]
    if not several:
        return Estimate.undefined("no item was answered by two readers")
    categories = list(dict.fromkeys(answer for number in several for answer in answers[number]))
    counts = np.array([[answers[number].count(category) for category in categories] for number in several], dtype=float)
    sizes = counts.sum(axis=1)
    agreeing = (counts * (counts - 1)).sum(axis=1) / (sizes - 1)
    rows = cluster_sums([clusters[number] for number in several], agreeing, *counts.T)
    value = _alpha(rows.sum(axis=0))
    if not np.isfinite(value):
        return Estimate.undefined("all answers are the same", len(several))
    over = counted(len(rows))
    if np.ptp(rows[:, 0] / rows[:, 1:].sum(axis=1)) <= _ROUNDING:
        lowest = 1 - 1 / float(_chance_disagreement(rows.sum(axis=0)))  # where no two answers are the same
        low, high = all_alike(float(value), len(rows), bounds=(lowest, 1.0))
        alike = ", all alike" if len(rows) > 1 else ""
        return Estimate(float(value), low, high, len(several), f"exact (Clopper-Pearson) over {over}{alike}")
    resampled = _alpha(resampled_totals(rows, resamples, np.random.default_rng(seed)))
    without_one = _alpha(rows.sum(axis=0) - rows)
    resampled, without_one = resampled[np.isfinite(resampled)], without_one[np.isfinite(without_one)]
    corrected = bca_tails(resampled, float(value), without_one)
    low, high = np.quantile(resampled, corrected or (0.025, 0.975))
    method = f"BCa over {over}" if corrected else f"percentile bootstrap over {over} (BCa breaks down)"
    return Estimate(float(value), float(low), float(high), len(several), method)


def _alpha(totals: Floats) -> Floats:
    """Alpha from sums over items: agreeing pairs, then how often each answer was given. NaN where all are the same."""
    n = totals[..., 1:].sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed = (n - totals[..., 0]) / n
        result = 1 - observed / _chance_disagreement(totals)
    return np.asarray(np.where(np.isfinite(result), result, np.nan))


def _chance_disagreement(totals: Floats) -> Floats:
    """How often two answers drawn from all of them would differ."""
    given = totals[..., 1:]
    n = given.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((n**2 - (given**2).sum(axis=-1)) / (n * (n - 1)))
