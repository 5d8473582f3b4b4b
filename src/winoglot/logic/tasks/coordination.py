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
        return _list_situation(rng)
    cast = Cast()
    steps = depth - 1 if family == "fact" else depth
    links, nodes = chain(rng, steps, more=True)
    people = cast.people(nodes)
    kind, other = predicates(rng, cast, 2, people=0)
    same_by_link = [coin(rng) for _ in links]

    def fact(link: Link, fits: bool, is_same: bool) -> Formula:
        ends = [said_of(people[node], kind if fits else other) for node in (link.start, link.end)]
        rng.shuffle(ends)
        return Iff(ends[0], signed(ends[1], is_same))

    facts = [fact(link, link.fits, is_same) for link, is_same in zip(links, same_by_link, strict=True)]
    altered = [
        statement if link.fits == link.fits_altered else fact(link, link.fits_altered, is_same)
        for statement, link, is_same in zip(facts, links, same_by_link, strict=True)
    ]
    holds, also_holds = coin(rng), coin(rng)
    first, last = said_of(people[0], kind), said_of(people[steps], kind)
    is_even = sum(not is_same for is_same in same_by_link[:steps]) % 2 == 0
    if family == "two":
        both_or_neither, exactly_one = Iff(first, signed(last, is_even)), Iff(first, signed(last, not is_even))
        return Situation(tuple(facts), tuple(altered), entailed=both_or_neither, contradicted=exactly_one)
    stranger, second = cast.people(2)
    fixed = (
        _both_statement(rng, first, said_of(stranger, kind), holds),
        _both_statement(rng, said_of(people[0], other), said_of(second, other), also_holds),
        Iff(said_of(second, kind), signed(said_of(cast.person(), kind), coin(rng))),
    )
    entailed, contradicted = signed(last, holds == is_even), signed(last, holds != is_even)
    return Situation((*fixed, *facts), (*fixed, *altered), entailed, contradicted)


def _both_statement(rng: Random, a: Formula, b: Formula, hold: bool) -> Formula:
    """State that both hold or, without `hold`, that neither does."""
    parts = [signed(a, hold), signed(b, hold)]
    rng.shuffle(parts)
    return And(tuple(parts))


def _list_situation(rng: Random) -> Situation:
    """Something is true of both people of a pair or of neither; alteration exchanges what is said of two pairs."""
    cast = Cast()
    person, *other_people = cast.people(8)
    kind, other = predicates(rng, cast, 2, people=0)
    hold = coin(rng)

    def both(number: int, predicate: Sequence[object], holds: bool) -> Formula:
        first, second = (person, *other_people)[2 * number : 2 * number + 2]
        return _both_statement(rng, said_of(first, predicate), said_of(second, predicate), holds)

    distractors = both(2, kind, not hold), both(3, other, not hold)
    facts, altered = (
        (both(0, first, hold), both(1, second, hold), *distractors) for first, second in ((kind, other), (other, kind))
    )
    target = said_of(person, kind)
    return Situation(facts, altered, signed(target, hold), signed(target, not hold))
