"""What an evaluation on a GPU costs beside the scoring: items per second of both, in one process.

    python benchmarks/evaluate_gpu.py [MODEL] [--items N] [--device cpu]

Scoring alone is given all questions at once, as texts: it tokenizes them. The evaluation makes the readings, counts
tokens, asks in batches, keeps scores in an empty cache and stores the run, synced to disk. The model is loaded before,
and a few items are evaluated, so that nothing is imported later; garbage is looked for as seldom as by the command
`winoglot evaluate`. Names of the bundled English collection are redrawn until there are enough items (see `large.py`).
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
import time
from pathlib import Path

import torch
from large import many

import winoglot as wg
from winoglot.models.base import Options, Solver, load_model
from winoglot.runs.questions import asked


def main(model: str, items: int, device: str, precision: str) -> None:
    """Print both rates and their ratio, for several sizes of a batch and for one and two scorings."""
    if device == "cuda" and not torch.cuda.is_available():
        print("not run: this machine has no GPU")
        return
    collection = many(items, drawn=items)  # a text that occurs twice would be scored once
    start = time.perf_counter()
    questions = [one.question for one in asked(collection, (), "grammatical")]
    making = time.perf_counter() - start
    where = torch.cuda.get_device_name() if device == "cuda" else device
    print(
        f"{where}, {model}, {precision}: {len(questions)} items, readings alone {len(questions) / making:.0f} items/s"
    )
    for batch_tokens in (0, 2048, 8192):
        solver = load_model(model, Options(precision=precision, device=device, batch_tokens=batch_tokens))
        solver.prepare()
        _ = solver.fingerprint  # a hash of the weights: part of loading
        solver.score(questions[:200], ["full"])
        evaluated(collection[:20], solver, "full")
        for scoring in ("partial", "full"):
            start = time.perf_counter()
            solver.score(questions, [scoring])
            alone = len(questions) / (time.perf_counter() - start)
            whole = evaluated(collection, solver, scoring)
            size = f"{batch_tokens} tokens" if batch_tokens else "default batch"
            print(
                f"{size:13} {scoring:8} scoring alone {alone:6.0f} items/s, evaluate {whole:6.0f}: {whole / alone:.0%}"
            )


def evaluated(collection: wg.Collection, solver: Solver, scoring: str) -> float:
    """The items per second of an evaluation that is stored."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["WINOGLOT_CACHE"] = str(Path(folder) / "cache")
        start = time.perf_counter()
        run = wg.evaluate(collection, solver, scoring, folder=Path(folder) / "run")
        return len(run.predictions) / (time.perf_counter() - start)


if __name__ == "__main__":
    gc.set_threshold(100_000, 50, 50)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", nargs="?", default="gemma-3-270m", help="as for `winoglot evaluate --model`")
    parser.add_argument("--items", type=int, default=4000, metavar="N")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--precision", default="bfloat16")
    given = parser.parse_args()
    main(given.model, given.items, given.device, given.precision)
