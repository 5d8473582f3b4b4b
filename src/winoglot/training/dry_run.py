"""What a training would take: counted before anything is made, then a few steps timed where they fit."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch

from winoglot.training.estimate import available_memory, check_fits, estimate
from winoglot.training.loop import make_steps
from winoglot.training.schedule import Course
from winoglot.training.together import Together, choose_precision

if TYPE_CHECKING:
    from winoglot.corpus.reading import Corpus
    from winoglot.training.recipes import Recipe
    from winoglot.training.settings import Settings

_WARM, _TIMED = 2, 5  # steps
_LONGEST = 20.0  # seconds of timing


@dataclass(frozen=True)
class DryRun:
    """Parameters, bytes, and what was timed."""

    parameters: int
    memory: int
    parts: dict[str, int]
    free: int
    device: str
    precision: str
    steps_an_epoch: int
    epochs: int
    tokens_per_second: float
    minutes_an_epoch: float  # without the check at its end

    def to_json(self) -> dict[str, Any]:
        """For other programs."""
        return asdict(self)


def dry_run(recipe: Recipe, corpus: Corpus, settings: Settings) -> DryRun:
    """Of a recipe on a corpus, here; an input error says what would fit where this does not. Nothing is written."""
    together = Together(settings.device)
    precision = choose_precision(settings.precision, together.device)
    types = len(corpus.vocabulary)
    low = precision != torch.float32
    needs, free = estimate(recipe, types, low_precision=low), available_memory(together.device)
    check_fits(recipe, types, free, low_precision=low)
    devices = [together.device] if together.device.type == "cuda" else []
    with torch.random.fork_rng(devices=devices):
        steps = make_steps(recipe, corpus, together, settings)
        plan = steps.task.plan(0)
        course = Course(rate=recipe.rate)
        begun = began = time.monotonic()
        tokens = 0
        for number, step in enumerate(plan[: _WARM + _TIMED]):
            if number and time.monotonic() - begun > _LONGEST:
                break
            if number == _WARM:
                steps.bad_step()  # waits for the device
                began, tokens = time.monotonic(), course.tokens
            course = steps.take(step, course, len(plan))
        steps.bad_step()
    rate = (course.tokens - tokens) / (time.monotonic() - began)
    train = len(corpus.split("train").tokens)
    parts = {name: size for name, size in asdict(needs).items() if name != "parameters"}
    return DryRun(
        needs.parameters,
        needs.memory,
        parts,
        free,
        str(together.device),
        str(precision).removeprefix("torch."),
        len(plan),
        recipe.epochs,
        rate,
        train / rate / 60,
    )
