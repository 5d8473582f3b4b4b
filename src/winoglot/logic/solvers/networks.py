"""The network of a small model for pairs: embeddings, a body that reads them, and a layer on its last state.

The body is a recurrent network (packed: forwards, its last state is that of the last real token of each row; backwards,
that of the first) or the transformer of `winoglot.training`, which attends to what comes before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.nn import functional
from torch.nn.utils.rnn import pack_padded_sequence

from winoglot.corpus.opening import file_hash, opened
from winoglot.errors import InputError, located
from winoglot.training.networks import Transformer
from winoglot.training.trained import load_trained

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np

    from winoglot.logic.solvers.encoding import Encoding
    from winoglot.logic.solvers.recipes import PairRecipe

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
    def start_from(self, start: Start) -> None:
        """Take the vectors of known words and, of a transformer, its body."""
        self.embedding[list(start.rows)] = start.vectors * (
            1 if start.body else self.embedding.std() / start.vectors.std()
        )
        if start.body:
            self.body.load_state_dict(start.body)


@dataclass(frozen=True)
class Start:
    """What a training begins with: vectors, by their rows in the embedding, and perhaps a transformer's body."""

    rows: tuple[int, ...]
    vectors: torch.Tensor
    sizes: Mapping[str, Any]  # settings of the recipe that follow
    origin: Mapping[str, Any]
    body: Mapping[str, torch.Tensor] | None = None


def read_start(path: Path, recipe: PairRecipe, encoding: Encoding) -> Start:
    """A trained context2vec or transformer, or a file of word vectors as text, for the words of these pairs.

    What knows fewer than half of the words, for example of another language, or fewer than a quarter of all bytes is an
    input error.
    """
    start = _from_text(path, encoding) if path.is_file() else _from_model(path, recipe, encoding)
    least = 4 if encoding.tokens == "bytes" else 2  # an English text has fewer than half of all bytes
    if least * len(start.rows) < len(encoding.names):
        message = f"it knows {len(start.rows)} of the {len(encoding.names)} {encoding.tokens} of these pairs"
        raise InputError(message, remedy="Use vectors of the pairs' language, or of bytes.", file=str(path))
    return start


def _from_model(path: Path, recipe: PairRecipe, encoding: Encoding) -> Start:
    trained = load_trained(path)
    if trained.kind != "context2vec" and (trained.kind, recipe.family) != ("transformer", "transformer"):
        message = f"a {recipe.family} cannot start from a model of kind {trained.kind}"
        remedy = "Start from a context2vec or a file of word vectors; a transformer may also start from a transformer."
        raise InputError(message, remedy=remedy, file=str(path))
    is_body = trained.kind == "transformer"
    vectors = trained.module.embedding if is_body else trained.module.words.weight
    words = {
        number: trained.vocabulary.id(name) for name, number in encoding.names.items() if name in trained.vocabulary
    }
    sizes = trained.config["recipe"]
    new = {name: sizes[name] for name in ("embedding", "layers", "heads")} | {"hidden": sizes["inner"]}
    return Start(
        tuple(words),
        vectors[list(words.values())],
        new if is_body else {"embedding": sizes["embedding"]},
        {"start": trained.config["corpus"] | {"language": trained.language}},
        trained.module.body.state_dict() if is_body else None,
    )


def _from_text(path: Path, encoding: Encoding) -> Start:
    """Vectors as GloVe, word2vec and fastText write them: a word and its numbers per line, perhaps after a header.

    A word that the file has in lower case only takes that vector.
    """
    wanted = {spelling for name in encoding.names for spelling in (name, name.lower())}
    vectors: dict[str, list[float]] = {}
    width = 0
    with opened(str(path)) as (stream, _):
        for number, line in enumerate(stream, start=1):
            word, *values = line.decode(errors="replace").rstrip().split(" ")
            if number == 1 and len(values) == 1:
                continue  # the header: how many words, and how wide
            width = width or len(values)
            with located(file=str(path), line=number):
                if len(values) != width and _numbers(values[:1]):  # else the word has a space
                    message = f"expected {width} numbers after {word!r}, as in the lines before, found {len(values)}"
                    raise InputError(message, remedy="Each line is a word and its vector; all are of one width.")
                if word in wanted and len(values) == width:
                    vectors[word] = _numbers(values)
                    if not vectors[word]:
                        raise InputError(f"{word!r} has no vector of numbers", remedy="Write the vectors as text.")
    spelled = {row: name if name in vectors else name.lower() for name, row in encoding.names.items()}
    found = {row: vectors[name] for row, name in spelled.items() if name in vectors}
    rows = torch.tensor(list(found.values()))
    return Start(tuple(found), rows, {"embedding": width}, {"start": {"sha256": file_hash(str(path))}})


def _numbers(values: Sequence[str]) -> list[float]:
    """The values as numbers; none if one is something else."""
    try:
        return [float(value) for value in values]
    except ValueError:
        return []
