"""The words of a text that may be names, and which of them form one full name.

The table `names` in this folder has titles (*Dona Rita*, *Mr. Taylor*) and words that make a name that of a place
(*São Paulo*); `compound_names.txt` has names like *María del Carmen*.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import offered, read_words
from winoglot.languages.lexicon import WordTable, lexicon, read_table
from winoglot.languages.names import UNLISTED, is_also_word, name_gender
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import elided_forms
from winoglot.schemas.spans import Span
from winoglot.schemas.text import ends_word, folded, is_unspaced, starts_word

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.languages.features import Trait

_PACKAGE = "winoglot.languages"
_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}][\u0300-\u036f]*)+"
_WORD = re.compile(rf"{_LETTERS}(?:[-‐‑]{_LETTERS})*")
_HYPHEN = re.compile("[-‐‑]")
_ELIDED = re.compile(r"\w+['’]$")
_WORD_BEFORE = re.compile(r"(\w+)\.?[ \u00a0]$")
_LONGEST_COMPOUND = 4  # words: María de los Ángeles


@dataclass(frozen=True)
class NameSpan:
    """A given name as spelt in the lists, and its position."""

    name: str
    span: Span


@dataclass(frozen=True)
class NameWord(NameSpan):
    """A word, or several words, that may be a name."""

    text: str
    is_capital: bool


@lru_cache(maxsize=1_000)  # the same few texts are read for every question about the names of a schema
def words_in(text: str, language: str) -> tuple[NameWord, ...]:
    """The whole words of a text with spaces; parts joined by an apostrophe do not count, except after an elision.

    >>> [word.name for word in words_in("Vi a María del Carmen.", "es")]
    ['Vi', 'a', 'María del Carmen']
    """
    words = list(_single_words(text, language))
    joined: list[NameWord] = []
    at = 0
    while at < len(words):
        end = at + 1
        while end < min(at + _LONGEST_COMPOUND, len(words)) and is_next(text, words[end - 1], words[end]):
            end += 1
        length, name = _compound([word.text for word in words[at:end]])
        first, last = words[at], words[at + length - 1]
        span = Span(first.span.start, last.span.end)
        joined.append(NameWord(name, span, span.of(text), first.is_capital) if length > 1 else first)
        at += length
    return tuple(joined)


def runs_in(text: str, language: str) -> list[list[NameWord]]:
    """Rows of adjacent capitalised words: given name and surnames.

    >>> [[word.name for word in run] for run in runs_in("Quando Rui Prado e a Dona Rita riram", "pt")]
    [['Quando'], ['Rui', 'Prado'], ['Dona'], ['Rita']]
    """
    runs: list[list[NameWord]] = []
    for word in words_in(text, language):
        if not word.is_capital:
            continue
        before = runs[-1][-1] if runs else None
        if before and is_next(text, before, word) and not _is_apart(text, before, language):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [run for run in runs if not (is_place(text, run[0]) or _is_thing(text, run[0], language))]


def full_name(phrase: str) -> list[str]:
    """The words of a phrase that can only be a name, without its title; empty if it can be something else.

    >>> full_name("Dona Rita Prado"), full_name("o tio de Rui"), full_name("María del Carmen Ruiz"), full_name("小雯")
    (['Rita', 'Prado'], [], ['María del Carmen', 'Ruiz'], ['小雯'])
    """
    if phrase and all(map(is_unspaced, phrase)):
        return [phrase]
    words = phrase.split(" ")
    while len(words) > 1 and _is_title(words[0].rstrip(".")):
        words = words[1:]
    names = []
    while words:
        length, name = _compound(words)
        if not _WORD.fullmatch(words[0]) or not words[0][0].isupper():
            return []
        names.append(name)
        words = words[length:]
    return names


def listed_gender(name: str, language: str, *, widely: bool = False) -> Trait:
    """The gender of a name according to the lists; the first part of a compound name decides.

    All parts of a hyphenated name must be names. It is French if the French list has them all: Jean-Paul is a man in
    every language. `widely` searches the lists of all languages.

    >>> listed_gender("Jean-Paul", "en").value, listed_gender("Porte-Anne", "fr").value
    ('masculine', None)
    """
    parts = _HYPHEN.split(name.partition(" ")[0])
    if len(parts) > 1:
        french = [name_gender(part, "fr") for part in parts]
        if all(part.evidence.startswith("name list fr-FR") for part in french):
            return french[0]
    found = [name_gender(part, language, widely=widely) for part in parts]
    return found[0] if all(part.value for part in found) else UNLISTED


def is_titled(text: str, name: NameWord, language: str) -> bool:
    """Whether a single name is a surname because of the title before it.

    >>> text = "Mr. Taylor met Tom."
    >>> [word.name for word in words_in(text, "en") if is_titled(text, word, "en")]
    ['Taylor']
    """
    before = _WORD_BEFORE.search(text[: name.span.start])
    title = folded(before.group(1)) if before else ""
    if before is None or title not in _named_with().words("surname-title"):
        return False
    has_small_titles = bool(lexicon(language, "nouns").words("name-like"))  # but "the doctor Mary saw"
    articled = lexicon(language, "nouns").features("articled").get(title)
    is_given = articled is not None and articled.gender == listed_gender(name.name, language).value
    return not is_given and (before.group()[0].isupper() or has_small_titles)


def is_place(text: str, word: NameSpan) -> bool:
    """Whether the word before it makes it the name of a place or saint: "São Paulo"."""
    before = _WORD_BEFORE.search(text[: word.span.start])
    return bool(
        before and before.group()[0].isupper() and folded(before.group(1)) in _named_with().words("place-opener")
    )


def is_next(text: str, word: NameSpan, following: NameSpan) -> bool:
    """Whether only a space separates two words."""
    return text[word.span.end : following.span.start] in (" ", "\u00a0")


def _single_words(text: str, language: str) -> Iterator[NameWord]:
    elided = elided_forms(language)
    listed = offered(language, "listed_name")
    for match in _WORD.finditer(text):
        start, end = match.span()
        before = _ELIDED.search(text[:start])
        is_joined = before is not None and folded(before.group()) not in elided  # O'Neil
        if starts_word(text, start) and ends_word(text, end) and not is_joined:
            word = match.group()
            name = _as_listed(word)
            yield NameWord(
                listed(name) if listed and name[0].isupper() else name, Span(start, end), word, word[0].isupper()
            )


def _compound(words: Sequence[str]) -> tuple[int, str]:
    """How many of the words, from the first one, form a compound name, and that name."""
    for length in range(min(_LONGEST_COMPOUND, len(words)), 1, -1):
        name = _compounds().get(folded(unicodedata.normalize("NFC", " ".join(words[:length]))))
        if name:
            return length, name
        second = _compounds().get(folded(unicodedata.normalize("NFC", " ".join(["*", *words[1:length]]))), "")
        first = _as_listed(words[0])
        if second and name_gender(first, "es").value:
            return length, first + second.removeprefix("*")
    return 1, _as_listed(words[0])


@cache
def _compounds() -> dict[str, str]:
    """Compound names as written, by their lower-case form."""
    table: dict[str, str] = {}
    for line in read_words(_PACKAGE, "compound_names.txt"):
        firsts, seconds = ([part.strip() for part in side.split(",")] for side in line.split("="))
        names = [f"{first} {second}" for first in firsts for second in seconds]
        table |= {folded(name): name for name in names}
    return table


def _as_listed(word: str) -> str:
    composed = unicodedata.normalize("NFC", word)
    return composed.title() if composed.isupper() and len(composed) > 1 else composed


def _is_title(word: str) -> bool:
    return any(folded(word) in _named_with().words(feature) for feature in ("title", "surname-title"))


def _is_apart(text: str, word: NameWord, language: str) -> bool:
    """Whether a capitalised word before a name is not part of it: a title, or a first word that is not a name."""
    if _is_title(word.text):
        return True
    before = _WORD_BEFORE.search(text[: word.span.start])
    if before and before.group()[0].isupper() and _is_title(before.group(1)):  # its full stop does not end a sentence
        return False
    is_surely_name = listed_gender(word.name, language).value and not is_also_word(word.name, language)
    return opens_sentence(text, word.span.start) and not is_surely_name


def _is_thing(text: str, word: NameWord, language: str) -> bool:
    """Whether the name follows an article that a person would not have: "the Stanley Cup", "les Martin"."""
    before = _WORD_BEFORE.search(text[: word.span.start])
    article = lexicon(language, "determiners").features("definite").get(folded(before.group(1))) if before else None
    return article is not None and article.gender is None


def _named_with() -> WordTable:
    return read_table(_PACKAGE, "names")
