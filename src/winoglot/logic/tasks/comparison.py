"""Comparison: who is taller than, or at least as tall as, whom.

Repaired: two chains of people, so that some people are not comparable; a link may start from either end and be affirmed
or negated. Published: a chain of `>`, a chain of `≥` that ends in `>`, or somebody taller than a list of people and as
tall as one further person. In the last family the published label is wrong if "as tall as" means "at least as tall as":
those on the list may then be taller than the further person.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.logic.formulas import AtLeastAsTall, Formula, Not, Taller, conjunction, person
from winoglot.logic.pair import Pair
from winoglot.logic.tasks._choice import pairs
from winoglot.logic.tasks._orders import Wordings, chains

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.pair import Label, TaskSettings

_WORDINGS = Wordings(
    strict=(Taller, lambda x, y: Not(AtLeastAsTall(y, x))), weak=(AtLeastAsTall, lambda x, y: Not(Taller(y, x)))
)
_PUBLISHED_LENGTH = range(4, 11)


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs."""
    if not settings.paper:
        return pairs("comparison", lambda: chains(rng, settings, _WORDINGS))
    return _published(rng)


def _published(rng: Random) -> Iterator[Pair]:
    families = (_chain, _weak_chain, _list)
    while True:
        yield rng.choice(families)(rng)


def _chain(rng: Random) -> Pair:
    """p0 > p1 > …, and a person who is or is not further up."""
    length = rng.choice(_PUBLISHED_LENGTH)
    facts: list[Formula] = [Taller(person(number), person(number + 1)) for number in range(length)]
    upper, lower = sorted(rng.sample(range(length + 1), 2))
    return _either_way(rng, "paper-chain", facts, upper, lower)


def _weak_chain(rng: Random) -> Pair:
    """p0 ≥ p1 ≥ … > pn, and pn compared with any other."""
    length = rng.choice(_PUBLISHED_LENGTH)
    facts: list[Formula] = [AtLeastAsTall(person(number), person(number + 1)) for number in range(length)]
    facts.append(Taller(person(length), person(length + 1)))
    return _either_way(rng, "paper-weak-chain", facts, rng.randrange(length + 1), length + 1)


def _list(rng: Random) -> Pair:
    """p0 is taller than each person on a list and as tall as one more, or one more is as tall as p0."""
    length = rng.choice(_PUBLISHED_LENGTH)
    more = length + 1
    facts: list[Formula] = [Taller(person(0), person(number)) for number in range(1, length + 1)]
    listed = conjunction(facts)
    one = rng.randrange(1, length + 1)
    if rng.random() < 0.5:
        return _either_way(rng, "paper-list-below", [listed, AtLeastAsTall(person(more), person(0))], more, one)
    pair = _either_way(rng, "paper-list-above", [listed, AtLeastAsTall(person(0), person(more))], more, one)
    return replace(pair, intended="neutral", published="contradiction" if pair.intended == "contradiction" else None)


def _either_way(rng: Random, template: str, facts: list[Formula], upper: int, lower: int) -> Pair:
    names = (person(upper), person(lower))
    follows = rng.random() < 0.5
    label: Label = "entailment" if follows else "contradiction"
    hypothesis = Taller(*names) if follows else Taller(*reversed(names))
    return Pair(conjunction(facts), hypothesis, label, "comparison", template)
