import pytest

from cases import listed
from items import item
from winoglot import switch
from winoglot.languages.openings import partitive_of
from winoglot.languages.phrases import split


@pytest.mark.parametrize(
    ("phrase", "parts"),
    [
        ("du beurre", ("du", "beurre")),
        ("De la crème", ("de la", "crème")),
        ("de l’huile", ("de l'", "huile")),
        ("des noix", ("des", "noix")),
        ("durée", ("", "durée")),
        ("du", ("", "du")),
        ("de lait", ("", "de lait")),
    ],
)
def test_a_partitive_article_is_one_determiner(phrase, parts):
    assert split(phrase, "fr") == parts


@pytest.mark.parametrize("language", ["pt", "es", "en", "zh"])
def test_other_languages_have_no_partitive_article(language):
    assert partitive_of("de la crema", language) == partitive_of("do leite", language) == ""


def test_a_bare_candidate_is_switched_behind_its_partitive_article():
    mixed = item("Du beurre a coulé sur de l'ail et {il} a noirci.", ["beurre", "ail"], "fr")
    assert switch(mixed).text == "De l'ail a coulé sur du beurre et il a noirci."


@listed
def test_a_title_goes_with_its_name_and_leaves_a_preposition_in_place(text, candidates, switched):
    assert switch(item(text, candidates)).text == switched


def test_a_contraction_of_the_mention_stays_in_place():
    switched = switch(item("Rita foi à casa da prima e à da tia, mas {ela} saiu.", ["a prima", "a tia"]))
    assert switched.text == "Rita foi à casa da tia e à da prima, mas ela saiu."
