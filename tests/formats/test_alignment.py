"""Two readings of a sentence give its text back where that is certain, and only there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.formats.importing.alignment import align, differing_spans, find_insertion
from winoglot.languages.base import function_words
from winoglot.schemas.spans import Span


def aligned(first, second, language="en"):
    found = align(first, second, function_words(language))
    return found and (found.text, found.candidates)


@listed
def test_where_it_is_certain_the_text_comes_back(language, first, second, text, candidates):
    assert aligned(first, second, language) == (text, tuple(candidates))
    assert aligned(second, first, language) == (text, tuple(candidates[::-1]))


@listed
def test_where_it_is_not_certain_there_is_none(language, first, second):
    assert aligned(first, second, language) is None


@pytest.mark.parametrize("language", ["en", "pt", "fr", "zh", "und"])
@given(first=st.text("ab ona.,'-_字", max_size=30), second=st.text("ab ona.,'-_字", max_size=30))
def test_what_comes_back_gives_both_readings_again(language, first, second):
    found = align(first, second, function_words(language))
    if found is None:
        return
    for reading, inserted in zip((first, second), found.insertions, strict=True):
        assert found.pronoun.of(found.text) == "_"
        before, after = found.text[: found.pronoun.start], found.text[found.pronoun.end :]
        assert reading == before + inserted.of(reading) + after


def test_an_insertion_is_found_by_the_order_of_mentions():
    words = function_words("pt")
    text = "O barco passou pelo farol enquanto ele girava; o farol é velho."
    reading = "O barco passou pelo farol enquanto girava a luz do farol; o farol é velho."
    found = find_insertion(reading, text, Span(35, 38), "o farol", words)
    assert found.of(reading) == "do farol"
    assert find_insertion("O barco passou.", text, Span(35, 38), "o farol", words) is None


@listed
def test_sentences_that_do_not_align_still_show_where_they_differ(language, first, second, marked):
    spans = differing_spans((first, second), function_words(language))
    texts = [
        text[: span.start] + "{" + span.of(text) + "}" + text[span.end :]
        for text, span in zip((first, second), spans, strict=True)
    ]
    assert texts == marked
