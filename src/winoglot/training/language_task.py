"""Training of language models: the text in columns that are read side by side, the state carried from step to step.

Or, with the setting `sentences`, each sentence by itself: it follows an `<eos>` and an empty state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.nn import functional

from winoglot.errors import InputError
from winoglot.training.cuda_graphs import GraphedLoss
from winoglot.training.distributed import SINGLE, Process
from winoglot.training.networks import LanguageModel
from winoglot.training.recipes import Recipe
from winoglot.training.sentences import Sentences, sentences_of
from winoglot.training.trainer import StepResult

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.corpus.reading import Corpus
    from winoglot.corpus.vocabulary import Vocabulary
    from winoglot.training.networks import State

_IN_MEMORY = 2**30  # bytes of tokens at most
_VALIDATION_COLUMNS = 10
_POSITIONS = 256  # that go through the model at once when nothing is learnt
# Lengths of steps are drawn as in AWD-LSTM.
_SPREAD = 5.0  # standard deviation
_SHORTEST = 5
_HALVED = 0.05  # share of the steps that look back half as far


def make_module(recipe: Recipe, vocabulary: Vocabulary) -> LanguageModel:
    """A language model with weights drawn from torch's generator."""
    return LanguageModel(recipe, len(vocabulary))


def make_task(
    module: LanguageModel, recipe: Recipe, corpus: Corpus, seed: int, process: Process, precision: torch.dtype
) -> LanguageTask | SentenceTask:
    """The task of a corpus that has text to train on and to validate with."""
    if recipe.sentences:
        return SentenceTask(module, recipe, corpus, seed, process, precision)
    eos = corpus.vocabulary.eos
    train, valid = (_in_memory(corpus.split(name).tokens) for name in ("train", "valid"))
    count = recipe.batch * process.world_size
    if len(train) < 2 * count:
        message = f"train has {len(train)} tokens, too few for a batch of {count} columns"
        raise InputError(message, remedy="Use more text or a smaller batch: --set batch=…", file=str(corpus.path))
    if not len(valid):
        raise _no_validation(corpus)
    columns = equal_columns(train, count, eos)
    first = process.rank * recipe.batch
    columns_here = replace(columns, bounds=columns.bounds[first : first + recipe.batch + 1])
    validation = all_columns(valid, min(_VALIDATION_COLUMNS, len(valid)), eos)
    return LanguageTask(module, recipe, columns_here, validation, seed, process, precision)


def _no_validation(corpus: Corpus) -> InputError:
    remedy = "Build the corpus with --held-out or --valid."
    return InputError("there is no validation text: valid is empty", remedy=remedy, file=str(corpus.path))


def _in_memory(tokens: np.ndarray) -> np.ndarray:
    """Read into memory, so that a corpus that is changed meanwhile does not change what is trained on."""
    return np.array(tokens) if tokens.nbytes <= _IN_MEMORY else tokens


@dataclass
class LanguageTask:
    """The training of a language model on the text of a corpus."""

    module: LanguageModel
    recipe: Recipe
    own: Columns  # of the training text: those of this process
    valid: Columns
    seed: int
    process: Process
    precision: torch.dtype

    def plan(self, epoch: int) -> list[tuple[int, int]]:
        """Where each step begins in the columns, and its length."""
        length = self.own.bounds[1] - self.own.bounds[0]
        return step_lengths(length, self.recipe.sequence, varied=self.recipe.varied, seed=self.seed, epoch=epoch)

    def train(self, step: tuple[int, int], state: State) -> StepResult:
        """The forward pass of a step."""
        start, length = step
        objective, loss, after = self._loss(self.own.read(start, length), state)
        rate = length / self.recipe.sequence if self.recipe.varied else 1.0
        carried_state = after if self.recipe.kind != "transformer" else ()  # it would have to compute it again
        return StepResult(objective, loss, length * self.recipe.batch * self.process.world_size, carried_state, rate)

    @cached_property
    def _loss(self) -> Callable[[torch.Tensor, State], tuple[torch.Tensor, torch.Tensor, State]]:
        device = self.module.bias.device
        if device.type == "cuda" and self.recipe.kind != "transformer":
            return GraphedLoss(self.module, self.precision, self.process)

        def loss(tokens: torch.Tensor, state: State) -> tuple[torch.Tensor, torch.Tensor, State]:
            tokens = tokens.to(device, non_blocking=True)
            return self.module.loss(tokens[:-1], tokens[1:], state, precision=self.precision, process=self.process)

        return loss

    def validate(self) -> tuple[float, int]:
        """The loss over all tokens of the validation text, in float32."""
        return total_loss(self.module, self.valid, self.process)


