"""Quantification: everyone, nobody, someone, not everyone; every place, no place, some place, not every place.

Repaired: premises contain one statement of each of the four kinds, or two statements with two quantifiers each, one
about people and one about places; the label depends on which of them the hypothesis is about. Published: one of five
premises, and somebody who has not visited somebody or something.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from winoglot.logic.formulas import And, Exists, ForAll, Formula, Name, Not, Var, Visited, person, place
from winoglot.logic.tasks._choice import Option, drawn, pairs
from winoglot.logic.tasks._kinds import stated
from winoglot.logic.tasks._literals import literal
from winoglot.logic.tasks._square import square

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.formulas import Sort
    from winoglot.logic.pair import Label, Pair, TaskSettings
    from winoglot.logic.tasks._choice import Draft

_PUBLISHED_LIST = range(2, 21)
_X = Var("x", "person")
_OBJECTS: dict[Sort, Var] = {"person": Var("x1", "person"), "place": Var("y", "place")}

Two = tuple[type[ForAll | Exists], type[ForAll | Exists], bool]  # subject, object, affirmed
_TWO: tuple[Two, ...] = tuple(product((ForAll, Exists), (ForAll, Exists), (True, False)))


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs. With three labels no statement has two quantifiers: two facts allow two labels."""
    if settings.paper:
        return pairs("quantification", lambda: _published(rng))
    scope = settings.labels == "cd"
    return pairs(
        "quantification",
        lambda: _scope(rng, settings) if scope and rng.random() < 0.5 else square(rng, settings, stated),
    )


def _scope(rng: Random, settings: TaskSettings) -> Draft | None:
    sorts: list[Sort] = ["person", "place"]
    said = dict(zip(sorts, rng.sample(_TWO, 2), strict=True))
    facts = [_with_two(said[sort], sort) for sort in sorts]
    rng.shuffle(facts)
    asked = rng.choice(_TWO)
    options = (Option(_between(said[sort], asked), asked, sort) for sort in sorts if said[sort] != asked)
    option = drawn(rng, options, settings)
    return None if option is None else ("scope", facts, _with_two(asked, option.content), option.label)


def _with_two(two: Two, objects: Sort) -> Formula:
    whom, what, holds = two
    var = _OBJECTS[objects]
    return whom(_X, what(var, literal(Visited(_X, var), holds)))


def _between(premise: Two, hypothesis: Two) -> Label:
    if _follows(premise, hypothesis):
        return "entailment"
    whom, what, holds = hypothesis
    denied: Two = (_other(whom), _other(what), not holds)
    return "contradiction" if _follows(premise, denied) else "neutral"


def _follows(premise: Two, hypothesis: Two) -> bool:
    """*All* can be weakened to *some* in either position, because no domain is empty."""
    weaker = all(one is ForAll or one is other for one, other in zip(premise[:2], hypothesis[:2], strict=True))
    return weaker and premise[2] == hypothesis[2]


def _other(quantifier: type[ForAll | Exists]) -> type[ForAll | Exists]:
    return Exists if quantifier is ForAll else ForAll


def _published(rng: Random) -> Draft:
    contradiction = rng.random() < 0.5
    label: Label = "contradiction" if contradiction else "neutral"
    one: list[Name] = [person(1), place(0)]
    everything: list[Formula] = [ForAll(var, Visited(_X, var)) for var in _OBJECTS.values()]
    fact: Formula
    match rng.choice(("every-person", "every-place", "list", "everything")):
        case "every-person" as template:
            fact, other = ForAll(_X, everything[0]), one[0 if contradiction else 1]
        case "every-place" as template:
            fact, other = ForAll(_X, everything[1]), one[1 if contradiction else 0]
        case "list" as template:
            number = rng.choice(_PUBLISHED_LIST)
            fact = ForAll(_X, And(tuple(Visited(_X, place(index)) for index in range(number))))
            other = place(rng.randrange(number) if contradiction else number)
        case template:
            fact, other = (ForAll if contradiction else Exists)(_X, And(tuple(everything))), rng.choice(one)
    return f"paper-{template}", [fact], Not(Visited(person(0), other)), label
