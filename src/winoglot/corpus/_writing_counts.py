"""Counts on their way to disk: runs merged into rows, columns, values and totals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.corpus._counted_words import NUMBER, PLACE
from winoglot.corpus._runs import merged
from winoglot.corpus.counts import COLUMNS, ROWS, TOTALS, VALUES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from winoglot.corpus._pairs import Layout
    from winoglot.corpus._runs import Run


def write_counts(
    runs: Sequence[Run], layout: Layout, folder: Path, memory: int, tell: Callable[[int, int], object]
) -> dict[str, Any]:
    """Merge the runs into the files of the counts; what the description says of them."""
    weight = sum(run.total for run in runs)
    value = PLACE if weight > np.iinfo(NUMBER).max else NUMBER  # by the sum of all, which no way of counting changes
    blocks = layout.window if layout.positional else 1
    firsts, seconds = (np.zeros((blocks, layout.words), np.int64) for _ in range(2))
    entries = row = 0
    with (
        (folder / ROWS).open("wb") as rows,
        (folder / COLUMNS).open("wb") as columns,
        (folder / VALUES).open("wb") as values,
    ):
        rows.write(np.zeros(1, PLACE).data)
        for part in merged(runs, layout.rows, layout.words, memory):
            rows.write((part.indptr[1:].astype(PLACE) + PLACE.type(entries)).data)
            columns.write(part.indices.astype(NUMBER).data)
            values.write(part.data.astype(value).data)
            _add_totals(part, row, firsts, seconds)
            entries, row = entries + part.nnz, row + part.shape[0]
            tell(row, layout.rows)
    totals = np.concatenate([firsts, seconds]) if layout.positional else firsts + seconds
    (folder / TOTALS).write_bytes(totals.astype(PLACE).tobytes())
    return {"entries": entries, "weight": weight, "value_bytes": value.itemsize}


def _add_totals(part: Any, row: int, firsts: np.ndarray, seconds: np.ndarray) -> None:
    """Add what a few rows, from `row` on, hold of every word as the first and as the second of its pairs."""
    words = firsts.shape[1]
    sums = np.diff(np.concatenate([[0], np.cumsum(part.data)])[part.indptr])
    firsts.reshape(-1)[row : row + len(sums)] += sums
    first, last = row // words, (row + part.shape[0] - 1) // words
    for block in range(first, last + 1):  # with positions, a few rows may belong to two distances
        begin, end = (min(max(block * words + edge - row, 0), part.shape[0]) for edge in (0, words))
        inside = slice(part.indptr[begin], part.indptr[end])
        np.add.at(seconds[block], part.indices[inside], part.data[inside])
