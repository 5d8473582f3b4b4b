"""Formulas over any number of people and places, as first-order logic for z3: proves that there is no model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

from winoglot.errors import InputError
from winoglot.logic.formulas import (
    RELATIONS,
    And,
    AtLeast,
    AtMost,
    Equal,
    Exactly,
    Exists,
    ForAll,
    Iff,
    Implies,
    Not,
    Or,
    Rel,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from winoglot.logic.formulas import Formula, Name, Term

Env = dict["Term", z3.ExprRef]


class Quantified:
    """Two sorts of unlimited size; a count of n is written out with n witnesses."""

    def __init__(self, names: Iterable[Name], *, distinct: bool) -> None:
        """Set up the sorts; with `distinct`, different names are different members."""
        self._sorts = {"person": z3.DeclareSort("person"), "place": z3.DeclareSort("place")}
        person, real = self._sorts["person"], z3.RealSort()
        self._height = z3.Function("height", person, real)
        self._fresh = 0
        self._names: Env = {name: z3.Const(name.text, self._sorts[name.sort]) for name in names}
        self.axioms: list[z3.BoolRef] = []
        for sort in self._sorts:
            same_sort = [constant for name, constant in self._names.items() if name.sort == sort]
            if distinct and len(same_sort) > 1:
                self.axioms.append(z3.Distinct(same_sort))

    def encode(self, formula: Formula, env: Mapping[Term, z3.ExprRef]) -> z3.BoolRef:
        """Encode the formula; `env` says what each free variable stands for."""
        match formula:
            case Iff():
                return self.encode(formula.a, env) == self.encode(formula.b, env)
            case Rel() | Equal():
                return self._atom(formula, env)
            case Not():
                return z3.Not(self.encode(formula.body, env))
            case And():
                return z3.And([self.encode(part, env) for part in formula.parts])
            case Or():
                return z3.Or([self.encode(part, env) for part in formula.parts])
            case Implies():
                return z3.Implies(self.encode(formula.a, env), self.encode(formula.b, env))
            case ForAll():
                bound = self._variable(formula)
                return z3.ForAll([bound], self.encode(formula.body, {**env, formula.var: bound}))
            case Exists():
                bound = self._variable(formula)
                return z3.Exists([bound], self.encode(formula.body, {**env, formula.var: bound}))
            case AtLeast():
                return self._at_least(formula.n, formula, env)
            case AtMost():
                return z3.Not(self._at_least(formula.n + 1, formula, env))
            case Exactly():
                more = self._at_least(formula.n + 1, formula, env)
                return z3.And(self._at_least(formula.n, formula, env), z3.Not(more))
            case _:
                raise TypeError(f"call interpreted() on the formula first: {formula}")

    def _atom(self, atom: Rel | Equal, env: Mapping[Term, z3.ExprRef]) -> z3.BoolRef:
        if isinstance(atom, Equal):
            return self._term(atom.x, env) == self._term(atom.y, env)
        terms = [self._term(term, env) for term in atom.args]
        if atom.name == "taller":
            return self._height(terms[0]) > self._height(terms[1])
        if RELATIONS[atom.name].logic:
            message = f"{atom.name} cannot be proved of an unlimited number of people: {atom}"
            raise InputError(message, remedy="Use a formula in which people do not depend on people.")
        sorts = [self._sorts[term.sort] for term in atom.args]
        return z3.Function(f"{atom.name} {atom.args[-1].sort}", *sorts, z3.BoolSort())(*terms)

    def coincidence(self) -> list[z3.BoolRef]:
        """No axioms are needed: equality is built into first-order logic."""
        return []

    def _at_least(self, n: int, formula: Exactly | AtLeast | AtMost, env: Mapping[Term, z3.ExprRef]) -> z3.BoolRef:
        if n == 0:
            return z3.BoolVal(True)
        bound = [self._variable(formula) for _ in range(n)]
        holds = [self.encode(formula.body, {**env, formula.var: variable}) for variable in bound]
        return z3.Exists(bound, z3.And([*holds, *([z3.Distinct(bound)] if n > 1 else [])]))

    def _term(self, term: Term, env: Mapping[Term, z3.ExprRef]) -> z3.ExprRef:
        return env[term] if term in env else self._names[term]

    def _variable(self, formula: ForAll | Exists | Exactly | AtLeast | AtMost) -> z3.ExprRef:
        self._fresh += 1
        return z3.Const(f"{formula.var} {self._fresh}", self._sorts[formula.var.sort])
