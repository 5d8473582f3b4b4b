"""The bundled collections: parallel, balanced, and nobody else's sentences."""

import re
import unicodedata

import pytest

import winoglot as wg
from winoglot.writing.skeleton import source_hash

BUNDLED = wg.load_all("winoglot")


def test_four_languages_are_parallel_item_by_item():
    assert sorted(BUNDLED) == ["en", "fr", "pt", "zh"]
    ids = [[item.parallel_id for item in collection.items] for collection in BUNDLED.values()]
    answers = [[item.answer for item in collection.items] for collection in BUNDLED.values()]
    assert all(one == ids[0] for one in ids)
    assert all(one == answers[0] for one in answers)
    assert len(set(ids[0])) == len(ids[0]) >= 200


@pytest.mark.parametrize("language", ["fr", "pt", "zh"])
def test_no_translation_is_stale(language):
    for schema in BUNDLED[language].schemas:
        source = BUNDLED["en"].schema(schema.id)
        assert schema.source is not None
        assert schema.source.hash == source_hash(source), schema.id


@pytest.mark.parametrize("language", sorted(BUNDLED))
def test_every_form_is_there_and_the_alternative_moves_the_answer(language):
    for schema in BUNDLED[language].schemas:
        assert {item.answer for item in schema.items} == {0, 1}
        assert schema.explanation
        for item in schema.items:
            assert item.question
            assert len(item.hypotheses) == 2
            assert all(candidate.mentions for candidate in item.candidates)
            assert item.candidates[0].mentions[0] < item.candidates[1].mentions[0]


@pytest.mark.parametrize("language", sorted(BUNDLED))
def test_the_notation_is_exercised(language):
    items = BUNDLED[language].items
    assert any(len(item.segment) > 1 for item in items)
    assert any(place.start == place.end for item in items for place in item.segment)
    assert any(len(candidate.mentions) > 1 for item in items for candidate in item.candidates)
    assert {"possessive", "object", "prepositional", "subject"} <= {tag for item in items for tag in item.tags}
    assert {variant.effect for variant in BUNDLED[language].variants()} == {"keeps", "flips"}


@pytest.mark.parametrize("language", sorted(BUNDLED))
def test_an_export_in_the_notation_is_as_short_as_the_file(language):
    from winoglot.formats import yaml

    assert "items:" not in yaml.write(BUNDLED[language])


def words(text):
    return re.findall(r"\w", text) if re.search(r"[一-鿿]", text) else re.findall(r"\w+", text)


def ngrams(text, size):
    tokens = words(unicodedata.normalize("NFKC", text).lower())
    return {tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}


def test_no_text_shares_seven_words_in_a_row_with_a_published_one(public_data):
    published = set()
    for path in sorted((public_data / "collections").rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            for line in re.split(r"[\n\t\"<>]", text):
                published |= ngrams(line, 7)
    assert len(published) > 100_000
    for collection in BUNDLED.values():
        for item in (*collection.items, *collection.variants()):
            assert not ngrams(item.text, 7) & published, item.text
