"""The prover, also against a search through all small models that knows nothing of z3."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases import for_each
from winoglot.logic.formulas import (
    And,
    AtLeast,
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
    Rel,
    Taller,
    Visited,
    conjunction,
    parse,
    person,
    place,
)
from winoglot.logic.interpretation import DEFAULT, READINGS, interpreted
from winoglot.logic.prove import InconsistentPremise, prove, relation
from winoglot.logic.walking import renamed, symbols

pytest.importorskip("z3")

KNOWN = [
    ("∀x V(x,c0)", "¬V(p0,c0)", "contradiction"),
    ("∀x V(x,c0)", "∃x V(x,c0)", "entailment"),
    ("∃x V(x,c0)", "¬V(p0,c0)", "neutral"),
    ("∃=3 y V(p0,y)", "(V(p0,c0) ∧ V(p0,c1) ∧ V(p0,c2) ∧ V(p0,c3))", "contradiction"),
    ("∃=3 y V(p0,y)", "(V(p0,c0) ∧ V(p0,c1) ∧ V(p0,c2))", "neutral"),
    ("∃=30 y V(p0,y)", "∃≥31 y V(p0,y)", "contradiction"),
    ("∃=30 y V(p0,y)", "∃≤30 y V(p0,y)", "entailment"),
    ("∀x ∀y V(x,y)", "∃=3 y V(p0,y)", "neutral"),  # there may be just three places
    ("(p0 = ιx[∀y V(x,y)] ∧ V(p0,p1))", "¬V(p0,c0)", "contradiction"),
    ("(p0 = ιx[∀y V(x,y)] ∧ V(p0,p1))", "¬V(p1,c0)", "neutral"),
    ("(p0 = ιx[∀y V(x,y)] ∧ V(p0,p1))", "∀y V(p1,y)", "contradiction"),
    ("(p0 = ιx[∀x1 V(x,x1)] ∧ V(p1,p0))", "¬V(p0,p2)", "contradiction"),
    ("(p0 = ιx[∀x1 V(x,x1)] ∧ V(p1,p0))", "¬V(p1,p2)", "neutral"),
    ("(p0 > p1 ∧ p1 ≥ p2)", "p2 > p0", "contradiction"),
    ("(p0 ≥ p1 ∧ p1 ≥ p2)", "p2 ≥ p0", "neutral"),
    ("(p0 ≥ p1 ∧ p1 > p2)", "p0 > p2", "entailment"),
    ("¬(p0 before p1)", "p1 before p0", "neutral"),  # they may have arrived together
    ("∃x ∀y V(x,y)", "∀y ∃x V(x,y)", "entailment"),
    ("∀y ∃x V(x,y)", "∃x ∀y V(x,y)", "neutral"),
    ("∀x ∃x1 V(x,x1)", "∃x ∀x1 ¬V(x,x1)", "contradiction"),
    ("((V(p0,c0) ∨ V(p1,c0)) ∧ ¬V(p0,c0))", "V(p1,c0)", "entailment"),
    ("((V(p0,c0) → V(p1,c0)) ∧ V(p1,c0))", "V(p0,c0)", "neutral"),
]


@for_each(("premise", "hypothesis", "expected"), KNOWN)
def test_known_relations(premise, hypothesis, expected):
    assert relation(parse(premise), parse(hypothesis)) == expected


@pytest.mark.parametrize(
    ("premise", "hypothesis", "reading", "default", "other"),
    [
        ("(p0 > p1 ∧ p0 ≥ p2)", "p1 > p2", "as-tall-as=equal", "neutral", "contradiction"),
        ("∃=3 y V(p0,y)", "∃≤2 y V(p0,y)", "only-n=at-most", "contradiction", "neutral"),
        ("(V(p0,c0) ∨ V(p1,c0))", "(V(p0,c0) ∧ V(p1,c0))", "or=exclusive", "neutral", "contradiction"),
        ("(V(p0,c0) ∧ ∃=1 x V(x,c0))", "V(p1,c0)", "names=free", "contradiction", "neutral"),
        ("∃=2 y V(p0,y)", "(V(p0,c0) ∧ V(p0,c1) ∧ V(p0,c2))", "names=free", "contradiction", "neutral"),
        ("p0 > p1", "¬(p0 = p1)", "names=free", "entailment", "entailment"),
        ("V(p0,c1)", "¬V(ιx[V(x,c0)],c0)", "the=presupposed", "neutral", "contradiction"),
    ],
)
def test_a_named_reading_changes_what_is_ambiguous(premise, hypothesis, reading, default, other):
    assert relation(parse(premise), parse(hypothesis)) == default
    assert relation(parse(premise), parse(hypothesis), READINGS[reading]) == other


def test_a_premise_that_cannot_be_true_is_refused():
    with pytest.raises(InconsistentPremise):
        relation(parse("(V(p0,c0) ∧ ¬V(p0,c0))"), parse("V(p1,c0)"))


def test_a_proof_names_the_facts_it_uses_in_the_order_of_the_premise():
    premise = parse("(¬V(p0,c0) ∧ V(p1,c1) ∧ p0 > p1 ∧ V(p2,c0) ∧ p1 > p2)")
    proof = prove(premise, parse("p2 > p0"))
    assert (proof.relation, proof.uses) == ("contradiction", (2, 4))
    assert str(proof) == "contradiction from 2, 4"
    assert str(prove(premise, parse("V(p5,c0)"))) == "neutral"


@for_each(("premise", "hypothesis", "expected"), KNOWN)
def test_other_names_and_another_order_of_facts_change_nothing(premise, hypothesis, expected):
    first, second = parse(premise), parse(hypothesis)
    names = {name: Name(f"{name.text}7", name.sort) for name in (*symbols(first), *symbols(second))}
    if isinstance(first, And):
        first = conjunction(first.parts[::-1])
    assert relation(renamed(first, names.__getitem__), renamed(second, names.__getitem__)) == expected


def _holds(formula, model, env):  # noqa: PLR0912 - one line a form
    """Truth in a model: members of each sort, visits, heights, arrivals; names and variables are keys of `env`."""
    members, visits, heights, arrivals = model
    again = [
        (_holds(formula.body, model, {**env, formula.var: one}))
        for one in (members[formula.var.sort] if hasattr(formula, "var") else ())
    ]
    match formula:
        case Rel():
            return (env[formula.x], env[formula.y]) in visits
        case Taller():
            return heights[env[formula.x]] > heights[env[formula.y]]
        case Before():
            return arrivals[env[formula.x]] < arrivals[env[formula.y]]
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
            yield named, ({"person": people, "place": places}, visits, {}, {})


_NAMES = (person(0), person(1), place(0))
_some = st.recursive(
    st.sampled_from([Visited(person(0), place(0)), Visited(person(1), place(0))])
    | st.sampled_from([parse("∀x V(x,c0)"), parse("∃x V(x,c0)"), parse("∀y V(p0,y)"), parse("∃y ¬V(p1,y)")])
    | st.sampled_from([parse("∃=1 x V(x,c0)"), parse("∃≤1 x V(x,c0)"), parse("p0 = ιx[V(x,c0)]")]),
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
        found = relation(And((premise, parse("(V(p0,c0) ∨ ¬V(p0,c0) ∨ V(p1,c0))"))), hypothesis)
    except InconsistentPremise:
        assert not seen
        return
    if seen == {True, False}:
        assert found == "neutral"
    if found == "contradiction":
        assert True not in seen
    if found == "entailment":
        assert False not in seen
