from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from simulated_answers import ids, two_solvers
from winoglot.statistics.power import (
    MeanDesign,
    PairedDesign,
    fewest_schemas,
    minimum_detectable_difference,
    paired_design,
    schemas_needed,
)
from winoglot.statistics.significance import between_solvers

designs = st.builds(PairedDesign, st.floats(0.01, 1), st.floats(0.3, 2), st.floats(1, 3))


@pytest.mark.parametrize(("schemas", "discordance", "share"), [(40, 0.35, 0.6), (140, 0.25, 0.0), (140, 0.3, 0.9)])
def test_the_detectable_difference_is_found_four_times_in_five(schemas, discordance, share):
    rng, times = np.random.default_rng(schemas), 800
    difference = minimum_detectable_difference(PairedDesign(discordance, 1 + share, 2.0), schemas)
    draws = [two_solvers(rng, schemas, discordance, difference, share) for _ in range(times)]
    found = np.mean([between_solvers(a, b, ids(schemas)).value <= 0.05 for a, b in draws])
    assert found == pytest.approx(0.8, abs=0.05)


@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_the_design_effect_of_pairs_is_one_plus_their_correlation(share):
    a, b = two_solvers(np.random.default_rng(1), 20_000, 0.3, 0.1, share)
    design = paired_design(a, b, ids(20_000))
    assert design.discordance == pytest.approx(0.3, abs=0.01)
    assert design.design_effect == pytest.approx(1 + share, abs=0.03)
    assert design.items_per_schema == 2


def test_items_that_cancel_out_have_a_design_effect_below_one():
    first = np.random.default_rng(2).integers(0, 2, 500)
    a = np.stack([first, 1 - first], axis=1).ravel()  # right exactly once a pair, and so is b
    assert paired_design(a, 1 - a, ids(500)).design_effect < 0.01


def test_one_item_per_schema_gives_the_usual_sample_size_for_mcnemars_test():
    discordance, difference = 0.3, 0.1
    usual = norm.ppf(0.975) * sqrt(discordance) + norm.ppf(0.8) * sqrt(discordance - difference**2)
    assert schemas_needed(PairedDesign(discordance, 1.0, 1.0), difference) == np.ceil((usual / difference) ** 2)


@given(designs, st.integers(6, 3000))
def test_planning_for_the_detectable_difference_asks_for_as_many_schemas(design, schemas):
    difference = minimum_detectable_difference(design, schemas)
    assert 0 < difference <= 1
    assert schemas_needed(design, difference) in {schemas, schemas + 1}


@given(designs, st.floats(0.01, 0.5))
def test_smaller_differences_and_more_power_take_more_schemas(design, difference):
    usual = schemas_needed(design, difference)
    assert schemas_needed(design, difference / 2) >= usual
    assert schemas_needed(design, difference, power=0.9) >= usual
    assert schemas_needed(design, -difference) == usual


def test_the_detectable_mean_is_found_four_times_in_five():
    rng = np.random.default_rng(0)
    schemas, spread = 120, 0.04
    size = minimum_detectable_difference(MeanDesign(spread), schemas)
    samples = rng.normal(size, sqrt(spread), (400, schemas))
    # The test over random signs, by its normal approximation: the sum over the root of the sum of squares.
    found = np.abs(samples.sum(axis=1)) / np.sqrt((samples**2).sum(axis=1)) > norm.ppf(0.975)
    assert found.mean() == pytest.approx(0.8, abs=0.06)


def test_too_few_schemas_detect_nothing():
    assert fewest_schemas() == 6
    assert minimum_detectable_difference(PairedDesign(0.3, 1.0, 2.0), 5) is None
    assert between_solvers([1] * 5, [0] * 5, range(5)).value > 0.05 > between_solvers([1] * 6, [0] * 6, range(6)).value


def test_solvers_that_never_differ_still_have_a_design():
    design = paired_design([1, 0, 1, 1], [1, 0, 1, 1], list("aabb"))
    assert (design.discordance, design.design_effect) == (0.0, 1.0)
    assert 0 < minimum_detectable_difference(design, 100) < 0.15


def test_impossible_plans_are_refused():
    with pytest.raises(ValueError, match="5 points"):
        schemas_needed(PairedDesign(0.3, 1.0, 2.0), 0.0)
    with pytest.raises(ValueError, match="discordant"):
        PairedDesign(1.3, 1.0, 2.0)
    with pytest.raises(ValueError, match="fewer than two"):
        paired_design([1], [0], ["a"])
