"""Conjunctions and disjunctions that can be worded as a list: Ana, Bia and Caio have visited Rome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from winoglot.logic.formulas import And, AtLeastAsTall, Before, Name, Not, Or, Rel, Taller, Term

Listed = Rel | Taller | AtLeastAsTall | Before


@dataclass(frozen=True, slots=True)
class Listing:
    """Facts of the same kind and sign that share a subject or an object."""

    joiner: Literal["and", "or"]
    negated: bool
    kind: type[Listed]
    shared: Term
    members: tuple[Name, ...]
    members_visit: bool  # whether the members are subjects


def listing(formula: And | Or) -> Listing | None:
    """The formula as a list, or None if it is not one.

    >>> from winoglot.logic.formulas import parse
    >>> listing(parse("(¬V(p0,c0) ∧ ¬V(p1,c0))")).members_visit, listing(parse("(V(p0,c0) ∧ ¬V(p1,c0))"))
    (True, None)
    """
    negated = type(formula.parts[0]) is Not
    atoms = []
    for part in formula.parts:
        atom = part.body if type(part) is Not else part
        if (type(part) is Not) != negated or not isinstance(atom, Listed):
            return None
        atoms.append(atom)
    kind = type(atoms[0])
    if any(type(atom) is not kind for atom in atoms):
        return None
    disjunction = isinstance(formula, Or)
    if kind is not Rel and (negated or disjunction):
        return None
    joiner: Literal["and", "or"] = "or" if disjunction else "and"
    subjects, objects = [atom.x for atom in atoms], [atom.y for atom in atoms]
    if _alike(subjects) and (members := _distinct(objects)):
        return Listing(joiner, negated, kind, subjects[0], members, members_visit=False)
    if _alike(objects) and (members := _distinct(subjects)):
        return Listing(joiner, negated, kind, objects[0], members, members_visit=True)
    return None


def _alike(terms: list[Term]) -> bool:
    return all(term == terms[0] for term in terms)


def _distinct(terms: list[Term]) -> tuple[Name, ...]:
    names = tuple(term for term in terms if isinstance(term, Name))
    same_sort = len({name.sort for name in names}) == 1
    return names if len(set(names)) == len(terms) and same_sort else ()
