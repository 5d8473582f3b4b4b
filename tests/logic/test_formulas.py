from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winoglot.errors import InputError
from winoglot.logic.formulas import (
    And,
    AtLeast,
    AtLeastAsTall,
    AtMost,
    Before,
    Equal,
    Exactly,
    Exists,
    ForAll,
    Implies,
    Name,
    Not,
    Or,
    Taller,
    The,
    Var,
    Visited,
    conjunction,
    facts,
    parse,
    person,
    place,
)
from winoglot.logic.walking import renamed, symbols

people = st.builds(person, st.integers(0, 40)) | st.builds(lambda n: Var(f"x{n or ''}", "person"), st.integers(0, 3))
places = st.builds(place, st.integers(0, 40)) | st.builds(lambda n: Var(f"y{n or ''}", "place"), st.integers(0, 3))
variables = st.builds(lambda n: Var(f"x{n or ''}", "person"), st.integers(0, 3)) | st.just(Var("y", "place"))


def atoms(some_people):
    return st.one_of(
        st.builds(Visited, some_people, some_people | places),
        *(st.builds(order, some_people, some_people) for order in (Taller, AtLeastAsTall, Before, Equal)),
        st.builds(Equal, places, places),
    )


def larger(formulas):
    described = st.builds(lambda n, body: The(Var(f"x{n or ''}", "person"), body), st.integers(0, 3), formulas)
    several = st.lists(formulas, min_size=2, max_size=4).map(tuple)
    return st.one_of(
        atoms(described | people),
        st.builds(Not, formulas),
        st.builds(And, several),
        st.builds(Or, several),
        st.builds(Implies, formulas, formulas),
        *(st.builds(quantifier, variables, formulas) for quantifier in (ForAll, Exists)),
        *(st.builds(count, st.integers(0, 30), variables, formulas) for count in (Exactly, AtLeast, AtMost)),
    )


formulas = st.recursive(atoms(people), larger, max_leaves=12)


@given(formulas)
def test_a_printed_formula_reads_back_as_itself(formula):
    assert parse(str(formula)) == formula


@given(formulas)
def test_names_put_back_give_the_formula_again(formula):
    there = {name: Name(name.text + "0", name.sort) for name in symbols(formula)}
    back = {new: old for old, new in there.items()}
    assert renamed(renamed(formula, there.__getitem__), back.__getitem__) == formula


@given(st.text(alphabet="Vpcxyι∀∃¬∧∨→()[],=>≥≤ 0129before", max_size=30))
def test_any_other_text_is_an_input_error_or_a_formula(text):
    with suppress(InputError):
        formula = parse(text)
        assert parse(str(formula)) == formula


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", "the end"),
        ("(V(p0,c0) ∧ V(p1,c0)", "the end"),
        ("V(c0,p0)", "the place c0"),
        ("p0 = c0", "never a place"),
        ("(V(p0,c0) ∧ V(p1,c0) ∨ V(p2,c0))", "'∨'"),
        ("V(p0,c0) V(p0,c0)", "expected the end of"),
        ("∀p0 V(p0,c0)", "expected a variable"),
        ("¬" * 500 + "V(p0,c0)", "nested"),
        ("V(p0,§)", "unexpected character '§'"),
    ],
)
def test_what_is_wrong_with_a_formula_is_said(text, found):
    with pytest.raises(InputError, match="at character") as error:
        parse(text)
    assert found in str(error.value)


def test_formulas_of_different_forms_differ_even_with_equal_parts():
    assert len({Taller(person(0), person(1)), Before(person(0), person(1)), Equal(person(0), person(1))}) == 3
    assert And((parse("V(p0,c0)"),) * 2) != Or((parse("V(p0,c0)"),) * 2)


@pytest.mark.parametrize(("text", "sort"), [("c0", "person"), ("p", "person"), ("p0", "place"), ("p٣", "person")])
def test_a_name_shows_its_sort(text, sort):
    with pytest.raises(ValueError, match="followed by a number"):
        Name(text, sort)


def test_a_conjunction_of_one_is_that_one_and_facts_are_its_parts():
    one, two = parse("V(p0,c0)"), parse("¬V(p1,c0)")
    assert conjunction([one]) == one
    assert facts(conjunction([one])) == (one,)
    assert facts(conjunction([one, two])) == (one, two)
    with pytest.raises(ValueError, match="two or more"):
        And((one,))
