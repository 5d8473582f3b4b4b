"""Who is said to have visited whom or what, so that every name is in affirmed and in denied facts alike."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Visited, person, place
from winoglot.logic.tasks._literals import Settled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from winoglot.logic.pair import Settings


def grid(number: int) -> dict[tuple[int, int], bool]:
    """So many people and places in a ring: each has visited its own place and not the next one.

    >>> grid(3)
    {(0, 0): True, (0, 1): False, (1, 1): True, (1, 2): False, (2, 2): True, (2, 0): False}
    """
    return {(index, (index + step) % number): step == 0 for index in range(number) for step in (0, 1)}


def visits(rng: Random, settings: Settings, sizes: Sequence[int]) -> tuple[list[Settled], list[Settled]]:
    """Visits that are stated, and those that can be asked about: two stated ones, one affirmed and one denied.

    What else is stated about the names of those two is affirmed and denied alike, in either role, so that it tells
    nothing. Among people the two can be asked about with the roles exchanged, which is open. Nothing is open where
    people visit places, so with three labels people visit people.
    """
    if settings.labels == "nli" or rng.random() < 0.5:
        return _among_people(rng)
    return _of_places(rng, rng.choice(sizes))


def _of_places(rng: Random, number: int) -> tuple[list[Settled], list[Settled]]:
    stated = [Settled(Visited(person(a), place(b)), value) for (a, b), value in grid(number).items()]
    first, second = rng.sample(range(number), 2)
    asked = [
        Settled(Visited(person(who), place((who + 2) % number)), value)
        for who, value in ((first, True), (second, False))
    ]
    return stated + asked, asked


def _among_people(rng: Random) -> tuple[list[Settled], list[Settled]]:
    """Two couples; each of the one couple has visited one of the other couple and not the other one, and back."""
    stated = []
    for back in (False, True):
        turn = rng.randrange(2)
        for one, other in product((0, 1), (2, 3)):
            atom = Visited(person(other), person(one)) if back else Visited(person(one), person(other))
            stated.append(Settled(atom, (one + other + turn) % 2 == 0))
    asked = [Settled(Visited(person(0), person(1)), True), Settled(Visited(person(2), person(3)), False)]
    exchanged = [Settled(Visited(person(1), person(0)), None), Settled(Visited(person(3), person(2)), None)]
    return stated + asked, asked + exchanged
