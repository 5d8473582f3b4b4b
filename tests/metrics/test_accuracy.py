from fractions import Fraction

import pytest
from hypothesis import given, settings

from cases import listed
from metrics.made_runs import Made, made_schemas, pairs_of, run_of
from winoglot import InputError
from winoglot.metrics.accuracy import accuracy, f1, knowledge, pair_accuracy, quality, success
from winoglot.statistics.intervals import bootstrap_ratio, wilson


@settings(max_examples=50)
@given(made_schemas(kinds=("tense",)))
def test_accuracy_is_right_over_labelled_for_any_number_of_candidates(schemas):
    run = run_of(schemas)
    for kind, choices in (
        (None, [(m.answer, m.choice) for s in schemas for m in s]),
        ("tense", [(m.answer, c) for s in schemas for m in s for _, c in m.variants]),
    ):
        labelled = [(answer, choice) for answer, choice in choices if answer is not None]
        found = accuracy.of(run, kind)
        assert found.n == len(labelled)
        if labelled:
            assert found.value == pytest.approx(float(Fraction(sum(a == c for a, c in labelled), len(labelled))))
        else:
            assert found.value is None


def test_the_interval_is_over_schemas_and_wilsons_over_items():
    pairs = [(1, 1), (1, 0), (0, 0), (1, 1), (1, None), (1, 1)]
    run = run_of(pairs_of(pairs))
    right = [right or 0 for pair in pairs for right in pair]
    assert accuracy.of(run) == bootstrap_ratio(right, [1] * 12, [n // 2 for n in range(12)])
    assert accuracy.of(run, interval="wilson") == wilson(8, 12)
    with pytest.raises(InputError, match="bootstrap, wilson"):
        accuracy.of(run, interval="normal")


def test_what_is_left_out_is_counted_by_its_reason():
    found = accuracy.of(run_of([[Made(), Made(answer=None)], [Made(choice=1)]]))
    assert (found.value, found.n) == (0.5, 2)
    assert found.method.endswith("; left out: 1 unlabelled")
    nothing = accuracy.of(run_of([[Made(answer=None)]]))
    assert str(nothing) == "undefined, n=0, no labelled items; left out: 1 unlabelled"
    found = quality.of(run_of([[Made(), Made(choice=None)]]))
    assert (found.value, found.n) == (1.0, 1)
    assert found.method.endswith("; left out: 1 abstained")
    found = success.of(run_of([[Made(), Made(candidates=3)], *([Made(candidates=4)] for _ in range(3))]))
    assert (found.value, found.n) == (1.0, 1)
    assert found.method.endswith("; left out: 4 without exactly two candidates (s0.1, s1.0, s2.0, …)")


@settings(max_examples=50)
@given(made_schemas())
def test_quality_and_success_are_those_of_the_formulas(schemas):
    run = run_of(schemas)
    labelled = [made for items in schemas for made in items if made.answer is not None]
    answered = [made for made in labelled if made.choice is not None]
    found = quality.of(run)
    assert found.n == len(answered)
    if answered:
        assert found.value == pytest.approx(sum(m.choice == m.answer for m in answered) / len(answered))
    two = [made for made in labelled if made.candidates == 2]
    found = success.of(run)
    assert found.n == len(two)
    if two:
        h, abstained = sum(m.choice == m.answer for m in two), sum(m.choice is None for m in two)
        assert found.value == pytest.approx((h + abstained / 2) / len(two))


@listed
def test_published_figures_of_solvers_that_abstain(n, right, abstained, published):
    choices = [0] * right + [None] * abstained + [1] * (n - right - abstained)
    run = run_of([[Made(choice=choice)] for choice in choices])
    found = [round(100 * run.estimate(name).value, 2) for name in ("exactness", "quality", "success")]
    assert found == published


@settings(max_examples=50)
@given(made_schemas(kinds=("tense",)))
def test_a_schema_counts_when_all_of_its_labelled_items_are_right(schemas):
    run = run_of(schemas)
    by_hand = {None: [], "tense": []}
    for items in schemas:
        by_hand[None].append([m.choice == m.answer for m in items if m.answer is not None])
        by_hand["tense"].append([c == m.answer for m in items for _, c in m.variants if m.answer is not None])
    for kind, schema_outcomes in by_hand.items():
        pairs = [all(right) for right in schema_outcomes if len(right) > 1]
        found = pair_accuracy.of(run, kind)
        assert found.n == len(pairs)
        assert found.value == (pytest.approx(sum(pairs) / len(pairs)) if pairs else None)


def test_single_items_are_no_pairs():
    found = pair_accuracy.of(run_of([[Made()], [Made(), Made()], [Made(), Made(answer=None)]]))
    assert found.n == 1
    assert found.method.endswith("; left out: 1 unlabelled, 2 with a single item")
    found = pair_accuracy.of(run_of([*pairs_of([(1, 1), (1, 0), (1, 1)]), [Made()]]), interval="wilson")
    assert (found.low, found.high) == (wilson(2, 3).low, wilson(2, 3).high)
    assert found.method == "Wilson over 3 schemas; left out: 1 with a single item"


@pytest.mark.parametrize(
    ("right", "abstained", "published"),
    [(106, 83, (38.83, 55.79, 45.79, 54.03)), (118, 76, (43.22, 59.90, 50.21, 57.14))],
)
def test_published_counts_give_the_published_figures(right, abstained, published):
    """Emami et al. (2018), 273 items, as Seminck et al. (2019) print them."""
    choices = [1] * right + [None] * abstained + [0] * (273 - right - abstained)
    run = run_of(pairs_of([(choice,) for choice in choices]))
    figures = [100 * metric.of(run).value for metric in (accuracy, quality, f1, success)]
    assert figures == pytest.approx(published, abs=0.006)
    assert knowledge.of(run).value == pytest.approx(2 * success.of(run).value - 1)
