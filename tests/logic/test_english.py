"""English sentences as an English reader expects them: nobody named twice for nothing, and one reading each."""

import re
from random import Random

import pytest

from cases import listed
from winoglot.logic.formulas import parse
from winoglot.logic.languages import en
from winoglot.logic.wording.parse import parse_sentence
from winoglot.logic.wording.realise import Writer, WrittenName
from winoglot.logic.wording.table import table

NAMES = {
    "p0": WrittenName("Ann Lee", "f"),
    "p1": WrittenName("Paul Roy", "m"),
    "p2": WrittenName("Eve Moss", "f"),
    "c0": WrittenName("Oslo"),
    "c1": WrittenName("Rome"),
}
TEXTS = {symbol: name.text for symbol, name in NAMES.items()}
MANY = 80  # draws, enough to see every wording of a short formula


def wordings(formula, *, nested=False):
    writer = Writer(table("en"), NAMES, Random(0))
    found = {writer.sentence(parse(formula), nested=nested) for _ in range(MANY)}
    assert {parse_sentence(text.removesuffix("."), "en", TEXTS) for text in found} == {parse(formula)}
    return found


@listed
def test_sentences(formula, sentence):
    assert sentence in wordings(formula)


@pytest.mark.parametrize("formula", ["{} → {}", "¬{} → {}", "{} → ¬{}", "¬{} → ¬{}", "{} ∨ {}", "¬{} ∨ {}", "{} ↔ ¬{}"])
@pytest.mark.parametrize("said", ["met({},p2)", "lives({},c0)", "employer({},p2)", "swimmer({})", "cousin({},p2)"])
def test_nothing_is_said_twice(said, formula):
    for text in wordings(f"({formula.format(said.format('p0'), said.format('p1'))})"):
        assert len(re.findall("Eve Moss|Oslo|swim", text)) == 1


def test_only_if_denies_nothing_before_only():
    assert not [text for text in wordings("(¬doctor(p0) → driver(p1))") if "only if" in text]
    assert "Ann Lee is a doctor only if Paul Roy cannot drive." in wordings("(doctor(p0) → ¬driver(p1))")


@pytest.mark.parametrize("relation", ["bank", "aisle", "corridor"])
def test_a_denied_side_is_the_other_side(relation):
    texts = wordings(f"¬{relation}(p0,p1)", nested=True) | wordings(f"¬¬{relation}(p0,p1)")
    assert not [text for text in texts if "across" in text]


def test_nobody_is_the_only_teacher_or_employer():
    for relation in ("teacher", "employer"):
        texts = wordings(f"{relation}(p0,p1)") | wordings(f"∀x {relation}(x,p1)")
        assert not [text for text in texts if "'s " in text]


def test_a_verb_is_said_once_and_can_be_said_again():
    for kind in ("arrival", "departure"):
        texts = wordings(f"before({kind}(p0),{kind}(p1))") | wordings(f"¬before({kind}(p0),{kind}(p1))")
        assert all(len(re.findall("arrive|leave|left", text)) == 1 for text in texts)
    text = "Ann Lee did not leave until Paul Roy did"
    assert en.undo(text) == "Ann Lee did not leave until Paul Roy left"
    assert en.finish(en.undo(text) + ".") == f"{text}."
