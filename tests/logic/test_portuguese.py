"""Brazilian Portuguese: agreement, mood, contraction, and wordings that have one reading."""

import re
from itertools import combinations
from random import Random

import pytest

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


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("(doctor(p0) ∧ doctor(p2))", "Tanto Ana Reis quanto Bia Paz são médicas."),
        ("(doctor(p0) ∧ doctor(p1))", "Tanto Ana Reis quanto Caio Luz são médicos."),
        ("(doctor(p0) ∧ doctor(p1))", "Ana Reis, assim como Caio Luz, é médica."),
        ("(doctor(p0) ↔ ¬doctor(p2))", "Entre Ana Reis e Bia Paz, exatamente uma é médica."),
        ("(doctor(p0) ↔ ¬doctor(p1))", "Entre Ana Reis e Caio Luz, um dos dois é médico, mas não ambos."),
        ("cousin(p0,p2)", "Ana Reis e Bia Paz são primas."),
        ("cousin(p0,p1)", "Caio Luz e Ana Reis são primos."),
        ("∀x (lives(x,c0) → doctor(x))", "Todos os que moram em Roma são médicos."),
        ("∀x (lives(x,c0) → doctor(x))", "Todo mundo que mora em Roma é médico."),
        ("∃=2 x (guests(x) ∧ doctor(x))", "Exatamente dois dos membros da comitiva são médicos."),
        ("∃=2 x (judges(x) ∧ doctor(x))", "Exatamente dois dos membros do júri são médicos."),
        (
            "∀x (doctor(x) ↔ x = ιx[museum(x,c0)])",
            "Ninguém além da pessoa que dirige o museu municipal de Roma é médico.",
        ),
        ("before(arrival(p0),arrival(p1))", "Ana Reis chegou antes de Caio Luz."),
        ("before(arrival(p0),departure(p1))", "Ana Reis chegou antes de Caio Luz sair."),
        ("¬before(departure(p0),departure(p1))", "Ana Reis não saiu antes de Caio Luz."),
        ("¬met(p0,p1)", "Ana Reis e Caio Luz não se conhecem pessoalmente."),
        ("(doctor(p1) ↔ ¬doctor(p0))", "Ou Caio Luz ou Ana Reis é médica, mas não os dois."),
        ("(doctor(p0) → doctor(p1))", "Se Ana Reis é médica, Caio Luz também é médico."),
        ("(visited(p0,c0) → visited(p0,c1))", "Ana Reis, se visitou Roma, também visitou Oslo."),
        ("(visited(p0,c0) → ¬visited(p0,c1))", "Ana Reis, se visitou Roma, não visitou Oslo."),
        ("∀x (visited(x,c0) → ¬visited(x,c1))", "Não há ninguém que tenha visitado Roma e Oslo."),
        ("∃x (visited(x,c0) ∧ visited(x,c1))", "Há alguém que visitou Roma e Oslo."),
        ("∃x (visited(x,c0) ∧ doctor(x))", "Há alguém que visitou Roma e que é médico."),
        ("(¬doctor(p0) → ¬doctor(p1))", "Se Ana Reis não é médica, então Caio Luz também não é médico."),
        ("(doctor(p0) ↔ doctor(p2))", "Ou tanto Ana Reis quanto Bia Paz são médicas, ou nenhuma das duas."),
        ("∀x (driver(x) → ¬lives(x,c0))", "Ninguém que tenha carteira de motorista mora em Roma."),
        ("doctor(ιx[library(x,c0)])", "A pessoa que dirige a biblioteca municipal de Roma é médica."),
    ],
)
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
