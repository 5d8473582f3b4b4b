"""What a model makes of each item and of its rewrite, and the difference in differences between two collections.

A model that has read a published item knows its very words; it has not read a rewrite of it. So it should do better on
the item than on the rewrite. How much better it does on any item than on its rewrite is seen on a fresh collection,
which it cannot have read: (published − its rewrite) − (fresh − its rewrite).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeVar

import numpy as np

from winoglot.examples import text_of
from winoglot.statistics.intervals import Estimate, bootstrap_ratio, cluster_sums, two_sample_bootstrap
from winoglot.statistics.significance import exchange_test

if TYPE_CHECKING:
    from winoglot.examples import Outcome
    from winoglot.models.base import Solver
    from winoglot.runs.run import Run
    from winoglot.schemas.model import Collection, Item
    from winoglot.statistics.significance import PValue

Values: TypeAlias = Mapping[str, float]  # by the id of an item or variant
Progress: TypeAlias = Callable[[int, int], None]
_EXCHANGES = 9_999
_BATCH = 256  # texts that a model is given between two reports of progress
_Answer = TypeVar("_Answer")


@dataclass(frozen=True)
class Paired:
    """A value of every item of a collection that has a rewrite, beside the value of the rewrite."""

    original: np.ndarray
    rewrite: np.ndarray
    clusters: tuple[str, ...]

    @classmethod
    def of(cls, collection: Collection, kind: str, values: Values) -> Paired:
        """The values of the items that have one, and whose rewrite has one too."""
        pairs = [
            (values[variant.variant_of], values[variant.id], variant.schema_id)
            for variant in collection.variants(kind)
            if variant.id in values and variant.variant_of in values
        ]
        original, rewrite, clusters = zip(*pairs, strict=True) if pairs else ((), (), ())
        return cls(np.array(original, dtype=float), np.array(rewrite, dtype=float), tuple(clusters))

    def levels(self, *, is_share: bool) -> list[Estimate]:
        """The mean over the items, and that over their rewrites; `is_share` if it cannot be below 0 or above 1."""
        count = np.ones(len(self.clusters))
        levels = []
        for row in (self.original, self.rewrite):
            bounds = (0.0, 1.0) if is_share or not len(row) else (float(row.min()), float(row.max()))
            levels.append(bootstrap_ratio(row, count, self.clusters, bounds=bounds))
        return levels

    def rows(self) -> np.ndarray:
        """The sum of original − rewrite and the number of items: one row per schema."""
        return cluster_sums(self.clusters, self.original - self.rewrite, np.ones(len(self.clusters)))


def difference_in_differences(published: Paired, fresh: Paired, *, is_share: bool = False, seed: int = 0) -> Estimate:
    """(published − its rewrite) − (fresh − its rewrite), resampling the schemas of both collections.

    A share cannot be below 0 or above 1, which gives limits even if no item differs from its rewrite.

    >>> schemas = ("a", "a", "b", "b", "c", "c")
    >>> seen = Paired(np.array([5.0, 5, 4, 6, 5, 4]), np.array([3.0, 3, 3, 3, 3, 2]), schemas)
    >>> unseen = Paired(np.array([4.0, 3, 3, 4, 2, 3]), np.array([3.0, 3, 3, 3, 3, 3]), schemas)
    >>> print(difference_in_differences(seen, unseen))
    1.833 [1.500, 2.500], n=12, BCa over 3 and 3 schemas
    """
    first, second = published.rows(), fresh.rows()
    n = len(published.clusters) + len(fresh.clusters)
    return two_sample_bootstrap(
        first,
        second,
        lambda a, b: a[..., 0] / a[..., 1] - b[..., 0] / b[..., 1],
        n=n,
        seed=seed,
        bounds=(-2.0, 2.0) if is_share else None,
    )


def exchanged(published: Paired, fresh: Paired, *, seed: int = 0) -> PValue | None:
    """The test that published items differ from their rewrites as fresh ones do: schemas are exchanged between the two
    collections. None if one of them has no values.
    """
    if not len(published.clusters) or not len(fresh.clusters):
        return None
    values = np.concatenate([side.original - side.rewrite for side in (published, fresh)])
    is_published = np.repeat([True, False], [len(published.clusters), len(fresh.clusters)])
    clusters = [(name, cluster) for name, side in (("a", published), ("b", fresh)) for cluster in side.clusters]
    names = ["/".join(cluster) for cluster in clusters]
    return exchange_test(values, is_published, names, exchanges=_EXCHANGES, seed=seed)


# One value per item


def accuracies(run: Run, kind: str) -> Values:
    """1 for a right answer, 0 for a wrong one or an abstention."""
    return {outcome.example.id: float(outcome.right) for outcome in _outcomes(run, kind) if outcome.right is not None}


def margins(run: Run, kind: str) -> Values:
    """The score of the right candidate − the best score of the others."""
    values = {}
    for outcome in _outcomes(run, kind):
        scores, answer = outcome.scores, outcome.example.answer
        if answer is not None and len(scores) > 1 and all(score is not None and np.isfinite(score) for score in scores):
            finite = [float(score) for score in scores if score is not None]
            values[outcome.example.id] = finite.pop(answer) - max(finite)
    return values


def _outcomes(run: Run, kind: str) -> Iterable[Outcome]:
    return (*run.outcomes(), *run.outcomes(kind))


def min_k(solver: Solver, items: Sequence[Item], share: float, progress: Progress) -> Values | None:
    """The mean log probability of the least likely tokens of each text, by that share; None if the model has none."""
    scored = in_parts(solver.token_scores, list(map(text_of, items)), progress)
    if scored is None:
        return None
    values = ((item.id, least_likely(tokens.logprobs, share)) for item, tokens in zip(items, scored, strict=True))
    return {name: value for name, value in values if value is not None}


def least_likely(logprobs: np.ndarray, share: float) -> float | None:
    """The mean of the smallest values: of that share of them, rounded down, but at least of one.

    >>> least_likely(np.array([-1.0, -5.0, -2.0, -7.0, -1.0, -1.0, -1.0, -1.0, -1.0, -1.0]), 0.2)
    -6.0
    """
    finite = np.sort(logprobs[np.isfinite(logprobs)])
    return float(finite[: max(1, int(share * len(finite) + 1e-9))].mean()) if len(finite) else None


def continuations(solver: Solver, items: Sequence[Item], progress: Progress) -> tuple[Values, Values] | None:
    """What the model writes after the first half of each text: the share reproduced, and the longest run of tokens."""
    results = in_parts(solver.continuations, list(map(text_of, items)), progress)
    if results is None:
        return None
    result_by_item = [
        (item.id, continuation) for item, continuation in zip(items, results, strict=True) if continuation.expected
    ]
    shares = {name: continuation.share_reproduced for name, continuation in result_by_item}
    return shares, {name: float(continuation.longest_run) for name, continuation in result_by_item}


def in_parts(
    ask: Callable[[Sequence[str]], Sequence[_Answer] | None], texts: Sequence[str], progress: Progress
) -> list[_Answer] | None:
    """What a model says about many texts, some at a time; None if it says nothing."""
    results: list[_Answer] = []
    for start in range(0, len(texts), _BATCH):
        part = ask(texts[start : start + _BATCH])
        if part is None:
            return None
        results += part
        progress(len(results), len(texts))
    return results
