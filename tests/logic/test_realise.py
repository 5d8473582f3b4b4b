"""Sentences in four languages: what is drawn for a formula is grammatical and says just that."""

from random import Random

import pytest

from cases import for_each
from winoglot.errors import InputError
from winoglot.logic.formulas import parse
from winoglot.logic.realise import realise
from winoglot.logic.vocabulary import WrittenName

NAMES = {
    "en": ("Ana", "Ben", "Cleo", "Rome", "Cairo", "Lima"),
    "pt": ("Ana", "Bruno", "Clara", "Roma", "o Cairo", "Lima"),
    "fr": ("Anne", "Bruno", "Claire", "Rome", "Le Caire", "Lima"),
    "zh": ("王芳", "李伟强", "张敏", "罗马", "开罗", "利马"),
}
SYMBOLS = ("p0", "p1", "p2", "c0", "c1", "c2")


def words(language):
    made = {}
    for symbol, text in zip(SYMBOLS, NAMES[language], strict=True):
        if symbol.startswith("c"):
            made[symbol] = WrittenName(text, "place")
        else:
            made[symbol] = WrittenName(text, "person", "masculine" if symbol == "p1" else "feminine")
    return made


def ways(formula, language, **options):
    """All the ways to say it that many draws find."""
    rng = Random(1)
    return {realise(parse(formula), words(language), language, rng, **options) for _ in range(400)}


