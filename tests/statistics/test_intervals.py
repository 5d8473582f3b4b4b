import json
import subprocess
import sys
from dataclasses import asdict
from itertools import product

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from cases import for_each
from simulated_answers import ids, one_sided, tied
from winoglot.statistics.intervals import (
    Estimate,
    all_alike,
    bca_tails,
    bootstrap_ratio,
    bootstrap_statistic,
    two_sample_bootstrap,
    wilson,
)
from winoglot.statistics.resampling import random_totals, sample_totals


def ratio(above, below, axis=-1):
    return above.sum(axis=axis) / below.sum(axis=axis)


def skewed_schemas(seed, schemas=30):
    rng = np.random.default_rng(seed)
    below = rng.integers(1, 4, schemas).astype(float)
    return rng.binomial(below.astype(int), 0.8).astype(float), below


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("seed", range(4))
def test_bca_limits_equal_scipys_on_the_same_resamples(seed, level):
    above, below = skewed_schemas(seed)
    theirs = scipy.stats.bootstrap(
        (above, below), ratio, paired=True, vectorized=True, method="BCa", confidence_level=level, rng=seed
    )
    without_one = (above.sum() - above) / (below.sum() - below)
    tails = bca_tails(theirs.bootstrap_distribution, ratio(above, below), without_one, level=level)
    limits = np.quantile(theirs.bootstrap_distribution, tails)
    np.testing.assert_allclose(limits, theirs.confidence_interval, rtol=0, atol=1e-9)


def test_the_whole_way_agrees_with_scipy_up_to_monte_carlo_error():
    above, below = skewed_schemas(7, schemas=120)
    theirs = scipy.stats.bootstrap(
        (above, below), ratio, paired=True, vectorized=True, method="BCa", n_resamples=40_000, rng=1
    )
    ours = bootstrap_ratio(above, below, np.arange(120), resamples=40_000)
    assert ours.value == pytest.approx(ratio(above, below), abs=1e-12)
    np.testing.assert_allclose((ours.low, ours.high), theirs.confidence_interval, atol=0.003)


def test_a_statistic_of_samples_agrees_with_scipy_up_to_monte_carlo_error():
    values = np.random.default_rng(3).exponential(size=60)
    found = bootstrap_statistic(60, lambda places: values[places].mean(axis=1), n=60, resamples=20_000, bounds=(0, 9))
    expected = scipy.stats.bootstrap((values,), np.mean, n_resamples=20_000, method="BCa", random_state=1)
    limits = expected.confidence_interval
    assert found.value == pytest.approx(values.mean())
    assert (found.low, found.high) == (pytest.approx(limits.low, abs=0.02), pytest.approx(limits.high, abs=0.02))


def test_a_statistic_that_never_moves_is_not_taken_for_certainty_and_one_that_is_not_defined_says_so():
    found = bootstrap_statistic(20, lambda places: np.ones(len(places)), n=20)
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(scipy.stats.binomtest(20, 20).proportion_ci().low)
    found = bootstrap_statistic(3, lambda places: np.full(len(places), np.nan), n=3)
    assert str(found) == "undefined, n=3, it is not defined for these 3 schemas"


def test_two_samples_agree_with_scipy_up_to_monte_carlo_error():
    first, second = (np.random.default_rng(seed).exponential(size=size) for seed, size in ((3, 40), (4, 90)))
    theirs = scipy.stats.bootstrap(
        (first, second),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        vectorized=True,
        method="BCa",
        n_resamples=40_000,
        rng=1,
    )
    rows = (np.stack([one, np.ones(len(one))], axis=1) for one in (first, second))
    ours = two_sample_bootstrap(
        *rows, lambda a, b: a[..., 0] / a[..., 1] - b[..., 0] / b[..., 1], n=130, resamples=40_000
    )
    np.testing.assert_allclose((ours.low, ours.high), theirs.confidence_interval, atol=0.01)


def all_draws(rows):
    draws = product(range(len(rows)), repeat=len(rows))
    return np.unique([rows[list(draw)].sum(axis=0).round(9) for draw in draws], axis=0, return_counts=True)


@pytest.mark.parametrize("distinct", [False, True], ids=["kinds of schemas", "one by one"])
def test_resamples_have_the_distribution_of_all_possible_draws(distinct, monkeypatch):
    if distinct:
        monkeypatch.setattr("winoglot.statistics.resampling._FEW_KINDS", 0)
    rows = np.array([[2.0, 2.0], [0.0, 2.0], [0.0, 2.0], [1.0, 1.0]])
    possible, expected = all_draws(rows)
    drawn = random_totals(rows, 40_000, seed=3)
    kinds, observed = np.unique(np.concatenate([possible, drawn]), axis=0, return_counts=True)
    assert len(kinds) == len(possible)
    assert scipy.stats.chisquare(observed - 1, expected / expected.sum() * 40_000).pvalue > 0.001


ROW = st.tuples(st.sampled_from([0.0, 0.5, 1.0, 2.0, -1.0]), st.sampled_from([1.0, 2.0]), st.sampled_from([0.0, 1 / 3]))


