import pytest

from winoglot.languages.base import NotDerivedError
from winoglot.languages.substitution import fused, joined, prepended, unelided


@pytest.mark.parametrize(
    ("preposition", "phrase", "language", "written"),
    [
        ("de", "o tio", "pt", "do tio"),
        ("em", "as caixas", "pt", "nas caixas"),
        ("a", "a tia", "pt", "à tia"),
        ("por", "os vizinhos", "pt", "pelos vizinhos"),
        ("De", "a tia", "pt", "Da tia"),
        ("em", "um banco", "pt", "em um banco"),
        ("para", "o tio", "pt", "para o tio"),
        ("de", "Ana", "pt", "de Ana"),
        ("de", "le tailleur", "fr", "du tailleur"),
        ("à", "les voisins", "fr", "aux voisins"),
        ("de", "l'oncle", "fr", "de l'oncle"),
        ("de", "Anne", "fr", "d'Anne"),
        ("Que", "Élodie", "fr", "Qu'Élodie"),
        ("de", "Paul", "fr", "de Paul"),
        ("a", "owl", "en", "an owl"),
        ("a", "mole", "en", "a mole"),
    ],
)
def test_words_are_written_as_they_meet(preposition, phrase, language, written):
    assert prepended(preposition, phrase, language) == written


def test_contractions_that_may_stay_open_are_made_on_demand():
    assert fused("Sentou em ", "uma cadeira", "pt", optional=True) == ("Sentou ", "numa cadeira")


def test_the_apostrophe_is_the_texts_own():
    assert fused("Il croit que ", "Anne dort.", "fr", apostrophe="’") == ("Il croit qu’", "Anne dort.")


@pytest.mark.parametrize(
    ("left", "following", "language", "full"),
    [
        ("Il dit qu'", "elle dort", "fr", "Il dit que "),
        ("Il dit qu’", "elle dort", "fr", "Il dit que "),
        ("Lorsqu'", "il dort", "fr", "Lorsque "),
        ("Je demande s'", "il dort", "fr", "Je demande si "),
        ("Il s'", "endort", "fr", "Il se "),
        ("Vu l'", "homme", "fr", "Vu l'"),
        ("It was an ", "owl", "en", "It was a "),
        ("Falou com ", "ele", "pt", "Falou com "),
        ("", "ele", "pt", ""),
    ],
)
def test_an_elided_word_is_made_whole_where_it_can_only_be_one(left, following, language, full):
    assert unelided(left, following, language) == full


def test_nothing_meets_at_the_edges_of_a_text():
    assert joined("", "o tio", "pt") == "o tio"
    assert fused("De ", "", "pt") == ("De ", "")


def test_where_spelling_does_not_tell_nothing_is_written():
    with pytest.raises(NotDerivedError, match="'IDE'"):
        prepended("a", "IDE", "en")
