"""A control that keeps the answer: no word has a capital.

*carol lent diana her kite because she was kind.* Nothing else changes, and people read it as easily. A solver whose
answers change relies on how names and sentences are written, and part of what another kind seems to do may be that: its
variants may come from a source in lower case.

An item has no such control if its text has no capitals, as most Chinese and Japanese ones.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.readings import readings
from winoglot.perturb.base import marked_text, variant_of
from winoglot.perturb.controls import refusing
from winoglot.schemas.model import WrittenReading
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from winoglot.schemas.model import Item, Variant

KIND = "lower-case"


def perturb(item: Item) -> Variant:
    """The item in lower case, with its question, hypotheses and readings; an input error if that changes nothing.

    >>> from winoglot import Candidate, Item, Span
    >>> cup, case = Candidate("the cup", (Span(0, 7),)), Candidate("the case", (Span(21, 29),))
    >>> item = Item("a.0", "a", text="The cup won't fit in the case because it is big.", pronoun=Span(38, 40),
    ...             candidates=(cup, case), answer=0, language="en")
    >>> perturb(item).text
    "the cup won't fit in the case because it is big."
    """
    text, _ = marked_text(item)
    lowered = _lower(text)
    if lowered == text:
        with refusing(item, KIND):
            raise NotDerivedError("its text has no capitals")
    derived = [reading for reading in readings(item, "grammatical") if reading.derived] if item.language else []
    written = {
        reading.candidate: WrittenReading(
            _lower(reading.text), Span(len(reading.before), len(reading.before) + len(reading.inserted))
        )
        for reading in derived
    }
    return variant_of(
        item,
        KIND,
        "keeps",
        [],
        text=lowered,
        candidates=tuple(replace(candidate, text=_lower(candidate.text)) for candidate in item.candidates),
        question=item.question and _lower(item.question),
        hypotheses=tuple(_lower(hypothesis) for hypothesis in item.hypotheses),
        readings=tuple(written.get(index) for index in range(len(item.candidates))) if written else (),
    )


def _lower(text: str) -> str:
    """In lower case, character by character, so that positions stay."""
    return "".join(low if len(low := character.lower()) == 1 else character for character in text)
