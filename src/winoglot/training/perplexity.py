"""How well a language model foresees a text: over all of its tokens, the state carried from the first to the last."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from winoglot.errors import InputError
from winoglot.training.columns import Columns, all_columns

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.corpus.reading import Corpus
    from winoglot.training.base import Share
    from winoglot.training.language_model import LanguageModel
    from winoglot.training.trained import Trained

_BLOCK = 256  # places that go through the model at once
_LARGEST = 700.0  # a loss from which on exp is infinite, or nearly


@dataclass(frozen=True)
class Perplexity:
    """exp of the mean of −log p (`loss`) over all tokens, `<eos>` among them; None where it is too large for a number.

    `unknown_share` is the one of the corpus: of `<unk>` among the words, that is the tokens without `<eos>`.
    """

    perplexity: float | None
    loss: float
    tokens: int
    unknown_share: float


def measure(
    trained: Trained, corpus: Corpus, split: str, progress: Callable[[int, int], object] | None = None
) -> Perplexity:
    """The perplexity of a language model on a split of a corpus that has the model's vocabulary."""
    trained.need_language_model()
    trained.check_vocabulary(corpus)
    tokens = corpus.split(split).tokens
    if not len(tokens):
        raise InputError(f"{split} has no tokens", remedy="Name another split.", file=str(corpus.path))
    model = trained.module
    found, count = total_loss(model, all_columns(tokens, 1, corpus.vocabulary.eos), progress=progress)
    loss = found / count
    if not math.isfinite(loss):
        remedy = "Train it again, with a lower rate or another seed."
        raise InputError(f"its loss on {split} is not a number", remedy=remedy, file=str(trained.path))
    unknown = int(np.count_nonzero(tokens == corpus.vocabulary.unk))
    words = int(np.count_nonzero(tokens != corpus.vocabulary.eos))
    return Perplexity(perplexity_of(loss), loss, count, round(unknown / words, 6) if words else 0.0)


def perplexity_of(loss: float) -> float | None:
    """exp of a mean of −log p; None where it is too large for a number.

    >>> round(perplexity_of(2.0), 3), perplexity_of(5000.0)
    (7.389, None)
    """
    return math.exp(loss) if loss < _LARGEST else None


def total_loss(
    model: LanguageModel,
    columns: Columns,
    share: Share | None = None,
    progress: Callable[[int, int], object] | None = None,
) -> tuple[float, int]:
    """The sum of −log p over the tokens of the columns, and their number; with a share, over that process's columns."""
    bounds = np.array(columns.bounds)
    own = slice(share.rank, None, share.of) if share else slice(None)
    starts, lengths = bounds[:-1][own], np.diff(bounds)[own]
    device = model.bias.device
    total = torch.zeros((), dtype=torch.float64, device=device)
    state: tuple[torch.Tensor, ...] = ()
    if not len(starts):
        return 0.0, 0
    longest = int(lengths.max())
    ends = torch.from_numpy(lengths).to(device)
    for start in range(0, longest, _BLOCK):
        tokens, targets = (part[:, own] for part in columns.block(start, min(_BLOCK, longest - start)))
        found, state = model.log_probabilities(tokens.to(device), targets.to(device), state)
        places = torch.arange(start, start + len(tokens), device=device)[:, None]
        total -= found.double().mul_(places < ends).sum()
        if progress:
            progress(min(start + _BLOCK, longest), longest)
    return float(total), int(lengths.sum())
