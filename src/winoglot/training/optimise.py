"""The step from gradients to new weights, and the mean of the weights over steps."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.training.recipes import Recipe


def make_optimiser(recipe: Recipe, parameters: Sequence[torch.nn.Parameter]) -> torch.optim.Optimizer:
    """As the recipe says; all weights are changed in few calls, without waiting for the device."""
    decay = recipe.weight_decay
    if recipe.optimiser == "adagrad":
        start = recipe.accumulator
        return torch.optim.Adagrad(
            parameters, lr=recipe.rate, weight_decay=decay, initial_accumulator_value=start, foreach=True
        )
    if recipe.optimiser == "adamw":
        matrices = [parameter for parameter in parameters if parameter.dim() > 1]
        others = [parameter for parameter in parameters if parameter.dim() < 2]
        groups = [{"params": matrices, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
        return torch.optim.AdamW(groups, lr=recipe.rate, betas=(0.9, 0.95), fused=True)
    return torch.optim.SGD(parameters, lr=recipe.rate, weight_decay=decay, fused=True)


def take_step(
    optimiser: torch.optim.Optimizer, parameters: Sequence[torch.nn.Parameter], rate: float, clip: float
) -> torch.Tensor:
    """Change the weights by their gradients, these made shorter where they are longer than `clip`; their norm."""
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    norm = torch.nn.utils.get_total_norm(gradients, foreach=True)
    if clip:
        torch.nn.utils.clip_grads_with_norm_(parameters, clip, norm, foreach=True)
    for group in optimiser.param_groups:
        group["lr"] = rate
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return norm


def optimiser_tensors(optimiser: torch.optim.Optimizer) -> dict[str, torch.Tensor]:
    """What it remembers, by the number of the parameter and the name of the thing."""
    state = optimiser.state_dict()["state"]
    return {f"{number}.{name}": value for number, kept in state.items() for name, value in kept.items()}


def restore_optimiser(optimiser: torch.optim.Optimizer, tensors: dict[str, torch.Tensor]) -> None:
    """Let it remember again."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, value in tensors.items():
        number, _, name = key.partition(".")
        state.setdefault(int(number), {})[name] = value
    optimiser.load_state_dict(optimiser.state_dict() | {"state": state})


class Averages:
    """The mean of the weights over all steps since it began."""

    def __init__(self, parameters: Sequence[torch.nn.Parameter]) -> None:
        """With nothing to average yet."""
        self.parameters = list(parameters)
        self.means = [parameter.detach().clone() for parameter in parameters]
        self.count = 0

    def update(self) -> None:
        """Take the weights as they are now into the mean."""
        self.count += 1
        with torch.no_grad():
            torch._foreach_lerp_(self.means, [one.detach() for one in self.parameters], 1 / self.count)

    @contextmanager
    def in_place(self) -> Iterator[None]:
        """Within, the module has the means for weights, where there are any."""
        if not self.count:
            yield
            return
        self._swap()
        try:
            yield
        finally:
            self._swap()

    def _swap(self) -> None:
        for number, parameter in enumerate(self.parameters):
            parameter.data, self.means[number] = self.means[number], parameter.data
