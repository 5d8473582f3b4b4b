import pytest

from cases import for_each
from items import item
from winoglot.languages.base import NotDerivedError
from winoglot.languages.phrases import phrase_of


@for_each(
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
        ("Ambos os homens riram e {eles} saíram.", "ambos os homens", "pt", "ambos os homens"),
        ("Vi todos os meninos e {eles} riram.", "todos os meninos", "pt", "todos os meninos"),
        ("Todo homem ri quando {ele} pode.", "Todo homem", "pt", "todo homem"),
        ("Tout homme rit quand {il} peut.", "Tout homme", "fr", "tout homme"),
        ("Toutes les filles rient quand {elles} peuvent.", "toutes les filles", "fr", "toutes les filles"),
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


@pytest.mark.parametrize(
    ("text", "candidate", "language"),
    [
        ("Nenhum homem riu quando {ele} caiu.", "nenhum homem", "pt"),
        ("Não vi qualquer menino, e {ele} riu.", "qualquer menino", "pt"),
        ("Tanto homem caiu, e {ele} riu.", "tanto homem", "pt"),
        ("Um dos homens caiu, e {ele} riu.", "um dos homens", "pt"),
        ("Cada um dos homens caiu, e {ele} riu.", "cada um dos homens", "pt"),
        ("Aucun homme ne rit quand {il} tombe.", "aucun homme", "fr"),
        ("Nul garçon ne rit quand {il} tombe.", "nul garçon", "fr"),
        ("Beaucoup de garçons rient quand {ils} tombent.", "beaucoup de garçons", "fr"),
        ("Plusieurs de mes amis rient quand {ils} tombent.", "plusieurs de mes amis", "fr"),
    ],
)
def test_a_quantity_that_cannot_be_said_again_is_not_derived(text, candidate, language):
    with pytest.raises(NotDerivedError, match=candidate):
        phrase_of(item(text, [candidate], language), 0, language)


def test_a_kept_quantifier_agrees_with_the_pronoun():
    with pytest.raises(NotDerivedError, match="'tout le monde' is singular"):
        phrase_of(item("Tout le monde rit et {ils} partent.", ["tout le monde"], "fr"), 0, "fr")
