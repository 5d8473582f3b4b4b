"""Power: the size of difference between two solvers that a collection can detect, and the schemas a size needs."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import ceil, log2, sqrt
from typing import TYPE_CHECKING

import numpy as np

from winoglot.statistics.intervals import cluster_sums, numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class PairedDesign:
    """What the power of a paired comparison depends on, besides the number of schemas.

    `discordance` is the share of items that only one of the solvers gets right. `design_effect` is the variance of the
    difference over schemas divided by what it would be over independent items: above 1 if the items of a schema favour
    the same solver, below 1 if they cancel out. `items_per_schema` is a mean.
    """

    discordance: float
    design_effect: float
    items_per_schema: float

    def __post_init__(self) -> None:
        """Refuse shares outside 0 to 1, and schemas without items."""
        if not 0 <= self.discordance <= 1:
            raise ValueError(f"a share of discordant items is between 0 and 1, not {self.discordance}")
        if self.design_effect < 0 or self.items_per_schema <= 0:
            raise ValueError(f"impossible design: {self}")

    def variance(self, difference: float) -> float:
        """The variance of one schema's mean difference if the solvers truly differ by this much.

        The difference cannot exceed the share of discordant items, so a larger one raises that share.
        """
        discordance = max(self.discordance, abs(difference))
        return (discordance - difference**2) * self.design_effect / self.items_per_schema


@dataclass(frozen=True)
class MeanDesign:
    """The design of a comparison by any other mean of differences: the variance of one schema's part in the mean."""

    spread: float

    def variance(self, difference: float) -> float:
        """The variance, whatever the true difference."""
        del difference
        return self.spread


def paired_design(right_a: ArrayLike, right_b: ArrayLike, clusters: ArrayLike) -> PairedDesign:
    """The design estimated from two solvers' answers to the same items.

    >>> paired_design([1, 1, 1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 1, 1, 1, 0], list("aabbccdd"))
    PairedDesign(discordance=0.5, design_effect=2.3333333333333335, items_per_schema=2.0)
    """
    differences = numbers(right_a, "right_a") - numbers(right_b, "right_b")
    if len(differences) < 2:
        raise ValueError("a design cannot be estimated from fewer than two items")
    rows = cluster_sums(clusters, differences, np.ones_like(differences))
    schemas, items, mean = len(rows), len(differences), float(differences.mean())
    of_items = float(((differences - mean) ** 2).sum()) / (items - 1) / items
    residuals = rows[:, 0] - mean * rows[:, 1]
    of_schemas = float((residuals**2).sum()) * schemas / max(1, schemas - 1) / items**2
    effect = of_schemas / of_items if of_items and schemas > 1 else 1.0
    return PairedDesign(float((differences**2).mean()), effect, items / schemas)


def fewest_schemas(level: float = 0.95) -> int:
    """The fewest schemas with which a flip test can reject: with fewer, even a unanimous result has p > 1 − level.

    >>> fewest_schemas()
    6
    """
    return ceil(1 - log2(1 - level))


def minimum_detectable_difference(
    design: PairedDesign | MeanDesign, schemas: int, *, level: float = 0.95, power: float = 0.8
) -> float | None:
    """The smallest true difference that a two-sided flip test over this many schemas detects with this power.

    Solves d = z(1 − α/2)·s₀ + z(power)·s₁, where s₁ is the standard error of the difference at d, and s₀ the one the
    test uses, which is not centred (s₀² = s₁² + d²/schemas). With one item per schema this is the usual formula for
    McNemar's test. None: too few schemas to detect anything.

    >>> f"{minimum_detectable_difference(PairedDesign(0.25, 1.0, 2.0), 139):.3f}"
    '0.084'
    """
    if schemas < fewest_schemas(level):
        return None
    low, high = 0.0, 1.0
    for _ in range(60):  # bisection: the excess of d over what is needed increases with d
        middle = (low + high) / 2
        if middle > _threshold_at(middle, design, level, power) / sqrt(schemas):
            high = middle
        else:
            low = middle
    return high


def schemas_needed(design: PairedDesign, difference: float, *, level: float = 0.95, power: float = 0.8) -> int:
    """How many schemas of this design would detect a true difference of this size with this power.

    >>> schemas_needed(PairedDesign(0.25, 1.0, 2.0), 0.05)
    395
    """
    if not 0 < abs(difference) <= 1:
        raise ValueError(f"a difference to detect is between 0 and 1 (0.05 for 5 points), not {difference}")
    count = (_threshold_at(abs(difference), design, level, power) / difference) ** 2
    return max(fewest_schemas(level), ceil(count - 1e-9))


def _threshold_at(difference: float, design: PairedDesign | MeanDesign, level: float, power: float) -> float:
    variance = design.variance(difference)
    return _quantile((1 + level) / 2) * sqrt(variance + difference**2) + _quantile(power) * sqrt(variance)


@cache
def _quantile(share: float) -> float:
    """A quantile of the standard normal distribution."""
    from scipy.special import ndtri

    return float(ndtri(share))
