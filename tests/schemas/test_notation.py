import json

import pytest

from cases import listed
from winoglot.errors import InputError
from winoglot.languages.base import function_words
from winoglot.schemas.entries import SchemaEntry
from winoglot.schemas.model import Inference
from winoglot.schemas.notation import parse_schema
from winoglot.schemas.serialise import serialise_schema
from winoglot.schemas.validation import check_entry

CALL = {
    "id": "call",
    "text": "Rita ligou para Clara porque {ela} estava [sozinha|atrasada].",
    "candidates": ["Rita", "Clara"],
    "answers": [0, 1],
}


def parse(language="pt", **changes):
    entry = {key: value for key, value in (CALL | changes).items() if value is not ...}
    return parse_schema(check_entry(SchemaEntry, entry), function_words(language))


def refused(**changes):
    with pytest.raises(InputError) as caught:
        parse(**changes)
    assert caught.value.remedy
    return caught.value


def test_a_schema_becomes_items_with_spans():
    schema = parse()
    first, second = schema.items
    assert (first.id, second.id) == ("call.0", "call.1")
    assert first.text == "Rita ligou para Clara porque ela estava sozinha."
    assert second.pronoun.of(second.text) == "ela"
    assert [span.of(second.text) for span in second.segment] == ["atrasada"]
    assert [c.mentions[0].of(first.text) for c in first.candidates] == ["Rita", "Clara"]
    assert (first.answer, second.answer) == (0, 1)
    assert (first.schema_id, first.parallel_id, first.kind, first.variant_of) == ("call", "call.0", "original", None)


def test_a_parallel_id_reaches_the_items():
    assert [item.parallel_id for item in parse(parallel_id="p7").items] == ["p7.0", "p7.1"]


def test_groups_inside_candidates_are_linked_to_those_in_the_text():
    schema = parse(
        text="[A asa|A alça] da mochila rasgou e {ela} [caiu|ficou] no chão.",
        candidates=["[a asa|a alça]", "a mochila"],
        answers=[0, 1],
    )
    assert [item.candidates[0].text for item in schema.items] == ["a asa", "a alça"]
    assert [item.candidates[0].mentions[0].of(item.text) for item in schema.items] == ["A asa", "A alça"]
    assert schema.items[0].candidates[1].mentions[0].of(schema.items[0].text) == "da mochila"


def test_mentions_can_be_written_and_may_differ_between_alternatives():
    schema = parse(
        text="Ana viu Ana[ e Ana|] porque {ela} saiu.",
        candidates=["Ana", "a outra"],
        mentions=[["Ana#1", "[Ana#3|]"], ["Ana#2"]],
    )
    assert [len(item.candidates[0].mentions) for item in schema.items] == [2, 1]


@listed
def test_the_mentions_that_an_error_suggests_parse(text, suggested):
    error = refused(text=text, candidates=["Igor", "Ana"])
    shown = json.loads(error.remedy.partition("mentions: ")[2].removesuffix("."))
    assert shown == suggested
    assert len(parse(text=text, candidates=["Igor", "Ana"], mentions=shown).items) == 2


def test_a_variant_suggests_mentions_for_all_its_alternatives():
    error = refused(variants={"longer": {"text": "Rita ligou para Clara, e {ela} [riu|viu Rita]."}})
    assert error.remedy.endswith('mentions: [["[Rita|Rita#1]", "[|Rita#2]"], ["Clara"]].')


def test_a_triple():
    schema = parse(text="Rita viu Clara [a|b|c] e {ela} riu.", answers=[0, 1, None])
    assert [item.answer for item in schema.items] == [0, 1, None]


