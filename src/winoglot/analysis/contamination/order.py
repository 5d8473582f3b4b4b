"""Whether a model prefers the order in which a file has its schemas: the test of Oren et al. (2024).

The order of independent schemas says nothing, except to a model that has read them in this order. The file is cut into
shards of neighbouring schemas. In each, the log probability of the schemas in their order is compared with that of the
same schemas shuffled. The items of a schema stay together and in their order, since a model that has just read one
expects its twin, whatever it was trained on.

If the order is nothing special, it could be any of the orders that were scored, independently in every shard. The
p-value is the share of such choices, drawn at random, whose sum over the shards is as large as that of the true order;
so a few shuffles per shard are enough for small p-values.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from winoglot.analysis.contamination.differences import in_parts
from winoglot.statistics.intervals import Estimate, cluster_bootstrap
from winoglot.statistics.significance import PValue

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.analysis.contamination.differences import Progress
    from winoglot.models.base import Solver

CHOICES = 9_999  # orders of the whole file that are drawn from those of the shards
_BETWEEN = "\n"  # schemas, and the items of one


@dataclass(frozen=True)
class OrderScores:
    """Log probabilities: one row per shard, its true order first, then the shuffled ones; and the shards' schemas."""

    values: np.ndarray
    schemas: np.ndarray  # how many each shard has

    def __sub__(self, other: OrderScores) -> OrderScores:
        """How much more the true order gains here than in the same shards with other texts, shuffled alike."""
        return OrderScores(self.values - other.values, self.schemas)

    def gain(self) -> Estimate:
        """The mean log probability of the true order − that of the shuffled ones, per schema; resampling shards."""
        gains = self.values[:, 0] - self.values[:, 1:].mean(axis=1)
        if len(gains) < 2 or not np.ptp(gains / self.schemas):
            return Estimate.undefined("fewer than two shards, so there is no interval", len(gains))
        rows = np.stack([gains, self.schemas], axis=1)
        return cluster_bootstrap(
            rows, lambda totals: totals[..., 0] / totals[..., 1], gains / self.schemas, n=len(gains), unit="shard"
        )

    def p_value(self, seed: int = 0) -> PValue:
        """The probability that an order drawn from these is as likely as the true one.

        >>> seen = OrderScores(np.array([[-90.0, -99, -98, -97]] * 4), np.full(4, 8.0))
        >>> print(seen.p_value())
        p=0.004±0.0007, n=4, 9,999 orders drawn from 4 of each of 4 shards
        """
        shards, orders = self.values.shape
        choices = np.random.default_rng(seed).integers(0, orders, size=(CHOICES, shards))
        totals = self.values[np.arange(shards), choices].sum(axis=1)
        p = (int((totals >= self.values[:, 0].sum() - 1e-9).sum()) + 1) / (CHOICES + 1)
        method = f"{CHOICES:,} orders drawn from {orders} of each of {shards} shards"
        return PValue(p, float(np.sqrt(p * (1 - p) / CHOICES)), shards, method)


def order_scores(
    solver: Solver, blocks: Sequence[str], *, shard: int, shuffles: int, seed: int, progress: Progress
) -> OrderScores | str:
    """Score a file whose schemas are these texts, in shards of `shard` schemas; or say why it cannot be scored.

    If shards are longer than the model takes, they are halved. The same numbers give the same shuffled orders.
    """
    if len(blocks) < 2:
        return "there is only one schema"
    while shard > 1:
        scored = _shard_scores(solver, blocks, shard, shuffles, seed, progress)
        if not isinstance(scored, str):
            return scored
        if scored:
            return scored
        shard //= 2
    return "two schemas are longer than the model takes"


def _shard_scores(
    solver: Solver, blocks: Sequence[str], shard: int, shuffles: int, seed: int, progress: Progress
) -> OrderScores | str:
    """The scores, or the reason why there are none; an empty one if a shard is too long."""
    rng = np.random.default_rng(seed)
    parts = np.array_split(np.arange(len(blocks)), -(-len(blocks) // shard))
    orders = [[part, *(rng.permutation(part) for _ in range(shuffles))] for part in parts]
    texts = [_BETWEEN.join(blocks[place] for place in order) for shard_orders in orders for order in shard_orders]
    scored = in_parts(solver.token_scores, texts, progress)
    if scored is None:
        return f"{solver.name} gives no probabilities of tokens"
    finite = [scores.logprobs[np.isfinite(scores.logprobs)] for scores in scored]
    if not all(len(values) for values in finite):
        return ""
    shape = len(parts), 1 + shuffles
    sizes = np.array([len(part) for part in parts], dtype=float)
    return OrderScores(np.array([values.sum() for values in finite]).reshape(shape), sizes)