@for_each(
    ("language", "formula", "expected"),
    [
        ("en", "V(p0,c0)", {"Ana has visited Rome.", "Ana has been to Rome."}),
        ("pt", "V(p1,c1)", {"Bruno visitou o Cairo.", "Bruno já visitou o Cairo.", "Bruno esteve no Cairo."}),
        ("fr", "V(p0,c1)", {"Anne a visité Le Caire.", "Anne est allée au Caire."}),
        ("zh", "V(p0,c0)", {"王芳去过罗马。", "王芳到过罗马。"}),
        ("en", "V(p0,p1)", {"Ana has visited Ben.", "Ben has received a visit from Ana."}),
        ("en", "V(p0,p1)", {"Ben has been visited by Ana."}),
        ("pt", "V(p0,p1)", {"Ana visitou Bruno.", "Bruno recebeu a visita de Ana."}),
        ("fr", "V(p0,p1)", {"Anne a rendu visite à Bruno.", "Bruno a reçu la visite d'Anne."}),
        ("zh", "V(p0,p1)", {"王芳拜访过李伟强。", "拜访过李伟强的人里有王芳。"}),
        ("en", "¬V(p0,c0)", {"Rome has never been visited by Ana."}),
        ("pt", "¬V(p0,c1)", {"O Cairo nunca recebeu a visita de Ana."}),
        ("fr", "¬V(p1,c1)", {"Le Caire n'a jamais reçu la visite de Bruno."}),
        ("zh", "¬V(p0,c0)", {"去过罗马的人里没有王芳。"}),
        ("en", "(¬V(p0,c0) ∧ ¬V(p1,c0))", {"Rome has been visited by neither Ana nor Ben."}),
        ("pt", "(¬V(p0,c0) ∧ ¬V(p1,c0))", {"Roma não recebeu a visita nem de Ana nem de Bruno."}),
        ("fr", "(¬V(p0,c0) ∧ ¬V(p0,c1))", {"Ni Rome ni Le Caire n'ont reçu la visite d'Anne."}),
        ("zh", "(¬V(p0,c0) ∧ ¬V(p1,c0))", {"去过罗马的人里没有王芳，也没有李伟强。"}),
        ("fr", "¬(V(p0,c0) ∧ V(p1,c0))", {"Il est faux qu'Anne et Bruno aient visité Rome."}),
        ("en", "(¬V(p0,c0) ∧ ¬V(p1,c0))", {"Neither Ana nor Ben has visited Rome."}),
        ("pt", "(¬V(p0,c1) ∧ ¬V(p1,c1))", {"Nem Ana nem Bruno estiveram no Cairo."}),
        (
            "fr",
            "(¬V(p0,c0) ∧ ¬V(p2,c0))",
            {"Ni Anne ni Claire n'ont visité Rome.", "Ni Anne ni Claire ne sont allées à Rome."},
        ),
        ("zh", "(¬V(p0,c0) ∧ ¬V(p1,c0))", {"王芳和李伟强都没有去过罗马。"}),
        ("en", "(V(p0,c0) ∧ V(p0,c1) ∧ V(p0,c2))", {"Ana has visited Rome, Cairo, and Lima."}),
        ("pt", "(V(p0,c0) ∧ V(p0,c1) ∧ V(p0,c2))", {"Ana esteve em Roma, no Cairo e em Lima."}),
        (
            "fr",
            "(¬V(p0,c0) ∧ ¬V(p0,c1))",
            {"Anne n'est allée ni à Rome ni au Caire.", "Anne n'a visité ni Rome ni Le Caire."},
        ),
        ("en", "∀y ¬V(p0,y)", {"Ana has visited no city.", "Ana has not visited any city."}),
        ("pt", "∀x ¬V(p0,x)", {"Ana não visitou ninguém.", "Não há ninguém que Ana tenha visitado."}),
        ("fr", "∀x ¬V(p0,x)", {"Anne n'a rendu visite à personne."}),
        ("fr", "∃y ¬V(p0,y)", {"Anne n'a pas visité toutes les villes.", "Il y a une ville qu'Anne n'a pas visitée."}),
        ("zh", "∃y ¬V(p0,y)", {"不是所有城市王芳都去过。", "有一座城市王芳没有去过。"}),
        ("pt", "∃x ¬V(x,c0)", {"Nem todo mundo visitou Roma.", "Alguém não visitou Roma."}),
        ("zh", "∃x ¬V(x,c0)", {"不是所有人都去过罗马。", "有人没有去过罗马。"}),
        ("zh", "∀x ¬V(x,c0)", {"没有人去过罗马。"}),
        ("fr", "∀x ¬V(x,c0)", {"Personne n'est allé à Rome.", "Il n'y a personne qui ait visité Rome."}),
        ("fr", "∀x V(x,c0)", {"Tout le monde est allé à Rome.", "Chaque personne est allée à Rome."}),
        ("pt", "∃=22 x V(p0,x)", {"Ana visitou exatamente vinte e duas pessoas."}),
        ("fr", "∃=21 y V(p0,y)", {"Anne a visité exactement vingt et une villes."}),
        ("fr", "∃≤21 x V(p0,x)", {"Anne a rendu visite à vingt et une personnes au plus."}),
        ("fr", "∃=21 y V(p0,y)", {"Le nombre de villes qu'Anne a visitées est de vingt et un."}),
        ("zh", "∃=2 x V(p0,x)", {"王芳恰好拜访过两个人。"}),
        ("zh", "∃≥12 y V(p0,y)", {"王芳至少去过十二座城市。"}),
        ("en", "∃≤1 y V(p0,y)", {"Ana has visited at most one city.", "Ana has been to no more than one city."}),
        (
            "en",
            "p0 = ιx[V(x,c0)]",
            {
                "Only Ana has visited Rome.",
                "Nobody but Ana has visited Rome.",
                "Ana is the only person who has visited Rome.",
            },
        ),
        ("pt", "p0 = ιx[V(x,c0)]", {"Somente Ana visitou Roma.", "Ana é a única pessoa que visitou Roma."}),
        ("fr", "p0 = ιx[V(x,c0)]", {"Seule Anne a visité Rome.", "Personne, sauf Anne, n'a visité Rome."}),
        ("fr", "p1 = ιx[V(x,c0)]", {"Seul Bruno a visité Rome.", "Bruno est la seule personne à être allée à Rome."}),
        ("zh", "p0 = ιx[V(x,c0)]", {"只有王芳去过罗马。", "除了王芳，没有人去过罗马。"}),
        ("pt", "p0 > p1", {"Ana é mais alta do que Bruno.", "Bruno é mais baixo do que Ana."}),
        ("fr", "p1 > p0", {"Bruno est plus grand qu'Anne.", "Anne est plus petite que Bruno."}),
        (
            "fr",
            "(V(p0,c0) ∨ V(p1,c0))",
            {
                "Anne est allée à Rome, ou Bruno est allé à Rome.",
                "Au moins l'un des deux, Anne ou Bruno, est allé à Rome.",
            },
        ),
        ("zh", "¬(p0 > p1)", {"王芳不比李伟强高。"}),
        ("zh", "¬(p0 ≥ p1)", {"王芳没有李伟强高。", "王芳比李伟强矮。"}),
        ("fr", "¬(p0 before p1)", {"Anne n'est pas arrivée avant Bruno.", "Bruno n'est pas arrivé après Anne."}),
        ("en", "¬¬V(p0,c0)", {"It is not true that Ana has not visited Rome."}),
        ("pt", "¬¬V(p0,c0)", {"Não é verdade que Ana não tenha visitado Roma."}),
        ("fr", "¬¬V(p0,c0)", {"Il est faux qu'Anne n'ait pas visité Rome."}),
        ("fr", "¬¬¬V(p0,c0)", {"Il n'est pas vrai qu'il soit faux qu'Anne ne soit pas allée à Rome."}),
        ("zh", "¬¬V(p0,c0)", {"并非王芳没有去过罗马。"}),
        ("en", "¬∃x ¬V(x,c0)", {"There is nobody who has not visited Rome."}),
        ("en", "(V(p0,c0) → ¬V(p1,c1))", {"If Ana has been to Rome, then Ben has not visited Cairo."}),
        ("en", "(¬V(p0,c0) ∨ ¬V(p0,c1))", {"Ana either has not visited Rome or has not visited Cairo."}),
        ("pt", "(V(p0,c0) ∨ V(p2,c0))", {"Pelo menos uma das duas, Ana ou Clara, visitou Roma."}),
    ],
)
def test_a_formula_can_be_said_like_this(language, formula, expected):
    assert expected <= ways(formula, language)


