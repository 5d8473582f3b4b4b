from itertools import cycle

import pytest

import winoglot as wg
from cases import listed
from items import item, schema
from six_schemas import LANGUAGES, six
from strategies import some_collections
from winoglot import InputError
from winoglot.perturb import after_only, lower_case, no_candidates, segment_masked
from winoglot.perturb.base import with_kinds, with_variants
from winoglot.perturb.controls import BLANK
from winoglot.schemas.model import Collection

CONTROLS = {module.KIND: module for module in (no_candidates, after_only, segment_masked)}
BUNDLED = ("winoglot-en", "winoglot-fr", "winoglot-pt", "winoglot-zh")


def derived(collection, kind):
    return with_variants(collection, kind, CONTROLS[kind].perturb, {schema.id for schema in collection.schemas})


def refusal(kind, *text, **keys):
    with pytest.raises(InputError) as caught:
        (CONTROLS | {"lower-case": lower_case})[kind].perturb(item(*text, **keys))
    return caught.value.message


# no-candidates


@listed
def test_every_mention_becomes_the_same_blank(text, candidates, language, expected):
    keys = {"mentions": [["O pai de Rui"], ["Rui#1", "Rui#2"]]} if "O pai" in text else {}
    made = no_candidates.perturb(item(text, candidates, language, answers=[1], **keys))
    assert made.text == expected
    assert made.pronoun.of(made.text) == text[text.index("{") + 1 : text.index("}")]
    assert (made.answer, made.effect) == (1, "keeps")
    assert not any(candidate.mentions for candidate in made.candidates)


def test_without_candidates_the_segment_still_tells_the_items_of_a_pair_apart():
    pair = schema("The cup won't fit into the case because {it} is too [big|small].", ["the cup", "the case"], "en")
    texts = [no_candidates.perturb(one) for one in pair.items]
    assert [made.segment[0].of(made.text) for made in texts] == ["big", "small"]


@listed
def test_what_cannot_do_without_its_candidates_says_why(text, candidates, keys, reason):
    if reason == "pronoun is inside":
        keys = {"mentions": [["Rita and her aunt"], ["Clara"]]}
    assert reason in refusal("no-candidates", text, candidates, "en", **keys)


# lower-case


def test_in_lower_case_nothing_else_changes():
    original = item(
        "Eva emprestou a Ana o Ford {dela} [ontem|hoje].",
        ["Eva", "Ana"],
        "pt",
        question="De quem era o Ford?",
        hypotheses=["O Ford era da Eva.", "O Ford era da Ana."],
    )
    made = lower_case.perturb(original)
    assert made.text == "eva emprestou a ana o ford dela ontem."
    assert (made.pronoun, made.segment, made.answer) == (original.pronoun, original.segment, original.answer)
    assert [(one.text, one.mentions) for one in made.candidates] == [
        (one.text.lower(), one.mentions) for one in original.candidates
    ]
    assert (made.question, made.hypotheses) == ("de quem era o ford?", ("o ford era da eva.", "o ford era da ana."))
    readings = [[one.text for one in wg.readings(each, "grammatical")] for each in (original, made)]
    assert readings[1] == [text.lower() for text in readings[0]]
    assert "its text has no capitals" in refusal("lower-case", "小雯怕小雅，因为{她}很凶。", ["小雯", "小雅"], "zh")


# after-only


@listed
def test_only_what_stands_from_the_pronoun_on_is_left(text, candidates, language, expected):
    text = text.replace("_", "{_}")
    keys = {"mentions": [["Tim"], ["Tom#1", "Tom#2"]]} if "Tom" in text else {}
    made = after_only.perturb(item(text, candidates, language, **keys))
    assert made.text == expected
    assert made.pronoun.start == (len("Repeti-") if "Repeti" in expected else 0)


def test_mentions_after_the_pronoun_stay_and_those_before_it_go():
    made = after_only.perturb(item("A mãe disse que vai repeti-{la} na aula.", ["a mãe", "a aula"], "pt"))
    assert [[span.of(made.text) for span in one.mentions] for one in made.candidates] == [[], ["na aula"]]


@listed
def test_what_has_no_after_that_could_be_judged_alone_says_why(text, candidates, reason):
    assert reason in refusal("after-only", text, candidates, "en")


# segment-masked


@listed
def test_all_alternatives_read_the_same_with_their_segment_masked(text, candidates, language, expected):
    pair = schema(text, candidates, language, answers=[0, 1], question="Who was it?")
    for made in map(segment_masked.perturb, pair.items):
        assert made.text == expected
        assert (made.answer, made.effect, made.segment, made.question) == (None, "removes", (), None)
        assert [candidate.mentions[0].of(made.text) for candidate in made.candidates] == candidates


@listed
def test_a_segment_that_cannot_be_masked_says_why(text, candidates, reason):
    assert reason in refusal("segment-masked", text, candidates, "en")


# all of them


