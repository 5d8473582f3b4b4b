"""The bundled collection is varied: no frame, role, gender or place of the segment carries it."""

import runpy
from collections import Counter
from pathlib import Path

import pytest

import winoglot as wg
from winoglot.languages.agreement import features_of, features_of_pronoun
from winoglot.languages.text import sentences
from winoglot.schemas.statistics import KNOWLEDGE, tag_groups

VARIETY = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "variety.py"))
BUNDLED = wg.load_all("winoglot")
LANGUAGES = sorted(BUNDLED)
PLURAL_IN_ENGLISH = {"they", "them", "their", "theirs"}


def share(language, holds):
    schemas = BUNDLED[language].schemas
    return sum(map(holds, schemas)) / len(schemas)


def first(schema):
    return schema.items[0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_schema_says_what_it_is_about(language):
    for schema in BUNDLED[language].schemas:
        tags = set(schema.tags)
        assert any(tags.intersection(tag_groups()[group]) for group in KNOWLEDGE), schema.id
        assert len(tags & {"names", "nouns"}) == 1, schema.id
        assert len(tags & {"subject", "object", "possessive", "prepositional"}) == 1, schema.id


@pytest.mark.parametrize("language", LANGUAGES)
def test_candidates_pronouns_lengths_answers_and_segments_vary(language):
    found = VARIETY["measures"](BUNDLED[language])
    assert {name: value for name, (value, _, kept) in found.items() if not kept} == {}  # limits of the benchmark
    assert share(language, lambda schema: "nouns" in first(schema).tags) >= 0.35
    assert share(language, lambda schema: "subject" not in first(schema).tags) >= 0.25
    assert share(language, lambda schema: len(sentences(first(schema).text, language)) > 1) >= 0.10
    assert share(language, lambda schema: "switchable" in first(schema).tags) >= 0.45
    for tag in tag_groups()["social"]:
        assert share(language, lambda schema, tag=tag: tag in first(schema).tags) >= 0.04
    assert 0.45 <= share(language, lambda schema: first(schema).answer == 0) <= 0.55
    assert share(language, lambda schema: first(schema).segment[0].end <= first(schema).pronoun.start) >= 0.05


def is_thing(schema):
    """Chinese writes things with a pronoun of their own, in the plural too; the situation is the same everywhere."""
    (chinese,) = (one for one in BUNDLED["zh"].schemas if one.parallel_id == schema.parallel_id)
    return "它" in first(chinese).pronoun.of(first(chinese).text)


def kind(schema):
    """Woman, man, thing or plural, by the pronoun, or by the candidates where it does not tell (*sua*, *lui*)."""
    item = first(schema)
    if is_thing(schema):
        return "thing"
    if item.pronoun.of(item.text).lower() in PLURAL_IN_ENGLISH and item.language == "en":
        return "plural"
    shown = [features_of_pronoun(item, item.language)]
    shown += [features_of(candidate, item, item.language) for candidate in item.candidates]
    if next((one.number.value for one in shown if one.number.value), None) == "plural":
        return "plural"
    genders = [one.gender.value for one in shown if one.gender.value in {"feminine", "masculine"}]
    return {"feminine": "woman", "masculine": "man"}[genders[0]] if genders else "either"


@pytest.mark.parametrize("language", LANGUAGES)
def test_women_and_men_are_balanced_and_there_are_things(language):
    counts = Counter(map(kind, BUNDLED[language].schemas))
    total = len(BUNDLED[language].schemas)
    assert 4 / 5 <= counts["woman"] / counts["man"] <= 5 / 4, counts
    assert 0.15 * total <= counts["thing"] <= 0.35 * total, counts
