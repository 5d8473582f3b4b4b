"""Texts as rules compare them: words in small letters, scripts without spaces character by character."""

from __future__ import annotations

from functools import cache
from unicodedata import normalize

from winoglot.languages.base import function_words
from winoglot.languages.tables import word_list
from winoglot.schemas.text import folded, is_unspaced, is_word_character


def plain(text: str) -> str:
    """The text as one would hear it: case, blanks, kinds of apostrophe and ways of encoding a letter aside.

    >>> plain("It’s  HERE.")
    "it's here."
    """
    return " ".join(folded(normalize("NFC", text)).casefold().split())


def letters(text: str) -> str:
    """The same without any blank, which some write before punctuation and some do not.

    >>> letters("Rita 's here .")
    "rita'shere."
    """
    return plain(text).replace(" ", "")


def words(text: str) -> list[str]:
    """The words of a text, hyphens inside; each character for itself where there are no spaces between words.

    >>> words("Tom's guarda-chuva"), words("把Tom带走。")
    (['tom', 's', 'guarda-chuva'], ['把', 'tom', '带', '走'])
    """
    found: list[str] = []
    open_word = False
    for character in plain(text):
        if is_unspaced(character) or not (is_word_character(character) or (open_word and character == "-")):
            if is_unspaced(character) and is_word_character(character):
                found.append(character)
            open_word = False
        elif open_word:
            found[-1] += character
        else:
            found.append(character)
            open_word = True
    return [word.rstrip("-") for word in found]


@cache
def small_words(language: str) -> frozenset[str]:
    """The words of a language that join clauses and phrases; none for one that nobody has listed.

    >>> "because" in small_words("en-GB"), small_words("tlh")
    (True, frozenset())
    """
    return frozenset(" ".join(word_list(language, "small_words.txt")).split())


@cache
def closed_class(language: str) -> frozenset[str]:
    """Every listed word of a language that carries no content: determiners, pronouns, contractions, small words."""
    known = function_words(language)
    return small_words(language).union(known.determiners, known.possessives, known.contractions, known.pronouns)
