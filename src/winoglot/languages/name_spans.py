"""Find the names of people in a text with the help of name lists.

A name is a whole word with a capital letter. In a row of such words the first is the given name and the others are
surnames: *Rui* in *Rui Prado*, none in *São Paulo*. A single name after a title is a surname.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.name_words import (
    NameSpan,
    is_next,
    is_place,
    is_titled,
    listed_gender,
    runs_in,
    words_in,
)
from winoglot.languages.names import famous_names, is_also_word, is_name
from winoglot.languages.slots import opens_sentence
from winoglot.languages.unspaced_names import listed_names, stretches

if TYPE_CHECKING:
    from collections.abc import Collection


def names_in(text: str, language: str) -> list[NameSpan]:
    """The words that are certain to be given names: not those that are also words (*Rosa*), nor famous people.

    >>> [found.name for found in names_in("Quando Rui Prado chegou de São Paulo, Ana saiu.", "pt")]
    ['Rui', 'Ana']
    """
    found = [
        NameSpan(run[0].name, run[0].span)
        for run in runs_in(text, language)
        if listed_gender(run[0].name, language).value
        and not is_also_word(run[0].name, language)
        and not any(word.name in famous_names() for word in run)
    ]
    found += [NameSpan(span.of(text), span) for span in listed_names(text, language)]
    return sorted(found, key=lambda one: one.span)


def doubtful_names_in(text: str, language: str) -> set[str]:
    """Names that are also words, capitalised inside a sentence: "because Bill said so", "in May".

    >>> doubtful_names_in("A casa é da Rosa.", "pt")
    {'Rosa'}
    """
    return {
        run[0].name
        for run in runs_in(text, language)
        if len(run) == 1
        and is_also_word(run[0].name, language)
        and is_name(run[0].name, language)
        and not opens_sentence(text, run[0].span.start)
    }


def surnames_in(text: str, language: str) -> set[str]:
    """The words that follow a given name.

    >>> surnames_in("Rui Prado chegou.", "pt")
    {'Prado'}
    """
    return {
        word.name for run in runs_in(text, language) for word in run[1:] if listed_gender(run[0].name, language).value
    }


def titled_in(text: str, language: str) -> set[str]:
    """Single names after a title that surnames take.

    >>> titled_in("Mrs. Thomas met Mr. Frank Taylor and Aunt Mary.", "en")
    {'Thomas'}
    """
    return {run[0].name for run in runs_in(text, language) if len(run) == 1 and is_titled(text, run[0], language)}


def bearers_in(text: str, language: str, names: Collection[str]) -> set[str]:
    """The given names of people who have one of the names as given name or surname.

    >>> bearers_in("Rui Prado viu Ana e Prado.", "pt", {"Prado"}) == {"Rui", "Prado"}
    True
    """
    return {
        run[0].name
        for run in runs_in(text, language)
        if any(word.name in names or any(part in names for part in word.name.split()) for word in run)
    }


def places_of(
    text: str, wanted: Collection[str], language: str, *, others: Collection[str] = (), is_sentence: bool = True
) -> list[NameSpan]:
    """Where the text contains the wanted names, except inside longer words or other names.

    A word such as *Will* at the start of a sentence and before another name is treated as a word. The citation form of
    a candidate, which is not a sentence, may have its names in lower case.

    >>> [place.span for place in places_of("Ana, Anabela e Mari-Ana.", {"Ana"}, "pt")]
    [Span(start=0, end=3)]
    """
    every = {*wanted, *others}
    words = [word for word in words_in(text, language) if word.is_capital]
    if not is_sentence and not words:
        words = [
            word if word.name[0].isupper() else replace(word, name=word.name.title())
            for word in words_in(text, language)
        ]
    found = []
    for word, following in zip(words, [*words[1:], None], strict=False):
        if word.name not in wanted or is_place(text, word):
            continue
        is_opening = is_sentence and is_also_word(word.name, language) and opens_sentence(text, word.span.start)
        if is_opening and following and following.name in every and is_next(text, word, following):
            continue
        found.append(NameSpan(word.name, word.span))
    found += [NameSpan(span.of(text), span) for span in stretches(text, every, language) if span.of(text) in wanted]
    return sorted(found, key=lambda one: one.span)
