"""Named choices for sentences that have more than one reading.

`interpreted` rewrites a formula, under one interpretation, into the forms that the prover knows: without descriptions,
other than those of roles ("the mayor of Rome"), and without "as tall as".
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from winoglot.logic.formulas import (
    Among,
    And,
    AtLeast,
    AtMost,
    Equal,
    Exactly,
    Exists,
    Few,
    Formula,
    Half,
    Iff,
    Implies,
    Most,
    Not,
    Or,
    Rel,
    Taller,
    Term,
    The,
    children,
)
from winoglot.logic.size import is_role


@dataclass(frozen=True)
class Interpretation:
    """One choice for each ambiguity; data sets use the first of each, the default.

    `as_tall_as`: "as tall as" means `≥` or equal height. `only_n`: "only n" means `∃=n` or `∃≤n`. `either_or`:
    inclusive or exclusive. `names`: different names refer to different people, or possibly to the same person. `the`: a
    description asserts that there is exactly one, so that a negation may deny it, or presupposes it.
    """

    as_tall_as: Literal["at-least", "equal"] = "at-least"
    only_n: Literal["exactly", "at-most"] = "exactly"
    either_or: Literal["inclusive", "exclusive"] = "inclusive"
    names: Literal["distinct", "free"] = "distinct"
    the: Literal["asserted", "presupposed"] = "asserted"


DEFAULT = Interpretation()
READINGS = {
    "default": DEFAULT,
    "as-tall-as=equal": Interpretation(as_tall_as="equal"),
    "only-n=at-most": Interpretation(only_n="at-most"),
    "or=exclusive": Interpretation(either_or="exclusive"),
    "names=free": Interpretation(names="free"),
    "the=presupposed": Interpretation(the="presupposed"),
}


def interpreted(formula: Formula, reading: Interpretation) -> Formula:
    """Rewrite the formula into the prover's forms.

    >>> from winoglot.logic.formulas import parse
    >>> print(interpreted(parse("as-tall(p0,p1)"), DEFAULT))
    ¬taller(p1,p0)
    >>> print(interpreted(parse("p0 = ιx[visited(x,c0)]"), DEFAULT))
    (∃=1 x visited(x,c0) ∧ ∃x (visited(x,c0) ∧ p0 = x))
    """
    match formula:
        case Rel():
            return _relation(formula, reading)
        case Equal():
            return _equal(formula, reading)
        case Among():
            return formula
        case Not():
            return Not(interpreted(formula.body, reading))
        case And():
            return And(tuple(interpreted(part, reading) for part in formula.parts))
        case Or():
            parts = tuple(interpreted(part, reading) for part in formula.parts)
            if reading.either_or == "inclusive":
                return Or(parts)
            return And((Or(parts), *(Not(And(pair)) for pair in combinations(parts, 2))))
        case Implies() | Iff():
            return type(formula)(interpreted(formula.a, reading), interpreted(formula.b, reading))
        case Most() | Half() | Few():
            return type(formula)(formula.var, interpreted(formula.among, reading), interpreted(formula.body, reading))
        case Exactly() if reading.only_n == "at-most":
            return AtMost(formula.n, formula.var, interpreted(formula.body, reading))
        case Exactly() | AtLeast() | AtMost():
            return type(formula)(formula.n, formula.var, interpreted(formula.body, reading))
        case _:
            return type(formula)(formula.var, interpreted(formula.body, reading))


def presupposed(formula: Formula, reading: Interpretation) -> tuple[Formula, ...]:
    """What the formula presupposes: exactly one referent for each description, if the reading says so."""
    if reading.the == "asserted":
        return ()
    presuppositions: list[Formula] = []
    stack: list[Formula | Term] = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, The) and not is_role(node):
            presuppositions.append(Exactly(1, node.var, interpreted(node.body, reading)))
        stack.extend(children(node))
    return tuple(presuppositions)


def _relation(atom: Rel, reading: Interpretation) -> Formula:
    for number, term in enumerate(atom.args):
        if isinstance(term, The) and not is_role(term):
            statement = Rel(atom.name, (*atom.args[:number], term.var, *atom.args[number + 1 :]))
            return _describe(atom, term, _relation(statement, reading), reading)
    if atom.name != "as-tall":
        return atom
    x, y = atom.args
    if reading.as_tall_as == "equal":
        return And((Not(Taller(x, y)), Not(Taller(y, x))))
    return Not(Taller(y, x))


def _equal(atom: Equal, reading: Interpretation) -> Formula:
    for term, other in ((atom.x, atom.y), (atom.y, atom.x)):
        if isinstance(term, The) and not is_role(term):
            statement = Equal(term.var, other) if term is atom.x else Equal(other, term.var)
            return _describe(atom, term, _equal(statement, reading), reading)
    return atom


def _describe(atom: Rel | Equal, description: The, statement: Formula, reading: Interpretation) -> Formula:
    """Exactly one member fits the description, and `statement`, the statement, holds of it.

    Written so that its negation needs no witness that depends on another of the same sort, which keeps the search for
    models finite.
    """
    var, body = description.var, interpreted(description.body, reading)
    if var in children(atom):
        raise ValueError(f"{var} is bound twice in {atom}")
    return And((Exactly(1, var, body), Exists(var, And((body, statement)))))
