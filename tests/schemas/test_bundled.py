"""The bundled collections: parallel, balanced, and nobody else's sentences."""

import re
import unicodedata
from dataclasses import replace

import pytest

import winoglot as wg
from winoglot.formats import yaml
from winoglot.schemas.statistics import tag_groups

BUNDLED = wg.load_all("winoglot")
WITH_ALL_VARIANTS = ("en", "fr", "pt", "zh")  # the other languages have those of the gold part
GOLD = set.intersection(*({s.id for s in c.schemas if {*s.kinds} - {"switched"}} for c in BUNDLED.values()))
PERTURBATIONS = {"tense", "number", "gender", "voice", "relative", "adverb", "synonym"}


def test_nine_languages_are_parallel_item_by_item():
    assert sorted(BUNDLED) == ["de", "en", "es", "fr", "it", "ja", "pt", "ru", "zh"]
    answers = [{item.parallel_id: item.answer for item in collection.items} for collection in BUNDLED.values()]
    assert all(
        len(some) == len(collection.items) == 320 for some, collection in zip(answers, BUNDLED.values(), strict=True)
    )
    assert all(some == answers[0] for some in answers)


@pytest.mark.parametrize("language", sorted(BUNDLED))
def test_every_form_is_there_and_the_alternative_moves_the_answer(language):
    for schema in BUNDLED[language].schemas:
        assert {item.answer for item in schema.items} == {0, 1}
        assert schema.explanation
        assert schema.adaptation
        for item in (*schema.items, *schema.variants):
            assert item.question
            assert len(item.hypotheses) == len(item.terms.candidates) == 2
            assert all(candidate.role for candidate in item.candidates)
            if item.kind == "original":
                assert item.confidence is not None
                assert item.candidates[0].mentions[0] < item.candidates[1].mentions[0]
            else:
                assert all(reading.derived for reading in wg.readings(item, style="grammatical")), item.id
    assert "items:" not in yaml.write(BUNDLED[language])  # written as short as the file


@pytest.mark.parametrize("language", sorted(BUNDLED))
def test_every_schema_with_variants_has_all_seven_or_a_reason_why_not(language):
    schemas = [schema for schema in BUNDLED[language].schemas if {*schema.kinds} - {"switched"}]
    assert {schema.id for schema in schemas} >= GOLD
    assert len(schemas) == (160 if language in WITH_ALL_VARIANTS else len(GOLD))
    for schema in schemas:
        written = set(schema.kinds) - {"switched"}
        impossible = {one.kind for one in schema.impossible}
        assert written | impossible == PERTURBATIONS, schema.id
        assert not written & impossible, schema.id
        assert all(variant.effect == "keeps" for variant in schema.variants if variant.kind != "switched")
    many = [schema for schema in schemas if len(PERTURBATIONS & set(schema.kinds)) >= 5]
    assert len(many) >= (0.9 if language in WITH_ALL_VARIANTS else 0.7) * len(schemas)
    tags = {tag for schema in many for tag in schema.tags}
    assert tags >= {"possessive", "subject", "names", "nouns", *tag_groups()["social"]}


def test_the_gold_part_has_forty_schemas():
    assert len(GOLD) == 40


def test_a_written_reading_has_the_words_that_grammar_derives_perhaps_in_a_better_order():
    written = [one for collection in BUNDLED.values() for one in collection.variants() if any(one.readings)]
    assert written
    for variant in written:
        derived = wg.readings(replace(variant, readings=()), style="grammatical")
        for reading, own in zip(derived, variant.readings, strict=True):
            form = (lambda text: set(words(text))) if variant.language in ("es", "it") else str  # recipients move
            assert not reading.derived or form(reading.text) == form(own.text), variant.id


def words(text):
    return re.findall(r"\w", text) if re.search(r"[一-鿿]", text) else re.findall(r"\w+", text)


def ngrams(text, size):
    tokens = words(unicodedata.normalize("NFKC", text).lower())
    return {tuple(tokens[start : start + size]) for start in range(len(tokens) - size + 1)}


def test_no_text_shares_seven_words_in_a_row_with_a_published_one(public_data):
    sizes = dict.fromkeys(BUNDLED, 7) | {"ja": 14}  # of a Japanese word, a character is about half
    published = {size: set() for size in sizes.values()}
    for path in sorted((public_data / "collections").rglob("*")):
        if path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            for line in re.split(r"[\n\t\"<>]", text):
                for size in published:
                    published[size] |= ngrams(line, size)
    assert len(published[7]) > 100_000
    for language, size in sizes.items():
        for item in (*BUNDLED[language].items, *BUNDLED[language].variants()):
            assert not ngrams(item.text, size) & published[size], item.text
