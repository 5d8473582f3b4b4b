"""One layer of an LSTM whose recurrent weights may be dropped, computed by the library's fast kernels all the same."""

from __future__ import annotations

import math
import warnings

import torch
from torch.nn import functional

from winoglot.training.dropout import drop_weights

# Weights that are made anew at each step lie in no common block; they are copied into one, which is cheap.
warnings.filterwarnings("ignore", message="RNN module weights are not part of single contiguous chunk")
_MULTIPLE = 8  # matrices with such sides are multiplied by a GPU's tensor units

State = tuple[torch.Tensor, torch.Tensor]


class LSTMLayer(torch.nn.Module):
    """Computes what `torch.nn.LSTM` of one layer does, from the same weights under the same names.

    Units are filled up to a multiple of eight with such as have no weights and stay 0; they show in the state.
    """

    def __init__(self, inputs: int, units: int) -> None:
        """With weights drawn as torch does."""
        super().__init__()
        self.inputs, self.units = inputs, units
        self.weight_ih = torch.nn.Parameter(torch.empty(4 * units, inputs))
        self.weight_hh = torch.nn.Parameter(torch.empty(4 * units, units))
        self.bias_ih = torch.nn.Parameter(torch.empty(4 * units))
        self.bias_hh = torch.nn.Parameter(torch.empty(4 * units))
        for parameter in self.parameters():
            torch.nn.init.uniform_(parameter, -1 / math.sqrt(units), 1 / math.sqrt(units))

    @property
    def width(self) -> int:
        """How many units there are with those that fill up."""
        return filled(self.units)

    def forward(
        self, values: torch.Tensor, state: State, weight_dropout: float, precision: torch.dtype
    ) -> tuple[torch.Tensor, State]:
        """The outputs [places, columns, width] for inputs [places, columns, filled inputs], and the state after them.

        The recurrent weights are replaced before the call, not in the parameter: gradients reach the weights as they
        are without the mask, and the call is the one that `torch.nn.LSTM` makes.
        """
        weights = [
            _filled(self.weight_ih, self.units, values.shape[-1]),
            _filled(drop_weights(self.weight_hh, weight_dropout), self.units, self.width),
            _filled(self.bias_ih[:, None], self.units, 1)[:, 0],
            _filled(self.bias_hh[:, None], self.units, 1)[:, 0],
        ]
        outputs, hidden, cell = torch._VF.lstm(
            values.to(precision),
            [part.to(precision) for part in state],
            [weight.to(precision) for weight in weights],
            True,  # biases
            1,  # layer
            0.0,  # dropout between layers
            torch.is_grad_enabled(),
            False,  # both directions
            False,  # columns first
        )
        return outputs, (hidden, cell)

    def start(self, columns: int) -> State:
        """The state before anything was read."""
        zeros = self.weight_hh.new_zeros(1, columns, self.width)
        return zeros, zeros


def filled(units: int) -> int:
    """How many units there are with those that fill up to a multiple of eight.

    >>> filled(1150), filled(400)
    (1152, 400)
    """
    return -(-units // _MULTIPLE) * _MULTIPLE


def _filled(weight: torch.Tensor, units: int, columns: int) -> torch.Tensor:
    """The weights of the four gates, each filled up with zeros."""
    below, right = filled(units) - units, columns - weight.shape[1]
    if not below and not right:
        return weight
    gates = weight.view(4, units, weight.shape[1])
    return functional.pad(gates, (0, right, 0, below)).reshape(4 * filled(units), columns)
