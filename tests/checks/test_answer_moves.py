from dataclasses import replace

import pytest

from cases import for_each
from checks.good import collection_of, good_collections, good_schemas, one, with_items
from winoglot.checks.answer_moves import check
from winoglot.checks.base import CheckContext
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema

TWO = "Ann saw Bea, and {she} [left|sang]."


def found(collection):
    return list(check(collection, CheckContext()))


@pytest.mark.parametrize("collection", good_collections(), ids=lambda collection: collection.language)
def test_good_answers_move(collection):
    assert found(collection) == []


@for_each(("language", "schema"), good_schemas())
@for_each("answer", [0, 1])
def test_answers_that_stay_are_found(language, schema, answer):
    spoilt = with_items(schema, lambda item: replace(item, answer=answer))
    (finding,) = found(collection_of(language, [spoilt]))
    assert finding.schema == schema.id
    assert repr(schema.items[0].candidates[answer].text) in finding.message


@pytest.mark.parametrize("answers", [[0, 1], [0, None], [None, None]])
def test_answers_that_move_or_are_not_known_are_none(answers):
    assert found(one(TWO, ["Ann", "Bea"], answers)) == []


def test_one_of_three_that_moves_is_enough():
    assert found(one("Ann saw Bea, and {she} [left|sang|ran].", ["Ann", "Bea"], [0, 0, 1])) == []


def test_candidates_count_by_what_they_say():
    items = [
        {"text": "Ann saw the cat, and {it} [left].", "candidates": ["Ann", "the cat"], "answer": 1},
        {"text": "Ann saw a cat, and {it} [sang].", "candidates": ["a cat", "Ann"], "answer": 0},
    ]
    schema = parse_schema({"id": "a", "items": items}, function_words("en"))
    assert len(found(collection_of("en", [schema]))) == 1
    assert found(one("My hat hid your hat, as {it} was [big|small].", ["my hat", "your hat"], mentions=[[], []])) == []
