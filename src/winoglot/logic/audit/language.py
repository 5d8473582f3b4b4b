"""Guess the language of a file of pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.frequencies import frequencies
from winoglot.languages.text import words
from winoglot.logic.vocabulary import LANGUAGES
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from winoglot.logic.audit.pair_file import PairFile

_PAIRS = 30  # enough to decide
_UNKNOWN = -20.0  # a log-frequency below that of any listed word


def language_of(file: PairFile) -> str:
    """The logic language in which the words of the first pairs are most frequent."""
    text = " ".join(f"{premise} {hypothesis}" for premise, hypothesis in file.texts[:_PAIRS])
    if sum(map(is_unspaced, text)) > len(text) // 2:
        return "zh"
    return max((language for language in LANGUAGES if language != "zh"), key=lambda tag: _commonness(text, tag))


def _commonness(text: str, language: str) -> float:
    table = frequencies(language)
    found = [table.log_frequency(word) for word in words(text, language) if word.isalpha()]
    return sum(_UNKNOWN if value is None else value for value in found)
