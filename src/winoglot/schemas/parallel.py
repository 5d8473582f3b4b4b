"""Collections side by side: schemas of several languages matched by parallel id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Collection as Names
    from collections.abc import Sequence

    from winoglot.schemas.collection import Collection
    from winoglot.schemas.schema import Schema


def side_by_side(collections: Sequence[Collection], ids: Names[str] = ()) -> dict[str, list[Schema | None]]:
    """By parallel id, the schema of each collection or None; only those whose id or parallel id is asked for.

    Within one collection that uses a parallel id twice, later schemas stand under their own id.
    """
    rows: dict[str, list[Schema | None]] = {}
    for number, collection in enumerate(collections):
        for schema in collection.schemas:
            row = rows.setdefault(schema.parallel_id, [None] * len(collections))
            if row[number] is not None:
                row = rows.setdefault(f"{schema.parallel_id} ({schema.id})", [None] * len(collections))
            row[number] = schema
    known = {name: {name, *(schema.id for schema in row if schema)} for name, row in rows.items()}
    for wanted in ids:
        if not any(wanted in names for names in known.values()):
            raise InputError(
                f"there is no schema {wanted!r} here", remedy=nearest(wanted, set().union(*known.values()))
            )
    return {name: row for name, row in rows.items() if not ids or known[name] & set(ids)}
