"""How a causal model learns from schemas: the likelihood of what follows the candidate, the same words in each reading.

Readings share their common beginning, also across twin items. The readings of a step are packed into rows
of about 256 tokens, which keeps attention cheap, and the output layer, the largest part of a small model, is computed
only where a token is scored.

A step of a small model is thousands of small kernels, and launching them one by one takes longer than running them. So
on a GPU, a step of each frequent shape is recorded as a CUDA graph and then replayed; for this, shapes are rounded up.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING

import numpy as np
import torch
from torch.utils.checkpoint import checkpoint

from winoglot.finetune.losses import Objective, Scored, TrainingExample, autocast
from winoglot.memory import is_out_of_memory
from winoglot.models.scoring.packing import PackedModel, build
from winoglot.models.scoring.tokens import Encoder, scored_width
from winoglot.training.softmax import log_probabilities

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from winoglot.finetune.data import LabelledQuestion
    from winoglot.finetune.recipes import FinetuneRecipe
    from winoglot.models.causal import CausalSolver

_ROW = 256  # tokens; all rows of a step have the same length, so one longer schema makes all of them longer
_STEP = 64  # the length of rows is rounded up to a multiple of this
_LOGITS = 2**29  # bytes of float32 logits that exist at once, for models that cap, scale or shift them
_MAX_RECORDINGS = 24  # rare shapes are not worth one


class CausalObjective(Objective):
    """The objective of causal models: the likelihood of what follows the candidate."""

    peft_task = "CAUSAL_LM"

    def __init__(self, solver: CausalSolver, model: Any) -> None:
        """Take the model, which may have had adapters added."""
        self.model = model
        self.encoder = Encoder(solver.pretrained.tokenizer, solver.name)
        self.packed = PackedModel(model, batch_tokens=1)
        limits = [self.packed.longest, getattr(model.config.get_text_config(), "max_position_embeddings", None)]
        self.longest = min((limit for limit in limits if limit), default=2**62)
        self.recordings = Recordings(self) if model.device.type == "cuda" and self.packed.packs else None

    def encode(self, labelled: LabelledQuestion) -> TrainingExample | None:
        """The tokens of each reading and the position of the first one scored."""
        question = labelled.question
        texts = self.encoder.encode([reading.text for reading in question.readings])
        width = None if question.window.is_empty else scored_width(question, texts)
        if not width or max(len(text.ids) for text in texts) >= self.longest:
            return None
        readings = tuple(
            ((self.encoder.start, *text.ids), 1 + int((text.starts < len(reading.text) - width).sum()))
            for reading, text in zip(question.readings, texts, strict=True)
        )
        size = build([ids for ids, _ in readings]).size
        return TrainingExample(labelled.answer, question.item.schema_id, readings, size)

    def score(self, examples: Sequence[TrainingExample]) -> Scored:
        """Score all examples in one pass, in the order of their rows."""
        arranged = self._arrange(examples)
        if self.packed.packs:
            return self.scored(arranged.shape, torch.from_numpy(arranged.numbers()).to(self.model.device))
        sequences = [ids for example in examples for ids, _ in example.readings]
        states = torch.cat([self.packed.row_states(ids) for ids in sequences])
        return self.scored(arranged.shape, torch.from_numpy(arranged.numbers()).to(self.model.device), states)

    def add_gradients(
        self, examples: Sequence[TrainingExample], share: float, recipe: FinetuneRecipe, precision: torch.dtype
    ) -> torch.Tensor:
        """Add the gradients, with a recorded step if possible."""
        if self.recordings is not None:
            try:
                return self.recordings.add_gradients(self._arrange(examples).rounded(), share, recipe, precision)
            except RuntimeError as error:
                if is_out_of_memory(error):
                    raise
                self.recordings = None  # not every model can be recorded
                self.note(f"Steps of this model cannot be recorded, which makes them slower: {error}")
        return super().add_gradients(examples, share, recipe, precision)

    def release(self) -> None:
        """Drop the recorded steps too: they hold on to the memory that they were recorded in."""
        super().release()
        if self.recordings is not None:
            self.recordings.clear()

    def scored(self, shape: Shape, numbers: torch.Tensor, states: torch.Tensor | None = None) -> Scored:
        """The scores of arranged examples; `states`, of all tokens, are computed unless they are given."""
        tokens, scored, windows, rights, examples, exists = torch.split(numbers, shape.sections)
        if states is None:
            grid = tokens.view(4, shape.rows, shape.length)
            states = self.packed.grid_states(grid).flatten(0, 1)
        parents, targets = scored.view(2, -1)
        values = torch.nn.functional.pad(self._logprobs(states[parents], targets), (0, 1))  # the last, 0, for padding
        answers, lengths, _ = examples.view(3, -1)
        scores = _sums(values, windows.view(2, -1), shape.examples * shape.readings)
        scores = scores.masked_fill(exists == 0, -torch.inf).view(shape.examples, shape.readings)
        return Scored(scores, -_sums(values, rights.view(2, shape.rights), shape.examples) / lengths, answers)

    def _arrange(self, examples: Sequence[TrainingExample]) -> Arranged:
        """The tokens packed into rows, and which are scored; whole right readings only if the loss includes them."""
        learns_readings = self.learns_language and torch.is_grad_enabled()
        groups = _pack_rows(examples) if self.packed.packs else [[example] for example in examples]
        examples = [example for group in groups for example in group]
        trees = [build([ids for example in group for ids, _ in example.readings]) for group in groups]
        length = max(tree.size for tree in trees)
        grid = np.zeros((4, len(trees), length), dtype=np.int64)
        grid[2:] = -1  # no token attends to padding
        for row, tree in enumerate(trees):
            grid[:, row, : tree.size] = [tree.tokens, tree.depths, *tree.spans()]
        paths: list[tuple[np.ndarray, np.ndarray]] = []  # of each reading the places of its tokens and of those before
        if self.packed.packs:
            for row, tree in enumerate(trees):
                paths += [(path[1:] + row * length, tree.parents[path[1:]] + row * length) for path in tree.paths]
            flat = grid[0].reshape(-1)
        else:  # one sequence after the other
            sequences = [ids for example in examples for ids, _ in example.readings]
            ends = np.cumsum([len(sequence) for sequence in sequences])
            for end, sequence in zip(ends, sequences, strict=True):
                places = np.arange(end - len(sequence), end)
                paths.append((places[1:], places[:-1]))
            flat = np.concatenate([np.array(sequence) for sequence in sequences])
        max_readings = max(len(example.readings) for example in examples)
        numbers: dict[int, int] = {}  # of each scored token
        parents: list[int] = []
        places_by_part: dict[str, list[list[int]]] = {"windows": [[], []], "rights": [[], []]}
        answers = np.ones((3, len(examples)), dtype=np.int64)
        exists = np.zeros(len(examples) * max_readings, dtype=np.int64)

        def add(part: str, slot: int, path: tuple[np.ndarray, np.ndarray], first: int) -> None:
            for place, parent in zip(path[0][first:].tolist(), path[1][first:].tolist(), strict=True):
                if place not in numbers:
                    numbers[place] = len(numbers)
                    parents.append(parent)
                places_by_part[part][0].append(numbers[place])
                places_by_part[part][1].append(slot)

        remaining_paths = iter(paths)
        for index, example in enumerate(examples):
            for slot, (_, first) in enumerate(example.readings):
                path = next(remaining_paths)
                add("windows", index * max_readings + slot, path, first - 1)
                exists[index * max_readings + slot] = 1
                if slot == example.answer:
                    answers[:2, index] = example.answer, len(path[0])
                    if learns_readings:
                        add("rights", index, path, 0)
        scored = np.array([parents, flat[list(numbers)]], dtype=np.int64)
        windows, rights = (np.array(places_by_part[part], dtype=np.int64) for part in ("windows", "rights"))
        return Arranged(grid, scored, windows, rights, answers, exists, max_readings)

    def _logprobs(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The log probability of each target; logits are dropped and, for the gradients, computed again."""
        head = self.packed.head
        if head.is_plain:
            device = states.device.type
            low = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else states.dtype
            return log_probabilities(states, head.weight, targets, low)
        rows = max(1, _LOGITS // (4 * len(head.weight)))
        parts = zip(torch.split(states, rows), torch.split(targets, rows), strict=True)
        chosen = [
            checkpoint(self._target_logprobs, *part, use_reentrant=False, preserve_rng_state=False) for part in parts
        ]
        return torch.cat(chosen)

    def _target_logprobs(self, states: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        logits = self.packed.head.all_logits(states)
        return logits.gather(1, targets[:, None])[:, 0] - logits.logsumexp(1)


def _pack_rows(examples: Sequence[TrainingExample]) -> list[list[TrainingExample]]:
    """The examples packed into rows, large schemas first, without splitting a schema."""
    schemas: list[list[TrainingExample]] = []
    for example in examples:
        if not schemas or schemas[-1][-1].schema_id != example.schema_id:
            schemas.append([])
        schemas[-1].append(example)
    sizes = [build([ids for example in schema for ids, _ in example.readings]).size for schema in schemas]
    longest = _row_length(max(sizes))
    rows: list[list[TrainingExample]] = []
    room: list[int] = []
    for size, schema in sorted(zip(sizes, schemas, strict=True), key=lambda pair: -pair[0]):
        row = next((number for number, free in enumerate(room) if free >= size), len(rows))
        if row == len(rows):
            rows.append([])
            room.append(longest)
        rows[row] += schema
        room[row] -= size
    return rows


def _row_length(longest: int) -> int:
    return max(_ROW, _round_up(longest, _STEP))


def _sums(values: torch.Tensor, numbers: torch.Tensor, slots: int) -> torch.Tensor:
    """The sum of the values in each slot; `numbers` pairs the number of a value with a slot."""
    value_numbers, slot_numbers = numbers
    return values.new_zeros(slots).index_add(0, slot_numbers, values[value_numbers])


@dataclass(frozen=True)
class Shape:
    """The sizes of arranged examples, which are fixed in a recorded step."""

    rows: int
    length: int
    scored: int
    windows: int
    rights: int
    examples: int
    readings: int

    @property
    def sections(self) -> list[int]:
        """The number of elements of each array."""
        parts = 4 * self.rows * self.length, 2 * self.scored, 2 * self.windows, 2 * self.rights, 3 * self.examples
        return [*parts, self.examples * self.readings]


@dataclass(frozen=True)
class Arranged:
    """Examples as arrays of numbers, which one pass of the model takes."""

    grid: np.ndarray  # [4, rows, length]: token, depth, and the span of what is seen
    scored: np.ndarray  # [2, ·]: the place of the token before, and the token
    windows: np.ndarray  # [2, ·]: the number of a scored token in a window, and the reading
    rights: np.ndarray  # [2, ·]: the same of right readings, and the example
    about: np.ndarray  # [3, examples]: answer, tokens of the right reading, and 1 unless it only fills the array
    exists: np.ndarray  # [examples · readings]
    readings: int

    @property
    def shape(self) -> Shape:
        """The sizes of the arrays."""
        scored, windows, rights, examples = (
            array.shape[1] for array in (self.scored, self.windows, self.rights, self.about)
        )
        rows, length = self.grid.shape[1:]
        return Shape(rows, length, scored, windows, rights, examples, self.readings)

    def numbers(self) -> np.ndarray:
        """Everything in one array, to be sent to the device in one copy."""
        return np.concatenate([getattr(self, field.name).reshape(-1) for field in fields(self)[:-1]])

    def rounded(self) -> Arranged:
        """The examples with padded arrays, so that there are few shapes; padding has no weight in any sum."""
        shape = self.shape
        length = _row_length(shape.length)
        grid = np.zeros((4, _round_up(shape.rows, 2), length), dtype=np.int64)
        grid[2:] = -1
        grid[:, : shape.rows, : shape.length] = self.grid
        row, place = np.divmod(self.scored[0], shape.length)
        scored, examples = _round_up(shape.scored, 512), _round_up(shape.examples, 16)
        return replace(
            self,
            grid=grid,
            scored=_pad_rows(np.stack([row * length + place, self.scored[1]]), scored, (0, 0)),
            windows=_pad_rows(
                self.windows, _round_up(shape.windows, 1024), (scored, 0)
            ),  # the value after the last is 0
            rights=_pad_rows(self.rights, _round_up(shape.rights, 1024), (scored, 0)),
            about=_pad_rows(self.about, examples, (0, 1, 0)),
            exists=_pad_rows(self.exists[None], examples * self.readings, (1,))[0],
        )


def _round_up(number: int, step: int) -> int:
    return -(-number // step) * step


def _pad_rows(rows: np.ndarray, length: int, values: Sequence[int]) -> np.ndarray:
    """The rows, each padded with its own value."""
    padded = np.repeat(np.array(values, dtype=np.int64)[:, None], length, axis=1)
    padded[:, : rows.shape[1]] = rows
    return padded


@dataclass(frozen=True)
class _Recording:
    graph: torch.cuda.CUDAGraph
    numbers: torch.Tensor  # where the graph reads them
    share: torch.Tensor
    loss: torch.Tensor


class Recordings:
    """The loss and gradients of steps, recorded once for each shape and then replayed."""

    def __init__(self, objective: CausalObjective) -> None:
        """Start without recordings."""
        self.objective = objective
        self.parameters = [parameter for parameter in objective.model.parameters() if parameter.requires_grad]
        self.gradients = [torch.zeros_like(parameter) for parameter in self.parameters]  # to which every recording adds
        self.recorded: dict[Shape, _Recording] = {}
        self._met: set[Shape] = set()

    def clear(self) -> None:
        """Forget all recordings; what they add to stays, as it would be needed again at once."""
        self.recorded.clear()
        self._met.clear()

    def add_gradients(
        self, arranged: Arranged, share: float, recipe: FinetuneRecipe, precision: torch.dtype
    ) -> torch.Tensor:
        """Add the gradients of this share of the sum of the examples' losses, and return it."""
        if self.parameters[0].grad is None:  # the first part of a step
            torch._foreach_zero_(self.gradients)
            for parameter, gradient in zip(self.parameters, self.gradients, strict=True):
                parameter.grad = gradient
        shape = arranged.shape
        numbers = torch.from_numpy(arranged.numbers()).pin_memory()
        if shape not in self.recorded and (shape not in self._met or len(self.recorded) == _MAX_RECORDINGS):
            self._met.add(shape)  # the first time, kernels are chosen and compiled, which cannot be recorded
            device = self.objective.model.device
            return self._add(shape, numbers.to(device), torch.tensor(share, device=device), recipe, precision)
        if shape not in self.recorded:
            self.recorded[shape] = self._record(shape, numbers, recipe, precision)
        recording = self.recorded[shape]
        recording.numbers.copy_(numbers, non_blocking=True)
        recording.share.fill_(share)
        recording.graph.replay()
        return recording.loss.clone()

    def _add(
        self, shape: Shape, numbers: torch.Tensor, share: torch.Tensor, recipe: FinetuneRecipe, precision: torch.dtype
    ) -> torch.Tensor:
        """The loss, from arranged examples; its gradients are added to `gradients`."""
        with autocast(numbers.device, precision):
            scored = self.objective.scored(shape, numbers)
        weights = torch.split(numbers, shape.sections)[4].view(3, -1)[2]
        loss = (self.objective.losses(scored, recipe) * weights).sum() * share
        gradients = torch.autograd.grad(loss, self.parameters, allow_unused=True, materialize_grads=True)
        torch._foreach_add_(self.gradients, list(gradients))
        return loss.detach()

    def _record(
        self, shape: Shape, numbers: torch.Tensor, recipe: FinetuneRecipe, precision: torch.dtype
    ) -> _Recording:
        device = self.objective.model.device
        generator = torch.cuda.get_rng_state(device)
        buffer, share = numbers.to(device), torch.zeros((), device=device)
        graph = torch.cuda.CUDAGraph()
        # Recordings share their memory: they never run side by side, and of their results only the loss is kept.
        pool = next(iter(self.recorded.values())).graph.pool() if self.recorded else None
        with torch.cuda.graph(graph, pool=pool):
            loss = self._add(shape, buffer, share, recipe, precision)
        torch.cuda.set_rng_state(generator, device)
        return _Recording(graph, buffer, share, loss)
