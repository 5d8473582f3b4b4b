"""Negations inside negations: *it is not true that Ana is not taller than Ben*."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.logic.chains import TOTAL, order, sides
from winoglot.logic.formulas import Formula, Not
from winoglot.logic.situation import Situation, coin

if TYPE_CHECKING:
    from random import Random

FAMILIES = {"same-side": (1, 2, 3, 4), "order": (1, 2, 3, 4)}


def draw(rng: Random, family: str, depth: int) -> Situation:
    """A chain of facts, of which about half are denials of their opposites."""
    drawn = sides(rng, depth) if family == "same-side" else order(rng, depth, TOTAL)
    denied = [coin(rng) for _ in drawn.facts]
    deny_hypothesis = coin(rng)

    def nested(fact: Formula, deny: bool) -> Formula:
        return Not(Not(fact)) if deny and not isinstance(fact, Not) else fact

    return replace(
        drawn,
        facts=tuple(nested(fact, deny) for fact, deny in zip(drawn.facts, denied, strict=True)),
        altered=tuple(nested(fact, deny) for fact, deny in zip(drawn.altered, denied, strict=True)),
        entailed=nested(drawn.entailed, deny_hypothesis),
        contradicted=nested(drawn.contradicted, deny_hypothesis),
        nested=True,
    )
