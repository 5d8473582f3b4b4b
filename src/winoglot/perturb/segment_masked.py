"""A control that removes the answer: the segment becomes a gap.

*The cup does not fit into the case because it is too ___.* Nothing shows any more which candidate is meant, so
there is no right answer. What is left to measure is whether a solver prefers the candidate mentioned first or second.

A segment that is part of a word takes the whole word with it; an empty one (`[very |]`) counts as a word of its own.
An item has no such control if no segment is marked, or if the segment is inside a mention or around the pronoun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.perturb.base import marked_text
from winoglot.perturb.controls import BLANK, control, disturbs, merged, refusing
from winoglot.schemas.spans import Edit, Span
from winoglot.schemas.text import ends_word, needs_space, starts_word

if TYPE_CHECKING:
    from winoglot.schemas.model import Item, Variant

KIND = "segment-masked"


def perturb(item: Item) -> Variant:
    """The item with a blank for its segment; an input error says why if that is impossible.

    >>> from winoglot import Candidate, Item, Span
    >>> cup, case = Candidate("the cup", (Span(0, 7),)), Candidate("the case", (Span(21, 29),))
    >>> item = Item("a.0", "a", text="The cup won't fit in the case because it is big.", pronoun=Span(38, 40),
    ...             candidates=(cup, case), answer=0, segment=(Span(44, 47),), language="en")
    >>> perturb(item).text, perturb(item).answer
    ("The cup won't fit in the case because it is ___.", None)
    """
    with refusing(item, KIND):
        edits = _blanks(item)
    return control(item, KIND, "removes", edits, segment=())


def _blanks(item: Item) -> list[Edit]:
    text, pronoun = marked_text(item)
    if not item.segment:
        raise NotDerivedError("no segment is marked")
    masked = merged(_words(text, place) for place in item.segment)
    for span in masked:
        if disturbs(span, pronoun) or disturbs(pronoun, span):
            raise NotDerivedError("the segment is around the pronoun, or inside it")
        for mention in (mention for candidate in item.candidates for mention in candidate.mentions):
            if disturbs(span, mention) or disturbs(mention, span):
                raise NotDerivedError(f"the segment is inside {mention.of(text)!r}")
    return [Edit(span, _spaced(text, span)) for span in masked]


def _words(text: str, place: Span) -> Span:
    """The whole words of a place, without spaces at its edges."""
    surface = place.of(text)
    if not surface.strip():
        if place.start == len(text) or starts_word(text, place.start) or ends_word(text, place.start):
            return Span(place.start, place.start)
        start = end = place.start
    else:
        start = place.start + len(surface) - len(surface.lstrip())
        end = place.end - len(surface) + len(surface.rstrip())
    while not starts_word(text, start):
        start -= 1
    while not ends_word(text, end):
        end += 1
    return Span(start, end)


def _spaced(text: str, span: Span) -> str:
    """The blank, with spaces where it would touch its neighbours: *il n'y va* → *il ___ y va*."""
    before, after = text[: span.start], text[span.end :]
    return " " * needs_space(before, BLANK) + BLANK + " " * needs_space(BLANK, after)
