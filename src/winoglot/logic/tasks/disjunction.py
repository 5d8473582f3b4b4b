"""One or the other, or both; one or the other, but not both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Formula, Or, negation
from winoglot.logic.rules import about_names, excluded, likeness, network
from winoglot.logic.situation import Cast, Situation, coin

if TYPE_CHECKING:
    from random import Random

FAMILIES = {"inclusive": (2, 3, 4), "exclusive": (2, 3, 4)}


def draw(rng: Random, family: str, depth: int) -> Situation:
    """Possibilities, some of which are excluded."""
    if family == "exclusive":
        return likeness(rng, depth)
    cast = Cast()

    def rule(a: Formula, b: Formula) -> Formula:
        return Or((negation(a), b)) if coin(rng) else Or((b, negation(a)))

    steps = depth - 1
    found = network(rng, about_names(rng, cast, 2 * steps + 5), steps, rule)
    missed = excluded(rng, cast, found.missed)
    facts = (*found.rules, found.chance, excluded(rng, cast, found.reached), missed)
    altered = (*found.rules, found.chance, excluded(rng, cast, found.unreached), missed)
    return Situation(facts, altered, found.conclusion, found.opposite)
