"""Hypotheses about facts that the premise makes true, makes false or leaves open."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product
from typing import TYPE_CHECKING

from winoglot.logic.formulas import And, Atom, Formula, Name, Not, Or, Visited
from winoglot.logic.tasks._choice import Option

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.logic.pair import Label

_NOT = {True: False, False: True, None: None}


@dataclass(frozen=True, slots=True)
class Settled:
    """An atom and its value given the premise: true, false or open (None)."""

    atom: Atom
    value: bool | None


def literal(atom: Atom, holds: bool) -> Formula:
    """The atom or its negation."""
    return atom if holds else Not(atom)


def visit(name: Name, other: Name) -> Atom:
    """The person among the two has visited the other.

    >>> from winoglot.logic.formulas import person, place
    >>> print(visit(place(0), person(1)))
    V(p1,c0)
    """
    return Visited(other, name) if name.sort == "place" else Visited(name, other)


def label_of(value: bool | None) -> Label:
    """The label of a hypothesis with this value."""
    if value is None:
        return "neutral"
    return "entailment" if value else "contradiction"


def literals(settled: Sequence[Settled]) -> Iterator[Option[Formula]]:
    """Each atom and its negation."""
    for one, holds in product(settled, (True, False)):
        value = one.value if holds else _NOT[one.value]
        yield Option(label_of(value), ("literal", holds), literal(one.atom, holds))


def joined(settled: Sequence[Settled]) -> Iterator[Option[Formula]]:
    """Two atoms, one of them negated, joined by "and" or "or"; if both had the same sign, a label would be missing."""
    for (yes, no), first in product(permutations(settled, 2), (True, False)):
        parts = (yes.atom, Not(no.atom)) if first else (Not(no.atom), yes.atom)
        values = (yes.value, _NOT[no.value])
        both = False if False in values else None if None in values else True
        either = True if True in values else None if None in values else False
        yield Option(label_of(both), ("and", first), And(parts))
        yield Option(label_of(either), ("or", first), Or(parts))
