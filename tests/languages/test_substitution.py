import pytest

from cases import listed
from winoglot.languages.base import NotDerivedError
from winoglot.languages.substitution import fused, joined, prepended, unelided


@listed
def test_words_are_written_as_they_meet(preposition, phrase, language, written):
    assert prepended(preposition, phrase, language) == written


@listed
def test_an_elided_word_is_made_whole_where_it_can_only_be_one(left, following, language, full):
    assert unelided(left, following, language) == full


def test_what_meets_in_a_text_has_its_apostrophe_and_optional_contractions_are_made_on_demand():
    assert joined("", "o tio", "pt") == "o tio"
    assert fused("De ", "", "pt") == ("De ", "")
    assert fused("Il croit que ", "Anne dort.", "fr", apostrophe="’") == ("Il croit qu’", "Anne dort.")
    assert fused("Sentou em ", "uma cadeira", "pt", optional=True) == ("Sentou ", "numa cadeira")


def test_where_spelling_does_not_tell_nothing_is_written():
    with pytest.raises(NotDerivedError, match="'IDE'"):
        prepended("a", "IDE", "en")
