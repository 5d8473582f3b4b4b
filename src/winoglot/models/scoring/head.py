"""The output layer of a causal model: log probabilities of chosen tokens, without the scores of a whole vocabulary.

The output layer is the largest part of a small model with a large vocabulary. It is computed in slices of the
vocabulary, which stay in the processor's cache; their log-sum-exp is kept as a running maximum and sum.

On a CPU, linear layers can have int8 weights: about three times as fast, and no longer exact. Weights have one scale
per row, inputs get one per row as they come. Some columns of a layer's inputs are far larger than the rest and would
coarsen the scale of all; one pass over a fixed sequence of tokens shows which, and those columns are multiplied as
floating-point numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from winoglot.models.scoring.probes import ROWS, most_probable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.models.scoring.probes import Distribution

SLICE = 8192  # rows of the vocabulary at a time
_LARGE = 8  # one column in 8 is multiplied exactly
_multiply: Any = torch._int_mm


class Head:
    """The output layer of a causal model."""

    def __init__(self, model: Any) -> None:
        """Take the output layer of the model."""
        layer = model.get_output_embeddings()
        self.weight: torch.Tensor = layer.weight
        self.bias: torch.Tensor | None = getattr(layer, "bias", None)
        config = model.config.get_text_config()
        self.cap: float | None = getattr(config, "final_logit_softcapping", None)
        self.scale: float = 1.0 / float(getattr(config, "logits_scaling", 1.0) or 1.0)
        self.slices: Sequence[torch.nn.Module] | None = None

    def quantise(self, states: torch.Tensor) -> None:
        """Use an int8 copy of the layer from now on; `states` are examples of its input."""
        peaks = states.float().abs().amax(dim=0)
        starts = range(0, len(self.weight), SLICE)
        parts = [
            (self.weight[start : start + SLICE], None if self.bias is None else self.bias[start : start + SLICE])
            for start in starts
        ]
        self.slices = [Int8Linear(weight, bias, peaks) for weight, bias in parts]

    def logprobs(self, states: torch.Tensor, rows: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """The log probability of each target token at the state in its row of `states`."""
        top = torch.full((len(states),), -torch.inf, dtype=torch.float32, device=states.device)
        total = torch.zeros(len(states), dtype=torch.float32, device=states.device)
        target_logits = torch.empty(len(targets), dtype=torch.float32, device=states.device)
        for number, start in enumerate(range(0, len(self.weight), SLICE)):
            logits = self._logits(states, number, start)
            peak = torch.maximum(top, logits.amax(dim=1))
            in_slice = (targets >= start) & (targets < start + SLICE)
            target_logits[in_slice] = logits[rows[in_slice], targets[in_slice] - start]
            total = total * torch.exp(top - peak) + logits.sub_(peak[:, None]).exp_().sum(dim=1)
            top = peak
        return target_logits - (top + torch.log(total))[rows]

    def distributions(self, states: torch.Tensor) -> list[Distribution]:
        """The most probable tokens after each state; of all states the scores of the whole vocabulary are computed."""
        result: list[Distribution] = []
        for first in range(0, len(states), ROWS):
            batch = states[first : first + ROWS]
            slices = range(0, len(self.weight), SLICE)
            result += most_probable(
                torch.cat([self._logits(batch, *numbered_start) for numbered_start in enumerate(slices)], dim=1)
            )
        return result

    def _logits(self, states: torch.Tensor, number: int, start: int) -> torch.Tensor:
        if self.slices is not None:
            logits: torch.Tensor = self.slices[number](states)
        else:
            bias = None if self.bias is None else self.bias[start : start + SLICE]
            logits = torch.nn.functional.linear(states, self.weight[start : start + SLICE], bias)
        return self.adjusted(logits)

    def all_logits(self, states: torch.Tensor) -> torch.Tensor:
        """The scores of the whole vocabulary, with gradients."""
        return self.adjusted(torch.nn.functional.linear(states, self.weight, self.bias))

    @property
    def is_plain(self) -> bool:
        """Whether the scores are only products of states and weights."""
        return self.bias is None and not self.cap and self.scale == 1.0

    def adjusted(self, logits: torch.Tensor) -> torch.Tensor:
        """Scaled and capped as the model does it."""
        logits = logits.float() * self.scale if self.scale != 1.0 else logits.float()
        return torch.tanh(logits / self.cap) * self.cap if self.cap else logits


class Int8Linear(torch.nn.Module):
    """A linear layer with int8 weights; `peaks` are the largest inputs seen in each column."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor | None, peaks: torch.Tensor) -> None:
        """Round the weights, except in the columns with the largest inputs."""
        super().__init__()
        weight = weight.detach().float()
        self.large = peaks.topk(1 + len(peaks) // _LARGE).indices
        self.exact = weight[:, self.large].t().contiguous()
        small = weight.index_fill(1, self.large, 0.0)
        self.scales = small.abs().amax(dim=1).clamp_min(1e-8) / 127
        self.rounded = (small / self.scales[:, None]).round().to(torch.int8)  # transposed it would be slow
        self.bias = None if bias is None else bias.detach().float()

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        """The product with the rounded weights: nearly what the linear layer computes."""
        rows = states.reshape(-1, states.shape[-1]).float()
        small = rows.index_fill(1, self.large, 0.0)
        scales = small.abs().amax(dim=1, keepdim=True).clamp_min(1e-8) / 127
        product = _multiply((small / scales).round_().to(torch.int8), self.rounded.t())
        result: torch.Tensor = product.float().mul_(scales).mul_(self.scales)
        result.addmm_(rows[:, self.large], self.exact)
        if self.bias is not None:
            result += self.bias
        return result.reshape(*states.shape[:-1], result.shape[-1])


def quantise_layers(module: torch.nn.Module, run: Callable[[], object]) -> None:
    """Replace the linear layers of a module with int8 ones; `run` runs it once, to see the layers' inputs."""
    layers = [layer for layer in module.modules() if isinstance(layer, torch.nn.Linear)]
    peaks = {}

    def see(layer: torch.nn.Module, inputs: tuple[torch.Tensor, ...]) -> None:
        peaks[layer] = inputs[0].reshape(-1, inputs[0].shape[-1]).float().abs().amax(dim=0)

    hooks = [layer.register_forward_pre_hook(see) for layer in layers]
    run()
    for hook in hooks:
        hook.remove()
    for parent in list(module.modules()):
        for name, child in list(parent.named_children()):
            if child in peaks and isinstance(child, torch.nn.Linear):
                setattr(parent, name, Int8Linear(child.weight, child.bias, peaks[child]))
