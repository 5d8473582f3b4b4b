"""Significance tests: a solver against chance, two solvers on the same items, and the correction for many tests.

The tests that are reported permute whole schemas. Against chance an item counts +½ when right and −½ when wrong: a
solver that knows nothing about the answers does just as well after the answer key of any schema is reversed. Between
two solvers an item counts right by A − right by B: if the solvers were exchangeable, swapping them in any schema would
only change the sign. The items of a schema flip together, which preserves the dependence between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb, lcm, sqrt
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import numpy as np

from winoglot.statistics.intervals import cluster_sums, counted, numbers
from winoglot.statistics.resampling import PARTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

    from winoglot.statistics.resampling import Floats

Alternative = Literal["two-sided", "greater"]
_MEASURES = {"two-sided": np.abs, "greater": np.positive}  # how extreme a total is

FLIPS = 10_000  # p = 0.05 is then known to ±0.002
_LONGEST = 400_000  # distinct totals that an exact distribution may have
_ENUMERATED = 16  # schemas whose 65,536 sign patterns are all enumerated
_FEW_TOSSES = 200  # whose probabilities are computed in whole numbers
_ROUNDING = 1e-9


@dataclass(frozen=True)
class PValue:
    """The result of a test: `value` is the probability, under the null hypothesis, of data at least as extreme.

    `error` is the Monte-Carlo standard error of `value`, 0 if it was computed exactly; `n` counts the units that carry
    information (schemas with a difference, discordant items).

    >>> print(PValue(0.0312, 0.0017, 48, "10,000 random flips of 131 schemas"))
    p=0.031±0.0017, n=48, 10,000 random flips of 131 schemas
    >>> print(PValue(0.5, 0.0, 3, "exact McNemar, items taken as independent"))
    p=0.500, n=3, exact McNemar, items taken as independent
    """

    value: float
    error: float
    n: int
    method: str

    def __post_init__(self) -> None:
        """Refuse values that cannot be probabilities."""
        if not 0 <= self.value <= 1:
            raise ValueError(f"a p-value is between 0 and 1, not {self.value}")
        if not self.error >= 0:
            raise ValueError(f"a standard error cannot be negative: {self.error}")

    def __str__(self) -> str:
        """The value, its Monte-Carlo error if it has one, n and method."""
        value = f"{self.value:.3f}" if self.value >= 0.001 else f"{self.value:.1e}"
        error = f"±{self.error:.1e}" if 0 < self.error < 0.0001 else f"±{self.error:.4f}" if self.error else ""
        return f"p={value}{error}, n={self.n}, {self.method}"


class FlipOptions(TypedDict, total=False):
    """The options of `flip_test`, which has their defaults."""

    alternative: Alternative
    flips: int
    seed: int
    unit: str


def against_chance(right: ArrayLike, clusters: ArrayLike, **options: Unpack[FlipOptions]) -> PValue:
    """Test the hypothesis that a solver picks one of two candidates without knowing the answer.

    `right` has one value per item: 1, 0, or ½ for an abstention. For more than two candidates there is `turn_test`.

    >>> print(against_chance([1, 1, 1, 1, 1, 0, 1, 1, 1, 1, 1, 1], list("aabbccddeeff")))
    p=0.062, n=5, exact flips of 6 schemas
    """
    values = numbers(right, "right")
    if ((values < 0) | (values > 1)).any():
        raise ValueError("an item is right (1), wrong (0) or in between")
    return flip_test(values - 0.5, clusters, **options)


def between_solvers(
    right_a: ArrayLike, right_b: ArrayLike, clusters: ArrayLike, **options: Unpack[FlipOptions]
) -> PValue:
    """Test the hypothesis that two solvers are equally good on the same items: exchangeable within every schema.

    >>> a, b = [1] * 14, [1, 0] * 7
    >>> print(between_solvers(a, b, [schema for schema in "abcdefg" for item in range(2)]))
    p=0.016, n=7, exact flips of 7 schemas
    """
    first, second = _paired_values(right_a, right_b)
    return flip_test(first - second, clusters, **options)


def flip_test(
    values: ArrayLike,
    clusters: ArrayLike,
    *,
    alternative: Alternative = "two-sided",
    flips: int = FLIPS,
    seed: int = 0,
    unit: str = "schema",
) -> PValue:
    """Test that the schemas' totals of `values` are symmetric about 0; the statistic is the sum over all schemas.

    Schemas whose total is 0 are left out, since flipping them changes nothing. If the totals are whole numbers of
    simple fractions, as counts of right answers are, the distribution over all sign patterns is computed exactly, for
    any number of schemas. Otherwise the patterns are enumerated if there are few schemas, and else drawn at random with
    `seed`; the observed pattern is counted among them so that the p-value is valid ((k + 1) / (flips + 1)).
    """
    sums = cluster_sums(clusters, numbers(values, "values"))
    return flip_tests(sums, alternative=alternative, flips=flips, seed=seed, unit=unit)[0]


def dependent_tests(tests: Sequence[PValue], effects: Sequence[float], weights: Sequence[float]) -> PValue:
    """One test for samples that depend on each other in an unknown way: the mean of the z-scores, as if they were one.

    `effects` say by their signs in which direction each went. However often the same schemas were translated, the
    p-value is no smaller for it.

    >>> english, portuguese = PValue(0.01, 0.0, 40, "exact flips"), PValue(0.03, 0.0, 35, "exact flips")
    >>> print(dependent_tests([english, portuguese], [1, 1], [1, 1]))
    p=0.018, n=40, mean z-score of 2 dependent samples: exact flips
    >>> print(dependent_tests([english, portuguese], [1, -1], [1, 1]))
    p=0.839, n=40, mean z-score of 2 dependent samples: exact flips
    """
    from scipy.special import ndtr, ndtri

    if len(tests) == 1:
        return tests[0]
    scores = [
        -np.sign(effect) * ndtri(max(test.value, 1e-300) / 2) for test, effect in zip(tests, effects, strict=True)
    ]
    p = 2 * float(ndtr(-abs(np.average(scores, weights=weights))))
    methods = "; ".join(dict.fromkeys(test.method for test in tests))
    method = f"mean z-score of {len(tests)} dependent samples: {methods}"
    return PValue(p, max(test.error for test in tests), max(test.n for test in tests), method)


def flip_tests(
    totals: Floats,
    *,
    alternative: Alternative = "two-sided",
    flips: int = FLIPS,
    seed: int = 0,
    unit: str = "schema",
) -> list[PValue]:
    """`flip_test` for many comparisons of the same schemas: a row of totals per schema, a column per comparison.

    Those that are not computed exactly share their random patterns, which is as valid and much faster.

    >>> print(*flip_tests(np.array([[1.0, 0.0], [1.0, 1.0], [2.0, -1.0]])), sep="; ")
    p=0.250, n=3, exact flips of 3 schemas; p=1.000, n=2, exact flips of 3 schemas
    """
    if alternative not in _MEASURES:
        raise ValueError(f"the alternative is {' or '.join(map(repr, _MEASURES))}, not {alternative!r}")
    measure = _MEASURES[alternative]
    over = counted(len(totals), unit)
    tests: dict[int, PValue] = {}
    for place, column in enumerate(totals.T):
        sums = column[np.abs(column) > _ROUNDING]
        p = _exact_flips(sums, alternative)
        if p is not None:
            tests[place] = PValue(p, 0.0, len(sums), f"exact flips of {over}")
    drawn = [place for place in range(totals.shape[1]) if place not in tests]
    if drawn:
        # Schemas that are 0 in the only comparison change nothing, and are not flipped.
        sums = totals[:, drawn] if len(drawn) > 1 else totals[np.abs(totals[:, drawn[0]]) > _ROUNDING][:, drawn]
        least = measure(sums.sum(axis=0)) - _ROUNDING
        extreme = (measure(_random_totals(sums, flips, np.random.default_rng(seed))) >= least).sum(axis=0)
        for place, count in zip(drawn, extreme, strict=True):
            p = (int(count) + 1) / (flips + 1)
            n = int(np.count_nonzero(np.abs(totals[:, place]) > _ROUNDING))
            tests[place] = PValue(p, sqrt(p * (1 - p) / flips), n, f"{flips:,} random flips of {over}")
    return [tests[place] for place in range(totals.shape[1])]


def _exact_flips(sums: Floats, alternative: Alternative) -> float | None:
    """The p-value over all sign patterns of totals other than 0; None if there are too many."""
    measure = _MEASURES[alternative]
    least = float(measure(sums.sum())) - _ROUNDING
    parts = np.abs(np.rint(sums * PARTS)).astype(np.int64)
    if np.abs(np.abs(sums) * PARTS - parts).max(initial=0) < 1e-6 and _support(parts) <= _LONGEST:
        totals, chances = _exact_distribution(parts)
        return min(1.0, float(chances[measure(totals) >= least].sum()))
    if len(sums) <= _ENUMERATED:
        patterns = (np.arange(2 ** len(sums))[:, np.newaxis] >> np.arange(len(sums))) & 1
        return float(np.mean(measure((2.0 * patterns - 1.0) @ sums) >= least))
    return None


def _support(parts: NDArray[np.int64]) -> int:
    return 2 * int(parts.sum()) // int(np.gcd.reduce(parts)) + 1 if len(parts) else 1


def _exact_distribution(parts: NDArray[np.int64]) -> tuple[Floats, Floats]:
    """All totals that sign patterns can give, and their probabilities.

    Schemas with equal totals are as many tosses of a coin: few binomial distributions are added up.
    """
    step = int(np.gcd.reduce(parts)) if len(parts) else 1
    chances = np.ones(1)
    for size, schemas in zip(*np.unique(parts // step, return_counts=True), strict=True):
        tosses = _fair_tosses(int(schemas))
        spread = np.zeros(2 * int(size) * (len(tosses) - 1) + 1)
        spread[:: 2 * int(size)] = tosses
        chances = np.convolve(chances, spread)
    largest = (len(chances) - 1) // 2
    return np.arange(-largest, largest + 1, dtype=np.float64) * (step / PARTS), chances


@lru_cache(maxsize=256)
def _fair_tosses(number: int) -> Floats:
    """The probabilities of 0 to `number` heads: exact, or for many tosses to ten digits."""
    from scipy.special import gammaln

    if number <= _FEW_TOSSES:
        return np.array([comb(number, heads) / (1 << number) for heads in range(number + 1)])
    heads = np.arange(number + 1)
    ways = gammaln(number + 1) - gammaln(heads + 1) - gammaln(number - heads + 1)
    return np.asarray(np.exp(ways - number * np.log(2)))


def _random_totals(sums: Floats, flips: int, rng: np.random.Generator) -> Floats:
    batches = []
    for start in range(0, flips, 1000):  # a thousand patterns at a time keep memory bounded
        patterns = rng.integers(0, 2, size=(min(1000, flips - start), len(sums)), dtype=np.int8)
        batches.append((2.0 * patterns - 1.0) @ sums)
    return np.concatenate(batches)


def turn_test(
    choices: Sequence[int | None],
    answers: Sequence[int],
    options: Sequence[int],
    clusters: Sequence[str],
    *,
    alternative: Alternative = "two-sided",
    unit: str = "schema",
) -> PValue:
    """Test that a solver picks among any number of options without knowing the answers.

    To turn a schema by one is to move the answer of each of its items to the next option, and from the last to the
    first. A solver that knows nothing about the answers does just as well after any number of turns, and an item with k
    `options` is right after one turn in k; with two options a turn is a flip. The statistic is the number of items that
    are right, and its distribution over all turns of all schemas is exact. Two-sided, numbers that are as far from what
    guessing gives, above or below, are equally extreme. An abstention (None) carries no information.

    >>> print(turn_test([0, 1, 2, 0], [0, 1, 2, 1], [3, 3, 3, 2], ["a", "b", "c", "c"]))
    p=0.296, n=3, exact turns of 3 schemas
    """
    schemas: dict[str, list[tuple[int, int, int]]] = {cluster: [] for cluster in clusters}
    for choice, answer, number, cluster in zip(choices, answers, options, clusters, strict=True):
        if choice is not None:
            schemas[cluster].append((choice, answer, number))
    right, expected, informative = 0, 0.0, 0
    chances = np.ones(1)
    for schema_answers in schemas.values():
        right += sum(choice == answer for choice, answer, _ in schema_answers)
        expected += sum(1 / number for _, _, number in schema_answers)
        turns = range(lcm(*(number for _, _, number in schema_answers)))
        totals = [
            sum(choice == (answer + turn) % number for choice, answer, number in schema_answers) for turn in turns
        ]
        schema_chances = np.bincount(totals) / len(turns)
        informative += int(np.count_nonzero(schema_chances) > 1)
        chances = np.convolve(chances, schema_chances)
    measure = _MEASURES[alternative]
    extreme = measure(np.arange(len(chances)) - expected) >= measure(right - expected) - _ROUNDING
    method = f"exact turns of {counted(len(schemas), unit)}"
    return PValue(min(1.0, float(chances[extreme].sum())), 0.0, informative, method)


def exchange_test(
    values: ArrayLike,
    is_first: ArrayLike,
    clusters: ArrayLike,
    *,
    exchanges: int = FLIPS,
    seed: int = 0,
    unit: str = "schema",
) -> PValue:
    """Test that the mean of `values` is the same in two groups of items; `is_first` says which group each belongs to.

    If belonging to a group means nothing, what schemas of the same size belong to could be exchanged among them. This
    is done at random, with `seed`; a schema may have items of both groups. The observed groups are counted among those
    that are drawn. Two-sided: differences as far from the expected one, above or below, are equally extreme.

    >>> values, schemas = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0], list("aabbccddeeff")
    >>> print(exchange_test(values, [True] * 6 + [False] * 6, schemas))
    p=0.102±0.0030, n=6, 10,000 random exchanges of 6 schemas
    """
    numerators, marks = numbers(values, "values"), np.asarray(is_first, dtype=np.float64)
    if not 0 < marks.sum() < len(marks):
        raise ValueError("each of the two groups needs items")
    _, index, sizes = np.unique(np.asarray(clusters), return_inverse=True, return_counts=True)
    order = np.argsort(index, kind="stable")
    numerators, marks, size_of_each = numerators[order], marks[order], sizes[index[order]]
    rng = np.random.default_rng(seed)
    deviations = np.zeros(exchanges + 1)  # of the first group's total from what is expected; the observed one first
    for size in np.unique(sizes):
        schema_values, schema_marks = (column[size_of_each == size].reshape(-1, size) for column in (numerators, marks))
        centred = schema_values - schema_values.mean(axis=0)  # then a place in the schema has an expectation of 0
        deviations[0] += float((centred * schema_marks).sum())
        products = centred @ schema_marks.T  # of each schema with what each schema belongs to
        places = np.arange(len(products))
        for start in range(0, exchanges, 1000):  # a thousand at a time keep memory bounded
            number = min(1000, exchanges - start)
            orders = rng.permuted(np.broadcast_to(places, (number, len(places))), axis=1)
            deviations[1 + start : 1 + start + number] += products[places, orders].sum(axis=1)
    extreme = int((np.abs(deviations[1:]) >= abs(deviations[0]) - _ROUNDING).sum())
    p = (extreme + 1) / (exchanges + 1)
    method = f"{exchanges:,} random exchanges of {counted(len(sizes), unit)}"
    return PValue(p, sqrt(p * (1 - p) / exchanges), len(sizes), method)


def exact_mcnemar(right_a: ArrayLike, right_b: ArrayLike) -> PValue:
    """McNemar's exact test: of the items that only one of two solvers gets right, each gets half (two-sided).

    It assumes independent items, which those of a schema are not: if a solver tends to get both or neither item of a
    pair, it finds differences that are not there. That is why the test that flips whole schemas is the default.

    >>> print(exact_mcnemar([1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1, 1]))
    p=0.125, n=7, exact McNemar, items taken as independent
    """
    first, second = _paired_values(right_a, right_b)
    if not (np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all()):
        raise ValueError("McNemar's test needs right (1) and wrong (0), nothing in between")
    only_a, only_b = int((first > second).sum()), int((second > first).sum())
    p = fair_coin_test(only_a, only_a + only_b)
    return PValue(p, 0.0, only_a + only_b, "exact McNemar, items taken as independent")


def fair_coin_test(heads: int, tosses: int) -> float:
    """The p-value of the exact two-sided binomial test that heads and tails are equally likely.

    In whole numbers until the last step, so that it neither rounds nor needs scipy, which would delay `winoglot check`.

    >>> fair_coin_test(5, 10), fair_coin_test(0, 10)
    (1.0, 0.001953125)
    """
    tail, ways = 0, 1
    for count in range(min(heads, tosses - heads) + 1):
        tail += ways
        ways = ways * (tosses - count) // (count + 1)
    return min(1.0, 2 * tail / (1 << tosses))


def holm(p_values: ArrayLike) -> list[float]:
    """Holm's correction: adjusted p-values that keep the error rate of a family of tests at 0.05.

    The smallest is multiplied by the number of tests, the next by one less, and so on, and none may fall below a
    smaller one. The correction holds however the tests depend on each other and is never weaker than Bonferroni's.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    raw = numbers(p_values, "p_values")
    if ((raw < 0) | (raw > 1)).any():
        raise ValueError("p-values are between 0 and 1")
    order = np.argsort(raw, kind="stable")
    multiplied = np.minimum(1.0, raw[order] * np.arange(len(raw), 0, -1))
    adjusted_p = np.empty_like(raw)
    adjusted_p[order] = np.maximum.accumulate(multiplied)
    return [float(value) for value in adjusted_p]


def _paired_values(right_a: ArrayLike, right_b: ArrayLike) -> tuple[Floats, Floats]:
    first, second = numbers(right_a, "right_a"), numbers(right_b, "right_b")
    if first.shape != second.shape:
        raise ValueError(f"{len(first)} and {len(second)} answers cannot be paired: both solvers need the same items")
    return first, second
