"""The networks of the language models: dropout, recurrent layers, a transformer, and the model around them.

Tensors are [positions, columns, units]: a batch is columns of text that are read side by side.
"""

from __future__ import annotations

import math
import warnings
from itertools import pairwise
from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from winoglot.training.distributed import SINGLE, Process
from winoglot.training.softmax import linear_cross_entropy, target_log_probabilities

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.training.recipes import Recipe

# With weight dropout the recurrent weights are new at each step, so they never lie in one block of memory; torch copies
# them into one, which is cheap, and warns about it.
warnings.filterwarnings("ignore", message="RNN module weights are not part of single contiguous chunk")
_GATES = {"lstm": 4, "gru": 3, "rnn": 1}
_MULTIPLE = 8  # the tensor cores of a GPU multiply matrices with such sides
_ROTARY_BASE = 10_000.0

State = tuple[torch.Tensor, ...]  # what was read so far; columns are dimension 1; empty at the beginning


class LanguageModel(torch.nn.Module):
    """Gives the probability of each word after those before it. Tokens are [positions, columns]."""

    output: torch.nn.Parameter | None

    def __init__(self, recipe: Recipe, types: int) -> None:
        """Draw the weights from torch's generator."""
        super().__init__()
        self.recipe = recipe
        spread = 0.02 if recipe.kind == "transformer" else 0.1
        self.embedding = torch.nn.Parameter(torch.empty(types, recipe.embedding).uniform_(-spread, spread))
        self.body = Transformer(recipe) if recipe.kind == "transformer" else Recurrent(recipe)
        output_weights = (
            None if recipe.tied else torch.nn.Parameter(torch.empty(types, self.body.units).uniform_(-0.1, 0.1))
        )
        self.register_parameter("output", output_weights)
        self.bias = torch.nn.Parameter(torch.zeros(types))

    @property
    def weight(self) -> torch.Tensor:
        """The weights of the output layer."""
        return self.embedding if self.output is None else self.output

    def loss(
        self,
        tokens: torch.Tensor,
        targets: torch.Tensor,
        state: State = (),
        *,
        precision: torch.dtype = torch.float32,
        process: Process = SINGLE,
        counted: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor, State]:
        """The objective of training, the mean cross-entropy without the regularisation terms, and the next state.

        `counted` says which targets are predicted; by default all are.
        """
        recipe = self.recipe
        values = functional.embedding(tokens, self.embedding)
        values = drop_words(values, tokens, len(self.embedding), recipe.word_dropout)
        values = drop(values, recipe.input_dropout, locked=recipe.locked, process=process)
        raw, state = self.body(values, state, precision, process, dropout=True)
        outputs = drop(raw, recipe.output_dropout, locked=recipe.locked, process=process)
        rows, words = outputs.flatten(0, 1), targets.flatten()
        if counted is not None:
            rows, words = rows[counted.flatten()], words[counted.flatten()]
        loss = linear_cross_entropy(rows, self.weight, self.bias, words, precision)
        objective = loss
        if recipe.activation:
            objective = objective + recipe.activation * outputs.float().pow(2).mean()
        if recipe.change and len(raw) > 1:
            objective = objective + recipe.change * (raw[1:] - raw[:-1]).float().pow(2).mean()
        return objective, loss.detach(), state

    @torch.no_grad()
    def log_probabilities(
        self, tokens: torch.Tensor, targets: torch.Tensor, state: State = ()
    ) -> tuple[torch.Tensor, State]:
        """The log-probability of each target after the tokens up to its position, exactly; and the next state."""
        outputs, state = self.read(tokens, state)
        return self.log_probabilities_after(outputs, targets), state

    @torch.no_grad()
    def next_logits(self, tokens: torch.Tensor, state: State = ()) -> tuple[torch.Tensor, State]:
        """The logits [columns, types] of the word after the last position; and the next state."""
        outputs, state = self.read(tokens, state)
        return self.logits_after(outputs[-1]), state

    @torch.no_grad()
    def read(self, tokens: torch.Tensor, state: State = ()) -> tuple[torch.Tensor, State]:
        """The outputs of the last layer at each position; and the next state."""
        outputs, state = self.body(functional.embedding(tokens, self.embedding), state)
        return outputs, state

    @torch.no_grad()
    def log_probabilities_after(self, outputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The log-probability of the target at each position, from what was read up to it."""
        log_probabilities = target_log_probabilities(outputs.flatten(0, 1), self.weight, self.bias, targets.flatten())
        return log_probabilities.view_as(targets)

    @torch.no_grad()
    def logits_after(self, outputs: torch.Tensor) -> torch.Tensor:
        """The logits of all types, from what was read up to each of these outputs."""
        return functional.linear(outputs, self.weight, self.bias)


class Recurrent(torch.nn.Module):
    """LSTM, GRU or RNN layers with all the dropout of AWD-LSTM; with tied embeddings the last layer has their size."""

    def __init__(self, recipe: Recipe) -> None:
        """Draw the weights from torch's generator."""
        super().__init__()
        self.recipe = recipe
        last = recipe.embedding if recipe.tied else recipe.hidden
        sizes = [recipe.embedding, *[recipe.hidden] * (recipe.layers - 1), last]
        self.layers = torch.nn.ModuleList(
            RecurrentLayer(inputs, units, recipe.kind) for inputs, units in pairwise(sizes)
        )
        self.units = last

    def forward(
        self,
        values: torch.Tensor,
        state: State,
        precision: torch.dtype = torch.float32,
        process: Process = SINGLE,
        *,
        dropout: bool = False,
    ) -> tuple[torch.Tensor, State]:
        """The outputs of the last layer, and the next state: a hidden state and, of an LSTM, a cell state per layer."""
        recipe = self.recipe
        if not values.is_cuda:  # low precision makes the steps of an LSTM no faster on a processor
            precision = torch.float32
        after: list[torch.Tensor] = []
        if (missing := padded(values.shape[-1]) - values.shape[-1]) > 0:
            values = functional.pad(values, (0, missing))
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, RecurrentLayer)
            if number and dropout:
                values = drop(values, recipe.layer_dropout, locked=recipe.locked, process=process)
            layer_state = state[len(after) : len(after) + layer.states] or layer.start(values.shape[1])
            weight_dropout = recipe.weight_dropout if dropout else 0.0
            values, next_state = layer(values, layer_state, weight_dropout, precision)
            after += [part.detach() for part in next_state]
        return values[..., : self.units], tuple(after)


