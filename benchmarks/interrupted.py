"""Experiments that are killed at random moments and run again: do they end as one that nothing disturbed?

Each is killed (SIGKILL) once, at a moment drawn between its start and the time that the undisturbed one took (again, if
it has finished by then); then the same command is given again. Compared are the lock file, the tables of results, and
all predictions. The cache of scores is emptied each time, so that what was interrupted is computed again.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

EXPERIMENT = """
collections: [winoglot-en, winoglot-pt]
models: [{models}]
readings: [naive, grammatical]
kinds: [switched]
limit: {limit}
analyses: {{comparisons: true}}
"""
COMMAND = (sys.executable, "-c", "from winoglot.cli.main import main; main()", "run")


def start(folder: Path) -> subprocess.Popen[bytes]:
    """The command, begun. Weights may be prepared already, but no score is known."""
    cache = folder.parent / "cache"
    for scores in cache.glob("scores.sqlite*"):
        scores.unlink()
    environment = os.environ | {"WINOGLOT_CACHE": str(cache)}
    with (folder / "output.txt").open("ab") as output:
        return subprocess.Popen((*COMMAND, folder / "study.yaml"), env=environment, stdout=output, stderr=output)


def outcome(folder: Path) -> dict[str, Any]:
    """Everything that must be equal; not the time that batches took."""
    results = folder / "study-results"
    found: dict[str, Any] = {
        name: (results / name).read_text(encoding="utf-8")
        for name in ("experiment.lock.json", "results.csv", "results.md", "comparisons.csv")
    }
    for path in sorted(results.glob("runs/*/predictions.jsonl")):
        rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        found[path.parent.name] = [{key: value for key, value in row.items() if key != "seconds"} for row in rows]
    return found


def predicted(folder: Path) -> int:
    """How many predictions are on disk."""
    return sum(len(path.read_bytes().splitlines()) for path in folder.glob("study-results/runs/*/predictions.jsonl"))


def write(folder: Path, text: str) -> Path:
    """The folder, with the experiment file."""
    (folder / "study.yaml").write_text(text, encoding="utf-8")
    return folder


def killed(parent: Path, text: str, seconds: float, drawn: random.Random) -> tuple[Path, float]:
    """The folder of an experiment that was killed, and the moment."""
    while True:
        folder = write(Path(tempfile.mkdtemp(dir=parent)), text)
        process = start(folder)
        moment = drawn.uniform(0, seconds)
        try:
            process.wait(moment)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return folder, moment


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=20, help="how many experiments are interrupted")
    parser.add_argument("--models", default="first, longer, chance", help="of the experiment")
    parser.add_argument("--limit", type=int, default=40, help="schemas per collection")
    parser.add_argument("--seed", type=int, default=0, help="of the moments")
    given = parser.parse_args()
    text = EXPERIMENT.format(models=given.models, limit=given.limit)
    drawn = random.Random(given.seed)
    equal = 0
    with tempfile.TemporaryDirectory() as name:
        first = write(Path(tempfile.mkdtemp(dir=name)), text)
        for _ in ("prepare weights", "measure the time"):
            begun = time.perf_counter()
            shutil.rmtree(first / "study-results", ignore_errors=True)
            if start(first).wait():
                print((first / "output.txt").read_text(encoding="utf-8"), file=sys.stderr)
                return 1
            seconds = time.perf_counter() - begun
        expected = outcome(first)
        print(f"undisturbed: {seconds:.1f} s, {predicted(first)} predictions", flush=True)
        for number in range(1, given.times + 1):
            folder, moment = killed(Path(name), text, seconds, drawn)
            kept = predicted(folder)
            code = start(folder).wait()
            same = code == 0 and outcome(folder) == expected
            equal += same
            word = "equal" if same else "NOT EQUAL"
            print(f"{number}: killed after {moment:.1f} s, {kept} predictions on disk; then {word}", flush=True)
            if not same:
                print((folder / "output.txt").read_text(encoding="utf-8"), file=sys.stderr)
            shutil.rmtree(folder)
    print(f"{equal} of {given.times} interrupted experiments ended equal to the undisturbed one")
    return 0 if equal == given.times else 1


if __name__ == "__main__":
    sys.exit(main())
