"""How long the demonstration takes with 100 schemas a language, and the second time.

The bundled schemas are repeated with a number before each text, so that no text comes twice.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import winoglot as wg
from winoglot.report.demo import demonstrate
from winoglot.schemas.edits import Edit, moved
from winoglot.schemas.span import Span


def numbered(item: wg.Item, schema_id: str, number: int) -> wg.Item:
    """The item with a number before its text."""
    edits = [Edit(Span(0, 0), f"{number}. ")]
    return replace(
        item,
        id=item.id.replace(item.schema_id, schema_id),
        schema_id=schema_id,
        parallel_id=item.parallel_id.replace(item.schema_id, schema_id),
        text=edits[0].new + (item.text or ""),
        pronoun=item.pronoun and moved(item.pronoun, edits),
        candidates=tuple(replace(c, mentions=tuple(moved(m, edits) for m in c.mentions)) for c in item.candidates),
        segment=tuple(moved(place, edits) for place in item.segment),
    )


def enlarged(collection: wg.Collection, count: int) -> wg.Collection:
    """So many schemas."""
    schemas: list[wg.Schema] = []
    for number in range(count):
        schema = collection.schemas[number % len(collection.schemas)]
        name = f"{schema.id}-{number}"
        items = tuple(numbered(item, name, number) for item in schema.items)
        schemas.append(replace(schema, id=name, parallel_id=name, items=items, variants=()))
    return replace(collection, schemas=tuple(schemas))


def main(count: int) -> None:
    """Print the seconds of a first and a second demonstration."""
    collections = {code: enlarged(one, count) for code, one in wg.load_all("winoglot").items()}
    with tempfile.TemporaryDirectory() as folder:
        if "WINOGLOT_CACHE" not in os.environ:
            print("the cache is the user's own: a second run of this script will find its scores there")
        for turn in ("first", "second"):
            start = time.perf_counter()
            made = demonstrate(Path(folder) / turn, collections=collections)
            size = made.report.stat().st_size / 1e6
            print(f"{turn}: {time.perf_counter() - start:.0f} s, {len(made.runs)} runs, report {size:.2f} MB")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