def total_loss(
    model: LanguageModel,
    columns: Columns,
    process: Process = SINGLE,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[float, int]:
    """The sum of −log p over the tokens of this process's columns, and the number of tokens."""
    bounds = np.array(columns.bounds)
    columns_here = slice(process.rank, None, process.world_size)
    lengths = np.diff(bounds)[columns_here]
    if not len(lengths):
        return 0.0, 0
    device = model.bias.device
    total = torch.zeros((), dtype=torch.float64, device=device)
    state: State = ()
    longest = int(lengths.max())
    ends = torch.from_numpy(lengths).to(device)
    for start in range(0, longest, _POSITIONS):
        tokens = columns.read(start, min(_POSITIONS, longest - start))[:, columns_here].to(device)
        log_probabilities, state = model.log_probabilities(tokens[:-1], tokens[1:], state)
        positions = torch.arange(start, start + len(log_probabilities), device=device)[:, None]
        total -= log_probabilities.double().mul_(positions < ends).sum()
        if progress:
            progress(min(start + _POSITIONS, longest), longest)
    return float(total), int(lengths.sum())


class SentenceTask:
    """The training of a language model on single sentences: a step is a batch of sentences of similar length."""

    def __init__(
        self, module: LanguageModel, recipe: Recipe, corpus: Corpus, seed: int, process: Process, precision: torch.dtype
    ) -> None:
        """Find the sentences to learn from and to validate with."""
        self.module, self.seed, self.process, self.precision = module, seed, process, precision
        self.words, self.eos = recipe.batch * recipe.sequence * process.world_size, corpus.vocabulary.eos
        self.training, self.validation = (
            sentences_of(corpus.split(name), self.eos, longest=self.words) for name in ("train", "valid")
        )
        if not len(self.training):
            raise InputError("train has no sentence", remedy="Build the corpus from more text.", file=str(corpus.path))
        if not len(self.validation):
            raise _no_validation(corpus)

    def plan(self, epoch: int) -> Sequence[np.ndarray]:
        """The sentences of each step, shuffled in each epoch."""
        return self.training.batches(self.words, np.random.default_rng([self.seed, epoch]))

    def train(self, step: np.ndarray, state: State) -> StepResult:
        """The mean over the words of the step, those of all processes together."""
        processes = self.process.world_size
        # Each process needs as many sentences as the others: the first ones may be read by two.
        numbers = np.resize(step, -(-len(step) // processes) * processes)
        count = int(self.training.lengths[numbers].sum()) + len(numbers)
        tokens, counted = single_sentences(self.training, numbers[self.process.rank :: processes], self.eos)
        device = self.module.bias.device
        objective, loss, _ = self.module.loss(
            tokens[:-1].to(device),
            tokens[1:].to(device),
            precision=self.precision,
            process=self.process,
            counted=counted.to(device),
        )
        share = processes * int(counted.sum()) / count  # the trainer takes the mean over processes
        return StepResult(objective * share, loss * share, count, state)

    def validate(self) -> tuple[float, int]:
        """The loss over all words of the validation text and the ends of its sentences, in float32."""
        return sentence_loss(self.module, self.validation, self.words, self.eos, self.process)


def single_sentences(sentences: Sentences, numbers: np.ndarray, eos: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Sentences as columns between two `<eos>`, and which of all tokens but the first are theirs.

    >>> words = Sentences(np.array([5, 6, 1, 7, 1]), np.array([0, 3]), np.array([2, 1]))
    >>> tokens, counted = single_sentences(words, np.array([0, 1]), eos=1)
    >>> tokens.T.tolist(), counted.T.tolist()
    ([[1, 5, 6, 1], [1, 7, 1, 1]], [[True, True, True], [True, True, False]])
    """
    batch = sentences.batch(numbers)
    words = torch.where(batch.inside, batch.tokens, eos).T
    tokens = functional.pad(words, (0, 0, 1, 1), value=eos)
    return tokens, torch.arange(len(tokens) - 1)[:, None] <= batch.lengths


def sentence_loss(
    model: LanguageModel,
    sentences: Sentences,
    words: int,
    eos: int,
    process: Process = SINGLE,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[float, int]:
    """As `total_loss`, with each sentence read by itself, `words` words at once."""
    device = model.bias.device
    total, count = torch.zeros((), dtype=torch.float64, device=device), 0
    plan = sentences.batches(words)[process.rank :: process.world_size]
    for done, numbers in enumerate(plan, start=1):
        tokens, counted = single_sentences(sentences, numbers, eos)
        log_probabilities, _ = model.log_probabilities(tokens[:-1].to(device), tokens[1:].to(device))
        total -= log_probabilities.double().mul_(counted.to(device)).sum()
        count += int(counted.sum())
        if progress:
            progress(done, len(plan))
    return float(total), count


@dataclass(frozen=True)
class Columns:
    """Consecutive stretches of a text: column c goes from `bounds[c]` to `bounds[c + 1]`.

    >>> columns = Columns(np.array([7, 8, 9, 5, 6], dtype=np.uint32), (0, 2, 4), eos=1)
    >>> columns.read(0, 2).tolist()
    [[1, 8], [7, 9], [8, 5]]
    """

    tokens: np.ndarray
    bounds: tuple[int, ...]
    eos: int  # precedes the text

    def read(self, start: int, length: int) -> torch.Tensor:
        """[length + 1, columns]: the token before position `start` of each column, and `length` tokens from it on.

        All but the last row are what a model is given, all but the first what it has to predict.
        """
        places = np.array(self.bounds[:-1], dtype=np.int64) + np.arange(start, start + length + 1)[:, None] - 1
        # A column that is shorter than others repeats tokens that are not counted.
        ids = self.tokens[np.clip(places, 0, len(self.tokens) - 1)].astype(np.int64)
        ids[places < 0] = self.eos
        return torch.from_numpy(ids)


def equal_columns(tokens: np.ndarray, count: int, eos: int) -> Columns:
    """Columns of equal length; at the end, fewer tokens than there are columns are left over."""
    length = len(tokens) // count
    return Columns(tokens, tuple(number * length for number in range(count + 1)), eos)


def all_columns(tokens: np.ndarray, count: int, eos: int) -> Columns:
    """Columns that leave nothing out: their lengths differ by at most one."""
    return Columns(tokens, tuple(number * len(tokens) // count for number in range(count + 1)), eos)


def step_lengths(total: int, sequence: int, *, varied: bool, seed: int, epoch: int) -> list[tuple[int, int]]:
    """Where the steps of an epoch begin in the columns and how long they are; the last takes what is left.

    >>> step_lengths(80, 35, varied=False, seed=0, epoch=0)
    [(0, 35), (35, 35), (70, 10)]
    """
    draw = np.random.default_rng([seed, epoch])
    steps: list[tuple[int, int]] = []
    start = 0
    while start < total:
        length = sequence
        if varied:
            mean = sequence / 2 if draw.random() < _HALVED else sequence
            length = max(_SHORTEST, round(draw.normal(mean, _SPREAD)))
        steps.append((start, min(length, total - start)))
        start += length
    return steps
