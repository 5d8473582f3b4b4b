"""What a draft must pass before a person sees it."""

from functools import cache
from pathlib import Path

import pytest
import yaml

import winoglot as wg
from cases import for_each, listed
from winoglot.languages.base import function_words
from winoglot.languages.rewriting import REWRITINGS
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.serialise import serialise_schema
from winoglot.writing import conversation
from winoglot.writing.acceptance import RefusedError, accepted, translated

LANGUAGES = ("en", "pt", "fr", "es", "it", "de", "ru", "zh", "ja")
PROMPTS = Path(conversation.__file__).parent / "prompts"


def schema_of(language, text, candidates):
    entry = {"id": "x", "text": text, "candidates": candidates, "answers": [0, 1]}
    return parse_schema(entry, function_words(language)).in_language(language)


@cache
def task(name):
    return yaml.safe_load((PROMPTS / f"{name}.yaml").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", REWRITINGS)
def test_the_examples_that_models_are_shown_pass_in_every_language(kind):
    examples = task(kind)["examples"]
    assert tuple(examples) == LANGUAGES
    for language, shown in examples.items():
        for example in shown:
            entry = {"text": example["draft"]}
            if "new_candidates" in example:
                entry["candidates"] = example["new_candidates"]
            variants = accepted(schema_of(language, example["text"], example["candidates"]), kind, entry, language)
            assert [variant.answer for variant in variants] == [0, 1]
            assert {variant.kind for variant in variants} == {kind}


def test_the_examples_of_translations_pass_between_all_languages():
    examples = task("translation")["examples"]
    assert tuple(examples) == LANGUAGES
    for source, target in zip(LANGUAGES, LANGUAGES[1:] + LANGUAGES[:1], strict=True):
        for one, other in zip(examples[source], examples[target], strict=True):
            schema = schema_of(source, one["text"], one["candidates"])
            draft = translated(schema, source, dict(other), target)
            assert [item.answer for item in draft.items] == [0, 1]


@listed
def test_a_draft_that_is_no_variant_of_its_kind_is_refused(language, kind, text, candidates, draft, reason):
    text_of_draft, *new_candidates = draft.split(" / ")
    entry = {"text": text_of_draft} | ({"candidates": new_candidates} if new_candidates else {})
    with pytest.raises(RefusedError) as refusal:
        accepted(schema_of(language, text, candidates), kind, entry, language)
    assert reason in str(refusal.value)


@listed
def test_a_draft_that_is_no_translation_is_refused(target, draft, reason):
    schema = schema_of("en", "Dora visited Edith because {she} was [worried|ill].", ["Dora", "Edith"])
    text, *candidates = draft.split(" / ")
    with pytest.raises(RefusedError) as refusal:
        translated(schema, "en", {"text": text, "candidates": candidates}, target)
    assert reason in str(refusal.value)


def test_candidates_listed_in_the_order_of_the_draft_keep_their_own():
    schema = schema_of("en", "The jug chipped the plate because {it} was [heavy|thin].", ["the jug", "the plate"])
    draft = {"text": "The plate was chipped by the jug because {it} was [heavy|thin]."}
    draft["candidates"] = ["the plate", "the jug"]
    first, _ = accepted(schema, "voice", draft, "en")
    assert [candidate.text for candidate in first.candidates] == ["the jug", "the plate"]


def test_candidates_that_are_named_again_are_found_again():
    text = "Nora told Iris that Nora had won, and {she} [smiled|frowned]."
    entry = {"id": "x", "text": text, "candidates": ["Nora", "Iris"], "answers": [0, 1]}
    entry["mentions"] = [["Nora#1", "Nora#2"], ["Iris"]]
    schema = parse_schema(entry, function_words("en")).in_language("en")
    draft = {"text": "Cora told Enid that Cora had won, and {she} [smiled|frowned].", "candidates": ["Cora", "Enid"]}
    first, _ = accepted(schema, "synonym", draft, "en")
    assert [len(candidate.mentions) for candidate in first.candidates] == [2, 1]
    draft["text"] = "Cora told Enid that Enid had won, and {she} [smiled|frowned]."
    with pytest.raises(RefusedError, match="mentions 'Cora' 1 times, not 2"):
        accepted(schema, "synonym", draft, "en")


@for_each("name", ["winoglot-en", "winoglot-pt", "winoglot-fr", "winoglot-zh"])
def test_variants_that_people_have_read_mostly_pass(name):
    """What is refused of them would be refused of a model wrongly; of passives many are, since few clauses are seen."""
    collection, words = wg.load(name), function_words(wg.load(name).language)
    refusals, count = [], 0
    for schema in collection.schemas[::16]:
        for kind, entry in serialise_schema(schema, words)["variants"].items():
            if kind not in REWRITINGS or kind == "voice" or "text" not in entry:
                continue
            count += 1
            try:
                accepted(
                    schema,
                    kind,
                    {key: entry[key] for key in ("text", "candidates") if key in entry},
                    collection.language,
                )
            except RefusedError as error:
                refusals.append((schema.id, kind, str(error)))
    assert count > 50
    assert len(refusals) < 0.12 * count, refusals
