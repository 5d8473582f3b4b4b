"""Texts as HTML with their pronoun, segment and mentions marked: for web pages and notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from winoglot.palette import candidate_colour, letter
from winoglot.schemas.markup import takes_space
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Item, Reading


@dataclass(frozen=True)
class Mark:
    """Part of a text, its CSS classes, and the letter of a candidate."""

    span: Span
    look: str
    letter: str = ""

    @property
    def opening(self) -> str:
        """The tag that opens it."""
        return f'<span class="{self.look}">'

    @property
    def closing(self) -> str:
        """Its letter and the tag that closes it."""
        return f"{letter_html(self.letter) if self.letter else ''}</span>"


def letter_html(name: str) -> str:
    """A letter behind a candidate: pages show it by their style, so that it is neither copied nor searched."""
    return f'<sup data-letter="{name}"></sup>'


def candidate_mark(span: Span, index: int) -> Mark:
    """The mark of a candidate, wherever it is in a text."""
    return Mark(span, candidate_colour(index), letter(index))


def candidate_html(index: int, text: str) -> str:
    """A candidate outside a text."""
    return f'<bdi class="{candidate_colour(index)}">{escape(text, quote=False)}{letter_html(letter(index))}</bdi>'


def mark_item(item: Item) -> str:
    """The item's text as HTML; of marks on the same words the segment is outermost, then the pronoun, then mentions."""
    marks = [Mark(place, "segment") for place in item.segment]
    if item.pronoun:  # one that is not spoken looks as if a space followed, which is not in the text
        is_spaced = item.pronoun_form == "zero" and takes_space(item.text or "", item.pronoun.start)
        marks.append(Mark(item.pronoun, "pronoun spaced" if is_spaced else "pronoun"))
    for index, candidate in enumerate(item.candidates):
        marks += [candidate_mark(mention, index) for mention in candidate.mentions]
    return mark_text(item.text or "", marks)


def mark_reading(reading: Reading) -> str:
    """The text of a reading as HTML, with the candidate that was inserted marked."""
    start = len(reading.before)
    return mark_text(reading.text, [candidate_mark(Span(start, start + len(reading.inserted)), reading.candidate)])


def mark_text(text: str, marks: Sequence[Mark]) -> str:
    """The text as HTML; marks may overlap: one that is cut by the end of another is closed there and reopened.

    >>> from winoglot import Span
    >>> mark_text("a < b", [Mark(Span(2, 3), "sign")])
    'a <span class="sign">&lt;</span> b'
    """
    edges = sorted({0, len(text), *(edge for mark in marks for edge in (mark.span.start, mark.span.end))})
    pieces: list[str] = []
    open_marks: list[Mark] = []
    starts: dict[int, list[Mark]] = {}
    for mark in marks:
        starts.setdefault(mark.span.start, []).append(mark)
    for edge, following in zip(edges, [*edges[1:], len(text)], strict=True):
        open_marks = _close(open_marks, edge, pieces)
        starting = starts.get(edge, [])
        pieces += [mark.opening + mark.closing for mark in starting if mark.span.end == edge]
        longest_first = sorted((mark for mark in starting if mark.span.end > edge), key=lambda mark: -mark.span.end)
        pieces += [mark.opening for mark in longest_first]
        open_marks += longest_first
        pieces.append(escape(text[edge:following], quote=False))
    return "".join(pieces)


def _close(open_marks: list[Mark], edge: int, pieces: list[str]) -> list[Mark]:
    """Close what ends here and what was opened inside it; reopen the latter."""
    ending = [index for index, mark in enumerate(open_marks) if mark.span.end == edge]
    if not ending:
        return open_marks
    closed = open_marks[ending[0] :]
    pieces += [mark.closing if mark.span.end == edge else "</span>" for mark in reversed(closed)]
    reopened = [mark for mark in closed if mark.span.end > edge]
    pieces += [mark.opening for mark in reopened]
    return [*open_marks[: ending[0]], *reopened]
