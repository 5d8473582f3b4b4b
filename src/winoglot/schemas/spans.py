"""Spans of a text, edits of several places at once, and where spans lie after the edits."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pydantic_core import CoreSchema


@dataclass(frozen=True, order=True)
class Span:
    """Characters `start` to `end` (not included) of a text; empty if they are equal.

    >>> Span(4, 8).of("The lamp fell.")
    'lamp'
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        """Refuse what cannot be a part of any text."""
        if type(self.start) is not int or type(self.end) is not int:
            raise InputError(
                f"the ends of a span are whole numbers, not {self.start!r} and {self.end!r}", remedy="Count characters."
            )
        if not 0 <= self.start <= self.end:
            raise InputError(
                f"[{self.start}, {self.end}] is not a span",
                remedy="A span is [start, end], counted in characters from 0; the start is not after the end.",
            )

    @classmethod
    def __get_pydantic_core_schema__(cls, _source: object, _handler: object) -> CoreSchema:
        """In JSON, a span is `[start, end]`."""
        from pydantic_core import core_schema

        return core_schema.json_or_python_schema(
            core_schema.no_info_after_validator_function(cls._from_json, core_schema.list_schema()),
            core_schema.is_instance_schema(cls),
            serialization=core_schema.plain_serializer_function_ser_schema(lambda span: [span.start, span.end]),
        )

    @classmethod
    def _from_json(cls, ends: list[int]) -> Span:
        if len(ends) != 2:
            raise InputError(f"expected a span [start, end], found {ends}", remedy="Give two numbers.")
        return cls(*ends)

    def of(self, text: str) -> str:
        """The characters of the text that the span covers."""
        return text[self.start : self.end]

    def within(self, other: Span) -> bool:
        """Whether the other span covers all of this one."""
        return other.start <= self.start and self.end <= other.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one character."""
        return max(self.start, other.start) < min(self.end, other.end)

    def check_words(self, text: str, what: str) -> None:
        """Refuse a span that does not cover words of the text: past its end, empty, or with a space at an edge."""
        self.check_inside(text, what)
        surface = self.of(text)
        if not surface or surface != surface.strip():
            raise InputError(
                f"the span [{self.start}, {self.end}] of {what} is empty or has a space at its edge: {surface!r}",
                remedy="Let it begin and end with a word.",
            )

    def check_inside(self, text: str, what: str) -> None:
        """Refuse a span that reaches past the text's end."""
        if self.end > len(text):
            raise InputError(
                f"the span [{self.start}, {self.end}] of {what} ends after the text, which has {len(text)} characters",
                remedy="Count in characters of the text, not in bytes or words.",
            )


@dataclass(frozen=True)
class Edit:
    """A place of a text and its new content."""

    span: Span
    new: str


def apart(spans: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """Those spans that overlap none of the others.

    >>> apart([Span(0, 3), Span(4, 7)], [Span(6, 9)])
    [Span(start=0, end=3)]
    """
    ordered = sorted(other for other in others if other.start < other.end)
    starts = [other.start for other in ordered]
    ends = [0, *accumulate((other.end for other in ordered), max)]  # the last end among the first n
    return [span for span in spans if span.start == span.end or ends[bisect_left(starts, span.end)] <= span.start]


def edited(text: str, edits: Sequence[Edit]) -> str:
    """The text after all edits, which must not overlap.

    >>> edited("Ana viu Eva.", [Edit(Span(0, 3), "Eva"), Edit(Span(8, 11), "Ana")])
    'Eva viu Ana.'
    """
    parts, index = [], 0
    for edit in sorted(edits, key=lambda edit: edit.span.start):
        parts += [text[index : edit.span.start], edit.new]
        index = edit.span.end
    return "".join([*parts, text[index:]])


def shared_start(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the common beginning of two texts, in characters, or of two lists, in words."""
    return next(
        (index for index, pair in enumerate(zip(first, second, strict=False)) if pair[0] != pair[1]),
        min(len(first), len(second)),
    )


def shared_end(first: Sequence[str], second: Sequence[str]) -> int:
    """The length of the common end of two texts, in characters, or of two lists, in words."""
    return shared_start(first[::-1], second[::-1])


def moved(span: Span, edits: Sequence[Edit]) -> Span:
    """Where a span of the text lies after the edits; it grows to cover an edit that overlaps it.

    >>> moved(Span(4, 7), [Edit(Span(0, 3), "Beatriz")])
    Span(start=8, end=11)
    """
    start, end = span.start, span.end
    for edit in edits:
        grown = len(edit.new) - (edit.span.end - edit.span.start)
        if edit.span.end <= span.start and edit.span != span:
            start, end = start + grown, end + grown
        elif edit.span.start < span.end:
            start -= max(0, span.start - edit.span.start)
            end += grown + max(0, edit.span.end - span.end)
    # An edit that reaches out of the span on the left was shifted by the edits before it like the span itself.
    return Span(start, end)


def carried(edit: Edit, text: str, other: str) -> Edit | None:
    """An edit carried over to another text with a common beginning and end; None if the edit lies where they differ.

    >>> carried(Edit(Span(8, 11), "Bia"), "ela viu Ana", "Rita viu Ana")
    Edit(span=Span(start=9, end=12), new='Bia')
    """
    if edit.span.end <= shared_start(text, other):
        return edit
    if edit.span.start >= len(text) - shared_end(text, other):
        grown = len(other) - len(text)
        return Edit(Span(edit.span.start + grown, edit.span.end + grown), edit.new)
    return None
