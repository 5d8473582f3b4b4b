"""What the loop needs to know of a model that is trained: its steps, its loss, how it is validated.

A kind of model is a module of this package (`KINDS` names it) with

    def make_module(recipe: Recipe, vocabulary: Vocabulary) -> torch.nn.Module
    def make_task(module, recipe: Recipe, corpus: Corpus, seed: int, share: Share, precision: torch.dtype) -> Task
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import torch

from winoglot.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

KINDS = {
    "lstm": "winoglot.training.language_task",
    "transformer": "winoglot.training.language_task",
    "context2vec": "winoglot.training.context_task",
}


@dataclass(frozen=True)
class Share:
    """Which of the processes that train together this one is."""

    rank: int = 0
    of: int = 1


@dataclass(frozen=True)
class Outcome:
    """A step's forward pass."""

    objective: torch.Tensor  # what is made smaller
    loss: torch.Tensor  # the mean over what was predicted, in nats, without the terms that only regularise
    tokens: int  # how many were predicted, by all processes
    state: tuple[torch.Tensor, ...] = ()  # what the next step begins with; columns of the batch are dimension 1
    rate: float = 1.0  # by which the learning rate of this step is multiplied


class Task(Protocol):
    """A module with its data. Whatever is drawn in a step is drawn from torch's generator, seeded by the loop."""

    def plan(self, epoch: int) -> Sequence[Any]:
        """The steps of an epoch, the same whenever it is asked for."""
        ...

    def train(self, step: Any, state: tuple[torch.Tensor, ...]) -> Outcome:
        """The forward pass of a step, after the one that left this state; at an epoch's beginning it is empty."""
        ...

    def validate(self) -> tuple[float, int]:
        """The sum of the losses of this process's share of the validation text, and how many there are."""
        ...


def kind_module(kind: str) -> Any:
    """The module of a kind of model."""
    if kind not in KINDS:
        raise InputError(f"there is no kind of model {kind!r}", remedy=nearest(kind, KINDS))
    return import_module(KINDS[kind])
