"""Print tables of docs/results.md again from stored runs and analyses.

    python benchmarks/results.py grammar RUNS…           # folders of runs: naive beside grammatical readings
    python benchmarks/results.py changes RUNS…           # the same by what grammar changes: letter case, or more
    python benchmarks/results.py subsets RUNS…           # the same by subset, as in the dissertation's tables
    python benchmarks/results.py perturbations FOLDER…   # folders that `winoglot analyse` wrote

Differences are grammatical minus naive, in points, on the same items; intervals resample schemas, p-values are from
flips of whole schemas, corrected by Holm's method over all rows. An undecided item counts one half.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import winoglot as wg
from winoglot.experiment.results import as_markdown
from winoglot.languages.readings import readings
from winoglot.metrics.accuracy import credit, success
from winoglot.metrics.robustness import consistency
from winoglot.metrics.subsets import subsets
from winoglot.runs.pairing import paired
from winoglot.statistics.intervals import Estimate, bootstrap_ratio
from winoglot.statistics.significance import between_solvers, holm

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.runs.run import Run

STYLES = ("naive", "grammatical")
PARTS = ("associative", "not associative", "switchable")
KINDS = ("tense", "number", "gender", "voice", "relative", "adverb", "synonym")
# What a table of an analysis shows: a measure's quantity, which of its rows, and how its values are written.
ROWS: dict[str, tuple[str, dict[str, str], str]] = {
    "accuracy": ("accuracy", {}, "%"),
    "associative": ("accuracy", {"subset": "associative"}, "%"),
    "not associative": ("accuracy", {"subset": "not associative"}, "%"),
    "Δ accuracy": ("delta", {}, "points"),
    "stability": ("stability", {}, "%"),
    "pair accuracy": ("pair-accuracy", {}, "%"),
    "beside other names": ("delta-to-renamed", {}, "points"),
    "first mention, masked": ("first-mention", {"items": "all", "order": "original"}, "%"),
    "first mention, switchable": ("first-mention", {"items": "switchable", "order": "original"}, "%"),
    "first mention, switched": ("first-mention", {"items": "switchable", "order": "switched"}, "%"),
    "twin in the bottom": ("twin-in-bottom", {}, "%"),
    "ρ, first candidate": ("correlation", {"candidate": "first"}, "value"),
    "ρ, second candidate": ("correlation", {"candidate": "second"}, "value"),
    "ρ, share": ("correlation", {"candidate": "share"}, "value"),
    "shift, right − wrong, nats": ("shift-difference", {}, "value"),
    "Jensen-Shannon distance": ("js-distance", {"items": "common"}, "value"),
    "tokens kept": ("kept-tokens", {"items": "common"}, "count"),
    "representation distance": ("correlation-distance", {"items": "common"}, "value"),
}
WHICH = ("items", "order", "candidate", "subset")  # what tells rows of one quantity and kind apart
WHOLE = (
    ("mean Δ", "all", "mean-delta", "points"),
    ("robust accuracy", "all", "robust-accuracy", "%"),
    ("noise floor", "renamed", "noise-floor", "points"),
)


def shown(estimate: Estimate | dict[str, Any], unit: str = "%") -> str:
    """A value with its interval: `54.9 [50, 60]`, `+1.8 [−0.4, +4.0]`."""
    given = estimate if isinstance(estimate, dict) else vars(estimate)
    value, low, high = (given[name] for name in ("value", "low", "high"))
    if value is None:
        return "–"
    if unit == "%":
        return f"{100 * value:.1f} [{100 * low:.0f}, {100 * high:.0f}]"
    if unit == "points":
        text = f"{100 * value:+z.1f} [{100 * low:+z.1f}, {100 * high:+z.1f}]"
    else:
        digits = 0 if unit == "count" else 2
        text = f"{value:z.{digits}f} [{low:z.{digits}f}, {high:z.{digits}f}]"
    return text.replace("-", "−")


def pairs_of(runs: Iterable[Run]) -> dict[tuple[str, str, str], dict[str, Run]]:
    """The runs by collection, model and scoring, and then by style of readings; only where there are both."""
    found: dict[tuple[str, str, str], dict[str, Run]] = {}
    for run in runs:
        settings = run.settings
        found.setdefault((run.source.name, settings.model, settings.scoring), {})[settings.readings] = run
    return {key: both for key, both in found.items() if set(both) == set(STYLES)}


def change(item: wg.Item) -> str:
    """What grammar changes in the texts with a candidate in the pronoun's place."""
    naive, grammatical = ([one.text for one in readings(item, style)] for style in STYLES)
    if naive == grammatical:
        return "nothing"
    lowered = ([text.lower() for text in texts] for texts in (naive, grammatical))
    return "letter case" if len({tuple(texts) for texts in lowered}) == 1 else "more"


