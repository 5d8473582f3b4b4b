import numpy as np
import pytest

from metrics.made_runs import Made, run_of
from winoglot.analysis.base import Subject
from winoglot.analysis.marginal import marginal, twins_in_bottom

# By hand: 14 items, of which 15% are two. Best: 5.0 and 4.0; worst: -6.0 and -5.0, the twins of 5.0 and 2.0.
PAIRS = [(5.0, -6.0), (4.0, 1.0), (0.5, -0.5), (0.2, 0.1), (2.0, -5.0), (0.3, 0.4), (0.6, 0.7)]


def scored(pairs):
    """A schema for each pair of margins: the first item's answer is 0, the second's 1."""
    return [
        [Made(answer=0, choice=0, scores=(one, 0.0)), Made(answer=1, choice=0, scores=(0.0, other))]
        for one, other in pairs
    ]


def test_of_the_best_items_half_have_a_twin_among_the_worst():
    (found,) = marginal(Subject(run_of(scored(PAIRS))))
    assert (found.kind, found.quantity) == ("original", "twin-in-bottom")
    assert (found.estimate.value, found.estimate.n) == (0.5, 2)
    assert found.estimate.low <= 0.5 <= found.estimate.high


def test_a_model_that_ignores_the_segment_has_all_twins_there():
    rng = np.random.default_rng(0)
    liking = rng.normal(size=60)
    (found,) = marginal(Subject(run_of(scored([(one, -one) for one in liking]))))
    assert found.estimate.value == 1.0


def test_independent_margins_give_about_the_level_of_chance():
    margins = np.random.default_rng(1).normal(size=(1, 4000, 2))
    assert twins_in_bottom(margins)[0] == pytest.approx(0.15, abs=0.03)


def test_three_pairs_are_too_few():
    (found,) = marginal(Subject(run_of(scored(PAIRS[:3]))))
    assert found.estimate.method == "3 pairs with scores, expected at least 4"


def test_rules_have_no_margin():
    (found,) = marginal(Subject(run_of(scored(PAIRS), model="first")))
    assert found.estimate.method == "first gave choices, not scores"
