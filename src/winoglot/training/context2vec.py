"""context2vec (Melamud et al. 2016): a vector for the context of a word, close to the words that may occur there.

One LSTM reads what precedes the word; another, with embeddings of its own, reads what follows it, from the end; a small
network combines the two. It learns to be close to the word that is there and far from words drawn at random in
proportion to a power of their counts.

The network, its training on sentences of similar length, and the words nearest to a context.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from winoglot.errors import InputError
from winoglot.training.sentences import SentenceBatch, sentences_of
from winoglot.training.trainer import StepResult

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.corpus.reading import Corpus
    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.training.distributed import Process
    from winoglot.training.recipes import Recipe
    from winoglot.training.trained import TrainedModel

_SHORTEST = 2  # a single word has no context
_GAP = re.compile(r"_+")


class Context2vec(torch.nn.Module):
    """The network. The marks `<unk>` and `<eos>` are neither learnt as words nor drawn."""

    noise: torch.Tensor

    def __init__(self, vocabulary: Vocabulary, *, embedding: int = 300, units: int = 300, power: float = 0.75) -> None:
        """Draw the weights from torch's generator; `embedding` is the size of word vectors, `units` that of an LSTM."""
        super().__init__()
        self.unk, self.eos = vocabulary.unk, vocabulary.eos
        size = len(vocabulary)
        self.before = torch.nn.Embedding(size, embedding)
        self.behind = torch.nn.Embedding(size, embedding)
        self.forwards = torch.nn.LSTM(embedding, units, batch_first=True)
        self.backwards = torch.nn.LSTM(embedding, units, batch_first=True)
        self.hidden = torch.nn.Linear(2 * units, 2 * units)
        self.output = torch.nn.Linear(2 * units, embedding)
        self.words = torch.nn.Embedding(size, embedding)
        for table in (self.before, self.behind, self.words):
            torch.nn.init.normal_(table.weight, std=table.embedding_dim**-0.5)
        shares = torch.from_numpy(vocabulary.counts.astype("float64")) ** power
        shares[[self.unk, self.eos]] = 0
        # In 64 bits, since the share of a rare word is smaller than the rounding error of a 32-bit sum near 1. Not
        # stored with the weights, since the vocabulary has the counts.
        self.register_buffer("noise", torch.cumsum(shares / shares.sum().clamp_min(1e-300), 0), persistent=False)

    def contexts(self, batch: SentenceBatch) -> torch.Tensor:
        """The vector of the context of every position: [sentences, positions, embedding]."""
        tokens = batch.tokens
        border = tokens.new_full((len(tokens), 1), self.eos)
        left, _ = self.forwards(self.before(torch.cat([border, tokens[:, :-1]], 1)))
        # A reversed sentence begins with its last word; the padding stays where it is.
        positions = torch.arange(tokens.shape[1], device=tokens.device).expand_as(tokens)
        reverse = torch.where(batch.inside, batch.lengths[:, None] - 1 - positions, positions)
        backwards = tokens.gather(1, reverse)
        right, _ = self.backwards(self.behind(torch.cat([border, backwards[:, :-1]], 1)))
        right = right.gather(1, reverse[..., None].expand_as(right))
        contexts: torch.Tensor = self.output(functional.relu(self.hidden(torch.cat([left, right], -1))))
        return contexts

    def draw(self, *shape: int, generator: torch.Generator | None = None) -> torch.Tensor:
        """Words at random, in proportion to the power of their counts."""
        places = torch.rand(*shape, dtype=torch.float64, device=self.noise.device, generator=generator)
        words = torch.searchsorted(self.noise, places, right=True)
        return words.clamp_(max=len(self.noise) - 1)

    def known(self, batch: SentenceBatch) -> torch.Tensor:
        """Where a batch has a word to learn from."""
        return batch.inside & (batch.tokens != self.unk)

    def forward(self, batch: SentenceBatch, noise_words: torch.Tensor) -> torch.Tensor:
        """The sum over the known words of the negative log-likelihood of distinguishing them from the words drawn.

        `noise_words` has several words for each position: [sentences, positions, words].
        """
        contexts = self.contexts(batch)
        right = (contexts * self.words(batch.tokens)).sum(-1).float()
        wrong = torch.einsum("rpe,rpke->rpk", contexts, self.words(noise_words)).float()
        losses = functional.logsigmoid(right) + functional.logsigmoid(-wrong).sum(-1)
        # Other words get weight 0; to leave them out, the processor would have to wait for the device.
        return -(losses * self.known(batch)).sum()


def make_module(recipe: Recipe, vocabulary: Vocabulary) -> Context2vec:
    """The network of a recipe."""
    return Context2vec(vocabulary, embedding=recipe.embedding, units=recipe.hidden, power=recipe.power)


