"""A large evaluation, step by step: time and memory of evaluating, storing, loading, estimating and reporting.

    python benchmarks/large.py [--items 100000] [--solvers first second chance longer frequent]

The items are those of the bundled English collection with names redrawn, repeated under other ids until there are
enough. Each step runs in a process of its own, so that its peak memory is its own.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING

import winoglot as wg
from winoglot.metrics.accuracy import accuracy, chance_test
from winoglot.metrics.base import estimates
from winoglot.metrics.subsets import subsets
from winoglot.perturb.renamed import renamed
from winoglot.runs.comparing import compare_all
from winoglot.runs.store import load_run

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Schema

SOLVERS = ("first", "second", "chance", "longer", "frequent")
LOCALES = {"en": "en-US", "pt": "pt-BR", "fr": "fr-FR", "zh": "zh-CN"}
_DRAWN = 20


def many(items: int, language: str = "en", drawn: int = _DRAWN) -> wg.Collection:
    """A collection of about as many items, made from the schemas of a bundled one that name people.

    Names are redrawn at most `drawn` times; further copies differ in their ids alone.
    """
    bundled = wg.load(f"winoglot-{language}")
    plain = replace(bundled, schemas=tuple(replace(schema, variants=(), impossible=()) for schema in bundled.schemas))
    named = renamed(plain, LOCALES[language], 0).replaced
    plain = replace(plain, schemas=tuple(schema for schema in plain.schemas if schema.id in named))
    times = min(drawn, 1 + items // (2 * len(plain.schemas)))
    redrawn = [renamed(plain, LOCALES[language], seed).collection.schemas for seed in range(times)]
    return replace(plain, name=f"large-{language}", schemas=tuple(islice(_copies(redrawn), items // 2)))


def _copies(drawn: list[tuple[Schema, ...]]) -> Iterator[Schema]:
    for number in count():
        for schema in drawn[number % len(drawn)]:
            name = f"{schema.id}-{number}"
            items = tuple(
                replace(item, id=f"{name}.{place}", schema_id=name, parallel_id=f"{name}.{place}")
                for place, item in enumerate(schema.items)
            )
            yield replace(schema, id=name, items=items, parallel_id=name)


def generate(folder: Path, items: int) -> str:
    """Write the collection."""
    made = many(items)
    wg.save(made, folder / "large.jsonl", force=True)
    return f"{len(made.items):,} items"


def evaluate(folder: Path, solver: str) -> str:
    """Evaluate one solver and store the run."""
    run = wg.evaluate(wg.load(folder / "large.jsonl"), solver, folder=folder / "runs" / solver)
    return f"{len(run.predictions):,} predictions"


def load(folder: Path) -> str:
    """Load all runs."""
    runs = [load_run(path) for path in sorted((folder / "runs").iterdir())]
    return f"{len(runs)} runs"


def estimate(folder: Path) -> str:
    """Load all runs, and compute what a report shows."""
    runs = [load_run(path) for path in sorted((folder / "runs").iterdir())]
    made = sum(len(estimates(run)) + len([accuracy.of(part) for part in subsets(run).values()]) for run in runs)
    tests = [chance_test(run) for run in runs]
    return f"{made} estimates, {len(tests)} tests, {len(compare_all(runs).made)} comparisons"


def report(folder: Path) -> str:
    """Load all runs and write the report."""
    runs = [load_run(path) for path in sorted((folder / "runs").iterdir())]
    wg.report(runs, folder / "report" / "report.html", force=True)
    sizes = {path.name: path.stat().st_size / 1e6 for path in (folder / "report").iterdir()}
    return ", ".join(f"{name} {size:.1f} MB" for name, size in sizes.items())


def step(name: str, folder: Path, argument: str) -> None:
    """Run one step here and print what it took."""
    start = time.perf_counter(), time.process_time()
    steps = {
        "generate": lambda: generate(folder, int(argument)),
        "evaluate": lambda: evaluate(folder, argument),
        "load": lambda: load(folder),
        "estimate": lambda: estimate(folder),
        "report": lambda: report(folder),
    }
    said = steps[name]()
    taken = time.perf_counter() - start[0], time.process_time() - start[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    label = f"{name} {argument}" if name == "evaluate" else name
    print(f"{label:16} {taken[0]:7.1f} s {taken[1]:7.1f} s of processor time {peak:7,.0f} MiB  {said}", flush=True)


def main(items: int, solvers: list[str], folder: Path) -> None:
    """Run every step in a process of its own."""
    (folder / "report").mkdir()
    steps = [("generate", str(items)), *(("evaluate", solver) for solver in solvers)]
    for name, argument in (*steps, ("load", ""), ("estimate", ""), ("report", "")):
        subprocess.run([sys.executable, __file__, "--step", name, str(folder), argument], check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100_000, metavar="N")
    parser.add_argument("--solvers", nargs="+", default=SOLVERS, metavar="NAME")
    parser.add_argument("--step", nargs=3, metavar=("STEP", "FOLDER", "ARGUMENT"), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.step:
        step(given.step[0], Path(given.step[1]), given.step[2])
    else:
        with tempfile.TemporaryDirectory() as name:
            main(given.items, given.solvers, Path(name))
