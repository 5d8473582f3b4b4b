"""No two items have the same text and the same pronoun: the second would be counted twice, or contradict the first.

Texts are compared letter by letter, aside from case, blanks, kinds of apostrophe and the encoding of accents; items
without a text by their readings or inference pairs. One text that asks about two of its pronouns is two items. That
ids are unique is no rule: a collection in which they are not cannot be loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks._words import letters
from winoglot.checks.base import Context, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "error"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """Name each item that repeats an earlier one, and say where the two contradict each other."""
    del context
    seen: dict[tuple[str, ...], Item] = {}
    for item in collection.items:
        first = seen.setdefault(_spelling(item), item)
        if first is not item:
            before, now = _answer(first), _answer(item)
            contradicts = before and now and letters(before) != letters(now)
            contradiction = f", but the answer {now!r} instead of {before!r}" if contradicts else ""
            yield Finding(
                f"{item.id} has the same text as {first.id}{contradiction}: {_shown(item)!r}",
                "Take one of them out, or make them differ.",
                schema=item.schema_id,
                item=item.id,
            )


def _spelling(item: Item) -> tuple[str, ...]:
    """What two items share if they are the same to a reader."""
    if item.text is not None and item.pronoun is not None:
        start, end = item.pronoun.start, item.pronoun.end
        return tuple(letters(part) for part in (item.text[:start], item.text[start:end], item.text[end:]))
    readings = [reading.text if reading else "" for reading in item.readings]
    pairs = [part for pair in item.inferences for part in (pair.premise, pair.hypothesis)]
    return ("without text", *sorted(map(letters, readings)), *map(letters, pairs))


def _answer(item: Item) -> str | None:
    if item.answer is None or not item.candidates:
        return None
    return item.candidates[item.answer].text


def _shown(item: Item) -> str:
    texts = [item.text, *(r.text for r in item.readings if r), *(pair.premise for pair in item.inferences)]
    return next(text for text in texts if text)
