import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, made_schemas, pairs_of, run_of
from winoglot.metrics import pair_accuracy
from winoglot.statistics.intervals import wilson


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
        found = pair_accuracy.estimate(run, kind)
        assert found.n == len(pairs)
        assert found.value == (pytest.approx(sum(pairs) / len(pairs)) if pairs else None)


def test_a_triple_is_right_as_a_whole():
    run = run_of([[Made(), Made(), Made(choice=1)], [Made(), Made(), Made()]])
    assert (run.pair_accuracy().value, run.pair_accuracy().n) == (0.5, 2)


def test_single_items_are_no_pairs():
    found = pair_accuracy.estimate(run_of([[Made()], [Made(), Made()], [Made(), Made(answer=None)]]))
    assert found.n == 1
    assert found.method.endswith("; left out: 1 unlabelled, 2 of a single item")
    assert pair_accuracy.estimate(run_of([[Made()]])).value is None


def test_wilsons_interval_is_over_schemas():
    found = pair_accuracy.estimate(run_of([*pairs_of([(1, 1), (1, 0), (1, 1)]), [Made()]]), interval="wilson")
    assert (found.low, found.high) == (wilson(2, 3).low, wilson(2, 3).high)
    assert found.method == "Wilson over 3 schemas; left out: 1 of a single item"
