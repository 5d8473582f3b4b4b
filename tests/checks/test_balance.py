from contextlib import suppress
from fractions import Fraction
from math import factorial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from checks.good_more import ALL, collection_of, good_collections, good_schemas, single
from strategies import collections
from winoglot.checks._chance import chance
from winoglot.checks.balance import check
from winoglot.checks.base import Context, NotRun
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema

SCHEMAS = [schema for _, schema in ALL]
starts = pytest.mark.parametrize("start", range(len(SCHEMAS)))
SIZE = 24


def singles(start, answer):
    """A collection of single items that begins with this schema; schemas are told apart by number."""
    chosen = [SCHEMAS[(start + number) % len(SCHEMAS)] for number in range(SIZE)]
    return collection_of("tlh", [single(schema, answer(number), f"s{number}") for number, schema in enumerate(chosen)])


@pytest.mark.parametrize("collection", good_collections(), ids=lambda collection: collection.language)
def test_pairs_are_balanced_by_construction(collection):
    assert list(check(collection, Context())) == []


@starts
def test_one_sided_answers_are_found(start):
    (finding,) = check(singles(start, lambda number: 1), Context())
    assert f"in 0 of {SIZE} schemas" in finding.message
    assert (finding.schema, finding.item) == (None, None)


@starts
def test_even_answers_are_not(start):
    assert not list(check(singles(start, lambda number: number % 2), Context()))


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
    (finding,) = check(collection_of("tlh", schemas), Context())
    assert "mentioned first" in finding.message


def test_items_without_an_order_of_mention_say_nothing_about_it():
    uncle = {"text": "Joe's uncle beat him as {he} ran.", "candidates": ["Joe", "Joe's uncle"]}
    uncle["mentions"] = [["Joe"], ["Joe's uncle"]]
    unread = {"items": [{"readings": ["Joe ran.", "Tom ran."], "answer": 0}]}
    schemas = []
    for number in range(SIZE):
        entries = [{**uncle, "answers": [number // 2 % 2]}, unread]
        schemas.append(parse_schema({"id": f"s{number}", **entries[number % 2]}, function_words("tlh")))
    findings = [finding.message for finding in check(collection_of("tlh", schemas), Context())]
    assert not any("mentioned first" in message for message in findings)


def test_the_threshold_is_one_in_a_hundred():
    assert chance(5, 24) < 0.01 < chance(6, 24)
    assert list(check(singles(0, lambda number: int(number >= 5)), Context()))
    assert not list(check(singles(0, lambda number: int(number >= 6)), Context()))


@given(st.integers(0, 60).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_chance_is_the_sum_over_all_outcomes_as_uneven(numbers):
    count, total = numbers

    def probability(successes):
        return Fraction(factorial(total), factorial(successes) * factorial(total - successes) * 2**total)

    uneven = abs(2 * count - total)
    assert chance(count, total) == pytest.approx(
        float(sum(probability(k) for k in range(total + 1) if abs(2 * k - total) >= uneven))
    )


def test_chance_of_many():
    assert chance(0, 2000) == 0.0
    assert chance(1000, 2000) == 1.0


def test_few_or_unlabelled_items_are_not_tested():
    with pytest.raises(NotRun, match="12 labelled items"):
        list(check(collection_of("en", good_schemas("en")[:6]), Context()))
    with pytest.raises(NotRun, match="0 labelled items"):
        list(check(singles(0, lambda number: None), Context()))


def framed(text, count, language):
    """A collection of 20 schemas, some of which have the same frame."""
    schemas = []
    for number in range(20):
        more = "" if number < count else " because of" * (number - count + 1)
        entry = {"id": f"s{number}", "text": text + more + ".", "candidates": ["Rita", "Ana"], "answers": [number % 2]}
        schemas.append(parse_schema(entry, function_words(language)))
    return collection_of(language, schemas)


@pytest.mark.parametrize("count", range(4, 21))
def test_a_frame_of_more_than_15_percent_is_found(count):
    (finding,) = check(framed("Rita met Ana when {she} sang", count, "en"), Context())
    assert f"{count} of 20 schemas" in finding.message
    assert "'X X when P'" in finding.message


def test_a_frame_of_15_percent_is_not_and_unknown_languages_have_no_frames():
    assert not list(check(framed("Rita met Ana when {she} sang", 3, "en"), Context()))
    assert not list(check(framed("Rita met Ana when {she} sang", 20, "tlh"), Context()))


@given(collections())
def test_never_crashes(collection):
    with suppress(NotRun):
        list(check(collection, Context()))
