"""How many nameless people and places a model may need, so that a search for models can end.

Put every formula in the form that asks for witnesses: ∃ asserted or ∀ denied asks for one, ∃≥n for n. A model stays a
model when all but the named and the witnesses are taken away. A witness that depends on a universal variable is
needed once for each member of that variable's sort; where people depend on people, there is no limit of this kind.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from winoglot.logic.formulas import And, AtLeast, AtMost, Exactly, Exists, ForAll, Implies, Not, Or, Sort

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.logic.formulas import Formula

# Enough for the descriptions of the tasks ("the person who has visited everyone") where there is no limit: a model
# that is found is one; that there is none is then left to a proof.
_WITHOUT_LIMIT = 3


@dataclass(frozen=True)
class Size:
    """How many nameless members each sort may need; `complete`: if no model is so small, there is none at all."""

    person: int
    place: int
    complete: bool


@dataclass(frozen=True)
class _Witnesses:
    sort: Sort
    number: int
    each: tuple[Sort, ...]  # one for each member of these


def size(asserted: Iterable[tuple[Formula, bool]], named: dict[Sort, int], *, crowds: bool = False) -> Size:
    """For formulas that are asserted (true) or denied (false) together, with so many names of each sort.

    With `crowds`, the n witnesses of a count are one crowd.
    """
    needed = [witnesses for formula, holds in asserted for witnesses in _witnesses(formula, holds, ())]
    if crowds:
        needed = [replace(witnesses, number=1) for witnesses in needed]
    found: dict[Sort, int] = {}
    complete = True
    order: tuple[Sort, Sort] = ("person", "place")
    if any(one.sort == "person" and "place" in one.each for one in needed):
        order = ("place", "person")
    for sort in order:
        number = 0
        for one in needed:
            if one.sort != sort:
                continue
            outer = set(one.each) - set(found)
            complete = complete and not outer and not crowds
            known = prod(max(1, named[each] + found[each]) for each in one.each if each in found)
            number += one.number * known * (_WITHOUT_LIMIT if outer else 1)
        found[sort] = max(number, 0 if named[sort] else 1)  # there is at least one person and one place
    return Size(found["person"], found["place"], complete)


def _witnesses(formula: Formula, holds: bool, each: tuple[Sort, ...]) -> Iterator[_Witnesses]:
    match formula:
        case Not():
            yield from _witnesses(formula.body, not holds, each)
        case And() | Or():
            for part in formula.parts:
                yield from _witnesses(part, holds, each)
        case Implies():
            yield from _witnesses(formula.a, not holds, each)
            yield from _witnesses(formula.b, holds, each)
        case ForAll() | Exists():
            exists = isinstance(formula, Exists) == holds
            yield from _bound(formula, holds, each, 1 if exists else 0)
        case AtLeast():
            yield from _bound(formula, holds, each, formula.n if holds else 0)
        case AtMost():
            yield from _bound(formula, not holds, each, 0 if holds else formula.n + 1)
        case Exactly():
            yield from _bound(formula, True, each, formula.n if holds else formula.n + 1)
            yield from _bound(formula, False, each, 0)
        case _:
            pass


def _bound(
    formula: ForAll | Exists | AtLeast | AtMost | Exactly, holds: bool, each: tuple[Sort, ...], number: int
) -> Iterator[_Witnesses]:
    sort = formula.var.sort
    if number == 0:
        yield from _witnesses(formula.body, holds, (*each, sort))
        return
    yield _Witnesses(sort, number, each)
    for inner in _witnesses(formula.body, holds, each):
        yield _Witnesses(inner.sort, inner.number * number, inner.each)
