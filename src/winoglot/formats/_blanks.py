"""Blanks in place of a pronoun, and the spaces around them."""

from __future__ import annotations

import re

from winoglot.schemas.spans import Span

_GLUED = re.compile(r"[.,)\]}…]|['’]s\b|[\"”](?!\w)")


def tidy_blank(text: str, blank: Span) -> tuple[str, Span]:
    """The text with one space at most on either side of its blank, and none before what belongs to the word.

    >>> tidy_blank("We fed  _ .", Span(8, 9))
    ('We fed _.', Span(start=7, end=8))
    """
    before, after = text[: blank.start], text[blank.end :]
    left = before.rstrip() + " " * (before != before.rstrip() and bool(before.strip()))
    rest = after.lstrip()
    right = " " * (rest != after and bool(rest) and not _GLUED.match(rest)) + rest
    mark = blank.of(text)
    return left + mark + right, Span(len(left), len(left) + len(mark))
