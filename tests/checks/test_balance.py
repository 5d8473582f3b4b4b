import pytest

from cases import for_each, listed
from checks.good import TAGGED, collection_of, single, tagged_schemas
from winoglot.checks.balance import check
from winoglot.checks.base import CheckContext, NotRun
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema

SCHEMAS = [schema for _, schema in TAGGED]
starts = for_each("start", range(len(SCHEMAS)))
SIZE = 24


def singles(start, answer):
    """A collection of single items that begins with this schema; schemas are told apart by number."""
    chosen = [SCHEMAS[(start + number) % len(SCHEMAS)] for number in range(SIZE)]
    return collection_of("tlh", [single(schema, answer(number), f"s{number}") for number, schema in enumerate(chosen)])


@starts
def test_one_sided_answers_are_found(start):
    (finding,) = check(singles(start, lambda number: 1), CheckContext())
    assert f"in 0 of {SIZE} schemas" in finding.message
    assert (finding.schema, finding.item) == (None, None)
    assert not list(check(singles(start, lambda number: number % 2), CheckContext()))


def test_the_threshold_is_one_in_a_hundred():
    assert list(check(singles(0, lambda number: int(number >= 5)), CheckContext()))
    assert not list(check(singles(0, lambda number: int(number >= 6)), CheckContext()))


@starts
def test_the_first_mention_is_counted_apart_from_the_index(start):
    """Half of the schemas list their candidates in the other order, and the first mentioned one is always right."""
    collection = singles(start, lambda number: 0)
    schemas = []
    for number, schema in enumerate(collection.schemas):
        item = schema.items[0]
        if number % 2:
            object.__setattr__(item, "candidates", item.candidates[::-1])
            object.__setattr__(item, "answer", 1)
        schemas.append(schema)
    (finding,) = check(collection_of("tlh", schemas), CheckContext())
    assert "mentioned first" in finding.message


def test_items_without_an_order_of_mention_say_nothing_about_it():
    uncle = {"text": "Joe's uncle beat him as {he} ran.", "candidates": ["Joe", "Joe's uncle"]}
    uncle["mentions"] = [["Joe"], ["Joe's uncle"]]
    unread = {"items": [{"readings": ["Joe ran.", "Tom ran."], "answer": 0}]}
    schemas = []
    for number in range(SIZE):
        entries = [{**uncle, "answers": [number // 2 % 2]}, unread]
        schemas.append(parse_schema({"id": f"s{number}", **entries[number % 2]}, function_words("tlh")))
    findings = [finding.message for finding in check(collection_of("tlh", schemas), CheckContext())]
    assert not any("mentioned first" in message for message in findings)


def test_few_or_unlabelled_items_are_not_tested():
    with pytest.raises(NotRun, match="labelled items with two candidates, found 12"):
        list(check(collection_of("en", tagged_schemas("en")[:6]), CheckContext()))
    with pytest.raises(NotRun, match="labelled items with two candidates, found 0"):
        list(check(singles(0, lambda number: None), CheckContext()))


def framed(text, count, language):
    """A collection of 20 schemas, some of which have the same frame."""
    schemas = []
    for number in range(20):
        more = "" if number < count else " because of" * (number - count + 1)
        entry = {"id": f"s{number}", "text": text + more + ".", "candidates": ["Rita", "Ana"], "answers": [number % 2]}
        schemas.append(parse_schema(entry, function_words(language)))
    return collection_of(language, schemas)


@for_each("count", range(4, 21))
def test_a_frame_of_more_than_15_percent_is_found(count):
    (finding,) = check(framed("Rita met Ana when {she} sang", count, "en"), CheckContext())
    assert f"{count} of 20 schemas" in finding.message
    assert "'X X when P'" in finding.message


@listed
def test_a_rare_frame_and_texts_without_small_words_are_fine(text, count, language):
    assert not list(check(framed(text, count, language), CheckContext()))