@pytest.mark.parametrize("name", BUNDLED)
@pytest.mark.parametrize("kind", CONTROLS)
def test_candidates_stand_in_a_control_as_they_do_in_its_original(kind, name):
    collection = wg.load(name)
    made = derived(collection, kind)
    originals = {one.id: one for one in collection.items}
    variants = made.collection.variants(kind)
    assert variants
    assert len(variants) + sum(len(collection.schema(one).items) for one in made.refused) == len(originals)
    for variant in variants:
        original = originals[variant.variant_of]
        own, other = (wg.readings(one, "grammatical") for one in (variant, original))
        if is_cut_from_its_preposition(variant, original):
            assert all(
                one.inserted.endswith(each.text.split()[-1]) for one, each in zip(own, variant.candidates, strict=True)
            )
        else:
            assert [one.inserted.lower() for one in own] == [one.inserted.lower() for one in other]
        assert all(reading.derived for reading in own)


def is_cut_from_its_preposition(variant, original):
    """Whether a preposition that contracts stands before the pronoun, and so not in the control: *a elas*."""
    before = original.text[: original.pronoun.start].split()
    is_cut = variant.kind == "after-only" or any(place.end == original.pronoun.start - 1 for place in original.segment)
    return is_cut and before[-1] in ("a", "por", "à", "de")


def test_a_possessive_stays_one_though_its_noun_is_masked_and_a_candidate_without_a_place_is_refused():
    pair = schema("Anna heard Julia because {her} [radio|ear] was good.", ["Anna", "Julia"], "en")
    made = segment_masked.perturb(pair.items[0])
    assert wg.readings(made, "grammatical")[0].text == "Anna heard Julia because Anna's ___ was good."
    pair = schema("Eva disait à Ana qu'une amie {lui} a [donné un miroir|épargné cette corvée].", ["Eva", "Ana"], "fr")
    assert segment_masked.perturb(pair.items[0]).readings
    with pytest.raises(InputError, match="a candidate has no place among the words that are left"):
        segment_masked.perturb(pair.items[1])


def test_a_written_reading_takes_part_in_the_control_and_question_hypotheses_and_term_stay_behind():
    made = item(
        "Ana viu Eva e riu {dela} [ontem|hoje].",
        ["Ana", "Eva"],
        readings=[["Ana viu Eva e riu {da própria Ana} ontem.", None], [None, None]],
        question="Quem?",
        hypotheses=["Ana.", "Eva."],
        terms={"candidates": ["ver", "vista"], "segment": ["ontem", "hoje"]},
    )
    controls = [module.perturb(made) for module in CONTROLS.values()]
    assert [wg.readings(control, "grammatical")[0].text for control in controls] == [
        "___ viu ___ e riu da própria Ana ontem.",
        "Da própria Ana ontem.",
        "Ana viu Eva e riu da própria Ana ___.",
    ]
    assert {(control.question, control.hypotheses) for control in controls} == {(None, ())}
    assert controls[-1].terms == wg.Terms(("ver", "vista"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_collection_with_controls_survives_being_written_and_read(language, tmp_path):
    collection = six(language)
    for kind in CONTROLS:
        collection = derived(collection, kind).collection
    for suffix in ("yaml", "jsonl"):
        path = tmp_path / f"made.{suffix}"
        wg.save(collection, path)
        assert wg.load(path) == collection


def test_of_every_collection_a_control_is_made_or_refused_with_a_reason():
    for collection, language in zip(some_collections()[:40], cycle(["en", "fr", "pt", "zh", "tlh"]), strict=False):
        spoken = Collection(name="tests", language=language, schemas=collection.schemas)
        for kind in CONTROLS:
            made = derived(spoken, kind)
            assert all(made.refused.values())
            for variant in made.collection.variants(kind):
                if variant not in spoken.variants(kind):
                    _check(variant, kind)


def _check(variant, kind):
    if kind != "after-only":
        assert BLANK in variant.text
    for candidate in variant.candidates:
        for mention in candidate.mentions:
            assert not mention.overlaps(variant.pronoun) or kind != "no-candidates"
    for reading in wg.readings(variant, "grammatical"):
        assert reading.text.strip()


def test_on_public_collections_masked_pairs_read_alike(public_data):
    for language in ("en", "pt", "fr", "zh", "ru", "ja"):
        collection = wg.load(public_data / "collections" / "xwinograd.tsv", language=language)
        masked = derived(collection, "segment-masked").collection
        texts = [{variant.text for variant in one.variants} for one in masked.schemas if len(one.variants) > 1]
        assert sum(len(found) == 1 for found in texts) >= 0.99 * len(texts)


@listed
def test_a_perturbation_that_returns_something_else_is_named(outside, body, message):
    source = f"from winoglot.perturb.base import variant_of\n\ndef perturb(item):\n    return {body}\n"
    module = outside("perturbations", "toy", source)
    with pytest.raises(InputError, match=message.replace("MODULE", module)) as caught:
        with_kinds(six("en"), ["toy"])
    assert isinstance(caught.value.__cause__, ZeroDivisionError) == (body == "1 / 0")


def test_a_kind_that_no_schema_has_comes_with_the_most_frequent_reason(outside):
    source = (
        "from winoglot.errors import InputError\n\ndef perturb(item):\n"
        "    raise InputError('it has no tail' if item.schema_id != 'a' else 'it is short')\n"
    )
    outside("perturbations", "toy", source)
    with pytest.raises(InputError, match="no schema of six-en has a variant of kind 'toy'") as caught:
        with_kinds(six("en"), ["toy"])
    assert caught.value.remedy == "Leave the kind out of --kinds. Most frequent reason (6): it has no tail."
