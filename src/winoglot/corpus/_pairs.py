"""The pairs of words that stand near each other in a stretch of text, summed into a sparse matrix.

A pair is counted once, not from either side: without positions below the smaller of the two numbers, with positions
below the word that comes first, one block of rows a distance.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_array

INDEX = np.dtype(np.int32)  # of words and of rows; the sums of a stretch fit it too


@dataclass(frozen=True)
class Layout:
    """How pairs become entries of the matrix.

    >>> Layout(words=10, window=3, dynamic=True).weights
    (3, 2, 1)
    """

    words: int
    window: int
    dynamic: bool = False
    positional: bool = False

    @property
    def rows(self) -> int:
        """How many rows the matrix has."""
        return self.words * self.window if self.positional else self.words

    @property
    def weights(self) -> tuple[int, ...]:
        """What a pair at distance 1, 2, … counts: whole numbers, so that sums do not depend on their order.

        A dynamic window of 3 is 1, 2 or 3 wide, each as often: neighbours are always inside, words at distance 3 in a
        third of the cases. That is 3, 2, 1, to be divided by 3.
        """
        return tuple(self.window - near for near in range(self.window)) if self.dynamic else (1,) * self.window


def count_pairs(words: np.ndarray, borders: np.ndarray, layout: Layout, own: int) -> csr_array:
    """Sum up the pairs of a stretch whose first word is among its first `own` tokens.

    `words` are numbers, negative for what is not counted but keeps its place; `borders` are true where a token begins
    a part of its own, across whose border nothing is counted.

    >>> words = np.array([0, 1, -1, 0], dtype=np.int32)
    >>> count_pairs(words, np.zeros(4, bool), Layout(words=2, window=3), own=4).toarray().tolist()
    [[1, 2], [0, 0]]
    """
    from scipy.sparse import coo_array

    parts = np.cumsum(borders, dtype=INDEX)
    left_out = np.flatnonzero(words < 0)
    parts[left_out] = -1 - np.arange(len(left_out), dtype=INDEX)  # alone, each in a part of its own
    rows, columns = (np.empty(own * layout.window, INDEX) for _ in range(2))
    values = np.empty(own * layout.window, INDEX)
    end = 0
    for near, weight in enumerate(layout.weights):
        distance = near + 1
        first = np.flatnonzero(parts[: min(own, len(parts) - distance)] == parts[distance : distance + own])
        begin, end = end, end + len(first)
        before, after = words[first], words[first + distance]
        if layout.positional:
            np.add(before, near * layout.words, out=rows[begin:end])
            columns[begin:end] = after
        else:
            np.minimum(before, after, out=rows[begin:end])
            np.maximum(before, after, out=columns[begin:end])
        values[begin:end] = weight
    # Two counting sorts, by column and then by row, are several times as fast as any sort by comparison. To say that
    # the entries are in order and unique keeps scipy from sorting them row by row.
    shape = (layout.words, layout.rows)
    entries = coo_array((values[:end], (columns[:end], rows[:end])), shape=shape)
    entries.has_canonical_format = True
    ordered = entries.tocsr().tocsc()
    ordered.has_sorted_indices = True
    ordered.sum_duplicates()
    return ordered.T.tocsr()
