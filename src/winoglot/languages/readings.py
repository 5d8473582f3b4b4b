"""Readings: every candidate of an item in the pronoun's place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.errors import InputError, nearest
from winoglot.schemas.collection import Collection
from winoglot.schemas.reading import Reading
from winoglot.schemas.words import needs_space

if TYPE_CHECKING:
    from winoglot.schemas.forms import WrittenReading
    from winoglot.schemas.item import Item


def readings(source: Collection | Item, style: str = "naive") -> list[Reading]:
    """One reading a candidate, in index order; of a collection, those of all its originals.

    >>> from winoglot import Candidate, Item, Span
    >>> item = Item("lamp.0", "lamp", text="The lamp hit the vase and it broke.", pronoun=Span(26, 28),
    ...             candidates=(Candidate("the lamp"), Candidate("the vase")), answer=1)
    >>> [reading.text for reading in readings(item)]
    ['The lamp hit the vase and the lamp broke.', 'The lamp hit the vase and the vase broke.']
    """
    if style != "naive":
        raise InputError(f"there is no style of reading {style!r}", remedy=nearest(style, ["naive"]))
    items = source.items if isinstance(source, Collection) else (source,)
    return [reading for item in items for reading in naive_readings(item)]


def naive_readings(item: Item) -> list[Reading]:
    """The candidate's citation form put in the pronoun's place, character for character.

    An item without a text gives the readings its source wrote; where nobody marked the insertion, the whole sentence
    is one. An item that exists only as inference pairs has no readings.
    """
    if item.text is None or item.pronoun is None:
        return [_given(item, index, reading) for index, reading in enumerate(item.readings) if reading]
    before, after = item.text[: item.pronoun.start], item.text[item.pronoun.end :]
    result = []
    for index, candidate in enumerate(item.candidates):
        inserted = candidate.text
        left, right = before, after
        if item.pronoun_form == "zero":  # nothing was there that could keep the words apart
            left += " " * needs_space(before, inserted)
            right = " " * needs_space(inserted, after) + after
        result.append(Reading(item.id, index, left, inserted, right, style="naive", rule="replace"))
    return result


def _given(item: Item, index: int, reading: WrittenReading) -> Reading:
    if reading.inserted is None:
        return Reading(item.id, index, "", reading.text, "", style="naive", rule="given")
    before, after = reading.text[: reading.inserted.start], reading.text[reading.inserted.end :]
    return Reading(item.id, index, before, reading.inserted.of(reading.text), after, style="naive", rule="given")
