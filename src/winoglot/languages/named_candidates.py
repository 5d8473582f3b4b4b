"""Candidates that consist of a name only, and occurrences of the name that do not refer to them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words, offered
from winoglot.languages.lexicon import lexicon, read_table
from winoglot.languages.name_spans import places_of
from winoglot.languages.name_words import full_name, listed_gender
from winoglot.languages.phrases import split
from winoglot.languages.slots import opens_sentence
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Candidate, Item
    from winoglot.schemas.spans import Span


def name_of(candidate: Candidate, item: Item, language: str) -> list[str]:
    """The words of a candidate that is only a name, without its article; empty if it is anything else.

    If its citation form is in lower case, its mentions inside sentences show whether it is capitalised.
    """
    text = item.text or ""
    shown = [mention.of(text) for mention in candidate.mentions if not opens_sentence(text, mention.start)]
    cited = next((one for one in shown if folded(one) == candidate.text), candidate.text)
    determiner, noun = split(cited, language)
    article = lexicon(language, "determiners").features("definite").get(determiner)
    words = full_name(noun) if article is None or article.gender else []  # "the Stanley Cup" is not a person
    listed = offered(language, "listed_name")
    return list(map(listed, words)) if listed else words


def unmentioned(item: Item, name: str, language: str) -> list[Span]:
    """Where the text has a candidate's name that the author's mentions leave out.

    >>> from winoglot import Candidate, Item, Span
    >>> austin, tom = Candidate("Austin", (Span(0, 6),)), Candidate("Tom", (Span(28, 31),))
    >>> text = "Austin lives in Austin with Tom, and he is glad."
    >>> unmentioned(Item("a.0", "a", text=text, pronoun=Span(37, 39), candidates=(austin, tom)), "Austin", "en")
    [Span(start=16, end=22)]
    """
    own = [one for one in item.candidates if one.mentions and name_of(one, item, language)[:1] == [name]]
    if item.text is None or item.pronoun is None or not own:
        return []
    words = function_words(language)
    if all(list(one.mentions) == find_mentions(item.text, one.text, words, item.pronoun) for one in own):
        return []  # mentions were found by the full text, so a shorter form may be missing
    mentions = [mention for one in item.candidates for mention in one.mentions]
    places = [place.span for place in places_of(item.text, {name}, language) if not place.span.overlaps(item.pronoun)]
    return [place for place in places if not any(place.within(mention) for mention in mentions)]


def named_together(item: Item, language: str) -> Iterator[list[str]]:
    """The given names in each candidate that names several people; "Mr. Small" has none."""
    for candidate in item.candidates:
        parts = _joints(language).split(candidate.text)
        names = [words for part in parts if (words := full_name(part))]
        given = [words[0] for words, part in zip(names, parts, strict=False) if len(words) > 1 or " " not in part]
        is_sure = any(listed_gender(name, language).value for name in given)  # 和 is part of many words
        if is_sure and len(names) == len(parts) > 1:
            yield given


def may_be_place(name: str) -> bool:
    """Whether a given name is also that of a place.

    >>> may_be_place("Austin"), may_be_place("Tom")
    (True, False)
    """
    return folded(name) in read_table("winoglot.languages", "names").words("place-too")


@cache
def _joints(language: str) -> re.Pattern[str]:
    """What separates people who are named together: "Sam, Amy e Rui", 小玫和王芳."""
    words = "|".join(lexicon(language, "function_words").words("conjunction"))
    spaced = [rf",\s+(?:(?:{words})\s+)?", rf"\s+(?:{words})\s+"] if words else []
    unspaced = sorted(lexicon(language, "function_words").words("unspaced-conjunction"), key=len, reverse=True)
    return re.compile("|".join([*spaced, *unspaced]) or "(?!)")
