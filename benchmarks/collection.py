"""How much of the bundled collections the grammar derives, and what their authors had to write by hand.

Run from the repository root: `python benchmarks/collection.py [COLLECTION …]`, by default for all bundled ones. Prints
one row per collection: schemas and items; by pronoun type (from the tag), the items for which the grammar alone derives
all readings; the items for which an author wrote a reading, the possessed phrase or a candidate's features; and of the
schemas tagged 'switchable', those switched by grammar, those switched by hand, and the rest.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

import winoglot as wg
from winoglot.cli.console import print_rows
from winoglot.perturb.switched import KIND, obstacle
from winoglot.schemas.model import NO_FEATURES

if TYPE_CHECKING:
    from collections.abc import Sequence

TYPES = ("subject", "object", "possessive", "prepositional")


def row(collection: wg.Collection) -> dict[str, object]:
    """The figures for a collection."""
    items = collection.items
    derived = {item.id for item in items if is_derived(item)}
    by_type = {name: [item for item in items if name in item.tags] for name in TYPES}
    by_type["other"] = [item for item in items if not set(TYPES) & set(item.tags)]
    return {
        "collection": collection.name,
        "schemas": len(collection.schemas),
        "items": len(items),
        "derived": share(items, derived),
        **{name: share(some, derived) for name, some in by_type.items()},
        "readings written": sum(any(item.readings) for item in items),
        "phrases": sum(item.phrase is not None for item in items),
        "features": sum(any(one.features != NO_FEATURES for one in item.candidates) for item in items),
        **switched(collection),
    }


def is_derived(item: wg.Item) -> bool:
    """Whether the grammar derives all readings of an item without the readings and phrases written by its author."""
    bare = replace(item, readings=(), phrase=None)
    return all(reading.derived for reading in wg.readings(bare, style="grammatical"))


def share(items: Sequence[wg.Item], derived: set[str]) -> str:
    """How many of these items are derived."""
    return f"{sum(item.id in derived for item in items)}/{len(items)}" if items else "–"


def switched(collection: wg.Collection) -> dict[str, object]:
    """How many switchable schemas are switched by grammar, by hand, or not at all."""
    some = [schema for schema in collection.schemas if "switchable" in schema.tags]
    written = [schema for schema in some if KIND in schema.kinds]
    able = [schema for schema in some if schema not in written and not any(map(obstacle, schema.items))]
    return {
        "switched": len(able),
        "by hand": len(written),
        "neither": len(some) - len(able) - len(written),
    }


def main(names: Sequence[str]) -> None:
    """Print a table with one row per collection."""
    collections = [wg.load(name) for name in names] or list(wg.load_all("winoglot").values())
    print_rows([row(collection) for collection in collections])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*", metavar="COLLECTION", help="instead of the bundled ones")
    main(parser.parse_args().collections)
