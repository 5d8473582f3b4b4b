import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, made_schemas, run_of
from six_schemas import six
from winoglot.metrics import consistency
from winoglot.metrics._answers import Answers
from winoglot.statistics.intervals import bootstrap_ratio


def by_hand(schemas):
    """Whether the index changed, and the schema, for each switched item that was answered twice."""
    return [
        (made.choice != choice, place)
        for place, items in enumerate(schemas)
        for made in items
        for _, choice in made.variants
        if made.candidates == 2 and made.choice is not None and choice is not None
    ]


@settings(max_examples=50)
@given(made_schemas(kinds=("switched",)))
def test_consistent_is_another_index_and_ties_stay_out(schemas):
    pairs = by_hand(schemas)
    found = consistency.estimate(run_of(schemas))
    assert found.n == len(pairs)
    if pairs:
        expected = bootstrap_ratio([p[0] for p in pairs], [1] * len(pairs), [p[1] for p in pairs])
        assert (found.value, found.low, found.high) == (expected.value, expected.low, expected.high)
    else:
        assert found.value is None


def test_ties_on_either_side_are_counted():
    items = [(0, 1), (0, 0), (None, 1), (0, None), (None, None)]
    run = run_of([[Made(choice=first, variants=(("switched", second),))] for first, second in items])
    found = run.consistency()
    assert (found.value, found.n) == (0.5, 2)
    assert found.method.endswith("; left out: 3 with an abstention on either side")


def test_two_ties_are_not_consistent():
    found = consistency.estimate(run_of([[Made(choice=None, variants=(("switched", None),))]]))
    assert found.value is None
    assert found.method.startswith("no switched items answered on both sides; left out: 1 ")


def test_no_label_is_needed():
    found = consistency.estimate(run_of([[Made(answer=None, variants=(("switched", 1),))]]))
    assert (found.value, found.n) == (1.0, 1)


def test_wrong_twice_is_consistent_too():
    assert consistency.estimate(run_of([[Made(choice=1, variants=(("switched", 0),))]])).value == 1.0


@pytest.mark.parametrize("language", ["en", "fr", "pt", "zh"])
def test_the_key_is_consistent_and_a_name_is_not(language):
    collection = six(language)
    items = (*collection.items, *collection.variants("switched"))
    assert consistency.estimate(Answers(collection, {item.id: item.answer for item in items})).value == 1.0
    assert consistency.estimate(Answers(collection, {item.id: 0 for item in items})).value == 0.0


def test_a_run_without_switched_items_has_none():
    found = consistency.estimate(run_of([[Made()]]))
    assert str(found) == "undefined, n=0, no items of kind 'switched'"


def test_a_switched_item_without_its_original_is_left_out():
    collection = six("en")
    switched = collection.variants("switched")
    found = consistency.estimate(Answers(collection, {switched[0].id: 0, switched[1].id: 0, switched[1].variant_of: 1}))
    assert found.n == 1
    assert found.method.endswith("; left out: 1 without their original")
