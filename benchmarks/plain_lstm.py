"""A straightforward recurrent language model to compare ours with (benchmarks/train.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.training.language_task import LanguageTask
    from winoglot.training.networks import LanguageModel


class Plain(torch.nn.Module):
    """The same model in plain torch: logits of all tokens at once, everything in float32."""

    def __init__(self, model: LanguageModel) -> None:
        """Copy the weights of one of our models."""
        super().__init__()
        self.recipe = recipe = model.recipe
        self.embedding = torch.nn.Parameter(model.embedding.detach().clone())
        self.bias = torch.nn.Parameter(model.bias.detach().clone())
        self.layers = torch.nn.ModuleList()
        for layer in model.body.layers:  # type: ignore[union-attr]
            lstm = torch.nn.LSTM(layer.inputs, layer.units)
            lstm.load_state_dict({f"{name}_l0": value for name, value in layer.state_dict().items()})
            self.layers.append(lstm)
        self.states: list[Any] = [None] * recipe.layers

    def drop(self, values: torch.Tensor, share: float) -> torch.Tensor:
        """Dropout as defined by the recipe."""
        if not self.recipe.locked:
            return functional.dropout(values, share)
        return values * functional.dropout(torch.ones_like(values[:1]), share)

    def loss(self, tokens: torch.Tensor, targets: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The objective, and the cross-entropy without its regularisation terms."""
        recipe = self.recipe
        words = functional.dropout(torch.ones_like(self.embedding[:, :1]), recipe.word_dropout)
        values = self.drop(functional.embedding(tokens, self.embedding * words), recipe.input_dropout)
        for number, lstm in enumerate(self.layers):
            if number:
                values = self.drop(values, recipe.layer_dropout)
            given = (values, self.states[number]) if self.states[number] else (values,)
            weight = functional.dropout(lstm.weight_hh_l0, recipe.weight_dropout)  # type: ignore[arg-type]
            values, state = torch.func.functional_call(lstm, {"weight_hh_l0": weight}, given)
            self.states[number] = tuple(part.detach() for part in state)
        outputs = self.drop(values, recipe.output_dropout)
        logits = functional.linear(outputs, self.embedding, self.bias)
        loss = functional.cross_entropy(logits.flatten(0, 1), targets.flatten())
        more = recipe.activation * outputs.pow(2).mean() + recipe.change * (values[1:] - values[:-1]).pow(2).mean()
        return loss + more, loss.detach()


def plain_steps(plain: Plain, task: LanguageTask, plan: list[tuple[int, int]]) -> Callable[[int], int]:
    recipe = plain.recipe
    optimiser = torch.optim.SGD(plain.parameters(), lr=recipe.rate, weight_decay=recipe.weight_decay)
    device = plain.bias.device

    def step(number: int) -> int:
        start, length = plan[number % len(plan)]
        text = task.own.read(start, length).to(device)
        tokens, targets = text[:-1], text[1:]
        for group in optimiser.param_groups:
            group["lr"] = recipe.rate * (length / recipe.sequence if recipe.varied else 1)
        optimiser.zero_grad()
        objective, _ = plain.loss(tokens, targets)
        objective.backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(plain.parameters(), recipe.clip)
        optimiser.step()
        return tokens.numel()

    return step
