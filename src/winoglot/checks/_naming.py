"""Whether a passage names a candidate, in whatever form its grammar gives it."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.checks._words import plain, words
from winoglot.languages.base import function_words
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

_SHORTEST_STEM = 3


def names(passage: str, candidates: Sequence[str], index: int, language: str) -> bool:
    """Whether the passage holds the candidate without its determiner, or a word that only this candidate has.

    Two endings aside, for case and number; so that a passage may say "the tower" for "the new tower".

    >>> names("L'ombre tombe sur la tour.", ["la nouvelle tour", "la nouvelle église"], 0, "fr")
    True
    >>> names("L'ombre tombe sur l'église.", ["la nouvelle tour", "la nouvelle église"], 0, "fr")
    False
    """
    known = function_words(language)
    cores = [known.without_determiner(candidate) for candidate in candidates]
    core = plain(cores[index])
    if not words(core):
        return core in plain(passage)
    others = {piece for number, other in enumerate(cores) if number != index for piece in _pieces(other)}
    own = [piece for piece in _pieces(core) if piece not in others] or _pieces(core)
    found = _pieces(passage)
    return any(_is_form(piece, form) for piece in own for form in found) or _holds(passage, core)


def _pieces(text: str) -> list[str]:
    """Words; where there are no spaces between these, pairs of neighbouring characters."""
    single = words(text)
    pairs = [a + b for a, b in pairwise(single) if is_unspaced(a[0]) and is_unspaced(b[0])]
    return [word for word in single if not is_unspaced(word[0])] + pairs or single


def _is_form(word: str, other: str) -> bool:
    """Whether two words may be forms of one: they begin alike, but for the last two letters."""
    stem = word[: max(_SHORTEST_STEM, len(word) - 2)]
    return word == other or (len(word) > _SHORTEST_STEM and other.startswith(stem) and len(other) < len(word) + 3)


def _holds(passage: str, core: str) -> bool:
    """Scripts without spaces: a name of one character, or one cut otherwise, is found as it is."""
    return is_unspaced(core[0]) and core in plain(passage)
