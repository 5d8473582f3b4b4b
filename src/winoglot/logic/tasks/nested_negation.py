"""Nested negation: it is not true that somebody has not; it is not true that nobody has.

Facts have zero to three negations, and every name occurs in facts with an even and with an odd number of them. Or: one
statement of each of the four quantified kinds, each written with a negation before or after the quantifier.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Exists, ForAll, Formula, Not, Var
from winoglot.logic.tasks._choice import Option, drawn, pairs, refuse_published
from winoglot.logic.tasks._grid import visits
from winoglot.logic.tasks._literals import label_of
from winoglot.logic.tasks._square import square

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.pair import Pair, TaskSettings
    from winoglot.logic.tasks._choice import Draft
    from winoglot.logic.tasks._kinds import Kind

_PEOPLE = (4,)  # 8 facts


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs."""
    refuse_published("nested-negation", settings)

    def state(kind: Kind, var: Var, body: Formula) -> Formula:
        return _nested(rng, kind, var, body)

    return pairs(
        "nested-negation", lambda: _facts(rng, settings) if rng.random() < 0.5 else square(rng, settings, state)
    )


def _facts(rng: Random, settings: TaskSettings) -> Draft | None:
    settled = visits(rng, settings, _PEOPLE)
    facts = [
        _negated(one.atom, rng.choice((0, 2)) + (0 if one.value else 1)) for one in settled if one.value is not None
    ]
    rng.shuffle(facts)
    negations = rng.randrange(4)
    options = (
        Option(label_of(None if one.value is None else one.value == (negations % 2 == 0)), None, one.atom)
        for one in settled
    )
    option = drawn(rng, options, settings)
    return None if option is None else ("facts", facts, _negated(option.content, negations), option.label)


def _negated(formula: Formula, times: int) -> Formula:
    for _ in range(times):
        formula = Not(formula)
    return formula


def _nested(rng: Random, kind: Kind, var: Var, body: Formula) -> Formula:
    """The kind written with a negation outside its opposite, inside it, or both."""
    match kind:
        case "all":
            return rng.choice((Not(Exists(var, Not(body))), Not(Not(ForAll(var, body)))))
        case "none":
            return rng.choice((Not(Exists(var, body)), Not(Not(ForAll(var, Not(body))))))
        case "some":
            return rng.choice((Not(ForAll(var, Not(body))), Not(Not(Exists(var, body)))))
        case _:
            return rng.choice((Not(ForAll(var, body)), Not(Not(Exists(var, Not(body))))))
