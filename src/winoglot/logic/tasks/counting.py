"""Counting: exactly, at least and at most n people or places.

Repaired: several people, or people and places visited by two people, with adjacent numbers; the hypothesis gives a
number or a list of names, and the label depends on whom it is about. Published: a person has visited exactly n, and the
hypothesis lists n + 1 or fewer names.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING

from winoglot.logic.formulas import AtLeast, AtMost, Exactly, Formula, Name, Sort, Var, Visited, conjunction, person
from winoglot.logic.tasks._choice import Option, drawn, pairs
from winoglot.logic.tasks._kinds import head

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.pair import Label, Pair, TaskSettings
    from winoglot.logic.tasks._choice import Draft

Count = type[Exactly | AtLeast | AtMost]

_COUNTS: tuple[Count, ...] = (Exactly, AtLeast, AtMost)
_NUMBER = range(2, 30)  # plus or minus one: 1 to 30, as published
_VARS: dict[Sort, Var] = {"person": Var("x", "person"), "place": Var("y", "place")}


@dataclass(frozen=True, slots=True)
class _Said:
    who: Name
    what: Sort
    count: Count
    number: int


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs. With three labels no hypothesis is a list: a number never entails names."""
    return pairs("counting", lambda: _published(rng) if settings.paper else _repaired(rng, settings))


def _repaired(rng: Random, settings: TaskSettings) -> Draft | None:
    middle = rng.choice(_NUMBER)
    numbers = [middle - 1, middle, middle + 1]
    said = _three_people(rng, numbers) if rng.random() < 0.5 else _two_people(rng, numbers)
    facts = [_counted(one.who, one.what, one.count, one.number) for one in said]
    rng.shuffle(facts)
    form: Count | None = rng.choice((*_COUNTS, None))  # None: a list of names
    options = (
        Option(_label(one, form, number), (one.what, number), (one.who, one.what, number))
        for one in said
        for number in numbers
    )
    option = drawn(rng, options, settings)
    if option is None:
        return None
    who, what, number = option.content
    hypothesis = _listed(who, what, number, 3) if form is None else _counted(who, what, form, number)
    template = f"{'three' if len(said) == 3 else 'two'}-people-{'list' if form is None else form.__name__.lower()}"
    return template, facts, hypothesis, option.label


def _three_people(rng: Random, numbers: list[int]) -> list[_Said]:
    what: Sort = rng.choice(("person", "place"))
    counts = rng.sample(_COUNTS, 3) if rng.random() < 0.5 else [rng.choice(_COUNTS)] * 3
    return [
        _Said(person(index), what, count, number)
        for index, (count, number) in enumerate(zip(counts, rng.sample(numbers, 3), strict=True))
    ]


def _two_people(rng: Random, numbers: list[int]) -> list[_Said]:
    sorts: tuple[Sort, Sort] = ("person", "place")
    counts = {sort: rng.choice(_COUNTS) for sort in sorts}
    said = []
    for sort in sorts:
        for index, number in enumerate(rng.sample(numbers, 2)):
            said.append(_Said(person(index), sort, counts[sort], number))
    return said


def _counted(who: Name, what: Sort, count: Count, number: int) -> Formula:
    return count(number, _VARS[what], Visited(who, _VARS[what]))


def _listed(who: Name, what: Sort, number: int, first: int) -> Formula:
    return conjunction(Visited(who, head(what, first + index)) for index in range(number))


def _range(count: Count, number: int) -> tuple[float, float]:
    return (0 if count is AtMost else number, inf if count is AtLeast else number)


def _label(said: _Said, form: Count | None, number: int) -> Label:
    """A list of k names says more than "at least k", so it is never entailed."""
    low, high = _range(said.count, said.number)
    asked_low, asked_high = _range(form or AtLeast, number)
    if high < asked_low or asked_high < low:
        return "contradiction"
    return "entailment" if form and asked_low <= low and high <= asked_high else "neutral"


def _published(rng: Random) -> Draft:
    who = person(0)
    numbers: dict[Sort, int] = {"place": rng.randrange(1, 31), "person": rng.randrange(1, 31)}
    sorts: tuple[Sort, ...] = rng.choice((("place",), ("person",), ("place", "person")))
    facts = [_counted(who, sort, Exactly, numbers[sort]) for sort in sorts]
    what = rng.choice(sorts)
    contradiction = rng.random() < 0.5
    number = numbers[what] + 1 if contradiction else rng.randrange(1, numbers[what] + 1)
    return "paper", facts, _listed(who, what, number, 1), "contradiction" if contradiction else "neutral"
