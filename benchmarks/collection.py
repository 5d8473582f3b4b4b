"""What the bundled collections are like: what grammar derives, how hard they are, what their size can show.

Run from the repository root: `python benchmarks/collection.py [COLLECTION …]`, by default for all bundled ones. Prints

- per collection: schemas and items; by pronoun type (from the tag), the items for which the grammar alone derives all
  readings, and the stored variants; the items and variants for which an author wrote a reading, and the items for
  which they wrote the possessed phrase or a candidate's features; of the schemas tagged 'switchable', those switched
  by grammar, those switched by hand, and the rest;
- the accuracy of the model by length and by readers' confidence, per collection and over all, where the items of one
  parallel schema are one cluster;
- the smallest difference between two solvers that is detected with 80% power (two-sided, 5%), per collection and over
  all: if the solvers disagree on a quarter of the items and items are independent, and with the disagreement and the
  clustering measured between the model's default scoring and full scoring.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

import winoglot as wg
from winoglot.cli.console import print_rows
from winoglot.metrics.accuracy import credit
from winoglot.metrics.subsets import subset_names
from winoglot.perturb.switched import KIND, obstacle
from winoglot.schemas.model import NO_FEATURES
from winoglot.statistics.formatting import percent_interval
from winoglot.statistics.intervals import bootstrap_ratio
from winoglot.statistics.power import PairedDesign, minimum_detectable_difference, paired_design

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcome

SUBSETS = ("short text", "long text", "sure readers", "less sure readers")
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
        "variants": share(collection.variants(), {one.id for one in collection.variants() if is_derived(one)}),
        "readings written": sum(any(item.readings) for item in (*items, *collection.variants())),
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


def by_difficulty(outcomes: dict[str, Sequence[Outcome]]) -> list[dict[str, object]]:
    """Accuracy by subset, per collection and over all."""
    rows = []
    for name in ("all items", *SUBSETS):
        row: dict[str, object] = {"": name}
        for column, found in outcomes.items():
            some = [one for one in found if name in ("all items", *subset_names(one))]
            if some:
                right = bootstrap_ratio([credit(o) for o in some], [1.0] * len(some), [o.example.cluster for o in some])
                row[column] = f"{percent_interval(right)}, n = {right.n}"
        if len(row) > 1:
            rows.append(row)
    return rows


def detectable(outcomes: dict[str, Sequence[Outcome]], others: dict[str, Sequence[Outcome]]) -> list[dict[str, object]]:
    """The smallest detectable difference, per collection and over all."""
    rows = []
    for column, found in outcomes.items():
        clusters = [one.example.cluster for one in found]
        schemas = len(set(clusters))
        measured = paired_design(list(map(credit, found)), list(map(credit, others[column])), clusters)
        row: dict[str, object] = {"": column, "schemas": schemas, "items": len(found)}
        designs = {"assumed": PairedDesign(0.25, 1.0, len(found) / schemas), "measured": measured}
        for name, design in designs.items():
            least = minimum_detectable_difference(design, schemas)
            row[name] = "–" if least is None else f"{100 * least:.1f} points"
        shown = f"{measured.discordance:.0%} discordant, design effect {measured.design_effect:.2f}"
        rows.append(row | {"measured design": shown})
    return rows


def with_total(runs: dict[str, wg.Run]) -> dict[str, Sequence[Outcome]]:
    """The outcomes of each run, and of all together: schemas have the same id in every language."""
    found: dict[str, Sequence[Outcome]] = {name: run.outcomes() for name, run in runs.items()}
    return found | {"all": [one for outcomes in found.values() for one in outcomes]}


def main(names: Sequence[str], model: str) -> None:
    """Print the three tables."""
    collections = [wg.load(name) for name in names] or list(wg.load_all("winoglot").values())
    print_rows([row(collection) for collection in collections])
    default = with_total({one.name: wg.evaluate(one, model) for one in collections})
    full = with_total({one.name: wg.evaluate(one, model, scoring="full") for one in collections})
    print(f"\nAccuracy of {model}, % [95% interval over schemas]")
    print_rows(by_difficulty(default))
    print("\nSmallest detectable difference between two solvers")
    print_rows(detectable(default, full))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("collections", nargs="*", metavar="COLLECTION", help="instead of the bundled ones")
    parser.add_argument("--model", default="gemma-3-270m")
    given = parser.parse_args()
    main(given.collections, given.model)
