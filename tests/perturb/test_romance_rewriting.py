"""Portuguese and French variants by rule: what is produced, proposed and refused, on sentences of our own."""

from dataclasses import replace
from functools import cache

import pytest

import winoglot as wg
from cases import for_each, listed
from items import schema
from winoglot import registry
from winoglot.languages.base import NotDerivedError
from winoglot.languages.lexicon import lexicon
from winoglot.perturb.base import Context, Proposed, derived_variants, with_variants
from winoglot.schemas.model import Collection

KINDS = ("adverb", "gender", "number", "relative", "synonym", "tense", "voice")
BUNDLED = ("winoglot-pt", "winoglot-fr")


def made(kind, language, text, candidates):
    """The variants of a schema, or what is proposed."""
    one = schema(text, candidates, language)
    whole = Collection(name="tests", language=language, schemas=(one,))
    return derived_variants(one, kind, registry.load("perturbations", kind).perturb, Context(whole))


def texts(found):
    """The text of each variant, with its pronoun marked."""
    return ["{}{{{}}}{}".format(*variant.parts) for variant in found]


@listed
def test_rules_produce_variants(kind, language, text, candidates, expected):
    found = made(kind, language, text, candidates)
    assert not isinstance(found, Proposed), found.reason
    assert texts(found) == expected


@listed
def test_every_agreeing_word_of_a_chain_changes_and_adverbs_fit(kind, language, text, names, expected):
    found = made(kind, language, text, names.split())
    assert not isinstance(found, Proposed), found.reason
    assert texts(found) == [expected]


@listed
def test_drafts_show_what_is_likely(kind, language, text, names, expected):
    found = made(kind, language, text, names.split())
    assert isinstance(found, Proposed)
    assert texts(found.variants) == [expected]


@listed
def test_what_is_unsure_is_proposed(kind, language, text, candidates, doubt):
    found = made(kind, language, text, candidates)
    assert isinstance(found, Proposed)
    assert doubt in found.reason


@listed
def test_tense_and_voice_are_proposed(kind, language, text, candidates, expected):
    found = made(kind, language, text, candidates)
    assert isinstance(found, Proposed)
    assert texts(found.variants) == [expected]


@listed
def test_what_the_rules_cannot_do_is_refused(kind, language, text, candidates, reason):
    with pytest.raises(NotDerivedError, match=reason):
        made(kind, language, text, candidates)


@for_each("language", ["pt", "fr"])
def test_synonyms_keep_the_gender_and_counterparts_change_it(language):
    table = lexicon(language, "vocabulary")
    genders = {noun: shown.gender for noun, shown in table.features().items()}
    for noun, synonyms in table.values("synonym").items():
        assert noun not in synonyms
        assert all(genders[one] in (genders[noun], "common") for one in synonyms), noun
    for noun, others in table.values("counterpart").items():
        assert all({genders[noun], genders[one]} == {"masculine", "feminine"} for one in others), noun


def is_whole(text, place):
    """Whether a place begins and ends where words do."""
    edges = (text[place.start - 1 : place.start + 1], text[place.end - 1 : place.end + 1])
    is_cut = any(len(edge) == 2 and edge.isalpha() for edge in edges)
    return not is_cut and place.of(text) == place.of(text).strip().lstrip("'’")


@cache
def bundled(name):
    """A bundled collection without its variants."""
    whole = wg.load(name)
    return replace(whole, schemas=tuple(replace(one, variants=(), impossible=()) for one in whole.schemas))


@for_each(("name", "kind"), [(name, kind) for name in BUNDLED for kind in KINDS])
def test_variants_of_the_bundled_collections_hold_together(name, kind):
    whole = replace(bundled(name), schemas=bundled(name).schemas[::8])
    perturb = registry.load("perturbations", kind).perturb
    among = {one.id for one in whole.schemas}
    found = with_variants(whole, kind, perturb, among, seed=3)
    again = with_variants(whole, kind, perturb, among, seed=3)
    assert found.collection == again.collection
    proposed = [(found.proposed[one.id].variants, one) for one in whole.schemas if one.id in found.proposed]
    for variants, one in (*((made.variants, made) for made in found.collection.schemas), *proposed):
        for variant, item in zip(variants, one.items, strict=False):
            assert variant.text != item.text
            assert variant.pronoun.of(variant.text)
            assert [bool(place.of(variant.text)) for place in variant.segment] == [
                bool(place.of(item.text)) for place in item.segment
            ]
            for place in (variant.pronoun, *(one for found in variant.candidates for one in found.mentions)):
                assert is_whole(variant.text, place), place.of(variant.text)
            for candidate in variant.candidates:
                noun = candidate.text.split()[-1].split("'")[-1]
                assert all(noun in mention.of(variant.text) for mention in candidate.mentions)
