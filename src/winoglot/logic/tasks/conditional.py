"""Conditional: if one fact holds, so does another; the premise says which conditions or consequences hold.

Three conditionals, or three chains of two. Either the conditions are known: two hold, so that one consequence is true
and one false, and one does not hold, which leaves its consequence open. Or the consequences are known: two are false,
so their conditions are false too, and one is true, which leaves its condition open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Atom, Formula, Implies, Visited, person, place
from winoglot.logic.tasks._choice import drawn, pairs, refuse_published
from winoglot.logic.tasks._literals import Settled, joined, literal, literals

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.pair import Pair, TaskSettings
    from winoglot.logic.tasks._choice import Draft

_UNITS = 3


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs."""
    refuse_published("conditional", settings)
    return pairs("conditional", lambda: _repaired(rng, settings))


def _repaired(rng: Random, settings: TaskSettings) -> Draft | None:
    forward = rng.random() < 0.5
    steps = rng.choice((1, 2))
    facts: list[Formula] = []
    settled = []
    for unit, wanted in enumerate((True, False, None)):
        atoms = _atoms(unit, steps)
        signs = [rng.random() < 0.5 for _ in atoms]
        known, target = (0, steps) if forward else (steps, 0)
        if wanted is not None:
            # a consequence follows with its sign; a condition is refuted, so the opposite sign holds
            signs[target] = wanted if forward else not wanted
        links = [
            Implies(literal(atoms[step], signs[step]), literal(atoms[step + 1], signs[step + 1]))
            for step in range(steps)
        ]
        decides = forward == (wanted is not None)
        facts += [*links, literal(atoms[known], signs[known] == decides)]
        settled.append(Settled(atoms[target], wanted))
    rng.shuffle(facts)
    options = literals(settled) if rng.random() < 0.5 else joined(settled)
    option = drawn(rng, options, settings)
    template = f"{'forward' if forward else 'backward'}-{steps}"
    return None if option is None else (template, facts, option.content, option.label)


def _atoms(unit: int, steps: int) -> list[Atom]:
    """The atoms of a unit: people of its own, and places that the units share."""
    people = range(unit * (steps + 1), (unit + 1) * (steps + 1))
    return [Visited(person(who), place((unit + step) % _UNITS)) for step, who in enumerate(people)]