class ContextTask:
    """A step is a batch of sentences; of n processes, each takes every n-th."""

    def __init__(
        self, module: Context2vec, recipe: Recipe, corpus: Corpus, seed: int, process: Process, precision: torch.dtype
    ) -> None:
        """Find the sentences to learn from and to validate with."""
        self.module, self.recipe, self.seed, self.process, self.precision = module, recipe, seed, process, precision
        self.words = recipe.batch * recipe.sequence * process.world_size
        self.training, self.validation = (
            sentences_of(corpus.split(name), corpus.vocabulary.eos, longest=recipe.sequence, shortest=_SHORTEST)
            for name in ("train", "valid")
        )
        if not len(self.training):
            message = "train has no sentence of two words"
            raise InputError(message, remedy="Build the corpus from more text.", file=str(corpus.path))
        if not any(self._count(self.validation.batch(numbers)) for numbers in self.validation.batches(self.words)):
            message = "there is no validation text: valid has no sentence with known words"
            remedy = "Build the corpus with --held-out or --valid."
            raise InputError(message, remedy=remedy, file=str(corpus.path))

    def plan(self, epoch: int) -> Sequence[np.ndarray]:
        """The sentences of each step, shuffled in each epoch."""
        return self.training.batches(self.words, np.random.default_rng([self.seed, epoch]))

    def train(self, step: np.ndarray, state: tuple[torch.Tensor, ...]) -> StepResult:
        """The mean over the known words of the step, those of all processes together."""
        batch = self.training.batch(step)
        count = self._count(batch)
        with torch.autocast(self._device.type, self.precision, enabled=self.precision != torch.float32):
            total = self._total_loss(batch, slice(self.process.rank, None, self.process.world_size))
        # The trainer takes the mean over processes, whose sentences have different numbers of words.
        mean = total * (self.process.world_size / max(1, count))
        return StepResult(mean, mean.detach(), count, state)

    @torch.no_grad()
    def validate(self) -> tuple[float, int]:
        """The loss on the validation text, with the same words drawn each time."""
        generator = torch.Generator(self._device)
        total = torch.zeros((), dtype=torch.float64, device=self._device)
        count = 0
        plan = list(enumerate(self.validation.batches(self.words)))
        for number, numbers in plan[self.process.rank :: self.process.world_size]:
            batch = self.validation.batch(numbers)
            total += self._total_loss(batch, slice(None), generator.manual_seed(self.seed + number))
            count += self._count(batch)
        return float(total), count

    def _total_loss(self, batch: SentenceBatch, rows: slice, generator: torch.Generator | None = None) -> torch.Tensor:
        """The sum over some sentences. Words are drawn for all, so that any number of processes draws the same."""
        batch = batch.to(self._device)
        noise_words = self.module.draw(*batch.tokens.shape, self.recipe.negatives, generator=generator)
        # A process without a sentence takes the first one with weight 0, so that it has gradients to average.
        rows_here = rows if len(batch.tokens[rows]) else slice(1)
        losses: torch.Tensor = self.module(
            SentenceBatch(batch.tokens[rows_here], batch.lengths[rows_here]), noise_words[rows_here]
        )
        return losses if rows_here is rows else 0 * losses

    def _count(self, batch: SentenceBatch) -> int:
        """The number of words to learn from, counted before the batch is sent to a device, to avoid waiting for it."""
        return int(self.module.known(batch).sum())

    @property
    def _device(self) -> torch.device:
        return self.module.words.weight.device


make_task = ContextTask


@dataclass(frozen=True)
class NearWord:
    """A word and the cosine of its vector with that of a context."""

    word: str
    cosine: float


def nearest_words(trained: TrainedModel, text: str, count: int) -> list[NearWord]:
    """The words nearest to the context of the gap in a sentence, nearest first; never `<unk>` or `<eos>`."""
    if count < 1:
        raise InputError(f"asked for {count} words", remedy="Use 1 or more.")
    parts = _GAP.split(text)
    if len(parts) != 2:
        count_found = f"found {len(parts) - 1}" if len(parts) > 2 else "found none"
        raise InputError(f"expected exactly one ___, {count_found}: {text!r}", remedy="Write ___ in place of one word.")
    vocabulary, model = trained.vocabulary, trained.module
    assert isinstance(model, Context2vec)
    before, behind = (vocabulary.ids(word.form for word in trained.tokenisation.words(part)).tolist() for part in parts)
    device = model.words.weight.device
    tokens = torch.tensor([[*before, vocabulary.unk, *behind]], device=device)
    with torch.inference_mode():
        context = model.contexts(SentenceBatch(tokens, torch.tensor([tokens.shape[1]], device=device)))[0, len(before)]
        cosines = functional.normalize(model.words.weight, dim=-1) @ functional.normalize(context, dim=-1)
        cosines[[vocabulary.unk, vocabulary.eos]] = -torch.inf
        values, ids = cosines.topk(min(count, len(vocabulary) - 2))
    return [NearWord(vocabulary.word(id_), value) for id_, value in zip(ids.tolist(), values.tolist(), strict=True)]
