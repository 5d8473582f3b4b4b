"""Both, neither, both or neither, and exactly one of two people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.chains import Link, chain
from winoglot.logic.formulas import And, Formula, Iff
from winoglot.logic.situation import Cast, Situation, coin, predicates, said_of, signed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

FAMILIES = {"list": (1,), "fact": (2, 3, 4), "two": (2, 3, 4)}


def draw(rng: Random, family: str, depth: int) -> Situation:
    """People who do the same or not: a chain of likenesses, from a fact about one of them, or between two."""
    if family == "list":
        return _list(rng)
    cast = Cast()
    steps = depth - 1 if family == "fact" else depth
    links, nodes = chain(rng, steps, more=True)
    people = cast.people(nodes)
    kind, other = predicates(rng, cast, 2, people=0)
    alike = [coin(rng) for _ in links]

    def fact(link: Link, fits: bool, same: bool) -> Formula:
        ends = [said_of(people[node], kind if fits else other) for node in (link.start, link.end)]
        rng.shuffle(ends)
        return Iff(ends[0], signed(ends[1], same))

    facts = [fact(link, link.fits, same) for link, same in zip(links, alike, strict=True)]
    altered = [
        said if link.fits == link.fits_altered else fact(link, link.fits_altered, same)
        for said, link, same in zip(facts, links, alike, strict=True)
    ]
    holds, beside = coin(rng), coin(rng)
    first, last = said_of(people[0], kind), said_of(people[steps], kind)
    even = sum(not same for same in alike[:steps]) % 2 == 0
    if family == "two":
        both, exactly_one = Iff(first, signed(last, even)), Iff(first, signed(last, not even))
        return Situation(tuple(facts), tuple(altered), entailed=both, contradicted=exactly_one)
    stranger, second = cast.people(2)
    fixed = (
        _both(rng, first, said_of(stranger, kind), holds),
        _both(rng, said_of(people[0], other), said_of(second, other), beside),
        Iff(said_of(second, kind), signed(said_of(cast.person(), kind), coin(rng))),
    )
    entailed, contradicted = signed(last, holds == even), signed(last, holds != even)
    return Situation((*fixed, *facts), (*fixed, *altered), entailed, contradicted)


def _both(rng: Random, a: Formula, b: Formula, hold: bool) -> Formula:
    """State that both hold or, without `hold`, that neither does."""
    parts = [signed(a, hold), signed(b, hold)]
    rng.shuffle(parts)
    return And(tuple(parts))


def _list(rng: Random) -> Situation:
    """Something is true of both people of a pair or of neither; alteration exchanges what is said of two pairs."""
    cast = Cast()
    person, *others = cast.people(8)
    kind, other = predicates(rng, cast, 2, people=0)
    hold = coin(rng)

    def both(number: int, said: Sequence[object], holds: bool) -> Formula:
        first, second = (person, *others)[2 * number : 2 * number + 2]
        return _both(rng, said_of(first, said), said_of(second, said), holds)

    beside = both(2, kind, not hold), both(3, other, not hold)
    facts, altered = (
        (both(0, first, hold), both(1, second, hold), *beside) for first, second in ((kind, other), (other, kind))
    )
    target = said_of(person, kind)
    return Situation(facts, altered, signed(target, hold), signed(target, not hold))