def test_questions_hypotheses_and_readings_go_by_alternative():
    schema = parse(
        question=["Quem estava sozinha?", "Quem estava atrasada?"],
        hypotheses=["Rita estava [sozinha|atrasada].", "Clara estava [sozinha|atrasada]."],
        readings=[["Rita ligou porque {a Rita} estava sozinha.", None], [None, None]],
        terms={"candidates": ["ligar", "atender"], "segment": ["sozinha", "atrasada"]},
    )
    first, second = schema.items
    assert second.question == "Quem estava atrasada?"
    assert second.hypotheses == ("Rita estava atrasada.", "Clara estava atrasada.")
    assert first.readings[0].inserted.of(first.readings[0].text) == "a Rita"
    assert first.readings[1] is None
    assert (second.terms.candidates, second.terms.segment) == (("ligar", "atender"), "atrasada")


def test_items_can_be_written_out_with_their_own_keys():
    schema = parse(
        text=...,
        answers=...,
        tags=["social"],
        items=[
            {"text": "Rita viu Clara e {ela} [riu].", "answer": 0},
            {"text": "Eva viu Clara e {ela} chorou.", "answer": 1, "candidates": ["Eva", "Clara"], "tags": []},
        ],
    )
    assert [item.candidates[0].text for item in schema.items] == ["Rita", "Eva"]
    assert [item.tags for item in schema.items] == [("social",), ()]
    assert [len(item.segment) for item in schema.items] == [1, 0]


def test_items_may_exist_only_as_readings_or_as_inference_pairs():
    schema = parse(
        text=...,
        candidates=...,
        answers=...,
        items=[
            {"readings": ["Rita riu.", "Clara riu."], "answer": 1},
            {"inferences": [{"premise": "Ela riu.", "hypothesis": "Clara riu.", "entailed": True}]},
        ],
    )
    readings_only, inference_only = schema.items
    assert (readings_only.text, readings_only.pronoun, readings_only.candidate_count) == (None, None, 2)
    assert inference_only.inferences == (Inference("Ela riu.", "Clara riu.", True),)
    assert len({item.hash for item in schema.items}) == 2


def test_a_variant_says_only_what_changes():
    schema = parse(
        question="Quem?",
        tags=["switchable"],
        variants={
            "switched": {"text": "Clara ligou para Rita porque {ela} estava [sozinha|atrasada]."},
            "adverb": {"items": [{"of": 1, "text": "Rita logo ligou para Clara porque {ela} estava atrasada."}]},
            "segment-masked": {"text": "Rita ligou para Clara porque {ela} estava [_|_].", "effect": "removes"},
            "voice": {"impossible": "ligar não passiva"},
        },
    )
    switched = [variant for variant in schema.variants if variant.kind == "switched"]
    assert [variant.id for variant in switched] == ["call.0~switched", "call.1~switched"]
    assert [variant.answer for variant in switched] == [1, 0]
    assert switched[0].candidates[0].text == "Rita"
    assert switched[0].candidates[0].mentions[0].start > switched[0].candidates[1].mentions[0].start
    assert (switched[0].question, switched[0].tags, switched[0].effect) == ("Quem?", ("switchable",), "flips")
    (adverb,) = [variant for variant in schema.variants if variant.kind == "adverb"]
    assert (adverb.variant_of, adverb.answer, adverb.effect) == ("call.1", 1, "keeps")
    assert [variant.answer for variant in schema.variants if variant.kind == "segment-masked"] == [None, None]
    assert schema.impossible[0].reason == "ligar não passiva"


def test_features_of_a_variant_with_new_candidates_are_its_own():
    schema = parse(
        features=[{"number": "singular"}, None],
        variants={
            "number": {
                "text": "As tias ligaram para as avós porque {elas} estavam [sozinhas|atrasadas].",
                "candidates": ["as tias", "as avós"],
            }
        },
    )
    assert schema.items[0].candidates[0].features.number == "singular"
    assert schema.variants[0].candidates[0].features.number is None


def test_what_was_said_of_the_candidates_is_not_inherited_by_new_ones():
    schema = parse(
        question="Quem?",
        hypotheses=["Rita.", "Clara."],
        terms={"candidates": ["ligar", "atender"]},
        variants={"gender": {"text": "Rui ligou para Caio porque {ele} [riu|saiu].", "candidates": ["Rui", "Caio"]}},
    )
    variant = schema.variants[0]
    assert (variant.question, variant.hypotheses, variant.terms.candidates) == ("Quem?", (), ())


