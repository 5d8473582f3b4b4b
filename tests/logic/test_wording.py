"""Every wording of every language says what it should: sentences are parsed back into the formulas they came from."""

from itertools import product
from random import Random

import pytest

from cases import listed
from winoglot.logic.formulas import RELATIONS, parse
from winoglot.logic.wording.forms import FORMS, fragments
from winoglot.logic.wording.parse import NotUnderstood, parse_sentence
from winoglot.logic.wording.realise import Writer, WrittenName
from winoglot.logic.wording.table import LANGUAGES, compiled, table

NAMES = {  # the grammar must not depend on the names: one with a vowel, one without, both genders
    "p0": WrittenName("Aaa", "f"),
    "p1": WrittenName("Bbb", "m"),
    "p2": WrittenName("Ccc", "f"),
    "c0": WrittenName("Ddd"),
    "c1": WrittenName("Eee"),
}
TEXTS = {symbol: name.text for symbol, name in NAMES.items()}
ROLES = sorted(name for name, relation in RELATIONS.items() if relation.logic == "unique")
GROUPS = sorted(name for name, relation in RELATIONS.items() if relation.logic == "group")
STATED = sorted(RELATIONS.keys() - {*ROLES, *GROUPS, "before", "as-tall"})

OPTIONAL = {"only-if", "only-those", "either-or", "there-since", "stay-until"}
OPTIONAL |= {"if-also", "if-not-also", "if-same", "unless-also", "unless-same", "or-same"}


def atom(relation, subject, person="p2", place="c0"):
    others = [person if sort == "person" else place for sort in RELATIONS[relation].of[1:]]
    return f"{relation}({','.join([subject, *others])})"


def statements(subject, **others):
    return [sign + atom(relation, subject, **others) for relation in STATED for sign in ("", "¬")]


def formulas():
    """At least one formula for every form, and every statement in every position."""
    rng = Random(0)
    sides = [(rng.choice(statements("p0")), one) for one in statements("p1")]
    for one in statements("p0", person="p1"):
        yield from (one, f"¬{one}")
    for (a, b), sign in product(sides, ("→", "∨", "↔", "∧")):
        yield f"({a} {sign} {b})"
    for relation, sign in product(STATED, ("→", "∨", "↔", "∧")):
        a, b = atom(relation, "p0"), atom(relation, "p1")
        yield from (f"({a} {sign} {b})", f"({a} {sign} ¬{b})", f"(¬{a} {sign} ¬{b})")
    for a, b in product(statements("p0"), statements("p0", person="p1")[::5]):
        yield from (f"({a} {sign} {b})" for sign in "→∨" if a != b)
    of_x = [sign + atom(relation, "x") for relation in STATED for sign in ("", "¬") if relation not in ("ancestor",)]
    for one in of_x:
        plain = one.lstrip("¬")
        other = rng.choice(of_x)
        yield from (f"∀x ({other} → {one})", f"∃x ({other} ∧ {one})", f"¬∀x ({other} → {plain})", f"∃x {one}")
        yield from (f"∀x {one}", f"∀x ({plain} ↔ x = p0)", f"∀x ({plain} ↔ ¬(x = p0))")
        group = rng.choice(GROUPS)
        yield f"∀x ({group}(x) → {one})"
        yield from (f"∃{sign}{number} x ({group}(x) ∧ {one})" for sign in "=≥≤" for number in (1, 2, 3, 4, 5))
        yield from (f"{share} x ({group}(x) : {one})" for share in ("most", "half", "few"))
    for group in GROUPS:
        yield from (f"∀x ({group}(x) ↔ x ∈ {{p0,p1}})", f"∀x ({group}(x) ↔ x ∈ {{p0,p1,p2}})")
    for role, other in product(ROLES, ROLES):
        for sign in ("", "¬"):
            yield sign + (f"(p0 = ιx[{role}(x,c0)])" if sign else f"p0 = ιx[{role}(x,c0)]")
            yield sign + (f"(ιx[{role}(x,c0)] = p1)" if sign else f"ιx[{role}(x,c0)] = p1")
            a, b = f"ιx[{role}(x,c0)]", f"ιx[{other}(x,c1)]"
            yield f"¬({a} = {b})" if sign else f"{a} = {b}"
            yield from (sign + atom(relation, a, place="c1") for relation in STATED)
    for (a, b), sign in product(product(("arrival", "departure"), repeat=2), ("", "¬")):
        yield f"{sign}before({a}(p0),{b}(p1))"


FORMULAS = [parse(text) for text in dict.fromkeys(formulas())]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_are_parsed_back_into_their_formulas(language):
    writer = Writer(table(language), NAMES, Random(1))
    stop = table(language).stop
    for formula in FORMULAS:
        for text in {writer.sentence(formula, nested=True) for _ in range(2)}:
            assert parse_sentence(text.removesuffix(stop), language, TEXTS) == formula, text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_words_for_every_relation_and_form(language):
    known = table(language)
    assert {relation for relation, position, _ in known.statements if position == "direct"} == set(STATED)
    assert (set(known.roles), set(known.groups)) == (set(ROLES), set(GROUPS))
    # a language may lack a form if another one says the same
    assert FORMS.keys() - known.forms.keys() <= OPTIONAL


def test_every_form_is_used_by_some_formula_and_a_fragment_says_what_it_was_made_of():
    made = {formula: list(fragments(formula, nested=True)) for formula in FORMULAS}
    assert {one.form for found in made.values() for one in found} == set(FORMS)
    assert all({one.formula for one in found} == {formula} for formula, found in made.items())


@pytest.mark.parametrize(
    "sentence", ["Aaa is taller", "Aaa is taller than", "Taller than Aaa is Bbb", "If Aaa is asleep", "", "Aaa"]
)
def test_a_sentence_outside_the_grammar_is_not_understood(sentence):
    with pytest.raises(NotUnderstood, match="is not understood"):
        parse_sentence(sentence, "en", TEXTS)


@listed
def test_a_mistake_in_a_table_is_named(entry, message):
    head = "[text]\nspace=''\nstop=''\nlist=['','']\nclause=''\nboth=''\nname=''\n"
    head += "[verbs]\nbe=['is','are','is not','are not']\n"
    with pytest.raises(ValueError, match=message.replace("{", r"\{")):
        compiled("en", f"{head}{entry}\n[roles]\n[groups]\n[events]\n[numbers]\n[forms]\n")
