"""Which pronoun is meant in a sentence that marks none: by the snippet, the candidates and the role asked for."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import cases_file, for_each, listed
from winoglot.errors import InputError
from winoglot.formats.importing.pronoun_choice import agreeing_pronouns, choose_pronoun
from winoglot.formats.importing.snippets import parse_snippet
from winoglot.schemas.spans import Span

# Language, sentence with its pronoun in braces, snippet, candidates.
SENTENCES = cases_file(Path(__file__))["SENTENCES"]


def split(marked):
    start, end = marked.index("{"), marked.index("}") - 1
    return marked.replace("{", "").replace("}", ""), Span(start, end)


@for_each(("language", "marked", "snippet", "candidates"), SENTENCES)
def test_the_snippet_and_the_candidates_show_the_pronoun(language, marked, snippet, candidates):
    text, pronoun = split(marked)
    assert choose_pronoun(text, snippet, candidates, language).pronoun == pronoun
    assert choose_pronoun(text, snippet, candidates[::-1], language).pronoun == pronoun


@listed
def test_what_is_unsure_is_refused_with_a_reason_for_each_pronoun(language, text, snippet, why):
    with pytest.raises(InputError) as caught:
        choose_pronoun(text, snippet, ("Luc", "Max"), language)
    assert why in caught.value.message


@listed
def test_a_question_word_asks_for_a_role(language, question, roles, animacy, predicate):
    asked = parse_snippet(question, language)
    assert (asked.roles, asked.animacy) == (set(roles.split()), animacy)
    assert predicate is None or asked.predicate == predicate


@given(st.sampled_from(SENTENCES), st.sampled_from(SENTENCES))
def test_a_snippet_of_another_sentence_never_leads_outside_the_pronouns(one, other):
    """Whatever the snippet, the choice is a listed pronoun, a zero pronoun of a language that has them, or an error."""
    language, marked, _, candidates = one
    text, pronoun = split(marked)
    try:
        span = choose_pronoun(text, other[2], candidates, language).pronoun
    except InputError:
        return
    assert span == pronoun or span.of(text).casefold() not in {"y", "en", "s'", "se", "c'", "isso", "自己", "自分"}
    assert span.of(text) or language in {"es", "ja", "pt", "zh"}


def test_agreeing_pronouns_are_those_of_both_candidates():
    text = "Ann saw the tram when it passed, and she waved at them."
    assert [span.of(text) for span in agreeing_pronouns(text, ("Ann", "Bea"), "en")] == ["she", "them"]
