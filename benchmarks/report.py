"""How long a report takes and how large it is: 48 runs of 229 items from their folders, and many more predictions.

Prints processor time (load, numbers, page), the size of the page and of the file beside it, if there is one, and the
memory used. Predictions are drawn at random; everything else is real.

    python benchmarks/report.py
"""

import argparse
import random
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import winoglot as wg
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.store import save_run

ITEMS, LANGUAGES, MODELS = 229, ("en", "pt", "fr", "zh"), 12
LIMIT = 5.0  # seconds of processor time
LARGEST = 3_000_000  # bytes of the page


def main() -> int:
    """Write the runs, then measure in processes of their own, so that imports and loading count."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs = Path(folder) / "runs"
        write_runs(runs, ITEMS, MODELS)
        seconds = measured(runs, Path(folder) / "report.html")
        ok = seconds <= LIMIT
        print(f"48 runs x {ITEMS} items: {seconds:.1f} s of processor time (limit {LIMIT:g})")
        many, page = Path(folder) / "many", Path(folder) / "page.html"
        write_runs(many, 320, 40)
        took = measured(many, page)
        size = page.stat().st_size
        print(f"{40 * 4 * 320:,} predictions in 160 runs: page {size / 1e6:.2f} MB (limit 3), {took:.1f} s")
    return 0 if ok and size < LARGEST else 1


def measured(runs: Path, page: Path) -> float:
    """Seconds of processor time of the command, from start to end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", "from winoglot.cli.main import main; main()", "report", str(runs), "-o", str(page)]
    started = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = after.ru_maxrss / 1024
    print(f"  wall {time.perf_counter() - started:.1f} s, processor {used:.1f} s, peak memory so far {peak:.0f} MB")
    return used


def write_runs(folder: Path, items: int, models: int) -> None:
    """One run per model and language, over the first items of the bundled collections."""
    for language in LANGUAGES:
        collection = wg.load(f"winoglot-{language}")
        kept = {item.id for item in collection.items[:items]}
        schemas = tuple(
            replace(
                schema,
                items=shown,
                variants=tuple(variant for variant in schema.variants if variant.variant_of in kept),
            )
            for schema in collection.schemas
            if (shown := tuple(item for item in schema.items if item.id in kept))
        )
        part = replace(collection, schemas=schemas)
        for number in range(models):
            draw = random.Random(f"{language} {number}")
            made = []
            for item in part.items:
                scores = [-draw.random() * 40 for _ in item.candidates]
                made.append(Prediction(item.id, item.hash, scores.index(max(scores)), tuple(scores)))
            settings = Settings(f"model-{number}", "partial", "grammatical", f"{number:016x}")
            save_run(Run(part, settings, tuple(made)), folder / f"{language}-{number}")


if __name__ == "__main__":
    sys.exit(main())
