"""Everyone, nobody, someone, only those who: rules about people in general, applied to one person or to a class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import And, Equal, Exists, ForAll, Formula, Iff, Implies, Name, negation, substituted
from winoglot.logic.rules import excluded, network
from winoglot.logic.situation import Cast, Situation, coin, predicates, said_of, signed, variations
from winoglot.logic.wording.forms import X

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

FAMILIES = {"everyone": (1,), "person": (2, 3, 4), "class": (2, 3, 4)}


def draw(rng: Random, family: str, depth: int) -> Situation:
    """Rules about everyone."""
    return _everyone(rng) if family == "everyone" else _rules(rng, depth, of_class=family == "class")


def _everyone(rng: Random) -> Situation:
    """What everyone does or nobody does, except perhaps one person, about somebody.

    Alteration exchanges its predicate with that of a statement about *someone*. A third sentence says the opposite of
    everyone, about something else.
    """
    cast = Cast()
    person, exception, another = cast.people(3)
    kind, loose, distractor = variations(rng, cast, 3)
    holds, is_affirmed = coin(rng), coin(rng)
    has_exception, is_about_exception = coin(rng), coin(rng)

    def everyone(predicate: Sequence[object], exempt: Name, does: bool) -> Formula:
        body = said_of(X, predicate)
        return ForAll(X, Iff(body, signed(Equal(X, exempt), not does)) if has_exception else signed(body, does))

    # if the person asked about is the exception, all others do the opposite
    facts, altered = (
        (
            everyone(
                first, person if is_about_exception else exception, holds != (has_exception and is_about_exception)
            ),
            Exists(X, signed(said_of(X, second), is_affirmed)),
            everyone(distractor, another, holds == (has_exception and is_about_exception)),
        )
        for first, second in ((kind, loose), (loose, kind))
    )
    target = said_of(person, kind)
    return Situation(facts, altered, signed(target, holds), signed(target, not holds))


def _rules(rng: Random, depth: int, *, of_class: bool) -> Situation:
    cast = Cast()
    steps = depth - 1
    someone, other = cast.people(2)
    member_kind, extra, *kinds = predicates(rng, cast, 2 * steps + 7)
    statements = [said_of(X, kind) for kind in kinds]

    def rule(a: Formula, b: Formula) -> Formula:
        if not coin(rng):
            a, b = negation(b), negation(a)
        return ForAll(X, Implies(a, b))

    net = network(rng, statements, steps, rule)
    if not of_class:
        facts = [substituted(statement, {X: someone}) for statement in (net.reached, net.missed, net.unreached)]
        reached, missed, unreached = (excluded(rng, cast, fact) for fact in facts)
        distractor = substituted(signed(rng.choice(statements[5:]), coin(rng)), {X: other})
        chance_facts = substituted(net.chance, {X: someone}), signed(said_of(someone, extra), coin(rng))
        fixed = (*net.rules, *chance_facts, missed, distractor)
        entailed = substituted(net.conclusion, {X: someone})
        return Situation((*fixed, reached), (*fixed, unreached), entailed, negation(entailed))
    # Of one line it is said that somebody of the class is at its beginning, of the other that everybody is: so both
    # "some" and "all" can be entailed or contradicted, whichever line is reached.
    member = said_of(X, member_kind)

    def some(statement: Formula) -> Formula:
        return Exists(X, And((member, statement)))

    def every(statement: Formula) -> Formula:
        return ForAll(X, Implies(member, statement))

    first, second = (some, every) if coin(rng) else (every, some)
    fixed = (*net.rules, second(net.missed), (some if coin(rng) else every)(net.chance))
    reached, unreached = first(net.reached), first(net.unreached)
    return Situation((*fixed, reached), (*fixed, unreached), first(net.conclusion), second(net.opposite))
