from dataclasses import replace

import pytest

import winoglot as wg
from cases import listed
from items import item, schema
from sentence_lists import names, sentences
from spellings import decomposed, plainly, rewritten, unbroken
from strategies import some_collections
from winoglot import InputError
from winoglot.perturb.base import with_variants
from winoglot.perturb.switched import obstacle, perturb
from winoglot.schemas.model import Collection


@listed
def test_each_candidate_stands_in_the_others_slot(text, candidates, language, switched):
    original = item(text, candidates, language, answers=[0])
    untagged = perturb(original)
    assert (untagged.text, untagged.answer, untagged.kind, untagged.effect) == (switched, None, "switched", "unknown")
    assert untagged.text[untagged.pronoun.start : untagged.pronoun.end] in text
    confirmed = perturb(replace(original, tags=("switchable",)))
    assert (confirmed.text, confirmed.answer, confirmed.effect) == (switched, 1, "flips")


@listed
def test_what_cannot_be_switched_says_why(text, candidates, language, reason):
    one = item(text, candidates, language)
    assert reason in obstacle(one)
    with pytest.raises(InputError, match="cannot be switched"):
        wg.switch(one)


@listed
def test_a_french_word_has_the_form_that_the_next_sound_wants(text, candidates, switched):
    made = perturb(item(text, candidates, "fr"))
    assert made.text == switched
    for candidate in made.candidates:
        noun = candidate.text.split()[-1]
        assert [mention.of(made.text).lower().endswith(noun.lower()) for mention in candidate.mentions] == [True]


@listed
def test_a_language_without_rules_is_not_switched(text, candidates, language):
    one = item(text, candidates, language)
    assert obstacle(one) == f"there are no grammar rules for {language}"
    with pytest.raises(InputError, match="no grammar rules"):
        wg.switch(one)


def test_every_mention_is_exchanged_and_there_must_be_one():
    mentions = [["Rui#1", "Rui#2"], ["Caio#1", "Caio#2"]]
    one = item("Rui viu Caio; Rui fugiu de Caio e {ele} riu.", ["Rui", "Caio"], mentions=mentions)
    assert perturb(one).text == "Caio viu Rui; Caio fugiu de Rui e ele riu."
    unmentioned = item("Ana saiu e {ela} riu.", ["Ana", "Eva"], mentions=[["Ana"], []])
    assert "does not mention 'Eva'" in obstacle(unmentioned)
    shouted = item("PAUL A VU LUC PARCE QU'{IL} PARTAIT.", ["PAUL", "LUC"], "fr")
    assert perturb(shouted).text == "LUC A VU PAUL PARCE QU'IL PARTAIT."


@listed
def test_of_candidates_with_one_noun_what_tells_them_apart_is_exchanged(
    text, candidates, mentioned, language, switched
):
    made = perturb(item(text, candidates, language, mentions=[[mentioned], []]))
    assert made.text == switched
    assert [len(candidate.mentions) for candidate in made.candidates] == [0, 1]
    assert made.candidates[1].mentions[0].of(made.text).lower() == candidates[1].lower()


def test_spans_forms_and_written_readings_move_along():
    one = item(
        "Beatriz viu Ana e {ela} estava [triste|feliz].",
        ["Beatriz", "Ana"],
        question="Quem estava [triste|feliz]?",
        answers=[0, 1],
        readings=[["Beatriz viu Ana e {Beatriz} estava triste.", None], [None, None]],
    )
    made = perturb(one)
    assert made.text == "Ana viu Beatriz e ela estava triste."
    assert made.segment[0].of(made.text) == "triste"
    assert [[m.of(made.text) for m in c.mentions] for c in made.candidates] == [["Beatriz"], ["Ana"]]
    assert (made.readings[0].text, made.readings[0].inserted.of(made.readings[0].text)) == (
        "Ana viu Beatriz e Beatriz estava triste.",
        "Beatriz",
    )
    assert (made.readings[1], made.question) == (None, "Quem estava triste?")


