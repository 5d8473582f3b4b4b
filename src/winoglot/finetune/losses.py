"""What each family of models learns from a question: the scores of its readings, with gradients, and their loss.

- causal (`winoglot.finetune.causal`): the score of a reading is the log probability of the window, as in partial
  scoring; the loss is the ratio loss −log σ(right − wrong − margin) and a share of the language-model loss of the right
  reading.
- masked: the score of a candidate is the mean log probability of its tokens, all hidden at once; the loss is the
  max-margin loss of Kocijan and others (2019).
- choice: the score is what the head gives for the pair of texts that presents a candidate; the loss is cross-entropy.

Scores are those of `models/`, so that what is learnt is what is evaluated.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch

from winoglot.models.choice import ChoiceSolver
from winoglot.models.scoring.framing import Framer, batches, tensors
from winoglot.models.scoring.masking import MaskedModel, candidate_clozes

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from winoglot.finetune.data import LabelledQuestion
    from winoglot.finetune.recipes import FinetuneRecipe
    from winoglot.models.masked import MaskedSolver
    from winoglot.models.scoring.framing import TokenRow
    from winoglot.models.scoring.masking import Cloze
    from winoglot.models.scoring.pretrained import PretrainedSolver


@dataclass(frozen=True)
class TrainingExample:
    """A question in tokens; what they are depends on the family."""

    answer: int
    schema_id: str
    readings: tuple[Any, ...]
    size: int  # tokens


@dataclass(frozen=True)
class Scored:
    """The scores of the readings of some examples, and the language-model loss of the right readings.

    An example with fewer readings than another has -inf in the places of those that it lacks.
    """

    scores: torch.Tensor  # [examples, readings]
    language: torch.Tensor
    answers: torch.Tensor

    @property
    def right(self) -> torch.Tensor:
        """Whether the right reading is strictly the best; a tie is an abstention."""
        best, best_index = self.scores.max(1)
        return (best_index == self.answers) & ((self.scores == best[:, None]).sum(1) == 1)


class Objective(ABC):
    """A model and how it learns from examples."""

    has_new_head: ClassVar[bool] = False  # whether a head is drawn anew for the training
    peft_task: ClassVar[str | None] = None  # what peft calls the kind of model

    model: Any
    learns_language = True  # whether the likelihood of whole right readings is part of the loss
    note: Callable[[str], object] = staticmethod(lambda _text: None)  # takes what the user should know

    def examples(self, questions: Sequence[LabelledQuestion]) -> tuple[list[TrainingExample], int]:
        """The questions in tokens, and how many were left out because they cannot be scored."""
        encoded = [self.encode(question) for question in questions]
        scorable = [example for example in encoded if example is not None]
        return scorable, len(encoded) - len(scorable)

    @abstractmethod
    def __init__(self, solver: Any, model: Any) -> None:
        """Take a solver of the family and the model to train, which may have had adapters added."""

    @classmethod
    def model_of(cls, solver: PretrainedSolver) -> Any:
        """The model to train."""
        return solver.pretrained.read_model(new_head=True) if cls.has_new_head else solver.pretrained.model

    @abstractmethod
    def encode(self, labelled: LabelledQuestion) -> TrainingExample | None:
        """A question in tokens; None if it cannot be scored."""

    @abstractmethod
    def score(self, examples: Sequence[TrainingExample]) -> Scored:
        """Score the examples: in one pass, or in one pass for each length of rows."""

    def losses(self, scored: Scored, recipe: FinetuneRecipe) -> torch.Tensor:
        """The loss of each example."""
        return recipe.contrast * contrast(scored, recipe.margin) + recipe.language * scored.language

    def add_gradients(
        self, examples: Sequence[TrainingExample], share: float, recipe: FinetuneRecipe, precision: torch.dtype
    ) -> torch.Tensor:
        """Add the gradients of this share of the sum of the examples' losses, and return it."""
        with autocast(self.model.device, precision):
            scored = self.score(examples)
        loss = self.losses(scored, recipe).sum() * share
        loss.backward()  # type: ignore[no-untyped-call]
        return loss.detach()

    def release(self) -> None:
        """Drop what takes memory and can be computed again: the gradients."""
        self.model.zero_grad(set_to_none=True)


def autocast(device: torch.device, precision: torch.dtype) -> AbstractContextManager[Any]:
    """A block in which matrices are multiplied in this precision.

    Weights are rounded whenever they are used: what is kept of them would be lost when a step is recorded.
    """
    if precision == torch.float32:
        return nullcontext()
    return torch.autocast(device.type, precision, cache_enabled=False)


def contrast(scored: Scored, margin: float) -> torch.Tensor:
    """−log of the right reading's share; with two readings the ratio loss −log σ(right − wrong − margin).

    >>> scored = Scored(torch.tensor([[1.0, 3.0]]), torch.zeros(1), torch.tensor([1]))
    >>> round(float(contrast(scored, 0.0)), 4)
    0.1269
    """
    places = scored.answers[:, None]
    scores_less_margin = scored.scores - margin * torch.zeros_like(scored.scores).scatter(1, places, 1.0)
    return -scores_less_margin.log_softmax(1).gather(1, places)[:, 0]


