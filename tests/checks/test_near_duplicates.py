import time
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given

import winoglot as wg
from checks.good_more import ALL, LANGUAGES, collection_of, good_collections, good_schemas, insert, with_items
from six_schemas import six
from strategies import collections
from winoglot.checks.base import Context
from winoglot.checks.near_duplicates import THRESHOLD, _all_runs, _near, check
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema

good = pytest.mark.parametrize(("language", "schema"), ALL, ids=lambda value: getattr(value, "id", value))


def longer(schema, language):
    """The schema with one more word at the end of each text, under another name."""
    word = "今天" if language == "zh" else " hoje" if language == "pt" else " today"
    return with_items(schema, lambda item: insert(item, len(item.text) - 1, word), "copy")


@pytest.mark.parametrize("collection", good_collections(), ids=lambda collection: collection.language)
def test_good_schemas_are_all_different(collection):
    assert list(check(collection, Context())) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_schemas_are_unlike_those_of_another_collection(language):
    bundled, made = wg.load(f"winoglot-{language}"), collection_of(language, good_schemas(language)[6:])
    assert list(check(made, Context(against=(bundled,)))) == []


@good
def test_a_schema_written_twice_with_one_word_more_is_found(language, schema):
    (finding,) = check(collection_of(language, [schema, longer(schema, language)]), Context())
    assert finding.schema == "copy"
    assert schema.items[int(finding.item[-1])].id in finding.message


@good
def test_the_same_in_another_collection_is_found_and_named(language, schema):
    other = collection_of(language, [schema], name="published")
    (finding,) = check(collection_of(language, [longer(schema, language)]), Context(against=(other,)))
    assert f"published {schema.id}." in finding.message


@good
def test_an_equal_text_is_left_to_unique_texts_inside_and_found_against_others(language, schema):
    copy = with_items(schema, lambda item: item, "copy")
    assert not list(check(collection_of(language, [schema, copy]), Context()))
    other = collection_of(language, [schema], name="published")
    (finding,) = check(collection_of(language, [copy]), Context(against=(other,)))
    assert "100%" in finding.message


def test_items_of_one_schema_may_be_alike():
    schema = good_schemas("en")[0]
    assert not list(check(collection_of("en", [schema]), Context()))


def test_a_collection_is_not_compared_with_itself_nor_with_another_language():
    collection = six("en")
    assert not list(check(collection, Context(against=(collection,))))
    assert list(check(collection, Context(against=(replace(collection, name="other"),))))
    assert not list(check(collection, Context(against=(replace(collection, name="other", language="fr"),))))


def test_short_texts_and_texts_without_words_are_compared_as_they_are():
    texts = ["{She} sang.", "{She} sang!", "{She} slept.", "{_} …", "{_} !"]
    schemas = []
    for number, text in enumerate(texts):
        entry = {"id": f"s{number}", "text": text, "candidates": ["X"], "mentions": [[]], "answers": [0]}
        schemas.append(parse_schema(entry, function_words("en")))
    (finding,) = check(collection_of("en", schemas), Context())
    assert (finding.item, "s0.0" in finding.message) == ("s1.0", True)


@given(collections(), collections())
def test_looking_up_only_rare_runs_loses_no_pair(one, other):
    these, those = _all_runs(one), _all_runs(other) + _all_runs(one)
    every = {
        (id(a.item), id(b.item))
        for a in these
        for b in those
        if len(a.runs & b.runs) / len(a.runs | b.runs) >= THRESHOLD
    }
    assert {(id(pair.item), id(pair.other)) for pair in _near(these, those)} == every


def random_collection(name, size, seed):
    """Texts of a few hundred words, so that many share runs."""
    random = Random(seed)
    words = [f"w{number}" for number in range(300)]
    entry = {"id": "s", "text": "Rita met Ana because {she} was here.", "candidates": ["Rita", "Ana"], "answers": [0]}
    schema = parse_schema(entry, function_words("en"))

    def at_random(item):
        return replace(item, text="Rita met Ana because she was " + " ".join(random.sample(words, 12)))

    return collection_of("en", [with_items(schema, at_random, f"s{number}") for number in range(size)], name)


def test_thousands_of_items_take_seconds():
    own, other = random_collection("own", 2300, 1), random_collection("other", 4000, 2)
    start = time.perf_counter()
    assert not list(check(own, Context(against=(other,))))
    assert time.perf_counter() - start < 10  # about one on an idle machine


@given(collections(), collections())
def test_never_crashes(collection, other):
    list(check(collection, Context(against=(other,))))
