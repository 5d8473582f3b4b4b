from cases import listed
from items import item
from winoglot import switch
from winoglot.languages.openings import partitive_of
from winoglot.languages.phrases import split


@listed
def test_a_partitive_article_is_one_determiner_in_french(phrase, parts):
    assert split(phrase, "fr") == tuple(parts)
    for language in ("pt", "es", "en", "zh"):
        assert partitive_of("de la crema", language) == partitive_of("do leite", language) == ""


def test_a_partitive_article_and_a_contraction_of_the_mention_stay_in_place():
    mixed = item("Du beurre a coulé sur de l'ail et {il} a noirci.", ["beurre", "ail"], "fr")
    assert switch(mixed).text == "De l'ail a coulé sur du beurre et il a noirci."
    switched = switch(item("Rita foi à casa da prima e à da tia, mas {ela} saiu.", ["a prima", "a tia"]))
    assert switched.text == "Rita foi à casa da tia e à da prima, mas ela saiu."


@listed
def test_a_title_goes_with_its_name_and_leaves_a_preposition_in_place(text, candidates, switched):
    assert switch(item(text, candidates)).text == switched
