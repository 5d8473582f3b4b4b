"""The network of a small model for pairs: embeddings, a body that reads them, and a layer on its last state.

The body is a recurrent network (packed: forwards, its last state is that of the last real token of each row; backwards,
that of the first) or the transformer of `winoglot.training`, which attends to what comes before.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence

from winoglot.errors import InputError
from winoglot.training.networks import Transformer

if TYPE_CHECKING:
    import numpy as np

    from winoglot.logic.solvers.encoding import Encoding
    from winoglot.logic.solvers.recipes import PairRecipe
    from winoglot.training.trained import TrainedModel

_RECURRENT = {"rnn": torch.nn.RNN, "gru": torch.nn.GRU, "lstm": torch.nn.LSTM}


class PairNetwork(torch.nn.Module):
    """The network that gives each label of a pair a score."""

    def __init__(self, recipe: PairRecipe, types: int, labels: int) -> None:
        """Draw the weights from torch's generator."""
        super().__init__()
        self.recipe = recipe
        self.embedding = torch.nn.Parameter(torch.empty(types, recipe.embedding).normal_(std=recipe.embedding**-0.5))
        self.body: torch.nn.Module
        if recipe.family == "transformer":
            self.body = Transformer(recipe.transformer())
            units = recipe.embedding
        else:
            self.body = _RECURRENT[recipe.family](
                recipe.embedding,
                recipe.hidden,
                recipe.layers,
                batch_first=True,
                dropout=recipe.dropout if recipe.layers > 1 else 0.0,
                bidirectional=recipe.bidirectional,
            )
            units = recipe.hidden * (1 + recipe.bidirectional)
        self.head = torch.nn.Linear(units, labels)

    def forward(self, rows: torch.Tensor, lengths: np.ndarray, precision: torch.dtype = torch.float32) -> torch.Tensor:
        """The scores [rows, labels]; `rows` are [rows, tokens], padded at the end."""
        dropped = self.recipe.dropout if self.training else 0.0
        values = functional.dropout(functional.embedding(rows, self.embedding), dropped)
        if self.recipe.family == "transformer":
            outputs, _ = self.body(values.transpose(0, 1), (), precision, dropout=self.training)
            ends = torch.from_numpy(lengths - 1).to(rows.device, non_blocking=True)
            last = outputs[ends, torch.arange(len(rows), device=rows.device)].float()
        else:  # in float32: low precision makes the steps of a small recurrent network no faster
            packed_values = pack_padded_sequence(
                values, torch.from_numpy(lengths), batch_first=True, enforce_sorted=False
            )
            _, state = self.body(packed_values)
            hidden = state[0] if isinstance(state, tuple) else state
            last = torch.cat([*hidden[-1 - self.recipe.bidirectional :]], -1)
        scores: torch.Tensor = self.head(functional.dropout(last, dropped))
        return scores

    @torch.no_grad()
    def start_from(self, trained: TrainedModel, encoding: Encoding) -> None:
        """Take a trained model's vectors of the tokens that both have and, of a transformer, its body.

        A model that knows fewer than half of the words, for example of another language, or fewer than a quarter of all
        bytes is an input error.
        """
        vectors = trained.module.words.weight if trained.kind == "context2vec" else trained.module.embedding
        names = encoding.names
        shared = [(number, trained.vocabulary.id(name)) for name, number in names.items() if name in trained.vocabulary]
        least = 4 if encoding.tokens == "bytes" else 2  # an English text has fewer than half of all bytes
        if least * len(shared) < len(names):
            message = f"the model knows {len(shared)} of the {len(names)} {encoding.tokens} of these pairs"
            remedy = f"It was trained on text in {trained.language!r}: use one of the pairs' language, or of bytes."
            raise InputError(message, remedy=remedy, file=str(trained.path))
        own_rows, their_rows = map(list, zip(*shared, strict=True))
        self.embedding[own_rows] = vectors[their_rows] * (
            self.embedding.std() / vectors[their_rows].std() if trained.kind == "context2vec" else 1
        )
        if trained.kind == "transformer":
            self.body.load_state_dict(trained.module.body.state_dict())


def fitted(recipe: PairRecipe, trained: TrainedModel) -> PairRecipe:
    """The recipe with the sizes of the model that a training starts from; an input error if it cannot."""
    if trained.kind != "context2vec" and (trained.kind, recipe.family) != ("transformer", "transformer"):
        message = f"a {recipe.family} cannot start from a model of kind {trained.kind}"
        remedy = "Start from a context2vec; a transformer may also start from a transformer."
        raise InputError(message, remedy=remedy, file=str(trained.path))
    sizes = trained.config["recipe"]
    if trained.kind == "context2vec":
        return replace(recipe, embedding=sizes["embedding"])
    return replace(recipe, **{name: sizes[name] for name in ("embedding", "layers", "heads")}, hidden=sizes["inner"])
