"""Decide with z3 whether a premise contradicts, entails or leaves open a hypothesis.

The search for a model covers the named members and as many nameless people and places as the formulas may need (see
`_size`). If no such number is known, finding no model proves nothing, and z3 must refute the formulas in general.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.logic._shape import shape, without_names
from winoglot.logic._size import size
from winoglot.logic.formulas import AtLeast, AtMost, Exactly, Formula, Not, conjunction, facts
from winoglot.logic.interpretation import DEFAULT, Interpretation, interpreted, presupposed
from winoglot.logic.pair import Label
from winoglot.logic.walking import mentions

if TYPE_CHECKING:
    import z3

    from winoglot.logic._ground import Ground
    from winoglot.logic._quantified import Quantified
    from winoglot.logic.formulas import Sort

_SHAPES = 100_000  # cached: more than a data set with 11,000 pairs per task has
_MILLISECONDS = 20_000  # for one general refutation; those of the tasks take a few


class InconsistentPremise(ValueError):  # noqa: N818
    """The premise cannot be true, so nothing can be asked about it."""


@dataclass(frozen=True)
class Proof:
    """The relation, and the facts of the premise (numbered from 0) that the proof used; none if neutral."""

    relation: Label
    uses: tuple[int, ...] = ()

    def __str__(self) -> str:
        """As stored with a pair: `contradiction from 2, 5`."""
        return f"{self.relation} from {', '.join(map(str, self.uses))}" if self.uses else self.relation


def relation(premise: Formula, hypothesis: Formula, reading: Interpretation = DEFAULT) -> Label:
    """Contradiction, entailment or neutral, proved.

    >>> from winoglot.logic.formulas import parse
    >>> relation(parse("∀x V(x,c0)"), parse("¬V(p0,c0)"))
    'contradiction'
    """
    return prove(premise, hypothesis, reading).relation


def prove(premise: Formula, hypothesis: Formula, reading: Interpretation = DEFAULT) -> Proof:
    """The relation and the facts it rests on; pairs of the same shape, in any order of facts, are proved once."""
    given = facts(premise)
    order = sorted(range(len(given)), key=[without_names(fact) for fact in given].__getitem__)
    found = _prove(*shape(conjunction(given[number] for number in order), hypothesis), reading)
    return Proof(found.relation, tuple(sorted(order[number] for number in found.uses)))


@lru_cache(maxsize=_SHAPES)
def _prove(premise: Formula, hypothesis: Formula, reading: Interpretation) -> Proof:
    given = [interpreted(fact, reading) for fact in facts(premise)]
    granted = [*presupposed(premise, reading), *presupposed(hypothesis, reading)]
    asked = interpreted(hypothesis, reading)
    with_it = _refuted(given, [*granted, asked], reading)
    without_it = _refuted(given, [*granted, Not(asked)], reading)
    if with_it is not None and without_it is not None:
        raise InconsistentPremise(f"the premise cannot be true: {premise}")
    if with_it is not None:
        return Proof("contradiction", with_it)
    return Proof("neutral") if without_it is None else Proof("entailment", without_it)


def _refuted(given: list[Formula], besides: list[Formula], reading: Interpretation) -> tuple[int, ...] | None:
    """The given facts that, together with `besides`, have no model; None if there is a model.

    Crowds find models fast when numbers are large; using only the facts that share a name with the hypothesis finds
    refutations fast when there are many facts. If neither settles it, all facts and members are used.
    """
    numbered = list(enumerate(given))
    if any(isinstance(fact, Exactly | AtLeast | AtMost) and fact.n > 1 for fact in (*given, *besides)):
        if _solved(numbered, besides, reading, crowds=True) is None:
            return None
        asked = {name for fact in besides for name in mentions(fact)}
        near = [(number, fact) for number, fact in numbered if not asked.isdisjoint(mentions(fact))]
        used = _solved(near, besides, reading)
        if used is not None:
            return used
    return _solved(numbered, besides, reading)


def _solved(
    given: list[tuple[int, Formula]], besides: list[Formula], reading: Interpretation, *, crowds: bool = False
) -> tuple[int, ...] | None:
    import z3

    from winoglot.logic._ground import Ground
    from winoglot.logic._quantified import Quantified

    distinct = reading.names == "distinct"
    said = [*(fact for _, fact in given), *besides]
    names = tuple(dict.fromkeys(name for fact in said for name in mentions(fact)))
    named: dict[Sort, int] = {"person": 0, "place": 0}
    for name in names:
        named[name.sort] += 1
    needed = size([(fact, True) for fact in said], named, crowds=crowds)
    used = _ask(z3.SimpleSolver(), Ground(names, needed, distinct=distinct, crowds=crowds), given, besides)
    if used is None or needed.complete or crowds:
        return used
    solver = z3.Solver()
    solver.set("timeout", _MILLISECONDS)
    return _ask(solver, Quantified(names, distinct=distinct), given, besides)


def _ask(
    solver: z3.Solver, encoding: Ground | Quantified, given: list[tuple[int, Formula]], besides: list[Formula]
) -> tuple[int, ...] | None:
    import z3

    marks = {f"fact {number}": number for number, _ in given}
    for number, fact in given:
        solver.add(z3.Implies(z3.Bool(f"fact {number}"), encoding.encode(fact, {})))
    solver.add([encoding.encode(fact, {}) for fact in besides])
    solver.add(encoding.axioms)
    solver.add(encoding.coincidence())
    match solver.check([z3.Bool(mark) for mark in marks]):
        case z3.sat:
            return None
        case z3.unsat:
            return tuple(sorted(marks[str(mark)] for mark in solver.unsat_core()))
        case _:
            said = " ; ".join(str(fact) for fact in (*(fact for _, fact in given), *besides))
            raise InputError(
                f"z3 could not decide whether these are consistent: {said}",
                remedy="Use a simpler formula: counts of people that depend on other people may be too hard.",
            )
