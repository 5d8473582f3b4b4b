"""The items of a schema differ in the marked places and nowhere else.

Otherwise more than the alternative changes the answer. What is outside the segments must be equal letter by letter,
ignoring spaces, in all items that have a text. A schema of several items without any mark gets a warning: what makes
the difference is not known.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.schemas.spans import shared_start
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item, Schema

SEVERITY: Severity = "error"
_SHOWN = 40  # characters


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every item that differs from the first of its schema outside the marked places."""
    for schema in collection.schemas:
        yield from _check_schema(schema)


def _check_schema(schema: Schema) -> Iterator[Finding]:
    items = [item for item in schema.items if item.text is not None]
    if len(items) < 2:
        return
    first, *others = items
    if not any(item.segment for item in items):
        unmarked = f"no segment is marked in its {len(items)} items"
        yield Finding.about(schema, unmarked, "Mark what differs between them with [one|other].", severity="warning")
        return
    for item in others:
        message = _difference(first, item)
        if message is not None:
            remedy = "Mark every place where the two differ, the same number in each item, or make the rest equal."
            yield Finding.about(item, message, remedy)


def _difference(first: Item, item: Item) -> str | None:
    expected, actual = _outside(first), _outside(item)
    if len(actual) != len(expected):
        places = counted(len(item.segment), "marked place")
        return f"{item.id} has {places}, {first.id} has {len(first.segment)}"
    for left, right in zip(expected, actual, strict=True):
        if "".join(left.split()) != "".join(right.split()):
            index = shared_start(left, right)
            left_rest, right_rest = _from_word(right, index), _from_word(left, index)
            return f"outside the marked places, {item.id} has {left_rest!r} where {first.id} has {right_rest!r}"
    return None


def _outside(item: Item) -> list[str]:
    """What is before, between and after the marked places."""
    text = item.text or ""
    edges = [0, *(edge for place in item.segment for edge in (place.start, place.end)), len(text)]
    return [text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _from_word(piece: str, index: int) -> str:
    """The piece, beginning with the word in which it differs."""
    start = max(piece.rfind(" ", 0, index) + 1, index - _SHOWN)
    return piece[start:] if len(piece) <= start + _SHOWN else piece[start : start + _SHOWN] + "…"
