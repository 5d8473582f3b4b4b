"""Brazilian Portuguese: agreement, mood, contraction, and wordings that have one reading."""

import re

from cases import listed
from logic.wordings import wordings_in
from winoglot.logic.languages import pt
from winoglot.logic.names import SPLITS, names

wordings = wordings_in("pt", "Ana Reis", "Caio Luz", "Bia Paz", "Roma", "Oslo")


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


def test_a_person_is_named_once_and_the_same_of_two_people_is_not_said_as_if_it_were_something_else():
    for formula in ("(doctor(p0) → lives(p0,c0))", "(¬doctor(p0) → driver(p0))", "(doctor(p0) ∨ driver(p0))"):
        assert {text.count("Ana Reis") for text in wordings(formula)} == {1}
    for formula in ("visited(p0,c0) → visited(p1,c0)", "visited(p0,c0) ↔ visited(p1,c0)", "doctor(p0) ∨ doctor(p1)"):
        said = wordings(f"({formula})")
        assert len(said) > 1
        assert all(re.search(r"também|\bum\b|nenhum", text) for text in said)


def test_one_of_two_is_followed_by_and():
    texts = wordings("(doctor(p0) ∨ doctor(p1))") | wordings("(doctor(p0) ↔ ¬doctor(p1))")
    assert [text for text in texts if "um dos dois" in text]
    assert all(text.startswith("Entre Ana Reis e Caio Luz, ") for text in texts if "um dos dois" in text)


def test_what_would_be_read_otherwise_is_not_said():
    for role in ("mayor", "hospital", "library", "museum"):  # who stands before a building
        texts = wordings(f"doctor(ιx[{role}(x,c0)])") | wordings(f"ιx[{role}(x,c0)] = ιx[museum(x,c1)]")
        assert not [text for text in texts if "frente" in text]
    texts = wordings("¬before(arrival(p1),departure(p0))")
    assert "Caio Luz não chegou antes de Ana Reis sair." in texts
    assert not [text for text in texts if "não saiu depois" in text]
    for formula in ("∀x ¬visited(x,c0)", "(¬visited(p0,c0) ∧ ¬visited(p1,c0))", "∀x (judges(x) → ¬met(x,p0))"):
        assert not [text for text in wordings(formula) if " já " in text]


def test_contractions_can_be_taken_apart():
    text = "Ninguém além da pessoa que dirige o museu mora do outro lado em relação à pessoa que comanda a prefeitura"
    assert pt.finish(pt.undo(text)) == text
    assert "de a pessoa" in pt.undo(text)


def test_no_name_is_part_of_another():
    pools = [names("pt", split) for split in SPLITS]
    words = sorted(
        {word for p in pools for word in (*p.feminine, *p.masculine, *p.surnames, *" ".join(p.places).split())}
    )
    assert not [(a, b) for a in words for b in words if a != b and a.lower() in b.lower()]
