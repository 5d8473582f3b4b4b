"""Language models of all recipes: embeddings, a body, a linear layer over the vocabulary."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.nn import functional

from winoglot.training.cross_entropy import linear_cross_entropy, target_log_probabilities
from winoglot.training.dropout import ALONE, drop, drop_words
from winoglot.training.recurrent import Recurrent
from winoglot.training.transformer import Transformer

if TYPE_CHECKING:
    from winoglot.training.base import Share
    from winoglot.training.recipes import Recipe

State = tuple[torch.Tensor, ...]  # what was read so far; columns are dimension 1; empty at the beginning


class LanguageModel(torch.nn.Module):
    """Says how likely each word is after those before it. Tokens are [places, columns]: columns are texts apart."""

    output: torch.nn.Parameter | None

    def __init__(self, recipe: Recipe, types: int) -> None:
        """With weights drawn from torch's generator."""
        super().__init__()
        self.recipe = recipe
        spread = 0.02 if recipe.kind == "transformer" else 0.1
        self.embedding = torch.nn.Parameter(torch.empty(types, recipe.embedding).uniform_(-spread, spread))
        self.body = Transformer(recipe) if recipe.kind == "transformer" else Recurrent(recipe)
        untied = None if recipe.tied else torch.nn.Parameter(torch.empty(types, self.body.units).uniform_(-0.1, 0.1))
        self.register_parameter("output", untied)
        self.bias = torch.nn.Parameter(torch.zeros(types))

    @property
    def weight(self) -> torch.Tensor:
        """Of the output layer."""
        return self.embedding if self.output is None else self.output

    def loss(
        self,
        tokens: torch.Tensor,
        targets: torch.Tensor,
        state: State = (),
        *,
        precision: torch.dtype = torch.float32,
        share: Share = ALONE,
    ) -> tuple[torch.Tensor, torch.Tensor, State]:
        """For training: what is made smaller, the mean cross-entropy that is part of it, and the state after."""
        recipe = self.recipe
        values = functional.embedding(tokens, self.embedding)
        values = drop_words(values, tokens, len(self.embedding), recipe.word_dropout)
        values = drop(values, recipe.input_dropout, locked=recipe.locked, share=share)
        raw, state = self.body(values, state, precision, share, dropping=True)
        outputs = drop(raw, recipe.output_dropout, locked=recipe.locked, share=share)
        loss = linear_cross_entropy(outputs.flatten(0, 1), self.weight, self.bias, targets.flatten(), precision)
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
        """Of each target after the tokens up to its place, [places, columns], exactly; and the state after them."""
        outputs, state = self.body(functional.embedding(tokens, self.embedding), state)
        found = target_log_probabilities(outputs.flatten(0, 1), self.weight, self.bias, targets.flatten())
        return found.view_as(targets), state

    @torch.no_grad()
    def next_logits(self, tokens: torch.Tensor, state: State = ()) -> tuple[torch.Tensor, State]:
        """The logits [columns, types] of what may follow the last place; and the state after it."""
        outputs, state = self.body(functional.embedding(tokens, self.embedding), state)
        return functional.linear(outputs[-1], self.weight, self.bias), state
