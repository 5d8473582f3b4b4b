"""Training speed against plain eager float32 code: `python benchmarks/train.py [RECIPE] [--types N] …`.

On a GPU: awd-lstm-large with 98,242 types, then one epoch of each on the same made-up text, and the validation losses.
On a processor: lstm-small with 30,000 types. Needs torch, numpy, safetensors and accelerate; run with PYTHONPATH=src.
"""

from __future__ import annotations

import argparse
import statistics
import time
from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
import torch
from plain_lstm import Plain, plain_steps

from winoglot.training.distributed import Distributed, Process
from winoglot.training.language_task import LanguageTask, all_columns, equal_columns
from winoglot.training.networks import LanguageModel
from winoglot.training.recipes import RECIPES, Recipe
from winoglot.training.trainer import Trainer, TrainingState

if TYPE_CHECKING:
    from collections.abc import Callable


def made_up_text(types: int, tokens: int, seed: int) -> np.ndarray:
    """Random words with realistic frequencies; six in ten are one of four successors of the previous word."""
    shares = 1 / (np.arange(types) + 2.7)
    bounds = np.cumsum(shares / shares.sum())
    followers = np.searchsorted(bounds, np.random.default_rng(0).random((types, 4))).clip(0, types - 1)
    draw = np.random.default_rng(seed)
    chains = 1000
    text = np.empty((tokens // chains, chains), dtype=np.uint32)
    word = np.zeros(chains, dtype=np.int64)
    for row in text:
        free = np.searchsorted(bounds, draw.random(chains)).clip(0, types - 1)
        word = np.where(draw.random(chains) < 0.6, followers[word, draw.integers(4, size=chains)], free)
        row[:] = word
    return text.T.reshape(-1)


def wait(device: torch.device) -> None:
    if device.type == "cuda":
        torch.cuda.synchronize()


def timed(step: Callable[[int], int], count: int, device: torch.device) -> float:
    """Tokens per second, the median of five parts."""
    rates = []
    number = 0
    for part in range(6):
        wait(device)
        start = time.perf_counter()
        done = 0
        for _ in range(max(1, count // 5)):
            done += step(number)
            number += 1
        wait(device)
        if part:  # the first part is a warm-up
            rates.append(done / (time.perf_counter() - start))
    return statistics.median(rates)


def our_steps(trainer: Trainer, plan: list[tuple[int, int]]) -> Callable[[int], int]:
    state = TrainingState(rate=trainer.recipe.rate)

    def step(number: int) -> int:
        nonlocal state
        before = state.tokens
        state = trainer.take(plan[number % len(plan)], state, len(plan))
        return state.tokens - before

    return step


def make(
    recipe: Recipe, text: np.ndarray, valid: np.ndarray, types: int, distributed: Distributed, precision: torch.dtype
) -> tuple[Trainer, LanguageTask, LanguageModel]:
    torch.manual_seed(0)
    model = LanguageModel(recipe, types).to(distributed.device)
    columns = equal_columns(text, recipe.batch, 1)
    task = LanguageTask(model, recipe, columns, all_columns(valid, 10, 1), 0, Process(), precision)
    return Trainer(recipe, model, task, distributed, 0), task, model


def peak(device: torch.device) -> str:
    if device.type != "cuda":
        return ""
    found = f", {torch.cuda.max_memory_allocated() / 2**30:.1f} GiB"
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    return found


def profile(step: Callable[[int], int], device: torch.device) -> None:
    """Where the time of a step goes."""
    kinds = [torch.profiler.ProfilerActivity.CUDA if device.type == "cuda" else torch.profiler.ProfilerActivity.CPU]
    with torch.profiler.profile(activities=kinds) as found:
        for number in range(5):
            step(number)
        wait(device)
    rows = found.key_averages()
    name = "self_device_time_total" if device.type == "cuda" else "self_cpu_time_total"
    own = attrgetter(name)
    total = sum(map(own, rows))
    print(f"one step: {total / 5e3:.2f} ms of work, including")
    for row in sorted(rows, key=own, reverse=True)[:18]:
        print(f"  {own(row) / total:6.1%} {row.count / 5:6.0f} calls  {row.key[:90]}")


def main() -> None:
    parser = argparse.ArgumentParser()
    on_gpu = torch.cuda.is_available()
    parser.add_argument("recipe", nargs="?", default="awd-lstm-large" if on_gpu else "lstm-small")
    parser.add_argument("--types", type=int, default=98_242 if on_gpu else 30_000)
    parser.add_argument("--steps", type=int, default=60 if on_gpu else 10)
    parser.add_argument("--epoch-tokens", type=int, default=3_000_000 if on_gpu else 0)
    given = parser.parse_args()
    distributed = Distributed()
    device = distributed.device
    recipe = RECIPES[given.recipe]
    name = torch.cuda.get_device_name() if on_gpu else f"{torch.get_num_threads()} threads"
    print(f"{recipe.name}, {given.types} types, batch {recipe.batch} x {recipe.sequence}, {name}", end="")
    print(f", torch {torch.__version__}")
    text = made_up_text(given.types, max(given.epoch_tokens, 500_000), 1)
    valid = made_up_text(given.types, 100_000, 2)
    fixed = replace(recipe, varied=False)
    plan = [
        (number * recipe.sequence, recipe.sequence) for number in range(len(text) // recipe.batch // recipe.sequence)
    ]

    trainer, task, model = make(fixed, text, valid, given.types, distributed, torch.float32)
    slow = timed(plain_steps(Plain(model).to(device), task, plan), given.steps, device)
    del task, model
    print(f"plain float32: {slow:.0f} tokens/s{peak(device)}")
    for precision in (torch.float32, torch.bfloat16):
        del trainer
        peak(device)
        trainer, _, _ = make(fixed, text, valid, given.types, distributed, precision)
        rate = timed(our_steps(trainer, plan), given.steps, device)
        print(
            f"ours, {str(precision)[6:]}: {rate:.0f} tokens/s, {rate / slow:.2f} times plain{peak(device)}", flush=True
        )
        if (precision == torch.bfloat16) == on_gpu:
            profile(our_steps(trainer, plan), device)
    if on_gpu:
        compare_replayed(fixed, text, valid, given.types, distributed, plan)
    if given.epoch_tokens:
        one_epoch(recipe, text, valid, given.types, distributed)


def compare_replayed(
    recipe: Recipe,
    text: np.ndarray,
    valid: np.ndarray,
    types: int,
    distributed: Distributed,
    plan: list[tuple[int, int]],
) -> None:
    """A recorded step against the same step run eagerly, with the same random numbers."""
    _, task, model = make(recipe, text, valid, types, distributed, torch.bfloat16)
    losses, tensors = [], []
    for _ in range(3):  # run eagerly, recorded, replayed
        torch.manual_seed(1)
        result = task.train(plan[0], ())
        model.zero_grad()
        assert result.objective is not None
        result.objective.backward()  # type: ignore[no-untyped-call]
        losses.append(float(result.loss))
        gradients = [one.grad for one in model.parameters() if one.grad is not None]
        tensors.append([one.float().clone() for one in (*gradients, *result.state)])
    for name, number in (("recorded", 1), ("replayed", 2)):
        worst = max(float((b - a).norm() / a.norm()) for a, b in zip(tensors[0], tensors[number], strict=True))
        print(f"{name}: loss {losses[number]:.5f}, eager {losses[0]:.5f}; ", end="")
        print(f"gradients and states differ by at most {worst:.1e}")


def one_epoch(recipe: Recipe, text: np.ndarray, valid: np.ndarray, types: int, distributed: Distributed) -> None:
    """Train both from the same weights over the same steps; then print the loss on held-out text."""
    trainer, task, model = make(recipe, text, valid, types, distributed, torch.bfloat16)
    plan = task.plan(0)
    plain = Plain(model).to(distributed.device)
    start = time.perf_counter()
    step = our_steps(trainer, plan)
    for number in range(len(plan)):
        step(number)
    (ours,) = trainer.validate()
    middle = time.perf_counter()
    step = plain_steps(plain, task, plan)
    for number in range(len(plan)):
        step(number)
    weights = {"embedding": plain.embedding, "bias": plain.bias}
    for number, lstm in enumerate(plain.layers):
        weights |= {
            f"body.layers.{number}.{key.removesuffix('_l0')}": value for key, value in lstm.state_dict().items()
        }
    model.load_state_dict(weights)
    (theirs,) = trainer.validate()
    end = time.perf_counter()
    print(f"validation loss after an epoch of {len(text)} tokens: plain {theirs:.4f} in {end - middle:.0f} s, ", end="")
    print(f"ours {ours:.4f} in {middle - start:.0f} s, difference {ours / theirs - 1:+.2%}")


if __name__ == "__main__":
    main()
