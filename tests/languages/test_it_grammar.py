import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from sentence_lists import sentence
from winoglot import Candidate, Item, Span
from winoglot.languages.base import NotDerivedError
from winoglot.languages.it import euphonic
from winoglot.languages.it.grammar import ITALIAN
from winoglot.languages.romance.clitics import verb_end
from winoglot.languages.slots import filled, slot_of
from winoglot.languages.substitution import prepended, tokens
from winoglot.languages.text import sentences as split
from winoglot.languages.text import words


def derived(text, *candidates):
    given = {"text": text, "candidates": candidates, "readings": [None] * len(candidates)}
    return list(sentence("it", 1, given).derived())


@listed
def test_prepositions_are_articulated(noun, article):
    assert prepended("di", noun, "it").startswith(article)


@listed
def test_a_second_mention_has_the_article_of_its_sound(noun, phrase):
    pronoun = "loro" if noun.startswith("de") else "esso"
    (made,) = derived(f"Ecco {noun}: {{{pronoun}}} ritorna.", noun)
    assert made == f"Ecco {noun}: {phrase} ritorna."


@listed
def test_the_article_before_a_possessive_follows_the_next_sound(possessed, made):
    assert derived(f"Ugo parlò; ecco {possessed}.", "Ugo") == [f"Ugo parlò; ecco {made}."]


@pytest.mark.parametrize("form", ["prese", "chiese", "sorrise", "decise"])
def test_a_past_that_is_a_participle_too_ends_a_possessed_phrase(form):
    assert derived(f"Ugo vide il {{suo}} cane nero e {form} tempo.", "Ugo") == [
        f"Ugo vide il cane nero di Ugo e {form} tempo."
    ]


@given(
    st.sampled_from(["a ", "ad ", "e ", "ed ", "Disse a ", "Rise ed "]),
    st.sampled_from(["Anna", "Eva", "Ugo", "lo zio"]),
)
def test_a_final_d_stands_before_the_same_vowel_only(left, right):
    once = euphonic(left, right)
    assert euphonic(once, right) == once
    assert once.endswith("d ") == (once.split()[-1][0].lower() == right[0].lower())


@listed
def test_the_host_of_a_clitic_is_a_verb_of_its_own(host, verb):
    assert ITALIAN.without_clitic(host) == verb
    for other in ("glie", "me", "dirme", "portatemi", "fal", "par", "u"):
        assert ITALIAN.without_clitic(other) is None


@listed
def test_the_noun_follows_the_whole_predicate(verb, last):
    assert verb_end(tokens(verb, 0, len(verb)), ITALIAN) == last
    with pytest.raises(NotDerivedError, match="no participle"):
        verb_end(tokens("ha tempo", 0, 8), ITALIAN)


def test_sentences_and_words_are_split():
    assert split("Il sig. Neri dorme. La dott.ssa Verdi lavora.", "it") == [
        "Il sig. Neri dorme.",
        "La dott.ssa Verdi lavora.",
    ]
    assert words("L’amica dell'oste vuole vederlo.", "it") == ["L’", "amica", "dell'", "oste", "vuole", "vederlo", "."]


def test_either_apostrophe_is_understood_and_kept():
    assert derived("Ada vide Eva e {l’}ha salutata.", "Eva") == ["Ada vide Eva e ha salutato Eva."]
    assert derived("Ugo entrò nell’ufficio; la {sua} ora era giunta.", "Ugo")[0].startswith(
        "Ugo entrò nell’ufficio; l’ora"
    )


@pytest.mark.parametrize(("apostrophe", "made"), [("'", "dello zio"), ("’", "dello zio")])
def test_switching_divides_a_preposition_at_its_apostrophe(apostrophe, made):
    text = f"Lo studio dell{apostrophe}amico brucia e lui corre."
    item = Item("a.0", "a", text=text, pronoun=Span(29, 32), candidates=(Candidate("l'amico"),))
    slot = slot_of(item, Span(15, 20), "it")
    assert (slot.preposition, slot.noun.of(text)) == ("di", "amico")
    assert filled(text, slot, "lo", "zio", "it").phrase == made
