"""Sums of sparse matrices that do not fit into memory: runs on disk, merged a few rows at a time."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from winoglot.corpus._pairs import INDEX

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scipy.sparse import csr_array

_ENTRY = 2 * INDEX.itemsize  # bytes of an entry: its column and its value
_MERGED = 64  # bytes of an entry while it is read, widened, added and written; 52 were measured
_START = np.dtype("<i8")
_MOST = np.iinfo(INDEX).max


@dataclass(frozen=True)
class Run:
    """A matrix in a file: where each row begins, the columns, the values."""

    path: Path
    rows: int
    entries: int
    total: int  # of all values

    def starts(self, first: int, last: int) -> np.ndarray:
        """Where the rows from `first` to below `last` begin, and the end."""
        return self._read(_START, first * _START.itemsize, last - first + 1)

    def part(self, first: int, last: int, columns: int) -> csr_array:
        """The rows from `first` to below `last`."""
        from scipy.sparse import csr_array

        starts = self.starts(first, last)
        offset = (self.rows + 1) * _START.itemsize + int(starts[0]) * INDEX.itemsize
        count = int(starts[-1] - starts[0])
        indices = self._read(INDEX, offset, count)
        values = self._read(INDEX, offset + self.entries * INDEX.itemsize, count).astype(np.int64)
        part = csr_array((values, indices, starts - starts[0]), shape=(last - first, columns))
        part.has_canonical_format = True
        return part

    def _read(self, kind: np.dtype[np.int32] | np.dtype[np.int64], offset: int, count: int) -> np.ndarray:
        return np.fromfile(self.path, kind, count, offset=offset)


class Summing:
    """A sum under way: matrices of like size are added up, so that every entry is copied only a few times.

    >>> from scipy.sparse import csr_array
    >>> sums = Summing()
    >>> for number in (1, 2, 3):
    ...     sums.add(csr_array([[0, number]]))
    >>> sums.take().toarray().tolist()
    [[0, 6]]
    """

    def __init__(self) -> None:
        """Of nothing yet."""
        self._parts: list[csr_array] = []

    @property
    def entries(self) -> int:
        """How many are held at present."""
        return sum(part.nnz for part in self._parts)

    def add(self, matrix: csr_array) -> None:
        """Add one more; its columns must be in order, none twice."""
        matrix.has_canonical_format = True
        while self._parts and self._parts[-1].nnz < 2 * matrix.nnz:
            matrix = self._parts.pop() + matrix
        self._parts.append(matrix)

    def take(self) -> csr_array:
        """The sum, which is then nothing again; there must be something."""
        matrix = self._parts.pop()
        while self._parts:
            matrix = self._parts.pop() + matrix
        return matrix


class Spilling:
    """A sum that is written to a run whenever it would take more than `memory` bytes."""

    def __init__(self, folder: Path, memory: int) -> None:
        """Whose runs lie in a folder."""
        self._folder, self._memory = folder, memory
        self._sums = Summing()
        self._total = 0
        self.runs: list[Run] = []

    def add(self, matrix: csr_array) -> None:
        """Add one more."""
        total = int(matrix.data.sum(dtype=np.int64))
        if self._total + total > _MOST:
            self.spill()
        self._sums.add(matrix)
        self._total += total
        if 2 * self._sums.entries * _ENTRY > self._memory:  # twice: two are there while their sum is made
            self.spill()

    def spill(self) -> None:
        """Write what is held at present. A task that is done twice writes twice, to files of other names."""
        if not self._sums.entries:
            return
        matrix = self._sums.take()
        path = self._folder / f"{uuid4().hex}.run"
        with path.open("wb") as file:
            for values, kind in ((matrix.indptr, _START), (matrix.indices, INDEX), (matrix.data, INDEX)):
                file.write(values.astype(kind, copy=False).data)  # tofile would not say that the disk is full
        self.runs.append(Run(path, matrix.shape[0], matrix.nnz, self._total))
        self._total = 0


def merged(runs: Sequence[Run], rows: int, columns: int, memory: int) -> Iterator[csr_array]:
    """The sum of all runs, as many rows at a time as memory allows; at least one."""
    ends = np.zeros(rows + 1, dtype=np.int64)
    for run in runs:
        ends += run.starts(0, rows)
    limit = max(1, memory // _MERGED)
    first = 0
    while first < rows:
        last = int(np.searchsorted(ends, ends[first] + limit, side="right")) - 1
        last = min(rows, max(last, first + 1))
        sums = Summing()
        for run in runs:
            sums.add(run.part(first, last, columns))
        yield sums.take()
        first = last