def grammar(runs: Iterable[Run], *, by_change: bool = False) -> list[dict[str, str]]:
    """Naive and grammatical readings side by side, with their difference."""
    rows, tests = [], []
    changes: dict[str, dict[str, str]] = {}
    for (collection, model, scoring), both in pairs_of(runs).items():
        if collection not in changes:
            changes[collection] = {item.id: change(item) for item in both["naive"].collection.items}
        own = changes[collection]
        pairs = paired(both["grammatical"], both["naive"])
        found = [own[outcome.example.id] for outcome in pairs.first]
        for part in ("letter case", "more") if by_change else ("",):
            chosen = [place for place, one in enumerate(found) if one == (part or one)]
            if not chosen:
                continue
            sides = [[side[place] for place in chosen] for side in (pairs.second, pairs.first)]
            naive, grammatical = (np.array([credit(one) for one in side]) for side in sides)
            schemas, ones = [pairs.schemas[place] for place in chosen], np.ones(len(chosen))
            tests.append(between_solvers(grammatical, naive, schemas).value)
            rows.append(
                {
                    "collection": collection,
                    "model": model,
                    "scoring": scoring,
                    "n": str(len(chosen)),
                    "changed": part or str(sum(one != "nothing" for one in found)),
                    "undecided": " / ".join(str(sum(one.choice is None for one in side)) for side in sides),
                    "naive": shown(bootstrap_ratio(naive, ones, schemas)),
                    "grammatical": shown(bootstrap_ratio(grammatical, ones, schemas)),
                    "difference": shown(bootstrap_ratio(grammatical - naive, ones, schemas, bounds=(-1, 1)), "points"),
                }
            )
    for row, corrected in zip(rows, holm(tests), strict=True):
        row["p, Holm"] = "< 0.001" if corrected < 0.001 else f"{corrected:.2g}"
    return rows


def by_subset(runs: Iterable[Run]) -> list[dict[str, str]]:
    """Accuracy on subsets, on switched items, and consistency, of collections that have such tags."""
    rows = []
    for (collection, model, scoring), both in pairs_of(runs).items():
        for style in STYLES:
            parts = subsets(both[style])
            if not set(PARTS) <= set(parts):
                continue
            rows.append(
                {
                    "collection": collection,
                    "model": model,
                    "scoring": scoring,
                    "readings": style,
                    "all": shown(success.of(both[style])),
                    **{name: shown(success.of(parts[name])) for name in PARTS},
                    "switched": shown(success.of(both[style], "switched")),
                    "consistency": shown(consistency.of(both[style])),
                }
            )
    return rows


def perturbations(folder: Path) -> list[tuple[str, list[dict[str, str]]]]:
    """For each collection and model of an analysis, one row per quantity and one column per kind."""
    results = json.loads((folder / "analysis.json").read_text(encoding="utf-8"))["results"]
    tables = []
    for who in dict.fromkeys((one["collection"], one["model"]) for one in results if one["model"]):
        own = {
            (one["kind"], row["quantity"], *map(row.get, WHICH)): row
            for one in results
            if (one["collection"], one["model"]) == who
            for row in one["estimates"]
        }
        rows = []
        for title, (quantity, wanted, unit) in ROWS.items():
            cells = {kind: own.get((kind, quantity, *map(wanted.get, WHICH))) for kind in ("original", *KINDS)}
            if any(cells.values()):
                rows.append({"": title, **{kind: shown(cell, unit) if cell else "" for kind, cell in cells.items()}})
        whole = []
        for name, kind, quantity, unit in WHOLE:
            row = own[kind, quantity, *(None for _ in WHICH)]
            whole.append(f"{name} {shown(row, unit)}{_test(row)}")
        tables.append((", ".join((*who, *whole)), rows))
    return tables


def _test(row: dict[str, Any]) -> str:
    """The p-value of a row that has one, and the change that could be detected."""
    return f" (p = {row['p']:.3f}, detectable {100 * row['detectable']:.1f})" if row.get("p") else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", nargs="?", choices=("grammar", "changes", "subsets", "perturbations"))
    parser.add_argument("folders", nargs="*", type=Path)
    given = parser.parse_args()
    if not given.what or not given.folders:
        print("nothing to print: name a table and folders of runs or analyses")
        return
    if given.what == "perturbations":
        for folder in given.folders:
            for title, rows in perturbations(folder):
                print(f"{title}\n\n{as_markdown(rows)}\n")
        return
    runs = wg.load_runs(given.folders)
    rows = by_subset(runs) if given.what == "subsets" else grammar(runs, by_change=given.what == "changes")
    print(as_markdown(rows))


if __name__ == "__main__":
    main()
