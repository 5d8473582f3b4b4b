"""Sentences of a split in batches of about one length, for models that look at one sentence at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.corpus.reading import Split

_MIXED = 64  # batches whose sentences are sorted by length among themselves: little padding, and still another order


@dataclass(frozen=True)
class SentenceBatch:
    """Sentences as rows of ids, filled up behind their end with what nobody looks at, and their lengths."""

    tokens: torch.Tensor
    lengths: torch.Tensor

    def to(self, device: torch.device | str) -> SentenceBatch:
        """The same elsewhere."""
        return SentenceBatch(self.tokens.to(device, non_blocking=True), self.lengths.to(device, non_blocking=True))

    @property
    def inside(self) -> torch.Tensor:
        """Where a row has a word."""
        return torch.arange(self.tokens.shape[1], device=self.tokens.device) < self.lengths[:, None]


@dataclass(frozen=True)
class Sentences:
    """Where the sentences of a split stand, without the `<eos>` behind them; none is longer than `longest`."""

    tokens: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray

    def __len__(self) -> int:
        """How many there are."""
        return len(self.starts)

    def batches(self, words: int, order: np.random.Generator | None = None) -> list[np.ndarray]:
        """The numbers of the sentences of each batch; with its padding a batch has at most so many words.

        With an `order` sentences and batches come mixed, and the same generator mixes them alike; without, by length.
        """
        numbers = np.arange(len(self)) if order is None else order.permutation(len(self))
        if not len(numbers):
            return []
        a_pool = max(1, _MIXED * words // max(1, round(float(self.lengths.mean()))))
        pools = [numbers] if order is None else np.split(numbers, np.arange(a_pool, len(numbers), a_pool))
        made = [batch for pool in pools for batch in self._fill(pool, words)]
        return made if order is None else [made[number] for number in order.permutation(len(made))]

    def _fill(self, pool: np.ndarray, words: int) -> Iterator[np.ndarray]:
        pool = pool[np.argsort(self.lengths[pool], kind="stable")]
        lengths = self.lengths[pool].tolist()
        first = 0
        for number, length in enumerate(lengths):
            if number > first and (number - first + 1) * length > words:
                yield pool[first:number]
                first = number
        yield pool[first:]

    def batch(self, numbers: np.ndarray) -> SentenceBatch:
        """These sentences."""
        lengths = self.lengths[numbers]
        inside = np.arange(int(lengths.max())) < lengths[:, None]
        rows = np.zeros(inside.shape, dtype=np.int64)
        rows[inside] = np.concatenate(
            [self.tokens[start : start + length] for start, length in zip(self.starts[numbers], lengths, strict=True)]
        )
        return SentenceBatch(torch.from_numpy(rows), torch.from_numpy(lengths))


def sentences_of(split: Split, eos: int, *, longest: int) -> Sentences:
    """The sentences of a split that have two words or more; longer ones than `longest` are cut into pieces.

    >>> from winoglot.corpus.reading import Split
    >>> tokens = np.array([5, 6, 1, 7, 1, 2, 3, 4, 5, 6, 1], dtype=np.uint32)
    >>> made = sentences_of(Split("train", tokens, np.array([0, 11])), eos=1, longest=3)
    >>> [tokens[start : start + length].tolist() for start, length in zip(made.starts, made.lengths)]
    [[5, 6], [2, 3, 4], [5, 6]]
    """
    ends = np.flatnonzero(split.tokens == eos)
    if len(split.tokens) and (not len(ends) or ends[-1] != len(split.tokens) - 1):
        ends = np.append(ends, len(split.tokens))  # one that nobody ended
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)].astype(np.int64)
    lengths = (ends - starts).astype(np.int64)
    pieces = -(-lengths // longest)
    which = np.repeat(np.arange(len(starts)), pieces)
    offsets = (np.arange(len(which)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) * longest
    sizes = np.minimum(lengths[which] - offsets, longest)
    kept = sizes > 1  # a word by itself has no context
    return Sentences(split.tokens, (starts[which] + offsets)[kept], sizes[kept])
