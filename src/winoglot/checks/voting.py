"""Whether something gives answers away over a whole collection: one vote per schema, tested against a fair coin."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from winoglot.checks.base import Finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from winoglot.schemas.model import Item, Schema

FEWEST = 20  # fewer say too little: even 15 of 20 happen by chance more than once in a hundred
LEVEL = 0.01  # a balanced collection is suspected once in a hundred times


def is_labelled_choice(item: Item) -> bool:
    """Whether the item has two candidates and an answer."""
    return item.answer is not None and item.candidate_count == 2


def votes(schemas: Iterable[Schema], says: Callable[[Item], bool | None]) -> list[bool]:
    """What `says` returns for the labelled two-candidate items of each schema, one vote per schema.

    Items of one schema are not independent, so they have one vote together: what most of them say. If they are evenly
    split, as in every proper pair, they have none: the schema is balanced by construction.
    """
    cast: list[bool] = []
    for schema in schemas:
        answers = Counter(says(item) for item in schema.items if is_labelled_choice(item))
        if answers[True] != answers[False]:
            cast.append(answers[True] > answers[False])
    return cast


def uneven(cast: list[bool], schemas: str, what: str, remedy: str) -> Iterator[Finding]:
    """A finding if the votes are more uneven than chance would make them."""
    from winoglot.statistics.significance import fair_coin_test  # imports numpy

    p = fair_coin_test(sum(cast), len(cast))
    if p < LEVEL:
        yield Finding(f"in {sum(cast)} of {len(cast)} schemas {schemas}, {what} (by chance: p = {p:.1g})", remedy)
