"""Put a pair into words such that the wording reveals nothing about the label.

A fact about two names can start from either end: Ana has visited Rome, Rome has been visited by Ana. Half of the facts
of each form in a premise start from one end and half from the other, so that counting them is no help. Within that
limit, facts that the hypothesis is about, or that share its visitor or the visited, start from the end opposite to the
hypothesis, so a hypothesis hardly ever repeats a sentence of the premise or the part of one that contains a name.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from winoglot.logic.formulas import Rel
from winoglot.logic.realise import joined, outlines
from winoglot.logic.walking import atoms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from random import Random

    from winoglot.logic.pair import Pair
    from winoglot.logic.realise import Outline, Wording
    from winoglot.logic.vocabulary import WrittenName

_TRIES = 40  # half of all draws succeed


def in_words(
    pair: Pair, names: Mapping[str, WrittenName], language: str, rng: Random, wording: Wording = "exact"
) -> tuple[str, str]:
    """Premise and hypothesis in words. The published corpus's ambiguous wordings are drawn independently."""
    asked = outlines(pair.hypothesis, names, language, wording)
    facts = outlines(pair.premise, names, language, wording)
    ways = [rng.random() for _ in asked]
    told = [rng.random() for _ in facts]
    if wording == "exact":
        for number, place in _first_places(facts, _turned(facts, asked, ways), rng).items():
            told[number] = _drawn(facts[number], place, told[number], rng)
    premise, hypothesis = (
        joined([one.sentence(way) for one, way in zip(some, drawn, strict=True)], language)
        for some, drawn in ((facts, told), (asked, ways))
    )
    return premise, hypothesis


def _turned(facts: Sequence[Outline], asked: Sequence[Outline], ways: Sequence[float]) -> dict[int, int]:
    """For facts that should start from the other end, the place that comes first; most important facts first."""
    same_two: dict[int, int] = {}
    same_one: dict[int, int] = {}
    for outline, way in zip(asked, ways, strict=True):
        rank = outline.ranks(way)
        for atom in atoms(outline.formula):
            if atom.x not in rank or atom.y not in rank:
                continue
            first, second = sorted((atom.x, atom.y), key=rank.__getitem__)
            for number, fact in enumerate(facts):
                if fact.two in ((first, second), (second, first)):
                    same_two[number] = fact.two.index(second)
                elif isinstance(atom, Rel) and fact.is_visit and (fact.two[0] == atom.x or fact.two[1] == atom.y):
                    same_one[number] = 1 if first == atom.x else 0
    return same_two | {number: place for number, place in same_one.items() if number not in same_two}


def _first_places(facts: Sequence[Outline], wanted: Mapping[int, int], rng: Random) -> dict[int, int]:
    """For each fact about two names, the place that comes first: each equally often within a form."""
    forms: dict[str, list[int]] = defaultdict(list)
    for number, fact in enumerate(facts):
        if fact.two:
            forms[fact.shape].append(number)
    chosen: dict[int, int] = {}
    for members in forms.values():
        places = [0, 1] * (len(members) // 2) + [rng.randrange(2)] * (len(members) % 2)
        for number, place in wanted.items():
            if number in members and place in places:
                chosen[number] = place
                places.remove(place)
        rng.shuffle(places)
        chosen |= zip([number for number in members if number not in chosen], places, strict=True)
    return chosen


def _drawn(fact: Outline, place: int, way: float, rng: Random) -> float:
    """A wording of the fact with this place first."""
    for _ in range(_TRIES):
        if fact.order(way)[0] == place:
            break
        way = rng.random()
    return way
