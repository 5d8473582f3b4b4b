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
    situation = sides(rng, depth) if family == "same-side" else order(rng, depth, TOTAL)
    is_denied_twice = [coin(rng) for _ in situation.facts]
    deny_hypothesis = coin(rng)

    def nested(fact: Formula, deny: bool) -> Formula:
        return Not(Not(fact)) if deny and not isinstance(fact, Not) else fact

    return replace(
        situation,
        facts=tuple(nested(fact, deny) for fact, deny in zip(situation.facts, is_denied_twice, strict=True)),
        altered=tuple(nested(fact, deny) for fact, deny in zip(situation.altered, is_denied_twice, strict=True)),
        entailed=nested(situation.entailed, deny_hypothesis),
        contradicted=nested(situation.contradicted, deny_hypothesis),
        nested=True,
    )