@given(st.lists(ROW, min_size=1, max_size=5), st.integers(1, 3))
def test_the_exact_distribution_is_that_of_all_possible_draws(drawn, columns):
    rows = np.array(drawn)[:, :columns]
    possible, times = all_draws(rows)
    found = sample_totals(rows, 1, seed=0)
    order = np.lexsort(found.totals.T.round(9)[::-1])
    np.testing.assert_allclose(found.totals[order], possible, atol=1e-8)
    np.testing.assert_allclose(found.chances[order], times / times.sum(), atol=1e-12)


@pytest.mark.parametrize("items", [[2, 2], [1, 2]], ids=["pairs", "some single items"])
def test_many_schemas_are_as_exact_though_the_grid_wraps_around(items):
    rng = np.random.default_rng(0)
    below = rng.choice(items, 300).astype(float)
    rows = np.stack([rng.binomial(below.astype(int), 0.7), below], axis=1)
    found = sample_totals(rows, 1, seed=0)
    mean = found.chances @ found.totals
    np.testing.assert_allclose(mean, rows.sum(axis=0), rtol=1e-6)
    deviations = found.totals - mean
    np.testing.assert_allclose(
        (found.chances[:, None] * deviations).T @ deviations, 300 * np.cov(rows.T, bias=True), rtol=1e-4, atol=1e-6
    )


@pytest.mark.parametrize("schemas", [40, 140])
@pytest.mark.parametrize(
    ("answers", "accuracy", "share"),
    [(tied, 0.6, 0.9), (tied, 0.85, 0.8), (one_sided, 0.75, 0.6)],
    ids=["tied near chance", "tied and good", "exactly one right"],
)
def test_intervals_cover_at_their_nominal_rate_whatever_the_dependence(schemas, answers, accuracy, share):
    rng, times = np.random.default_rng(schemas), 700
    found, truths = [], []
    for seed, exact in enumerate(rng.uniform(accuracy - 0.03, accuracy + 0.03, times)):  # coverage jumps with the truth
        right = answers(rng, schemas, exact, share)
        found.append(bootstrap_ratio(right, np.ones_like(right), ids(schemas), resamples=2000, seed=seed))
        truths.append(exact if answers is tied else share / 2 + (1 - share) * exact)
    covered = np.mean([e.low <= truth <= e.high for e, truth in zip(found, truths, strict=True)])
    assert covered == pytest.approx(0.95, abs=3 * np.sqrt(0.95 * 0.05 / times) + 0.003)
    width = np.mean([e.high - e.low for e in found])
    spread = np.std([e.value - truth for e, truth in zip(found, truths, strict=True)])
    assert width == pytest.approx(2 * 1.96 * spread, rel=0.08)


def test_a_difference_between_solvers_has_an_interval_on_both_sides_of_nothing():
    difference = np.array([1.0, 0, -1, 0, 0, 0, 1, -1] * 10)
    found = bootstrap_ratio(difference, np.ones(80), ids(40), bounds=(-1, 1))
    assert found.value == 0
    assert -0.3 < found.low < 0 < found.high < 0.3


@pytest.mark.parametrize("right", [0, 1])
def test_all_right_or_all_wrong_gives_clopper_pearson_over_schemas(right):
    found = bootstrap_ratio([right] * 40, [1] * 40, ids(20))
    exact = scipy.stats.binomtest(20 * right, 20).proportion_ci(0.95, method="exact")
    assert (found.low, found.high) == pytest.approx((exact.low, exact.high), abs=1e-12)
    assert (found.n, found.method) == (40, "exact (Clopper-Pearson) over 20 schemas, all alike")
    found = bootstrap_ratio([1, 1], [1, 1], ["a", "a"])
    assert (found.low, found.high) == (pytest.approx(0.025), 1.0)
    assert found.method == "exact (Clopper-Pearson) over 1 schema"


def test_fractions_that_add_up_to_one_are_one_despite_rounding():
    found = bootstrap_ratio([0.1] * 30, [0.1] * 30, np.repeat(range(10), 3))
    assert (found.value, found.high) == pytest.approx((1.0, 1.0))
    assert bootstrap_ratio([1.1, 1.1, 1.1], [1.1, 1.1, 1.1 - 1e-15], [0, 0, 0]).high == pytest.approx(1.0)


def test_exactly_one_right_in_every_pair_is_not_taken_for_certainty():
    found = bootstrap_ratio([1, 0] * 50, [1] * 100, ids(50))
    assert found.value == 0.5
    assert 0.45 < found.low < 0.5 < found.high < 0.55


def test_limits_of_schemas_all_alike_hold_the_mean_often_enough():
    low, high = all_alike(0.5, 30)
    for deviating in (0.01, 0.05, 0.1):
        mean = 0.5 + 0.5 * deviating  # schemas that deviate are wholly right
        if not low <= mean <= high:
            assert (1 - deviating) ** 30 <= 0.025  # so rarely do all 30 look alike


