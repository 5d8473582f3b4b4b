"""A control that keeps the answer: only the text from the pronoun on is left.

*It is too big.* is all that remains. A solver that is right more often than chance tells which candidate is meant
without the situation, so it relies on an artefact. The text starts at the pronoun, or at the word or segment that
contains it (*repeti-la*), with a capital letter.

An item has no such control if only punctuation follows the pronoun, if nothing precedes it, if the whole segment
precedes it (the items of a pair would read alike), or if every candidate is mentioned after it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.perturb.base import marked_text
from winoglot.perturb.controls import context_end, control, refusing
from winoglot.schemas.spans import Edit, Span, moved
from winoglot.schemas.text import capital, is_word_character

if TYPE_CHECKING:
    from winoglot.schemas.model import Candidate, Item, Variant

KIND = "after-only"


def perturb(item: Item) -> Variant:
    """The item without the text before its pronoun; an input error says why if that is impossible.

    >>> from winoglot import Candidate, Item, Span
    >>> cup, case = Candidate("the cup", (Span(0, 7),)), Candidate("the case", (Span(21, 29),))
    >>> item = Item("a.0", "a", text="The cup won't fit in the case because it is big.", pronoun=Span(38, 40),
    ...             candidates=(cup, case), answer=0, language="en")
    >>> perturb(item).text
    'It is big.'
    """
    with refusing(item, KIND):
        start = _start(item)
    edits = [Edit(Span(0, start), "")]
    candidates = tuple(_mentioned_after(candidate, start, edits) for candidate in item.candidates)
    segment = tuple(moved(place, edits) for place in item.segment if place.start >= start)
    variant = control(item, KIND, "keeps", edits, candidates=candidates, segment=segment)
    readings = tuple(reading and replace(reading, text=capital(reading.text)) for reading in variant.readings)
    return replace(variant, text=capital(variant.text or ""), readings=readings)


def _start(item: Item) -> int:
    """Where the remaining text begins."""
    text, pronoun = marked_text(item)
    start = context_end(item)
    if not any(map(is_word_character, text[pronoun.end :])):
        raise NotDerivedError("nothing follows the pronoun")
    if item.segment and all(place.start < start for place in item.segment):
        raise NotDerivedError("the segment precedes the pronoun")
    if all(any(mention.start >= start for mention in candidate.mentions) for candidate in item.candidates):
        raise NotDerivedError("every candidate is mentioned after the pronoun")
    return start


def _mentioned_after(candidate: Candidate, start: int, edits: list[Edit]) -> Candidate:
    mentions = (mention for mention in candidate.mentions if mention.start >= start)
    return replace(candidate, mentions=tuple(moved(mention, edits) for mention in mentions))