def test_readings_that_cannot_all_be_carried_are_all_left_to_grammar():
    for written in (
        ["Bia avistou a Ana e {Bia} riu.", None],  # the author changed a mention
        ["Bia viu Ana e {Bia} riu.", "Bia avistou a Ana e {Ana} riu."],
    ):
        made = perturb(item("Bia viu Ana e {ela} riu.", ["Bia", "Ana"], readings=[written]))
        assert made.readings == (None, None)
        texts = [reading.text for reading in wg.readings(made, "grammatical")]
        assert texts == ["Ana viu Bia e Bia riu.", "Ana viu Bia e Ana riu."]


def test_readings_that_grammar_cannot_derive_are_switched_as_their_author_wrote_them():
    sentence = (
        "{} guide {}, et la branche griffe le front {{d'Omar}}.",
        "{} guide {}, et la branche griffe le front {{de Luc}}.",
    )
    written = [text.format("Omar", "Luc") for text in sentence]
    one = item("Omar guide Luc, et la branche {lui} griffe le front.", ["Omar", "Luc"], "fr", readings=[written])
    made = [(reading.text, reading.rule) for reading in wg.readings(perturb(one), "grammatical")]
    expected = [text.format("Luc", "Omar").replace("{", "").replace("}", "") for text in sentence]
    assert made == [(text, "written") for text in expected]


def test_a_bare_candidate_keeps_the_demonstrative_of_its_mention():
    one = item("这只猫和那条狗打架，{它}输了。", ["猫", "狗"], "zh")
    originals = [reading.inserted for reading in wg.readings(one, "grammatical")]
    assert (
        [reading.inserted for reading in wg.readings(perturb(one), "grammatical")] == originals == ["这只猫", "那条狗"]
    )


def test_switching_twice_gives_the_text_again_or_says_why_not():
    for collection in some_collections()[:40]:
        for one in collection.items:
            if obstacle(one) is not None:
                continue
            once = perturb(replace(one, tags=("switchable",)))
            if (
                once.candidates[0].mentions
                and obstacle(once) is None
                and all(len(c.mentions) == 1 for c in one.candidates)
            ):
                assert perturb(once).answer == one.answer


def test_a_schema_is_switched_whole_or_not_at_all():
    one = schema("Rui viu Caio e {ele} [riu|chorou].", ["Rui", "Caio"], answers=[0, 1])
    unmentioned = {"mentions": [["Rui"], ["[Caio|]"]], "answers": [0, 1], "id": "h"}
    half = schema("Rui viu [Caio|outro] e {ele} riu.", ["Rui", "Caio"], **unmentioned)
    collection = Collection(name="tests", language="pt", schemas=(one, half))
    derived = with_variants(collection, "switched", perturb, {"s", "h"})
    assert [variant.id for variant in derived.collection.variants("switched")] == ["s.0~switched", "s.1~switched"]
    assert list(derived.refused) == ["h"]
    again = with_variants(derived.collection, "switched", perturb, {"s"})
    assert again.collection == derived.collection


def switched_text(item):
    """The text with its candidates exchanged; None where that cannot be."""
    try:
        return plainly(perturb(item).text)
    except wg.InputError:
        return None


@pytest.mark.parametrize("name", names())
def test_marks_and_blanks_of_another_kind_change_no_switching(name):
    for sentence in sentences(name):
        plain = replace(sentence.item, language=sentence.language)
        expected = switched_text(plain)
        assert switched_text(rewritten(plain, decomposed)) == expected, sentence.name
        assert switched_text(rewritten(plain, unbroken)) == expected, sentence.name


@listed
def test_words_that_belong_to_a_mention_and_not_to_its_candidate_are_no_ones_to_move(text, candidates, language, word):
    assert obstacle(item(text, candidates, language)).startswith(f"{word!r} beside ")
