"""How well a language model predicts a text: over all its tokens, the state carried from the first to the last."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from winoglot.errors import InputError
from winoglot.training.language_task import all_columns, sentence_loss, total_loss
from winoglot.training.sentences import sentences_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.corpus.reading import Corpus
    from winoglot.training.trained import TrainedModel

_WORDS = 4096  # read at once
_MAX_LOSS = 700.0  # from here on exp is infinite, or nearly


@dataclass(frozen=True)
class Perplexity:
    """exp of the mean of −log p (`loss`) over all tokens, `<eos>` included; None if it is too large for a number.

    `unknown_share` is the share of `<unk>` among the words of the corpus, that is the tokens without `<eos>`.
    """

    perplexity: float | None
    loss: float
    tokens: int
    unknown_share: float


def measure(
    trained: TrainedModel, corpus: Corpus, split: str, progress: Callable[[int, int], object] | None = None
) -> Perplexity:
    """The perplexity of a language model on a split of a corpus that has the model's vocabulary.

    A model that was trained on single sentences reads each by itself.
    """
    trained.need_language_model()
    trained.check_vocabulary(corpus)
    tokens = corpus.split(split).tokens
    if not len(tokens):
        raise InputError(f"{split} has no tokens", remedy="Name another split.", file=str(corpus.path))
    eos = corpus.vocabulary.eos
    if trained.module.recipe.sentences:
        sentences = sentences_of(corpus.split(split), eos, longest=_WORDS)
        total, count = sentence_loss(trained.module, sentences, _WORDS, eos, progress=progress)
    else:
        total, count = total_loss(trained.module, all_columns(tokens, 1, eos), progress=progress)
    loss = total / count
    if not math.isfinite(loss):
        remedy = "Train it again with a lower learning rate or another seed."
        raise InputError(f"the model's loss on {split} is not a number", remedy=remedy, file=str(trained.path))
    unknown = int(np.count_nonzero(tokens == corpus.vocabulary.unk))
    words = int(np.count_nonzero(tokens != corpus.vocabulary.eos))
    return Perplexity(perplexity_of(loss), loss, count, round(unknown / words, 6) if words else 0.0)


def perplexity_of(loss: float) -> float | None:
    """exp of a mean of −log p; None if it is too large for a number.

    >>> round(perplexity_of(2.0), 3), perplexity_of(5000.0)
    (7.389, None)
    """
    return math.exp(loss) if loss < _MAX_LOSS else None
