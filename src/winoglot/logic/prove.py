"""Decide with z3 whether a premise contradicts, entails or leaves open a hypothesis, and from which facts.

The search for a model covers the named members and as many nameless people and places as the formulas may need (see
`size`). If no such number is known, finding no model proves nothing, and z3 must refute the formulas in general.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.logic.formulas import (
    AtLeast,
    AtMost,
    Exactly,
    Formula,
    Not,
    conjunction,
    facts,
    person,
    place,
    substituted,
    symbols,
    walk,
)
from winoglot.logic.interpretation import DEFAULT, Interpretation, interpreted, presupposed
from winoglot.logic.pair import Relation
from winoglot.logic.size import Size, size

if TYPE_CHECKING:
    from winoglot.logic.formulas import Name

_SHAPES = 100_000  # cached: more than a data set with 11,000 pairs per task has
_MILLISECONDS = 20_000  # for one general refutation; those of the tasks take a few
_FEW = 3  # nameless members with which a model is sought first: most have one
_LARGE = 6  # counts above it are decided by crowds
_NAME = re.compile(r"[pc]\d+")


class InconsistentPremise(ValueError):  # noqa: N818
    """The premise cannot be true, so nothing can be asked about it."""


@dataclass(frozen=True)
class Proof:
    """The relation, and a smallest set of facts of the premise (numbered from 0) that decides it; none if neutral."""

    relation: Relation
    uses: tuple[int, ...] = ()

    def __str__(self) -> str:
        """As stored with a pair: `contradiction from 2, 5`."""
        return f"{self.relation} from {', '.join(map(str, self.uses))}" if self.uses else self.relation


def relation(premise: Formula, hypothesis: Formula, reading: Interpretation = DEFAULT) -> Relation:
    """Contradiction, entailment or neutral, proved.

    >>> from winoglot.logic.formulas import parse
    >>> relation(parse("∀x visited(x,c0)"), parse("¬visited(p0,c0)"))
    'contradiction'
    """
    return prove(premise, hypothesis, reading).relation


def prove(premise: Formula, hypothesis: Formula, reading: Interpretation = DEFAULT) -> Proof:
    """The relation and the facts it rests on; pairs of the same shape, in any order of facts, are proved once.

    >>> from winoglot.logic.formulas import parse
    >>> print(prove(parse("(taller(p0,p1) ∧ doctor(p0) ∧ ¬taller(p2,p1))"), parse("taller(p2,p0)")))
    contradiction from 0, 2
    """
    given = facts(premise)
    order = sorted(range(len(given)), key=[_NAME.sub("", str(fact)) for fact in given].__getitem__)
    sorted_facts = [given[number] for number in order]
    numbered = _numbered(symbols(hypothesis, *sorted_facts))
    renamed = tuple(substituted(fact, numbered) for fact in sorted_facts)  # type: ignore[arg-type]
    found = _prove(renamed, substituted(hypothesis, numbered), reading)  # type: ignore[arg-type]
    return Proof(found.relation, tuple(sorted(order[number] for number in found.uses)))


def _numbered(names: Sequence[Name]) -> dict[Name, Name]:
    people = [name for name in names if name.sort == "person"]
    places = [name for name in names if name.sort == "place"]
    return {name: person(number) for number, name in enumerate(people)} | {
        name: place(number) for number, name in enumerate(places)
    }


@lru_cache(maxsize=_SHAPES)
def _prove(premise: tuple[Formula, ...], hypothesis: Formula, reading: Interpretation) -> Proof:
    given = [interpreted(fact, reading) for fact in premise]
    granted = [one for said in (*premise, hypothesis) for one in presupposed(said, reading)]
    asked = interpreted(hypothesis, reading)
    with_it = _refuted(given, [*granted, asked], reading)
    without_it = _refuted(given, [*granted, Not(asked)], reading)
    if with_it is not None and without_it is not None:
        raise InconsistentPremise(f"the premise cannot be true: {conjunction(premise)}")
    if with_it is not None:
        return Proof("contradiction", with_it)
    return Proof("neutral") if without_it is None else Proof("entailment", without_it)


def _refuted(given: list[Formula], besides: list[Formula], reading: Interpretation) -> tuple[int, ...] | None:
    """A smallest set of given facts that, together with `besides`, has no model; None if all of them have one."""
    numbered = dict(enumerate(given))
    if any(_is_large(fact) for fact in (*given, *besides)):
        return _refuted_by_crowds(numbered, besides, reading)
    first = True
    while True:
        search = _Search(numbered, besides, reading, few=first)
        found = search.smallest()
        if found is None or not search.limited:
            return found
        chosen = _Search({number: given[number] for number in found}, besides, reading)
        if chosen.core() is not None:
            return found
        first = False  # with more nameless members there is a model: search among all of them


def _refuted_by_crowds(
    numbered: dict[int, Formula], besides: list[Formula], reading: Interpretation
) -> tuple[int, ...] | None:
    """Facts without a model, not always the fewest.

    Crowds find models fast when numbers are large; using only the facts that share a name with the hypothesis finds
    refutations fast when there are many facts. If neither settles it, all facts and members are used.
    """
    if _Search(numbered, besides, reading, crowds=True).core() is None:
        return None
    asked = set(symbols(*besides))
    near = {number: fact for number, fact in numbered.items() if not asked.isdisjoint(symbols(fact))}
    used = _Search(near, besides, reading).core()
    return used if used is not None else _Search(numbered, besides, reading).core()


def _is_large(fact: Formula) -> bool:
    return any(isinstance(node, Exactly | AtLeast | AtMost) and node.n > _LARGE for node in walk(fact))


class _Search:
    """A solver that knows the facts, each behind a switch."""

    def __init__(
        self,
        given: dict[int, Formula],
        besides: list[Formula],
        reading: Interpretation,
        *,
        few: bool = False,
        crowds: bool = False,
    ) -> None:
        import z3

        from winoglot.logic.ground import Ground

        self._given, self._besides = given, besides
        self._distinct = reading.names == "distinct"
        self._names = symbols(*given.values(), *besides)
        needed = size([*given.values(), *besides], self._names, crowds=crowds)
        used = Size(min(needed.person, _FEW), min(needed.place, _FEW), needed.complete) if few else needed
        self.limited = used != needed
        self._settled = needed.complete or crowds or few
        self._encoding = Ground(self._names, used, distinct=self._distinct, crowds=crowds)
        self._solver = z3.SimpleSolver()
        self._load(self._encoding)

    def _load(self, encoding: Any) -> None:
        import z3

        self._switches = {number: z3.Bool(f"fact {number}") for number in self._given}
        self._encoded = {number: encoding.encode(fact, {}) for number, fact in self._given.items()}
        for number, fact in self._encoded.items():
            self._solver.add(z3.Implies(self._switches[number], fact))
        self._solver.add([encoding.encode(fact, {}) for fact in self._besides])
        self._solver.add(encoding.axioms)
        self._solver.add(encoding.coincidence())

    def core(self) -> tuple[int, ...] | None:
        """Facts that have no model together; None if all of them have one."""
        if not self._check(self._given):
            return None
        if not self._settled:  # no model of this size: is there none at all?
            import z3

            from winoglot.logic.quantified import Quantified

            self._solver = z3.Solver()
            self._solver.set("timeout", _MILLISECONDS)
            self._load(Quantified(self._names, distinct=self._distinct))
            if not self._check(self._given):
                return None
        marks = {str(switch): number for number, switch in self._switches.items()}
        return tuple(sorted(marks[str(mark)] for mark in self._solver.unsat_core()))

    def smallest(self) -> tuple[int, ...] | None:
        """A smallest set of facts without a model: it meets every set of facts that some model leaves out."""
        core = self.core()
        if core is None or not self._settled or len(core) < 2:
            return core
        left_out: list[frozenset[int]] = []
        while True:
            chosen = _smallest_meeting(left_out, len(core))
            if len(chosen) == len(core):
                return core
            if self._check(chosen):
                return tuple(sorted(chosen))
            left_out.append(self._left_out(set(chosen)))

    def _left_out(self, chosen: set[int]) -> frozenset[int]:
        """The facts outside a largest set that has a model and contains the chosen ones."""
        grown = self._satisfied() | chosen
        for number in self._given:
            if number not in grown and not self._check(grown | {number}):
                grown = self._satisfied() | grown | {number}
        return frozenset(self._given) - grown

    def _satisfied(self) -> set[int]:
        import z3

        model = self._solver.model()
        return {number for number, fact in self._encoded.items() if z3.is_true(model.eval(fact, model_completion=True))}

    def _check(self, chosen: Any) -> bool:
        """Whether the chosen facts have no model."""
        import z3

        match self._solver.check([self._switches[number] for number in chosen]):
            case z3.sat:
                return False
            case z3.unsat:
                return True
            case _:
                said = " ; ".join(str(fact) for fact in (*self._given.values(), *self._besides))
                raise InputError(
                    f"z3 could not decide whether these are consistent: {said}",
                    remedy="Use a simpler formula: counts of people that depend on other people may be too hard.",
                )


def _smallest_meeting(sets: list[frozenset[int]], most: int) -> tuple[int, ...]:
    """A smallest set of numbers that meets all the sets, of at most `most` numbers."""
    candidates = sorted(set().union(*sets)) if sets else []
    for count in range(most):
        for chosen in combinations(candidates, count):
            if all(not one.isdisjoint(chosen) for one in sets):
                return chosen
    return tuple(range(most))
