import pytest

from cases import listed
from winoglot.languages.base import NotDerivedError
from winoglot.languages.substitution import fused, joined, prepended, unelided


@listed
def test_words_are_written_as_they_meet(preposition, phrase, language, written):
    assert prepended(preposition, phrase, language) == written


def test_contractions_that_may_stay_open_are_made_on_demand():
    assert fused("Sentou em ", "uma cadeira", "pt", optional=True) == ("Sentou ", "numa cadeira")


def test_the_apostrophe_is_the_texts_own():
    assert fused("Il croit que ", "Anne dort.", "fr", apostrophe="’") == ("Il croit qu’", "Anne dort.")


@listed
def test_an_elided_word_is_made_whole_where_it_can_only_be_one(left, following, language, full):
    assert unelided(left, following, language) == full


def test_nothing_meets_at_the_edges_of_a_text():
    assert joined("", "o tio", "pt") == "o tio"
    assert fused("De ", "", "pt") == ("De ", "")


def test_where_spelling_does_not_tell_nothing_is_written():
    with pytest.raises(NotDerivedError, match="'IDE'"):
        prepended("a", "IDE", "en")
