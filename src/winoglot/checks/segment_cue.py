"""The segment alone gives no answer away: no word in it belongs to only one candidate.

A candidate's words are those of its citation form, names included, that are not determiners, pronouns or small words;
in Chinese and Japanese the whole of it, and its last two characters if it has more and all are Chinese (新塔楼 → 塔楼).
The first mention of a candidate only introduces it and may be in the segment: *[gave Amy|got from Amy]*. In a schema of
a single item without a segment, the rest of the pronoun's sentence is checked instead, without mentions; in a pair,
what is outside the segments is the same in both items and gives nothing away.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.checks.texts import closed_class, words
from winoglot.languages.base import function_words
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item
    from winoglot.schemas.spans import Span

SEVERITY: Severity = "warning"
_SENTENCE_END = re.compile(r"[.!?…](?=\s|$)|[。！？]")
Words = tuple[str, ...]


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """A warning for each item whose segment points at one candidate by a word of its own."""
    for schema in collection.schemas:
        for item in schema.items:
            if item.text is None or len(item.candidates) < 2:
                continue
            firsts = [candidate.mentions[0] for candidate in item.candidates if candidate.mentions]
            text = _without(item.text, firsts)
            where, places = "segment", [" ".join(place.of(text).split()) for place in item.segment]
            if not places and len(schema.items) == 1:
                where, places = "rest of the pronoun's sentence", _rest(item, item.text)
            cues = _distinctive_words(item, [words(place) for place in places], collection.language)
            if len(cues) == 1:
                ((candidate, word),) = cues.items()
                yield Finding.about(
                    item,
                    f"the {where} {' … '.join(filter(None, places))!r} has {word!r}, "
                    f"which only the candidate {candidate!r} has",
                    "Use other words, or choose candidates that both have this word or both lack it.",
                )


def _rest(item: Item, text: str) -> list[str]:
    """What follows the pronoun in its sentence, with spaces in the place of mentions."""
    if item.pronoun is None:
        return []
    blanked = _without(text, [mention for candidate in item.candidates for mention in candidate.mentions])
    return [_SENTENCE_END.split(blanked[item.pronoun.end :], maxsplit=1)[0].strip()]


def _without(text: str, spans: list[Span]) -> str:
    """The text with spaces in the place of some spans, so that positions stay."""
    characters = list(text)
    for span in spans:
        characters[span.start : span.end] = " " * (span.end - span.start)
    return "".join(characters)


def _distinctive_words(item: Item, places: list[list[str]], language: str) -> dict[str, str]:
    """For each candidate, a word in one of the places that no other candidate has."""
    words_of_candidates = [_words_of(candidate.text, language) for candidate in item.candidates]
    cues: dict[str, str] = {}
    for index, candidate in enumerate(item.candidates):
        of_others = set().union(*words_of_candidates[:index], *words_of_candidates[index + 1 :])
        for word in sorted(words_of_candidates[index] - of_others, key=len, reverse=True):
            if any(_contains(place, word) for place in places):
                cues.setdefault(candidate.text, "".join(word))
    return cues


def _words_of(candidate: str, language: str) -> set[Words]:
    core = function_words(language).without_determiner(candidate)
    if not any(map(is_unspaced, core)):
        return {(word,) for word in words(core) if len(word) > 1 and word not in closed_class(language)}
    whole = tuple(words(core))
    if len(whole) < 2:  # 猫 is also a part of 熊猫
        return set()
    return {whole, whole[-2:]} if all("\u4e00" <= word <= "\u9fff" for word in whole) else {whole}


def _contains(place: list[str], word: Words) -> bool:
    return any(tuple(place[index : index + len(word)]) == word for index in range(len(place) - len(word) + 1))
