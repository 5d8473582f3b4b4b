"""Brazilian Portuguese: agreement, mood, contraction, and wordings that have one reading."""

import re
from itertools import combinations
from random import Random

import pytest

from cases import listed
from winoglot.logic.formulas import parse
from winoglot.logic.languages import pt
from winoglot.logic.names import SPLITS, names
from winoglot.logic.wording.parse import parse_sentence
from winoglot.logic.wording.realise import Writer, WrittenName
from winoglot.logic.wording.table import table

NAMES = {
    "p0": WrittenName("Ana Reis", "f"),
    "p1": WrittenName("Caio Luz", "m"),
    "p2": WrittenName("Bia Paz", "f"),
    "c0": WrittenName("Roma"),
    "c1": WrittenName("Oslo"),
}
TEXTS = {symbol: name.text for symbol, name in NAMES.items()}
MANY = 80  # draws, enough to see every wording of a short formula


def wordings(formula, *, nested=False):
    writer = Writer(table("pt"), NAMES, Random(0))
    found = {writer.sentence(parse(formula), nested=nested) for _ in range(MANY)}
    assert {parse_sentence(text.removesuffix("."), "pt", TEXTS) for text in found} == {parse(formula)}
    return found


@listed
def test_words_agree_and_contract(formula, sentence):
    if formula.startswith("cousin"):
        formula = next(one for one in (formula, "cousin(p1,p0)") if sentence in wordings(one))
    assert sentence in wordings(formula)


def test_what_is_denied_or_conceded_is_in_the_subjunctive():
    denials = {text for text in wordings("¬asleep(p0)", nested=True) if " que " in text}
    assert denials == {f"{start} que Ana Reis esteja dormindo." for start in ("Não é verdade", "É falso")}
    unless = {text for text in wordings("(¬lives(p1,c0) → visited(p0,c1))") if "a não ser que" in text}
    assert unless
    assert all("Caio Luz more em Roma" in text or "Caio Luz viva em Roma" in text for text in unless)


def test_only_if_denies_nothing_before_only():
    texts = wordings("(¬doctor(p0) → driver(p1))")
    assert not [text for text in texts if re.search("não .*(somente|apenas) se", text)]
    assert "Ana Reis é médica somente se Caio Luz tem carteira de motorista." in wordings("(doctor(p0) → driver(p1))")


@pytest.mark.parametrize(
    "formula", ["(doctor(p0) → lives(p0,c0))", "(¬doctor(p0) → driver(p0))", "(doctor(p0) ∨ driver(p0))"]
)
def test_a_person_is_named_once(formula):
    assert {text.count("Ana Reis") for text in wordings(formula)} == {1}


@pytest.mark.parametrize(
    "formula",
    ["(visited(p0,c0) → visited(p1,c0))", "(visited(p0,c0) ↔ visited(p1,c0))", "(doctor(p0) ∨ doctor(p1))"],
)
def test_the_same_of_two_people_is_not_said_as_if_it_were_something_else(formula):
    said = wordings(formula)
    assert len(said) > 1
    assert all(re.search(r"também|\bum\b|nenhum", text) for text in said)


def test_nobody_has_been_anywhere_without_already():
    for formula in ("∀x ¬visited(x,c0)", "(¬visited(p0,c0) ∧ ¬visited(p1,c0))", "∀x (judges(x) → ¬met(x,p0))"):
        assert not [text for text in wordings(formula) if " já " in text]


def test_one_of_two_is_followed_by_and():
    texts = wordings("(doctor(p0) ∨ doctor(p1))") | wordings("(doctor(p0) ↔ ¬doctor(p1))")
    assert [text for text in texts if "um dos dois" in text]
    assert all(text.startswith("Entre Ana Reis e Caio Luz, ") for text in texts if "um dos dois" in text)


def test_who_did_not_leave_after_another_left():
    texts = wordings("¬before(arrival(p1),departure(p0))")
    assert "Caio Luz não chegou antes de Ana Reis sair." in texts
    assert not [text for text in texts if "não saiu depois" in text]


def test_descriptions_are_not_of_who_stands_before_a_building():
    for role in ("mayor", "hospital", "library", "museum"):
        texts = wordings(f"doctor(ιx[{role}(x,c0)])") | wordings(f"ιx[{role}(x,c0)] = ιx[museum(x,c1)]")
        assert not [text for text in texts if "frente" in text]


def test_contractions_can_be_taken_apart():
    text = "Ninguém além da pessoa que dirige o museu mora do outro lado em relação à pessoa que comanda a prefeitura"
    assert pt.finish(pt.undo(text)) == text
    assert "de a pessoa" in pt.undo(text)


def test_enough_names_and_no_word_in_two_splits():
    pools = [names("pt", split) for split in SPLITS]
    words = [{*pool.feminine, *pool.masculine, *pool.surnames, *" ".join(pool.places).split()} for pool in pools]
    assert not [common for a, b in combinations(words, 2) if (common := a & b)]
    assert all(pool.sizes["people"] >= 400 and pool.sizes["places"] >= 300 for pool in pools)
    every = sorted(set().union(*words))
    assert not [(a, b) for a in every for b in every if a != b and a.lower() in b.lower()]
