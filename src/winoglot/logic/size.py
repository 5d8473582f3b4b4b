"""How many nameless people and places a model may need, so that the search for models terminates.

Each formula needs witnesses: ∃ asserted or ∀ denied needs one, ∃≥n needs n. A model remains a model when everything
except the named members and the witnesses is removed. A witness that depends on a universal variable is needed once
for each member of that variable's sort; if people depend on people, this argument gives no limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from winoglot.logic.formulas import (
    RELATIONS,
    And,
    AtLeast,
    AtMost,
    Exactly,
    Exists,
    Few,
    ForAll,
    Half,
    Iff,
    Implies,
    Most,
    Not,
    Or,
    Rel,
    Sort,
    The,
    walk,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.logic.formulas import Formula, Name

# Used where there is no limit; enough for the tasks' descriptions ("the person who has visited everyone"). A model
# of this size settles the question; if there is none, a first-order proof must.
_WITHOUT_LIMIT = 3


@dataclass(frozen=True)
class Size:
    """How many nameless members each sort may need; if `complete`, a formula without such a model has none at all."""

    person: int
    place: int
    complete: bool


@dataclass(frozen=True)
class _Witnesses:
    sort: Sort
    number: int
    each: tuple[Sort, ...]  # one witness for each member of these sorts


def size(asserted: Iterable[Formula], names: Iterable[Name], *, crowds: bool = False) -> Size:
    """The size needed by formulas that are asserted together and have these names.

    With `crowds`, the n witnesses of a count form one crowd. Everybody who is described ("the mayor of Rome") may be a
    person without a name.
    """
    formulas = list(asserted)
    name_counts: dict[Sort, int] = {"person": 0, "place": 0}
    for name in names:
        name_counts[name.sort] += 1
    witness_groups = [witnesses for formula in formulas for witnesses in _witnesses(formula, True, ())]
    descriptions = {
        node.body for formula in formulas for node in walk(formula) if isinstance(node, The) and is_role(node)
    }
    witness_groups += [_Witnesses("person", 1, ())] * len(descriptions)
    shares = sum(isinstance(node, Most | Half | Few) for formula in formulas for node in walk(formula))
    if crowds:
        witness_groups = [replace(witnesses, number=1) for witnesses in witness_groups]
    sizes: dict[Sort, int] = {}
    complete = True
    order: tuple[Sort, Sort] = ("person", "place")
    if any(witnesses.sort == "person" and "place" in witnesses.each for witnesses in witness_groups):
        order = ("place", "person")
    for sort in order:
        number = 0
        for witnesses in witness_groups:
            if witnesses.sort != sort:
                continue
            outer = set(witnesses.each) - set(sizes)
            complete = complete and not outer and not crowds
            members = prod(
                max(1, name_counts[outer_sort] + sizes[outer_sort])
                for outer_sort in witnesses.each
                if outer_sort in sizes
            )
            number += witnesses.number * members * (_WITHOUT_LIMIT if outer else 1)
        if sort == "person":  # "most" must outnumber everybody else who is left
            number += shares * (name_counts[sort] + number + 1)
        sizes[sort] = max(number, 0 if name_counts[sort] else 1)  # there is at least one person and one place
    return Size(sizes["person"], sizes["place"], complete)


def is_role(description: The) -> bool:
    """Whether it is known that there is exactly one such person: the mayor of a city."""
    return isinstance(description.body, Rel) and RELATIONS[description.body.name].logic == "unique"


def _witnesses(formula: Formula, holds: bool, sorts: tuple[Sort, ...]) -> Iterator[_Witnesses]:
    match formula:
        case Not():
            yield from _witnesses(formula.body, not holds, sorts)
        case And() | Or():
            for part in formula.parts:
                yield from _witnesses(part, holds, sorts)
        case Implies():
            yield from _witnesses(formula.a, not holds, sorts)
            yield from _witnesses(formula.b, holds, sorts)
        case Iff():
            for part, other in ((formula.a, formula.b), (formula.b, formula.a)):
                yield from _witnesses(part, True, sorts)
                yield from _witnesses(other, False, sorts)
        case ForAll() | Exists():
            exists = isinstance(formula, Exists) == holds
            yield from _bound(formula, holds, sorts, 1 if exists else 0)
        case AtLeast():
            yield from _bound(formula, holds, sorts, formula.n if holds else 0)
        case AtMost():
            yield from _bound(formula, not holds, sorts, 0 if holds else formula.n + 1)
        case Exactly():
            yield from _bound(formula, True, sorts, formula.n if holds else formula.n + 1)
            yield from _bound(formula, False, sorts, 0)
        case _:
            pass


def _bound(
    formula: ForAll | Exists | AtLeast | AtMost | Exactly, holds: bool, sorts: tuple[Sort, ...], number: int
) -> Iterator[_Witnesses]:
    sort = formula.var.sort
    if number == 0:
        yield from _witnesses(formula.body, holds, (*sorts, sort))
        return
    yield _Witnesses(sort, number, sorts)
    for inner in _witnesses(formula.body, holds, sorts):
        yield _Witnesses(inner.sort, inner.number * number, inner.each)
