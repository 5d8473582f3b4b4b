"""English sentences as an English reader expects them: nobody named twice for nothing, and one reading each."""

import re
from random import Random

import pytest

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


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("(driver(p0) → swimmer(p0))", "If Ann Lee can drive, then she can swim."),
        ("(driver(p1) → teacher(p1,p0))", "Paul Roy can drive only if he teaches Ann Lee."),
        ("(teacher(p2,p0) → driver(p2))", "Eve Moss can drive if she teaches Ann Lee."),
        ("(met(p2,p0) ∨ driver(p2))", "Eve Moss either has met Ann Lee, or can drive, or both."),
        ("(lives(p0,c0) → lives(p1,c0))", "If Ann Lee lives in Oslo, then so does Paul Roy."),
        ("(¬visited(p0,c0) → ¬visited(p1,c0))", "If Ann Lee has never visited Oslo, then neither has Paul Roy."),
        ("(driver(p0) → ¬driver(p1))", "If Ann Lee can drive, then Paul Roy cannot."),
        ("(met(p0,p2) → met(p1,p2))", "Ann Lee has met Eve Moss only if Paul Roy has."),
        ("(¬teacher(p0,p2) → ¬teacher(p1,p2))", "Paul Roy does not teach Eve Moss unless Ann Lee does."),
        ("(doctor(p0) ↔ doctor(p1))", "Either both Ann Lee and Paul Roy are doctors, or neither of them is."),
        ("(lives(p0,c0) ↔ ¬lives(p1,c0))", "Ann Lee lives in Oslo if and only if Paul Roy does not."),
        ("(driver(p0) ∨ ¬driver(p1))", "Either Ann Lee can drive, or Paul Roy cannot, or both."),
        ("∃x (driver(x) ∧ retired(x))", "There is someone who can drive and is retired."),
        ("(driver(p1) ↔ ¬retired(p1))", "Paul Roy can drive if and only if he is not retired."),
        ("(¬met(p0,p1) ∨ driver(p2))", "Ann Lee has not met Paul Roy, or Eve Moss can drive, or both."),
        ("∃=2 x (guests(x) ∧ teacher(p0,x))", "Exactly two of the guests are pupils of Ann Lee."),
        ("∀x (guests(x) ↔ x ∈ {p0,p1})", "The only guests are Ann Lee and Paul Roy."),
        ("∀x (driver(x) → doctor(x))", "Only doctors can drive."),
        ("∀x (driver(x) → cousin(x,p0))", "Only cousins of Ann Lee can drive."),
        ("∀x (¬visited(x,c0) → ¬driver(x))", "Nobody who has not visited Oslo can drive."),
        ("before(arrival(p0),arrival(p1))", "Ann Lee arrived before Paul Roy did."),
        ("before(arrival(p0),departure(p1))", "Paul Roy left after Ann Lee arrived."),
        ("before(departure(p0),departure(p1))", "Ann Lee has been gone since before Paul Roy left."),
        ("¬before(arrival(p1),departure(p0))", "Ann Lee has been gone at least since Paul Roy arrived."),
        ("¬before(departure(p0),departure(p1))", "Ann Lee did not leave until Paul Roy did."),
        ("¬before(departure(p0),departure(p1))", "Paul Roy left before Ann Lee did, or at the same time."),
        ("¬before(arrival(p0),departure(p1))", "Paul Roy left before Ann Lee arrived, or at the same time."),
    ],
)
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
