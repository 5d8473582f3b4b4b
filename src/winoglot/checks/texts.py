"""Texts in a form that rules can compare: lower-case words, and whether a passage names a candidate."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING
from unicodedata import normalize

from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.text import folded, is_unspaced, is_word_character

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def plain(text: str) -> str:
    """The text without differences of case, spaces, kinds of apostrophe and encoding of letters.

    >>> plain("It’s  HERE.")
    "it's here."
    """
    return " ".join(folded(normalize("NFC", text)).casefold().split())


def letters(text: str) -> str:
    """The text without any space, because some write one before punctuation and some do not.

    >>> letters("Rita 's here .")
    "rita'shere."
    """
    return plain(text).replace(" ", "")


def words(text: str) -> list[str]:
    """The words of a text, with their hyphens; single characters in scripts without spaces.

    >>> words("Tom's guarda-chuva"), words("把Tom带走。")
    (['tom', 's', 'guarda-chuva'], ['把', 'tom', '带', '走'])
    """
    return [word for piece in plain(text).translate(_SPACED).split() if (word := piece.strip("-"))]


class _Spaced(dict[int, str]):
    """By the code of a character, the text that `words` puts in its place before splitting."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if not is_word_character(character):
            replacement = character if character == "-" else " "
        else:
            replacement = f" {character} " if is_unspaced(character) else character
        self[code] = replacement
        return replacement


_SPACED = _Spaced()


@cache
def small_words(language: str) -> frozenset[str]:
    """The words of a language that join clauses and phrases; none if they are not listed.

    >>> "because" in small_words("en-GB"), small_words("tlh")
    (True, frozenset())
    """
    return frozenset(lexicon(language, "function_words").words("light"))


@cache
def closed_class(language: str) -> frozenset[str]:
    """Every listed function word of a language: determiners, pronouns, contractions, small words."""
    return small_words(language) | function_words(language).closed


_SHORTEST_STEM = 3


def names(passage: str, candidates: Sequence[str], index: int, language: str) -> bool:
    """Whether the passage has the candidate without its determiner, or a word that only this candidate has.

    Endings of up to two letters are ignored, for case and number. A passage may say "the tower" for "the new tower".

    >>> names("L'ombre tombe sur la tour.", ["la nouvelle tour", "la nouvelle église"], 0, "fr")
    True
    >>> names("L'ombre tombe sur l'église.", ["la nouvelle tour", "la nouvelle église"], 0, "fr")
    False
    >>> names("Походка осла была ровной.", ["осёл", "мул"], 0, "ru")
    True
    """
    grammar_words = function_words(language)
    cores = [grammar_words.without_determiner(candidate) for candidate in candidates]
    core = plain(cores[index])
    if not words(core):
        return core in plain(passage)
    other_pieces = {
        piece for position, other_core in enumerate(cores) if position != index for piece in _pieces(other_core)
    }
    distinctive = [piece for piece in _pieces(core) if piece not in other_pieces] or _pieces(core)
    forms = _pieces(passage)
    return (
        any(_is_form(piece, form) for piece in distinctive for form in forms)
        or _contains(passage, core)
        or (grammar_words.inflected is not None and _has_any(passage, grammar_words.inflected(candidates[index])))
    )


def _has_any(passage: str, forms: Iterable[str]) -> bool:
    """Whether a passage has one of the forms, word by word: *осла* for *осёл*."""
    padded = f" {' '.join(words(passage))} "
    return any(f" {' '.join(words(form))} " in padded for form in forms)


def _pieces(text: str) -> list[str]:
    """Words; in scripts without spaces, pairs of neighbouring characters."""
    single = words(text)
    pairs = [a + b for a, b in pairwise(single) if is_unspaced(a[0]) and is_unspaced(b[0])]
    return [word for word in single if not is_unspaced(word[0])] + pairs or single


def _is_form(word: str, form: str) -> bool:
    """Whether two words may be forms of one: they are alike except for the last two letters."""
    stem = word[: max(_SHORTEST_STEM, len(word) - 2)]
    return word == form or (len(word) > _SHORTEST_STEM and form.startswith(stem) and len(form) < len(word) + 3)


def _contains(passage: str, core: str) -> bool:
    """Whether a passage in a script without spaces has the core as it is, such as a name of one character."""
    return is_unspaced(core[0]) and core in plain(passage)
