"""French sentences as a French reader expects them: elision, negation, agreement, and names that suit them."""

import re
from random import Random

import pytest

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


@pytest.mark.parametrize(
    ("formula", "sentence"),
    [
        ("taller(p1,p0)", "Paul Roy est plus grand qu'Anne Petit."),
        ("taller(p0,p1)", "Anne Petit est plus grande que Paul Roy."),
        ("richer(p0,p2)", "Anne Petit gagne plus d'argent qu'Élise Morel."),
        ("cousin(p0,p2)", "Anne Petit et Élise Morel sont cousines."),
        ("cousin(p0,p1)", "Anne Petit et Paul Roy sont cousins."),
        ("∀x ¬cousin(x,p0)", "Personne n'est cousin d'Anne Petit."),
        ("¬¬asleep(p0)", "Il n'est pas vrai qu'Anne Petit ne dorme pas."),
        ("∀x ¬visited(x,c0)", "Personne n'a visité Oslo."),
        ("∀x ¬teacher(x,p0)", "Personne ne donne de cours à Anne Petit."),
        ("∀x (guests(x) → ¬retired(x))", "Aucun des convives n'est retraité."),
        ("∀x (judges(x) → ¬retired(x))", "Aucun des membres du jury n'est retraité."),
        ("(¬born(p0,c0) ∧ ¬born(p2,c0))", "Ni Anne Petit ni Élise Morel ne sont nées à Oslo."),
        ("(swimmer(p0) ↔ ¬swimmer(p2))", "Anne Petit ou Élise Morel sait nager, mais pas les deux."),
        ("(swimmer(p0) ↔ ¬swimmer(p1))", "Soit Anne Petit, soit Paul Roy sait nager, mais pas les deux."),
        ("∀x (driver(x) ↔ x = p0)", "Il n'y a qu'Anne Petit qui sache conduire."),
        ("∀x (driver(x) ↔ x = p0)", "Anne Petit est la seule à savoir conduire."),
        ("∀x (doctor(x) → driver(x))", "Tous les médecins savent conduire."),
        ("∀x (driver(x) → cousin(x,p0))", "Seuls les cousins d'Anne Petit savent conduire."),
        ("∀x (vegetarian(x) → ¬born(x,c0))", "Aucun végétarien n'est né à Oslo."),
        ("∃x (retired(x) ∧ born(x,c0))", "Au moins un retraité est né à Oslo."),
        ("∀x (¬doctor(x) → ¬born(x,c0))", "Parmi ceux qui ne sont pas médecins, personne n'est né à Oslo."),
        ("(doctor(p0) ↔ doctor(p2))", "Soit Anne Petit et Élise Morel sont médecins, soit ni l'une ni l'autre."),
        ("(met(p0,p1) → driver(p0))", "Anne Petit sait conduire si elle a déjà rencontré Paul Roy."),
        ("(met(p0,p1) ∨ driver(p0))", "Anne Petit a déjà rencontré Paul Roy ou sait conduire, ou les deux."),
        ("p0 = ιx[mayor(x,c0)]", "Anne Petit est maire d'Oslo."),
        ("ιx[museum(x,c1)] = p1", "C'est Paul Roy qui dirige le musée municipal de Yaoundé."),
        ("¬(p1 = ιx[library(x,c0)])", "Paul Roy ne dirige pas la bibliothèque municipale d'Oslo."),
        ("asleep(ιx[hospital(x,c0)])", "La personne qui dirige l'hôpital central d'Oslo est endormie."),
        ("before(arrival(p1),arrival(p0))", "Paul Roy est arrivé avant Anne Petit."),
        ("before(arrival(p1),arrival(p0))", "L'arrivée de Paul Roy a précédé celle d'Anne Petit."),
        ("before(arrival(p1),departure(p0))", "Paul Roy est arrivé avant qu'Anne Petit ne parte."),
        ("¬before(arrival(p1),arrival(p0))", "Anne Petit est arrivée avant Paul Roy, ou au même moment."),
        ("before(departure(p0),arrival(p1))", "Quand Paul Roy est arrivé, Anne Petit était déjà partie."),
        ("¬before(departure(p0),departure(p1))", "Anne Petit est restée au moins jusqu'au départ de Paul Roy."),
        ("(driver(p0) → swimmer(p1))", "Anne Petit ne sait conduire que si Paul Roy sait nager."),
        ("(driver(p0) → driver(p1))", "Si Anne Petit sait conduire, Paul Roy aussi."),
        (
            "(¬met(p0,p1) → ¬met(p2,p1))",
            "Si Anne Petit n'a jamais rencontré Paul Roy, alors Élise Morel n'a jamais rencontré Paul Roy.",
        ),
        (
            "(employer(p0,p1) → ¬employer(p2,p1))",
            "Si Anne Petit emploie Paul Roy, alors Élise Morel n'emploie pas Paul Roy.",
        ),
        ("(¬employer(p0,p1) → employer(p2,p1))", "Élise Morel emploie Paul Roy, sauf si Anne Petit emploie Paul Roy."),
        ("(driver(p0) → swimmer(p0))", "Si Anne Petit sait conduire, elle sait nager."),
        ("(driver(p1) ↔ ¬retired(p1))", "Paul Roy sait conduire si et seulement s'il n'est pas retraité."),
        ("(driver(p1) → retired(p1))", "Paul Roy ne sait conduire que s'il est retraité."),
        ("(born(p0,c0) ∧ born(p1,c0))", "Anne Petit est née à Oslo, et Paul Roy aussi."),
        ("(¬driver(p0) → swimmer(p1))", "Paul Roy sait nager, à moins qu'Anne Petit ne sache conduire."),
        ("corridor(p0,p1)", "Anne Petit et Paul Roy ont leurs bureaux du même côté du couloir."),
        ("¬storey(p0,p2)", "Anne Petit et Élise Morel passent la nuit à des étages différents du duplex."),
        ("teacher(p2,p0)", "Anne Petit est élève d'Élise Morel."),
        ("(driver(p0) ↔ swimmer(p1))", "Si Anne Petit sait conduire, alors Paul Roy sait nager, et réciproquement."),
    ],
)
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


def test_too_is_said_only_of_the_subject():
    for formula in ("(met(p0,p1) → met(p2,p1))", "(employer(p0,p1) → employer(p2,p1))"):
        assert not [text for text in sentences(formula) if text.endswith("Élise Morel aussi.")]


def test_reciprocity_is_said_only_without_a_negation():
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
