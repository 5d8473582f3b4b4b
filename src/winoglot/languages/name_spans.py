"""Where person names stand in a text, as far as the lists of names tell.

A name is a whole word with a capital. Of several such words side by side the first is the given name and the others
are surnames: *Rui* of *Rui Prado*, nothing of *São Paulo*. Tables beside this module: `titles.txt` (*Dona Rita*),
`place_openers.txt` (*São*).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import read_words
from winoglot.languages.names import UNLISTED, famous_names, is_also_word, is_name, name_gender
from winoglot.languages.slots import opens_sentence
from winoglot.languages.tables import feature_table, pairs
from winoglot.languages.unspaced_names import listed_names, stretches
from winoglot.schemas.span import Span
from winoglot.schemas.words import ends_word, folded, is_unspaced, starts_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from winoglot.languages.traits import Trait

_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}][\u0300-\u036f]*)+"
_WORD = re.compile(rf"{_LETTERS}(?:[-‐‑]{_LETTERS})*")
_ELIDED = re.compile(r"\w+['’]$")
_WORD_BEFORE = re.compile(r"(\w+)\.?[ \u00a0]$")


@dataclass(frozen=True)
class NameSpan:
    """A given name as the lists write it, and where it stands."""

    name: str
    span: Span


@dataclass(frozen=True)
class _Word(NameSpan):
    text: str
    is_capital: bool


def names_in(text: str, language: str) -> list[NameSpan]:
    """The given names that are sure to be some: not those that are words too (*Rosa*), nor those of a famous person.

    >>> [found.name for found in names_in("Quando Rui Prado chegou de São Paulo, Ana saiu.", "pt")]
    ['Rui', 'Ana']
    """
    found = [
        NameSpan(run[0].name, run[0].span)
        for run in _runs(text, language)
        if listed_gender(run[0].name, language).value
        and not is_also_word(run[0].name, language)
        and not any(word.name in famous_names() for word in run)
    ]
    found += [NameSpan(span.of(text), span) for span in listed_names(text, language)]
    return sorted(found, key=lambda one: one.span)


def doubtful_names_in(text: str, language: str) -> set[str]:
    """Names that are words too, where their capital is not that of a sentence: "because Bill said so", "in May".

    >>> doubtful_names_in("A casa é da Rosa.", "pt")
    {'Rosa'}
    """
    return {
        run[0].name
        for run in _runs(text, language)
        if len(run) == 1
        and is_also_word(run[0].name, language)
        and is_name(run[0].name, language)
        and not opens_sentence(text, run[0].span.start)
    }


def listed_gender(name: str, language: str) -> Trait:
    """The gender that lists give a name; of a hyphenated one all parts are names, and the first one tells.

    >>> listed_gender("Jean-Paul", "fr").value, listed_gender("Porte-Anne", "fr").value
    ('masculine', None)
    """
    parts = [name_gender(part, language) for part in re.split("[-‐‑]", name)]
    return parts[0] if all(part.value for part in parts) else UNLISTED


def surnames_in(text: str, language: str) -> set[str]:
    """What stands behind a given name.

    >>> surnames_in("Rui Prado chegou.", "pt")
    {'Prado'}
    """
    return {word.name for run in _runs(text, language) for word in run[1:] if is_name(run[0].name, language)}


def bearers_in(text: str, language: str, names: Collection[str]) -> set[str]:
    """The given names of those who bear one of the names, whether as given name or as surname.

    >>> bearers_in("Rui Prado viu Ana e Prado.", "pt", {"Prado"}) == {"Rui", "Prado"}
    True
    """
    return {run[0].name for run in _runs(text, language) if any(word.name in names for word in run)}


def full_name(phrase: str) -> list[str]:
    """The words of a phrase that can be a name and nothing else, a title aside; none where it cannot.

    >>> full_name("Dona Rita Prado"), full_name("o tio de Rui"), full_name("小雯")
    (['Rita', 'Prado'], [], ['小雯'])
    """
    if phrase and all(map(is_unspaced, phrase)):
        return [phrase]
    words = phrase.split(" ")
    while len(words) > 1 and folded(words[0]).rstrip(".") in _word_set("titles.txt"):
        words = words[1:]
    is_name_only = all(_WORD.fullmatch(word) and word[0].isupper() for word in words)
    return [_as_listed(word) for word in words] if is_name_only else []


def places_of(
    text: str, wanted: Collection[str], language: str, *, others: Collection[str] = (), is_sentence: bool = True
) -> list[NameSpan]:
    """Where the text has the wanted names, but not inside of longer words or of the other names.

    A word such as *Will* that opens a sentence before another name is taken for the word. What is no sentence but the
    citation of a candidate may have all its names in small letters.

    >>> [place.span for place in places_of("Ana, Anabela e Mari-Ana.", {"Ana"}, "pt")]
    [Span(start=0, end=3)]
    """
    every = {*wanted, *others}
    words = [word for word in _words(text, language) if word.is_capital]
    if not is_sentence and not words:
        words = [replace(word, name=word.name.title()) for word in _words(text, language)]
    found = []
    for word, following in zip(words, [*words[1:], None], strict=False):
        if word.name not in wanted or _is_place(text, word):
            continue
        is_opening = is_sentence and is_also_word(word.name, language) and opens_sentence(text, word.span.start)
        if is_opening and following and following.name in every and _is_next(text, word, following):
            continue
        found.append(NameSpan(word.name, word.span))
    found += [NameSpan(span.of(text), span) for span in stretches(text, every, language) if span.of(text) in wanted]
    return sorted(found, key=lambda one: one.span)


def _words(text: str, language: str) -> Iterator[_Word]:
    """The whole words of spaced scripts; what an apostrophe joins is none, unless an elision left it."""
    elided = {written.split()[0] for written in pairs(language, "elisions.txt").values()}
    for match in _WORD.finditer(text):
        start, end = match.span()
        before = _ELIDED.search(text[:start])
        is_joined = before is not None and folded(before.group()) not in elided  # O'Neil
        if starts_word(text, start) and ends_word(text, end) and not is_joined:
            word = match.group()
            yield _Word(_as_listed(word), Span(start, end), word, word[0].isupper())


def _as_listed(word: str) -> str:
    composed = unicodedata.normalize("NFC", word)
    return composed.title() if composed.isupper() and len(composed) > 1 else composed


def _runs(text: str, language: str) -> list[list[_Word]]:
    """Words with capitals that stand side by side, as given name and surnames."""
    runs: list[list[_Word]] = []
    for word in _words(text, language):
        if not word.is_capital:
            continue
        before = runs[-1][-1] if runs else None
        if before and _is_next(text, before, word) and not _is_apart(text, before, language):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [run for run in runs if not (_is_place(text, run[0]) or _is_thing(text, run[0], language))]


def _is_apart(text: str, word: _Word, language: str) -> bool:
    """Whether a capital word before a name is no part of it: a title, or what opens the sentence and is no name."""
    if folded(word.text) in _word_set("titles.txt"):
        return True
    is_surely_name = is_name(word.name, language) and not is_also_word(word.name, language)
    return opens_sentence(text, word.span.start) and not is_surely_name


def _is_place(text: str, word: _Word) -> bool:
    before = _WORD_BEFORE.search(text[: word.span.start])
    return bool(before and before.group()[0].isupper() and folded(before.group(1)) in _word_set("place_openers.txt"))


def _is_thing(text: str, word: _Word, language: str) -> bool:
    """Whether an article stands before the name that no person has: "the Stanley Cup", "les Martin"."""
    before = _WORD_BEFORE.search(text[: word.span.start])
    article = feature_table(language, "definite_articles.txt").get(folded(before.group(1))) if before else None
    return article is not None and article.gender is None


def _is_next(text: str, word: _Word, following: _Word) -> bool:
    return text[word.span.end : following.span.start] in (" ", "\u00a0")


@cache
def _word_set(name: str) -> frozenset[str]:
    return frozenset(" ".join(read_words("winoglot.languages", name)).split())
