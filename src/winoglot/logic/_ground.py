"""Formulas over finitely many people and places, as propositional logic with counts and numbers for z3."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import z3

from winoglot.logic.formulas import (
    And,
    AtLeast,
    AtMost,
    Before,
    Equal,
    Exactly,
    Exists,
    ForAll,
    Implies,
    Name,
    Not,
    Or,
    Rel,
    Taller,
    The,
    Var,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from winoglot.logic._size import Size
    from winoglot.logic.formulas import Formula, Sort, Term

_YES, _NO = z3.BoolVal(True), z3.BoolVal(False)


class Ground:
    """A finite domain: named members, and nameless ones that may or may not exist; `axioms` always hold.

    A member is identified by its symbol; nameless ones are `person 0`, `place 0` …
    """

    def __init__(self, names: Iterable[Name], size: Size, *, distinct: bool, crowds: bool = False) -> None:
        """With `distinct`, different names are different members.

        With `crowds`, each nameless member represents any number of identical members, so a few of them suffice for
        a model with large numbers. A formula without such a model may still have another one.
        """
        self.axioms: list[z3.BoolRef] = []
        self._known: dict[str, z3.ExprRef] = {}
        # keeps counted expressions alive, so that no other expression can get the same id
        self._totals: dict[tuple[int, ...], tuple[z3.ArithRef, list[z3.ArithRef]]] = {}
        self._members: dict[Sort, list[str]] = {"person": [], "place": []}
        self._exists: dict[str, z3.BoolRef] = {}  # members that may be missing
        self._crowds: dict[str, z3.ArithRef] = {}  # the size of each crowd
        self._again: dict[str, z3.BoolRef] = {}  # names that may refer to a member named earlier
        self._same: dict[frozenset[str], z3.BoolRef] = {}
        for name in names:
            self._members[name.sort].append(name.text)
        if not distinct:
            for members in self._members.values():
                self._may_coincide(members)
        self._add_nameless("person", size.person, crowds)
        self._add_nameless("place", size.place, crowds)

    def encode(self, formula: Formula, env: Mapping[Var, str]) -> z3.BoolRef:
        """Encode the formula; `env` says which member each free variable stands for."""
        match formula:
            case Rel():
                return self._bool(f"{formula.name}\t{self._member(formula.x, env)}\t{self._member(formula.y, env)}")
            case Taller():
                return self._number("height", formula.x, env) > self._number("height", formula.y, env)
            case Before():
                return self._number("arrival", formula.x, env) < self._number("arrival", formula.y, env)
            case Equal():
                return self._equal(self._member(formula.x, env), self._member(formula.y, env))
            case Not():
                return z3.Not(self.encode(formula.body, env))
            case And():
                return z3.And([self.encode(part, env) for part in formula.parts])
            case Or():
                return z3.Or([self.encode(part, env) for part in formula.parts])
            case Implies():
                return z3.Implies(self.encode(formula.a, env), self.encode(formula.b, env))
            case ForAll():
                return z3.And([z3.Or(z3.Not(there), holds) for there, holds in self._instances(formula, env)])
            case Exists():
                return z3.Or([z3.And(there, holds) for there, holds in self._instances(formula, env)])
            case Exactly() | AtLeast() | AtMost():
                return self._count(formula, env)
            case _:
                raise TypeError(f"call interpreted() on the formula first: {formula}")

    def coincidence(self) -> list[z3.BoolRef]:
        """Axioms: two names of the same member behave alike in everything encoded so far."""
        axioms = []
        for (sign, value), (other, alike) in combinations(self._known.items() if self._same else (), 2):
            (kind, *members), (other_kind, *others) = sign.split("\t"), other.split("\t")
            if kind == other_kind and len(members) == len(others):
                same = [self._equal(a, b) for a, b in zip(members, others, strict=True)]
                if not any(z3.is_false(one) for one in same):
                    axioms.append(z3.Implies(z3.And(same), value == alike))
        return axioms

    def _add_nameless(self, sort: Sort, number: int, crowds: bool) -> None:
        if crowds:
            for index in range(number):
                many = self._crowds[f"{sort} {index}"] = z3.Int(f"many {sort} {index}")
                self.axioms.append(many >= 0)
            flags = [self._crowds[f"{sort} {index}"] > 0 for index in range(number)]
        else:
            flags = [z3.Bool(f"exists {sort} {index}") for index in range(number)]
            # nameless members are interchangeable: break the symmetry by letting existing ones come first
            self.axioms += [z3.Implies(flags[index + 1], flags[index]) for index in range(number - 1)]
        if flags and not self._members[sort]:
            self.axioms.append(flags[0])
        for index, flag in enumerate(flags):
            member = f"{sort} {index}"
            self._exists[member] = flag
            self._members[sort].append(member)

    def _may_coincide(self, names: list[str]) -> None:
        for a, b in combinations(names, 2):
            self._same[frozenset((a, b))] = z3.Bool(f"same {a} {b}")
        for a, b, c in combinations(names, 3):
            ab, bc, ac = (self._equal(*two) for two in ((a, b), (b, c), (a, c)))
            self.axioms += [z3.Implies(z3.And(ab, bc), ac), z3.Implies(z3.And(ab, ac), bc)]
            self.axioms.append(z3.Implies(z3.And(ac, bc), ab))
        for index, name in enumerate(names[1:], 1):
            self._again[name] = z3.Or([self._equal(earlier, name) for earlier in names[:index]])

    def _equal(self, a: str, b: str) -> z3.BoolRef:
        if a == b and a in self._crowds:
            self.axioms.append(self._crowds[a] <= 1)  # equality is undefined inside a crowd
        return _YES if a == b else self._same.get(frozenset((a, b)), _NO)

    def _instances(self, formula: ForAll | Exists, env: Mapping[Var, str]) -> list[tuple[z3.BoolRef, z3.BoolRef]]:
        return [
            (self._exists.get(member, _YES), self.encode(formula.body, {**env, formula.var: member}))
            for member in self._members[formula.var.sort]
        ]

    def _count(self, formula: Exactly | AtLeast | AtMost, env: Mapping[Var, str]) -> z3.BoolRef:
        total = self._total(formula, env)
        match formula:
            case Exactly():
                return total == formula.n
            case AtLeast():
                return total >= formula.n
            case _:
                return total <= formula.n

    def _total(self, formula: Exactly | AtLeast | AtMost, env: Mapping[Var, str]) -> z3.ArithRef:
        """The number of members that satisfy the body: one sum shared by all statements about it.

        Two bounds on one number clash at once; counting members one by one would be a pigeonhole problem.
        """
        counted = []
        for member in self._members[formula.var.sort]:
            conditions = [self.encode(formula.body, {**env, formula.var: member})]
            if member in self._exists:
                conditions.append(self._exists[member])
            if member in self._again:
                conditions.append(z3.Not(self._again[member]))
            each = self._crowds.get(member, 1)
            counted.append(z3.If(z3.And(conditions) if len(conditions) > 1 else conditions[0], each, 0))
        key = tuple(one.get_id() for one in counted)
        if key not in self._totals:
            total = z3.Int(f"total {len(self._totals)}")
            self.axioms.append(total == z3.Sum(counted))
            self._totals[key] = (total, counted)
        return self._totals[key][0]

    def _member(self, term: Term, env: Mapping[Var, str]) -> str:
        if isinstance(term, The):
            raise TypeError(f"call interpreted() on the formula first: {term}")
        return env[term] if isinstance(term, Var) else term.text

    def _bool(self, sign: str) -> z3.BoolRef:
        if sign not in self._known:
            self._known[sign] = z3.Bool(sign)
        return self._known[sign]

    def _number(self, kind: str, term: Term, env: Mapping[Var, str]) -> z3.ArithRef:
        sign = f"{kind}\t{self._member(term, env)}"
        if sign not in self._known:
            self._known[sign] = z3.Real(sign)
        return self._known[sign]
