"""Coordination: lists of people who have or have not visited a place, or of places a person has or has not visited.

Repaired: three heads, places or people, each with a list of those who have visited it (or whom it has visited) and a
list of those who have not; every listed name is in one list of each kind. The hypothesis takes a head and names from
one or two of its lists, joined by "and" or "or", in the same or swapped roles. If people visit people, some heads visit
and some are visited, so that the number of the hypothesis's verb reveals nothing about the roles. Published: one
affirmed list, and a member or a new name that has not visited.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from winoglot.logic.formulas import And, Atom, Name, Not, Or, Sort, Visited, person, place
from winoglot.logic.tasks._choice import Option, by_look, drawn_by_look, pairs
from winoglot.logic.tasks._kinds import head as named
from winoglot.logic.tasks._literals import label_of, literal, visit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.formulas import Formula
    from winoglot.logic.pair import Pair, TaskSettings
    from winoglot.logic.tasks._choice import ByLook, Draft

_HEADS = 3
_LIST = range(2, 5)
_PUBLISHED_LIST = range(2, 21)


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs."""
    return pairs("coordination", lambda: _published(rng) if settings.paper else _repaired(rng, settings))


def _repaired(rng: Random, settings: TaskSettings) -> Draft | None:
    length = rng.choice(_LIST)
    heads, members = _names(rng, settings, length)
    lists = [members[which * length : (which + 1) * length] for which in range(_HEADS)]
    both_people = members[0].sort == "person" and heads[0].sort == "person"
    ahead = _mixed(rng) if both_people else (heads[0].sort == "person",) * _HEADS  # whether each head visits
    facts: list[Formula] = []
    for which, head in enumerate(heads):
        for holds in (True, False):
            listed = rng.sample(_list_of(lists, which, holds), length)
            facts.append(And(tuple(literal(_visit(head, name, ahead[which]), holds) for name in listed)))
    rng.shuffle(facts)
    option = drawn_by_look(rng, _options(ahead, both_people), settings)
    if option is None:
        return None
    form, holds, values, which, head_visits = option.content
    names: list[Name] = []
    for value in values:
        names.append(rng.choice([name for name in _list_of(lists, which, value) if name not in names]))
    rng.shuffle(names)
    parts = tuple(literal(_visit(heads[which], name, head_visits), holds) for name in names)
    hypothesis = parts[0] if form == "one" else And(parts) if form == "and" else Or(parts)
    return f"lists-{heads[0].sort}-{members[0].sort}-{form}", facts, hypothesis, option.label


def _names(rng: Random, settings: TaskSettings, length: int) -> tuple[list[Name], list[Name]]:
    """The heads and the listed names; with three labels all are people, whose roles can be swapped."""
    sorts: tuple[tuple[Sort, Sort], ...] = (("person", "person"), ("person", "place"), ("place", "person"))
    head_sort, member_sort = sorts[0] if settings.labels == "nli" else rng.choice(sorts)
    after = _HEADS if head_sort == member_sort else 0
    heads = [named(head_sort, number) for number in range(_HEADS)]
    return heads, [named(member_sort, after + number) for number in range(_HEADS * length)]


def _list_of(lists: list[list[Name]], which: int, holds: bool) -> list[Name]:
    """Every list is the affirmed list of one head and the negated list of the previous head."""
    return lists[which if holds else (which + 1) % _HEADS]


def _visit(head: Name, name: Name, ahead: bool) -> Atom:
    return Visited(head, name) if ahead else Visited(name, head)


def _mixed(rng: Random) -> tuple[bool, ...]:
    """At least one head that visits and one that is visited, so that either kind of hypothesis can have every label."""
    ahead = [True, False, rng.random() < 0.5]
    rng.shuffle(ahead)
    return tuple(ahead)


_Content = tuple[str, bool, tuple[bool, ...], int, bool]  # form, sign, lists of the names, head, whether it visits


@cache
def _options(ahead: tuple[bool, ...], roles_can_change: bool) -> ByLook[_Content]:
    options: list[Option[_Content]] = []
    for holds, values in product((True, False), ((True,), (False,), (True, True), (True, False), (False, False))):
        true = [value == holds for value in values]
        for form, (which, visits) in product(("one",) if len(values) == 1 else ("and", "or"), enumerate(ahead)):
            label = label_of(all(true) if form == "and" else any(true))
            options.append(Option(label, (form, holds, visits), (form, holds, values, which, visits)))
            if roles_can_change:
                options.append(Option("neutral", (form, holds, not visits), (form, holds, values, which, not visits)))
    return by_look(options)


def _published(rng: Random) -> Draft:
    length = rng.choice(_PUBLISHED_LIST)
    make_head, make_member = (place, person) if rng.random() < 0.5 else (person, place)
    members = [make_member(index) for index in range(length)]
    fact = And(tuple(visit(make_head(0), name) for name in members))
    member = rng.choice(members)
    template = f"paper-{member.sort}"
    if rng.random() < 0.5:
        return template, [*fact.parts], Not(visit(make_head(0), member)), "contradiction"
    new = visit(make_head(1), member) if rng.random() < 0.5 else visit(make_head(0), make_member(length))
    return template, [*fact.parts], Not(new), "neutral"
