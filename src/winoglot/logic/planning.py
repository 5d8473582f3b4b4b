"""From a formula to a sentence plan. Every possible plan means exactly the same as the formula.

Equivalent wordings are chosen at random. None of them removes a negation, so that a task about negation remains one:
*nobody has not visited Rome* never becomes *everyone has*.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.logic.clauses import (
    Clause,
    Condition,
    Deed,
    Denied,
    Described,
    Gap,
    Is,
    Joined,
    Named,
    NumberIs,
    Only,
    Phrase,
    Predicate,
    Quantity,
    Say,
    Several,
    There,
    Verb,
    is_plain,
    one_by_one,
)
from winoglot.logic.formulas import (
    And,
    AtLeast,
    AtLeastAsTall,
    AtMost,
    Before,
    Equal,
    Exactly,
    Exists,
    ForAll,
    Formula,
    Implies,
    Name,
    Not,
    Or,
    Rel,
    Taller,
    Term,
    The,
    Var,
)
from winoglot.logic.listing import Listing, listing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from winoglot.logic.clauses import Amount, Joiner
    from winoglot.logic.formulas import Atom, Quantifier

_COUNTS: dict[type[Formula], Amount] = {Exactly: "exactly", AtLeast: "at-least", AtMost: "at-most"}
_DENIED_COUNTS: dict[type[Formula], Amount] = {AtLeast: "fewer-than", AtMost: "more-than"}
_VERBS: dict[type[Formula], Verb] = {Taller: "taller", AtLeastAsTall: "at-least-as-tall", Before: "before"}


class Unsayable(InputError):  # noqa: N818
    """There is no sentence for this formula."""


class Planner:
    """Plans formulas whose names have slots; `loose` allows the ambiguous wording of the published corpus."""

    def __init__(self, slots: Mapping[tuple[Name, ...], Named], rng: Random, *, loose: bool = False) -> None:
        """Store what every plan needs."""
        self._slots = slots
        self._rng = rng
        self._loose = loose

    def clause(self, formula: Formula) -> Clause:
        """One of the possible plans, at random."""
        match formula:
            case Rel() | Taller() | AtLeastAsTall() | Before() | Equal():
                return self._fact(formula, negated=False)
            case Not():
                return self._denial(formula.body)
            case And() | Or():
                found = listing(formula)
                if found:
                    return self._list(found)
                joiner = "and" if isinstance(formula, And) else "or"
                return Joined(joiner, tuple(self.clause(part) for part in formula.parts))  # type: ignore[arg-type]
            case Implies():
                return Condition(self.clause(formula.a), self.clause(formula.b))
            case _:
                return self._quantified(formula)

    def _draw(self, *options: Clause) -> Clause:
        return self._rng.choice(options)

    def _fact(self, atom: Atom, *, negated: bool) -> Clause:
        if isinstance(atom, Equal):
            return self._identity(atom, negated)
        x, y = self._phrase(atom.x), self._phrase(atom.y)
        match atom:
            case Rel():
                visits = Say(x, Deed("visit", y, negated))
                return self._draw(visits, *self._from_the_other_end(visits))
            case Taller():
                return self._draw(Say(x, Deed("taller", y, negated)), Say(y, Deed("shorter", x, negated)))
            case Before():
                return self._draw(Say(x, Deed("before", y, negated)), Say(y, Deed("after", x, negated)))
            case _:
                pass
        if negated:
            return self._draw(
                Say(x, Deed("shorter", y)), Say(x, Deed("not-as-tall", y)), *[Say(y, Deed("taller", x))] * 2
            )
        if self._loose:
            return Say(x, Deed("as-tall", y))
        return self._draw(
            Say(x, Deed("at-least-as-tall", y)),
            Say(x, Deed("shorter", y, negated=True)),
            *[Say(y, Deed("taller", x, negated=True))] * 2,
        )

    def _identity(self, atom: Equal, negated: bool) -> Clause:
        if isinstance(atom.x, The) and isinstance(atom.y, Name):
            atom = Equal(atom.y, atom.x)
        if not (isinstance(atom.x, Name) and isinstance(atom.y, The)):
            raise Unsayable(f"there is no sentence for {atom}", remedy="Equate a name with a description.")
        name = self._name(atom.x)
        predicate = self._described(atom.y)
        plain, only = (Described(atom.y.sort, predicate, only=one) for one in (False, True))
        if negated:
            return self._draw(Say(name, Is(plain, negated=True)), Denied(Say(name, Is(only))))
        options: list[Clause] = [Say(name, Is(plain)), Say(name, Is(only)), Say(only, Is(name))]
        if not isinstance(predicate, Gap):
            options.append(Say(Only(name), predicate))
            if is_plain(predicate):
                options.append(Say(Only(name, besides=True), predicate))
        return self._draw(*options)

    def _list(self, found: Listing) -> Clause:
        members = self._slots[found.members]
        shared = self._phrase(found.shared)
        verb = _VERBS.get(found.kind, "visit")
        if self._loose and verb == "at-least-as-tall":
            verb = "as-tall"
        if found.joiner == "and" and found.negated:
            none = _joined(members, "nor")
            denied = Say(none, Deed(verb, shared)) if found.members_visit else Say(shared, Deed(verb, none))
            return self._draw(denied, *self._from_the_other_end(denied))
        names = _joined(members, found.joiner)
        subject, thing = (names, shared) if found.members_visit else (shared, names)
        clause = Say(subject, Deed(verb, thing, found.negated))
        options: list[Clause] = [clause]
        if found.joiner == "and":
            options += self._from_the_other_end(clause)
        if found.joiner == "or" and found.members_visit and members.size == 2:
            options.append(
                Joined("or", tuple(Say(one, Deed(verb, shared, found.negated)) for one in one_by_one(members)))
            )
        return self._draw(*options)

    def _from_the_other_end(self, clause: Say) -> tuple[Clause, ...]:
        """The passive version of a visit between names; the published corpus never uses it."""
        match clause:
            case Say(Named() as visitor, Deed("visit", Named() as visited, negated)) if not self._loose:
                return (Say(visited, Deed("visited-by", visitor, negated)),)
            case _:
                return ()

    def _denial(self, body: Formula) -> Clause:
        match body:
            case Rel() | Taller() | AtLeastAsTall() | Before() | Equal():
                return self._fact(body, negated=True)
            case Or() if (found := listing(body)) and not found.negated:
                return self._list(Listing("and", True, found.kind, found.shared, found.members, found.members_visit))
            case And() if (found := listing(body)) and not found.negated and found.kind is Rel:
                return self._not_all_of(found)
            case ForAll() | Exists():
                return self._denied_quantifier(body)
            case AtLeast() | AtMost():
                return self._counted(body, _DENIED_COUNTS[type(body)])
            case Exactly():
                return self._draw(Denied(self._quantified(body)), *self._number(body, negated=True))
            case And():
                return self.clause(Or(tuple(Not(part) for part in body.parts)))
            case Or():
                return self.clause(And(tuple(Not(part) for part in body.parts)))
            case Implies():
                return self.clause(And((body.a, Not(body.b))))
            case Not():
                return Denied(self.clause(body))

    def _not_all_of(self, found: Listing) -> Clause:
        members = self._slots[found.members]
        if found.members_visit:
            return Denied(self._list(found))
        who, whole = self._phrase(found.shared), replace(members, whole=True)
        return self._draw(
            Denied(Say(who, Deed("visit", whole))), Say(who, Deed("visit", replace(whole, joiner="not-all"), True))
        )

    def _quantified(self, formula: Quantifier) -> Clause:
        sort = formula.var.sort
        if not isinstance(formula, ForAll | Exists):
            amount = _COUNTS[type(formula)]
            if self._loose and amount == "exactly":
                return self._counted(formula, "only")
            return self._draw(self._counted(formula, amount), *self._number(formula))
        visit = _visit_of(formula.var, formula.body)
        if visit:
            return self._visited(formula, *visit)
        predicate = self._predicate(formula.body, formula.var)
        opposite = _opposite(formula.body)
        if isinstance(formula, ForAll):
            if opposite is None:
                return Say(Quantity("all", sort), predicate)
            return self._nobody(formula.var, opposite)
        options: list[Clause] = [There(Quantity("some", sort), predicate)]
        if not _has_universal(predicate):  # "someone has visited every city": a different one per city?
            options.append(Say(Quantity("some", sort), predicate))
        if opposite is not None and not isinstance(opposite, Exists):  # unclear: not everyone has at least one
            options.append(Say(Quantity("not-all", sort), self._predicate(opposite, formula.var)))
        return self._draw(*options)

    def _nobody(self, var: Var, body: Formula) -> Clause:
        predicate = self._predicate(body, var)
        none = Quantity("none", var.sort)
        return self._draw(Say(none, predicate), There(none, predicate))

    def _visited(self, formula: ForAll | Exists, subject: Term, negated: bool) -> Clause:
        who, sort = self._phrase(subject), formula.var.sort
        if isinstance(formula, ForAll) and not negated:
            return Say(who, Deed("visit", Quantity("all", sort)))
        if isinstance(formula, ForAll):
            return self._draw(Say(who, Deed("visit", Quantity("none", sort))), There(Quantity("none", sort), Gap(who)))
        amount: Amount = "not-all" if negated else "some"
        return self._draw(
            Say(who, Deed("visit", Quantity(amount, sort))), There(Quantity("some", sort), Gap(who, negated))
        )

    def _denied_quantifier(self, body: ForAll | Exists) -> Clause:
        sort = body.var.sort
        visit = _visit_of(body.var, body.body)
        if visit:
            return self._denied_visited(body, *visit)
        predicate = self._predicate(body.body, body.var)
        opposite = _opposite(body.body)
        if isinstance(body, ForAll):
            denied = Denied(self.clause(body))
            return denied if opposite is not None else self._draw(denied, Say(Quantity("not-all", sort), predicate))
        there = There(Quantity("none", sort), predicate)
        if opposite is not None:
            return self._draw(there, Denied(There(Quantity("some", sort), predicate)))
        return self._draw(there, Say(Quantity("none", sort), predicate), Denied(self.clause(body)))

    def _denied_visited(self, body: ForAll | Exists, subject: Term, negated: bool) -> Clause:
        who, sort = self._phrase(subject), body.var.sort
        if isinstance(body, ForAll):
            denied = Denied(self.clause(body))
            return denied if negated else self._draw(denied, Say(who, Deed("visit", Quantity("not-all", sort))))
        there = There(Quantity("none", sort), Gap(who, negated))
        if negated:
            return self._draw(there, Denied(There(Quantity("some", sort), Gap(who, negated))))
        return self._draw(
            there,
            Say(who, Deed("visit", Quantity("none", sort))),
            Denied(Say(who, Deed("visit", Quantity("some", sort)))),
        )

    def _counted(self, formula: Exactly | AtLeast | AtMost, amount: Amount) -> Clause:
        quantity = Quantity(amount, formula.var.sort, formula.n)
        visit = _visit_of(formula.var, formula.body)
        if visit is None:
            return Say(quantity, self._predicate(formula.body, formula.var))
        subject, negated = visit
        who = self._phrase(subject)
        return There(quantity, Gap(who, negated)) if negated else Say(who, Deed("visit", quantity))

    def _number(self, formula: Quantifier, *, negated: bool = False) -> tuple[Clause, ...]:
        visit = _visit_of(formula.var, formula.body)
        if not isinstance(formula, Exactly) or visit is None or visit[1]:
            return ()
        return (NumberIs(formula.n, formula.var.sort, Gap(self._phrase(visit[0])), negated),)

    def _predicate(self, body: Formula, var: Var, *, whole: bool = False) -> Predicate:
        """The body as a predicate of the variable."""
        atom, negated = (body.body, True) if isinstance(body, Not) else (body, False)
        if isinstance(atom, Rel | Taller | AtLeastAsTall | Before) and atom.x == var and isinstance(atom.y, Name | The):
            return self._deed(atom, negated)
        if isinstance(body, Not) and isinstance(atom, ForAll | Exists):
            return self._predicate(_pushed(atom), var)
        if isinstance(body, And | Or):
            return self._several(body, var, whole=whole)
        if isinstance(body, ForAll | Exists | Exactly | AtLeast | AtMost):
            visit = _visit_of(body.var, body.body)
            if visit and visit[0] == var:
                return self._quantity(body, visit[1])
        raise Unsayable(
            f"there is no sentence for {body} with the subject {var}", remedy="Use the formulas of the logic tasks."
        )

    def _deed(self, atom: Rel | Taller | AtLeastAsTall | Before, negated: bool) -> Deed:
        thing = self._phrase(atom.y)
        if isinstance(atom, AtLeastAsTall) and negated:
            return Deed("shorter", thing)
        return Deed(_VERBS.get(type(atom), "visit"), thing, negated)

    def _quantity(self, body: Quantifier, negated: bool) -> Deed:
        sort = body.var.sort
        match body:
            case ForAll():
                return Deed("visit", Quantity("none" if negated else "all", sort))
            case Exists():
                return Deed("visit", Quantity("not-all" if negated else "some", sort))
            case _ if not negated:
                amount = _COUNTS[type(body)]
                return Deed("visit", Quantity("only" if self._loose and amount == "exactly" else amount, sort, body.n))
            case _:
                raise Unsayable(
                    f"there is no sentence for {body}", remedy="Count those who have, not those who have not."
                )

    def _several(self, body: And | Or, var: Var, *, whole: bool) -> Predicate:
        found = listing(body)
        if found and found.shared == var and not found.members_visit:
            members = self._slots[found.members]
            if found.joiner == "and" and found.negated:
                return Deed("visit", _joined(members, "nor"))
            names = replace(members, joiner=found.joiner, whole=whole)
            return Deed(_VERBS.get(found.kind, "visit"), names, found.negated)
        parts = tuple(self._predicate(part, var) for part in body.parts)
        return Several("and" if isinstance(body, And) else "or", parts)

    def _phrase(self, term: Term) -> Phrase:
        match term:
            case Name():
                return self._name(term)
            case The():
                return Described(term.sort, self._described(term), only=self._rng.random() < 0.5)
            case _:
                raise Unsayable(
                    f"the variable {term} cannot be worded here", remedy="Use the formulas of the logic tasks."
                )

    def _described(self, term: The) -> Predicate:
        visit = _visit_of(term.var, term.body)
        return Gap(self._phrase(visit[0]), visit[1]) if visit else self._predicate(term.body, term.var, whole=True)

    def _name(self, name: Name) -> Named:
        return self._slots[(name,)]


def _joined(names: Named, joiner: Joiner) -> Named:
    return replace(names, joiner=joiner)


def _visit_of(var: Var, body: Formula) -> tuple[Term, bool] | None:
    """The visitor of the variable and whether the visit is negated, if the body is a visit."""
    atom, negated = (body.body, True) if isinstance(body, Not) else (body, False)
    return (atom.x, negated) if isinstance(atom, Rel) and atom.y == var and atom.x != var else None


def _opposite(body: Formula) -> Formula | None:
    """What a negative body negates: "not so for everyone" means "so for nobody"."""
    match body:
        case Not():
            return body.body
        case ForAll() if isinstance(body.body, Not):
            return Exists(body.var, body.body.body)
        case Exists() if isinstance(body.body, Not):
            return ForAll(body.var, body.body.body)
        case _:
            return None


def _pushed(body: ForAll | Exists) -> Formula:
    """The negation of a quantified formula, pushed inside."""
    inner = body.body.body if isinstance(body.body, Not) else Not(body.body)
    return (Exists if isinstance(body, ForAll) else ForAll)(body.var, inner)


def _has_universal(predicate: Predicate) -> bool:
    match predicate:
        case Deed(object=Quantity(amount="all")):
            return True
        case Several():
            return any(_has_universal(part) for part in predicate.parts)
        case _:
            return False
