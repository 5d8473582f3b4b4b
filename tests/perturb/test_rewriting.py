"""Variants by rule in English, Portuguese, French and Chinese: what is produced, proposed and refused."""

import re
from dataclasses import replace
from functools import cache
from importlib import import_module

import pytest

import winoglot as wg
from cases import for_each, listed
from items import schema
from winoglot import registry
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.languages.rewriting import has_rule
from winoglot.perturb.base import Context, Proposed, derived_variants, with_variants
from winoglot.schemas.model import Collection

KINDS = ("adverb", "gender", "number", "relative", "synonym", "tense", "voice")
BUNDLED = {"winoglot-en": 3, "winoglot-pt": 8, "winoglot-fr": 8, "winoglot-zh": 1}  # every n-th schema is tried
LEAST_IN_CHINESE = {"voice": 0.06, "tense": 0.17, "adverb": 0.39}  # of the schemas; the others 0.4


def made(kind, language, text, candidates, seed=0):
    """The variants of a schema, or what is proposed."""
    source = schema(text, candidates, language)
    whole = Collection(name="tests", language=language, schemas=(source,))
    return derived_variants(source, kind, registry.load("perturbations", kind).perturb, Context(whole, seed))


def texts(variants):
    """The text of each variant, with its pronoun marked."""
    return ["{}{{{}}}{}".format(*variant.parts) for variant in variants]


@listed
def test_a_sentence_is_rewritten_drafted_or_refused(kind, language, text, candidates, result, expected):
    """Refused or proposed for a reason, or with these texts; where a case has one text, it is the first variant's."""
    if result == "refused":
        with pytest.raises(NotDerivedError, match=expected):
            made(kind, language, text, candidates)
        return
    variants = made(kind, language, text, candidates)
    assert isinstance(variants, Proposed) == (result != "produced"), getattr(variants, "reason", "")
    if result == "proposed":
        assert expected in variants.reason
        return
    variants = variants.variants if result == "drafted" else variants
    assert texts(variants)[: len(expected)] == expected
    if (kind, language) == ("voice", "en"):
        for candidate, name in zip(variants[0].candidates, candidates, strict=True):
            assert [mention.of(variants[0].text).lower() for mention in candidate.mentions] == [name.lower()]


@for_each("language", ["pt", "fr"])
def test_synonyms_keep_the_gender_and_counterparts_change_it(language):
    table = lexicon(language, "vocabulary")
    genders = {noun: shown.gender for noun, shown in table.features().items()}
    for noun, synonyms in table.values("synonym").items():
        assert noun not in synonyms
        assert all(genders[synonym] in (genders[noun], "common") for synonym in synonyms), noun
    for noun, others in table.values("counterpart").items():
        assert all({genders[noun], genders[other]} == {"masculine", "feminine"} for other in others), noun


@for_each("language", ["pt", "fr"])
def test_clauses_inflect_and_adverbs_go_with_known_verbs(language):
    rules = import_module(f"winoglot.languages.{language}.rewriting").RULES
    adverbs = lexicon(language, "adverbs")
    for key in ("manner-of-people", "manner-of-anything", "negated"):
        verbs = {verb.removeprefix("se ").removeprefix("s'") for verb in adverbs.values(key)}
        assert verbs <= rules.verbs.infinitives
    entries = [entry for entries in lexicon(language, "clauses").entries.values() for entry in entries]
    for entry in entries:
        if "said-of" in entry.values:
            for clause in (entry.form, *entry.values.get("now", ())):
                verb = next(word for word in clause.split() if rules.verbs.finite(word))
                assert rules.finite_in_number(verb, "plural") is not None, clause
    topics = {topic for entry in entries if "said-of" not in entry.values for topic in entry.values.get("about", ())}
    assert topics == {topic for entry in entries for topic in entry.values.get("about", ())}


@cache
def derived(name, kind, seed=3):
    """Variants of a kind for some schemas of a bundled collection, which has none before."""
    whole = wg.load(name)
    bare = tuple(replace(source, variants=(), impossible=()) for source in whole.schemas[:: BUNDLED[name]])
    whole = replace(whole, schemas=bare)
    perturb = registry.load("perturbations", kind).perturb
    return with_variants(whole, kind, perturb, {source.id for source in bare}, seed)


def is_whole(text, place):
    """Whether a place begins and ends where words do."""
    edges = (text[place.start - 1 : place.start + 1], text[place.end - 1 : place.end + 1])
    is_cut = any(len(edge) == 2 and edge.isalpha() and edge.isascii() for edge in edges)
    return not is_cut and place.of(text) == place.of(text).strip().lstrip("'’")


@pytest.mark.parametrize("name", BUNDLED)
@for_each("kind", KINDS)
def test_variants_of_the_bundled_collections_hold_together(name, kind):
    if not has_rule(wg.load(name).language, kind):
        assert (name, kind) in {("winoglot-pt", "voice"), ("winoglot-fr", "voice")}
        return
    result = derived(name, kind)
    variants = [(variant, source) for source in result.collection.schemas for variant in source.variants]
    for source in result.collection.schemas:
        drafts = result.proposed[source.id].variants if source.id in result.proposed else ()
        variants += [(variant, source) for variant in drafts]
    assert variants
    for variant, source in variants:
        item = next(item for item in source.items if item.id == variant.variant_of)
        text = variant.text
        assert text != item.text
        assert variant.answer == item.answer
        assert variant.pronoun.of(text)
        assert not re.search("  |,,", text)
        assert [bool(place.of(text)) for place in variant.segment] == [bool(p.of(item.text)) for p in item.segment]
        for old, new in zip(item.candidates, variant.candidates, strict=True):
            assert len(new.mentions) == len(old.mentions)
            for before, after in zip(old.mentions, new.mentions, strict=True):
                assert is_whole(text, after), after.of(text)
                if before.of(item.text).lower() == old.text.lower() and name == "winoglot-en":
                    assert after.of(text).lower() == new.text.lower()
            if name in ("winoglot-pt", "winoglot-fr"):
                noun = new.text.split()[-1].split("'")[-1]
                assert all(noun in mention.of(text) for mention in new.mentions)


@for_each("kind", KINDS)
def test_rules_produce_enough_in_chinese(kind):
    schemas = derived("winoglot-zh", kind).collection.schemas
    produced = [source for source in schemas if source.variants]
    assert len(produced) >= LEAST_IN_CHINESE.get(kind, 0.4) * len(schemas)
    proposed = derived("winoglot-zh", kind).proposed
    assert len({source.id for source in produced} | proposed.keys()) >= 0.1 * len(schemas)


@for_each("name", BUNDLED)
def test_the_same_seed_draws_the_same_and_another_does_not(name):
    first = derived(name, "synonym").collection
    derived.cache_clear()
    assert derived(name, "synonym").collection == first
    assert derived(name, "synonym", 1).collection != first
