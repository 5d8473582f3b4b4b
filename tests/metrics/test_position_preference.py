from dataclasses import replace

import pytest
from hypothesis import given, settings

from metrics.made_runs import Made, collection_of, made_schemas, run_of
from six_schemas import six
from winoglot.metrics import position_preference
from winoglot.metrics._answers import Answers
from winoglot.metrics.position_preference import first_mentioned


@settings(max_examples=50)
@given(made_schemas(kinds=("segment-masked",)))
def test_it_is_the_share_of_first_mentions_among_the_answers(schemas):
    choices = [
        choice
        for items in schemas
        for made in items
        for _, choice in made.variants
        if made.candidates == 2 and choice is not None
    ]
    found = position_preference.estimate(run_of(schemas))
    assert found.n == len(choices)
    assert found.value == (pytest.approx(choices.count(0) / len(choices)) if choices else None)


def test_the_order_is_that_of_the_text_and_not_of_the_candidates():
    item = collection_of([[Made()]]).items[0]
    assert first_mentioned(item) == 0
    assert first_mentioned(replace(item, candidates=item.candidates[::-1])) == 1
    bare = tuple(replace(candidate, mentions=()) for candidate in item.candidates)
    assert first_mentioned(replace(item, candidates=(item.candidates[0], bare[1]))) is None
    same = tuple(replace(candidate, mentions=item.candidates[0].mentions) for candidate in item.candidates)
    assert first_mentioned(replace(item, candidates=same)) is None


def test_on_the_originals_the_key_prefers_neither_place():
    collection = six("pt")
    found = position_preference.estimate(Answers(collection, {i.id: i.answer for i in collection.items}), None)
    assert (found.value, found.n) == (0.5, 12)


def test_without_the_kind_it_is_undefined():
    assert position_preference.estimate(run_of([[Made()]])).method == "no items of kind 'segment-masked'"
