import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import expit, logit
from scipy.stats import t

from cases import for_each
from simulated_answers import ids
from winoglot.statistics.calibration import calibration, logistic_fit


def answers(rng, schemas, slope, share=0.8, intercept=0.0):
    """Margins and outcomes; in this share of the schemas the items share their luck."""
    margins = rng.exponential(1.5, (schemas, 2))
    luck = rng.random((schemas, 2))
    luck[:, 1] = np.where(rng.random(schemas) < share, luck[:, 0], luck[:, 1])
    return margins.ravel(), (luck < expit(intercept + slope * margins)).ravel().astype(float)


def error_by_hand(margins, right, bins):
    """Sort by confidence, cut into equal parts, add up the gaps."""
    order = np.argsort(margins)
    parts = np.array_split(order, bins)
    return sum(len(p) / len(margins) * abs(np.mean(right[p]) - np.mean(expit(margins[p]))) for p in parts)


def test_the_error_is_the_mean_gap_of_equal_bins():
    margins, right = answers(np.random.default_rng(0), 100, 0.4)
    found = calibration(margins, right, ids(100), bins=8)
    assert [b.accuracy.n for b in found.bins] == pytest.approx([25] * 8, abs=1)
    gaps = sum(b.accuracy.n / 200 * abs(b.accuracy.value - b.confidence) for b in found.bins)
    assert found.error.value == pytest.approx(gaps)
    assert found.error.value == pytest.approx(error_by_hand(margins, right, 8), abs=0.02)


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.3, 0.7, 2.0, 900.0]), st.booleans()), min_size=1, max_size=80))
def test_bins_are_never_empty_hold_every_item_once_and_do_not_overlap(items):
    margins, right = zip(*items, strict=True)
    found = calibration(margins, right, range(len(items)), resamples=100)
    assert sum(b.accuracy.n for b in found.bins) == len(items)
    assert all(b.low <= b.confidence + 1e-12 <= b.high + 2e-12 for b in found.bins)
    assert all(first.high < second.low for first, second in zip(found.bins, found.bins[1:], strict=False))
    assert found.overconfidence.value == pytest.approx(np.mean(expit(margins)) - np.mean(right))


@pytest.mark.parametrize("schemas", [40, 140])
@pytest.mark.parametrize("slope", [1.0, 0.4], ids=["calibrated", "overconfident"])
def test_the_interval_of_the_error_covers_the_truth(schemas, slope):
    rng, times, covered, noises, values = np.random.default_rng(schemas), 100, 0, [], []
    population = rng.exponential(1.5, 100_000)
    gaps = expit(slope * population) - expit(population)
    for seed in range(times):
        margins, right = answers(rng, schemas, slope)
        found = calibration(margins, right, ids(schemas), bins=5, resamples=400, seed=seed)
        edges = [logit(b.low) for b in found.bins[1:]]
        totals = np.bincount(np.searchsorted(edges, population, side="right"), weights=gaps)
        truth = np.abs(totals).sum() / len(population)
        covered += found.error.low <= truth + 1e-12 and truth <= found.error.high
        noises.append(found.noise)
        values.append(found.error.value)
    assert covered / times > 0.95 - 3 * np.sqrt(0.95 * 0.05 / times)
    if slope == 1:
        assert np.mean(values) == pytest.approx(np.mean(noises), rel=0.15)


def test_an_overconfident_solver_is_seen_to_be():
    margins, right = answers(np.random.default_rng(2), 300, 0.2)
    found = calibration(margins, right, ids(300))
    assert found.overconfidence.low > 0.05
    assert found.error.low > 0.03
    assert found.fit.slope.high < 1


def test_all_right_is_not_taken_for_certainty_and_few_schemas_and_no_items_are_undefined_by_name():
    found = calibration(np.full(40, 9.0), np.ones(40), ids(20))
    assert min(found.error.high, found.overconfidence.high) > 0.15
    assert "all right" in found.error.method
    assert found.fit.slope.value is None
    few = calibration([1.0, 2.0, 0.5, 0.1], [1, 1, 0, 1], list("aabb"))
    assert few.error.method == "undefined with 2 schemas: at least 10 are needed"
    assert few.noise is None
    assert calibration([], [], []).error.method == "no answered items"


@for_each(
    ("margin", "right", "message"), [(-1.0, 1, "negative"), (1.0, 0.5, "abstentions"), (float("nan"), 1, "finite")]
)
def test_negative_margins_and_abstentions_are_refused(margin, right, message):
    with pytest.raises(ValueError, match=message):
        calibration([margin], [right], ["a"])


@pytest.mark.parametrize("scale", [1.0, 300.0, 0.001])
def test_the_fit_and_its_clustered_errors_equal_those_of_statsmodels(scale):
    margins, right = answers(np.random.default_rng(4), 60, 0.7, intercept=0.2)
    ours = logistic_fit(margins * scale, right, ids(60), level=0.9)
    # Logit(right, [1, margins]).fit(tol=1e-12, cov_type="cluster", groups=ids(60)) of statsmodels 0.14: params, bse
    theirs = [(-0.46133783200410255, 0.35270429720250074), (0.6954298051690068, 0.2021438455078561)]
    for estimate, (value, error), unit in zip(ours, theirs, (1.0, scale), strict=True):
        assert estimate.value * unit == pytest.approx(value, rel=1e-9)
        assert (estimate.high - estimate.low) / 2 / t(59).ppf(0.95) * unit == pytest.approx(error, rel=1e-6)


@pytest.mark.parametrize("schemas", [40, 140])
def test_the_interval_of_the_slope_covers_the_truth(schemas):
    rng, times = np.random.default_rng(schemas), 1000
    fits = [logistic_fit(*answers(rng, schemas, 0.7), ids(schemas)).slope for _ in range(times)]
    covered = np.mean([fit.low <= 0.7 <= fit.high for fit in fits if fit.value is not None])
    assert covered == pytest.approx(0.95, abs=0.025)


@for_each(
    ("margins", "right", "reason"),
    [
        (range(10), [0] * 5 + [1] * 5, "a margin separates right from wrong"),
        ([1.0] * 10, [0, 1] * 5, "a margin separates right from wrong"),
        (range(10), [1] * 10, "every item is right"),
        (range(10), [0] * 10, "every item is wrong"),
    ],
)
def test_where_no_finite_curve_is_likeliest_there_is_none(margins, right, reason):
    assert logistic_fit(margins, right, range(10)).slope.method == f"undefined when {reason}"
