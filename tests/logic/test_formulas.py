from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases import listed
from winoglot.errors import InputError
from winoglot.logic.formulas import (
    Among,
    And,
    AtLeast,
    AtMost,
    Equal,
    Event,
    Exactly,
    Exists,
    Few,
    ForAll,
    Half,
    Iff,
    Implies,
    Most,
    Name,
    Not,
    Or,
    Rel,
    The,
    Var,
    conjunction,
    facts,
    negation,
    parse,
    person,
    place,
    substituted,
    symbols,
)

people = st.builds(person, st.integers(0, 40)) | st.builds(lambda n: Var(f"x{n or ''}"), st.integers(0, 3))
places = st.builds(place, st.integers(0, 40)) | st.builds(lambda n: Var(f"y{n or ''}"), st.integers(0, 3))
variables = st.builds(lambda n: Var(f"x{n or ''}"), st.integers(0, 3)) | st.just(Var("y"))
events = st.builds(Event, st.sampled_from(["arrival", "departure"]), people)


def atoms(some_people):
    return st.one_of(
        st.builds(lambda a, b: Rel("visited", (a, b)), some_people, some_people | places),
        st.builds(lambda a, b: Rel("taller", (a, b)), some_people, some_people),
        st.builds(lambda a, b: Rel("mayor", (a, b)), some_people, places),
        st.builds(lambda a: Rel("asleep", (a,)), some_people),
        st.builds(lambda a, b: Rel("before", (a, b)), events, events),
        st.builds(Equal, some_people, some_people),
        st.builds(Among, people, st.lists(st.builds(person, st.integers(0, 9)), min_size=1, max_size=3).map(tuple)),
    )


def larger(formulas):
    described = st.builds(lambda n, body: The(Var(f"x{n or ''}"), body), st.integers(0, 3), formulas)
    several = st.lists(formulas, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        atoms(described | people),
        st.builds(Not, formulas),
        *(st.builds(joined, several) for joined in (And, Or)),
        *(st.builds(joined, formulas, formulas) for joined in (Implies, Iff)),
        *(st.builds(quantifier, variables, formulas) for quantifier in (ForAll, Exists)),
        *(st.builds(count, st.integers(0, 30), variables, formulas) for count in (Exactly, AtLeast, AtMost)),
        *(st.builds(share, variables, formulas, formulas) for share in (Most, Half, Few)),
    )


formulas = st.recursive(atoms(people), larger, max_leaves=12)


@given(formulas)
def test_a_printed_formula_reads_back_as_itself(formula):
    assert parse(str(formula)) == formula


@given(formulas)
def test_names_put_back_give_the_formula_again(formula):
    there = {name: Name(name.text + "0") for name in symbols(formula)}
    back = {new: old for old, new in there.items()}
    assert substituted(substituted(formula, there), back) == formula


def test_a_bound_variable_is_not_replaced():
    formula = parse("(asleep(x) ∧ ∀x visited(x,c0))")
    assert str(substituted(formula, {Var("x"): person(3)})) == "(asleep(p3) ∧ ∀x visited(x,c0))"


@given(st.text(alphabet="Vpcxyι∀∃¬∧∨→↔∈{}()[],=:≥≤ 0129doctormost", max_size=30))
def test_any_other_text_is_an_input_error_or_a_formula(text):
    with suppress(InputError):
        formula = parse(text)
        assert parse(str(formula)) == formula


@listed
def test_what_is_wrong_with_a_formula_is_said(text, found):
    with pytest.raises(InputError, match="at character") as error:
        parse(text)
    assert found in str(error.value)
    with pytest.raises(InputError, match="nested"):
        parse("¬" * 500 + "asleep(p0)")


def test_formulas_of_different_forms_differ_even_with_equal_parts():
    one = parse("asleep(p0)")
    assert len({And((one, one)), Or((one, one))}) == 2
    assert len({Implies(one, one), Iff(one, one)}) == 2
    assert len({Most(Var("x"), one, one), Half(Var("x"), one, one), Few(Var("x"), one, one)}) == 3


def test_a_conjunction_of_one_is_that_one_and_facts_are_its_parts():
    one, two = parse("asleep(p0)"), parse("¬asleep(p1)")
    assert conjunction([one]) == one
    assert facts(conjunction([one])) == (one,)
    assert facts(conjunction([one, two])) == (one, two)
    assert (negation(one), negation(two)) == (Not(one), parse("asleep(p1)"))
