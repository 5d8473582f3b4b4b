"""Texts as HTML with their pronoun, segment and mentions marked: for web pages and notebooks."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

from winoglot.schemas.markup import takes_space
from winoglot.schemas.spans import Span

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Item

CANDIDATE_STYLES = 6  # as many as the styles of pages have; further candidates start again from the first


@dataclass(frozen=True)
class Mark:
    """Part of a text, its CSS classes and what it is called."""

    span: Span
    look: str
    name: str

    @property
    def opening(self) -> str:
        """The tag that opens it."""
        return f'<span class="{self.look}" title="{escape(self.name)}">'


def candidate_look(index: int) -> str:
    """The CSS classes that make a candidate look the same wherever it appears."""
    return f"candidate c{index % CANDIDATE_STYLES}"


def mark_item(item: Item) -> str:
    """The item's text as HTML; of marks on the same words the segment is outermost, then the pronoun, then mentions."""
    marks = [Mark(place, "segment", "segment") for place in item.segment]
    if item.pronoun:  # one that is not spoken looks as if a space followed, which is not in the text
        is_spaced = item.pronoun_form == "zero" and takes_space(item.text or "", item.pronoun.start)
        marks.append(Mark(item.pronoun, "pronoun spaced" if is_spaced else "pronoun", "pronoun"))
    for index, candidate in enumerate(item.candidates):
        marks += [Mark(mention, candidate_look(index), f"candidate {index}") for mention in candidate.mentions]
    return mark_text(item.text or "", marks)


def mark_text(text: str, marks: Sequence[Mark]) -> str:
    """The text as HTML; marks may overlap: one that is cut by the end of another is closed there and reopened.

    >>> from winoglot import Span
    >>> mark_text("a < b", [Mark(Span(2, 3), "sign", "a sign")])
    'a <span class="sign" title="a sign">&lt;</span> b'
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
        pieces += [f"{mark.opening}</span>" for mark in starting if mark.span.end == edge]
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
    pieces.append("</span>" * (len(open_marks) - ending[0]))
    reopened = [mark for mark in open_marks[ending[0] :] if mark.span.end > edge]
    pieces += [mark.opening for mark in reopened]
    return [*open_marks[: ending[0]], *reopened]
