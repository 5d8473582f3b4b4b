"""Whether counts over a collection are more uneven than chance makes them."""

from __future__ import annotations

from collections import Counter
from math import comb
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from winoglot.schemas.model import Item, Schema

FEWEST = 20  # fewer say too little: even 15 of 20 comes about by chance more often than once in a hundred
LEVEL = 0.01  # a balanced collection is suspected once in a hundred times


def chance(count: int, total: int) -> float:
    """How often a fair coin is at least as uneven as this: the exact binomial test, two-sided.

    >>> chance(5, 10), chance(0, 10)
    (1.0, 0.001953125)
    """
    tail = sum(comb(total, number) for number in range(min(count, total - count) + 1))
    return min(1.0, 2 * tail / (1 << total))  # whole numbers until the last step: no rounding, no overflow


def votes(schemas: Iterable[Schema], says: Callable[[Item], bool | None]) -> list[bool]:
    """What the labelled two-candidate items of each schema say, one vote a schema.

    Items of one schema are not independent, so they have one vote together: what most of them say. Where they are
    split evenly, as in every proper pair, there is none: the schema is balanced by construction.
    """
    cast: list[bool] = []
    for schema in schemas:
        said = Counter(says(item) for item in schema.items if is_labelled_choice(item))
        if said[True] != said[False]:
            cast.append(said[True] > said[False])
    return cast


def is_labelled_choice(item: Item) -> bool:
    """Whether the item asks for one of two candidates and says which."""
    return item.answer is not None and item.candidate_count == 2
