from collections import Counter
from dataclasses import replace
from itertools import pairwise, product
from math import fsum, log
from random import Random

import pytest

import winoglot as wg
from cases import for_each
from checks.good import TAGGED, collection_of, insert, tagged_schemas, with_items
from six_schemas import LANGUAGES, six
from strategies import some_collections
from winoglot.checks.base import CheckContext
from winoglot.checks.near_duplicates import THRESHOLD, check
from winoglot.checks.similarity import compared_texts, nearest_texts, similar_pairs
from winoglot.languages.base import function_words
from winoglot.schemas.notation import parse_schema

good = for_each(("language", "schema"), TAGGED)


def longer(schema, language):
    """The schema with one more word at the end of each text, under another name."""
    word = "今天" if language == "zh" else " hoje" if language == "pt" else " today"
    return with_items(schema, lambda item: insert(item, len(item.text) - 1, word), "copy")


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_schemas_are_unlike_those_of_another_collection(language):
    bundled, made = wg.load(f"winoglot-{language}"), collection_of(language, tagged_schemas(language)[6:])
    assert list(check(made, CheckContext(against=(bundled,)))) == []


@good
def test_a_schema_written_twice_with_one_word_more_is_found(language, schema):
    (finding,) = check(collection_of(language, [schema, longer(schema, language)]), CheckContext())
    assert finding.schema == "copy"
    assert schema.items[int(finding.item[-1])].id in finding.message


@good
def test_the_same_in_another_collection_is_found_and_named(language, schema):
    assert not list(check(collection_of(language, [schema]), CheckContext()))  # its own items may be alike
    other = collection_of(language, [schema], name="published")
    (finding,) = check(collection_of(language, [longer(schema, language)]), CheckContext(against=(other,)))
    assert f"published {schema.id}." in finding.message


@good
def test_an_equal_text_is_left_to_unique_texts_inside_and_found_against_others(language, schema):
    copy = with_items(schema, lambda item: item, "copy")
    assert not list(check(collection_of(language, [schema, copy]), CheckContext()))
    other = collection_of(language, [schema], name="published")
    (finding,) = check(collection_of(language, [copy]), CheckContext(against=(other,)))
    assert "100%" in finding.message


TOLD = "The {} would not go through the {} in one piece because {{it}} was too [wide|narrow]."


def told_of(one, other, name="s", text=TOLD):
    entry = {"id": name, "text": text.format(one, other), "answers": [0, 1]}
    return parse_schema(entry | {"candidates": [f"the {one}", f"the {other}"]}, function_words("en"))


def test_a_schema_told_of_other_things_or_people_is_found():
    published = collection_of("en", [told_of("sofa", "garage door", "sofa-door")], name="published")
    (finding,) = check(collection_of("en", [told_of("old piano", "window")]), CheckContext(against=(published,)))
    assert "published sofa-door.0: they share 100%" in finding.message
    other_words = "The {} would not go through the {} even when turned, because {{it}} was a bit too [wide|small]."
    (finding,) = check(
        collection_of("en", [told_of("piano", "window", text=other_words)]), CheckContext(against=(published,))
    )
    assert "published sofa-door" in finding.message


def test_a_frame_that_is_shared_makes_no_copy():
    own = collection_of("en", [told_of("actor", "baker", text="The {} thanked the {} because {{he}} was [kind|sad].")])
    other = told_of("poet", "nurse", text="The {} ignored the {} because {{he}} was [late|loud].")
    assert not list(check(own, CheckContext(against=(collection_of("en", [other], name="published"),))))


def test_items_known_only_by_their_readings_are_compared_too():
    entry = {"id": "r", "items": [{"readings": ["Ana sold her old boat to the harbour master in May."], "answer": 0}]}
    only = parse_schema(entry, function_words("en"))
    text = "Ana sold {her} old boat to the harbour master in May."
    own = parse_schema({"id": "s", "text": text, "candidates": ["Ana"], "answers": [0]}, function_words("en"))
    (finding,) = check(
        collection_of("en", [own]), CheckContext(against=(collection_of("en", [only], name="published"),))
    )
    assert "published r.0" in finding.message


def test_translations_of_the_same_schemas_are_found_and_the_bundled_ones_are_not(public_data):
    folder = public_data / "collections"
    one, two = wg.load(folder / "xwinograd.tsv", language="pt"), wg.load(folder / "portuguese_wsc.html")
    found = {finding.schema for finding in check(one, CheckContext(against=(two,))) if two.name in finding.message}
    assert found == {schema.id for schema in one.schemas}
    assert not list(check(wg.load("winoglot-pt"), CheckContext(against=(one, two))))


def test_the_nearest_texts_come_first_one_a_schema():
    own, other = six("en"), collection_of("en", [*tagged_schemas("en")[:4], told_of("sofa", "door")], name="published")
    pairs = nearest_texts(own, other, 3)
    assert len(pairs) == len({pair.first.item.schema_id for pair in pairs}) == 3
    assert [pair.share for pair in pairs] == sorted((pair.share for pair in pairs), reverse=True)


def test_a_collection_is_not_compared_with_itself_nor_with_another_language():
    collection = six("en")
    assert not list(check(collection, CheckContext(against=(collection,))))
    assert list(check(collection, CheckContext(against=(replace(collection, name="other"),))))
    assert not list(check(collection, CheckContext(against=(replace(collection, name="other", language="fr"),))))


def test_short_texts_and_texts_without_words_are_compared_as_they_are():
    texts = ["{She} sang.", "{She} sang!", "{She} slept.", "{_} …", "{_} !"]
    schemas = []
    for number, text in enumerate(texts):
        entry = {"id": f"s{number}", "text": text, "candidates": ["X"], "mentions": [[]], "answers": [0]}
        schemas.append(parse_schema(entry, function_words("en")))
    (finding,) = check(collection_of("en", schemas), CheckContext())
    assert (finding.item, "s0.0" in finding.message) == ("s1.0", True)


@pytest.mark.parametrize("least", [0.05, THRESHOLD, 1.0])
def test_looking_up_only_heavy_features_loses_no_pair(least):
    made = some_collections()
    for one, other in pairwise(made):
        these, those = compared_texts(one), compared_texts(other) + compared_texts(one)
        counts = Counter(feature for text in these + those for feature in text.features)
        weights = {feature: log((1000 + len(these) + len(those)) / count) for feature, count in counts.items()}
        found = {(id(pair.first), id(pair.other)): pair.share for pair in similar_pairs(these, those, least)}
        for a, b in product(these, those):
            share = fsum(map(weights.get, a.features & b.features)) / fsum(map(weights.get, a.features | b.features))
            if abs(share - least) > 1e-6:
                assert ((id(a), id(b)) in found) == (share > least)
            assert found.get((id(a), id(b)), share) == pytest.approx(share)


def random_collection(name, size, seed):
    """Texts of a few hundred words, so that many share runs."""
    random = Random(seed)
    words = [f"w{number}" for number in range(300)]
    entry = {"id": "s", "text": "Rita met Ana because {she} was here.", "candidates": ["Rita", "Ana"], "answers": [0]}
    schema = parse_schema(entry, function_words("en"))

    def at_random(item):
        return replace(item, text="Rita met Ana because she was " + " ".join(random.sample(words, 12)))

    return collection_of("en", [with_items(schema, at_random, f"s{number}") for number in range(size)], name)


def test_thousands_of_items_are_compared_without_comparing_every_pair():
    """Two million pairs would take a minute."""
    own, other = random_collection("own", 1000, 1), random_collection("other", 2000, 2)
    assert not list(check(own, CheckContext(against=(other,))))
