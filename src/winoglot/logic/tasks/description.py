"""Description: somebody is the person who has visited something, and nobody else is.

Repaired: three people are described, and the hypothesis names or describes one of them, so it matters whom a
description fits and that it fits nobody else. Published: one person has visited everyone or every place, another
visits or is visited, and one of the two has not visited somebody or something new.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from winoglot.logic.formulas import And, Equal, ForAll, Formula, Name, Not, Term, The, Var, Visited, person, place
from winoglot.logic.tasks._choice import Option, drawn, pairs
from winoglot.logic.tasks._grid import grid
from winoglot.logic.tasks._kinds import KINDS, Kind, head, stated
from winoglot.logic.tasks._literals import label_of, literal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.formulas import Sort
    from winoglot.logic.pair import Label, Pair, TaskSettings
    from winoglot.logic.tasks._choice import Draft

_PEOPLE = 3
_X = Var("x", "person")
_OBJECTS: dict[Sort, Var] = {"person": Var("x1", "person"), "place": Var("y", "place")}


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs."""
    if settings.paper:
        return pairs("description", lambda: _published(rng))
    families = (_referred, _universal, _two_places)
    return pairs("description", lambda: rng.choice(families)(rng, settings))


def _referred(rng: Random, settings: TaskSettings) -> Draft | None:
    """Each is the only visitor of one place, has visited a second and not a third: the person who … has visited …"""
    values = grid(_PEOPLE)
    visitors = [The(_X, Visited(_X, place(_PEOPLE + number))) for number in range(_PEOPLE)]
    facts: list[Formula] = [Equal(person(number), visitor) for number, visitor in enumerate(visitors)]
    facts += [literal(Visited(person(a), place(b)), holds) for (a, b), holds in values.items()]
    rng.shuffle(facts)
    holds = rng.random() < 0.5
    cells = product(range(_PEOPLE), range(_PEOPLE))
    options = (Option(_label(values.get(cell), holds), holds, cell) for cell in cells)
    option = drawn(rng, options, settings)
    if option is None:
        return None
    who, where = option.content
    return "referred", facts, literal(Visited(visitors[who], place(where)), holds), option.label


# Whether each kind of statement holds for the three people of `_universal`: the first has been everywhere, the second
# nowhere, and for the third, who is neither, the question stays open.
_HOLDS: dict[Kind, tuple[bool, bool, bool]] = {
    "all": (True, False, False),
    "none": (False, True, False),
    "some": (True, False, True),
    "not-all": (False, True, True),
}


def _universal(rng: Random, settings: TaskSettings) -> Draft | None:
    """One has visited every place, one none, one has visited everyone; or with people and places swapped."""
    objects: tuple[Sort, Sort] = ("place", "person")
    one, other = rng.sample(objects, 2)
    described: list[tuple[Sort, bool]] = [(one, True), (one, False), (other, True)]
    facts: list[Formula] = [
        Equal(person(number), The(_X, ForAll(_OBJECTS[sort], literal(Visited(_X, _OBJECTS[sort]), holds))))
        for number, (sort, holds) in enumerate(described)
    ]
    rng.shuffle(facts)
    asked: Kind | None = rng.choice((*KINDS, None))  # None: an instance
    holds = rng.random() < 0.5
    values = (True, False, None) if asked is None else _HOLDS[asked]
    wanted = holds if asked is None else True
    options = (Option(_label(value, wanted), asked, number) for number, value in enumerate(values))
    option = drawn(rng, options, settings)
    if option is None:
        return None
    who = person(option.content)
    if asked is None:
        hypothesis = literal(Visited(who, head(one, _PEOPLE)), holds)
    else:
        var = _OBJECTS[one]
        hypothesis = stated(asked, var, Visited(who, var))
    return f"universal-{one}", facts, hypothesis, option.label


def _two_places(rng: Random, settings: TaskSettings) -> Draft | None:
    """Each is the only one who has visited two places, so nobody else has visited both. Nothing is left open."""
    own = [(place(2 * number), place(2 * number + 1)) for number in range(_PEOPLE)]
    facts: list[Formula] = [Equal(person(who), The(_X, _both(_X, two))) for who, two in enumerate(own)]
    rng.shuffle(facts)
    holds = rng.random() < 0.5
    cells = product(range(_PEOPLE), range(_PEOPLE))
    options = (Option(_label(who == whose, holds), holds, (who, whose)) for who, whose in cells)
    option = drawn(rng, options, settings)
    if option is None:
        return None
    who, whose = option.content
    first, second = rng.sample(own[whose], 2)
    both = _both(person(who), (first, second))
    return "two-places", facts, both if holds else Not(both), option.label


def _both(who: Term, two: tuple[Name, Name]) -> And:
    return And(tuple(Visited(who, name) for name in two))


def _label(value: bool | None, holds: bool) -> Label:
    return label_of(None if value is None else value == holds)


def _published(rng: Random) -> Draft:
    sort: Sort = rng.choice(("person", "place"))
    described, other = person(0), person(1)
    facts: list[Formula] = [
        Equal(described, The(_X, ForAll(_OBJECTS[sort], Visited(_X, _OBJECTS[sort])))),
        rng.choice((Visited(described, other), Visited(other, described))),
    ]
    rng.shuffle(facts)
    subject = rng.choice((described, other))
    label: Label = "contradiction" if subject is described else "neutral"
    return f"paper-{sort}", facts, Not(Visited(subject, head(sort, 2))), label
