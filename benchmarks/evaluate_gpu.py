"""What an evaluation on a GPU costs beside the scoring: items per second of both, in one process.

    python benchmarks/evaluate_gpu.py [MODEL] [--items N] [--times N] [--batch-tokens N …] [--scoring NAME …]

Scoring alone is given all questions at once, as texts: it tokenizes them. The evaluation makes the readings, counts
tokens, asks in batches, keeps scores in an empty cache and stores the run, synced to disk. Both take turns, since rates
vary by a fifth; the median of each is printed, with all values. The model is loaded before, and a few items are
evaluated, so that nothing is imported later; garbage is looked for as seldom as by the command `winoglot evaluate`.
Names of the bundled English collection are redrawn until there are enough items (see `large.py`).
"""

from __future__ import annotations

import argparse
import gc
import os
import tempfile
import time
from pathlib import Path
from statistics import median

import torch
from large import many

import winoglot as wg
from winoglot.models.base import Options, Question, Solver, load_model
from winoglot.runs.questions import asked


def main(given: argparse.Namespace) -> None:
    """Print both rates and their ratio, for each size of a batch and each scoring."""
    model, device, precision = given.model, given.device, given.precision
    if device == "cuda" and not torch.cuda.is_available():
        print("not run: this machine has no GPU")
        return
    collection = many(given.items, drawn=given.items)  # a text that occurs twice would be scored once
    questions = [one.question for one in asked(collection, (), "grammatical")]
    where = torch.cuda.get_device_name() if device == "cuda" else device
    print(f"{where}, {model}, {precision}: {len(questions)} items")
    for batch_tokens in given.batch_tokens:
        solver = load_model(model, Options(precision=precision, device=device, batch_tokens=batch_tokens))
        solver.prepare()
        _ = solver.fingerprint  # a hash of the weights: part of loading
        solver.score(questions[:200], ["full"])
        evaluated(collection[:20], solver, "full")
        for scoring in given.scoring:
            turns = [
                (scored(questions, solver, scoring), evaluated(collection, solver, scoring)) for _ in range(given.times)
            ]
            alone, whole = (sorted(rates) for rates in zip(*turns, strict=True))
            size = f"{batch_tokens} tokens" if batch_tokens else "default batch"
            share = median(whole) / median(alone)
            print(f"{size}, {scoring}: scoring alone {shown(alone)}, evaluate {shown(whole)}: {share:.0%}", flush=True)


def shown(rates: list[float]) -> str:
    """The median, and all of them."""
    return f"{median(rates):.0f} items/s ({', '.join(f'{rate:.0f}' for rate in rates)})"


def scored(questions: list[Question], solver: Solver, scoring: str) -> float:
    """The items per second of scoring alone."""
    start = time.perf_counter()
    solver.score(questions, [scoring])
    return len(questions) / (time.perf_counter() - start)


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
    parser.add_argument("--batch-tokens", type=int, nargs="+", default=[0], metavar="N", help="0: the default")
    parser.add_argument("--scoring", nargs="+", default=["partial", "full"], metavar="NAME")
    parser.add_argument("--times", type=int, default=3, metavar="N", help="turns of each")
    main(parser.parse_args())
