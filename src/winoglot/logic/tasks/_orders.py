"""People ordered in two chains: the premise states each link, the hypothesis is about any two of the people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Formula, Name, person
from winoglot.logic.tasks._choice import Option, drawn
from winoglot.logic.walking import mentions

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.pair import Label, TaskSettings
    from winoglot.logic.tasks._choice import Draft

_LENGTH = range(4, 6)  # of a chain: four allows all relations between ends and middles; gives 6 to 8 facts


@dataclass(frozen=True)
class Wordings:
    """The ways to write a strict link (x above y) and a weak one (y not above x), with x first or y first."""

    strict: Sequence[Callable[[Name, Name], Formula]]
    weak: Sequence[Callable[[Name, Name], Formula]]


def chains(rng: Random, settings: TaskSettings, wordings: Wordings) -> Draft | None:
    """Two chains with strict and weak links, their facts shuffled, and a hypothesis in any wording.

    Within a premise all strict links are written alike, and so are all weak ones, so that several facts have the same
    form and half of them can start from either end. The look of a hypothesis is its wording, how often its two people
    are mentioned, which of them comes first, and whether a fact is about these two.
    """
    people = [person(number) for number in range(rng.choice(_LENGTH) + rng.choice(_LENGTH))]
    cut = len(people) // 2
    links = [number for number in range(len(people) - 1) if number != cut - 1]
    strict = set(rng.sample(links, len(links) // 2))
    written = {True: rng.choice(wordings.strict), False: rng.choice(wordings.weak)}
    facts = [written[number in strict](people[number], people[number + 1]) for number in links]
    rng.shuffle(facts)
    mentioned = [people.index(name) for fact in facts for name in mentions(fact)]
    count = [mentioned.count(one) for one in range(len(people))]
    first = [mentioned.index(one) for one in range(len(people))]
    is_strict = rng.random() < 0.5
    word = rng.choice(wordings.strict if is_strict else wordings.weak)
    options = []
    for a, b in permutations(range(len(people)), 2):
        label = _label(a, b, is_strict, strict) if (a < cut) == (b < cut) else "neutral"
        linked = abs(a - b) == 1 and (a < cut) == (b < cut)
        options.append(Option(label, (count[a], count[b], first[a] < first[b], linked), (a, b)))
    option = drawn(rng, options, settings)
    if option is None:
        return None
    return "two-chains", facts, word(*(people[one] for one in option.content)), option.label


def _label(a: int, b: int, asked_strict: bool, strict: set[int]) -> Label:
    """The label for two people in one chain; higher numbers are lower, and a link has the number of its upper end."""
    some_strict = any(number in strict for number in range(min(a, b), max(a, b)))
    if a < b:
        return "entailment" if some_strict or not asked_strict else "neutral"
    return "contradiction" if some_strict or asked_strict else "neutral"
