"""Titles, kinship terms and roles that imply a gender: *madame Grand*, *the old king*, 王女士.

They are listed in `gendered_people.txt` in a language's folder: `aunt, queen = feminine`. A word counts only as the
head of its phrase: a *queen bee* is not a queen. In languages whose adjectives follow the noun, `prenominals.txt` lists
those that precede it, and the head is the first other word; elsewhere it is the last word before a preposition.
"""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import takewhile

from winoglot.languages.base import function_words
from winoglot.languages.lexicon import lexicon
from winoglot.languages.traits import UNKNOWN, Trait
from winoglot.schemas.text import folded, is_unspaced

_WORD = re.compile(r"[^\W\d_][\w'’\-]*")
_LAST_WORD = re.compile(r"(?<!\w)([^\W\d_]+)\.?[ \u00a0]$")


@lru_cache(maxsize=10_000)
def person_gender(phrase: str, language: str) -> Trait:
    """The gender that a title or the head of a phrase shows; unknown for several people together.

    >>> [str(person_gender(phrase, "en")) for phrase in ("Mrs. Jones", "the old king")]
    ["feminine: title 'Mrs'", "masculine: noun 'king'"]
    >>> person_gender("the queen bee", "en").value, person_gender("张先生", "zh").value
    (None, 'masculine')
    """
    table = lexicon(language, "nouns").features("person")
    if not table or not phrase:
        return UNKNOWN
    if is_unspaced(phrase[-1]):
        return _ending(phrase, language)
    words = _WORD.findall(function_words(language).without_determiner(phrase))
    if not words or "," in phrase or not lexicon(language, "function_words").words("conjunction").isdisjoint(words):
        return UNKNOWN
    if len(words) > 1 and all(word[0].isupper() for word in words[1:]):
        return _shown("title", words[0], language)
    return _shown("noun", _head(words, language), language)


def title_before(text: str, start: int, language: str) -> Trait:
    """The gender shown by a title right before the name at `start`: "Mrs. Jones", mentioned as "Jones".

    >>> str(title_before("I saw Mrs. Jones.", 11, "en"))
    "feminine: title 'Mrs'"
    """
    is_name = text[start : start + 1].isupper()
    before = _LAST_WORD.search(text[:start]) if is_name else None
    return _shown("title", before.group(1), language) if before else UNKNOWN


def _shown(what: str, word: str, language: str) -> Trait:
    features = lexicon(language, "nouns").features("person").get(folded(word))
    return Trait(features.gender, f"{what} {word!r}") if features else UNKNOWN


def _head(words: list[str], language: str) -> str:
    prenominals = lexicon(language, "adjectives").words("prenominal")
    if prenominals:
        skipped = prenominals | lexicon(language, "determiners").words("articleless")  # "deux petits garçons"
        return next((word for word in words if folded(word) not in skipped), "")
    stops = lexicon(language, "function_words").words("preposition") | lexicon(language, "function_words").words(
        "light"
    )
    return ["", *takewhile(lambda word: folded(word) not in stops, words)][-1]


def _ending(phrase: str, language: str) -> Trait:
    """What the last noun shows in scripts without spaces; 爸爸和妈妈 are two people."""
    head = re.split("[的の]", phrase)[-1]
    listed = lexicon(language, "nouns").features("person")
    found = [word for word in listed if head.endswith(word) and (len(word) > 1 or word == head)]
    if not found:
        return UNKNOWN
    word = max(found, key=len)
    others = [listed[other].gender for other in listed if len(other) > 1 and other in head[: -len(word)]]
    return UNKNOWN if others else Trait(listed[word].gender, f"noun {word!r}")
