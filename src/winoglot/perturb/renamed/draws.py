"""Items with other people: each draw of names is a kind of variant, `renamed-1`, `renamed-2` …

What a solver gets right for one choice of names it may get wrong for another. `with_draws` adds the variants that
`evaluate --renamed N` asks; items in which nobody can be renamed have none and stay as they are.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.errors import InputError, describe
from winoglot.languages.names import locale_for
from winoglot.perturb.base import variants_from
from winoglot.perturb.renamed import redraws

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection

MOST = 1000  # draws
_KIND = re.compile(r"renamed-[1-9][0-9]*")


def draw_kind(number: int) -> str:
    """The kind of the variants of a draw, from 1; the number is its seed."""
    return f"renamed-{number}"


def is_draw(kind: str | None) -> bool:
    """Whether a kind of variant is a draw of names.

    >>> is_draw(draw_kind(7)), is_draw("renamed"), is_draw("switched")
    (True, False, False)
    """
    return kind is not None and _KIND.fullmatch(kind) is not None


def check_draws(number: object, collection: Collection | None = None) -> None:
    """Refuse a number of draws that makes no sense, and a collection whose language has no list of names."""
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= MOST:
        written = number if isinstance(number, int) else describe(number)
        raise InputError(f"names cannot be drawn {written} times", remedy=f"Give a whole number from 0 to {MOST}: 20.")
    if number and collection is not None:
        locale_for(collection.language)


def with_draws(collection: Collection, number: int) -> Collection:
    """The collection with one variant per draw of names, from the list for its own language or region.

    >>> import winoglot as wg
    >>> drawn = with_draws(wg.load("winoglot-en")[:3], 2)
    >>> drawn.schema("train-wave").items[0].text
    'From the platform, Rosa waved to Lena until the train carried her out of sight.'
    >>> [item.text.partition(" until")[0] for item in drawn.variants("renamed-2") if item.variant_of == "train-wave.0"]
    ['From the platform, Julie waved to Colleen']
    """
    check_draws(number, collection)
    return _with_draws(collection, number) if number else collection


@lru_cache(maxsize=8)  # several models and styles of readings need the same variants
def _with_draws(collection: Collection, number: int) -> Collection:
    schemas = []
    for schema in collection.schemas:
        draws = [
            variant
            for draw, redrawn in redraws(schema, collection, range(1, number + 1)).items()
            for variant in variants_from(schema.items, redrawn.items, draw_kind(draw), ["keeps"] * len(schema.items))
        ]
        schemas.append(replace(schema, variants=(*schema.variants, *draws)) if draws else schema)
    return replace(collection, schemas=tuple(schemas))
