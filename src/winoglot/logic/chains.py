"""Chains of links with branches: a pair is decided if all links of its chain fit together.

A link has one of two colours: a direction, a relation, or whether it affirms. In the chain, all have the same colour.
Alteration recolours one link, and every node that it touches has a branch that is recoloured the opposite way: so
every name keeps its number of links of each colour, and only following the chain shows that it is broken. Between the
ends of the two branches is another link that is recoloured like the broken one, so that the totals stay the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Event, Formula, Not, Rel, Term
from winoglot.logic.situation import Cast, Situation, coin, signed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random


@dataclass(frozen=True)
class Link:
    """A link between two numbered nodes, and whether it has the chain's colour before and after the alteration."""

    start: int
    end: int
    fits: bool
    fits_altered: bool

    def fitting(self, *, altered: bool) -> bool:
        """Whether the link has the chain's colour, before or after the alteration."""
        return self.fits_altered if altered else self.fits


def chain(rng: Random, length: int, *, more: bool = False) -> tuple[list[Link], int]:
    """The links of a chain from node 0 to node `length`, its branches, and the number of nodes.

    Both ends have a branch of the other colour, so that neither colour stands out at the names in the hypothesis. Seen
    as directions: where the broken link starts, a branch that does not fit comes in, where it ends, one goes out. With
    `more`, both ends also have a branch of the chain's colour, which leads nowhere: so the links of the chain are not
    the only ones of this colour at the names in the hypothesis.
    """
    broken_link = rng.randrange(length)
    links = [Link(node, node + 1, True, node != broken_link) for node in range(length)]
    tips: dict[int, int] = {}
    for node in sorted({0, length, broken_link, broken_link + 1}):
        tip = tips[node] = length + 1 + len(tips)
        ends = (node, tip) if node in (0, broken_link) else (tip, node)
        links.append(Link(*ends, False, node in (broken_link, broken_link + 1)))
    links.append(Link(tips[broken_link], tips[broken_link + 1], True, False))
    nodes = length + 1 + len(tips)
    if more:
        links += [Link(0, nodes, True, True), Link(length, nodes + 1, True, True)]
        nodes += 2
    return links, nodes


TWO_SIDED = ("bank", "aisle", "corridor", "storey")


def sides(rng: Random, depth: int) -> Situation:
    """Who is on the same side as whom: there are two sides, so opposite the opposite is the same side.

    The chain is about one pair of sides, the branches about another. An altered link is about the other one.
    """
    relation, other, third = rng.sample(TWO_SIDED, 3)
    links, nodes = chain(rng, depth, more=True)
    people = Cast().people(nodes)
    holds_by_link = [coin(rng) for _ in links]
    if depth == 1:  # recoloured links affirm and deny each colour once: counting does not give the first one away
        holds_by_link[2:4] = [not holds_by_link[1], not holds_by_link[0]]

    def fact(link: Link, fits: bool, holds: bool) -> Formula:
        ends = [people[link.start], people[link.end]]
        rng.shuffle(ends)
        return signed(Rel(relation if fits else other, tuple(ends)), holds)

    facts = [fact(link, link.fits, holds) for link, holds in zip(links, holds_by_link, strict=True)]
    altered = [
        statement if link.fits == link.fits_altered else fact(link, link.fits_altered, holds)
        for statement, link, holds in zip(facts, links, holds_by_link, strict=True)
    ]
    extra = signed(Rel(third, (people[0], people[depth])), coin(rng))
    is_same_side = sum(not holds for holds in holds_by_link[:depth]) % 2 == 0
    ends = [people[0], people[depth]]
    rng.shuffle(ends)
    question = Rel(relation, tuple(ends))
    return Situation(
        (*facts, extra), (*altered, extra), signed(question, is_same_side), signed(question, not is_same_side)
    )


TOTAL = ("taller", "older", "heavier", "richer", "faster")
ORDERS = (*TOTAL, "ancestor")


