"""Words whose form depends on how the next one begins: French *le*/*l'*, English *a*/*an*."""

from __future__ import annotations

import unicodedata

from winoglot.languages.tables import word_list
from winoglot.schemas.words import folded

_VOWELS = "aeiouœæ"


def elision_fault(word: str, following: str, language: str) -> str | None:
    """What is wrong with a word before another, or None: nothing, or not sure.

    >>> elision_fault("la", "école", "fr")
    "'la' stands before a vowel in 'école'"
    >>> elision_fault("la", "hache", "fr")
    """
    vowel = begins_with_vowel(following, language)
    if vowel is True and folded(word) in word_list(language, "before_consonants.txt"):
        return f"{word!r} stands before a vowel in {following!r}"
    if vowel is False and folded(word) in word_list(language, "before_vowels.txt"):
        return f"{word!r} stands before a consonant in {following!r}"
    return None


def begins_with_vowel(word: str, language: str) -> bool | None:
    """Whether a vowel is heard first; None where spelling does not tell."""
    plain = folded(word)
    if not plain[:1].isalpha() or plain.startswith(word_list(language, "unsure_onsets.txt")):
        return None
    if len(plain) == 1 and plain != "à":
        return None  # a letter is called by its name: an M
    if word.isupper() or any(character.isdigit() for character in word):
        return None  # so are initials: an MP
    return unicodedata.normalize("NFD", plain)[0] in _VOWELS
