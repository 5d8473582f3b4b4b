"""The window of partial scoring: the text after the insertion that all readings of an item share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from winoglot.errors import InputError, check_argument
from winoglot.schemas.model import Item, Reading
from winoglot.schemas.spans import shared_end


@dataclass(frozen=True)
class Window:
    """The common ending of the readings, in characters; a scorer starts at the first token boundary in it.

    `segment_in` says whether part of the schema's segment is in the window (`after`) or all of it comes before; None if
    no segment is marked.
    """

    text: str
    segment_in: Literal["before", "after"] | None

    @property
    def is_empty(self) -> bool:
        """Whether nothing follows the insertions, so that a partial score is undefined."""
        return not self.text.strip()

    @property
    def is_punctuation(self) -> bool:
        """Whether only punctuation follows, so that a partial score says little."""
        return not self.is_empty and not any(character.isalnum() for character in self.text)


def window(item: Item, readings: Sequence[Reading]) -> Window:
    """The longest common suffix that follows the insertions of an item's readings.

    >>> from winoglot import Candidate, Item, Span, readings
    >>> item = Item("lamp.0", "lamp", text="The lamp hit the vase and it broke.", pronoun=Span(26, 28),
    ...             candidates=(Candidate("the lamp"), Candidate("the vase")), segment=(Span(29, 34),))
    >>> window(item, readings(item, language="en"))
    Window(text=' broke.', segment_in='after')
    """
    check_argument(item, Item, "an item", "Give the item, then its readings.")
    check_argument(readings, Sequence, "the readings of the item", "Give them all: wg.readings(item).")
    if not readings or any(not isinstance(reading, Reading) or reading.item_id != item.id for reading in readings):
        raise InputError(
            f"these are not the readings of {item.id}", remedy="Give all readings of this item and no others."
        )
    text = _common_suffix([reading.after for reading in readings])
    if not item.segment or item.text is None:
        return Window(text, None)
    # `after` and the item's text end alike, so a distance from the end is the same place in both.
    inside = any(len(item.text) - place.start <= len(text) for place in item.segment)
    return Window(text, "after" if inside else "before")


def _common_suffix(texts: Sequence[str]) -> str:
    first = texts[0]
    return first[len(first) - min(shared_end(first, text) for text in texts) :]
