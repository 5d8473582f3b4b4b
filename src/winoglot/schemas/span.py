"""A stretch of a text."""

from __future__ import annotations

from dataclasses import dataclass

from winoglot.errors import InputError


@dataclass(frozen=True, order=True)
class Span:
    """Characters `start` to `end` (not included) of a text; empty where they are equal.

    >>> Span(4, 8).of("The lamp fell.")
    'lamp'
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        """Refuse what cannot be a stretch of any text."""
        if type(self.start) is not int or type(self.end) is not int:
            raise InputError(
                f"a span runs between whole numbers, not {self.start!r} and {self.end!r}", remedy="Count characters."
            )
        if not 0 <= self.start <= self.end:
            raise InputError(
                f"the span [{self.start}, {self.end}] is not a stretch of text",
                remedy="A span is [start, end], counted in characters from 0, with start not after end.",
            )

    def of(self, text: str) -> str:
        """The characters of the text that the span covers."""
        return text[self.start : self.end]

    def within(self, other: Span) -> bool:
        """Whether the other span covers this one wholly."""
        return other.start <= self.start and self.end <= other.end

    def overlaps(self, other: Span) -> bool:
        """Whether the two share at least one character."""
        return max(self.start, other.start) < min(self.end, other.end)

    def check_words(self, text: str, what: str) -> None:
        """Refuse a span that is not words of the text: past its end, empty, or with a blank at an edge."""
        self.check_inside(text, what)
        surface = self.of(text)
        if not surface or surface != surface.strip():
            raise InputError(
                f"the span [{self.start}, {self.end}] of {what} is empty or has a blank at its edge: {surface!r}",
                remedy="Let it begin and end with a word.",
            )

    def check_inside(self, text: str, what: str) -> None:
        """Refuse a span that reaches past the text's end."""
        if self.end > len(text):
            raise InputError(
                f"the span [{self.start}, {self.end}] of {what} ends after the text, which has {len(text)} characters",
                remedy="Count in characters of the text, not in bytes or words.",
            )
