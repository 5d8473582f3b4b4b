"""Only what stands from the pronoun on: a control, which keeps the answer.

*It is too big.* is all that is left; a solver that is right more often than by chance knows without the situation
which candidate it is about: it reads an artefact. The text begins with the pronoun, or with the word or segment that
holds it (*repeti-la*), in a capital letter, and goes on to its end.

There is no such control where nothing but signs follows the pronoun, where nothing stands before it, where all of the
segment does (the items of a pair would read alike), and where every candidate is mentioned after the pronoun.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.perturb._control import control, marked_text, refusal
from winoglot.schemas.spans import Edit, Span, moved
from winoglot.schemas.text import is_word_character, starts_word

if TYPE_CHECKING:
    from winoglot.schemas.model import Candidate, Item, Variant

KIND = "after-only"


def perturb(item: Item) -> Variant:
    """The item without what stands before its pronoun; an input error says why where that is impossible.

    >>> from winoglot import Candidate, Item, Span
    >>> cup, case = Candidate("the cup", (Span(0, 7),)), Candidate("the case", (Span(21, 29),))
    >>> item = Item("a.0", "a", text="The cup won't fit in the case because it is big.", pronoun=Span(38, 40),
    ...             candidates=(cup, case), answer=0, language="en")
    >>> perturb(item).text
    'It is big.'
    """
    try:
        start = _start(item)
    except NotDerivedError as error:
        raise refusal(item, KIND, error) from error
    edits = [Edit(Span(0, start), "")]
    candidates = [_mentioned_there(candidate, start, edits) for candidate in item.candidates]
    segment = [moved(place, edits) for place in item.segment if place.start >= start]
    made = control(item, KIND, "keeps", edits, candidates, segment)
    readings = tuple(reading and replace(reading, text=_capital(reading.text)) for reading in made.readings)
    return replace(made, text=_capital(made.text or ""), readings=readings)


def _start(item: Item) -> int:
    """Where the part begins that is kept."""
    text, pronoun = marked_text(item)
    start = min([pronoun.start, *(place.start for place in item.segment if _holds(place, pronoun))])
    while start < len(text) and not starts_word(text, start):
        start -= 1
    start += len(text[start:]) - len(text[start:].lstrip())
    if not any(map(is_word_character, text[pronoun.end :])):
        raise NotDerivedError("nothing follows the pronoun")
    if not text[:start].strip():
        raise NotDerivedError("nothing stands before the pronoun")
    if item.segment and all(place.start < start for place in item.segment):
        raise NotDerivedError("the segment stands before the pronoun")
    if all(any(mention.start >= start for mention in candidate.mentions) for candidate in item.candidates):
        raise NotDerivedError("every candidate is mentioned after the pronoun")
    return start


def _holds(place: Span, pronoun: Span) -> bool:
    return place.start <= pronoun.start and pronoun.end <= place.end and place.start < place.end


def _capital(text: str) -> str:
    """The text as it begins a sentence, character for character."""
    first = text[:1].upper()
    return first + text[1:] if len(first) == 1 else text


def _mentioned_there(candidate: Candidate, start: int, edits: list[Edit]) -> Candidate:
    kept = (mention for mention in candidate.mentions if mention.start >= start)
    return replace(candidate, mentions=tuple(moved(mention, edits) for mention in kept))