def order(rng: Random, depth: int, relations: Sequence[str]) -> Situation:
    """Who is above whom: strictly, or at least not below (only if any two can be compared).

    An altered link has the other direction. At depth 1 it would then still decide: instead, the link between the ends
    of the branches is about something else, and alteration exchanges what these two links are about.
    """
    relation, other, third = _unrelated(rng, relations)
    links, nodes = chain(rng, depth)
    people = Cast().people(nodes)
    strict = _strictness(rng, links, depth, all_strict=relation not in TOTAL)
    above, under = people[0], people[depth]
    pair = [above, under]
    rng.shuffle(pair)
    distractor = signed(Rel(other, tuple(pair)), coin(rng) or other not in TOTAL)
    facts, altered = (
        (
            *[
                _above_statement(relation, *_ordered_ends(people, link, link.fitting(altered=change)), exactly)
                for link, exactly in zip(links, strict, strict=True)
            ],
            distractor,
        )
        for change in (False, True)
    )
    if depth == 1:
        facts, altered = (
            (Rel(first, (above, under)), *facts[1:3], Rel(last, tuple(people[2:])), distractor)
            for first, last in ((relation, third), (third, relation))
        )
    down, up = Rel(relation, (above, under)), Rel(relation, (under, above))
    if coin(rng):
        return Situation(facts, altered, down, up)
    return Situation(facts, altered, Not(up), Not(down))


def _unrelated(rng: Random, relations: Sequence[str]) -> list[str]:
    """Three orders; ancestors are older, so that these two never meet."""
    while {"older", "ancestor"} <= set(relations_ := rng.sample(relations, 3)):
        pass
    return relations_


def _strictness(rng: Random, links: Sequence[Link], depth: int, *, all_strict: bool) -> list[bool]:
    """Say for every link whether it excludes a tie; at least one link of the chain does."""
    while True:
        strict = [all_strict or coin(rng) for _ in links]
        if any(strict[:depth]):
            return strict


def _ordered_ends(nodes: Sequence[Term], link: Link, fits: bool) -> tuple[Term, Term]:
    return (nodes[link.start], nodes[link.end]) if fits else (nodes[link.end], nodes[link.start])


def _above_statement(relation: str, x: Term, y: Term, strict: bool) -> Formula:
    return Rel(relation, (x, y)) if strict else Not(Rel(relation, (y, x)))


def times(rng: Random, depth: int) -> Situation:
    """Who came and went before whom: anyone who leaves has come before.

    A chain goes on at the same event of a person or at a later one.
    """
    links, nodes = chain(rng, depth)
    people = Cast().people(nodes)
    strict = _strictness(rng, links, depth, all_strict=False)
    kinds_at_ends = (("arrival", "arrival"), ("departure", "departure"))
    inner_nodes = range(1, depth)  # only between two links of the chain is there a first and a later event
    events_by_node = [
        rng.choice((*kinds_at_ends, ("arrival", "departure")) if node in inner_nodes else kinds_at_ends)
        for node in range(nodes)
    ]

    def fact(link: Link, fits: bool, exactly: bool) -> Formula:
        # a link ends where its node is entered and starts where it is left, in whatever direction it is told
        start = Event(events_by_node[link.start][1], people[link.start])
        end = Event(events_by_node[link.end][0], people[link.end])
        return _above_statement("before", *((start, end) if fits else (end, start)), exactly)

    facts, altered = (
        tuple(fact(link, link.fitting(altered=change), exactly) for link, exactly in zip(links, strict, strict=True))
        for change in (False, True)
    )
    first, last = Event(events_by_node[0][1], people[0]), Event(events_by_node[depth][0], people[depth])
    if depth == 1:  # reversed, a single link would still decide: instead, it exchanges events with another link
        kind = rng.choice(("arrival", "departure"))
        first, last = Event(kind, people[0]), Event(kind, people[1])
        facts, altered = (
            (_before_statement(people[:2], *events), *facts[1:3], _before_statement(people[2:], *other_events))
            for events, other_events in permutations(((kind, kind), ("arrival", "departure")))
        )
    earlier, later = Rel("before", (first, last)), Rel("before", (last, first))
    if coin(rng):
        return Situation(facts, altered, earlier, later)
    return Situation(facts, altered, Not(later), Not(earlier))


def _before_statement(people: Sequence[Term], first: str, second: str) -> Formula:
    return Rel("before", (Event(first, people[0]), Event(second, people[1])))