class RecurrentLayer(torch.nn.Module):
    """Computes what a one-layer `torch.nn.LSTM`, `GRU` or `RNN` does, from the same weights under the same names.

    The number of units is padded to a multiple of eight; the units added have no weights and stay 0. They show in the
    state.
    """

    def __init__(self, inputs: int, units: int, kind: str = "lstm") -> None:
        """Draw the weights as torch does."""
        super().__init__()
        self.inputs, self.units, self.kind = inputs, units, kind
        self.gates, self.states = _GATES[kind], 2 if kind == "lstm" else 1
        self.weight_ih = torch.nn.Parameter(torch.empty(self.gates * units, inputs))
        self.weight_hh = torch.nn.Parameter(torch.empty(self.gates * units, units))
        self.bias_ih = torch.nn.Parameter(torch.empty(self.gates * units))
        self.bias_hh = torch.nn.Parameter(torch.empty(self.gates * units))
        for parameter in self.parameters():
            torch.nn.init.uniform_(parameter, -1 / math.sqrt(units), 1 / math.sqrt(units))

    def forward(
        self, values: torch.Tensor, state: State, weight_dropout: float, precision: torch.dtype
    ) -> tuple[torch.Tensor, State]:
        """The outputs [positions, columns, padded units] for padded inputs, and the next state.

        Dropout replaces the recurrent weights in the call, not in the parameter, so gradients reach the full weights
        through the mask; and the call is the one that torch's layer makes, with its fast kernels.
        """
        weights = [
            _padded_gates(self.weight_ih, self.units, values.shape[-1]),
            _padded_gates(drop_weights(self.weight_hh, weight_dropout), self.units, padded(self.units)),
            _padded_gates(self.bias_ih[:, None], self.units, 1)[:, 0],
            _padded_gates(self.bias_hh[:, None], self.units, 1)[:, 0],
        ]
        compute = getattr(torch._VF, "rnn_tanh" if self.kind == "rnn" else self.kind)
        before = [part.to(precision) for part in state]
        outputs, *after = compute(
            values.to(precision),
            before if self.kind == "lstm" else before[0],
            [weight.to(precision) for weight in weights],
            True,  # biases
            1,  # layer
            0.0,  # dropout between layers
            torch.is_grad_enabled(),
            False,  # bidirectional
            False,  # batch first
        )
        return outputs, tuple(after)

    def start(self, columns: int) -> State:
        """The state before anything was read."""
        zeros = self.weight_hh.new_zeros(1, columns, padded(self.units))
        return (zeros,) * self.states


