"""Estimates from people who answer items: both the people and the schemas are samples, and neither contains the other.

Resampling people and schemas independently (the pigeonhole bootstrap) counts the noise of single answers up to three
times, so that its 95% intervals cover about 99%. Here people are left out one at a time, then schemas, and the noise
that both share is subtracted once. That covers at the stated rate (tests/statistics/test_crossed.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np

from winoglot.statistics.intervals import Estimate, all_alike, at_level, counted, numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class CrossedDesign:
    """How much one answer varies: with the person, with the schema, and by itself. All on the scale of shares.

    >>> design = CrossedDesign(person=0.002, schema=0.01, answer=0.06)
    >>> round(design.half_width(people=40, schemas=150, answers=1800), 3)
    0.024
    """

    person: float
    schema: float
    answer: float

    def half_width(self, people: int, schemas: int, answers: int, *, level: float = 0.95) -> float:
        """Half of the interval that this number of people, schemas and answers can be expected to give."""
        from scipy.stats import t

        parts = np.array([self.person / people, self.schema / schemas, self.answer / answers])
        freedom = np.array([people - 1, schemas - 1, answers - 1])
        variance = parts.sum()
        if not variance:
            return 0.0
        matched_freedom = variance**2 / (parts**2 / np.maximum(freedom, 1)).sum()
        return float(t.ppf((1 + level) / 2, matched_freedom)) * sqrt(variance)

    def people_needed(
        self, half_width: float, schemas: int, problems: float, *, most: int = 100_000, level: float = 0.95
    ) -> int | None:
        """The fewest people, each with this number of problems; None if no number is enough for these schemas."""

        def enough(people: int) -> bool:
            return self.half_width(people, schemas, round(people * problems), level=level) <= half_width

        if not enough(most):
            return None
        low, high = 2, most
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if enough(middle) else (middle + 1, high)
        return low


def crossed_share(
    right: ArrayLike, people: ArrayLike, schemas: ArrayLike, *, level: float = 0.95, undefined: str = "no answers"
) -> Estimate:
    """Estimate the share of right answers for people and schemas like these.

    >>> right = [1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 1, 1]
    >>> print(crossed_share(right, [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], list("abcabdacdbcd")))
    0.833 [0.099, 0.996], n=12, over 4 people and 4 schemas
    """
    return crossed_mean(right, people, schemas, level=level, undefined=undefined)


def crossed_mean(
    values: ArrayLike,
    people: ArrayLike,
    schemas: ArrayLike,
    *,
    denominators: ArrayLike | None = None,
    unit: str = "person",
    cluster_unit: str = "schema",
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = 0.95,
    undefined: str = "no answers",
) -> Estimate:
    """Estimate the mean of answers by people, or others such as the seeds of a training, and schemas like these.

    If answers have denominators, it is the ratio Σ values / Σ denominators; those with denominator 0 are left out.

    The variance is that of leaving out one person at a time plus that of leaving out one schema at a time, minus what
    the answers of one person to one schema contribute to both; it is at least as large as each of the three. Student's
    t has the degrees of freedom that match the variance (Satterthwaite). The limits of a share are symmetric on the
    logit scale, others as they are. If all answers are alike, the limits are exact ones over people or schemas,
    whichever are fewer.

    >>> print(crossed_mean([1, 0, 0, 0, 1, 0, 0, -1], [1, 1, 2, 2, 3, 3, 4, 4], list("abababab"), bounds=(-1, 1)))
    0.125 [-1.000, 1.000], n=8, over 4 people and 2 schemas
    """
    numerators = numbers(values, "the answers")
    divisors = np.ones_like(numerators) if denominators is None else numbers(denominators, "the denominators")
    counts = divisors > 0
    if not counts.any():
        return Estimate.undefined(undefined)
    numerators, divisors = numerators[counts], divisors[counts]
    total = float(divisors.sum())
    mean, n = float(numerators.sum()) / total, len(numerators)
    person_index, schema_index = _renumber(np.asarray(people)[counts]), _renumber(np.asarray(schemas)[counts])
    both_index = _renumber(person_index * (int(schema_index.max()) + 1) + schema_index)
    deviations = numerators - mean * divisors
    sums = [np.bincount(index, weights=deviations) for index in (person_index, schema_index, both_index)]
    sizes = [len(group_sums) for group_sums in sums]
    people_or_units = counted(sizes[0], unit) if unit != "person" or sizes[0] == 1 else f"{sizes[0]:,} people"
    method = at_level(level, f"over {people_or_units} and {counted(sizes[1], cluster_unit)}")
    if not np.ptp(numerators / divisors) or not any(group_sums.any() for group_sums in sums):
        # also if every pair has one right answer
        low, high = all_alike(mean, min(sizes), level=level, bounds=bounds)
        return Estimate(mean, low, high, n, f"{method}, all alike")
    if min(sizes) < 2:
        plural = "people" if unit == "person" else f"{unit}s"
        return Estimate.undefined(f"answers of two {plural} to two {cluster_unit}s are needed", n)
    from scipy.stats import t

    *one_way, noise = (float((group**2).sum()) * len(group) / (len(group) - 1) for group in sums)
    variance = max(sum(one_way) - noise, *one_way, noise)  # two seeds may answer the opposite of each other
    parts = zip((*one_way, noise), (size - 1 for size in sizes), strict=True)
    freedom = max(variance**2 / sum(part**2 / part_freedom for part, part_freedom in parts), min(sizes) - 1)
    half_width = float(t.ppf((1 + level) / 2, freedom)) * sqrt(variance) / total
    if bounds == (0.0, 1.0):
        middle, half_width = np.log(mean / (1 - mean)), half_width / (mean * (1 - mean))
        low, high = (float(1 / (1 + np.exp(-(middle + sign * half_width)))) for sign in (-1, 1))
    else:
        low, high = max(bounds[0], mean - half_width), min(bounds[1], mean + half_width)
    return Estimate(mean, low, high, n, method)


def crossed_design(right: ArrayLike, people: ArrayLike, schemas: ArrayLike) -> CrossedDesign:
    """The variances estimated from answers (by moments; a negative estimate becomes 0).

    >>> crossed_design([1, 1, 1, 1], [1, 1, 2, 2], ["a", "b", "a", "b"])
    CrossedDesign(person=0.0, schema=0.0, answer=0.0)
    """
    values = numbers(right, "the answers")
    mean, n = values.mean(), len(values)
    total = float(((values - mean) ** 2).sum()) / max(n - 1, 1)
    between = []
    for ids in (people, schemas):
        index = _renumber(ids)
        counts, sums = np.bincount(index), np.bincount(index, weights=values - mean)
        pairs = float((counts**2 - counts).sum())  # ordered pairs of answers that share the person (or the schema)
        squares = np.bincount(index, weights=(values - mean) ** 2)
        between.append(max(float((sums**2 - squares).sum()) / pairs, 0.0) if pairs else 0.0)
    person, schema = between
    return CrossedDesign(person, schema, max(total - person - schema, 0.0))


def _renumber(ids: ArrayLike) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    return np.unique(np.asarray(ids), return_inverse=True)[1]
