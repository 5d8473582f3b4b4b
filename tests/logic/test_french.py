"""French sentences as a French reader expects them: elision, negation, agreement, and names that suit them."""

import re
from random import Random

import pytest

from cases import listed
from winoglot.files import packaged_lines
from winoglot.logic.formulas import parse
from winoglot.logic.languages import fr
from winoglot.logic.wording.parse import NotUnderstood, parse_sentence
from winoglot.logic.wording.realise import Writer, WrittenName
from winoglot.logic.wording.table import table

NAMES = {
    "p0": WrittenName("Anne Petit", "f"),
    "p1": WrittenName("Paul Roy", "m"),
    "p2": WrittenName("Élise Morel", "f"),
    "c0": WrittenName("Oslo"),
    "c1": WrittenName("Yaoundé"),
}
TEXTS = {symbol: name.text for symbol, name in NAMES.items()}


def sentences(formula):
    writer = Writer(table("fr"), NAMES, Random(1))
    return {writer.sentence(parse(formula)) for _ in range(80)}


@listed
def test_wordings(formula, sentence):
    assert sentence in sentences(formula)
    assert parse_sentence(sentence.removesuffix("."), "fr", TEXTS) == parse(formula)


@pytest.mark.parametrize("statement", ["visited(x,c0)", "met(x,p2)", "teacher(p2,x)", "teacher(x,p2)", "asleep(x)"])
def test_a_subject_that_denies_takes_no_second_negation(statement):
    of_two = [statement.replace("x", name) for name in ("p0", "p1")]
    formulas = [f"∀x ({condition}(x) → ¬{statement})" for condition in ("doctor", "guests", "judges")]
    formulas += [f"∀x ¬{statement}", f"(¬{of_two[0]} ∧ ¬{of_two[1]})"]
    for formula in formulas:
        denying = [text for text in sentences(formula) if re.match("Personne|Aucun|Ni |Parmi", text)]
        assert denying
        for text in denying:
            assert re.search(r"\bn[e']", text), text
            assert not re.search(r"\b(pas|jamais|réveillé)", text), text
            assert not re.search(r"\b(?:personne|aucune?) .*\b(?:personne n|aucun)", text.lower()), text


@pytest.mark.parametrize("sign", ["→", "∨"])
@pytest.mark.parametrize(("first", "second"), [("¬met(p0,p1)", "driver(p0)"), ("driver(p0)", "employer(p0,p1)")])
def test_nobody_is_named_twice(first, second, sign):
    for text in sentences(f"({first} {sign} {second})"):
        assert text.count("Anne Petit") == 1, text


def test_too_is_said_only_of_the_subject_and_reciprocity_only_without_a_negation():
    for formula in ("(met(p0,p1) → met(p2,p1))", "(employer(p0,p1) → employer(p2,p1))"):
        assert not [text for text in sentences(formula) if text.endswith("Élise Morel aussi.")]
    for formula in ("(driver(p0) ↔ ¬driver(p1))", "(¬driver(p0) ↔ swimmer(p1))", "(doctor(p0) ↔ ¬swimmer(p1))"):
        assert not [text for text in sentences(formula) if "réciproquement" in text]


def test_a_pronoun_stands_only_for_somebody_who_is_alone_in_the_clause_before():
    for formula in ("(employer(p1,p2) ∧ swimmer(p1))", "(driver(p0) ∧ swimmer(p1))"):
        assert not [text for text in sentences(formula) if re.search(r"\b(?:il|elle)\b", text)]
    for sentence in ("Si Anne Petit emploie Élise Morel, elle sait nager", "Si elle sait nager, Anne Petit dort"):
        with pytest.raises(NotUnderstood, match="is not understood"):
            parse_sentence(sentence, "fr", TEXTS)


def test_no_name_makes_elision_doubtful():
    people = [line.partition(":") for line in packaged_lines("winoglot.logic.languages.fr", "people.txt")]
    firsts = [name for head, _, listed in people for name in listed.split() if not head.endswith("surnames")]
    places = packaged_lines("winoglot.logic.languages.fr", "places.txt")
    cities = [name.strip() for line in places for name in line.partition(":")[2].split(",")]
    assert not [name for name in firsts + cities if re.match("H|Ou[aei]|Le |La |Les |L'", name)]
    assert not [name for name in firsts if name.startswith("Y")]
    assert len(firsts) > 200
    for name in firsts + cities:
        text = fr.finish(f"il est vrai que {name} dort plus que celle de {name}.")
        assert ("qu'" in text) == ("d'" in text) == (name[0] in "AEÉÈIÎOÔU")
        assert fr.undo(text) == f"il est vrai que {name} dort plus que celle de {name}."
