"""Models trained from a corpus: one loop, and a recipe for each model of the papers.

In reading order:

- `recipes`: every setting of training, one recipe per model;
- `networks`, `softmax`: the layers of LSTMs and transformers, and their output without a table of all probabilities;
- `context2vec`: the layers, batches and loss of context2vec;
- `sentences`: the sentences of a corpus in batches;
- `language_task`: what a language model reads and learns in a step;
- `trainer`: one step after another: gradients, optimiser, schedule, averages;
- `loop`: a whole training run in a folder, with validation, checkpoints, signals and resuming;
- `checkpoint`: that folder and its files;
- `distributed`, `cuda_graphs`: several processes; steps recorded on a GPU;
- `trained`: a finished model, opened again;
- `perplexity`, `generate`, `estimate`: what a model is used for, and the memory and time that training will take.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from winoglot.errors import require_extra


@dataclass(frozen=True)
class Trained:
    """A model that was trained: `address` is what `evaluate` takes; after a signal there is no model yet."""

    address: str
    why: str  # it ended: epochs, patience, minutes or signal
    steps: int
    config: dict[str, Any]  # the description in the model's folder

    @property
    def accuracy(self) -> float | None:
        """The accuracy on what was held out; None if the training has not measured it."""
        return self.config.get("accuracy")


def need_training() -> None:
    """An input error with the command to run, if a package is missing."""
    require_extra("trained models need", "torch", "safetensors", "accelerate", extra="train")
