from collections import defaultdict
from fractions import Fraction
from itertools import combinations, permutations, product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each
from simulated_answers import ids, tied, two_solvers
from winoglot.statistics.significance import (
    PValue,
    against_chance,
    between_solvers,
    dependent_tests,
    exact_mcnemar,
    exchange_test,
    fair_coin_test,
    flip_test,
    flip_tests,
    holm,
)

HALVES = st.sampled_from([Fraction(-1), Fraction(-1, 2), Fraction(0), Fraction(1, 2), Fraction(1)])
SEVENTHS = st.integers(-7, 7).map(lambda number: Fraction(number, 7))


def by_hand(values, clusters, *, one_sided):
    """Every sign pattern of every schema, in exact arithmetic."""
    sums = defaultdict(Fraction)
    for value, cluster in zip(values, clusters, strict=True):
        sums[cluster] += value
    observed = sum(sums.values())
    totals = [sum(s * v for s, v in zip(p, sums.values(), strict=True)) for p in product((-1, 1), repeat=len(sums))]
    return np.mean([t >= observed if one_sided else abs(t) >= abs(observed) for t in totals])


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
@pytest.mark.parametrize("parts", [HALVES, SEVENTHS], ids=["by convolution", "by enumeration"])
def test_exact_p_values_count_every_sign_pattern(parts, alternative):
    @given(st.lists(st.tuples(parts, st.integers(0, 7)), min_size=1, max_size=16))
    def check(pairs):
        values, clusters = zip(*pairs, strict=True)
        found = flip_test([float(value) for value in values], clusters, alternative=alternative)
        assert found.value == pytest.approx(by_hand(values, clusters, one_sided=alternative == "greater"), abs=1e-9)
        assert found.error == 0
        assert found.method.startswith("exact flips of")

    check()


@pytest.mark.parametrize("alternative", ["two-sided", "greater"])
def test_two_solvers_agree_with_scipys_exact_permutation_test(alternative):
    a, b = two_solvers(np.random.default_rng(3), 12, 0.5, 0.3, 0.5)
    a_sums, b_sums = a.reshape(-1, 2).sum(axis=1), b.reshape(-1, 2).sum(axis=1)
    theirs = scipy.stats.permutation_test(
        (a_sums, b_sums),
        lambda x, y, axis: (x - y).sum(axis=axis),
        permutation_type="samples",
        n_resamples=np.inf,
        alternative=alternative,
        vectorized=True,
    )
    assert between_solvers(a, b, ids(12), alternative=alternative).value == pytest.approx(theirs.pvalue)


def test_one_item_per_schema_is_the_sign_test():
    right = [1] * 70 + [0] * 43
    found = against_chance(right, range(113))
    assert found.value == pytest.approx(scipy.stats.binomtest(70, 113).pvalue)
    assert against_chance(right, range(113), alternative="greater").value == pytest.approx(
        scipy.stats.binomtest(70, 113, alternative="greater").pvalue
    )


def test_one_item_per_schema_is_mcnemars_test_between_solvers():
    a, b = two_solvers(np.random.default_rng(8), 100, 0.4, 0.15, 0.0)
    assert between_solvers(a, b, range(200)).value == pytest.approx(exact_mcnemar(a, b).value)


def test_random_flips_come_close_to_the_exact_value_and_say_how_close(monkeypatch):
    a, b = two_solvers(np.random.default_rng(3), 150, 0.4, 0.07, 0.5)
    exact = between_solvers(a, b, ids(150))
    assert 0.01 < exact.value < 0.5
    monkeypatch.setattr("winoglot.statistics.significance._LONGEST", 0)
    drawn = [between_solvers(a, b, ids(150), seed=seed) for seed in range(20)]
    assert drawn[0].method == "10,000 random flips of 150 schemas"
    assert 0 < drawn[0].error < 0.006
    misses = [(found.value - exact.value) / found.error for found in drawn]
    assert np.std(misses) == pytest.approx(1, abs=0.5)
    assert abs(np.mean(misses)) < 1
    assert drawn[0] == between_solvers(a, b, ids(150), seed=0)
    assert flip_test([1.0] * 100, range(100), flips=999).value == pytest.approx(1 / 1000)  # never zero


def test_abstentions_and_pairs_half_right_carry_no_information():
    found = against_chance([0.5, 0.5, 1, 0, 1, 1], list("aabbcc"))
    assert (found.value, found.n) == (1.0, 1)
    assert against_chance([0.5] * 4, list("aabb")).value == 1.0


def rejected(p_values):
    return np.mean(np.array(p_values) <= 0.05)


TIMES = 2000
THREE_ERRORS = 3 * np.sqrt(0.05 * 0.95 / TIMES)


@pytest.mark.parametrize("schemas", [40, 140])
def test_a_guessing_solver_is_rejected_at_the_nominal_rate(schemas):
    rng = np.random.default_rng(schemas)
    p_values = [against_chance(tied(rng, schemas, 0.5, 0.9), ids(schemas)).value for _ in range(TIMES)]
    assert 0.025 < rejected(p_values) < 0.05 + THREE_ERRORS


@pytest.mark.parametrize("schemas", [40, 140])
def test_equal_solvers_are_distinguished_at_the_nominal_rate(schemas):
    rng = np.random.default_rng(schemas + 1)
    draws = [two_solvers(rng, schemas, 0.35, 0.0, 0.9) for _ in range(TIMES)]
    assert 0.025 < rejected([between_solvers(a, b, ids(schemas)).value for a, b in draws]) < 0.05 + THREE_ERRORS


