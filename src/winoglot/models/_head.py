"""Log probabilities of chosen tokens at chosen states, without ever holding the scores of a whole vocabulary.

The output layer is the largest part of a small model with a large vocabulary. It is gone through in slices of the
vocabulary, which stay in the processor's cache; their log-sum-exp is kept as a running maximum and sum.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from winoglot.models._int8 import Int8Linear

if TYPE_CHECKING:
    from collections.abc import Sequence

SLICE = 8192  # rows of the vocabulary a time


class Head:
    """The output layer of a causal model."""

    def __init__(self, model: Any) -> None:
        """Take the model's own layer."""
        layer = model.get_output_embeddings()
        self.weight: torch.Tensor = layer.weight
        self.bias: torch.Tensor | None = getattr(layer, "bias", None)
        config = model.config.get_text_config()
        self.cap: float | None = getattr(config, "final_logit_softcapping", None)
        self.scale: float = 1.0 / float(getattr(config, "logits_scaling", 1.0) or 1.0)
        self.slices: Sequence[torch.nn.Module] | None = None

    def quantise(self, states: torch.Tensor) -> None:
        """Go on with an int8 copy of the layer, slice by slice; `states` are some that it will meet."""
        peaks = states.float().abs().amax(dim=0)
        starts = range(0, len(self.weight), SLICE)
        parts = [
            (self.weight[at : at + SLICE], None if self.bias is None else self.bias[at : at + SLICE]) for at in starts
        ]
        self.slices = [Int8Linear(weight, bias, peaks) for weight, bias in parts]

    def logprobs(self, states: torch.Tensor, rows: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The log probability of each target token at the state in its row of `states`."""
        top = torch.full((len(states),), -torch.inf, dtype=torch.float32, device=states.device)
        total = torch.zeros(len(states), dtype=torch.float32, device=states.device)
        chosen = torch.empty(len(targets), dtype=torch.float32, device=states.device)
        for number, start in enumerate(range(0, len(self.weight), SLICE)):
            logits = self._logits(states, number, start)
            peak = torch.maximum(top, logits.amax(dim=1))
            here = (targets >= start) & (targets < start + SLICE)
            chosen[here] = logits[rows[here], targets[here] - start]
            total = total * torch.exp(top - peak) + logits.sub_(peak[:, None]).exp_().sum(dim=1)
            top = peak
        return chosen - (top + torch.log(total))[rows]

    def _logits(self, states: torch.Tensor, number: int, start: int) -> torch.Tensor:
        if self.slices is not None:
            logits: torch.Tensor = self.slices[number](states)
        else:
            bias = None if self.bias is None else self.bias[start : start + SLICE]
            logits = torch.nn.functional.linear(states, self.weight[start : start + SLICE], bias)
        logits = logits.float() * self.scale if self.scale != 1.0 else logits.float()
        return torch.tanh(logits / self.cap) * self.cap if self.cap else logits