def test_roles_go_with_the_places_of_the_candidates():
    switched = "Clara ligou para Rita porque {ela} estava [sozinha|atrasada]."
    passive = "Clara foi chamada por Rita porque {ela} estava [sozinha|atrasada]."
    renamed = {"text": "Rui ligou para Caio porque {ele} [riu|saiu].", "candidates": ["Rui", "Caio"]}
    schema = parse(
        roles=["subject", "oblique"],
        variants={
            "switched": {"text": switched},
            "gender": renamed,
            "voice": {"text": passive, "roles": ["agent", "subject"]},
        },
    )
    roles = {one.kind: tuple(c.role for c in one.candidates) for one in (*schema.items, *schema.variants)}
    assert roles == {
        "original": ("subject", "oblique"),
        "switched": ("oblique", "subject"),
        "gender": ("subject", "oblique"),
        "voice": ("agent", "subject"),
    }


def test_confidence_is_given_for_each_alternative_and_belongs_to_the_text():
    schema = parse(
        confidence=[0.95, None],
        variants={"adverb": {"text": "Rita logo ligou para Clara porque {ela} estava [sozinha|atrasada]."}},
    )
    assert [item.confidence for item in (*schema.items, *schema.variants)] == [0.95, None, None, None]


def test_all_lists_of_a_wrong_length_are_named_together():
    error = refused(answers=[0], question=["Quem?"], confidence=[1, 1, 1])
    assert [single.path for single in error.all] == [("answers",), ("question",), ("confidence",)]


def test_beside_items_a_list_of_questions_has_one_for_each():
    items = [{"text": "Rita viu Clara e {ela} riu.", "answer": 0}, {"text": "Rita viu Clara: {ela}.", "answer": 1}]
    schema = parse(text=..., answers=..., items=items, question=["Primeira?", "Segunda?"])
    assert [item.question for item in schema.items] == ["Primeira?", "Segunda?"]
    assert "2 items but 1 under 'question'" in refused(text=..., answers=..., items=items, question=["Uma?"]).message


def test_a_candidate_that_is_not_found_once_comes_with_what_to_write():
    error = refused(text="Rita viu a mãe de Rita e {ela} [a|b].", candidates=["Rita", "a tia"])
    assert 'mentions: [["Rita#1", "Rita#2"], []]' in error.remedy


def test_letters_that_only_look_alike_are_told_apart():
    error = refused(text="Joa\u0303o viu Clara e {ele} [a|b].", candidates=["João", "Clara"])
    assert "NFC" in error.remedy


@listed
def test_a_candidate_inside_a_longer_word_is_no_question_of_encoding(language, text, candidates):
    error = refused(language=language, text=text, candidates=candidates)
    assert "NFC" not in error.remedy
    assert "mentions: [[" in error.remedy


@pytest.mark.parametrize("text", ["Rita {} [não|] viu Clara e [riu|saiu].", "Rita [não|] {} viu Clara e [riu|saiu]."])
def test_zero_pronouns_beside_empty_alternatives_stay_in_brackets(text):
    entry = serialise_schema(parse(text=text), function_words("pt"))
    assert "items" not in entry


def test_what_brackets_can_say_is_written_in_brackets_again():
    schema = parse(text="Rita [não|] viu Clara e {ela} [chorou|riu].", question="Quem [chorou|riu]?")
    entry = serialise_schema(schema, function_words("pt"))
    assert entry["text"] == "Rita [não|] viu Clara e {ela} [chorou|riu]."
    assert "items" not in entry
    assert "mentions" not in entry


@listed
def test_what_is_wrong_is_named_with_its_path_and_a_remedy(changes, message, path):
    """In the list of cases, `...` stands for a key that is left out."""
    error = refused(**{key: ... if value == "..." else value for key, value in changes.items()})
    assert message in error.message
    assert list(error.path) == path
