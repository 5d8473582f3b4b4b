import pytest

from items import item
from winoglot.languages.base import NotDerivedError
from winoglot.languages.phrases import phrase_of


@pytest.mark.parametrize(
    ("text", "candidate", "language", "phrase"),
    [
        ("Vi um gato e {ele} fugiu.", "um gato", "pt", "o gato"),
        ("Vi aquelas moças e {elas} riram.", "aquelas moças", "pt", "as moças"),
        ("Ela trouxe seus livros e leu {eles}.", "seus livros", "pt", "os livros"),
        ("Caiu cabelo no ralo e {ele} entupiu.", "cabelo", "pt", "o cabelo"),
        ("Minha mãe saiu; {ela} volta.", "minha mãe", "pt", "minha mãe"),
        ("O João chegou e {ele} riu.", "João", "pt", "o João"),
        ("João chegou e {ele} riu.", "o João", "pt", "João"),
        ("Falei com o João e {ele} riu.", "João", "pt", "o João"),
        ("A porta fechou; {ela} rangeu.", "A porta", "pt", "a porta"),
        ("J'ai vu un arbre et {il} tombait.", "un arbre", "fr", "l'arbre"),
        ("Cette scie coupe mal, car {elle} est vieille.", "scie", "fr", "la scie"),
        ("Des manteaux pendaient ; {ils} séchaient.", "manteaux", "fr", "les manteaux"),
        ("A kite fell and {it} tore.", "a kite", "en", "the kite"),
        ("His sister left because {she} was ill.", "his sister", "en", "his sister"),
        ("Bees sting when {they} are scared.", "bees", "en", "bees"),
    ],
)
def test_a_candidate_takes_up_its_mention(text, candidate, language, phrase):
    assert phrase_of(item(text, [candidate], language), 0, language).text == phrase


def test_a_name_that_is_not_mentioned_follows_the_habit_of_the_place():
    unmentioned = item("Chegou alguém e {ela} riu.", ["Marta"], mentions=[[]])
    assert phrase_of(unmentioned, 0, "pt-BR").text == "Marta"
    assert phrase_of(unmentioned, 0, "pt-PT").text == "a Marta"


def test_an_article_needs_a_gender():
    with pytest.raises(NotDerivedError, match="'bule'"):
        phrase_of(item("Havia bule na mesa e {sua} tampa caiu.", ["bule"]), 0, "pt")
