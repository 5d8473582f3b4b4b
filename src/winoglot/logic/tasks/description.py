"""Who is who: descriptions that fit one person, such as *the mayor of Rome*, and *only*."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.logic.chains import Link, chain
from winoglot.logic.formulas import Equal, ForAll, Formula, Iff, Name, Not, Rel, Term, The, negation
from winoglot.logic.situation import Cast, Situation, coin, predicates, said_of, signed, variations
from winoglot.logic.wording.forms import X

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

FAMILIES = {"only": (1,), "role": (2, 3, 4)}
ROLES = ("mayor", "hospital", "library", "museum")


def draw(rng: Random, family: str, depth: int) -> Situation:
    """Somebody under several descriptions, or the only one who does something."""
    return _roles(rng, depth) if family == "role" else _only(rng)


def _roles(rng: Random, depth: int) -> Situation:
    """Somebody who has several roles, and what is said of the person in the last of them.

    Somebody else has other roles, and of the last of them the opposite is said. In an altered chain, a role is not the
    same person's as the one before it.
    """
    cast = Cast()
    steps = depth - 1
    links, nodes = chain(rng, steps)
    somebody, another = cast.people(2)
    (kind,) = predicates(rng, cast, 1, people=0)
    terms: list[Term] = [somebody, *(_role(rng, cast) for _ in range(nodes - 1))]
    others: list[Term] = [another, *(_role(rng, cast) for _ in range(steps))]
    holds = coin(rng)

    def fact(link: Link, fits: bool) -> Formula:
        ends = [terms[link.start], terms[link.end]]
        rng.shuffle(ends)
        return signed(Equal(ends[0], ends[1]), fits)

    facts = [fact(link, link.fits) for link in links]
    altered = [
        said if link.fits == link.fits_altered else negation(said) for said, link in zip(facts, links, strict=True)
    ]
    fixed = (
        signed(said_of(terms[steps], kind), holds),
        signed(said_of(others[steps], kind), not holds),
        *(Equal(a, b) for a, b in pairwise(others)),
        Not(Equal(terms[steps - 1], others[steps])),  # so that it is not alone in being next to such a role
    )
    target = said_of(somebody, kind)
    return Situation((*fixed, *facts), (*fixed, *altered), signed(target, holds), signed(target, not holds))


def _role(rng: Random, cast: Cast) -> The:
    return The(X, Rel(rng.choice(ROLES), (X, cast.place())))


def _only(rng: Random) -> Situation:
    """Only somebody does something, or everyone else; about that person or another.

    Alteration exchanges its predicate with that of a plain statement. *Only* and *everyone else* both occur.
    """
    cast = Cast()
    person, other, alone, somebody = cast.people(4)
    kind, plain, beside = variations(rng, cast, 3)
    holds, itself, affirmed = coin(rng), coin(rng), coin(rng)

    def only(said: Sequence[object], exception: Name, affirms: bool) -> Formula:
        return ForAll(X, Iff(said_of(X, said), signed(Equal(X, exception), affirms)))

    facts, altered = (
        (
            only(first, person if itself else other, holds == itself),
            signed(said_of(somebody, second), affirmed),
            only(beside, alone, holds != itself),
        )
        for first, second in ((kind, plain), (plain, kind))
    )
    target = said_of(person, kind)
    return Situation(facts, altered, signed(target, holds), signed(target, not holds))
