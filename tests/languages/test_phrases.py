import pytest

from cases import listed
from items import item
from winoglot.languages.base import NotDerivedError
from winoglot.languages.phrases import phrase_of


@listed
def test_a_candidate_takes_up_its_mention(text, candidate, language, phrase):
    assert phrase_of(item(text, [candidate], language), 0, language).text == phrase


def test_a_name_that_is_not_mentioned_follows_the_habit_of_the_place():
    unmentioned = item("Chegou alguém e {ela} riu.", ["Marta"], mentions=[[]])
    assert phrase_of(unmentioned, 0, "pt-BR").text == "Marta"
    assert phrase_of(unmentioned, 0, "pt-PT").text == "a Marta"


def test_an_article_needs_a_gender_and_a_kept_quantifier_agrees_with_the_pronoun():
    with pytest.raises(NotDerivedError, match="'bule'"):
        phrase_of(item("Havia bule na mesa e {sua} tampa caiu.", ["bule"]), 0, "pt")
    with pytest.raises(NotDerivedError, match="'tout le monde' is singular"):
        phrase_of(item("Tout le monde rit et {ils} partent.", ["tout le monde"], "fr"), 0, "fr")


@listed
def test_a_quantity_that_cannot_be_said_again_is_not_derived(text, candidate, language):
    with pytest.raises(NotDerivedError, match=candidate):
        phrase_of(item(text, [candidate], language), 0, language)
