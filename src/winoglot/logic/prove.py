"""Decide with z3 whether a premise contradicts, entails or leaves open a hypothesis, and from which facts.

The search for a model covers the named members and as many nameless people and places as the formulas may need (see
`size`). If no such number is known, finding no model proves nothing, and z3 must refute the formulas in general.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.logic.formulas import (
    RELATIONS,
    AtLeast,
    AtMost,
    Exactly,
    Formula,
    Not,
    conjunction,
    facts,
    parse,
    symbols,
    walk,
)
from winoglot.logic.interpretation import DEFAULT, Interpretation, interpreted, presupposed
from winoglot.logic.pair import Relation
from winoglot.logic.size import Size, size

if TYPE_CHECKING:
    from collections.abc import Iterable

_SHAPES = 100_000  # cached: more than a data set with 11,000 pairs per task has
_MILLISECONDS = 20_000  # for one general refutation; those of the tasks take a few
_FEW = 3  # nameless members with which a model is sought first: most have one
_LARGE = 6  # counts above it are decided by crowds
_TOKEN = re.compile(r"[pc]\d+|[a-z][a-z-]*[a-z]")
# relations that have the same logic can stand for each other; those that a reading or an axiom names cannot
_KINDS = {
    name: f"{relation.logic}/{'/'.join(relation.of)}"
    for name, relation in RELATIONS.items()
    if name not in ("before", "taller", "as-tall", "visited")
}
_ALIKE: dict[str, list[str]] = defaultdict(list)
for _name, _kind_of_name in _KINDS.items():
    _ALIKE[_kind_of_name].append(_name)


class InconsistentPremise(ValueError):  # noqa: N818
    """The premise cannot be true, so nothing can be asked about it."""


@dataclass(frozen=True)
class Proof:
    """The relation, and a smallest set of facts of the premise (numbered from 0) that decides it; none if neutral."""

    relation: Relation
    uses: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The text that is stored with a pair: `contradiction from 2, 5`."""
        return f"{self.relation} from {', '.join(map(str, self.uses))}" if self.uses else self.relation


