from dataclasses import replace

from cases import for_each
from checks.good import collection_of, findings_of, good_schemas, one, with_items
from winoglot.checks.answer_moves import check
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema

TWO = "Ann saw Bea, and {she} [left|sang]."


found = findings_of(check)


@for_each(("language", "schema"), good_schemas())
@for_each("answer", [0, 1])
def test_answers_that_stay_are_found(language, schema, answer):
    spoilt = with_items(schema, lambda item: replace(item, answer=answer))
    (finding,) = found(collection_of(language, [spoilt]))
    assert finding.schema == schema.id
    assert repr(schema.items[0].candidates[answer].text) in finding.message


def test_answers_that_move_or_are_not_known_are_none():
    for answers in ([0, 1], [0, None], [None, None]):
        assert found(one(TWO, ["Ann", "Bea"], answers)) == []
    assert found(one("Ann saw Bea, and {she} [left|sang|ran].", ["Ann", "Bea"], [0, 0, 1])) == []


def test_candidates_count_by_what_they_say():
    items = [
        {"text": "Ann saw the cat, and {it} [left].", "candidates": ["Ann", "the cat"], "answer": 1},
        {"text": "Ann saw a cat, and {it} [sang].", "candidates": ["a cat", "Ann"], "answer": 0},
    ]
    schema = parse_schema({"id": "a", "items": items}, function_words("en"))
    assert len(found(collection_of("en", [schema]))) == 1
    assert found(one("My hat hid your hat, as {it} was [big|small].", ["my hat", "your hat"], mentions=[[], []])) == []
