"""Surface features of a pair: what a classifier sees without understanding the sentences."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from math import log1p
from typing import TYPE_CHECKING

from winoglot.languages.text import words

if TYPE_CHECKING:
    from collections.abc import Sequence

Features = dict[str, float]


@dataclass(frozen=True)
class Words:
    """The words of a pair, in lower case and without punctuation."""

    premise: tuple[str, ...]
    hypothesis: tuple[str, ...]


def words_of(premise: str, hypothesis: str, language: str) -> Words:
    """Split both sentences into words.

    >>> words_of("Ana has visited Rome.", "Ana hasn't visited Rome.", "en").hypothesis
    ('ana', 'has', "n't", 'visited', 'rome')
    """
    return Words(_words(premise, language), _words(hypothesis, language))


def premise_words(pair: Words) -> Features:
    """Unigrams and bigrams of the premise."""
    return _counts(pair.premise)


def hypothesis_words(pair: Words) -> Features:
    """Unigrams and bigrams of the hypothesis."""
    return _counts(pair.hypothesis)


def all_words(pair: Words) -> Features:
    """Words of the pair, once as they are and once marked with their side."""
    both = Counter((*pair.premise, *pair.hypothesis))
    sides = [(f"P {word}", count) for word, count in Counter(pair.premise).items()]
    sides += [(f"H {word}", count) for word, count in Counter(pair.hypothesis).items()]
    return {name: log1p(count) for name, count in (*both.items(), *sides)}


def lengths(pair: Words) -> Features:
    """The number of words and letters on each side."""
    premise, hypothesis = len(pair.premise), len(pair.hypothesis)
    return {
        "premise words": premise,
        "hypothesis words": hypothesis,
        "premise letters": sum(map(len, pair.premise)),
        "hypothesis letters": sum(map(len, pair.hypothesis)),
        "difference": premise - hypothesis,
        "ratio": hypothesis / max(premise, 1),
    }


def overlap(pair: Words) -> Features:
    """How much of the hypothesis also occurs in the premise, in any position."""
    there = Counter(pair.premise)
    asked = set(pair.hypothesis)
    shared = asked & there.keys()
    times = sorted(there[word] for word in shared)
    return {
        "shared": len(shared),
        "new": len(asked) - len(shared),
        "share of hypothesis": len(shared) / max(len(asked), 1),
        "share of both": len(shared) / max(len(asked | there.keys()), 1),
        "least mentioned": times[0] if times else 0,
        "mentions": sum(times),
    }


def _words(text: str, language: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in words(text, language) if any(map(str.isalnum, word)))


def _counts(tokens: Sequence[str]) -> Features:
    neighbours = (f"{first} {second}" for first, second in pairwise(tokens))
    return {name: log1p(count) for name, count in Counter((*tokens, *neighbours)).items()}
