"""Training of language models: columns of text, read on and on, the state carried from step to step."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from winoglot.errors import InputError
from winoglot.training.base import Outcome, Share
from winoglot.training.columns import Columns, all_columns, equal_columns, step_lengths
from winoglot.training.graphs import GraphedLoss
from winoglot.training.language_model import LanguageModel
from winoglot.training.perplexity import total_loss

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from winoglot.corpus.reading import Corpus
    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.training.language_model import State
    from winoglot.training.recipes import Recipe

_IN_MEMORY = 2**30  # bytes of tokens at most
_CHECKED = 10  # columns of the validation text


def make_module(recipe: Recipe, vocabulary: Vocabulary) -> LanguageModel:
    """A language model with weights drawn from torch's generator."""
    return LanguageModel(recipe, len(vocabulary))


def make_task(
    module: LanguageModel, recipe: Recipe, corpus: Corpus, seed: int, share: Share, precision: torch.dtype
) -> LanguageTask:
    """The task of a corpus that has text to train on and to validate with."""
    eos = corpus.vocabulary.eos
    train, valid = (_read(corpus.split(name).tokens) for name in ("train", "valid"))
    count = recipe.batch * share.of
    if len(train) < 2 * count:
        message = f"train has {len(train)} tokens, too few for {count} columns side by side"
        raise InputError(message, remedy="Give more text, or fewer columns: --set batch=…", file=str(corpus.path))
    if not len(valid):
        remedy = "Build the corpus with --held-out or --valid."
        raise InputError("there is nothing to validate with: valid is empty", remedy=remedy, file=str(corpus.path))
    checked = all_columns(valid, min(_CHECKED, len(valid)), eos)
    return LanguageTask(module, recipe, equal_columns(train, count, eos), checked, seed, share, precision)


def _read(tokens: np.ndarray) -> np.ndarray:
    """Into memory, so that a corpus that is changed meanwhile does not change what is trained on."""
    return np.array(tokens) if tokens.nbytes <= _IN_MEMORY else tokens


class LanguageTask:
    """A language model with its text; each process has its own columns of it."""

    def __init__(
        self,
        module: LanguageModel,
        recipe: Recipe,
        train: Columns,
        valid: Columns,
        seed: int,
        share: Share,
        precision: torch.dtype,
    ) -> None:
        """Take own columns out of those of all processes."""
        self.module, self.recipe, self.valid = module, recipe, valid
        self.seed, self.share, self.precision = seed, share, precision
        first = share.rank * recipe.batch
        self.own = Columns(train.tokens, train.bounds[first : first + recipe.batch + 1], train.eos)

    def plan(self, epoch: int) -> list[tuple[int, int]]:
        """Where each step begins in the columns, and its length."""
        length = self.own.bounds[1] - self.own.bounds[0]
        return step_lengths(length, self.recipe.sequence, varied=self.recipe.varied, seed=self.seed, epoch=epoch)

    def train(self, step: tuple[int, int], state: tuple[torch.Tensor, ...]) -> Outcome:
        """The forward pass of a step."""
        start, length = step
        tokens = self.own.read(start, length)
        objective, loss, after = self._loss(tokens, state)
        rate = length / self.recipe.sequence if self.recipe.varied else 1.0
        carried = after if self.recipe.kind == "lstm" else ()  # to carry a transformer's would be to compute it again
        return Outcome(objective, loss, length * self.recipe.batch * self.share.of, carried, rate)

    @cached_property
    def _loss(self) -> Callable[[torch.Tensor, State], tuple[torch.Tensor, torch.Tensor, State]]:
        device = self.module.bias.device
        if device.type == "cuda" and self.recipe.kind == "lstm":
            return GraphedLoss(self.module, self.precision, self.share)

        def loss(tokens: torch.Tensor, state: State) -> tuple[torch.Tensor, torch.Tensor, State]:
            tokens = tokens.to(device, non_blocking=True)
            return self.module.loss(tokens[:-1], tokens[1:], state, precision=self.precision, share=self.share)

        return loss

    def validate(self) -> tuple[float, int]:
        """Over all tokens of the validation text, in float32."""
        return total_loss(self.module, self.valid, self.share)
