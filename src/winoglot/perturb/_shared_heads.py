"""Candidates with a noun in common that the text names once: *As janelas maiores rangem mais que as menores*.

The second is mentioned by what tells it apart alone. Exchanging what tells them apart exchanges the candidates, and
what surrounds it agrees as before, since the noun is the same.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.phrases import split
from winoglot.languages.slots import Filling
from winoglot.schemas.spans import Edit, Span, edited, shared_end, shared_start

if TYPE_CHECKING:
    from winoglot.schemas.model import Item


def exchange_apart(item: Item, unmentioned: int) -> tuple[list[Filling], Edit] | None:
    """The mentions of the one candidate made the other's, and what is left of the other made the one's; else None."""
    text = item.text or ""
    mentioned = item.candidates[1 - unmentioned]
    parts = _told_apart(mentioned.text, item.candidates[unmentioned].text, item.language)
    if parts is None:
        return None
    own, other = parts
    there = [_only(own, mention.of(text)) for mention in mentioned.mentions]
    remaining = [place for place in _places(other, text) if not any(place.overlaps(m) for m in mentioned.mentions)]
    if None in there or len(remaining) != 1:
        return None
    fillings = []
    for mention, place in zip(mentioned.mentions, there, strict=True):
        phrase = edited(mention.of(text), [Edit(place, _cased(other, place.of(mention.of(text))))] if place else [])
        fillings.append(Filling(Edit(mention, phrase), phrase))
    return fillings, Edit(remaining[0], _cased(own, remaining[0].of(text)))


def _told_apart(one: str, other: str, language: str) -> tuple[str, str] | None:
    """The words by which two noun phrases differ, determiners aside; None if they share none, or one has no others.

    >>> _told_apart("as janelas maiores", "as janelas menores", "pt"), _told_apart("o pai", "o filho", "pt")
    (('maiores', 'menores'), None)
    """
    first, second = (split(phrase, language)[1].split() for phrase in (one, other))
    start = shared_start(first, second)
    end = shared_end(first[start:], second[start:])
    left = [" ".join(words[start : len(words) - end]) for words in (first, second)]
    return (left[0], left[1]) if start + end and all(left) else None


def _places(words: str, text: str) -> list[Span]:
    found = re.finditer(rf"(?<!\w){re.escape(words)}(?!\w)", text, re.IGNORECASE)
    return [Span(*match.span()) for match in found]


def _only(words: str, text: str) -> Span | None:
    places = _places(words, text)
    return places[0] if len(places) == 1 else None


def _cased(words: str, like: str) -> str:
    """With the capital of what stood there at the start of a sentence."""
    return words[:1].upper() + words[1:] if like[:1].isupper() else words
