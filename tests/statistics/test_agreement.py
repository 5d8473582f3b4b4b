from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulated_answers import ids, languages_and_variant
from winoglot.statistics.agreement import cohen_kappa, krippendorff_alpha
from winoglot.statistics.intervals import mean_of_means
from winoglot.statistics.significance import flip_test


def by_definition(answers):
    """1 − observed / expected disagreement, every pair of answers counted one by one."""
    rows = [row for row in answers if len(row) > 1]
    values = [value for row in rows for value in row]
    n = len(values)
    observed = sum(sum(a != b for a, b in permutations(row, 2)) / (len(row) - 1) for row in rows) / n
    expected = sum(a != b for a, b in permutations(values, 2)) / (n * (n - 1))
    return 1 - observed / expected


tables = st.lists(st.lists(st.sampled_from([0, 1, None]), min_size=0, max_size=4), min_size=2, max_size=12)


@given(tables)
def test_alpha_is_what_counting_pairs_gives(answers):
    found = krippendorff_alpha(answers, [f"s{number // 2}" for number in range(len(answers))], resamples=200)
    if all(len(row) < 2 for row in answers):
        assert found.method == "no item was answered by two readers"
    elif len({value for row in answers if len(row) > 1 for value in row}) == 1:
        assert found.method == "all answers are the same"
    else:
        assert found.value == pytest.approx(by_definition(answers))
        assert found.n == sum(len(row) > 1 for row in answers)


def test_alpha_agrees_with_fleiss_kappa_but_for_the_small_sample_correction():
    answers = [[0, 0, 1], [1, 1, 1], [0, 1, 1], [0, 0, 0], [1, 1, 0], [0, 0, 0]]
    n, fleiss_kappa = 18, 0.325  # by statsmodels
    expected = 1 - (n - 1) / n * (1 - fleiss_kappa)
    assert krippendorff_alpha(answers, list("abcdef")).value == pytest.approx(expected)


def test_full_agreement_still_has_a_lower_limit_that_more_schemas_raise():
    few, many = (krippendorff_alpha([[0, 0], [1, 1]] * n, [f"s{i // 2}" for i in range(2 * n)]) for n in (5, 50))
    assert few.value == many.value == 1
    assert few.low < many.low < 1
    # With 50 schemas all alike, at most 7.1% may deviate (Clopper-Pearson); chance disagreement is near a half.
    assert many.low == pytest.approx(1 - 0.0711 / 0.5025, abs=1e-3)


def test_the_interval_grows_with_dependence_within_schemas():
    answers = [[0, 0], [0, 0], [1, 0], [1, 0]] * 10
    together = krippendorff_alpha(answers, [f"s{number // 2}" for number in range(40)])
    apart = krippendorff_alpha(answers, [f"s{number}" for number in range(40)])
    assert together.high - together.low > apart.high - apart.low


@pytest.mark.parametrize("known", [0.0, 0.5])
def test_intervals_of_agreement_between_languages_contain_the_truth(known):
    """In 95% of simulated collections; and what is no loss is found to be one in at most 5%."""
    schemas, simulations, groups = 60, 400, ids(60)
    accuracy = known + (1 - known) / 2
    agreement, chance = known + (1 - known) / 2, accuracy**2 + (1 - accuracy) ** 2
    truths = (agreement, (agreement - chance) / (1 - chance), (1 - agreement) / 2)
    covered, found = np.zeros(3), 0
    for seed in range(simulations):
        rng = np.random.default_rng(seed)
        right, variant = languages_and_variant(rng, schemas, known, copied=0.5)
        pairs = list(combinations(right, 2))
        same = [(first == second).astype(float) for first, second in pairs]

        def lost(variant, right=right):
            others = np.mean([right[0] == other for other in right[1:]], axis=0)
            return (right[0] == variant) - others

        estimates = (
            mean_of_means(same, [groups] * 3),
            cohen_kappa(pairs, groups),
            mean_of_means([lost(variant)], [groups], bounds=(-1.0, 1.0)),
        )
        covered += [estimate.low <= truth <= estimate.high for estimate, truth in zip(estimates, truths, strict=True)]
        right, unlike = languages_and_variant(rng, schemas, known, copied=0.0)
        found += flip_test(lost(unlike, right), groups).value <= 0.05
    assert covered / simulations == pytest.approx(0.95, abs=0.03)
    assert found / simulations <= 0.05 + 0.025  # two standard errors


def test_kappa_that_either_of_two_schemas_leaves_undefined_is_not_corrected():
    first, second = np.array([1.0, 1, 0, 0]), np.array([1.0, 1, 0, 1])
    found = cohen_kappa([(first, first), (first, second)], np.array([0, 0, 1, 1]))
    assert (found.value, found.n) == (0.75, 4)
    assert "BCa is not finite" in found.method


def test_kappa_is_scikit_learns_formula_on_the_items_of_both():
    first = np.array([1, 1, 0, 0, 1, 0, 1, 1, np.nan, 0])
    second = np.array([1, 0, 0, 0, 1, 1, 1, 1, 1, np.nan])
    table = np.array([[2, 1], [1, 4]]) / 8  # wrong and right in the first by wrong and right in the second
    expected = (table.sum(axis=0) * table.sum(axis=1)).sum()
    found = cohen_kappa([(first, second)], np.arange(10) // 2)
    assert found.value == pytest.approx((np.trace(table) - expected) / (1 - expected))
    assert found.n == 8
