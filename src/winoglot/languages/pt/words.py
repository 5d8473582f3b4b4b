"""The words around the pronoun, and the closed word classes of Portuguese."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache

from winoglot.languages.base import function_words
from winoglot.languages.tables import words_of
from winoglot.schemas.spans import Span

_LETTERS = r"(?:\w[\u0300-\u036f]*)+"
# A word with hyphenated clitics and parts, or with its apostrophe (d'), or one punctuation mark.
_WORD = re.compile(rf"{_LETTERS}(?:['’]|(?:[-‐‑]{_LETTERS})*)|[^\w\s]")
_HYPHENS = re.compile("[‐‑]")


@dataclass(frozen=True)
class Word:
    """A word or punctuation mark; `form` is case-folded, composed and has plain hyphens."""

    form: str
    span: Span
    is_capital: bool

    @property
    def is_sign(self) -> bool:
        """Whether it is punctuation, a symbol or an emoji."""
        return not (self.form[0].isalnum() or self.form[0] == "_")

    @property
    def last_part(self) -> str:
        """The part after the last hyphen: *o* in *chamou-o*."""
        return self.form.rpartition("-")[2]


@lru_cache(maxsize=1024)
def words_in(text: str, start: int, end: int) -> tuple[Word, ...]:
    """The words and punctuation marks in a span of text.

    >>> [word.form for word in words_in("Viu-o no guarda-chuva d’água.", 0, 29)]
    ['viu-o', 'no', 'guarda-chuva', "d'", 'água', '.']
    """
    return tuple(
        Word(plain(found.group()), Span(*found.span()), found.group()[0].isupper())
        for found in _WORD.finditer(text, start, end)
    )


def plain(word: str) -> str:
    """The word as spelt in the lists.

    >>> plain("Ja\\u0301")
    'já'
    """
    if word.isascii():
        return word.lower()
    return unicodedata.normalize("NFC", _HYPHENS.sub("-", word.lower().replace("’", "'")))


def listed(name: str) -> frozenset[str]:
    """The words of a list in this folder."""
    return words_of("pt", name)


@cache
def determiners() -> frozenset[str]:
    """All words that begin a noun phrase or form one by themselves."""
    words = function_words("pt")
    return words.determiners | words.possessives | listed("other_determiners.txt")


@cache
def closed() -> frozenset[str]:
    """All words that end a noun phrase before them."""
    names = ("prepositions.txt", "de_forms.txt", "de_pronouns.txt", "clause_openers.txt", "joiners.txt")
    others = ("clitics.txt", "adverbs.txt", "degree_adverbs.txt")
    return frozenset[str]().union(determiners(), *(listed(name) for name in (*names, *others)))


def is_closed(word: Word) -> bool:
    """Whether a noun phrase ends before it: punctuation, a closed-class word, an adverb in -mente."""
    return word.is_sign or word.form in closed() or (word.form.endswith("mente") and len(word.form) > len("mente") + 1)


def is_preposition(form: str) -> bool:
    """Whether it is a preposition, alone or contracted."""
    return form in listed("prepositions.txt") or form in listed("de_forms.txt")
