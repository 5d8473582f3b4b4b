import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from strategies import spans, texts
from winoglot.errors import InputError
from winoglot.languages.base import function_words
from winoglot.schemas.mentions import find_mentions, resolve_mention, spell_mention
from winoglot.schemas.spans import Span

NOWHERE = Span(0, 0)


def found(language, text, candidate, pronoun=NOWHERE):
    return [span.of(text) for span in find_mentions(text, candidate, function_words(language), pronoun)]


@listed
def test_a_unique_mention_is_found_modulo_determiner_and_contraction(language, text, candidate, mention):
    assert found(language, text, candidate) == [mention]


def test_a_possessive_pronoun_is_not_swallowed_by_the_mention_after_it():
    assert found("pt", "Disse que sua mãe veio.", "a mãe", Span(10, 13)) == ["mãe"]


def test_none_and_several_are_found_too():
    assert found("en", "The cat ran.", "the dog") == []
    assert found("pt", "O pai do menino viu o menino.", "o menino") == ["do menino", "o menino"]


def test_authors_count_whole_words_first():
    text = "Anabela viu Ana e Ana riu."
    assert resolve_mention(text, "Ana#1") == Span(12, 15)
    assert resolve_mention(text, "Ana#3") == Span(0, 3)
    assert resolve_mention("Pusemos o melão; do melão", "o melão") == Span(8, 15)


@pytest.mark.parametrize("spelled", ["Eva", "Ana#4", "Ana"])
def test_a_spelling_that_names_no_single_place_is_refused(spelled):
    with pytest.raises(InputError):
        resolve_mention("Ana viu Ana com Ana.", spelled)


@given(st.data())
def test_every_stretch_of_every_text_can_be_spelled(data):
    text = data.draw(texts)
    span = data.draw(spans(text, empty=False))
    assert resolve_mention(text, spell_mention(text, span)) == span


@given(texts, texts)
def test_mentions_are_never_blank(text, candidate):
    assert all(span.of(text).strip() for span in find_mentions(text, candidate, function_words("pt"), NOWHERE))
