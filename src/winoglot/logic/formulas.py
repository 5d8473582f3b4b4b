"""The formal language of the logic tasks: people and places, who visited what, who is taller, who came first.

Formulas are independent of any language. Names are symbols, `p0`, `p1`, … for people and `c0`, `c1`, … for places;
variables over people are `x`, `x1`, …, those over places `y`, `y1`, …. `str(formula)` prints and `parse(text)` parses.
docs/logic.md explains what each form means.

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

RELATIONS = {"visited": "V"}  # relation and its printed symbol
_SYMBOLS = {("name", "person"): "p", ("name", "place"): "c", ("variable", "person"): "x", ("variable", "place"): "y"}


@dataclass(frozen=True)
class Name:
    """The symbol of a person or place; each language's vocabulary gives it a word."""

    text: str
    sort: Sort

    def __post_init__(self) -> None:
        """The first letter shows the sort, so that a printed formula can be read back."""
        _check_symbol(self.text, "name", self.sort, r"[pc]\d+")

    def __hash__(self) -> int:
        """The symbol determines the sort."""
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
    """ι: the one person or place that satisfies the body."""

    var: Var
    body: Formula

    @property
    def sort(self) -> Sort:
        """The sort of what is described."""
        return self.var.sort

    def __str__(self) -> str:
        """The description in brackets, so that its end is visible."""
        return f"ι{self.var}[{self.body}]"


Term = Name | Var | The


@dataclass(frozen=True)
class Rel:
    """A relation between a person and a person or place."""

    name: str
    x: Term
    y: Term

    def __post_init__(self) -> None:
        """Only people can be the first argument."""
        if self.name not in RELATIONS:
            raise ValueError(f"unknown relation {self.name!r}, expected {', '.join(RELATIONS)}")
        _check_person(self.x)

    def __str__(self) -> str:
        """Symbol and arguments."""
        return f"{RELATIONS[self.name]}({self.x},{self.y})"


@dataclass(frozen=True)
class _OfPeople:
    """An order relation between two people."""

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
    """Both are the same person or the same place."""

    x: Term
    y: Term

    def __post_init__(self) -> None:
        """A person is not a place."""
        if self.x.sort != self.y.sort:
            raise ValueError(f"a {self.x.sort} is never a {self.y.sort}: {self.x} = {self.y}")

    def __str__(self) -> str:
        """Infix."""
        return f"{self.x} = {self.y}"


Atom = Rel | Taller | AtLeastAsTall | Before | Equal


@dataclass(frozen=True)
class Not:
    """The body does not hold."""

    body: Formula

    def __str__(self) -> str:
        """The symbol, then the body."""
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
    """If a holds, b holds."""

    a: Formula
    b: Formula

    def __str__(self) -> str:
        """In parentheses."""
        return f"({self.a} → {self.b})"


@dataclass(frozen=True)
class _Quantified:
    """A formula about all or some members of a sort."""

    var: Var
    body: Formula


class ForAll(_Quantified):
    """The body holds of every person or every place."""

    def __str__(self) -> str:
        """Symbol, variable, body."""
        return f"∀{self.var} {_closed(self.body)}"


class Exists(_Quantified):
    """The body holds of some person or some place."""

    def __str__(self) -> str:
        """Symbol, variable, body."""
        return f"∃{self.var} {_closed(self.body)}"


@dataclass(frozen=True)
class _Counted:
    """A formula about how many members of a sort satisfy the body."""

    n: int
    var: Var
    body: Formula

    def __post_init__(self) -> None:
        """A count is not negative."""
        if self.n < 0:
            raise ValueError(f"a count is 0 or more, found {self.n}")


class Exactly(_Counted):
    """The body holds of exactly n."""

    def __str__(self) -> str:
        """Symbol, number, variable, body."""
        return f"∃={self.n} {self.var} {_closed(self.body)}"


class AtLeast(_Counted):
    """The body holds of n or more."""

    def __str__(self) -> str:
        """Symbol, number, variable, body."""
        return f"∃≥{self.n} {self.var} {_closed(self.body)}"


class AtMost(_Counted):
    """The body holds of n or fewer."""

    def __str__(self) -> str:
        """Symbol, number, variable, body."""
        return f"∃≤{self.n} {self.var} {_closed(self.body)}"


Quantifier = ForAll | Exists | Exactly | AtLeast | AtMost
Formula = Atom | Not | And | Or | Implies | Quantifier


@cache
def person(number: int) -> Name:
    """The person with this number: `p3`."""
    return Name(f"p{number}", "person")


@cache
def place(number: int) -> Name:
    """The place with this number: `c3`."""
    return Name(f"c{number}", "place")


def Visited(x: Term, y: Term) -> Rel:  # noqa: N802 - reads like the other atoms
    """x has visited y."""
    return Rel("visited", x, y)


def conjunction(parts: Iterable[Formula]) -> Formula:
    """The conjunction of the parts; a single part is returned as it is.

    >>> print(conjunction([Visited(person(0), place(0))]))
    V(p0,c0)
    """
    several = tuple(parts)
    return several[0] if len(several) == 1 else And(several)


def facts(formula: Formula) -> tuple[Formula, ...]:
    """The facts of a premise: the parts of a conjunction, or the formula itself."""
    return formula.parts if isinstance(formula, And) else (formula,)


def parse(text: str) -> Formula:
    """Parse a formula printed by `str`.

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
        raise ValueError(f"the sort of a {kind} must be person or place, found {sort!r}")
    if not re.fullmatch(form, text, re.ASCII) or not text.startswith(letter):
        raise ValueError(f"a {kind} of sort {sort} must be {letter} followed by a number, found {text!r}")


def _check_person(term: Term) -> None:
    if term.sort != "person":
        raise ValueError(f"expected a person, found the place {term}")