def test_items_that_do_not_count_leave_n_and_the_schemas():
    whole = bootstrap_ratio([1, 0, 1, 1], [1, 1, 1, 1], ["a", "a", "b", "b"])
    more = bootstrap_ratio([1, 0, 1, 1, 0, 0], [1, 1, 1, 1, 0, 0], ["a", "a", "b", "b", "b", "c"])
    assert whole == more
    assert whole.method == "BCa over 2 schemas"
    found = bootstrap_ratio([0, 0], [0, 0], ["a", "b"], undefined="no switchable items")
    assert (found.value, found.n, found.method) == (None, 0, "no switchable items")
    assert str(found) == "undefined, n=0, no switchable items"
    assert bootstrap_ratio([], [], []).value is None


def test_where_bca_is_not_finite_percentiles_are_given_under_their_name():
    assert bca_tails(np.array([0.1, 0.2]), 0.5, np.array([0.4, 0.6])) is None
    found = bootstrap_ratio([0.1234567, 0, 0, 0, 1], [1] * 5, range(5), resamples=1, seed=2)  # drawn, not exact
    assert found.method == "percentile bootstrap over 5 schemas (BCa is not finite)"


def test_the_seed_fixes_the_limits_and_another_seed_moves_them_little():
    right = tied(np.random.default_rng(1), 100, 0.7, 0.5)
    first, again, other = (bootstrap_ratio(right, np.ones(200), ids(100), seed=seed) for seed in (4, 4, 5))
    assert first == again
    assert (first.low, first.high) == pytest.approx((other.low, other.high), abs=0.01)


@for_each(
    ("above", "below", "clusters"),
    [
        ([1, 0], [1], ["a", "b"]),
        ([1, 0], [1, 1], ["a"]),
        ([1, 0], [1, -1], ["a", "b"]),
        ([1, 1], [1, 0], ["a", "b"]),
        ([1, float("nan")], [1, 1], ["a", "b"]),
        ([[1, 0]], [[1, 1]], [["a", "b"]]),
    ],
)
def test_arrays_that_do_not_fit_are_refused(above, below, clusters):
    with pytest.raises(ValueError, match=r"must"):
        bootstrap_ratio(above, below, clusters)


@given(st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=1, max_size=30))
def test_limits_are_within_bounds_and_items_may_come_in_any_order(answers):
    schemas, right = zip(*answers, strict=True)
    found = bootstrap_ratio(right, [1] * len(right), schemas, resamples=200)
    turned = bootstrap_ratio(right[::-1], [1] * len(right), schemas[::-1], resamples=200)
    assert 0 <= found.low <= found.high <= 1
    assert (found.value, found.n) == (pytest.approx(np.mean(right)), len(right))
    assert (found.low, found.high) == pytest.approx((turned.low, turned.high))


@given(st.integers(1, 3000).flatmap(lambda n: st.tuples(st.integers(1, n), st.just(n))), st.floats(0.5, 0.999))
def test_wilsons_limits_are_where_the_score_test_stops_rejecting(counts, level):
    found = wilson(*counts, level=level)
    assert 0 < found.low < found.value <= found.high <= 1
    z = scipy.stats.norm.ppf((1 + level) / 2)
    for limit in {found.low, found.high} - {1.0}:
        assert abs(found.value - limit) == pytest.approx(z * np.sqrt(limit * (1 - limit) / counts[1]), abs=1e-9)


def test_no_trials_and_too_many_successes():
    assert wilson(0, 0).value is None
    assert (wilson(0, 4).low, wilson(4, 4).high) == (0.0, 1.0)
    assert wilson(3, 4).method == "Wilson, items taken as independent"
    assert wilson(3, 4, level=0.9).method == "90% Wilson, items taken as independent"
    with pytest.raises(ValueError, match="must not be greater than"):
        wilson(5, 4)


def test_an_estimate_reads_as_one_line_and_goes_through_json_unchanged():
    estimate = Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas")
    assert str(estimate) == "0.563 [0.501, 0.622], n=263, BCa over 131 schemas"
    assert str(Estimate(-1e-9, -0.25, 0.25, 4, "Wilson")).startswith("0.000 [-0.250")
    assert f"{estimate:.1%}" == "56.3% [50.1%, 62.2%], n=263, BCa over 131 schemas"
    for one in (estimate, Estimate.undefined("no items")):
        assert Estimate(**json.loads(json.dumps(asdict(one)))) == one


@for_each(
    "parts",
    [
        (0.5, None, 0.7, 3),
        (None, 0.1, 0.2, 3),
        (0.5, 0.7, 0.3, 3),
        (float("nan"), 0.0, 1.0, 3),
        (0.5, float("-inf"), 1.0, 3),
        (0.5, 0.4, 0.6, -1),
    ],
)
def test_impossible_estimates_are_refused(parts):
    with pytest.raises(ValueError, match=r"estimate|limit"):
        Estimate(*parts, "some method")


def test_scipy_is_imported_only_to_compute():
    modules = ("agreement", "calibration", "intervals", "power", "significance")
    imports = "; ".join(f"import winoglot.statistics.{module}" for module in modules)
    code = f"import sys; {imports}; sys.exit('scipy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
