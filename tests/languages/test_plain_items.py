import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

import winoglot as wg
from sentence_lists import names, sentences
from spellings import decomposed, plainly, rewritten, unbroken
from winoglot import Candidate, Item, Span
from winoglot.languages.plain_items import is_plain, plain_item, plain_text
from winoglot.languages.readings import grammatical_readings


@pytest.mark.parametrize("write", [decomposed, unbroken])
@pytest.mark.parametrize("name", names())
def test_marks_and_blanks_of_another_kind_change_no_reading(name, write):
    for sentence in sentences(name):
        item = rewritten(sentence.item, write)
        for expected, made in zip(sentence.expected, grammatical_readings(item, sentence.language), strict=True):
            assert plainly(made.text if made.derived else None) == plainly(expected), sentence.name
            assert not made.derived or item.text.endswith(made.after)
            form = "NFC" if unicodedata.is_normalized("NFC", item.text) else "NFD"
            assert write is unbroken or unicodedata.is_normalized(form, made.text)


def test_a_candidate_keeps_its_own_blank():
    text = "M.\u00a0Petit a vu M.\u00a0Grand et il a ri\u202f!"
    mentions = ((Span(0, 8),), (Span(14, 22),))
    candidates = tuple(Candidate(spans[0].of(text), spans) for spans in mentions)
    item = Item("a.0", "a", text=text, pronoun=Span(26, 28), candidates=candidates, language="fr")
    first = wg.readings(item, readings="grammatical")[0]
    assert first.text == "M.\u00a0Petit a vu M.\u00a0Grand et M.\u00a0Petit a ri\u202f!"


def test_an_item_in_plain_letters_is_the_very_same():
    item = wg.load("winoglot-fr").items[0]
    assert plain_item(item) is item


@given(st.text(alphabet="aeEç \u00a0\u202f\u0301\u0302\u0327x王😀", max_size=12))
def test_every_place_of_a_plain_text_leads_back(source):
    plain = plain_text(source)
    assert is_plain(plain.text)
    assert len(plain.places) == len(plain.text) + 1
    for length in range(len(plain.text) + 1):
        assert plain.start(len(plain.text) - length) + plain.end(length) == source
    assert plain.span(Span(0, len(source))) == Span(0, len(plain.text))
