"""How often tests of contamination fire for a collection that no model has read.

    python benchmarks/false_alarms.py                  # accuracy, margin and min-k%; twenty minutes on one core
    python benchmarks/false_alarms.py --continuation   # continuation and longest run as well: several times as long

Each bundled collection is divided by schema into two halves, many times. One half is treated as the
published collection, the other as the fresh one, so that whatever fires is a false alarm. With 95% intervals, of which
only those above 0 fire, a test should fire in 2.5% of the divisions. Both halves are from one collection: this says
nothing about alarms that come from a difference in style, or from names that are more frequent in one collection.
"""

from __future__ import annotations

import argparse
from dataclasses import replace

import numpy as np

import winoglot as wg
from winoglot.analysis.contamination import SHARES
from winoglot.analysis.contamination.differences import (
    Paired,
    accuracies,
    continuations,
    difference_in_differences,
    margins,
    min_k,
)
from winoglot.cli.console import print_rows
from winoglot.models.base import Options, load_model
from winoglot.perturb.base import with_kinds

KIND = "renamed"


def paired_values(collection: wg.Collection, model: str, *, with_continuation: bool) -> dict[str, Paired]:
    """By test, the model's value for each item and for its rewrite."""
    whole = with_kinds(collection, [KIND])
    whole = replace(whole, schemas=tuple(one for one in whole.schemas if KIND in one.kinds))
    solver = load_model(model, Options())
    run = wg.evaluate(whole, solver, "partial", readings="grammatical", kinds=(KIND,), progress=False)
    rewrites = whole.variants(KIND)
    items = [*(whole[one.variant_of or ""] for one in rewrites), *rewrites]
    values = {"accuracy": accuracies(run, KIND), "margin": margins(run, KIND)}
    values["min-k"] = min_k(solver, items, 0.2, lambda *_: None) or {}
    if with_continuation:
        values["continuation"], values["longest-run"] = continuations(solver, items, lambda *_: None) or ({}, {})
    return {test: Paired.of(whole, KIND, own) for test, own in values.items()}


def alarms(pairs: Paired, test: str, halves: int) -> list[bool]:
    """For each division into halves, whether the test fires."""
    schemas, drawn = np.unique(pairs.clusters), np.random.default_rng(0)
    found = []
    for seed in range(halves):
        chosen = np.isin(pairs.clusters, drawn.permutation(schemas)[: len(schemas) // 2])
        sides = [
            Paired(pairs.original[side], pairs.rewrite[side], tuple(np.array(pairs.clusters)[side]))
            for side in (chosen, ~chosen)
        ]
        made = difference_in_differences(*sides, is_share=test in SHARES, seed=seed)
        found.append(made.low is not None and made.low > 0)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", action="append", help="by default gemma-3-270m and gemma-3-270m-tuned")
    parser.add_argument("--collection", action="append", help="by default the four bundled ones")
    parser.add_argument("--halves", type=int, default=400, help="divisions of each collection (default: 400)")
    parser.add_argument("--continuation", action="store_true", help="test continuation and the longest run too")
    given = parser.parse_args()
    rows = []
    for model in given.model or ("gemma-3-270m", "gemma-3-270m-tuned"):
        for name in given.collection or ("winoglot-en", "winoglot-fr", "winoglot-pt", "winoglot-zh"):
            found = paired_values(wg.load(name), model, with_continuation=given.continuation)
            row = {"model": model, "collection": name, "schemas": str(len(set(found["accuracy"].clusters)))}
            row |= {test: f"{100 * np.mean(alarms(own, test, given.halves)):.1f}%" for test, own in found.items()}
            rows.append(row)
            print(row, flush=True)
    print_rows(rows)


if __name__ == "__main__":
    main()
