"""Variants of a kind for a whole collection."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Callable
    from collections.abc import Collection as Container

    from winoglot.schemas.model import Item, Schema, Variant


@dataclass(frozen=True)
class Derived:
    """A collection with the variants that could be derived, and why the others could not, by schema."""

    collection: Collection
    refused: dict[str, str]


def with_variants(
    collection: Collection, kind: str, perturb: Callable[[Item], Variant], among: Container[str]
) -> Derived:
    """Derive a kind of variant for the schemas named; those that have it already, or cannot, stay as they are.

    A schema gets the variants of all its items or none: half a pair is no pair.
    """
    refused: dict[str, str] = {}
    schemas = []
    for schema in collection.schemas:
        if schema.id in among and kind not in schema.kinds:
            schemas.append(_extended(schema, kind, perturb, refused))
        else:
            schemas.append(schema)
    return Derived(replace(collection, schemas=tuple(schemas)), refused)


def _extended(schema: Schema, kind: str, perturb: Callable[[Item], Variant], refused: dict[str, str]) -> Schema:
    stated = next((impossible.reason for impossible in schema.impossible if impossible.kind == kind), None)
    if stated is not None:
        refused[schema.id] = f"its author says: {stated}"
        return schema
    try:
        made = tuple(perturb(item) for item in schema.items)
    except InputError as error:
        refused[schema.id] = error.message
        return schema
    return replace(schema, variants=schema.variants + made)
