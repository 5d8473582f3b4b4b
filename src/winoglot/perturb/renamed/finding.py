"""Find the names of people in a text with the help of name lists.

A name is a whole word with a capital letter. In a row of such words the first is the given name and the others are
surnames: *Rui* in *Rui Prado*, none in *São Paulo*. A single name after a title is a surname. Some names have several
words (*María del Carmen*: the table `names` of a language). The table `beside_names` of all languages has titles
(*Dona Rita*, *Mr. Taylor*) and words that make a name that of a place. `unspaced` reads Chinese and Japanese.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from winoglot.languages.base import language_hook
from winoglot.languages.lexicon import WordTable, lexicon, read_table
from winoglot.languages.names import UNLISTED, famous_names, is_also_word, locales, name_gender
from winoglot.languages.slots import opens_sentence
from winoglot.languages.substitution import elided_forms
from winoglot.perturb.renamed.unspaced import listed_names, stretches
from winoglot.schemas.spans import Span
from winoglot.schemas.text import ends_word, folded, is_unspaced, primary, starts_word

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from winoglot.languages.features import Trait

_UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
_LETTERS = rf"(?:[^\W\d_{_UNSPACED}][\u0300-\u036f]*)+"
_WORD = re.compile(rf"{_LETTERS}(?:[-‐‑]{_LETTERS})*")
_HYPHEN = re.compile("[-‐‑]")
_ELIDED = re.compile(r"\b\w+['’]$")
_WORD_AFTER = re.compile(r"[ \u00a0](\w+)")
_WORD_BEFORE = re.compile(r"\b(\w+)\.?[ \u00a0]$")
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


# Words and rows of words


@lru_cache(maxsize=1_000)  # the same few texts are read for every question about the names of a schema
def words_in(text: str, language: str) -> tuple[NameWord, ...]:
    """The whole words of a text with spaces; parts joined by an apostrophe do not count, except after an elision.

    >>> [word.name for word in words_in("Vi a María del Carmen.", "es")]
    ['Vi', 'a', 'María del Carmen']
    """
    words = list(_single_words(text, language))
    joined: list[NameWord] = []
    index = 0
    while index < len(words):
        end = index + 1
        while end < min(index + _LONGEST_COMPOUND, len(words)) and _is_next(text, words[end - 1], words[end]):
            end += 1
        length, name = _compound([word.text for word in words[index:end]])
        first, last = words[index], words[index + length - 1]
        span = Span(first.span.start, last.span.end)
        joined.append(NameWord(name, span, span.of(text), first.is_capital) if length > 1 else first)
        index += length
    return tuple(joined)


def _single_words(text: str, language: str) -> Iterator[NameWord]:
    elided = elided_forms(language)
    listed_name = language_hook(language, "listed_name")
    for match in _WORD.finditer(text):
        start, end = match.span()
        before = _ELIDED.search(text[:start])
        is_joined = before is not None and folded(before.group()) not in elided  # O'Neil
        if starts_word(text, start) and ends_word(text, end) and not is_joined:
            word = match.group()
            name = _as_listed(word)
            yield NameWord(
                listed_name(name) if listed_name and name[0].isupper() else name,
                Span(start, end),
                word,
                word[0].isupper(),
            )


@lru_cache(maxsize=1_000)
def runs_in(text: str, language: str) -> tuple[tuple[NameWord, ...], ...]:
    """Rows of adjacent capitalised words: given name and surnames.

    >>> [[word.name for word in run] for run in runs_in("Quando Rui Prado e a Dona Rita riram", "pt")]
    [['Quando'], ['Rui', 'Prado'], ['Dona'], ['Rita']]
    """
    runs: list[list[NameWord]] = []
    for word in words_in(text, language):
        if not word.is_capital:
            continue
        before = runs[-1][-1] if runs else None
        if before and _is_next(text, before, word) and not _is_apart(text, before, language):
            runs[-1].append(word)
        else:
            runs.append([word])
    people = (run for run in runs if not (_is_place(text, run[0]) or _is_thing(text, run[0], language)))
    return tuple(map(tuple, people))


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


def _is_next(text: str, word: NameSpan, following: NameSpan) -> bool:
    """Whether only a space separates two words."""
    return text[word.span.end : following.span.start] in (" ", "\u00a0")


def _as_listed(word: str) -> str:
    composed = unicodedata.normalize("NFC", word)
    return composed.title() if composed.isupper() and len(composed) > 1 else composed


# Names of several words


def listed_gender(name: str, language: str, *, widely: bool = False) -> Trait:
    """The gender of a name according to the lists; the first part of a compound name decides.

    All parts of a hyphenated name must be names. If a language that makes such names lists them all, it is a name of
    that language: Jean-Paul is a man in every language. `widely` searches the lists of all languages.

    >>> listed_gender("Jean-Paul", "en").value, listed_gender("Porte-Anne", "fr").value
    ('masculine', None)
    """
    parts = _HYPHEN.split(name.partition(" ")[0])
    if len(parts) > 1:
        for tag in (tag for tag, table in name_tables().items() if table.words("hyphenated")):
            genders = [name_gender(part, tag) for part in parts]
            if all(part.evidence.startswith(f"name list {tag}-") for part in genders):
                return genders[0]
    listed_name = [name_gender(part, language, widely=widely) for part in parts]
    return listed_name[0] if all(part.value for part in listed_name) else UNLISTED


def _compound(words: Sequence[str]) -> tuple[int, str]:
    """How many of the words, from the first one, form a compound name, and that name."""
    first = _as_listed(words[0])
    for length in range(min(_LONGEST_COMPOUND, len(words)), 1, -1):
        rest = folded(unicodedata.normalize("NFC", " ".join(words[1:length])))
        for tag, listed in _compounds().items():
            is_any = rest in listed["*"] and name_gender(first, tag).value
            if is_any or rest in listed.get(folded(first), ()):
                particles, _, last = rest.rpartition(" ")
                return length, " ".join(filter(None, (first[0].upper() + first[1:], particles, last.title())))
    return 1, first


@cache
def _compounds() -> Mapping[str, Mapping[str, Collection[str]]]:
    """For each language with compound names, what may follow a first name, or any (`*`)."""
    tables = {tag: table.values("compound") for tag, table in name_tables().items()}
    return {tag: {"*": (), **table} for tag, table in tables.items() if table}


@cache
def name_tables() -> Mapping[str, WordTable]:
    """The table `names` of every language, which a name in a text of another language may be from."""
    return {tag: read_table("winoglot.languages", f"{tag}/names") for tag in sorted({*map(primary, locales())})}


# Words before and after a name


def is_titled(text: str, name: NameWord, language: str) -> bool:
    """Whether a single name is a surname because of the title before it.

    >>> text = "Mr. Taylor met Tom."
    >>> [word.name for word in words_in(text, "en") if is_titled(text, word, "en")]
    ['Taylor']
    """
    before = _WORD_BEFORE.search(text[: name.span.start])
    title = folded(before.group(1)) if before else ""
    if before is None or title not in beside_names().words("surname-title"):
        return False
    has_small_titles = bool(lexicon(language, "nouns").words("name-like"))  # but "the doctor Mary saw"
    articled = lexicon(language, "nouns").features("articled").get(title)
    is_given = articled is not None and articled.gender == listed_gender(name.name, language).value
    return not is_given and (before.group()[0].isupper() or has_small_titles)


def _is_title(word: str) -> bool:
    return any(folded(word) in beside_names().words(feature) for feature in ("title", "surname-title"))


def _is_place(text: str, word: NameSpan) -> bool:
    """Whether the words beside a name make it a place or saint: "São Paulo", "rua Augusta", "Victoria Street"."""
    before = _WORD_BEFORE.search(text[: word.span.start])
    opening = folded(before.group(1)) if before else ""
    is_street = opening in beside_names().words("place-opener", "place")
    if before and (is_street or before.group()[0].isupper()) and opening in beside_names().words("place-opener"):
        return True
    after = _WORD_AFTER.match(text, word.span.end)
    return bool(after and after.group(1)[0].isupper() and is_place_noun(after.group(1)))


def is_place_noun(word: str) -> bool:
    """Whether the word after a name makes it that of a place."""
    return folded(word) in beside_names().words("place")


def may_be_place(text: str, word: NameSpan) -> bool:
    """Whether a first name that is a place too seems to be one here: "in Austin", "went to Paris", "Victoria station".

    >>> [may_be_place(text, place) for text in ("He drove to Austin.", "He spoke to Austin.", "I was in Austin's car.")
    ...  for place in places_of(text, {"Austin"}, "en")]
    [True, False, False]
    """
    after = _WORD_AFTER.match(text, word.span.end)
    is_continued = text[word.span.end :].startswith(("'", "’")) or bool(after and after.group(1)[0].isupper())
    if is_continued or folded(word.name) not in beside_names().words("place-too"):
        return False
    *_, fourth, third, second, last = ["", "", "", "", *re.findall(r"[\w-]+", folded(text[: word.span.start]))]
    table = beside_names()
    return (
        bool(after and is_place_noun(after.group(1)))
        or last in table.words("preposition", "location")
        or (
            last in table.words("preposition", "direction")
            and not table.words("motion").isdisjoint({fourth, third, second})
        )
        or (last in ("of", "de", "d") and second in table.words("place"))
    )


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


def beside_names() -> WordTable:
    """The table of words found beside names, and of names that are also places."""
    return read_table("winoglot.languages", "beside_names")


# Names


def names_in(text: str, language: str) -> list[NameSpan]:
    """The words that are certain to be given names: not those that are also words (*Rosa*), nor famous people.

    >>> [place.name for place in names_in("Quando Rui Prado chegou de São Paulo, Ana saiu.", "pt")]
    ['Rui', 'Ana']
    """
    places = [
        NameSpan(run[0].name, run[0].span)
        for run in runs_in(text, language)
        if listed_gender(run[0].name, language).value
        and not is_also_word(run[0].name, language)
        and not any(word.name in famous_names() for word in run)
    ]
    places += [NameSpan(span.of(text), span) for span in listed_names(text, language)]
    return sorted(places, key=lambda place: place.span)


def places_of(
    text: str, wanted: Collection[str], language: str, *, other_names: Collection[str] = (), is_sentence: bool = True
) -> list[NameSpan]:
    """Where the text contains the wanted names, except inside longer words or other names.

    A word such as *Will* at the start of a sentence and before another name is treated as a word. The citation form of
    a candidate, which is not a sentence, may have its names in lower case.

    >>> [place.span for place in places_of("Ana, Anabela e Mari-Ana.", {"Ana"}, "pt")]
    [Span(start=0, end=3)]
    """
    all_names = {*wanted, *other_names}
    words = [word for word in words_in(text, language) if word.is_capital]
    if not is_sentence and not words:
        words = [
            word if word.name[0].isupper() else replace(word, name=word.name.title())
            for word in words_in(text, language)
        ]
    places = []
    for word, following in zip(words, [*words[1:], None], strict=False):
        if word.name not in wanted or _is_place(text, word):
            continue
        is_opening = is_sentence and is_also_word(word.name, language) and opens_sentence(text, word.span.start)
        if is_opening and following and following.name in all_names and _is_next(text, word, following):
            continue
        places.append(NameSpan(word.name, word.span))
    places += [
        NameSpan(span.of(text), span) for span in stretches(text, all_names, language) if span.of(text) in wanted
    ]
    return sorted(places, key=lambda place: place.span)
