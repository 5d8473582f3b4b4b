"""English sentences as an English reader expects them: nobody named twice for nothing, and one reading each."""

import re

import pytest

from cases import listed
from logic.wordings import wordings_in
from winoglot.logic.languages import en

wordings = wordings_in("en", "Ann Lee", "Paul Roy", "Eve Moss", "Oslo", "Rome")


@listed
def test_sentences(formula, sentence):
    assert sentence in wordings(formula)


@pytest.mark.parametrize("formula", ["{} → {}", "¬{} → {}", "{} → ¬{}", "¬{} → ¬{}", "{} ∨ {}", "¬{} ∨ {}", "{} ↔ ¬{}"])
@pytest.mark.parametrize("said", ["met({},p2)", "lives({},c0)", "employer({},p2)", "swimmer({})", "cousin({},p2)"])
def test_nothing_is_said_twice(said, formula):
    for text in wordings(f"({formula.format(said.format('p0'), said.format('p1'))})"):
        assert len(re.findall("Eve Moss|Oslo|swim", text)) == 1


def test_only_if_denies_nothing_before_only_and_nobody_is_the_only_teacher():
    assert not [text for text in wordings("(¬doctor(p0) → driver(p1))") if "only if" in text]
    assert "Ann Lee is a doctor only if Paul Roy cannot drive." in wordings("(doctor(p0) → ¬driver(p1))")
    for relation in ("teacher", "employer"):
        texts = wordings(f"{relation}(p0,p1)") | wordings(f"∀x {relation}(x,p1)")
        assert not [text for text in texts if "'s " in text]
    for relation in ("bank", "aisle", "corridor"):  # a denied side is the other side
        texts = wordings(f"¬{relation}(p0,p1)", nested=True) | wordings(f"¬¬{relation}(p0,p1)")
        assert not [text for text in texts if "across" in text]


def test_a_verb_is_said_once_and_can_be_said_again():
    for kind in ("arrival", "departure"):
        texts = wordings(f"before({kind}(p0),{kind}(p1))") | wordings(f"¬before({kind}(p0),{kind}(p1))")
        assert all(len(re.findall("arrive|leave|left", text)) == 1 for text in texts)
    text = "Ann Lee did not leave until Paul Roy did"
    assert en.undo(text) == "Ann Lee did not leave until Paul Roy left"
    assert en.finish(en.undo(text) + ".") == f"{text}."
