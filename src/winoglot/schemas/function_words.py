"""The closed-class words of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from winoglot.schemas.span import Span
from winoglot.schemas.words import folded, is_inside_word, starts_word


@dataclass(frozen=True)
class FunctionWords:
    """The closed-class words of a language that may stand before a noun, in lower case, apostrophes straight.

    `possessives` are those determiners that may follow an article or a contraction (`o seu`, `ao seu`);
    `contractions` maps a written form to what it is made of: `na` to `("em", "a")`. `pronouns` holds every form a
    pronoun to be resolved may have, `attached_pronouns` those that are written with the verb before them (`verlo`);
    `expletives` are phrases whose pronoun refers to nothing (`il y a`), `longer_words`
    those in which the letters of a pronoun are none (`因为`).
    """

    determiners: frozenset[str] = frozenset()
    possessives: frozenset[str] = frozenset()
    contractions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    pronouns: frozenset[str] = frozenset()
    attached_pronouns: frozenset[str] = frozenset()
    expletives: frozenset[str] = frozenset()
    longer_words: frozenset[str] = frozenset()

    def without_determiner(self, phrase: str) -> str:
        """The phrase less the determiner that opens it, and less the possessive after that.

        >>> FunctionWords(frozenset({"the"})).without_determiner("The old lamp")
        'old lamp'
        """
        rest = _without(phrase, self._openers)
        return rest if rest == phrase else _without(rest, self.possessives)

    def before(self, text: str, start: int, barrier: Span) -> int:
        """Where the determiner or contraction that stands right before `start` begins, with one before a possessive."""
        word = _before(text, start, self._all, barrier)
        if word != start and folded(text[word:start]).strip() in self.possessives:
            return _before(text, word, self._articles, barrier)
        return word

    @cached_property
    def _openers(self) -> frozenset[str]:
        return self.determiners | self.possessives

    @cached_property
    def _articles(self) -> frozenset[str]:
        return self.determiners | frozenset(self.contractions)

    @cached_property
    def _all(self) -> frozenset[str]:
        return self._openers | self._articles


@lru_cache(maxsize=10_000)  # the candidates of a schema are asked for again and again
def _without(phrase: str, words: frozenset[str]) -> str:
    plain = folded(phrase)
    for length in _lengths(words):
        rest = phrase[length:].lstrip()
        if rest and plain[:length] in words and not is_inside_word(phrase, 0, length):
            return rest
    return phrase


def _before(text: str, start: int, words: frozenset[str], barrier: Span) -> int:
    plain = folded(text[:start]).rstrip(" ")
    end = len(plain)
    for length in _lengths(words):
        begin = end - length
        if begin < 0 or plain[begin:] not in words:
            continue
        if starts_word(text, begin) and not Span(begin, start).overlaps(barrier):
            return begin
    return start


@lru_cache(maxsize=64)
def _lengths(words: frozenset[str]) -> tuple[int, ...]:
    """How long the words are, the longest first: a stretch of each length is looked up, not each word tried."""
    return tuple(sorted({len(word) for word in words}, reverse=True))
