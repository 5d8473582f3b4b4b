from fractions import Fraction

import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, made_schemas, pairs_of, run_of
from winoglot import InputError
from winoglot.metrics import accuracy, exactness
from winoglot.statistics.intervals import bootstrap_ratio, wilson


@settings(max_examples=50)
@given(made_schemas(kinds=("tense",)))
def test_accuracy_is_right_by_labelled_whatever_the_candidates(schemas):
    run = run_of(schemas)
    for kind, choices in (
        (None, [(m.answer, m.choice) for s in schemas for m in s]),
        ("tense", [(m.answer, c) for s in schemas for m in s for _, c in m.variants]),
    ):
        labelled = [(answer, choice) for answer, choice in choices if answer is not None]
        found = accuracy.estimate(run, kind)
        assert found.n == len(labelled)
        if labelled:
            assert found.value == pytest.approx(float(Fraction(sum(a == c for a, c in labelled), len(labelled))))
        else:
            assert found.value is None


def test_the_interval_is_over_schemas_and_wilsons_over_items():
    pairs = [(1, 1), (1, 0), (0, 0), (1, 1), (1, None), (1, 1)]
    run = run_of(pairs_of(pairs))
    right = [right or 0 for pair in pairs for right in pair]
    assert accuracy.estimate(run) == bootstrap_ratio(right, [1] * 12, [n // 2 for n in range(12)])
    assert run.accuracy() == accuracy.estimate(run)
    assert accuracy.estimate(run, interval="wilson") == wilson(8, 12)
    with pytest.raises(InputError, match="bootstrap, wilson"):
        accuracy.estimate(run, interval="normal")


def test_unlabelled_items_are_left_out_and_counted():
    found = accuracy.estimate(run_of([[Made(), Made(answer=None)], [Made(choice=1)]]))
    assert (found.value, found.n) == (0.5, 2)
    assert found.method.endswith("; left out: 1 unlabelled")
    nothing = accuracy.estimate(run_of([[Made(answer=None)]]))
    assert str(nothing) == "undefined, n=0, no labelled items; left out: 1 unlabelled"


def test_a_kind_that_was_not_evaluated_has_no_accuracy():
    assert accuracy.estimate(run_of([[Made()]]), "tense").value is None


def test_exactness_is_accuracy():
    run = run_of(pairs_of([(1, None), (0, 1)]))
    assert exactness.estimate(run) == accuracy.estimate(run)
