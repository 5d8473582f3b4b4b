"""context2vec as the loop trains it: sentences of about one length a step, words drawn anew each time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch

from winoglot.errors import InputError
from winoglot.training.base import Outcome
from winoglot.training.context2vec import Context2vec
from winoglot.training.sentences import SentenceBatch, sentences_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.corpus.reading import Corpus
    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.training.base import Share
    from winoglot.training.recipes import Recipe


def make_module(recipe: Recipe, vocabulary: Vocabulary) -> Context2vec:
    """The network of a recipe."""
    return Context2vec(vocabulary, embedding=recipe.embedding, units=recipe.hidden, power=recipe.power)


def make_task(
    module: Context2vec, recipe: Recipe, corpus: Corpus, seed: int, share: Share, precision: torch.dtype
) -> ContextTask:
    """The network with the corpus that it learns from."""
    return ContextTask(module, recipe, corpus, seed, share, precision)


class ContextTask:
    """A step is a batch of sentences, of which each process takes every so manieth."""

    def __init__(
        self, module: Context2vec, recipe: Recipe, corpus: Corpus, seed: int, share: Share, precision: torch.dtype
    ) -> None:
        """Find the sentences."""
        self.module, self.recipe, self.seed, self.share, self.precision = module, recipe, seed, share, precision
        self.words = recipe.batch * recipe.sequence * share.of
        self.training, self.validation = (
            sentences_of(corpus.split(name), corpus.vocabulary.eos, longest=recipe.sequence)
            for name in ("train", "valid")
        )
        if not len(self.training):
            message = "train has no sentence of two words"
            raise InputError(message, remedy="Build the corpus from more text.", file=str(corpus.path))
        if not any(self._count(self.validation.batch(numbers)) for numbers in self.validation.batches(self.words)):
            message = "there is nothing to validate with: valid has no sentence of known words"
            remedy = "Build the corpus with --held-out or --valid."
            raise InputError(message, remedy=remedy, file=str(corpus.path))

    def plan(self, epoch: int) -> Sequence[np.ndarray]:
        """The sentences of each step, mixed anew in each epoch."""
        return self.training.batches(self.words, np.random.default_rng([self.seed, epoch]))

    def train(self, step: np.ndarray, state: tuple[torch.Tensor, ...]) -> Outcome:
        """The mean over the known words of the step, those of all processes together."""
        batch = self.training.batch(step)
        count = self._count(batch)
        with torch.autocast(self._device.type, self.precision, enabled=self.precision != torch.float32):
            total = self._total(batch, slice(self.share.rank, None, self.share.of))
        # The loop takes the mean over the processes, some of whose rows have more words than others'.
        mean = total * (self.share.of / max(1, count))
        return Outcome(mean, mean.detach(), count, state)

    @torch.no_grad()
    def validate(self) -> tuple[float, int]:
        """The same words are drawn at every check."""
        generator = torch.Generator(self._device)
        total = torch.zeros((), dtype=torch.float64, device=self._device)
        count = 0
        plan = list(enumerate(self.validation.batches(self.words)))
        for number, numbers in plan[self.share.rank :: self.share.of]:
            batch = self.validation.batch(numbers)
            total += self._total(batch, slice(None), generator.manual_seed(self.seed + number))
            count += self._count(batch)
        return float(total), count

    def _total(self, batch: SentenceBatch, rows: slice, generator: torch.Generator | None = None) -> torch.Tensor:
        """The sum over some rows. Words are drawn for all, so that any number of processes draws the same."""
        batch = batch.to(self._device)
        drawn = self.module.draw(*batch.tokens.shape, self.recipe.negatives, generator=generator)
        own = rows if len(batch.tokens[rows]) else slice(1)
        found: torch.Tensor = self.module(SentenceBatch(batch.tokens[own], batch.lengths[own]), drawn[own])
        return (
            found if own is rows else 0 * found
        )  # fewer sentences than processes: one has nothing to say, yet says it

    def _count(self, batch: SentenceBatch) -> int:
        """How many words of a batch there are to learn from; before it is sent to a device, which need not be asked."""
        return int(self.module.known(batch).sum())

    @property
    def _device(self) -> torch.device:
        return self.module.words.weight.device
