"""A pair in words. Wordings are drawn at random; but nothing is told twice from the same end.

Where the premise says something of two that the hypothesis is about (Rome has not been visited by Ana), it says it from
the other end than the hypothesis (Ana has visited Rome), whatever the label is. So no hypothesis repeats a sentence.
Another fact of the same form is told the other way round, so that counting the forms tells nothing.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.logic.realise import joined, outlines

if TYPE_CHECKING:
    from collections.abc import Mapping
    from random import Random

    from winoglot.logic.drawing import Draw
    from winoglot.logic.realise import Outline, Wording
    from winoglot.logic.vocabulary import Word

_TWO = re.compile(r"V\((p\d+),([pc]\d+)\)|(p\d+) (?:>|≥|before) (p\d+)")
_TRIES = 10  # half of the wordings will do


def in_words(draw: Draw, names: Mapping[str, Word], language: str, rng: Random, wording: Wording) -> tuple[str, str]:
    """Premise and hypothesis. The published corpus's wordings are left as they are."""
    asked = outlines(draw.pair.hypothesis, names, language, wording)
    hypothesis = joined([one.sentence(rng.random()) for one in asked], language)
    facts = outlines(draw.pair.premise, names, language, wording)
    told = [fact.sentence(rng.random()) for fact in facts]
    if wording == "exact":
        for match in _TWO.finditer(draw.formulas[1]):
            one, other = (names[symbol] for symbol in match.groups() if symbol)
            first = _is_first(one, other, hypothesis)
            _turn(facts, told, [[one], [other]] if first else [[other], [one]], rng)
    return joined(told, language), hypothesis


def _turn(facts: list[Outline], told: list[str], two: list[list[Word]], rng: Random) -> None:
    """Tell what is said of just the two in the other order, and another fact of its form the other way round."""
    for number, fact in enumerate(facts):
        if fact.words not in (two, two[::-1]):
            continue
        others = [other for other, one in enumerate(facts) if one.shape == fact.shape and other != number]
        if others:
            other = rng.choice(others)
            forward = fact.words != two
            told[number] = _told(fact, told[number], forward, rng)
            told[other] = _told(facts[other], told[other], not forward, rng)


def _told(fact: Outline, sentence: str, forward: bool, rng: Random) -> str:
    """The sentence, or another one of the fact, with the names in the order of the formula or in the other one."""
    (first,), (second,) = fact.words
    for _ in range(_TRIES):
        if _is_first(first, second, sentence) == forward:
            break
        sentence = fact.sentence(rng.random())
    return sentence


def _is_first(one: Word, other: Word, sentence: str) -> bool:
    """By their last words, which are in all forms of a name: Le Caire, au Caire."""
    return sentence.find(one.text.rpartition(" ")[2]) < sentence.find(other.text.rpartition(" ")[2])
