"""The formal language of the logic tasks: people and places, who visited what, who is taller, who came first.

Formulas are language-free values. Names are symbols, `p0`, `p1`, … for people and `c0`, `c1`, … for places; variables
over people are `x`, `x1`, …, those over places `y`, `y1`, …. `str(formula)` prints, `parse(text)` reads it back.
What each form means is written in docs/logic.md.

>>> ana, rome = Name("p0", "person"), Name("c0", "place")
>>> print(And((Visited(ana, rome), Not(Visited(Name("p1", "person"), rome)))))
(V(p0,c0) ∧ ¬V(p1,c0))
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable

Sort = Literal["person", "place"]

RELATIONS = {"visited": "V"}  # relation and its sign in print
_SYMBOLS = {("name", "person"): "p", ("name", "place"): "c", ("variable", "person"): "x", ("variable", "place"): "y"}


@dataclass(frozen=True)
class Name:
    """A person or a place; which one is said in each language by the vocabulary."""

    text: str
    sort: Sort

    def __post_init__(self) -> None:
        """The first letter shows the sort, so that a printed formula can be read back."""
        _check_symbol(self.text, "name", self.sort, r"[pc]\d+")

    def __hash__(self) -> int:
        """The symbol tells the sort."""
        return hash(self.text)

    def __str__(self) -> str:
        """The symbol."""
        return self.text


@dataclass(frozen=True)
class Var:
    """A variable, bound by a quantifier or by a description."""

    text: str
    sort: Sort

    def __post_init__(self) -> None:
        """The first letter shows the sort, so that a printed formula can be read back."""
        _check_symbol(self.text, "variable", self.sort, r"[xy]\d*")

    def __str__(self) -> str:
        """The symbol."""
        return self.text


@dataclass(frozen=True)
class The:
    """ι, the one person or place of which the body holds."""

    var: Var
    body: Formula

    @property
    def sort(self) -> Sort:
        """The sort of what is described."""
        return self.var.sort

    def __str__(self) -> str:
        """The description in brackets, so that its end is seen."""
        return f"ι{self.var}[{self.body}]"


Term = Name | Var | The


@dataclass(frozen=True)
class Rel:
    """A relation that a person bears to a person or a place."""

    name: str
    x: Term
    y: Term

    def __post_init__(self) -> None:
        """Only people do anything."""
        if self.name not in RELATIONS:
            raise ValueError(f"there is no relation {self.name!r}, only {', '.join(RELATIONS)}")
        _check_person(self.x)

    def __str__(self) -> str:
        """Sign and arguments."""
        return f"{RELATIONS[self.name]}({self.x},{self.y})"


@dataclass(frozen=True)
class _OfPeople:
    """What two people have to do with each other in an order."""

    x: Term
    y: Term

    def __post_init__(self) -> None:
        """Places have no height and do not arrive."""
        _check_person(self.x)
        _check_person(self.y)


class Taller(_OfPeople):
    """x is taller than y."""

    def __str__(self) -> str:
        """Infix."""
        return f"{self.x} > {self.y}"


class AtLeastAsTall(_OfPeople):
    """x is at least as tall as y."""

    def __str__(self) -> str:
        """Infix."""
        return f"{self.x} ≥ {self.y}"


class Before(_OfPeople):
    """x arrived before y."""

    def __str__(self) -> str:
        """Infix."""
        return f"{self.x} before {self.y}"


@dataclass(frozen=True)
class Equal:
    """Both are the same person, or the same place."""

    x: Term
    y: Term

    def __post_init__(self) -> None:
        """A person is no place."""
        if self.x.sort != self.y.sort:
            raise ValueError(f"a {self.x.sort} is never a {self.y.sort}: {self.x} = {self.y}")

    def __str__(self) -> str:
        """Infix."""
        return f"{self.x} = {self.y}"


Atom = Rel | Taller | AtLeastAsTall | Before | Equal


@dataclass(frozen=True)
class Not:
    """It is not so that the body holds."""

    body: Formula

    def __str__(self) -> str:
        """Sign before the body."""
        return f"¬{_closed(self.body)}"


@dataclass(frozen=True)
class _Several:
    """Two or more formulas under one connective."""

    parts: tuple[Formula, ...]

    def __post_init__(self) -> None:
        """A single part needs no connective: see `conjunction`."""
        if len(self.parts) < 2:
            raise ValueError(f"{type(self).__name__} joins two or more formulas, found {len(self.parts)}")


class And(_Several):
    """All parts hold."""

    def __str__(self) -> str:
        """In parentheses."""
        return f"({' ∧ '.join(map(str, self.parts))})"


class Or(_Several):
    """At least one part holds."""

    def __str__(self) -> str:
        """In parentheses."""
        return f"({' ∨ '.join(map(str, self.parts))})"


@dataclass(frozen=True)
class Implies:
    """If a holds, b does."""

    a: Formula
    b: Formula

    def __str__(self) -> str:
        """In parentheses."""
        return f"({self.a} → {self.b})"


@dataclass(frozen=True)
class _Quantified:
    """A formula about all or some of a sort."""

    var: Var
    body: Formula


class ForAll(_Quantified):
    """Of everyone, or of every place, the body holds."""

    def __str__(self) -> str:
        """Sign, variable, body."""
        return f"∀{self.var} {_closed(self.body)}"


class Exists(_Quantified):
    """Of someone, or of some place, the body holds."""

    def __str__(self) -> str:
        """Sign, variable, body."""
        return f"∃{self.var} {_closed(self.body)}"


@dataclass(frozen=True)
class _Counted:
    """A formula about how many of a sort there are of which the body holds."""

    n: int
    var: Var
    body: Formula

    def __post_init__(self) -> None:
        """A number of things is not negative."""
        if self.n < 0:
            raise ValueError(f"a count is 0 or more, found {self.n}")


class Exactly(_Counted):
    """Of exactly n the body holds."""

    def __str__(self) -> str:
        """Sign, number, variable, body."""
        return f"∃={self.n} {self.var} {_closed(self.body)}"


class AtLeast(_Counted):
    """Of n or more the body holds."""

    def __str__(self) -> str:
        """Sign, number, variable, body."""
        return f"∃≥{self.n} {self.var} {_closed(self.body)}"


class AtMost(_Counted):
    """Of n or fewer the body holds."""

    def __str__(self) -> str:
        """Sign, number, variable, body."""
        return f"∃≤{self.n} {self.var} {_closed(self.body)}"


Quantifier = ForAll | Exists | Exactly | AtLeast | AtMost
Formula = Atom | Not | And | Or | Implies | Quantifier


@cache
def person(number: int) -> Name:
    """The person of that number: `p3`."""
    return Name(f"p{number}", "person")


@cache
def place(number: int) -> Name:
    """The place of that number: `c3`."""
    return Name(f"c{number}", "place")


def Visited(x: Term, y: Term) -> Rel:  # noqa: N802 - reads like the other atoms
    """x has visited y."""
    return Rel("visited", x, y)


def conjunction(parts: Iterable[Formula]) -> Formula:
    """All parts, or the only one as it is.

    >>> print(conjunction([Visited(person(0), place(0))]))
    V(p0,c0)
    """
    several = tuple(parts)
    return several[0] if len(several) == 1 else And(several)


def facts(formula: Formula) -> tuple[Formula, ...]:
    """What a premise says one after the other: the parts of a conjunction, or the formula itself."""
    return formula.parts if isinstance(formula, And) else (formula,)


def parse(text: str) -> Formula:
    """The formula that `str` printed.

    >>> parse("p0 = ιx[∀y V(x,y)]") == Equal(person(0), The(Var("x", "person"), parse("∀y V(x,y)")))
    True
    """
    from winoglot.logic._parse import parse as read

    return read(text)


def _closed(body: Formula) -> str:
    return f"({body})" if isinstance(body, _OfPeople | Equal) else str(body)


def _check_symbol(text: str, kind: str, sort: Sort, form: str) -> None:
    letter = _SYMBOLS.get((kind, sort))
    if letter is None:
        raise ValueError(f"a {kind} is a person or a place, found the sort {sort!r}")
    if not re.fullmatch(form, text, re.ASCII) or not text.startswith(letter):
        raise ValueError(f"a {kind} of the sort {sort} is written {letter} and a number, found {text!r}")


def _check_person(term: Term) -> None:
    if term.sort != "person":
        raise ValueError(f"only a person can stand here, found the place {term}")
