"""What a training will take, before it begins: parameters, memory, and what would fit instead."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.training.recipes import RECIPES

if TYPE_CHECKING:
    import torch

    from winoglot.training.recipes import Recipe

_FLOAT = 4  # bytes
_PIECE = 2**29  # bytes of logits at once on a GPU; a processor takes less
_LIBRARY = 2**29  # bytes that torch and its kernels take whatever is trained


@dataclass(frozen=True)
class Needs:
    """Parameters of a model, and bytes that training it takes."""

    parameters: int
    weights: int
    gradients: int
    optimiser: int  # what it remembers, and averages
    activations: int
    logits: int

    @property
    def memory(self) -> int:
        """All bytes, with those that the library takes anyway."""
        return self.weights + self.gradients + self.optimiser + self.activations + self.logits + _LIBRARY


def estimate(recipe: Recipe, types: int, *, low_precision: bool = False) -> Needs:
    """What a recipe needs for a vocabulary of so many types.

    >>> estimate(RECIPES["lstm-small"], 98_242).parameters
    20389842
    """
    count = parameter_count(recipe, types)
    kept = {"sgd": 0, "adagrad": 1, "adamw": 2}[recipe.optimiser] + (recipe.schedule == "average")
    size = 2 if low_precision else _FLOAT
    tokens = recipe.batch * round(recipe.sequence * (1.3 if recipe.varied else 1.0))
    if recipe.kind == "context2vec":
        units = recipe.embedding * (14 + 2 * recipe.negatives)
        logits = 0
    else:
        # A layer of an LSTM keeps its four gates, cell, output and what dropout made of it.
        a_layer = 9 * recipe.hidden if recipe.kind == "lstm" else 16 * recipe.embedding + 4 * recipe.inner
        units = recipe.layers * a_layer + 6 * recipe.embedding
        # And the weights once more in low precision, their gradient by pieces.
        logits = min(tokens * types * _FLOAT, _PIECE) + types * recipe.embedding * (2 + _FLOAT)
    return Needs(count, count * _FLOAT, 2 * count * _FLOAT, count * _FLOAT * kept, tokens * units * size, logits)


def parameter_count(recipe: Recipe, types: int) -> int:
    """How many weights the model of a recipe has."""
    wide, deep = recipe.embedding, recipe.hidden
    if recipe.kind == "context2vec":
        lstm = 4 * deep * (wide + deep + 2)
        return 3 * types * wide + 2 * lstm + (2 * deep) * (2 * deep) + 2 * deep + 2 * deep * wide + wide
    if recipe.kind == "transformer":
        block = 4 * wide * wide + 3 * wide * recipe.inner + 2 * wide
        return types * wide * (1 if recipe.tied else 2) + recipe.layers * block + wide + types
    last = wide if recipe.tied else deep
    sizes = [wide, *[deep] * (recipe.layers - 1), last]
    layers = sum(4 * out * (into + out + 2) for into, out in itertools.pairwise(sizes))
    return types * (wide + (0 if recipe.tied else last) + 1) + layers


def check_fits(recipe: Recipe, types: int, available: int, *, low_precision: bool = False) -> None:
    """An input error where a training needs more bytes than there are, with what would fit."""
    needs = estimate(recipe, types, low_precision=low_precision)
    if needs.memory <= available:
        return
    fitting: list[str] = []
    batch = recipe.batch // 2
    while batch >= 1 and not fitting:
        if estimate(replace(recipe, batch=batch), types, low_precision=low_precision).memory <= available:
            fitting.append(f"--set batch={batch}")
        batch //= 2
    kinds = [other for other in RECIPES.values() if other.name != recipe.name]
    smaller = [o.name for o in kinds if estimate(o, types, low_precision=low_precision).memory <= available]
    if smaller:
        fitting.append(f"the recipe{'s' if len(smaller) > 1 else ''} {', '.join(smaller)}")
    message = f"{recipe.name} with {types} types needs about {spelled(needs.memory)}; {spelled(available)} are free"
    remedy = f"What would fit: {'; '.join(fitting)}." if fitting else "Build the corpus with a smaller --max-vocab."
    raise InputError(message, remedy=remedy)


def available_memory(device: torch.device) -> int:
    """Bytes that are free on a device."""
    if device.type == "cuda":
        import torch

        return int(torch.cuda.mem_get_info(device)[0])
    free = _meminfo("/proc/meminfo")
    limit = _number("/sys/fs/cgroup/memory.max")
    used = _number("/sys/fs/cgroup/memory.current")
    return min(free, limit - used) if limit is not None and used is not None else free


def spelled(size: float) -> str:
    """Bytes as people write them.

    >>> spelled(3_400_000_000), spelled(52_000_000)
    ('3.4 GB', '52 MB')
    """
    return f"{size / 1e9:.1f} GB" if size >= 1e9 else f"{size / 1e6:.0f} MB"


def _meminfo(path: str) -> int:
    try:
        lines = Path(path).read_text(encoding="ascii").splitlines()
    except OSError:  # no Linux: whoever has too little will see
        return 2**62
    found = {line.partition(":")[0]: line.split()[1] for line in lines}
    return int(found["MemAvailable"]) * 1024


def _number(path: str) -> int | None:
    try:
        return int(Path(path).read_text(encoding="ascii"))
    except (OSError, ValueError):  # no such limit
        return None
