"""Agreement between readers beyond chance: Krippendorff's alpha."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.statistics.intervals import RESAMPLES, Estimate, cluster_bootstrap, cluster_sums

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from winoglot.statistics.resampling import Floats


def krippendorff_alpha(
    answers: Sequence[Sequence[Hashable]], clusters: Sequence[str], *, resamples: int = RESAMPLES, seed: int = 0
) -> Estimate:
    """Nominal alpha from one list of answers per item, with any number of readers per item.

    Items that fewer than two readers answered are left out; `n` counts the others. The interval comes from drawing
    whole schemas with replacement; if readers agree equally often in all of them, from the share of schemas that might
    still deviate (Clopper-Pearson), taking the distribution of the answers as given.

    >>> print(krippendorff_alpha([[0, 0], [1, 1], [0, 0], [0, 1]], ["a", "a", "b", "b"]))
    0.533 [-0.167, 1.000], n=4, BCa over 2 schemas
    >>> print(krippendorff_alpha([[0], [1]], ["a", "a"]))
    undefined, n=0, no item was answered by two readers
    """
    answered_twice = [number for number, row in enumerate(answers) if len(row) > 1]
    if not answered_twice:
        return Estimate.undefined("no item was answered by two readers")
    categories = list(dict.fromkeys(answer for number in answered_twice for answer in answers[number]))
    if len(categories) == 1:
        return Estimate.undefined("all answers are the same", len(answered_twice))
    counts = np.array(
        [[answers[number].count(category) for category in categories] for number in answered_twice], dtype=float
    )
    sizes = counts.sum(axis=1)
    agreeing_pairs = (counts * (counts - 1)).sum(axis=1) / (sizes - 1)
    rows = cluster_sums([clusters[number] for number in answered_twice], agreeing_pairs, *counts.T)
    agreement = rows[:, 0] / rows[:, 1:].sum(axis=1)
    lowest = 1 - 1 / float(_chance_disagreement(rows.sum(axis=0)))  # if no two answers to an item were the same
    bounds = (lowest, 1.0)
    return cluster_bootstrap(
        rows, _alpha, agreement, n=len(answered_twice), resamples=resamples, seed=seed, bounds=bounds
    )


def _alpha(totals: Floats) -> Floats:
    """Alpha from totals over items: agreeing pairs, then the count of each answer. NaN if all answers are the same."""
    n = totals[..., 1:].sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        observed_disagreement = (n - totals[..., 0]) / n
        result = 1 - observed_disagreement / _chance_disagreement(totals)
    return np.asarray(np.where(np.isfinite(result), result, np.nan))


def _chance_disagreement(totals: Floats) -> Floats:
    """How often two answers drawn from all of them would differ."""
    answers = totals[..., 1:]
    n = answers.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray((n**2 - (answers**2).sum(axis=-1)) / (n * (n - 1)))
