"""The closed-class words of a language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from winoglot.schemas.span import Span
from winoglot.schemas.words import folded, is_inside_word, starts_word


@dataclass(frozen=True)
class FunctionWords:
    """The closed-class words of a language that may stand before a noun, in lower case, apostrophes straight.

    `possessives` are those determiners that may follow an article or a contraction (`o seu`, `ao seu`);
    `contractions` maps a written form to what it is made of: `na` to `("em", "a")`. `pronouns` holds every form a
    pronoun to be resolved may have; `expletives` are phrases whose pronoun refers to nothing (`il y a`), `longer_words`
    those in which the letters of a pronoun are none (`因为`).
    """

    determiners: frozenset[str] = frozenset()
    possessives: frozenset[str] = frozenset()
    contractions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    pronouns: frozenset[str] = frozenset()
    expletives: frozenset[str] = frozenset()
    longer_words: frozenset[str] = frozenset()

    def without_determiner(self, phrase: str) -> str:
        """The phrase less the determiner that opens it, and less the possessive after that.

        >>> FunctionWords(frozenset({"the"})).without_determiner("The old lamp")
        'old lamp'
        """
        rest = _without(phrase, self.determiners | self.possessives)
        return rest if rest == phrase else _without(rest, self.possessives)

    def before(self, text: str, start: int, barrier: Span) -> int:
        """Where the determiner or contraction that stands right before `start` begins, with one before a possessive."""
        articles = self.determiners | set(self.contractions)
        word = _before(text, start, articles | self.possessives, barrier)
        if word != start and folded(text[word:start]).strip() in self.possessives:
            return _before(text, word, articles, barrier)
        return word


def _without(phrase: str, words: frozenset[str]) -> str:
    plain = folded(phrase)
    for word in sorted(words, key=len, reverse=True):
        rest = phrase[len(word) :].lstrip()
        if rest and plain.startswith(word) and not is_inside_word(phrase, 0, len(word)):
            return rest
    return phrase


def _before(text: str, start: int, words: frozenset[str], barrier: Span) -> int:
    plain = folded(text)
    end = len(plain[:start].rstrip(" "))
    for word in sorted(words, key=len, reverse=True):
        begin = end - len(word)
        if plain[:end].endswith(word) and starts_word(text, begin) and not Span(begin, start).overlaps(barrier):
            return begin
    return start
