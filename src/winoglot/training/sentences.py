"""The sentences of a corpus in batches of similar length, for models that learn from one sentence at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.corpus.reading import Split

_POOLED = 64  # batches of sentences sorted by length together: little padding, but a new order in each epoch


@dataclass(frozen=True)
class SentenceBatch:
    """Sentences as rows of ids, padded at the end, and their lengths."""

    tokens: torch.Tensor
    lengths: torch.Tensor

    def to(self, device: torch.device | str) -> SentenceBatch:
        """A copy of the batch on another device."""
        return SentenceBatch(self.tokens.to(device, non_blocking=True), self.lengths.to(device, non_blocking=True))

    @property
    def inside(self) -> torch.Tensor:
        """Where a row has a word."""
        return torch.arange(self.tokens.shape[1], device=self.tokens.device) < self.lengths[:, None]


@dataclass(frozen=True)
class Sentences:
    """Where the sentences of a split are, without the `<eos>` after them."""

    tokens: np.ndarray
    starts: np.ndarray
    lengths: np.ndarray

    def __len__(self) -> int:
        """The number of sentences."""
        return len(self.starts)

    def batches(self, words: int, order: np.random.Generator | None = None) -> list[np.ndarray]:
        """The numbers of the sentences of each batch; a batch has at most `words` words, padding included.

        With an `order`, sentences and batches are shuffled by that generator; without one they are sorted by length.
        """
        numbers = np.arange(len(self)) if order is None else order.permutation(len(self))
        if not len(numbers):
            return []
        pool_size = max(1, _POOLED * words // max(1, round(float(self.lengths.mean()))))
        pools = [numbers] if order is None else np.split(numbers, np.arange(pool_size, len(numbers), pool_size))
        batches = [batch for pool in pools for batch in self._fill(pool, words)]
        return batches if order is None else [batches[number] for number in order.permutation(len(batches))]

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
        """The sentences with these numbers."""
        lengths = self.lengths[numbers]
        is_inside = np.arange(int(lengths.max())) < lengths[:, None]
        rows = np.zeros(is_inside.shape, dtype=np.int64)
        rows[is_inside] = np.concatenate(
            [self.tokens[start : start + length] for start, length in zip(self.starts[numbers], lengths, strict=True)]
        )
        return SentenceBatch(torch.from_numpy(rows), torch.from_numpy(lengths))


def sentences_of(split: Split, eos: int, *, longest: int, shortest: int = 1) -> Sentences:
    """The sentences of a split with `shortest` or more words; those longer than `longest` are cut into pieces.

    >>> from winoglot.corpus.reading import Split
    >>> tokens = np.array([5, 6, 1, 7, 1, 2, 3, 4, 5, 6, 1], dtype=np.uint32)
    >>> sentences = sentences_of(Split("train", tokens, np.array([0, 11])), eos=1, longest=3, shortest=2)
    >>> [tokens[start : start + length].tolist() for start, length in zip(sentences.starts, sentences.lengths)]
    [[5, 6], [2, 3, 4], [5, 6]]
    """
    ends = np.flatnonzero(split.tokens == eos)
    if len(split.tokens) and (not len(ends) or ends[-1] != len(split.tokens) - 1):
        ends = np.append(ends, len(split.tokens))  # a last sentence without <eos>
    starts = np.concatenate([[0], ends[:-1] + 1])[: len(ends)].astype(np.int64)
    lengths = (ends - starts).astype(np.int64)
    pieces = -(-lengths // longest)
    sentence_of_piece = np.repeat(np.arange(len(starts)), pieces)
    offsets = (np.arange(len(sentence_of_piece)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) * longest
    sizes = np.minimum(lengths[sentence_of_piece] - offsets, longest)
    is_long_enough = sizes >= shortest
    return Sentences(split.tokens, (starts[sentence_of_piece] + offsets)[is_long_enough], sizes[is_long_enough])
