"""If, only if and unless: what follows from conditions, forwards and backwards, and what they leave open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Formula, Implies, negation
from winoglot.logic.rules import about_names, excluded, network
from winoglot.logic.situation import Cast, Situation, coin

if TYPE_CHECKING:
    from random import Random

FAMILIES = {"rules": (2, 3, 4)}


def draw(rng: Random, family: str, depth: int) -> Situation:  # noqa: ARG001 - there is one family
    """Two lines of conditions."""
    cast = Cast()

    def rule(a: Formula, b: Formula) -> Formula:
        return Implies(a, b) if coin(rng) else Implies(negation(b), negation(a))

    steps = depth - 1
    net = network(rng, about_names(rng, cast, 2 * steps + 5), steps, rule)
    missed = excluded(rng, cast, net.missed)
    facts = (*net.rules, net.chance, excluded(rng, cast, net.reached), missed)
    altered = (*net.rules, net.chance, excluded(rng, cast, net.unreached), missed)
    return Situation(facts, altered, net.conclusion, net.opposite)
