"""How much text a corpus has, by split, and how much of it its vocabulary knows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.reading import TOKEN
from winoglot.corpus.tokenising import END_ID, UNKNOWN_ID

if TYPE_CHECKING:
    from pathlib import Path

    from winoglot.corpus.reading import Corpus

_CHUNK = 1 << 20  # tokens counted at a time


@dataclass(frozen=True)
class Statistics:
    """Counts of a split or of all.

    `tokens` is what a language model sees, `<eos>` after each sentence included; `types` how many different entries of
    the vocabulary occur, `<unk>` and `<eos>` included; `unknown_share` the share of `<unk>` among the words (tokens
    without `<eos>`).
    """

    articles: int
    sentences: int
    tokens: int
    types: int
    unknown_share: float


def count_split(tokens: Path, articles: int, types: int) -> Statistics:
    """Count a split by going once over its file of tokens; `types` is the size of the vocabulary."""
    counts = np.zeros(types, dtype=np.int64)
    with tokens.open("rb") as file:
        while len(chunk := np.fromfile(file, TOKEN, _CHUNK)):
            counts += np.bincount(chunk, minlength=types)
    number, sentences, unknown = int(counts.sum()), int(counts[END_ID]), int(counts[UNKNOWN_ID])
    share = unknown / (number - sentences) if number > sentences else 0.0
    return Statistics(articles, sentences, number, int(np.count_nonzero(counts)), round(share, 6))


def total(corpus: Corpus) -> Statistics:
    """The counts of all splits together; the types are those of the vocabulary."""
    splits = corpus.info["splits"].values()
    articles, sentences, tokens = (sum(counts[key] for counts in splits) for key in ("articles", "sentences", "tokens"))
    unknown = sum(counts["unknown_share"] * (counts["tokens"] - counts["sentences"]) for counts in splits)
    share = unknown / (tokens - sentences) if tokens > sentences else 0.0
    return Statistics(articles, sentences, tokens, corpus.info["vocabulary"], round(share, 6))
