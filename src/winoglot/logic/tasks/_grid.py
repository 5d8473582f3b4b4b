"""Who visited whom or what, such that every name occurs in both affirmed and negated facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Visited, person, place
from winoglot.logic.tasks._literals import Settled

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from winoglot.logic.pair import TaskSettings


def grid(number: int) -> dict[tuple[int, int], bool]:
    """People and places in a ring: each person has visited their own place and not the next one.

    >>> grid(3)
    {(0, 0): True, (0, 1): False, (1, 1): True, (1, 2): False, (2, 2): True, (2, 0): False}
    """
    return {(index, (index + step) % number): step == 0 for index in range(number) for step in (0, 1)}


def ring(number: int) -> dict[tuple[int, int], bool | None]:
    """People in a ring: each has visited the next one and not the one after; the way back is left open.

    >>> [pair for pair, value in ring(4).items() if value is None]
    [(1, 0), (2, 1), (3, 2), (0, 3)]
    """
    values: dict[tuple[int, int], bool | None] = {}
    for step in (1, 2):
        values |= {(index, (index + step) % number): step == 1 for index in range(number)}
    for first, second in list(values):
        values.setdefault((second, first))
    return values


def visits(rng: Random, settings: TaskSettings, sizes: Sequence[int]) -> list[Settled]:
    """Visits between names that share a fact: stated ones, and open ones with the roles swapped.

    Nothing is open if people visit places, so with three labels people visit people.
    """
    if settings.labels == "nli" or rng.random() < 0.5:
        people = ring(rng.choice([size for size in sizes if size > 3]))
        return [Settled(Visited(person(a), person(b)), value) for (a, b), value in people.items()]
    return [Settled(Visited(person(a), place(b)), value) for (a, b), value in grid(rng.choice(sizes)).items()]
