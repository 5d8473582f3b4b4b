"""Formulas over finitely many people and places, as propositional logic with counts and numbers for z3."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import z3

from winoglot.errors import InputError
from winoglot.logic.formulas import (
    RELATIONS,
    Among,
    And,
    AtLeast,
    AtMost,
    Equal,
    Event,
    Exactly,
    Exists,
    Few,
    ForAll,
    Half,
    Iff,
    Implies,
    Most,
    Name,
    Not,
    Or,
    Rel,
    The,
    Var,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from winoglot.logic.formulas import Formula, Sort, Term
    from winoglot.logic.size import Size

_YES, _NO = z3.BoolVal(True), z3.BoolVal(False)


def _not(value: z3.BoolRef) -> z3.BoolRef:
    return _NO if value is _YES else _YES if value is _NO else z3.Not(value)


def _and(values: list[z3.BoolRef]) -> z3.BoolRef:
    """Join the parts by *and*, without those known to hold: most statements about people are about a few of them."""
    open_values = [value for value in values if value is not _YES]
    if any(value is _NO for value in open_values):
        return _NO
    return z3.And(open_values) if len(open_values) > 1 else open_values[0] if open_values else _YES


def _or(values: list[z3.BoolRef]) -> z3.BoolRef:
    open_values = [value for value in values if value is not _NO]
    if any(value is _YES for value in open_values):
        return _YES
    return z3.Or(open_values) if len(open_values) > 1 else open_values[0] if open_values else _NO


def _equivalent(a: z3.BoolRef, b: z3.BoolRef) -> z3.BoolRef:
    for constant, other in ((a, b), (b, a)):
        if constant is _YES:
            return other
        if constant is _NO:
            return _not(other)
    return a == b


class Ground:
    """A finite domain: named members, and nameless ones that may or may not exist; `axioms` always hold.

    A member is identified by its symbol; nameless ones are `person 0`, `place 0` …
    """

    def __init__(self, names: Iterable[Name], size: Size, *, distinct: bool, crowds: bool = False) -> None:
        """Set up the domain; with `distinct`, different names are different members.

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

    def encode(self, formula: Formula, env: Mapping[Var, str]) -> z3.BoolRef:  # noqa: PLR0912 - one case per form
        """Encode the formula; `env` says which member each free variable stands for."""
        match formula:
            case Rel():
                return self._relation(formula, env)
            case Equal():
                return self._same_member(formula.x, formula.y, env)
            case Among():
                return _or([self._same_member(formula.x, name, env) for name in formula.names])
            case Not():
                return _not(self.encode(formula.body, env))
            case And():
                return _and([self.encode(part, env) for part in formula.parts])
            case Or():
                return _or([self.encode(part, env) for part in formula.parts])
            case Implies():
                return _or([_not(self.encode(formula.a, env)), self.encode(formula.b, env)])
            case Iff():
                return _equivalent(self.encode(formula.a, env), self.encode(formula.b, env))
            case Most() | Half() | Few():
                return self._compare_shares(formula, env)
            case ForAll():
                return _and([_or([_not(exists), holds]) for exists, holds in self._instances(formula, env)])
            case Exists():
                return _or([_and([exists, holds]) for exists, holds in self._instances(formula, env)])
            case Exactly() | AtLeast() | AtMost():
                return self._count(formula, env)
            case _:
                raise TypeError(f"call interpreted() on the formula first: {formula}")

    def coincidence(self) -> list[z3.BoolRef]:
        """Axioms: two names of the same member behave alike in everything encoded so far."""
        axioms = []
        for (sign, value), (other, other_value) in combinations(self._known.items() if self._same else (), 2):
            (kind, *members), (other_kind, *others) = sign.split("\t"), other.split("\t")
            if kind == other_kind and len(members) == len(others):
                equalities = [self._equal(a, b) for a, b in zip(members, others, strict=True)]
                if not any(z3.is_false(equal) for equal in equalities):
                    axioms.append(z3.Implies(z3.And(equalities), value == other_value))
        return axioms

    def _add_nameless(self, sort: Sort, number: int, crowds: bool) -> None:
        if crowds:
            for index in range(number):
                crowd_size = self._crowds[f"{sort} {index}"] = z3.Int(f"many {sort} {index}")
                self.axioms.append(crowd_size >= 0)
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
            ab, bc, ac = (self._equal(*pair) for pair in ((a, b), (b, c), (a, c)))
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
        terms = []
        for member in self._members[formula.var.sort]:
            conditions = [self.encode(formula.body, {**env, formula.var: member})]
            if member in self._exists:
                conditions.append(self._exists[member])
            if member in self._again:
                conditions.append(z3.Not(self._again[member]))
            condition = _and(conditions)
            if condition is not _NO:
                terms.append(z3.If(condition, self._crowds.get(member, 1), 0))
        key = tuple(term.get_id() for term in terms)
        if key not in self._totals:
            total = z3.Int(f"total {len(self._totals)}")
            self.axioms.append(total == (z3.Sum(terms) if terms else 0))
            self._totals[key] = (total, terms)
        return self._totals[key][0]

    def _compare_shares(self, formula: Most | Half | Few, env: Mapping[Var, str]) -> z3.BoolRef:
        with_body = self._total(Exactly(0, formula.var, And((formula.among, formula.body))), env)
        without_body = self._total(Exactly(0, formula.var, And((formula.among, Not(formula.body)))), env)
        if isinstance(formula, Half):
            return with_body == without_body
        return with_body > without_body if isinstance(formula, Most) else with_body < without_body

    def _relation(self, atom: Rel, env: Mapping[Var, str]) -> z3.BoolRef:
        """The atom, encoded so that the logic of its relation holds by itself as far as possible."""
        for number, term in enumerate(atom.args):
            if isinstance(term, The):
                return self._about_role(atom, number, term, env)
        logic = RELATIONS[atom.name].logic
        terms = [self._term(term, env) for term in atom.args]
        match logic:
            case "total":
                x, y = (self._constant(f"{atom.name}\t{term}", z3.Real) for term in terms)
                return x < y if atom.name == "before" else x > y
            case "two-sided":
                x, y = (self._constant(f"{atom.name}\t{term}", z3.Bool) for term in terms)
                return x == y
            case "symmetric":
                return self._bool("\t".join((atom.name, *sorted(terms))))
            case "one":
                self._needs_distinct(atom)
                place = self._members["place"].index(terms[1])
                return self._constant(f"{atom.name}\t{terms[0]}", z3.Int) == place
            case "unique":
                return self._holder(atom.name, terms[1], atom) == self._members["person"].index(terms[0])
            case "partial":
                return self._order_statement(atom.name, *terms)
            case _:
                return self._bool("\t".join((atom.name, *terms)))

    def _order_statement(self, relation: str, x: str, y: str) -> z3.BoolRef:
        """A strict order: whenever another pair is compared, what follows from both is added."""
        sign = f"{relation}\t{x}\t{y}"
        if sign not in self._known:
            holds = self._bool(sign)
            heights = [self._constant(f"rank {relation}\t{member}", z3.Real) for member in (x, y)]
            self.axioms.append(z3.Implies(holds, heights[0] > heights[1]))
            for other in [
                other_sign.split("\t") for other_sign in list(self._known) if other_sign.startswith(f"{relation}\t")
            ]:
                for first, second in (((x, y), (other[1], other[2])), ((other[1], other[2]), (x, y))):
                    if first[1] == second[0] and first[0] != second[1]:
                        premises = [self._order_statement(relation, *first), self._order_statement(relation, *second)]
                        self.axioms.append(
                            z3.Implies(z3.And(premises), self._order_statement(relation, first[0], second[1]))
                        )
        return self._known[sign]

    def _holder(self, relation: str, place: str, atom: Rel) -> z3.ArithRef:
        """The number of the one person who has a role in a place."""
        self._needs_distinct(atom)
        sign = f"{relation}\t{place}"
        if sign not in self._known:
            holder = self._constant(sign, z3.Int)
            people = self._members["person"]
            self.axioms += [holder >= 0, holder < len(people)]
            for number, member in enumerate(people):
                if member in self._exists:
                    self.axioms.append(z3.Implies(holder == number, self._exists[member]))
        return self._known[sign]

    def _about_role(self, atom: Rel, number: int, description: The, env: Mapping[Var, str]) -> z3.BoolRef:
        """Encode that the atom holds of the person who has the role."""
        role = description.body
        assert isinstance(role, Rel)
        holder = self._holder(role.name, self._term(role.args[1], env), role)
        variable = Var("x0")
        statement = Rel(atom.name, (*atom.args[:number], variable, *atom.args[number + 1 :]))
        return z3.Or(
            [
                z3.And(holder == index, self._relation(statement, {**env, variable: member}))
                for index, member in enumerate(self._members["person"])
            ]
        )

    def _same_member(self, x: Term, y: Term, env: Mapping[Var, str]) -> z3.BoolRef:
        if isinstance(x, The) or isinstance(y, The):
            numbers = []
            for term in (x, y):
                if isinstance(term, The):
                    role = term.body
                    assert isinstance(role, Rel)
                    numbers.append(self._holder(role.name, self._term(role.args[1], env), role))
                else:
                    numbers.append(self._members["person"].index(self._term(term, env)))
            return numbers[0] == numbers[1]
        return self._equal(self._term(x, env), self._term(y, env))

    def _needs_distinct(self, atom: Rel) -> None:
        if self._same:
            message = f"{atom.name} cannot be proved under the reading names=free"
            raise InputError(message, remedy="Choose other readings.")

    def _term(self, term: Term, env: Mapping[Var, str]) -> str:
        if isinstance(term, Event):
            return self._time(term, env)
        if isinstance(term, The):
            raise TypeError(f"call interpreted() on the formula first: {term}")
        return env[term] if isinstance(term, Var) else term.text

    def _time(self, event: Event, env: Mapping[Var, str]) -> str:
        """The time of an event; anyone who leaves has come before."""
        person = self._term(event.of, env)
        if f"before\tarrival {person}" not in self._known:
            arrival, departure = (
                self._constant(f"before\t{kind} {person}", z3.Real) for kind in ("arrival", "departure")
            )
            self.axioms.append(arrival < departure)
        return f"{event.kind} {person}"

    def _bool(self, sign: str) -> z3.BoolRef:
        return self._constant(sign, z3.Bool)

    def _constant(self, sign: str, make: Callable[[str], z3.ExprRef]) -> z3.ExprRef:
        if sign not in self._known:
            self._known[sign] = make(sign)
        return self._known[sign]
