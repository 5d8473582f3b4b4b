"""No two items have the same text and the same pronoun.

The second would be counted twice, or contradict the first. Texts are compared letter by letter, ignoring case, spaces,
kinds of apostrophe and the encoding of accents; items without a text are compared by their readings or inference pairs.
A text that asks about two of its pronouns is two items. Unique ids are not a rule: a collection without them cannot be
loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.checks.texts import letters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "error"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every item that repeats an earlier one, and whether the two contradict each other."""
    seen: dict[tuple[str, ...], Item] = {}
    for item in collection.items:
        first = seen.setdefault(_spelling(item), item)
        if first is not item:
            before, now = _answer(first), _answer(item)
            contradicts = before and now and letters(before) != letters(now)
            contradiction = f", but the answer {now!r} instead of {before!r}" if contradicts else ""
            message = f"{item.id} has the same text as {first.id}{contradiction}: {_quoted_text(item)!r}"
            yield Finding.about(item, message, "Remove one of them, or make them differ.")


def _spelling(item: Item) -> tuple[str, ...]:
    """A key that two items share if they are the same to a reader."""
    if item.text is not None:
        return tuple(map(letters, item.parts))
    readings = [reading.text if reading else "" for reading in item.readings]
    pairs = [part for pair in item.inferences for part in (pair.premise, pair.hypothesis)]
    return ("without text", *sorted(map(letters, readings)), *map(letters, pairs))


def _answer(item: Item) -> str | None:
    if item.answer is None or not item.candidates:
        return None
    return item.candidates[item.answer].text


def _quoted_text(item: Item) -> str:
    texts = [item.text, *(r.text for r in item.readings if r), *(pair.premise for pair in item.inferences)]
    return next(text for text in texts if text)
