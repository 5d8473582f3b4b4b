"""Named choices for sentences that have more than one reading.

`interpreted` rewrites a formula, under one interpretation, into the few forms that the prover knows: relations between
names and variables, `Taller`, `Before`, `Equal`, connectives and quantifiers; no descriptions, no `AtLeastAsTall`.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from winoglot.logic.formulas import (
    And,
    AtLeast,
    AtLeastAsTall,
    AtMost,
    Atom,
    Before,
    Equal,
    Exactly,
    Exists,
    Formula,
    Implies,
    Not,
    Or,
    Rel,
    Taller,
    Term,
    The,
    Var,
)
from winoglot.logic.walking import children


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
    >>> print(interpreted(parse("p0 ≥ p1"), DEFAULT))
    ¬(p1 > p0)
    >>> print(interpreted(parse("p0 = ιx[V(x,c0)]"), DEFAULT))
    (∃=1 x V(x,c0) ∧ ∃x (V(x,c0) ∧ p0 = x))
    """
    match formula:
        case Rel() | Taller() | AtLeastAsTall() | Before() | Equal():
            return _atom(formula, reading)
        case Not():
            return Not(interpreted(formula.body, reading))
        case And():
            return And(tuple(interpreted(part, reading) for part in formula.parts))
        case Or():
            parts = tuple(interpreted(part, reading) for part in formula.parts)
            if reading.either_or == "inclusive":
                return Or(parts)
            return And((Or(parts), *(Not(And(two)) for two in combinations(parts, 2))))
        case Implies():
            return Implies(interpreted(formula.a, reading), interpreted(formula.b, reading))
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
    found: list[Formula] = []
    stack: list[Formula | Term] = [formula]
    while stack:
        node = stack.pop()
        if isinstance(node, The):
            found.append(Exactly(1, node.var, interpreted(node.body, reading)))
        stack.extend(children(node))
    return tuple(found)


def _atom(atom: Atom, reading: Interpretation) -> Formula:
    for term in (atom.x, atom.y):
        if isinstance(term, The):
            return _described(atom, term, reading)
    if not isinstance(atom, AtLeastAsTall):
        return atom
    if reading.as_tall_as == "equal":
        return And((Not(Taller(atom.x, atom.y)), Not(Taller(atom.y, atom.x))))
    return Not(Taller(atom.y, atom.x))


def _described(atom: Atom, description: The, reading: Interpretation) -> Formula:
    """Exactly one member fits the description, and the atom holds of it.

    Written so that its negation needs no witness that depends on another of the same sort, which keeps the search for
    models finite.
    """
    var, body = description.var, interpreted(description.body, reading)
    x = var if atom.x is description else atom.x
    y = var if atom.x is not description and atom.y is description else atom.y
    if var in {other for other in (atom.x, atom.y) if isinstance(other, Var)}:
        raise ValueError(f"{var} is bound twice in {atom}")
    rest = Rel(atom.name, x, y) if isinstance(atom, Rel) else type(atom)(x, y)
    return And((Exactly(1, var, body), Exists(var, And((body, _atom(rest, reading))))))
