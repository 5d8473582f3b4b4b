"""The four kinds of quantified statement: all, some, none, not all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from winoglot.logic.formulas import Exists, ForAll, Name, Not, Var, Visited, person, place

if TYPE_CHECKING:
    from winoglot.logic.formulas import Formula, Rel, Sort
    from winoglot.logic.pair import Label

Kind = Literal["all", "none", "some", "not-all"]
KINDS: tuple[Kind, ...] = ("all", "none", "some", "not-all")

_OPPOSITE: dict[Kind, Kind] = {"all": "not-all", "not-all": "all", "none": "some", "some": "none"}
_FOLLOWS: dict[Kind, tuple[Kind, ...]] = {  # there is always at least one person and one place
    "all": ("all", "some"),
    "none": ("none", "not-all"),
    "some": ("some",),
    "not-all": ("not-all",),
}


def between(premise: Kind, hypothesis: Kind) -> Label:
    """The relation between two kinds of statement with the same predicate.

    >>> between("all", "some"), between("some", "none"), between("some", "not-all")
    ('entailment', 'contradiction', 'neutral')
    """
    if hypothesis in _FOLLOWS[premise]:
        return "entailment"
    return "contradiction" if _OPPOSITE[hypothesis] in _FOLLOWS[premise] else "neutral"


def of_one(premise: Kind, holds: bool) -> Label:
    """The relation between a kind and an instance that is affirmed or negated.

    >>> of_one("none", False), of_one("all", False), of_one("some", True)
    ('entailment', 'contradiction', 'neutral')
    """
    if premise not in {"all", "none"}:
        return "neutral"
    return "entailment" if (premise == "all") == holds else "contradiction"


def visit_of(name: Name, other: Sort) -> tuple[Var, Rel]:
    """A visit to a place, or by a person to some place or person, with its free variable."""
    var = Var("x" if other == "person" else "y", other)
    return var, Visited(var, name) if name.sort == "place" else Visited(name, var)


def stated(kind: Kind, var: Var, body: Formula) -> Formula:
    """The plain formula of a kind."""
    match kind:
        case "all":
            return ForAll(var, body)
        case "none":
            return ForAll(var, Not(body))
        case "some":
            return Exists(var, body)
        case _:
            return Exists(var, Not(body))


def head(sort: Sort, number: int) -> Name:
    """The name that the statement is about."""
    return person(number) if sort == "person" else place(number)
