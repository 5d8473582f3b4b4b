"""The prover, also against a search through all small models that knows nothing of z3."""

from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import cases_file, for_each, listed
from winoglot.logic.formulas import (
    And,
    AtLeast,
    AtMost,
    Equal,
    Exactly,
    Exists,
    ForAll,
    Implies,
    Name,
    Not,
    Or,
    Rel,
    Visited,
    conjunction,
    parse,
    person,
    place,
    substituted,
    symbols,
)
from winoglot.logic.interpretation import DEFAULT, READINGS, interpreted
from winoglot.logic.prove import InconsistentPremise, prove, relation

pytest.importorskip("z3")

KNOWN = cases_file(Path(__file__))["KNOWN"]


@for_each(("premise", "hypothesis", "expected"), KNOWN)
def test_known_relations(premise, hypothesis, expected):
    assert relation(parse(premise), parse(hypothesis)) == expected


@listed
def test_a_named_reading_changes_what_is_ambiguous(premise, hypothesis, reading, default, other):
    assert relation(parse(premise), parse(hypothesis)) == default
    assert relation(parse(premise), parse(hypothesis), READINGS[reading]) == other


def test_a_premise_that_cannot_be_true_is_refused():
    with pytest.raises(InconsistentPremise):
        relation(parse("(visited(p0,c0) ∧ ¬visited(p0,c0))"), parse("visited(p1,c0)"))


def test_a_proof_names_the_facts_it_uses_in_the_order_of_the_premise():
    premise = parse("(¬visited(p0,c0) ∧ visited(p1,c1) ∧ taller(p0,p1) ∧ visited(p2,c0) ∧ taller(p1,p2))")
    proof = prove(premise, parse("taller(p2,p0)"))
    assert (proof.relation, proof.uses) == ("contradiction", (2, 4))
    assert str(proof) == "contradiction from 2, 4"
    assert str(prove(premise, parse("visited(p5,c0)"))) == "neutral"


def test_a_proof_uses_as_few_facts_as_possible():
    premise = parse("(taller(p0,p1) ∧ taller(p1,p2) ∧ taller(p2,p3) ∧ taller(p0,p4) ∧ ¬taller(p3,p4))")
    assert prove(premise, parse("taller(p3,p0)")).uses == (3, 4)
    assert prove(premise, parse("taller(p0,p2)")).uses == (0, 1)


def test_a_fact_about_everyone_is_not_only_about_those_named():
    """With too few nameless people there would be no model, and the facts would seem to decide."""
    premise = parse("(∃=4 x (guests(x) ∧ doctor(x)) ∧ ∃=4 x (guests(x) ∧ ¬doctor(x)) ∧ swimmer(p0))")
    assert prove(premise, parse("doctor(p0)")).relation == "neutral"


@for_each(("premise", "hypothesis", "expected"), KNOWN)
def test_other_names_and_another_order_of_facts_change_nothing(premise, hypothesis, expected):
    first, second = parse(premise), parse(hypothesis)
    names = {name: Name(f"{name.text}7") for name in (*symbols(first), *symbols(second))}
    if isinstance(first, And):
        first = conjunction(first.parts[::-1])
    assert relation(substituted(first, names), substituted(second, names)) == expected


def _holds(formula, model, env):
    """Truth in a model: members of each sort, and visits; names and variables are keys of `env`."""
    members, visits = model
    again = [
        (_holds(formula.body, model, {**env, formula.var: one}))
        for one in (members[formula.var.sort] if hasattr(formula, "var") else ())
    ]
    match formula:
        case Rel():
            return tuple(env[term] for term in formula.args) in visits
        case Equal():
            return env[formula.x] == env[formula.y]
        case Not():
            return not _holds(formula.body, model, env)
        case And():
            return all(_holds(part, model, env) for part in formula.parts)
        case Or():
            return any(_holds(part, model, env) for part in formula.parts)
        case Implies():
            return not _holds(formula.a, model, env) or _holds(formula.b, model, env)
        case ForAll():
            return all(again)
        case Exists():
            return any(again)
        case Exactly():
            return sum(again) == formula.n
        case AtLeast():
            return sum(again) >= formula.n
        case AtMost():
            return sum(again) <= formula.n


def _models(names):
    """Every model with the two people and one place that have a name, and at most one person and one place more."""
    named = {name: name.text for name in names}
    for more_people, more_places in product((0, 1), repeat=2):
        people = ["p0", "p1", "somebody"][: 2 + more_people]
        places = ["c0", "somewhere"][: 1 + more_places]
        possible = list(product(people[:2], places)) + [("somebody", where) for where in places if more_people]
        for chosen in product((True, False), repeat=len(possible)):
            visits = {visit for visit, there in zip(possible, chosen, strict=True) if there}
            yield named, ({"person": people, "place": places}, visits)


_NAMES = (person(0), person(1), place(0))
_some = st.recursive(
    st.sampled_from([Visited(person(0), place(0)), Visited(person(1), place(0))])
    | st.sampled_from(
        [parse("∀x visited(x,c0)"), parse("∃x visited(x,c0)"), parse("∀y visited(p0,y)"), parse("∃y ¬visited(p1,y)")]
    )
    | st.sampled_from([parse("∃=1 x visited(x,c0)"), parse("∃≤1 x visited(x,c0)"), parse("p0 = ιx[visited(x,c0)]")]),
    lambda inner: (
        st.builds(Not, inner)
        | st.builds(lambda a, b: And((a, b)), inner, inner)
        | st.builds(lambda a, b: Or((a, b)), inner, inner)
        | st.builds(Implies, inner, inner)
    ),
    max_leaves=4,
)


@settings(max_examples=150, deadline=None)
@given(_some, _some)
def test_no_small_model_speaks_against_a_proof(premise, hypothesis):
    first, second = interpreted(premise, DEFAULT), interpreted(hypothesis, DEFAULT)
    seen = {_holds(second, model, named) for named, model in _models(_NAMES) if _holds(first, model, named)}
    try:
        found = relation(And((premise, parse("(visited(p0,c0) ∨ ¬visited(p0,c0) ∨ visited(p1,c0))"))), hypothesis)
    except InconsistentPremise:
        assert not seen
        return
    if seen == {True, False}:
        assert found == "neutral"
    if found == "contradiction":
        assert True not in seen
    if found == "entailment":
        assert False not in seen
