"""What formats of bare sentences cannot hold of a collection."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.schemas.model import NO_FEATURES, NO_TERMS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.schemas.model import Collection


def without_a_place(collection: Collection, held: Iterable[str] = ()) -> list[str]:
    """What formats of bare sentences do not carry, with the ids it belongs to, less the fields that are `held`."""
    parts = {"variants": [variant.id for variant in collection.variants()]}
    for field in ("question", "hypotheses", "readings", "inferences", "phrase", "tags"):
        parts[field] = [item.id for item in collection.items if getattr(item, field)]
    parts["terms"] = [item.id for item in collection.items if item.terms != NO_TERMS]
    parts["features"] = [i.id for i in collection.items if any(c.features != NO_FEATURES for c in i.candidates)]
    for field in ("explanation", "note", "impossible"):
        parts[field] = [schema.id for schema in collection.schemas if getattr(schema, field)]
    for field in ("description", "licence", "citation", "keep_names"):
        parts[field] = [collection.name] if getattr(collection, field) else []
    return [f"{field}: {', '.join(ids)}" for field, ids in parts.items() if ids and field not in held]