def padded(units: int) -> int:
    """The number of units, padded to a multiple of eight.

    >>> padded(1150), padded(400)
    (1152, 400)
    """
    return -(-units // _MULTIPLE) * _MULTIPLE


def _padded_gates(weight: torch.Tensor, units: int, columns: int) -> torch.Tensor:
    """The weights of the gates, each padded with zeros."""
    below, right = padded(units) - units, columns - weight.shape[1]
    if not below and not right:
        return weight
    gates = weight.view(-1, units, weight.shape[1])
    return functional.pad(gates, (0, right, 0, below)).reshape(-1, columns)


class Transformer(torch.nn.Module):
    """Blocks of attention and feed-forward layers: rotary positions, RMS norms before each half, SwiGLU, no biases.

    Each position attends to the last `sequence` positions, itself included, as in training. Through all layers it sees
    further back than that. The state keeps the embeddings of everything it can see, so the outputs do not depend on
    where a text is cut.
    """

    def __init__(self, recipe: Recipe) -> None:
        """Draw the weights from torch's generator."""
        super().__init__()
        self.recipe = recipe
        self.units = recipe.embedding
        self.blocks = torch.nn.ModuleList(_Block(recipe) for _ in range(recipe.layers))
        self.norm = torch.nn.RMSNorm(recipe.embedding, eps=1e-6)

    def forward(
        self,
        values: torch.Tensor,
        state: State,
        precision: torch.dtype = torch.float32,
        process: Process = SINGLE,
        *,
        dropout: bool = False,
    ) -> tuple[torch.Tensor, State]:
        """The outputs for the positions after those of the state, and the next state."""
        recipe, device = self.recipe, values.device
        visible = torch.cat([*state, values]) if state else values
        mask = _attention_mask(len(visible), recipe.sequence, device) if len(visible) > recipe.sequence else None
        rows = visible.transpose(0, 1)
        rotations = _rotations(len(visible), self.units // recipe.heads, device)
        dropout_share = recipe.layer_dropout if dropout else 0.0
        with torch.autocast(device.type, precision, enabled=precision != torch.float32):
            for block in self.blocks:
                rows = block(rows, rotations, mask, dropout_share, process)
            rows = self.norm(rows)
        outputs = rows.transpose(0, 1)[len(visible) - len(values) :]
        reach = recipe.layers * (recipe.sequence - 1)
        return outputs, (visible[max(0, len(visible) - reach) :].detach(),)


class _Block(torch.nn.Module):
    def __init__(self, recipe: Recipe) -> None:
        super().__init__()
        units, inner = recipe.embedding, recipe.inner
        self.heads = recipe.heads
        self.before_attention = torch.nn.RMSNorm(units, eps=1e-6)
        self.before_feed = torch.nn.RMSNorm(units, eps=1e-6)
        self.attend = torch.nn.Linear(units, 3 * units, bias=False)
        self.attended = torch.nn.Linear(units, units, bias=False)
        self.gate_and_up = torch.nn.Linear(units, 2 * inner, bias=False)
        self.down = torch.nn.Linear(inner, units, bias=False)
        for linear in (self.attend, self.attended, self.gate_and_up, self.down):
            torch.nn.init.normal_(linear.weight, std=0.02)
        for linear in (self.attended, self.down):  # what is added to the residual stream: less with more blocks
            torch.nn.init.normal_(linear.weight, std=0.02 / (2 * recipe.layers) ** 0.5)

    def forward(
        self, rows: torch.Tensor, rotations: torch.Tensor, mask: torch.Tensor | None, dropped: float, process: Process
    ) -> torch.Tensor:
        columns, positions, units = rows.shape
        parts = self.attend(self.before_attention(rows)).view(columns, positions, 3, self.heads, units // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        attention = functional.scaled_dot_product_attention(
            _rotate(query, rotations), _rotate(key, rotations), value, attn_mask=mask, is_causal=mask is None
        )
        attended = self.attended(attention.transpose(1, 2).reshape(columns, positions, units))
        rows = rows + _drop_rows(attended, dropped, process)
        gate, up = self.gate_and_up(self.before_feed(rows)).chunk(2, -1)
        return rows + _drop_rows(self.down(functional.silu(gate) * up), dropped, process)


def _attention_mask(positions: int, sequence: int, device: torch.device) -> torch.Tensor:
    """Which positions each one attends to."""
    distances = torch.arange(positions, device=device)[:, None] - torch.arange(positions, device=device)
    return (distances >= 0) & (distances < sequence)


def _rotations(positions: int, size: int, device: torch.device) -> torch.Tensor:
    """The rotary angles of each pair of units at each position: cosines and sines, [2, positions, size / 2]."""
    speeds = _ROTARY_BASE ** (-torch.arange(0, size, 2, device=device) / size)
    angles = torch.outer(torch.arange(positions, device=device), speeds)
    return torch.stack([angles.cos(), angles.sin()])


def _rotate(heads: torch.Tensor, rotations: torch.Tensor) -> torch.Tensor:
    """Queries or keys rotated by position, so that their products depend on how far apart they are."""
    cosines, sines = rotations.to(heads.dtype)
    left, right = heads.chunk(2, -1)
    return torch.cat([left * cosines - right * sines, left * sines + right * cosines], -1)


def _drop_rows(values: torch.Tensor, dropped: float, process: Process) -> torch.Tensor:
    return drop(values.transpose(0, 1), dropped, locked=False, process=process).transpose(0, 1)


# Dropout. The masks are the same whether one process has the whole batch or several share it.


def dropout_mask(shape: Sequence[int], dropped: float, device: torch.device, process: Process = SINGLE) -> torch.Tensor:
    """Factors that are 0 for the share `dropped` and more than 1 elsewhere, so that means stay the same.

    Each process draws the mask for the columns (the second last dimension) of all processes and takes its own part: so
    the generators stay in step, and together the processes do what one process with all columns would do.
    """
    *outer, columns, units = shape
    random = torch.rand((*outer, columns * process.world_size, units), device=device)
    mask = random.narrow(-2, process.rank * columns, columns)
    return (mask >= dropped).to(random.dtype).div_(1 - dropped)


def drop(values: torch.Tensor, dropped: float, *, locked: bool, process: Process = SINGLE) -> torch.Tensor:
    """Drop units; if `locked`, the same units at all positions of a column."""
    if not dropped:
        return values
    positions, columns, units = values.shape
    mask = dropout_mask((1 if locked else positions, columns, units), dropped, values.device, process)
    return values * mask.to(values.dtype)


def drop_words(embedded: torch.Tensor, words: torch.Tensor, types: int, dropped: float) -> torch.Tensor:
    """Drop whole words, wherever they occur in the batch."""
    if not dropped:
        return embedded
    return embedded * dropout_mask((types, 1), dropped, embedded.device)[words]


def drop_weights(weight: torch.Tensor, dropped: float) -> torch.Tensor:
    """Drop single weights, for all positions and columns alike."""
    return weight * dropout_mask(weight.shape, dropped, weight.device) if dropped else weight
