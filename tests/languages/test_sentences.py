"""Sentences: where each language's texts are cut, and what holds for any text."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cases import listed
from winoglot.languages import text as language_text
from work import assert_linear, bounded

LANGUAGES = ("en", "pt-BR", "fr", "zh", "es", "ja", "de")
ENDS = '. |! |? |...|… |。|！|？|”|“|"| »|« |)|Dr. |etc. |J. |U.S. |M. |a.C. |p. 3|No. |он. |她说。|と|」|1. |, |— |A|a'
PIECES = st.sampled_from([*ENDS.split("|"), "\n", "\n\n", "\u00a0", "\u2029", "😀"])
TEXTS = st.lists(st.one_of(PIECES, st.text(max_size=5)), max_size=14).map("".join)


@listed
def test_sentences_of_a_text(language, expected):
    for blank in (" ", "\n", "\n\n"):
        assert language_text.sentences(blank.join(expected), language) == expected


@listed
def test_sentences_without_blanks_between_them(language, expected):
    assert language_text.sentences("".join(expected), language) == [sentence.strip() for sentence in expected]


def test_a_blank_line_ends_a_sentence_and_a_line_break_does_not():
    text = "A heading\n\nShe was\nlate. and so on\n \nDr.\n\nEnd"
    assert language_text.sentences(text, "en") == ["A heading", "She was\nlate. and so on", "Dr.", "End"]


@pytest.mark.parametrize("language", LANGUAGES)
@given(text=TEXTS)
@example("")
@example(" \n\n ")
@example(". . . x")
@example("A\u00a0.\u00a0B")
def test_only_blanks_lie_between_sentences(language, text):
    spans = language_text.sentence_spans(text, language)
    assert [span.of(text) for span in spans] == language_text.sentences(text, language)
    position = 0
    for span in spans:
        assert not text[position : span.start].strip()
        assert span.of(text) == span.of(text).strip() != ""
        position = span.end
    assert not text[position:].strip()


@pytest.mark.parametrize(
    "unit", ["x. ", "… ", '"', ". '", "。”", "「行くよ。」と。", "A. ", 'x. " ', "\n ", "1.", ".(", ". - "]
)
def test_long_repetitions_lose_nothing(unit):
    for language in ("en", "zh", "ja"):
        assert_linear(lambda text, language=language: language_text.sentences(text, language), lambda n: unit * n)
        text = unit * 20_000
        with bounded():
            assert "".join("".join(language_text.sentences(text, language)).split()) == "".join(text.split())
