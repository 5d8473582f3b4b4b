"""What training will take, estimated before it starts: parameters, memory, time, and what would fit instead."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

import torch

from winoglot.errors import InputError
from winoglot.memory import free_memory
from winoglot.training.distributed import Distributed, choose_precision
from winoglot.training.networks import LanguageModel
from winoglot.training.recipes import RECIPES
from winoglot.training.trainer import TrainingState, make_trainer

if TYPE_CHECKING:
    from winoglot.corpus.reading import Corpus
    from winoglot.training.loop import TrainingSettings
    from winoglot.training.recipes import Recipe

_FLOAT = 4  # bytes
_CHUNK = 2**29  # bytes of logits at once on a GPU; a processor takes less
_LIBRARY = 2**29  # bytes that torch and its kernels always take
_WARM_UP, _TIMED = 2, 5  # steps of a dry run
_MAX_SECONDS = 20.0  # of timing


@dataclass(frozen=True)
class Needs:
    """The parameters of a model, and the bytes that training it takes."""

    parameters: int
    weights: int
    gradients: int
    optimiser: int  # its state, and averages of the weights
    activations: int
    logits: int

    @property
    def memory(self) -> int:
        """All bytes, including those that torch always takes."""
        return self.weights + self.gradients + self.optimiser + self.activations + self.logits + _LIBRARY


def estimate(recipe: Recipe, types: int, *, low_precision: bool = False) -> Needs:
    """What a recipe needs for a vocabulary of this size.

    >>> estimate(RECIPES["lstm-small"], 98_242).parameters
    20389842
    """
    count = parameter_count(recipe, types)
    copies = {"sgd": 0, "adagrad": 1, "adamw": 2}[recipe.optimiser] + (recipe.schedule == "average")
    size = 2 if low_precision else _FLOAT
    tokens = recipe.batch * round(recipe.sequence * (1.3 if recipe.varied else 1.0))
    if recipe.kind == "context2vec":
        units = recipe.embedding * (14 + 2 * recipe.negatives)
        logits = 0
    else:
        # An LSTM layer keeps its four gates, cell, output and the output after dropout; others keep less.
        per_layer = 16 * recipe.embedding + 4 * recipe.inner if recipe.kind == "transformer" else 9 * recipe.hidden
        units = recipe.layers * per_layer + 6 * recipe.embedding
        # A chunk of logits, the weights once more in low precision, and their gradient.
        logits = min(tokens * types * _FLOAT, _CHUNK) + types * recipe.embedding * (2 + _FLOAT)
    return Needs(count, count * _FLOAT, 2 * count * _FLOAT, count * _FLOAT * copies, tokens * units * size, logits)


def parameter_count(recipe: Recipe, types: int) -> int:
    """The number of weights of a recipe's model."""
    if recipe.kind == "context2vec":  # whose network needs the counts of a vocabulary
        wide, deep = recipe.embedding, recipe.hidden
        lstm = 4 * deep * (wide + deep + 2)
        return 3 * types * wide + 2 * lstm + (2 * deep) * (2 * deep) + 2 * deep + 2 * deep * wide + wide
    with torch.device("meta"):
        return sum(parameter.numel() for parameter in LanguageModel(recipe, types).parameters())


def check_fits(recipe: Recipe, types: int, available: int | None, *, low_precision: bool = False) -> None:
    """An input error if a training needs more memory than there is, with what would fit. None means unknown."""
    needs = estimate(recipe, types, low_precision=low_precision)
    if available is None or needs.memory <= available:
        return

    def fits(other: Recipe) -> bool:
        return estimate(other, types, low_precision=low_precision).memory <= available

    batches = (recipe.batch // 2**halvings for halvings in range(1, recipe.batch.bit_length()))
    fitting_options = [f"--set batch={batch}" for batch in batches if fits(replace(recipe, batch=batch))][:1]
    smaller = [other.name for other in RECIPES.values() if other.name != recipe.name and fits(other)]
    if smaller:
        fitting_options.append(f"the recipe{'s' if len(smaller) > 1 else ''} {', '.join(smaller)}")
    message = f"{recipe.name} with {types} types needs about {spelled(needs.memory)}; {spelled(available)} is free"
    remedy = (
        f"This would fit: {'; '.join(fitting_options)}."
        if fitting_options
        else "Build the corpus with a smaller --max-vocab."
    )
    raise InputError(message, remedy=remedy)


def spelled(size: float) -> str:
    """Bytes in the usual unit.

    >>> spelled(3_400_000_000), spelled(52_000_000)
    ('3.4 GB', '52 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


@dataclass(frozen=True)
class DryRun:
    """What training would take here: counted, estimated and timed."""

    parameters: int
    memory: int
    parts: dict[str, int]
    free: int | None  # None if the system does not say
    device: str
    precision: str
    steps_an_epoch: int
    epochs: int
    tokens_per_second: float
    minutes_an_epoch: float  # without the validation at its end


def dry_run(recipe: Recipe, corpus: Corpus, settings: TrainingSettings) -> DryRun:
    """Estimate a training and time a few of its steps. Nothing is written; an input error says what would fit."""
    distributed = Distributed(settings.device)
    device = distributed.device
    precision = choose_precision(settings.precision, device)
    low_precision = precision != torch.float32
    types = len(corpus.vocabulary)
    needs, free = estimate(recipe, types, low_precision=low_precision), free_memory(device)
    check_fits(recipe, types, free, low_precision=low_precision)
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        trainer = make_trainer(recipe, corpus, distributed, seed=settings.seed, precision=settings.precision)
        plan = trainer.task.plan(0)
        state = TrainingState(rate=recipe.rate)
        started = timed_from = time.monotonic()
        tokens = 0
        for number, step in enumerate(plan[: _WARM_UP + _TIMED]):
            if number and time.monotonic() - started > _MAX_SECONDS:
                break
            if number == _WARM_UP:
                trainer.bad_step()  # waits for the device
                timed_from, tokens = time.monotonic(), state.tokens
            state = trainer.take(step, state, len(plan))
        trainer.bad_step()
    rate = (state.tokens - tokens) / (time.monotonic() - timed_from)
    return DryRun(
        parameters=needs.parameters,
        memory=needs.memory,
        parts={name: size for name, size in asdict(needs).items() if name != "parameters"},
        free=free,
        device=str(device),
        precision=str(precision).removeprefix("torch."),
        steps_an_epoch=len(plan),
        epochs=recipe.epochs,
        tokens_per_second=rate,
        minutes_an_epoch=len(corpus.split("train").tokens) / rate / 60,
    )
