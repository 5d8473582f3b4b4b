"""Verbs contracted with a subject pronoun, written in full after a noun: *it's small* → *the box is small*.

*'s* is *has* before *been*, *got* and *had*, else *is*; before another participle it may be either ("it's finished").
*'d* is *had* before a participle or *better*, *would* before a base. Adverbs may come between.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.en.wordclass import (
    is_adverb,
    is_base,
    is_closed,
    is_in,
    is_participle,
    next_words,
    opens_phrase,
)
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.languages.substitution import Place

_ENDING = re.compile(r"['’](?:s|d|ll|re|ve|m)(?![^\W_])", re.IGNORECASE)
_ONLY_HAS = ("been", "got", "gotten", "had")
_DEGREE = ("as", "so", "too", "well")


def contracted_verb(place: Place) -> Span | None:
    """The verb contracted with the pronoun, inside its span (*{it's}*) or after it (*{it}'s*)."""
    start = place.text.find("'", *_search_range(place))
    start = place.text.find("’", *_search_range(place)) if start < 0 else start
    match = _ENDING.match(place.text, place.pronoun.end if start < 0 else start)
    return Span(*match.span()) if match else None


def write_out(place: Place, verb: Span, *, is_singular: bool) -> Substitution:
    """Insert the candidate and the full verb."""
    ending = folded(verb.of(place.text))
    words = (folded(match.group()) for match in next_words(place.text, verb.end))
    following = next((word for word in words if not (is_adverb(word) or word in _DEGREE)), "")
    full_verb = _full_verb(ending, following, is_singular=is_singular)
    touched = Span(place.pronoun.start, verb.end)
    return place.rewrite(touched, f"{place.phrase.text} {full_verb}", rule="contraction")


def _full_verb(ending: str, following: str, *, is_singular: bool) -> str:
    """The verb in full, by its ending and by the next word that is not an adverb."""
    if ending == "'s":
        return _is_or_has(following)
    if ending == "'d":
        return _had_or_would(following)
    if ending == "'ll":
        return "will"
    forms = {"'re": ("is", "are"), "'ve": ("has", "have")}
    if ending not in forms:
        raise NotDerivedError(f"{ending!r} cannot follow a third-person pronoun")
    return forms[ending][not is_singular]


def _search_range(place: Place) -> tuple[int, int]:
    return place.pronoun.start, place.pronoun.end


def _is_or_has(following: str) -> str:
    if following in _ONLY_HAS:
        return "has"
    if is_participle(following):
        raise NotDerivedError(f"\"'s {following}\" may be 'is {following}' or 'has {following}'")
    return "is"


def _had_or_would(following: str) -> str:
    if following in ("better", "best", "been"):
        return "had"
    is_both = is_participle(following) and is_base(following)
    is_word = following and not is_both
    if is_word and is_participle(following):
        return "had"
    if is_word and (is_in(following, "verbs", "after-would") or not (is_closed(following) or opens_phrase(following))):
        return "would"
    raise NotDerivedError(f"\"'d {following}\" may be 'had {following}' or 'would {following}'")
