"""One or the other, or both; one or the other, but not both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Formula, Not, Or, atom_of, negation
from winoglot.logic.rules import about_names, excluded, likeness, network
from winoglot.logic.situation import Cast, Situation, coin, signed

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
    *statements, third, fourth = about_names(rng, cast, 2 * steps + 7)
    net = network(rng, statements, steps, rule)
    missed = excluded(rng, cast, net.missed)
    # Two more facts are denied if one that begins a line is affirmed: otherwise, the polarity of the rules about the
    # conclusion and the number of denied facts would tell which line is reached.
    distractors = [
        signed(statement, isinstance(rng.choice((net.reached, net.missed)), Not)) for statement in (third, fourth)
    ]
    fixed = (*net.rules, signed(atom_of(net.chance), coin(rng)), *distractors, missed)
    facts = (*fixed, excluded(rng, cast, net.reached))
    altered = (*fixed, excluded(rng, cast, net.unreached))
    return Situation(facts, altered, net.conclusion, net.opposite)
