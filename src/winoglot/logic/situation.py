"""What a task draws: facts that decide a hypothesis together, and the same facts with a necessary one altered.

Whatever can be seen in a single sentence should have the same distribution for every label. So distractors compensate
for the alteration: if a fact about Ana is turned round, another fact about Ana is turned round the other way, and Ana
is on either side as often as before.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Formula, Name, Not, Rel, person, place

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random


@dataclass(frozen=True)
class Situation:
    """A premise that entails `entailed` and contradicts `contradicted`, and one that leaves both open.

    `facts` and `altered` have the same length; facts at the same position differ if the alteration changed them. The
    smallest set of `facts` that decides has as many as the depth that was asked for. `nested` allows *it is not true
    that* in the wording.
    """

    facts: tuple[Formula, ...]
    altered: tuple[Formula, ...]
    entailed: Formula
    contradicted: Formula
    nested: bool = False


class Cast:
    """New people and places for one situation."""

    def __init__(self) -> None:
        """Start with nobody and no place."""
        self._people = 0
        self._places = 0

    def person(self) -> Name:
        """Somebody who has not been mentioned yet."""
        self._people += 1
        return person(self._people - 1)

    def place(self) -> Name:
        """A place that has not been mentioned yet."""
        self._places += 1
        return place(self._places - 1)

    def people(self, number: int) -> list[Name]:
        """Several new people."""
        return [self.person() for _ in range(number)]


def signed(atom: Formula, holds: bool) -> Formula:
    """Return the atom if it holds, otherwise its negation."""
    return atom if holds else Not(atom)


def coin(rng: Random) -> bool:
    """Draw true or false with equal probability."""
    return rng.random() < 0.5


PROPERTIES = ("doctor", "asleep", "driver", "swimmer", "vegetarian", "retired")
OF_PLACES = ("visited", "lives", "born")
OF_PEOPLE = ("cousin", "colleague", "met", "teacher", "employer")


def predicates(rng: Random, cast: Cast, number: int, *, people: int = len(OF_PEOPLE)) -> list[Sequence[object]]:
    """Different statements that can be made about anybody: a relation and its other argument.

    At most `people` of them are about other people.
    """
    kinds: list[tuple[str, ...]] = [(name,) for name in PROPERTIES]
    kinds += [(name, "place") for name in OF_PLACES]  # nobody lives in two places: each at most once
    kinds += [("visited", "place")] * 2
    kinds += [(name, "person") for name in rng.sample(OF_PEOPLE, people)]
    return [
        (kind[0], *((cast.place(),) if kind[1:] == ("place",) else (cast.person(),) if kind[1:] else ()))
        for kind in rng.sample(kinds, number)
    ]


def variations(rng: Random, cast: Cast, number: int) -> list[Sequence[object]]:
    """The same statement about different places or people, as in *employs Ana* and *employs Ben*.

    The relation is not symmetric: if everyone has met Ana, it cannot be true that nobody has met Ben.
    """
    name = rng.choice(("visited", "teacher", "employer"))
    return [(name, cast.place() if name in OF_PLACES else cast.person()) for _ in range(number)]


def said_of(subject: object, predicate: Sequence[object], *, inverse: bool = False) -> Rel:
    """State the predicate of the subject; with `inverse`, the subject comes last."""
    name, *others = predicate
    return Rel(str(name), (*others, subject) if inverse else (subject, *others))  # type: ignore[arg-type]
