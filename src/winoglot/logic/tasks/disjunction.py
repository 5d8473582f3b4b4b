"""Disjunction: at least one of two facts holds, and one of the two is known to be true or false.

Three disjunctions. In the first, one part is false, so the other holds; in the second, whose parts are negated, one
part is false, so the other's negation holds; in the third, one part is known to hold, so the other stays open. The
hypothesis is about one or two of the other parts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Formula, Or, person, place
from winoglot.logic.tasks._choice import drawn, pairs, refuse_published
from winoglot.logic.tasks._literals import Settled, joined, literal, literals, visit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.pair import Pair, TaskSettings
    from winoglot.logic.tasks._choice import Draft


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs."""
    refuse_published("disjunction", settings)
    return pairs("disjunction", lambda: _repaired(rng, settings))


def _repaired(rng: Random, settings: TaskSettings) -> Draft | None:
    make_head, make_member = (place, person) if rng.random() < 0.5 else (person, place)
    open_sign = rng.random() < 0.5
    units = [
        (True, False, True),
        (False, True, False),
        (open_sign, open_sign, None),
    ]  # parts, what is known, what follows
    facts: list[Formula] = []
    settled = []
    for number, (sign, known, value) in enumerate(units):
        # every member is the known part of one disjunction and the unknown part of the next
        first, second = (visit(make_head(number), make_member((number + step) % 3)) for step in (0, 1))
        facts.append(Or(tuple(literal(atom, sign) for atom in rng.sample((first, second), 2))))
        facts.append(literal(first, known))
        settled.append(Settled(second, value))
    rng.shuffle(facts)
    options = literals(settled) if rng.random() < 0.5 else joined(settled)
    option = drawn(rng, options, settings)
    return None if option is None else (f"three-{make_head(0).sort}", facts, option.content, option.label)
