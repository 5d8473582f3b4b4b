"""Words whose form depends on how the next word begins: French *le*/*l'*, English *a*/*an*.

Tables in a language's folder: `before_vowels.txt` and `before_consonants.txt` (the forms), `onsets.txt` (beginnings
that do not sound like their first letter: `hache = consonant`; the longest wins, a final `|` means the whole word,
`vowel or consonant` that usage varies, the usual sound first, and `vowel in small letters` that a name may differ),
`unsure_onsets.txt` (beginnings that decide nothing).
"""

from __future__ import annotations

import unicodedata
from functools import cache

from winoglot.languages.base import language_module
from winoglot.languages.tables import pairs, word_list
from winoglot.schemas.text import folded

_VOWELS = "aeiouœæ"
_COMMON = "vowel in small letters"


def elision_fault(word: str, following: str, language: str) -> str | None:
    """What is wrong with a word before another; None if nothing is, or if it is uncertain.

    >>> elision_fault("la", "école", "fr"), elision_fault("l'", "hache", "fr")
    ("'la' comes before a vowel in 'école'", '"l\\'" comes before a consonant in \\'hache\\'')
    >>> elision_fault("la", "hache", "fr"), elision_fault("la", "hyène", "fr"), elision_fault("l'", "hyène", "fr")
    (None, None, None)
    """
    vowel = begins_with_vowel(following, language)
    if vowel is True and folded(word) in word_list(language, "before_consonants.txt"):
        return f"{word!r} comes before a vowel in {following!r}"
    if vowel is False and folded(word) in word_list(language, "before_vowels.txt"):
        return f"{word!r} comes before a consonant in {following!r}"
    return None


def begins_with_vowel(word: str, language: str) -> bool | None:
    """Whether the word begins with a vowel sound; None if spelling does not show it or usage varies.

    >>> [begins_with_vowel(word, "fr") for word in ("homme", "héros", "Yvan", "yaourt", "hyène")]
    [True, False, True, False, None]
    """
    said = _onset(word, language)
    return None if said is None or " or " in said else said == "vowel"


def usually_begins_with_vowel(word: str, language: str) -> bool | None:
    """Like `begins_with_vowel`, but where usage varies, according to the more usual one.

    >>> usually_begins_with_vowel("hyène", "fr"), usually_begins_with_vowel("Hrotsvita", "fr")
    (True, None)
    """
    said = _onset(word, language)
    return None if said is None else said.startswith("vowel")


def _onset(word: str, language: str) -> str | None:
    plain = unicodedata.normalize("NFC", folded(word))
    listed = _listed(plain, word[:1].isupper(), language)
    if listed is not None:
        return None if listed == "unsure" else listed
    if not plain[:1].isalpha() or plain.startswith(word_list(language, "unsure_onsets.txt")):
        return None
    if len(plain) == 1 and plain != "à":
        return None  # a letter is pronounced by its name: an M
    is_initials = word.isupper() or any(character.isdigit() for character in word)
    if is_initials and not getattr(language_module(language), "INITIALS_LIKE_WORDS", False):
        return None  # so are acronyms: an MP
    first = unicodedata.normalize("NFD", plain)[0]
    if not unicodedata.name(first, "").startswith("LATIN"):
        return None
    return "vowel" if first in _VOWELS else "consonant"


def _listed(plain: str, is_capital: bool, language: str) -> str | None:
    """What the table says about a word; None if it has no line for it."""
    table, longest = _onsets(language)
    if plain + "|" in table:
        return table[plain + "|"]
    lengths = range(min(longest, len(plain)), 0, -1)
    said = next((table[plain[:length]] for length in lengths if plain[:length] in table), None)
    if said == _COMMON:
        return "unsure" if is_capital else "vowel"
    return said


@cache
def _onsets(language: str) -> tuple[dict[str, str], int]:
    table = pairs(language, "onsets.txt")
    return table, max(map(len, table), default=0)
