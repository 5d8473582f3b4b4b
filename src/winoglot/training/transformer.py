"""The body of the transformer: rotary positions, RMS norms before each half, SwiGLU; no biases.

Each place attends to the `sequence` last places, its own among them, as it does in training. So what it sees through
all layers reaches further back, and the state keeps all of that: however a text is cut, the outputs are the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from winoglot.training.dropout import ALONE, drop

if TYPE_CHECKING:
    from winoglot.training.base import Share
    from winoglot.training.recipes import Recipe

_BASE = 10_000.0  # of the rotary positions' wave lengths


class Transformer(torch.nn.Module):
    """Blocks of attention and feed-forward layers. Its state is the last places, embedded."""

    def __init__(self, recipe: Recipe) -> None:
        """With weights drawn from torch's generator."""
        super().__init__()
        self.recipe = recipe
        self.units = recipe.embedding
        self.blocks = torch.nn.ModuleList(_Block(recipe) for _ in range(recipe.layers))
        self.norm = torch.nn.RMSNorm(recipe.embedding, eps=1e-6)

    def forward(
        self,
        values: torch.Tensor,
        state: tuple[torch.Tensor, ...],
        precision: torch.dtype = torch.float32,
        share: Share = ALONE,
        *,
        dropping: bool = False,
    ) -> tuple[torch.Tensor, tuple[torch.Tensor, ...]]:
        """The outputs for [places, columns, units] after those of the state."""
        seen = torch.cat([*state, values]) if state else values
        near = _near(len(seen), self.recipe.sequence, values.device) if len(seen) > self.recipe.sequence else None
        rows = seen.transpose(0, 1)
        turns = _turns(len(seen), self.units // self.recipe.heads, values.device)
        dropped = self.recipe.layer_dropout if dropping else 0.0
        with torch.autocast(values.device.type, precision, enabled=precision != torch.float32):
            for block in self.blocks:
                rows = block(rows, turns, near, dropped, share)
            rows = self.norm(rows)
        outputs = rows.transpose(0, 1)[len(seen) - len(values) :]
        reach = self.recipe.layers * (self.recipe.sequence - 1)
        return outputs, (seen[max(0, len(seen) - reach) :].detach(),)


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
        for linear in (self.attended, self.down):  # what is added to the stream: less of it the more blocks there are
            torch.nn.init.normal_(linear.weight, std=0.02 / (2 * recipe.layers) ** 0.5)

    def forward(
        self, rows: torch.Tensor, turns: torch.Tensor, near: torch.Tensor | None, dropped: float, share: Share
    ) -> torch.Tensor:
        columns, places, units = rows.shape
        parts = self.attend(self.before_attention(rows)).view(columns, places, 3, self.heads, units // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        mixed = functional.scaled_dot_product_attention(
            _turned(query, turns), _turned(key, turns), value, attn_mask=near, is_causal=near is None
        )
        added = self.attended(mixed.transpose(1, 2).reshape(columns, places, units))
        rows = rows + _dropped(added, dropped, share)
        gate, up = self.gate_and_up(self.before_feed(rows)).chunk(2, -1)
        return rows + _dropped(self.down(functional.silu(gate) * up), dropped, share)


def _dropped(values: torch.Tensor, dropped: float, share: Share) -> torch.Tensor:
    return drop(values.transpose(0, 1), dropped, locked=False, share=share).transpose(0, 1)


def _near(places: int, sequence: int, device: torch.device) -> torch.Tensor:
    """Which places each one attends to."""
    back = torch.arange(places, device=device)[:, None] - torch.arange(places, device=device)
    return (back >= 0) & (back < sequence)


def _turns(places: int, size: int, device: torch.device) -> torch.Tensor:
    """By which angle each pair of a head's units is turned at each place: cosines and sines, [2, places, size / 2]."""
    speeds = _BASE ** (-torch.arange(0, size, 2, device=device) / size)
    angles = torch.outer(torch.arange(places, device=device), speeds)
    return torch.stack([angles.cos(), angles.sin()])


def _turned(heads: torch.Tensor, turns: torch.Tensor) -> torch.Tensor:
    """Turned by their places, so that products of queries and keys depend on how far apart they are."""
    cosines, sines = turns.to(heads.dtype)
    left, right = heads.chunk(2, -1)
    return torch.cat([left * cosines - right * sines, left * sines + right * cosines], -1)