def relation(premise: Formula, hypothesis: Formula, reading: Interpretation = DEFAULT) -> Relation:
    """Prove whether the premise contradicts or entails the hypothesis, or neither.

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
    texts = [str(fact) for fact in facts(premise)]
    asked_of = {str(name) for name in symbols(hypothesis)}  # facts about them come first among those alike

    def kind(match: re.Match[str]) -> str:
        return "!" if match[0] in asked_of else _kind(match)

    order = sorted(range(len(texts)), key=[_TOKEN.sub(kind, text) for text in texts].__getitem__)
    question, *premises = _shape("\n".join([str(hypothesis), *(texts[number] for number in order)])).split("\n")
    proof = _prove(tuple(premises), question, reading)
    return Proof(proof.relation, tuple(sorted(order[number] for number in proof.uses)))


def _kind(match: re.Match[str]) -> str:
    token = match[0]
    return _KINDS[token] if token in _KINDS else token if token[-1].isalpha() else token[0]


def _shape(text: str) -> str:
    """Formulas with names and relations renumbered: two pairs of the same shape differ in nothing that matters."""
    stand_ins: dict[str, str] = {}
    counts: Counter[str] = Counter()

    def stand_in(match: re.Match[str]) -> str:
        token = match[0]
        if token not in stand_ins:
            kind = _kind(match)
            if token in _KINDS:
                stand_ins[token] = _ALIKE[kind][counts[kind]]
            elif kind == token:
                return token
            else:
                stand_ins[token] = f"{kind}{counts[kind]}"
            counts[kind] += 1
        return stand_ins[token]

    return _TOKEN.sub(stand_in, text)


@lru_cache(maxsize=_SHAPES)
def _prove(premise: tuple[str, ...], hypothesis: str, reading: Interpretation) -> Proof:
    facts = [parse(fact) for fact in premise]
    asked_formula = parse(hypothesis)
    presuppositions = [
        presupposition for formula in (*facts, asked_formula) for presupposition in presupposed(formula, reading)
    ]
    question = _Question(
        [interpreted(fact, reading) for fact in facts], presuppositions, interpreted(asked_formula, reading), reading
    )
    contradicting, entailing = question.refuted(True), question.refuted(False)
    if contradicting is not None and entailing is not None:
        raise InconsistentPremise(f"the premise cannot be true: {conjunction(facts)}")
    if contradicting is not None:
        return Proof("contradiction", contradicting)
    return Proof("neutral") if entailing is None else Proof("entailment", entailing)


class _Question:
    """Facts, what they presuppose, and a hypothesis that is assumed to hold or not to hold."""

    def __init__(
        self, premises: list[Formula], presuppositions: list[Formula], hypothesis: Formula, reading: Interpretation
    ) -> None:
        self._facts = dict(enumerate(premises))
        self._presuppositions, self._hypothesis, self._reading = presuppositions, hypothesis, reading
        self._few: _Search | None = None

    def refuted(self, holds: bool) -> tuple[int, ...] | None:
        """A smallest set of facts that excludes that the hypothesis holds or, without `holds`, that it does not."""
        if any(_is_large(fact) for fact in (*self._facts.values(), self._hypothesis)):
            return self._refuted_by_crowds(holds)
        self._few = self._few or self._search(self._facts, few=True)
        core = self._few.smallest(holds)
        if core is None or not self._few.limited:
            return core
        if self._search({number: self._facts[number] for number in core}).core(holds) is not None:
            return core
        return self._search(self._facts).smallest(holds)  # with more nameless members there is a model of these

    def _refuted_by_crowds(self, holds: bool) -> tuple[int, ...] | None:
        """Facts that exclude that the hypothesis holds (or, without `holds`, that it does not); not always the fewest.

        Crowds find models fast when numbers are large; using only the facts that share a name with the hypothesis
        finds refutations fast when there are many facts. If neither settles it, all facts and members are used.
        """
        if self._search(self._facts, crowds=True).core(holds) is None:
            return None
        names = set(symbols(*self._presuppositions, self._hypothesis))
        nearby = {number: fact for number, fact in self._facts.items() if not names.isdisjoint(symbols(fact))}
        deciding = self._search(nearby).core(holds)
        return deciding if deciding is not None else self._search(self._facts).core(holds)

    def _search(self, premises: dict[int, Formula], **options: bool) -> _Search:
        return _Search(premises, self._presuppositions, self._hypothesis, self._reading, **options)


def _is_large(fact: Formula) -> bool:
    return any(isinstance(node, Exactly | AtLeast | AtMost) and node.n > _LARGE for node in walk(fact))


class _Search:
    """A solver that knows the facts, each behind a switch, and what is asked behind another."""

    def __init__(
        self,
        premises: dict[int, Formula],
        presuppositions: list[Formula],
        hypothesis: Formula,
        reading: Interpretation,
        *,
        few: bool = False,
        crowds: bool = False,
    ) -> None:
        import z3

        from winoglot.logic.ground import Ground

        self._facts, self._presuppositions, self._hypothesis = premises, presuppositions, hypothesis
        self._distinct = reading.names == "distinct"
        formulas = [*premises.values(), *presuppositions, hypothesis]
        self._names = symbols(*formulas)
        needed_size = size([*formulas, Not(hypothesis)], self._names, crowds=crowds)
        search_size = (
            Size(min(needed_size.person, _FEW), min(needed_size.place, _FEW), needed_size.complete)
            if few
            else needed_size
        )
        self.limited = search_size != needed_size
        self._settled = needed_size.complete or crowds or few
        self._solver = z3.SimpleSolver()
        self._load(Ground(self._names, search_size, distinct=self._distinct, crowds=crowds))

    def _load(self, encoding: Any) -> None:
        import z3

        self._switches = {number: z3.Bool(f"fact {number}") for number in self._facts}
        self._holds = z3.Bool("asked")
        self._encoded = {number: encoding.encode(fact, {}) for number, fact in self._facts.items()}
        for number, fact in self._encoded.items():
            self._solver.add(z3.Implies(self._switches[number], fact))
        self._solver.add([encoding.encode(fact, {}) for fact in self._presuppositions])
        self._solver.add(self._holds == encoding.encode(self._hypothesis, {}))
        self._solver.add(encoding.axioms)
        self._solver.add(encoding.coincidence())

    def core(self, holds: bool) -> tuple[int, ...] | None:
        """Facts that have no model together with what is asked; None if all of them have one."""
        if not self._check(self._facts, holds):
            return None
        if not self._settled:  # no model of this size: is there none at all?
            import z3

            from winoglot.logic.quantified import Quantified

            self._solver = z3.Solver()
            self._solver.set("timeout", _MILLISECONDS)
            self._load(Quantified(self._names, distinct=self._distinct))
            self._settled = True
            if not self._check(self._facts, holds):
                return None
        marks = {str(switch): number for number, switch in self._switches.items()}
        core_marks = [str(mark) for mark in self._solver.unsat_core()]
        return tuple(sorted(marks[mark] for mark in core_marks if mark in marks))

    def smallest(self, holds: bool) -> tuple[int, ...] | None:
        """A smallest set of facts without a model: it meets every set of facts that some model leaves out."""
        general = not self._settled
        core = self.core(holds)
        if core is None or general or len(core) < 2:
            return core
        left_out: list[frozenset[int]] = []
        while True:
            subset = _smallest_meeting(left_out, len(core))
            if len(subset) == len(core):
                return core
            if self._check(subset, holds):
                return tuple(sorted(subset))
            left_out.append(self._facts_left_out(set(subset), holds))

    def _facts_left_out(self, chosen: set[int], holds: bool) -> frozenset[int]:
        """The facts outside a largest set that has a model and contains the chosen ones."""
        grown = self._satisfied_facts() | chosen
        for number in self._facts:
            if number not in grown and not self._check(grown | {number}, holds):
                grown = self._satisfied_facts() | grown | {number}
        return frozenset(self._facts) - grown

    def _satisfied_facts(self) -> set[int]:
        import z3

        model = self._solver.model()
        return {number for number, fact in self._encoded.items() if z3.is_true(model.eval(fact, model_completion=True))}

    def _check(self, chosen: Iterable[int], holds: bool) -> bool:
        """Whether the chosen facts have no model together with what is asked."""
        import z3

        assumption = self._holds if holds else z3.Not(self._holds)
        match self._solver.check([assumption, *(self._switches[number] for number in chosen)]):
            case z3.sat:
                return False
            case z3.unsat:
                return True
            case _:
                formulas = " ; ".join(
                    str(fact) for fact in (*self._facts.values(), *self._presuppositions, self._hypothesis)
                )
                raise InputError(
                    f"z3 could not decide whether these are consistent: {formulas}",
                    remedy="Use a simpler formula: counts of people that depend on other people may be too hard.",
                )


def _smallest_meeting(sets: list[frozenset[int]], most: int) -> tuple[int, ...]:
    """A smallest set of numbers that meets all the sets, of at most `most` numbers."""
    candidates = sorted(set().union(*sets)) if sets else []
    for count in range(most):
        for subset in combinations(candidates, count):
            if all(not numbers.isdisjoint(subset) for numbers in sets):
                return subset
    return tuple(range(most))
