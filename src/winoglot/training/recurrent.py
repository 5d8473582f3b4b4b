"""The body of the recurrent language models: LSTM layers with all the dropout of AWD-LSTM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from winoglot.training.dropout import ALONE, drop
from winoglot.training.lstm import LSTMLayer, filled

if TYPE_CHECKING:
    from winoglot.training.base import Share
    from winoglot.training.recipes import Recipe


class Recurrent(torch.nn.Module):
    """Layers one upon the other; with tied embeddings the last one has their size."""

    def __init__(self, recipe: Recipe) -> None:
        """With weights drawn from torch's generator."""
        super().__init__()
        self.recipe = recipe
        last = recipe.embedding if recipe.tied else recipe.hidden
        sizes = [recipe.embedding, *[recipe.hidden] * (recipe.layers - 1), last]
        self.layers = torch.nn.ModuleList(map(LSTMLayer, sizes, sizes[1:]))
        self.units = last

    def forward(
        self,
        values: torch.Tensor,
        state: tuple[torch.Tensor, ...],
        precision: torch.dtype = torch.float32,
        share: Share = ALONE,
        *,
        dropping: bool = False,
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
        """The last layer's outputs for [places, columns, embedding], and the state: a hidden and a cell one a layer."""
        recipe = self.recipe
        if not values.is_cuda:  # a processor gains nothing by it, step for step
            precision = torch.float32
        after: list[torch.Tensor] = []
        if (missing := filled(values.shape[-1]) - values.shape[-1]) > 0:
            values = functional.pad(values, (0, missing))
        for number, layer in enumerate(self.layers):
            assert isinstance(layer, LSTMLayer)
            if number and dropping:
                values = drop(values, recipe.layer_dropout, locked=recipe.locked, share=share)
            before = state[2 * number : 2 * number + 2] or layer.start(values.shape[1])
            weight_dropout = recipe.weight_dropout if dropping else 0.0
            values, (hidden, cell) = layer(values, before, weight_dropout, precision)
            after += [hidden.detach(), cell.detach()]
        return values[..., : self.units], tuple(after)
