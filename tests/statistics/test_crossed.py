"""Intervals over people and schemas: they cover at the stated rate, and planning agrees with what is measured."""

import numpy as np
import pytest

from winoglot.statistics.crossed import CrossedDesign, crossed_design, crossed_mean, crossed_share


def _share(logits):
    return 1 / (1 + np.exp(-logits))


def _answers(rng, people, schemas, judgements, mean, person, schema):
    """Answers of people who differ in skill to schemas that differ in difficulty; every schema gets `judgements`."""
    skill, ease = mean + person * rng.standard_normal(people), schema * rng.standard_normal(schemas)
    who = np.concatenate([rng.choice(people, judgements, replace=False) for _ in range(schemas)])
    what = np.repeat(np.arange(schemas), judgements)
    return rng.random(len(who)) < _share(skill[who] + ease[what]), who, what


@pytest.mark.parametrize(
    ("people", "schemas", "judgements", "mean", "person", "schema"),
    [(30, 120, 3, 2.8, 0.6, 1.2), (12, 60, 3, 2.5, 0.8, 1.2), (40, 150, 5, 3.5, 0.5, 1.0), (20, 160, 3, 2.5, 1.2, 0.3)],
)
def test_intervals_cover(people, schemas, judgements, mean, person, schema):
    drawn = np.random.default_rng(0).standard_normal((2, 200_000))
    truth = _share(mean + person * drawn[0] + schema * drawn[1]).mean()
    rng, covered, trials = np.random.default_rng(1), 0, 400
    for _ in range(trials):
        estimate = crossed_share(*_answers(rng, people, schemas, judgements, mean, person, schema))
        covered += estimate.low <= truth <= estimate.high
    assert 0.925 <= covered / trials <= 0.985


@pytest.mark.parametrize(
    ("seeds", "schemas", "spread", "preference"),
    [(5, 160, 0.0, 3.0), (5, 160, 0.3, 3.0), (5, 40, 0.1, 1.0), (3, 160, 0.2, 2.0)],
)
def test_intervals_over_seeds_cover(seeds, schemas, spread, preference):
    """Every seed answers both items of every schema, and a preference for a candidate makes one of them wrong."""
    drawn = np.random.default_rng(0).standard_normal((4, 200_000))
    truth = _share(0.3 + spread * drawn[0] + drawn[1] + 0.5 * drawn[2] + preference * drawn[3]).mean()
    rng, covered, trials = np.random.default_rng(1), 0, 300
    who, what = np.repeat(np.arange(seeds), 2 * schemas), np.tile(np.repeat(np.arange(schemas), 2), seeds)
    for _ in range(trials):
        skill, ease = spread * rng.standard_normal((seeds, 1, 1)), rng.standard_normal((1, schemas, 1))
        both = 0.5 * rng.standard_normal((seeds, schemas, 1))
        lean = preference * rng.standard_normal((1, schemas, 1)) * np.array([1, -1])
        right = rng.random((seeds, schemas, 2)) < _share(0.3 + skill + ease + both + lean)
        estimate = crossed_mean(right.ravel(), who, what, unit="seed")
        covered += estimate.low <= truth <= estimate.high
    assert 0.92 <= covered / trials <= 0.985


def test_pairs_of_which_one_is_always_right_have_exact_limits():
    made = crossed_mean([1, 0] * 10, np.repeat([0, 1], 10), np.tile(np.repeat(np.arange(5), 2), 2), unit="seed")
    assert (made.value, made.method) == (0.5, "over 2 seeds and 5 schemas, all alike")
    assert made.low < 0.5 < made.high


def test_two_seeds_that_always_answer_the_opposite_leave_an_interval():
    """Every item and every seed has a mean of one half, so that only single answers vary."""
    right = np.concatenate([np.tile([0, 1], 500), np.tile([1, 0], 500)])
    made = crossed_mean(right, np.repeat([0, 1], 1000), np.tile(np.arange(1000), 2), unit="seed")
    assert (made.low, made.high) == (pytest.approx(0.478, abs=0.001), pytest.approx(0.522, abs=0.001))


def test_the_variances_are_recovered():
    rng = np.random.default_rng(2)
    skill, ease = 0.7 + 0.1 * rng.standard_normal(400), 0.15 * rng.standard_normal(400)
    who, what = np.repeat(np.arange(400), 30), rng.integers(400, size=12_000)
    right = rng.random(12_000) < np.clip(skill[who] + ease[what], 0, 1)
    design = crossed_design(right, who, what)
    assert design.person == pytest.approx(0.01, abs=0.004)
    assert design.schema == pytest.approx(0.02, abs=0.005)


def test_the_plan_is_what_the_interval_becomes():
    rng = np.random.default_rng(3)
    right, who, what = _answers(rng, 60, 200, 9, 2.0, 0.7, 1.0)
    estimate = crossed_share(right, who, what)
    planned = crossed_design(right, who, what).half_width(60, 200, len(right))
    assert planned == pytest.approx((estimate.high - estimate.low) / 2, rel=0.15)


def test_more_people_cannot_replace_schemas():
    design = CrossedDesign(person=0.002, schema=0.02, answer=0.05)
    assert design.people_needed(0.03, schemas=20, problems=20) is None
    needed = design.people_needed(0.03, schemas=200, problems=60)
    assert design.half_width(needed, 200, needed * 60) <= 0.03 < design.half_width(needed - 1, 200, (needed - 1) * 60)


def test_few_answers():
    assert crossed_share([], [], []).value is None
    assert crossed_share([1, 0], [1, 1], ["a", "b"]).value is None
    assert crossed_share([1, 1, 1], [1, 2, 3], ["a", "b", "a"]).low == pytest.approx(0.158, abs=0.001)
