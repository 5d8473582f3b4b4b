"""The words around a pronoun, and the phrase that replaces it.

A hyphen joins a compound into one word (*guarda-chuva*, *grand-père*), and in Portuguese a verb to its pronoun
(*viu-o*); a language names the pronouns that stay apart (*dit-il*, *donne-le*).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.openings import split
from winoglot.languages.romance.grammar import Grammar
from winoglot.languages.substitution import Place, Token, prepended, tokens
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.languages.substitution import Phrase

SENTENCE_ENDS = frozenset(".!?…;:")
QUOTES = {'"': '"', "“": "”", "«": "»", "‘": "’", "„": "“", "'": "'", "‹": "›"}
END = Token(".", Span(0, 0))  # follows the last word


@dataclass(frozen=True)
class Around:
    """The words after a pronoun, and those before it, nearest first."""

    grammar: Grammar
    place: Place
    after: tuple[Token, ...]
    before: tuple[Token, ...]

    @property
    def next_form(self) -> str:
        """The next word or punctuation mark; empty at the end."""
        return self.after[0].form if self.after else ""

    @property
    def previous_form(self) -> str:
        """The previous word or punctuation mark; empty at the start."""
        return self.before[0].form if self.before else ""

    @property
    def is_hyphenated(self) -> bool:
        """Whether a hyphen joins the pronoun to the word before it."""
        return self.previous_form == "-" and self.before[0].span.end == self.place.pronoun.start

    @property
    def opens_sentence(self) -> bool:
        """Whether the pronoun is the first word of its sentence."""
        return not self.before or self.previous_form in SENTENCE_ENDS or self.previous_form in '«“"(—–'

    def at(self, index: int) -> Token:
        """The word at this position after the pronoun; a full stop after the last one."""
        return self.after[index] if index < len(self.after) else END

    def form(self, index: int) -> str:
        """The form of that word; empty after the last one."""
        return self.after[index].form if index < len(self.after) else ""

    def written(self, first: int, last: int) -> str:
        """The text from one word after the pronoun to another."""
        return self.place.text[self.after[first].span.start : self.after[last].span.end]


def around(place: Place, grammar: Grammar) -> Around:
    """The words around the pronoun of a place."""
    after = compounds(place.text, place.pronoun.end, len(place.text), grammar)
    return Around(grammar, place, after, compounds(place.text, 0, place.pronoun.start, grammar)[::-1])


@lru_cache(maxsize=1024)  # the candidates of an item share its text
def compounds(text: str, start: int, end: int, grammar: Grammar) -> tuple[Token, ...]:
    """The words of a part of a text, with their hyphenated parts."""
    compounds: list[Token] = []
    for token in tokens(text, start, end):
        last = compounds[-1].form if compounds else ""
        if last == "-" and len(compounds) > 1 and _is_compound(compounds[-2], compounds[-1], token, grammar):
            compounds[-2:] = [_merged(compounds[-2], token, "-")]
        elif last.endswith("'") and last + token.form in grammar.elided_words:
            compounds[-1] = _merged(compounds[-1], token, "")
        else:
            compounds.append(token)
    return tuple(compounds)


def _merged(first: Token, second: Token, between: str) -> Token:
    """Two tokens as one word, with the text between them."""
    return Token(first.form + between + second.form, Span(first.span.start, second.span.end), first.is_capital)


def _is_compound(first: Token, hyphen: Token, token: Token, grammar: Grammar) -> bool:
    """Whether a word, a hyphen and a word form a compound."""
    is_adjacent = first.span.end == hyphen.span.start and hyphen.span.end == token.span.start
    is_whole = token.form[0].isalnum() and not token.form.endswith("'")
    return is_adjacent and is_whole and first.form[0].isalnum() and token.form not in grammar.apart


# The phrase that replaces the pronoun, after a preposition


def with_preposition(preposition: str, phrase: Phrase, grammar: Grammar) -> str:
    """The phrase with its preposition, which is repeated before each part that has a determiner."""
    return prepended(preposition, repeated(preposition, phrase, grammar), phrase.language)


def repeated(preposition: str, phrase: Phrase, grammar: Grammar) -> str:
    """The phrase after a preposition that is already in the text."""
    first, *rest = joints(grammar).split(phrase.text)
    for joint, part in zip(rest[::2], rest[1::2], strict=True):
        has_determiner = bool(split(part, phrase.language)[0])
        first += joint + (prepended(preposition, part, phrase.language) if has_determiner else part)
    return first


@cache
def joints(grammar: Grammar) -> re.Pattern[str]:
    """What separates the parts of a coordination."""
    return re.compile(rf"(,\s+|\s+(?:{'|'.join(sorted(grammar.words('coordinator')))})\s+)")
