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
    other_terms: list[Term] = [another, *(_role(rng, cast) for _ in range(steps))]
    holds = coin(rng)

    def fact(link: Link, fits: bool) -> Formula:
        ends = [terms[link.start], terms[link.end]]
        rng.shuffle(ends)
        return signed(Equal(ends[0], ends[1]), fits)

    facts = [fact(link, link.fits) for link in links]
    altered = [
        statement if link.fits == link.fits_altered else negation(statement)
        for statement, link in zip(facts, links, strict=True)
    ]
    fixed = (
        signed(said_of(terms[steps], kind), holds),
        signed(said_of(other_terms[steps], kind), not holds),
        *(Equal(a, b) for a, b in pairwise(other_terms)),
        Not(Equal(terms[steps - 1], other_terms[steps])),  # so that it is not alone in being next to such a role
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
    person, other, exception_of_distractor, somebody = cast.people(4)
    kind, plain, distractor = variations(rng, cast, 3)
    holds, is_person_the_exception, is_affirmed = coin(rng), coin(rng), coin(rng)

    def only(predicate: Sequence[object], exception: Name, affirms: bool) -> Formula:
        return ForAll(X, Iff(said_of(X, predicate), signed(Equal(X, exception), affirms)))

    facts, altered = (
        (
            only(first, person if is_person_the_exception else other, holds == is_person_the_exception),
            signed(said_of(somebody, second), is_affirmed),
            only(distractor, exception_of_distractor, holds != is_person_the_exception),
        )
        for first, second in ((kind, plain), (plain, kind))
    )
    target = said_of(person, kind)
    return Situation(facts, altered, signed(target, holds), signed(target, not holds))
