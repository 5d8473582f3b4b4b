"""Items per second on a GPU, and how many choices bfloat16 changes."""

from __future__ import annotations

import argparse
import time
from typing import TYPE_CHECKING, cast

import torch

import winoglot as wg
from winoglot.models.base import Options, load_model
from winoglot.models.scoring.head import SLICE
from winoglot.models.scoring.pretrained import memory_cost
from winoglot.runs.questions import asked

if TYPE_CHECKING:
    from winoglot.models.causal import CausalSolver


def main(model: str, file: str, language: str) -> None:
    """Print the figures for float32 and bfloat16, with small and large batches."""
    if not torch.cuda.is_available():
        print("not run: this machine has no GPU")
        return
    questions = [one.question for one in asked(wg.load(file, language=language), (), "naive")]
    print(f"{torch.cuda.get_device_name()}: {len(questions)} items of {file}, {language}")
    choices: dict[str, list[int | None]] = {}
    for precision in ("float32", "bfloat16"):
        for batch_tokens in (2048, 8192):
            options = Options(precision=precision, device="cuda", batch_tokens=batch_tokens)
            solver = cast("CausalSolver", load_model(model, options))
            solver.score(questions[:50], ["partial", "full"])
            torch.cuda.synchronize()
            torch.cuda.reset_peak_memory_stats()
            before = torch.cuda.memory_allocated()
            start = time.perf_counter()
            found = solver.score(questions, ["partial", "full"])
            seconds = time.perf_counter() - start
            choices[precision] = [scores["partial"].choice(1e-6) for scores in found]
            right = sum(c == q.item.answer for c, q in zip(choices[precision], questions, strict=True))
            print(
                f"{precision}, {batch_tokens} tokens per batch: {len(questions) / seconds:.0f} items/s, {right} correct"
            )
            taken = (torch.cuda.max_memory_allocated() - before) / 2**20
            bound = memory_cost(solver.packed.model, columns=SLICE, one_row=True).of(batch_tokens) / 2**20
            print(f"  {taken:.0f} MiB used besides the weights, {bound:.0f} estimated")
    changed = sum(a != b for a, b in zip(choices["float32"], choices["bfloat16"], strict=True))
    print(f"bfloat16 changes {changed} of {len(questions)} choices")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="as for `winoglot evaluate --model`")
    parser.add_argument("file", help="a collection")
    parser.add_argument("language", help="which of its languages")
    given = parser.parse_args()
    main(given.model, given.file, given.language)
