from dataclasses import replace

from cases import for_each
from checks.good import TAGGED, collection_of, insert, with_items
from winoglot.checks.base import CheckContext
from winoglot.checks.unique_texts import check
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema


def found(*schemas, language="en"):
    return list(check(collection_of(language, schemas), CheckContext()))


def entry(number, **more):
    return parse_schema({"id": f"one-{number}", **more}, function_words("en"))


@for_each(("language", "schema"), TAGGED)
def test_a_repeated_schema_is_found(language, schema):
    copy = with_items(schema, lambda item: item, "copy")
    findings = found(schema, copy, language=language)
    assert [finding.item for finding in findings] == [item.id for item in copy.items]
    assert all("but the answer" not in finding.message for finding in findings)


@for_each(("language", "schema"), TAGGED)
def test_case_and_blanks_make_no_other_text(language, schema):
    def spaced(item):
        item = insert(item, len(item.text) - 1, " ")
        return replace(item, text=item.text.replace("'", "’").upper())

    copy = with_items(schema, spaced, "copy")
    assert len(found(schema, copy, language=language)) == len(schema.items)


@for_each(("language", "schema"), TAGGED)
def test_a_contradiction_is_named(language, schema):
    copy = with_items(schema, lambda item: replace(item, answer=1 - item.answer), "copy")
    findings = found(schema, copy, language=language)
    assert len(findings) == len(schema.items)
    assert all("but the answer" in finding.message for finding in findings)
    unlabelled = with_items(schema, lambda item: replace(item, answer=None), "copy")
    assert not any("but the answer" in finding.message for finding in found(schema, unlabelled, language=language))


def test_two_alternatives_that_are_the_same_are_found():
    text = "Rita saw Ana when {she} [sang|Sang]."
    (finding,) = found(entry(0, text=text, candidates=["Rita", "Ana"], answers=[0, 1]))
    assert (finding.schema, finding.item) == ("one-0", "one-0.1")
    assert "one-0.0" in finding.message


def test_one_text_may_ask_about_two_pronouns():
    first = entry(0, text="Rita saw Ana when {she} lost her hat.", candidates=["Rita", "Ana"], answers=[0])
    second = entry(1, text="Rita saw Ana when she lost {her} hat.", candidates=["Rita", "Ana"], answers=[0])
    assert not found(first, second)


def test_items_without_text_are_compared_by_what_they_have():
    readings = [{"readings": ["Rita left.", "Ana left."], "answer": 0}]
    pairs = [{"inferences": [{"premise": "She left.", "hypothesis": "Rita left."}]}]
    assert len(found(entry(0, items=readings), entry(1, items=readings))) == 1
    assert len(found(entry(0, items=pairs), entry(1, items=pairs))) == 1
    other = [{"inferences": [{"premise": "She left.", "hypothesis": "Ana left."}]}]
    assert not found(entry(0, items=readings), entry(1, items=pairs), entry(2, items=other))
