"""The order in which a text mentions the candidates; their indices say nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winoglot.schemas.item import Item


def mention_order(item: Item) -> tuple[int, ...] | None:
    """The candidates' indices, the one whose first mention begins first at the front.

    None where a candidate is not mentioned, and where two first mentions begin at one place, as those of *Rita* and
    *Rita's aunt* do. Where the pronoun stands does not matter: what is mentioned only after it counts like the rest.

    >>> from winoglot import Candidate, Item, Span
    >>> vase, lamp = Candidate("the vase", (Span(13, 21),)), Candidate("the lamp", (Span(0, 8),))
    >>> item = Item("a.0", "a", text="The lamp hit the vase and it broke.", pronoun=Span(26, 28),
    ...             candidates=(vase, lamp))
    >>> mention_order(item)
    (1, 0)
    """
    starts = [candidate.mentions[0].start for candidate in item.candidates if candidate.mentions]
    if not starts or len(starts) < len(item.candidates) or len(set(starts)) < len(starts):
        return None
    return tuple(sorted(range(len(starts)), key=starts.__getitem__))
