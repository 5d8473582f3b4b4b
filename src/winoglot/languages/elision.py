"""Words whose form depends on how the next word begins: French *le*/*l'*, English *a*/*an*.

A language's table `spelling` has the forms (`before-vowel`, `before-consonant`) and the words that do not sound like
their first letter: `hach- = onset:consonant`. The longest beginning wins, a form without hyphen is a whole word;
`onset:vowel,consonant` says that usage varies, the usual sound first, `onset:unsure` that spelling decides nothing, and
`lower-case` that a name may differ.
"""

from __future__ import annotations

import unicodedata
from functools import cache

from winoglot.languages.base import language_module
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.text import folded

_VOWELS = "aeiouœæ"


def elision_fault(word: str, following: str, language: str) -> str | None:
    """What is wrong with a word before another; None if nothing is, or if it is uncertain.

    >>> elision_fault("la", "école", "fr"), elision_fault("l'", "hache", "fr")
    ("'la' comes before a vowel in 'école'", '"l\\'" comes before a consonant in \\'hache\\'')
    >>> elision_fault("la", "hache", "fr"), elision_fault("la", "hyène", "fr"), elision_fault("l'", "hyène", "fr")
    (None, None, None)
    """
    vowel = begins_with_vowel(following, language)
    if vowel is True and folded(word) in lexicon(language, "spelling").words("before-consonant"):
        return f"{word!r} comes before a vowel in {following!r}"
    if vowel is False and folded(word) in lexicon(language, "spelling").words("before-vowel"):
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
    if not plain[:1].isalpha():
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
    spelling = lexicon(language, "spelling")
    table = spelling.values("onset")
    lengths = range(min(_longest(language), len(plain)), 0, -1)
    beginnings = (f"{plain[:length]}-" for length in lengths)
    line = plain if plain in table else next((one for one in beginnings if one in table), None)
    if line is None:
        return None
    if is_capital and line in spelling.words("lower-case"):
        return "unsure"
    return " or ".join(table[line])


@cache
def _longest(language: str) -> int:
    return max(map(len, lexicon(language, "spelling").values("onset")), default=0)
