"""Word frequencies, from the frozen table in a language's folder: `frequencies.txt.gz`.

A table has comments with its sources, a line `(all words)` with the total count, and one line for each of the most
frequent words; `scripts/freeze_frequencies.py` generates them.
"""

from __future__ import annotations

import gzip
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from unicodedata import normalize

from winoglot import registry
from winoglot.errors import InputError
from winoglot.languages.base import function_words, language_module
from winoglot.languages.lexicon import lexicon
from winoglot.languages.text import words
from winoglot.schemas.hashing import digest
from winoglot.schemas.text import folded

FILE = "frequencies.txt.gz"
ALL = "(all words)"


@dataclass(frozen=True)
class Frequencies:
    """The counts of the most frequent words of a language, and the total count."""

    counts: Mapping[str, int]
    total: int

    def log_frequency(self, word: str) -> float | None:
        """The natural logarithm of the word's relative frequency; None if the word is not in the table.

        >>> Frequencies({"lamp": 2, "the": 98}, 100).log_frequency("Lamp")
        -3.912023005428146
        """
        count = self.counts.get(word_key(word))
        return None if count is None else math.log(count / self.total)


def word_key(word: str) -> str:
    """A word as spelt in the tables: lower case, straight apostrophes, composed accents."""
    return folded(normalize("NFC", word))


@cache
def frequencies(tag: str) -> Frequencies:
    """The table of a language; raises an input error if there is none.

    >>> frequencies("pt-BR").log_frequency("casa") > frequencies("pt-BR").log_frequency("cofre")
    True
    """
    data = _packed(tag)
    if data is None:
        available = ", ".join(name for name in registry.names("languages") if _packed(name) is not None)
        raise InputError(
            f"there are no word frequencies for {tag}",
            remedy=f"Use another model; languages with frequencies: {available}.",
        )
    rows = (line.split("\t") for line in gzip.decompress(data).decode().splitlines() if not line.startswith("#"))
    total = int(next(rows)[1])
    return Frequencies({word: int(count) for word, count in rows}, total)


@cache
def tables_hash() -> str:
    """A hash over all installed tables."""
    tables = {name: _packed(name) for name in registry.names("languages")}
    return digest({name: digest(data.hex()) for name, data in tables.items() if data is not None})


def content_words(phrase: str, language: str) -> list[str]:
    """The words of a phrase without punctuation and function words.

    >>> content_words("the roof of her old car", "en"), content_words("l'ami d'Anne", "fr"), content_words("小雯", "zh")
    (['roof', 'old', 'car'], ['ami', 'Anne'], ['小雯'])
    """
    closed = _closed_class(language)
    spoken = (word for word in words(phrase, language) if word[0].isalpha())  # an enclitic begins with its hyphen
    return [word for word in spoken if word_key(word) not in closed]


@cache
def _closed_class(language: str) -> frozenset[str]:
    grammatical = function_words(language)
    table = lexicon(language, "function_words")
    light_words = table.words("light") | table.words("preposition") | lexicon(language, "spelling").words("proclitic")
    return light_words.union(
        grammatical.determiners, grammatical.possessives, grammatical.contractions, grammatical.pronouns
    )


@cache
def _packed(tag: str) -> bytes | None:
    module = language_module(tag)
    if module is None or not hasattr(module, "__path__"):  # a third-party language in a single file has no tables
        return None
    file = files(module.__name__).joinpath(FILE)
    return file.read_bytes() if file.is_file() else None
