from fractions import Fraction
from itertools import product
from math import lcm

import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.made_runs import Made, collection_of, made_schemas, pairs_of, run_of
from winoglot.examples import Answers, ExampleSet, examples_of
from winoglot.metrics.accuracy import chance_test, with_guesses
from winoglot.metrics.base import guessing


@settings(max_examples=50)
@given(made_schemas(largest=4), st.sampled_from(["two-sided", "greater"]))
def test_the_key_of_every_schema_is_turned_to_every_candidate(schemas, alternative):
    """Every turn of every schema, in exact arithmetic; an abstention is worth a guess wherever the key points."""
    made = [[one for one in items if one.answer is not None] for items in schemas]
    totals = []
    for items in made:
        turns = range(lcm(*(one.candidates for one in items)))
        totals.append([sum(above_guessing(one, turn) for one in items) for turn in turns])
    size = abs if alternative == "two-sided" else float
    observed = size(sum(own[0] for own in totals))
    patterns = [size(sum(turned)) >= observed for turned in product(*totals)]
    found = chance_test(run_of(schemas), alternative=alternative)
    assert found.value == pytest.approx(sum(patterns) / len(patterns))
    assert found.error == 0


def above_guessing(made, turn):
    if made.choice is None:
        return Fraction(0)
    return (made.choice == (made.answer + turn) % made.candidates) - Fraction(1, made.candidates)


def test_a_solver_that_ignores_the_segment_is_not_distinguished_from_chance():
    assert chance_test(run_of(pairs_of([(1, 0)] * 50))).value == 1.0
    assert chance_test(run_of(pairs_of([(1, 1)] * 50))).value < 1e-9
    found = chance_test(run_of([[Made(candidates=3), Made(1, 1, candidates=3)]] * 12))
    assert (found.value, found.n, found.method) == (pytest.approx(3.0**-12), 12, "exact turns of 12 schemas")
    found = chance_test(run_of([[Made(), Made(answer=None)]]))
    assert found.method == "exact flips of 1 schema; left out: 1 unlabelled"


def test_one_item_of_three_candidates_per_schema_is_the_binomial_test():
    run = run_of([[Made(choice=0 if at < 33 else 1, candidates=3)] for at in range(70)])
    theirs = scipy.stats.binomtest(33, 70, 1 / 3, alternative="greater").pvalue
    assert chance_test(run, alternative="greater").value == pytest.approx(theirs)


TIMES = 2000
THREE_ERRORS = 3 * np.sqrt(0.05 * 0.95 / TIMES)


def rejection_rate(schemas, times, known=0.0):
    """How often p is up to 0.05, on pairs of two or three candidates where guesses often depend on each other."""
    rng = np.random.default_rng(schemas)
    keys = [rng.permutation(2 + place % 2)[:2].tolist() for place in range(schemas)]
    collection = collection_of([[Made(a, candidates=2 + place % 2) for a in key] for place, key in enumerate(keys)])
    source = ExampleSet("made", tuple(examples_of(collection)))
    p_values = []
    for _ in range(times):
        choices = {}
        for schema in collection.schemas:
            first, second = rng.integers(schema.items[0].candidate_count, size=2).tolist()
            guesses = (first, first if rng.random() < 0.7 else second)
            for item, guess in zip(schema.items, guesses, strict=True):
                choices[item.id] = item.answer if rng.random() < known else guess
        p_values.append(chance_test(Answers(source, choices)).value)
    return np.mean(np.array(p_values) <= 0.05)


def test_a_guessing_solver_is_rejected_at_the_nominal_rate_among_two_and_three_candidates():
    assert 0.025 < rejection_rate(30, TIMES) < 0.05 + THREE_ERRORS


def test_a_solver_that_knows_some_answers_is_detected():
    assert rejection_rate(100, 100, known=0.3) > 0.9


def test_an_abstention_counts_what_guessing_gives():
    run = run_of([[Made(), Made(choice=None)], [Made(choice=None, candidates=3), Made(answer=None)]])
    assert with_guesses(run).value == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    assert guessing([outcome.example for outcome in run.outcomes()]) == pytest.approx((1 / 2 + 1 / 2 + 1 / 3) / 3)
    assert guessing([]) is None
