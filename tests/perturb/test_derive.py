"""Kinds derived for whole schemas: proposals, composition, the controls that need other schemas or a seed."""

from __future__ import annotations

import pytest

import winoglot as wg
from cases import listed
from winoglot.errors import InputError
from winoglot.languages.readings import readings
from winoglot.perturb.base import Proposed, derive, with_kinds
from work import bounded

LANGUAGES = ("en", "pt", "fr", "zh")
PROPOSING = """
from winoglot.languages.base import NotDerivedError
from winoglot.perturb.base import Proposed, variant_of

def perturb(schema, context):
    if schema.id.startswith("t"):
        raise NotDerivedError("it begins with t")
    made = tuple(variant_of(item, "toy", "keeps", []) for item in schema.items)
    return Proposed(made, f"seed {context.seed} of {context.collection.name}") if schema.id[0] < "m" else made
"""


@pytest.fixture(scope="module", params=LANGUAGES)
def collection(request):
    return wg.load(f"winoglot-{request.param}")[:40]


def test_a_perturbation_sees_schema_collection_and_seed_and_may_propose(outside):
    outside("perturbations", "toy", PROPOSING)
    small = wg.load("winoglot-en")[:30]
    derived = derive(small, "toy", seed=3)
    assert set(derived.refused) == {schema.id for schema in small if schema.id[0] == "t"}
    assert set(derived.refused.values()) == {"it begins with t"}
    assert set(derived.proposed) == {schema.id for schema in small if schema.id[0] < "m"}
    assert all(isinstance(one, Proposed) for one in derived.proposed.values())
    assert {one.reason for one in derived.proposed.values()} == {"seed 3 of winoglot-en"}
    made = {schema.id for schema in derived.collection.schemas if "toy" in schema.kinds}
    assert made == {schema.id for schema in small} - set(derived.proposed) - set(derived.refused)


def test_a_perturbation_that_only_proposes_or_forgets_an_item_has_no_variants_and_says_why(outside):
    forgetful = (
        "from winoglot.perturb.base import variant_of\n"
        "def perturb(schema, context):\n    return (variant_of(schema.items[0], 'forgetful', 'keeps', []),)\n"
    )
    outside("perturbations", "toy", PROPOSING.replace('< "m"', '< "~"'))
    outside("perturbations", "forgetful", forgetful)
    for kind, reason in (("toy", "seed 0 of winoglot-en"), ("forgetful", "returned 1 variants for")):
        with pytest.raises(InputError, match=f"no schema of winoglot-en has a variant of kind '{kind}'") as caught:
            with_kinds(wg.load("winoglot-en")[:10], [kind])
        assert reason in caught.value.remedy


def test_what_cannot_be_derived_is_refused():
    english = wg.load("winoglot-en")
    for call, message in (
        (lambda: wg.perturb(english.items[0], "shuffled"), "'shuffled' can only be derived for whole schemas"),
        (lambda: wg.perturb(english, "tense+segment-maskd"), "no variants of kind 'segment-maskd'"),
        (
            lambda: wg.perturb(english.items[0], "segment-masked", seed=7),
            "a seed has no effect on the variant of a single item",
        ),
    ):
        with pytest.raises(InputError, match=message):
            call()
    assert wg.perturb(english.items[0], "segment-masked", seed=0) == wg.perturb(english.items[0], "segment-masked")


@pytest.mark.parametrize("kind", ["shuffled", "context-swapped", "renamed"])
def test_derived_controls_keep_answer_pronoun_and_readings(collection, kind):
    made = wg.perturb(collection, kind).variants(kind)
    assert len(made) >= 0.3 * len(collection.items)
    for variant in made:
        original = collection[variant.variant_of]
        assert variant.answer == original.answer
        assert variant.parts[1].lower() == original.parts[1].lower()
        assert all(reading.derived for reading in readings(variant, "grammatical"))
        for candidate in variant.candidates:
            for mention in candidate.mentions:
                assert mention.of(variant.text)


def test_shuffling_moves_words_and_nothing_else(collection):
    for variant in wg.perturb(collection, "shuffled").variants("shuffled"):
        original = collection[variant.variant_of]
        assert sorted(variant.text) == sorted(original.text)
        assert variant.parts[2] == original.parts[2]
        assert variant.text != original.text
        for before, after in zip(original.candidates, variant.candidates, strict=True):
            spans = zip(before.mentions, after.mentions, strict=True) if len(before.mentions) == 1 else ()
            for old, new in spans:
                assert old.of(original.text) == new.of(variant.text)


def test_all_items_of_a_schema_are_shuffled_alike_and_switching_twice_gives_the_original_back():
    english = wg.load("winoglot-en")
    schema = wg.perturb(english, "shuffled")["train-wave"]
    one, other = [variant for variant in schema.variants if variant.kind == "shuffled"]
    outside = [v.text.replace(v.segment[0].of(v.text), "…") for v in (one, other)]
    assert outside[0] == outside[1]
    for variant in wg.perturb(english, "switched+switched").variants("switched+switched"):
        assert variant.text == english[variant.variant_of].text


@pytest.mark.parametrize("kind", ["shuffled", "context-swapped", "renamed"])
def test_the_seed_decides(kind):
    english = wg.load("winoglot-en")[:12]
    texts = [[v.text for v in wg.perturb(english, kind, seed=seed).variants(kind)] for seed in (1, 1, 2)]
    assert texts[0] == texts[1] != texts[2]


def test_a_swapped_context_comes_from_another_schema_with_the_same_pronoun():
    english = wg.load("winoglot-en")
    beginnings = {item.parts[0].split(" ", 3)[0]: item.schema_id for item in english.items}
    assert beginnings
    for variant in wg.perturb(english, "context-swapped").variants("context-swapped"):
        original = english[variant.variant_of]
        before = variant.parts[0]
        assert before != original.parts[0]
        others = [item for item in english.items if item.parts[0].startswith(before[:20])]
        assert any(other.schema_id != variant.schema_id for other in others)


@listed
def test_kinds_compose(kind, effect):
    english = wg.load("winoglot-en")[:60]
    grown = wg.perturb(english, kind)
    made = grown.variants(kind)
    assert made
    assert {variant.effect for variant in made} == {effect}
    assert set(grown.kinds) - set(english.kinds) == {kind}
    for variant in made:
        original = english[variant.variant_of]
        assert variant.id == f"{original.id}~{kind}"
        expected = {"keeps": original.answer, "flips": 1 - original.answer, "removes": None}[effect]
        assert variant.answer == expected


@pytest.mark.parametrize(
    ("language", "start", "long", "kind"),
    [
        ("fr", "La lampe touche la table parce qu'{elle} tombe", ", a" * 1600, "adverb"),
        ("en", "The lamp hit the vase because {it} broke", " " + "a" * 2400 + " a b" * 580, "renamed"),
    ],
    ids=["commas", "words"],
)
def test_the_longest_texts_take_seconds(tmp_path, language, start, long, kind):
    """A long word was searched again from each of its letters, and the subject of each verb for each later one."""
    names = {"fr": "la lampe, la table", "en": "the lamp, the vase"}[language]
    path = tmp_path / "long.yaml"
    entry = f'  - id: a\n    text: "{start}{long}."\n    candidates: [{names}]\n    answers: [0]\n'
    path.write_text(f"collection: a\nlanguage: {language}\nschemas:\n{entry}", "utf-8")
    collection = wg.load(path)
    with bounded(12):
        derive(collection, kind)
