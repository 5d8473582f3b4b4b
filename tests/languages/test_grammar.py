"""Every sentence of the lists comes out as expected, and what holds for all grammatical readings."""

import unicodedata
from dataclasses import replace
from itertools import chain
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import winoglot as wg
from cases import cases_file, listed
from items import item
from sentence_lists import names, sentences
from strategies import some_collections
from winoglot import Candidate, InputError, Item, Span
from winoglot.languages.lexicon import lexicon
from winoglot.languages.readings import grammatical_readings


def shifted(item, before, after):
    """The item with something around its text."""

    def moved(span):
        return Span(span.start + len(before), span.end + len(before))

    candidates = tuple(replace(one, mentions=tuple(map(moved, one.mentions))) for one in item.candidates)
    return replace(item, text=before + item.text + after, pronoun=moved(item.pronoun), candidates=candidates)


@pytest.mark.parametrize("name", names())
def test_listed_sentences_have_the_expected_readings(name):
    wrong = {one.name: (one.derived(), one.reasons()) for one in sentences(name) if one.derived() != one.expected}
    assert wrong == {}


@pytest.mark.parametrize("name", names())
def test_only_the_touched_region_changes(name):
    for sentence in sentences(name):
        text = sentence.item.text
        for reading in sentence.readings:
            assert text.endswith(reading.after), sentence.name
            if reading.derived and sentence.item.pronoun_form != "zero":
                assert reading.after != text, sentence.name
            assert "  " not in reading.text or "  " in text, sentence.name
            assert reading.text == reading.before + reading.inserted + reading.after, sentence.name


@pytest.mark.parametrize(("before", "after"), [("🎉🎉 ", "👋🏽"), ("« ", " »"), ("2024! ", " 😀"), ("— ", "…")])
def test_what_stands_around_a_text_changes_no_reading(before, after):
    for sentence in chain.from_iterable(map(sentences, names())):
        made = shifted(sentence.item, before, after)
        for expected, reading in zip(sentence.expected, grammatical_readings(made, sentence.language), strict=True):
            if reading.derived or "leur" not in reading.reason:  # which is sure only where it opens the text
                assert (reading.text if reading.derived else None) == (expected and before + expected + after)


PLACES = cases_file(Path(__file__))["PLACES"]  # words before and after a pronoun, and candidates, by language
DOUBLED = {"ja": "のの", "zh": "的的"}


@pytest.mark.parametrize("language", PLACES)
@given(data=st.data(), decompose=st.booleans())
def test_whatever_is_written_only_the_touched_region_changes(language, data, decompose):
    words, space = PLACES[language], "" if language in DOUBLED else " "
    before = data.draw(st.lists(st.sampled_from(words["before"]), max_size=6))
    after = data.draw(st.lists(st.sampled_from(words["after"]), max_size=6))
    pronoun = data.draw(st.sampled_from(sorted(lexicon(language, "pronouns").words())))
    start = [word if word[-1] in "-'" else word + space for word in before]
    rest = "".join(word if word[0] in "',—" else space + word for word in after) + "."
    rest = rest.lstrip() if pronoun.endswith("'") else rest  # what is elided stands before its word without a space
    tag = data.draw(st.sampled_from(words.get("tags", [language])))
    if decompose:
        start, rest = [unicodedata.normalize("NFD", word) for word in start], unicodedata.normalize("NFD", rest)
    at = len("".join(start))
    text = "".join(start) + (pronoun if start else pronoun.capitalize())
    candidate = Candidate(data.draw(st.sampled_from(words["candidates"])))
    try:
        made = Item("a.0", "a", text=text + rest, pronoun=Span(at, len(text)), candidates=(candidate,))
    except InputError:
        assume(False)
    (reading,) = grammatical_readings(made, tag)
    assert reading.before + reading.inserted + reading.after == reading.text
    assert made.text.endswith(reading.after)
    assert grammatical_readings(made, tag) == [reading]
    assert reading.derived == (not reading.reason)
    if reading.derived:
        assert "  " not in reading.text
        assert reading.text.startswith("".join(start[: max(0, len(start) - words["touched"])]))
        doubled = DOUBLED.get(language, "  ")
        assert doubled not in reading.text or doubled in made.text


def test_any_collection_has_grammatical_readings_of_the_same_number():
    for collection in some_collections():
        naive, grammatical = wg.readings(collection, "naive"), wg.readings(collection, "grammatical")
        assert [(r.item_id, r.candidate) for r in grammatical] == [(r.item_id, r.candidate) for r in naive]
        assert all(reading.derived or reading.reason for reading in grammatical)
        assert wg.readings(collection, "grammatical") == grammatical


def test_a_written_reading_wins():
    made = item("Ana viu Eva e riu {dela}.", ["Ana", "Eva"], readings=[["Ana viu Eva e zombou {da Ana}.", None]])
    first, second = wg.readings(made, "grammatical")
    assert (first.text, first.rule, first.derived) == ("Ana viu Eva e zombou da Ana.", "written", True)
    assert (second.text, second.rule) == ("Ana viu Eva e riu de Eva.", "preposition")


@listed
def test_what_is_not_derived_keeps_the_naive_text_and_says_why(text, candidates, language, reason):
    marked = text.replace("_", "{_}")
    made = item(marked, candidates, language)
    first = wg.readings(made, "grammatical")[0]
    assert reason in first.reason
    assert (first.derived, first.text) == (False, wg.readings(made, "naive")[0].text)


def test_an_item_without_a_language_is_an_input_error():
    made = Item("a.0", "a", text="Ana riu; ela riu.", pronoun=Span(9, 12), candidates=(Candidate("Ana"),))
    with pytest.raises(InputError, match="language"):
        wg.readings(made, "grammatical")
    assert wg.readings(made, "grammatical", language="pt")[0].text == "Ana riu; Ana riu."
