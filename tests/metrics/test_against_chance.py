from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.made_runs import Made, made_schemas, pairs_of, run_of
from winoglot.metrics._against_chance import chance_test


@settings(max_examples=50)
@given(made_schemas(largest=7), st.sampled_from(["two-sided", "greater"]))
def test_the_key_of_every_schema_is_turned_round_and_back(schemas, alternative):
    totals = []
    for items in schemas:
        credits_ = [
            0 if made.choice is None else 1 if made.choice == made.answer else -1
            for made in items
            if made.answer is not None and made.candidates == 2
        ]
        totals.append(sum(credits_))
    size = abs if alternative == "two-sided" else float
    patterns = [sum(s * t for s, t in zip(p, totals, strict=True)) for p in product((1, -1), repeat=len(totals))]
    expected = sum(size(total) >= size(sum(totals)) for total in patterns) / len(patterns)
    assert chance_test(run_of(schemas), alternative=alternative).value == pytest.approx(expected)


def test_a_solver_that_ignores_the_segment_is_not_told_from_chance():
    assert chance_test(run_of(pairs_of([(1, 0)] * 50))).value == 1.0
    assert chance_test(run_of(pairs_of([(1, 1)] * 50))).value < 1e-9


def test_it_says_what_it_leaves_out():
    found = chance_test(run_of([[Made(), Made(candidates=3)]]))
    assert found.method == "exact flips of 1 schema; left out: 1 not of two candidates (s0.1)"
