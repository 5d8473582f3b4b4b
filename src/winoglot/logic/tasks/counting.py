"""How many of a group whose members are listed: all, none, most, half, exactly, at least, at most n."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import (
    Among,
    And,
    AtLeast,
    AtMost,
    Exactly,
    Few,
    ForAll,
    Formula,
    Half,
    Iff,
    Implies,
    Most,
    Name,
    Not,
    Rel,
)
from winoglot.logic.situation import Cast, Situation, coin, predicates, said_of, signed
from winoglot.logic.wording.forms import X

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

FAMILIES = {"number": (1,), "all-or-none": (2,), "the-rest": (3, 4)}
GROUPS = ("guests", "players", "dancers", "singers", "judges")


def draw(rng: Random, family: str, depth: int) -> Situation:
    """Groups, their members, and how many of them do something."""
    if family == "number":
        return _number_situation(rng)
    return _all_or_none(rng) if family == "all-or-none" else _the_rest(rng, depth)


def _number_situation(rng: Random) -> Situation:
    """At least four are at least three and not at most three; alteration exchanges what two groups do.

    Both things also have the opposite bound, for a third group: lower and upper bounds occur equally often.
    """
    cast = Cast()
    group, second, third = (Rel(name, (X,)) for name in rng.sample(GROUPS, 3))
    body, other = (said_of(X, kind) for kind in predicates(rng, cast, 2))
    number = rng.randint(2, 4)
    bounds: list[tuple[type[AtLeast | AtMost], int]] = [(AtLeast, number + 1), (AtMost, number - 1)]
    rng.shuffle(bounds)
    (bound, near), (opposite, far) = bounds
    distractors: list[Formula] = [opposite(far, X, And((third, statement))) for statement in (body, other)]
    facts, altered = (
        (bound(near, X, And((group, first_body))), bound(near, X, And((second, second_body))), *distractors)
        for first_body, second_body in ((body, other), (other, body))
    )
    target = And((group, body))
    return Situation(facts, altered, bound(number, X, target), opposite(number, X, target))


def _all_or_none(rng: Random) -> Situation:
    """All of one group, none of another and some of the third do it: for a member, the group decides."""
    cast = Cast()
    names = rng.sample(GROUPS, 3)
    body = said_of(X, predicates(rng, cast, 1)[0])
    sizes = [rng.randint(2, 3) for _ in names]
    members = [cast.people(size) for size in sizes]
    groups = [Rel(name, (X,)) for name in names]
    lists = [_list_statement(rng, group, people) for group, people in zip(groups, members, strict=True)]
    holds = coin(rng)
    shares = [_whole(rng, holds, sizes[0]), _whole(rng, not holds, sizes[1]), _part(rng, sizes[2])]
    altered_shares = [_part(rng, sizes[0]), shares[1], _whole(rng, holds, sizes[2])]
    # of two others it is said plainly: nothing is nearer to the hypothesis
    distractors = [
        signed(_applied_to(body, person), sign) for person, sign in zip(cast.people(2), (True, False), strict=True)
    ]
    facts, altered = (
        (
            *lists,
            *distractors,
            *(_share_statement(share, group, body) for share, group in zip(group_shares, groups, strict=True)),
        )
        for group_shares in (shares, altered_shares)
    )
    target = _applied_to(body, rng.choice(members[0]))
    return Situation(facts, altered, signed(target, holds), signed(target, not holds))


Share = tuple[str, int]


def _whole(rng: Random, all_: bool, size: int) -> Share:
    """Draw a share that means all or none, in words or as a number that amounts to it."""
    if coin(rng):
        return ("all" if all_ else "none", 0)
    return ("at least" if coin(rng) else "exactly", size) if all_ else ("deny at least", size)


def _part(rng: Random, size: int) -> Share:
    """Draw a share that means neither all nor none."""
    choices: list[Share] = [("at least", size - 1), ("at most", size - 1), ("exactly", size - 1), ("most", 0)]
    choices += [("half", 0)] if size % 2 == 0 else [("few", 0)]
    share = rng.choice(choices)
    return ("half", 0) if size == 2 and share[0] in ("most", "few") else share


def _share_statement(share: Share, group: Rel, body: Formula) -> Formula:
    kind, number = share
    match kind:
        case "all":
            return ForAll(X, Implies(group, body))
        case "none":
            return ForAll(X, Implies(group, Not(body)))
        case "most":
            return Most(X, group, body)
        case "half":
            return Half(X, group, body)
        case "few":
            return Few(X, group, body)
        case "deny at least":
            return AtLeast(number, X, And((group, Not(body))))
        case "at least":
            return AtLeast(number, X, And((group, body)))
        case "at most":
            return AtMost(number, X, And((group, body)))
        case _:
            return Exactly(number, X, And((group, body)))


def _the_rest(rng: Random, depth: int) -> Situation:
    """Two groups, of which it is known how many do something, and some members of whom it is known whether they do.

    If all known members count towards the number, the rest is decided. In an altered pair one of them does not, and one
    of the other group does the opposite of what it did: so equally many do and do not.
    """
    cast = Cast()
    first, second = (Rel(name, (X,)) for name in rng.sample(GROUPS, 2))
    body = said_of(X, predicates(rng, cast, 1)[0])
    known_count = depth - 2
    undecided_count = rng.choice((1, 2))
    size = known_count + undecided_count
    holds = coin(rng)  # of the known members of the first group
    members, other_members = cast.people(size), cast.people(size)
    lists = [_list_statement(rng, first, members), _list_statement(rng, second, other_members)]
    # at most `known` do: if all known members do, the rest does not; the other way round: at least `rest` do
    upper, lower = _bound(rng, known_count, size, upper=True), _bound(rng, undecided_count, size, upper=False)
    first_bound, second_bound = (upper, lower) if holds else (lower, upper)
    shares = [_share_statement(first_bound, first, body), _share_statement(second_bound, second, body)]

    def units(people: Sequence[Name], hold: bool, *, altered: bool) -> list[Formula]:
        return [
            signed(_applied_to(body, person), hold != (altered and person is people[0]))
            for person in people[:known_count]
        ]

    facts, altered_facts = (
        (*lists, *shares, *units(members, holds, altered=altered), *units(other_members, not holds, altered=altered))
        for altered in (False, True)
    )
    target = _applied_to(body, rng.choice(members[known_count:]))
    return Situation(facts, altered_facts, signed(target, not holds), signed(target, holds))


def _bound(rng: Random, number: int, size: int, *, upper: bool) -> Share:
    """Bound how many do something from above or below, sometimes as a share."""
    if not upper and 2 * number > size and 2 * (number - 1) <= size and coin(rng):
        return ("most", 0)
    if upper and 2 * number < size and 2 * (number + 1) >= size and coin(rng):
        return ("few", 0)
    return ("at most" if upper else "at least", number)


def _list_statement(rng: Random, group: Rel, members: Sequence[Name]) -> Formula:
    names = list(members)
    rng.shuffle(names)
    return ForAll(X, Iff(group, Among(X, tuple(names))))


def _applied_to(body: Rel, member: Name) -> Rel:
    return Rel(body.name, tuple(member if arg == X else arg for arg in body.args))
