"""Negation: who has and who has not visited whom, or which place.

Repaired: every name occurs in both affirmed and negated facts, so that no name reveals anything by itself, and the two
names of the hypothesis occur together in a fact, in the same or swapped roles. Published: affirmed facts only; the
hypothesis negates one of them or is about a new place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Not, Visited, person, place
from winoglot.logic.tasks._choice import drawn, pairs
from winoglot.logic.tasks._grid import visits
from winoglot.logic.tasks._literals import literal, literals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.pair import Pair, TaskSettings
    from winoglot.logic.tasks._choice import Draft

_PEOPLE = (4, 6)  # each in two facts: 8 or 12; even, so that half of the facts can start from either end
_FACTS = range(2, 13)


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs."""
    return pairs("negation", lambda: _published(rng) if settings.paper else _repaired(rng, settings))


def _repaired(rng: Random, settings: TaskSettings) -> Draft | None:
    settled = visits(rng, settings, _PEOPLE)
    facts = [literal(one.atom, one.value) for one in settled if one.value is not None]
    rng.shuffle(facts)
    option = drawn(rng, literals(settled), settings)
    return None if option is None else (f"visits-{settled[0].atom.y.sort}", facts, option.content, option.label)


def _published(rng: Random) -> Draft:
    number = rng.choice(_FACTS)
    facts = [Visited(person(index), place(index)) for index in range(number)]
    who = rng.randrange(number)
    if rng.random() < 0.5:
        return "paper", [*facts], Not(facts[who]), "contradiction"
    return "paper", [*facts], Not(Visited(person(who), place(number))), "neutral"