@pytest.mark.parametrize(
    ("language", "formula", "unwanted"),
    [
        ("en", "p0 ≥ p1", " is as tall as"),
        ("pt", "p0 ≥ p1", " é tão alta quanto"),
        ("zh", "p0 ≥ p1", "王芳和李伟强一样高"),
        ("en", "∃=3 y V(p0,y)", "only"),
        ("zh", "¬(p0 > p1)", "没有"),  # 没有李伟强高 is shorter, not: not taller
        ("en", "∃x ∀y V(x,y)", "Someone has"),  # may be a different person for each city
        ("en", "¬¬∀x V(x,c0)", "Everyone has visited Rome."),  # negations are kept
        ("en", "(¬V(p0,c0) → V(p1,c1))", "only if"),  # has not … only if: what is denied?
        ("fr", "p0 = ιx[V(x,c0)]", "d'autre"),  # perhaps not she either
        ("fr", "(V(p0,c0) ∨ V(p1,c0))", "Anne ou Bruno a"),  # perhaps not both
        ("pt", "(V(p0,c0) ∨ V(p1,c0))", "Ou Ana"),
        ("zh", "(V(p0,p1) ∧ V(p0,p2))", "，王芳"),  # 李伟强和张敏，王芳都拜访过: who has visited whom?
        ("zh", "∃x ¬V(p0,x)", "所有人王芳"),
        ("zh", "∀x ¬V(p0,x)", "王芳谁都"),
    ],
)
def test_nothing_ambiguous_is_said(language, formula, unwanted):
    assert not any(unwanted in sentence for sentence in ways(formula, language))


def test_chinese_has_no_word_that_may_be_as_tall_or_taller_so_it_says_at_least():
    assert all("至少" in sentence for sentence in ways("p0 ≥ p1", "zh", wording="ambiguous"))


def test_the_ambiguous_wording_of_the_published_corpus_can_be_asked_for():
    assert ways("p0 ≥ p1", "en", wording="ambiguous") == {"Ana is as tall as Ben."}
    assert ways("∃=3 y V(p0,y)", "pt", wording="ambiguous") == {
        "Ana visitou apenas três cidades.",
        "Ana visitou somente três cidades.",
    }


@pytest.mark.parametrize("language", NAMES)
def test_every_formula_has_several_ways(language):
    for formula in ("V(p0,c0)", "∀x ¬V(x,c0)", "∃y V(p0,y)", "p0 = ιx[V(x,c0)]", "p0 > p1", "∃=3 y V(p0,y)"):
        assert len(ways(formula, language)) > 1


@pytest.mark.parametrize("language", NAMES)
def test_a_seed_says_the_same_for_ever(language):
    formula = parse("(V(p0,c0) ∧ ¬V(p1,c1) ∧ p0 > p1)")
    once, again = (realise(formula, words(language), language, Random(5)) for _ in range(2))
    assert once == again


def test_facts_are_sentences_and_two_simple_ones_are_joined():
    three = realise(parse("(V(p0,c0) ∧ ¬V(p1,c1) ∧ ∀x V(x,c2))"), words("en"), "en", Random(1))
    assert three.count(". ") == 2
    two = realise(parse("(V(p0,c0) ∧ ¬V(p1,c1))"), words("en"), "en", Random(1))
    assert ", and " in two


def test_a_symbol_without_a_name_is_an_input_error():
    with pytest.raises(InputError, match="p7"):
        realise(parse("V(p7,c0)"), words("en"), "en", Random(1))


def test_a_formula_without_a_sentence_is_an_input_error():
    with pytest.raises(InputError, match="no sentence"):
        realise(parse("∀x (V(x,c0) → V(x,c1))"), words("en"), "en", Random(1))


def test_an_unknown_language_is_an_input_error():
    with pytest.raises(InputError, match="'xx'"):
        realise(parse("V(p0,c0)"), words("en"), "xx", Random(1))