def test_true_differences_are_found_and_more_often_with_more_schemas():
    rng = np.random.default_rng(6)

    def power(schemas):
        draws = [two_solvers(rng, schemas, 0.35, 0.12, 0.7) for _ in range(400)]
        return rejected([between_solvers(a, b, ids(schemas)).value for a, b in draws])

    assert power(40) < power(140) < power(300)
    assert power(300) > 0.85
    solvers = [tied(rng, 140, 0.65, 0.7) for _ in range(400)]
    assert rejected([against_chance(right, ids(140)).value for right in solvers]) > 0.9


@for_each(
    ("call", "message"),
    [
        (lambda: between_solvers([1, 0], [1], ["a", "b"]), "cannot be paired"),
        (lambda: flip_test([1.0], ["a"], alternative="less"), "'two-sided' or 'greater'"),
        (lambda: against_chance([2, 0], ["a", "b"]), "right \\(1\\), wrong \\(0\\)"),
        (lambda: exact_mcnemar([1, 0.5], [1, 0]), "right \\(1\\) and wrong \\(0\\)"),
        (lambda: exact_mcnemar([1, 0, 1], [1, 0]), "cannot be paired"),
        (lambda: holm([0.2, 1.2]), "between 0 and 1"),
        (lambda: holm([0.2, float("nan")]), "finite"),
        (lambda: PValue(1.5, 0.0, 1, "some method"), "between 0 and 1"),
    ],
)
def test_bad_arguments_are_refused(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@given(st.integers(0, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_fair_coin_test_is_the_binomial_test(counts):
    heads, tosses = counts
    assert fair_coin_test(heads, tosses) == pytest.approx(scipy.stats.binomtest(heads, tosses).pvalue if tosses else 1)


def test_mcnemar_counts_the_items_on_which_the_solvers_differ():
    a, b = [1] * 9 + [0] * 2 + [1] * 5, [0] * 9 + [1] * 2 + [1] * 5
    assert exact_mcnemar(a, b).value == pytest.approx(scipy.stats.binomtest(9, 11).pvalue)
    assert exact_mcnemar(a, b).n == 11
    assert exact_mcnemar([1, 0, 1], [1, 0, 1]).value == 1.0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_holm_is_bonferroni_over_every_set_of_hypotheses_that_may_be_true(p_values):
    """Closed testing: a hypothesis is rejected if every intersection it is part of is."""
    expected = [0.0] * len(p_values)
    for size in range(1, len(p_values) + 1):
        for chosen in combinations(range(len(p_values)), size):
            p = min(1.0, size * min(p_values[place] for place in chosen))
            for place in chosen:
                expected[place] = max(expected[place], p)
    assert holm(p_values) == pytest.approx(expected)


def test_a_p_value_shows_its_monte_carlo_error_only_when_it_has_one():
    for value, error, shown in ((0.0312, 0.0017, "p=0.031±0.0017, n=48"), (2.5e-7, 0.0, "p=2.5e-07, n=48")):
        assert str(PValue(value, error, 48, "flips of 131 schemas")).startswith(shown)


def test_groups_of_items_are_exchanged_by_whole_schemas_of_one_size():
    rng = np.random.default_rng(5)
    pairs, marks = rng.normal(size=(6, 2)), np.array([[1, 1], [1, 1], [0, 0], [1, 0], [0, 0], [0, 0]], dtype=bool)
    single, single_mark = rng.normal(size=(2, 1)), np.array([[1], [0]], dtype=bool)

    def total(order, single_order):
        return (pairs * marks[list(order)]).sum() + (single * single_mark[list(single_order)]).sum()

    every = np.array([total(a, b) for a in permutations(range(6)) for b in permutations(range(2))])
    observed = abs(total(range(6), range(2)) - every.mean())
    exact = np.mean(np.abs(every - every.mean()) >= observed - 1e-9)
    values = [*pairs.ravel(), *single.ravel()]
    found = exchange_test(values, [*marks.ravel(), *single_mark.ravel()], [*"aabbccddeeff", "g", "h"], exchanges=40_000)
    assert found.value == pytest.approx(exact, abs=4 * found.error)
    assert (found.n, found.method) == (8, "40,000 random exchanges of 8 schemas")


def test_exchanging_groups_finds_differences_at_the_nominal_rate_although_items_of_a_schema_are_alike():
    rng, p_values = np.random.default_rng(7), []
    for _ in range(400):
        schemas = np.repeat(np.arange(50), 2)
        values = rng.normal(size=50).repeat(2) + 0.5 * rng.normal(size=100)
        p_values.append(exchange_test(values, np.repeat(rng.random(50) < 0.3, 2), schemas, exchanges=499).value)
    assert np.mean(np.array(p_values) <= 0.05) == pytest.approx(0.05, abs=0.03)


def test_two_groups_need_items():
    with pytest.raises(ValueError, match="each of the two groups needs items"):
        exchange_test([1.0, 0.0], [True, True], ["a", "b"])


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_translations_of_the_same_schemas_find_a_difference_where_there_is_none_in_at_most_one_case_of_twenty(share):
    """Whatever the share of schemas that come out alike; taken for independent, two that are alike find many more."""
    schemas, simulations, found, naively = 60, 400, 0, 0
    for seed in range(simulations):
        rng = np.random.default_rng(seed)
        english = rng.integers(-2, 3, schemas).astype(float)  # of each schema, right by the first minus by the second
        translated = np.where(rng.random(schemas) < share, english, rng.integers(-2, 3, schemas))
        tests = [flip_tests(side[:, np.newaxis])[0] for side in (english, translated)]
        effects = [side.sum() for side in (english, translated)]
        found += dependent_tests(tests, effects, [1, 1]).value <= 0.05
        naively += flip_tests(np.concatenate([english, translated])[:, np.newaxis])[0].value <= 0.05
    assert found / simulations <= 0.05 + 0.025  # two standard errors
    assert naively / simulations > 0.1 or share < 1
