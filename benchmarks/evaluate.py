"""Items per second of the bundled model, compared with lm-evaluation-harness on the same machine, items and model.

    LM_EVAL_PYTHON=/path/to/venv/bin/python python benchmarks/evaluate.py [--items N]

The harness has its own environment (`pip install lm-eval` there) and scores the same items, written by
`winoglot export --to lm-eval`, in float32 with batches of 16. Without it only our own figures are printed. The items
are XWinograd pt if WINOGLOT_DATA is set, otherwise the bundled ones.

    python benchmarks/evaluate.py --counts [LANGUAGE…]

prints instead how many items of XWinograd (pt, fr, ru and zh) are correct with naive readings, by partial and full
scoring, and for how many the tokens would change if a token boundary were forced at the end of the candidate.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import torch

import winoglot as wg
from winoglot.folders import cache_folder
from winoglot.models import gemma_3_270m
from winoglot.models.base import Options, Solver
from winoglot.models.scoring.packing import pack
from winoglot.runs.questions import PreparedQuestion, asked

if TYPE_CHECKING:
    from winoglot.models.causal import CausalSolver

HARNESS = """
import json, sys, time
import lm_eval
from lm_eval.models.huggingface import HFLM
from lm_eval.tasks import TaskManager
model = HFLM(pretrained=sys.argv[1], dtype="float32", batch_size=16, device="cpu", add_bos_token=True)
tasks = TaskManager(include_path=sys.argv[2])
start = time.perf_counter()
done = lm_eval.simple_evaluate(model=model, tasks=[sys.argv[3]], task_manager=tasks, bootstrap_iters=0)
print("RESULT" + json.dumps([time.perf_counter() - start, done["results"][sys.argv[3]]["acc,none"]]))
"""


def timed(solver: Solver, questions: list[PreparedQuestion]) -> tuple[float, list[int | None], int]:
    """Items per second, the choices by partial scoring, and how many of them are correct."""
    solver.score([one.question for one in questions[:4]], ["partial", "full"])  # warm up
    start = time.perf_counter()
    found = solver.score([one.question for one in questions], ["partial", "full"])
    seconds = time.perf_counter() - start
    choices = [scores["partial"].choice(1e-6) for scores in found]
    right = sum(choice == one.item.answer for choice, one in zip(choices, questions, strict=True))
    return len(questions) / seconds, choices, right


def harness(collection: wg.Collection, python: str) -> tuple[float, float]:
    """Items per second and accuracy of the harness."""
    model = next(cache_folder().glob("gemma-3-270m-*"))
    with tempfile.TemporaryDirectory() as folder:
        wg.save(collection, Path(folder) / "task", "lm-eval")
        task = next((Path(folder) / "task").glob("*.yaml")).stem
        arguments = [python, "-c", HARNESS, str(model), str(Path(folder) / "task"), task]
        done = subprocess.run(arguments, capture_output=True, encoding="utf-8", check=False)
    if "RESULT" not in done.stdout:
        sys.exit(f"the harness failed: {done.stderr[-2000:]}")
    seconds, accuracy = json.loads(done.stdout.rpartition("RESULT")[2])
    return len(collection.items) / seconds, accuracy


def product_rate() -> float:
    """The speed of a plain float32 matrix product on this machine, in GFLOPS."""
    one, other = torch.randn(1024, 640), torch.randn(640, 8192)
    torch.mm(one, other)
    start = time.perf_counter()
    for _ in range(10):
        torch.mm(one, other)
    return 10 * 2 * 1024 * 640 * 8192 / (time.perf_counter() - start) / 1e9


def work(solver: CausalSolver, questions: list[PreparedQuestion]) -> float:
    """The floating-point operations of the matrix products that the questions need, in units of 1e9."""
    texts = list({reading.text for one in questions for reading in one.question.readings})
    sequences = [[0, *one.ids] for one in solver.encoder.encode(texts)]
    model = solver.packed.model
    layers = [layer for layer in model.base_model.modules() if isinstance(layer, torch.nn.Linear)]
    body, head = sum(layer.weight.numel() for layer in layers), solver.packed.head.weight.numel()
    trees = [tree for tree, _ in pack(sequences, solver.packed.batch_tokens)]
    nodes = sum(tree.size for tree in trees)
    rows = sum(len(set(tree.parents[tree.parents >= 0].tolist())) for tree in trees)
    return 2 * (nodes * body + rows * head) / 1e9


def count_right(path: Path, languages: list[str]) -> None:
    """Print the number of correct items for some languages of XWinograd."""
    solver = gemma_3_270m.load("", Options())

    def encoded(text: str) -> list[int]:
        return solver.encoder.encode([text])[0].ids

    for language in languages:
        questions = asked(wg.load(str(path), language=language), (), "naive")
        found = solver.score([one.question for one in questions], ["partial", "full"])
        pairs = list(zip(found, questions, strict=True))
        right = {
            s: sum(scores[s].choice(1e-6) == one.item.answer for scores, one in pairs) for s in ("partial", "full")
        }
        changed = sum(
            any(encoded(r.text) != encoded(r.before + r.inserted) + encoded(r.after) for r in one.question.readings)
            for one in questions
        )
        print(f"{language}: partial {right['partial']}, full {right['full']} of {len(questions)}", end="; ")
        print(f"a forced boundary would change the tokens of {changed}", flush=True)


def main(most: int | None, counts: list[str] | None) -> None:
    """Print the figures and their ratios."""
    folder = os.environ.get("WINOGLOT_DATA")
    if counts is not None and folder:
        count_right(Path(folder) / "collections" / "xwinograd.tsv", counts or ["pt", "fr", "ru", "zh"])
        return
    if counts is not None:
        print("nothing to count: set WINOGLOT_DATA to a folder with collections/xwinograd.tsv")
        return
    collection = (
        wg.load(str(Path(folder) / "collections" / "xwinograd.tsv"), language="pt")
        if folder
        else wg.load("winoglot-pt")
    )
    if most is not None:
        collection = replace(collection, schemas=collection.schemas[: most // 2])
    questions = asked(collection, (), "naive")
    print(f"{collection.name}: {len(questions)} items, {torch.get_num_threads()} threads")
    start = time.perf_counter()
    exact = gemma_3_270m.load("", Options())
    print(f"ready in {time.perf_counter() - start:.1f} s")
    rate, choices, right = timed(exact, questions)
    ours, machine = work(exact, questions) * rate / len(questions), product_rate()
    print(f"float32: {rate:.2f} items/s, {right} correct by partial scoring")
    print(f"  {ours:.0f} GFLOPS of matrix products, {ours / machine:.0%} of a plain product's {machine:.0f}")
    del exact
    rough_rate, rough, rough_right = timed(gemma_3_270m.load("", Options(precision="int8")), questions)
    changed = sum(a != b for a, b in zip(choices, rough, strict=True))
    print(f"int8: {rough_rate:.2f} items/s, {rough_right} correct by partial scoring, {changed} choices changed")
    python = os.environ.get("LM_EVAL_PYTHON")
    if python:
        theirs, accuracy = harness(collection, python)
        print(f"lm-evaluation-harness: {theirs:.2f} items/s, accuracy {accuracy:.3f}")
        print(f"ratio: float32 {rate / theirs:.2f}, int8 {rough_rate / theirs:.2f}")
    else:
        print("not compared: set LM_EVAL_PYTHON to the Python of an environment that has lm-eval")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, metavar="N", help="use about N items, from the first schemas")
    parser.add_argument("--counts", nargs="*", metavar="LANGUAGE", help="only count the correct items of XWinograd")
    arguments = parser.parse_args()
    main(arguments.items, arguments.counts)