def _table(values: torch.Tensor, examples: Sequence[TrainingExample]) -> tuple[torch.Tensor, torch.Tensor]:
    """The scores of all readings, one after the other, as a table with a row for each example, and the answers."""
    counts = np.array([len(example.readings) for example in examples])
    rows = np.repeat(np.arange(len(examples)), counts)
    columns = np.arange(len(rows)) - np.repeat(counts.cumsum() - counts, counts)
    answers = np.array([example.answer for example in examples])
    numbers = np.concatenate([rows * counts.max() + columns, answers])
    places, answer_indices = torch.split(torch.from_numpy(numbers).to(values.device), [len(rows), len(examples)])
    table = values.new_full((len(examples) * int(counts.max()),), -torch.inf).index_put((places,), values)
    return table.view(len(examples), -1), answer_indices


def _sums(values: torch.Tensor, places: Sequence[np.ndarray]) -> torch.Tensor:
    """The sum of the values at each group of places."""
    groups = np.repeat(np.arange(len(places)), [len(group) for group in places])
    positions, target_groups = torch.from_numpy(np.stack([np.concatenate(places), groups])).to(values.device)
    return values.new_zeros(len(places)).index_add(0, target_groups, values[positions])


class MaskedObjective(Objective):
    """The objective of masked models: which candidate fills its place."""

    def __init__(self, solver: MaskedSolver, model: Any) -> None:
        """Take the model, which may have had adapters added."""
        self.model, self.framer = model, solver.framer
        self.masked = MaskedModel(model, mask=self.framer.tokenizer.mask_token_id, batch_tokens=1)

    def encode(self, labelled: LabelledQuestion) -> TrainingExample | None:
        """The hidden tokens of each candidate."""
        question = labelled.question
        texts = self.framer.texts([reading.text for reading in question.readings])
        if self.framer.too_long([text.row for text in texts]):
            return None
        clozes = candidate_clozes(question.readings, texts, self.masked.mask)
        if not all(clozes):
            return None
        rows = {reading[0].row for reading in clozes}
        return TrainingExample(labelled.answer, question.item.schema_id, clozes, sum(len(row.ids) for row in rows))

    def score(self, examples: Sequence[TrainingExample]) -> Scored:
        """Score rows of one length together; candidates with the same number of tokens share a row."""
        clozes_of: dict[TokenRow, dict[Cloze, None]] = {}  # the values mean nothing: an ordered set
        for reading in (reading for example in examples for reading in example.readings):
            for cloze in reading:
                clozes_of.setdefault(cloze.row, {})[cloze] = None
        rows = list(clozes_of)
        log_probabilities: list[torch.Tensor] = []
        index_of_cloze: dict[Cloze, int] = {}
        device = self.model.device
        for batch in batches([len(row.ids) for row in rows], 2**62):
            clozes = [(line, cloze) for line, number in enumerate(batch) for cloze in clozes_of[rows[number]]]
            index_of_cloze |= {cloze: len(index_of_cloze) + number for number, (_, cloze) in enumerate(clozes)}
            lines, places, targets = torch.tensor(
                [(line, cloze.at, cloze.token) for line, cloze in clozes], device=device
            ).T
            logits, _ = self.masked.logits([rows[number] for number in batch], lines, places)
            log_probabilities.append(logits.gather(1, targets[:, None])[:, 0] - logits.logsumexp(1))
        groups = [
            np.array([index_of_cloze[cloze] for cloze in reading])
            for example in examples
            for reading in example.readings
        ]
        lengths = torch.tensor([len(group) for group in groups], device=device)
        scores, answers = _table(_sums(torch.cat(log_probabilities), groups) / lengths, examples)
        return Scored(scores, -scores.gather(1, answers[:, None])[:, 0], answers)

    def losses(self, scored: Scored, recipe: FinetuneRecipe) -> torch.Tensor:
        """The max-margin loss: nothing more is learnt once the right candidate is likelier by the margin."""
        behind = (scored.scores + scored.language[:, None] + recipe.margin).clamp(min=0)
        behind = behind.scatter(1, scored.answers[:, None], 0.0)
        return recipe.language * scored.language + recipe.contrast * behind.sum(1)


class ChoiceObjective(Objective):
    """The objective of choice heads: which of several options is right."""

    has_new_head = True
    way = ChoiceSolver.scorings[0]

    def __init__(self, solver: ChoiceSolver, model: Any) -> None:
        """Take the model, which may have had adapters added."""
        self.model = model
        self.framer = Framer(solver.pretrained.tokenizer, model, solver.name)

    def encode(self, labelled: LabelledQuestion) -> TrainingExample | None:
        """The pair of texts that presents each candidate."""
        question = labelled.question
        pairs = ChoiceSolver.pairs(question, self.way)
        if isinstance(pairs, str):
            return None
        rows = self.framer.pairs(pairs)
        if self.framer.too_long(rows):
            return None
        return TrainingExample(labelled.answer, question.item.schema_id, tuple(rows), sum(len(row.ids) for row in rows))

    def score(self, examples: Sequence[TrainingExample]) -> Scored:
        """Score pairs of one length together."""
        rows = [row for example in examples for row in example.readings]
        values: list[torch.Tensor] = [torch.empty(0)] * len(rows)
        for batch in batches([len(row.ids) for row in rows], 2**62):
            inputs = {name: value[:, None] for name, value in tensors(self.model, [rows[n] for n in batch]).items()}
            for number, value in zip(batch, self.model(**inputs).logits.float()[:, 0].unbind(), strict=True):
                values[number] = value
        scores, answers = _table(torch.stack(values), examples)
        return Scored(scores, torch.zeros_like(scores[:, 0]), answers)
