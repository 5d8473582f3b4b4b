"""Agreement beyond chance: Krippendorff's alpha between readers, Cohen's kappa between series of right and wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.statistics.intervals import RESAMPLES, Estimate, cluster_bootstrap, cluster_sums

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

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


def cohen_kappa(pairs: Sequence[tuple[Floats, Floats]], groups: NDArray[np.int64], *, unit: str = "schema") -> Estimate:
    """The mean of Cohen's kappa over pairs of series of right (1) and wrong (0), drawing groups from all together.

    Every series has a value for each item, NaN if it does not count, and `groups` has the number of each item's group.
    `n` counts items, each once. If all groups agree equally often, the shares of right answers are taken as given.

    >>> first, second = np.array([1.0, 1, 0, 0, 1, 0]), np.array([1.0, 0, 0, 0, 1, 1])
    >>> print(cohen_kappa([(first, second)], np.array([0, 0, 1, 1, 2, 2])))
    0.333 [-0.286, 0.571], n=6, BCa over 3 schemas
    >>> print(cohen_kappa([(np.ones(4), np.ones(4))], np.array([0, 0, 1, 1])))
    undefined, n=4, kappa needs right and wrong answers
    """
    counted = [~np.isnan(first + second) for first, second in pairs]
    n = int(np.any(counted, axis=0).sum())
    columns = []
    for (first, second), both in zip(pairs, counted, strict=True):
        columns += [both, both * np.nan_to_num(first), both * np.nan_to_num(second), both & (first == second)]
    rows = cluster_sums(groups, *(column.astype(np.float64) for column in columns))
    rows = rows[rows[:, ::4].any(axis=1)]
    kappas, expected = _kappas(rows.sum(axis=0))
    if not np.isfinite(kappas).all():
        return Estimate.undefined("kappa needs right and wrong answers", n)
    return cluster_bootstrap(
        rows,
        lambda totals: _kappas(totals)[0].mean(axis=-1),
        rows[:, 3::4].sum(axis=1) / rows[:, ::4].sum(axis=1),
        n=n,
        bounds=(float((-expected / (1 - expected)).mean()), 1.0),
        unit=unit,
    )


def _kappas(totals: Floats) -> tuple[Floats, Floats]:
    """Kappa of each pair, and how often it would agree by chance, from four totals of each pair."""
    n, first, second, agreeing = np.moveaxis(totals.reshape(*totals.shape[:-1], -1, 4), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = (first * second + (n - first) * (n - second)) / n**2
        return (agreeing / n - expected) / (1 - expected), expected


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
