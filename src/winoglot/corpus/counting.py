"""Counting how often words occur near each other in a corpus, within a limited memory.

The text is cut into shards, as large as memory allows. The pairs of each are summed into a sparse matrix (scipy's CSR)
on disk, and the matrices of all shards are merged, a few rows at a time. Sums are of whole numbers, so the result is
the same to the byte whatever the memory and the number of workers.

Two things are done by hand because scipy alone does not keep `--memory`: the matrices of shards are plain files of
rows, columns and values, since `scipy.sparse.load_npz` reads a matrix only as a whole; and shards, chunks and merged
blocks are cut to sizes in bytes, since the number of pairs that are held at a time grows with the window.
"""

from __future__ import annotations

import os
import shutil
from collections import defaultdict
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import numpy as np

from winoglot._version import __version__
from winoglot.corpus.counts import (
    COLUMNS,
    COUNTING,
    NUMBER,
    ROWS,
    TOTALS,
    VALUES,
    Counts,
    CountsFolder,
    counts_hash,
    open_counts,
    write_words,
)
from winoglot.corpus.reading import PLACE, SPLITS, TOKEN, Corpus, open_corpus, token_counts
from winoglot.corpus.vocabulary import END_ID
from winoglot.corpus.workers import workers
from winoglot.errors import InputError, did_you_mean
from winoglot.folders import lock, on_full
from winoglot.languages.frequencies import word_key
from winoglot.memory import used_memory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from scipy.sparse import csr_array

    Progress = Callable[[str, int, int], object]

BORDERS = ("sentence", "article")
_MEMORY = 2**30  # the default, besides what the processes themselves need
_LEAST_MEMORY = 2**24  # for pairs, whatever the process needs by itself
_WIDEST = 100  # words: beyond this, counts say what an article is about rather than which words go together
_SHARD = 8_000_000  # tokens at most, so that many workers have something to do
_CHUNK = 500_000  # tokens counted at a time: larger arrays would be allocated again each time, which is slower
_PAIR = 40  # bytes for a pair while it is counted
_ENTRY = 16  # bytes for an entry of a sum: its column and its value, twice while two matrices are added
_MERGED = 96  # bytes for an entry while it is read, widened, added and written
_INDEX = np.dtype(np.int32)
_NUMBERS = "numbers"  # the file from which workers read the number of each of the corpus's words, -1 if not counted


@dataclass(frozen=True)
class Counting:
    """What is counted.

    >>> Counting(window=6, borders="page")
    Traceback (most recent call last):
    winoglot.errors.InputError: --borders is 'page'. Known: article, sentence.
    >>> Counting(window=3, dynamic=True).weights
    (3, 2, 1)
    """

    window: int  # words on either side
    dynamic: bool = False  # near words count more: (window - d + 1) / window at distance d
    positional: bool = False  # each offset before and after a word is counted separately
    min_count: int = 1  # rarer words keep their place but are not counted
    borders: str = "sentence"  # what pairs do not cross
    split: str = "train"  # or "all"

    def __post_init__(self) -> None:
        """Refuse settings by which nothing can be counted."""
        if not 1 <= self.window <= _WIDEST:
            raise InputError(f"--window is {self.window}", remedy=f"Give a number of words from 1 to {_WIDEST}.")
        if self.min_count < 1:
            raise InputError(f"--min-count is {self.min_count}", remedy="Use 1 or more.")
        for option, value, allowed in (
            ("--borders", self.borders, BORDERS),
            ("--split", self.split, (*SPLITS, "all")),
        ):
            if value not in allowed:
                raise InputError(f"{option} is {value!r}", remedy=did_you_mean(value, allowed))

    @property
    def splits(self) -> tuple[str, ...]:
        """The splits that are counted."""
        return SPLITS if self.split == "all" else (self.split,)

    @property
    def weights(self) -> tuple[int, ...]:
        """What a pair at distance 1, 2, … counts in the files: whole numbers, so that the order of sums is irrelevant.

        A dynamic window of 3 is 1, 2 or 3 words wide, each in a third of the cases. A neighbour is always inside, a
        word at distance 3 in a third of the cases. That makes 3, 2, 1, to be divided by 3.
        """
        return tuple(range(self.window, 0, -1)) if self.dynamic else (1,) * self.window

    def rows(self, words: int) -> int:
        """The number of rows of the matrix of pairs: one block of `words` rows or, with positions, one per distance."""
        return words * self.window if self.positional else words


def count(
    corpus: Corpus,
    out: Path,
    counting: Counting,
    *,
    memory: int | None = None,
    worker_count: int = 1,
    cluster: str | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Counts:
    """Count a corpus into a folder.

    `memory` is in bytes, for all processes of this machine together, or for each task on a cluster. It includes what a
    process needs before it counts (libraries, vocabulary); too little for that is an input error. The default is a
    gigabyte on top of that. `progress` is called with a stage, how much of it is done and how much there is: tokens
    of `counting`, rows of `merging`.
    """
    corpus.verify()
    report = progress or (lambda _stage, _done, _total: None)
    processes = 1 if worker_count == 1 else 1 + worker_count
    if memory is None:
        memory = _MEMORY + processes * (used_memory() or 0)
    if cluster is None:
        _check_memory(corpus, memory, processes)
    folder, work = CountsFolder(out), out / COUNTING
    folder.check(force=force, resume=True)
    with on_full(out, "Free some space and run the command again."), lock(out):
        folder.check(force=force, resume=True)
        shutil.rmtree(work, ignore_errors=True)  # left by a count that was killed
        try:
            result = work / "result"
            result.mkdir(parents=True)
            words = _write_words(corpus, counting, work, result)
            memory_per_task = memory if processes == 1 or cluster else _memory_left(memory) // worker_count
            shards = _shards(corpus, counting, words, work, _memory_left(memory_per_task))
            tokens, done = sum(shard.stop - shard.start for shard in shards), 0
            sums: list[PairSum] = []
            with workers(worker_count, cluster, work) as run_tasks:
                for pair_sum in run_tasks(count_shard, shards):
                    sums.append(pair_sum)
                    done += pair_sum.tokens
                    report("counting", done, tokens)
            if not any(pair_sum.total for pair_sum in sums):
                message = f"in {counting.split} no two counted words occur near each other"
                remedy = "Use a corpus with more text, or lower --min-count."
                raise InputError(message, remedy=remedy, file=str(corpus.path))
            sizes = _write_counts(sums, counting, words, result, _memory_left(memory), partial(report, "merging"))
            if open_corpus(corpus.path).hash != corpus.hash:
                message = "the corpus was changed while it was counted"
                raise InputError(message, remedy="Count it again.", file=str(out))
            folder.publish(result, _description(corpus, out, counting, {"words": words, **sizes, "tokens": tokens}))
        finally:
            shutil.rmtree(work, ignore_errors=True)
    return open_counts(out)


def _write_words(corpus: Corpus, counting: Counting, work: Path, result: Path) -> int:
    """Choose the words to count: lower case, frequent enough, without `<unk>` and `<eos>`; how many there are.

    The files of the words are written to `result`, the number of each of the corpus's words to `work`.
    """
    vocabulary = corpus.vocabulary
    files = (corpus.path / f"{split}.tokens" for split in counting.splits)
    times = sum((token_counts(file, len(vocabulary)) for file in files), np.zeros(len(vocabulary), np.int64))
    spellings: defaultdict[str, list[int]] = defaultdict(list)
    for number, word in enumerate(vocabulary.words):
        if number not in (vocabulary.unk, vocabulary.eos):
            spellings[word_key(word)].append(number)
    frequencies = [(-int(times[numbers].sum()), word) for word, numbers in spellings.items()]
    chosen = sorted(pair for pair in frequencies if -pair[0] >= counting.min_count)
    if not chosen:
        maximum = max((-count for count, _ in frequencies), default=0)
        message = f"no word occurs {counting.min_count} times; the most frequent occurs {maximum} times"
        raise InputError(message, remedy="Lower --min-count.", file=str(corpus.path))
    numbers = np.full(len(vocabulary), -1, _INDEX)
    for place, (_, word) in enumerate(chosen):
        numbers[spellings[word]] = place
    (work / _NUMBERS).write_bytes(numbers.tobytes())
    write_words(result, [word for _, word in chosen], -np.array([count for count, _ in chosen]))
    return len(chosen)


def _description(corpus: Corpus, out: Path, counting: Counting, sizes: dict[str, Any]) -> dict[str, Any]:
    path = Path(os.path.relpath(corpus.path.resolve(), out.resolve())).as_posix()
    return {
        "format": CountsFolder.format,
        "winoglot": __version__,
        "language": corpus.language,
        "licence": corpus.info.get("licence", "not stated"),
        "corpus": {"path": path, "hash": corpus.hash},
        "settings": asdict(counting),
        **sizes,
        "hash": counts_hash(out / COUNTING / "result"),
    }


# Memory


def _check_memory(corpus: Corpus, memory: int, processes: int) -> None:
    """Refuse less memory than the processes need by themselves, with libraries and vocabulary loaded."""
    import scipy.sparse  # noqa: F401

    _ = corpus.vocabulary
    used_bytes = used_memory() or 0
    if memory < processes * (used_bytes + _LEAST_MEMORY):
        message = (
            f"--memory gives {memory / 2**20:.0f} MB; a process needs {used_bytes / 2**20:.0f} MB before it counts"
        )
        needed_megabytes = -(-processes * (used_bytes + _LEAST_MEMORY) // 2**20)
        raise InputError(message, remedy=f"Give {needed_megabytes}MB or more; fewer --workers need less.")


def _memory_left(memory: int) -> int:
    """How much more memory this process may take."""
    used_bytes = used_memory()
    return max(memory // 2 if used_bytes is None else memory - used_bytes, _LEAST_MEMORY)


# Shards of the text, and the sums of their pairs


@dataclass(frozen=True)
class CountingTask:
    """A shard of the text: the tokens `start` to `stop` of a split, counted `chunk` at a time."""

    corpus: Path
    split: str
    start: int
    stop: int
    chunk: int
    counting: Counting
    words: int
    work: Path


def _shards(corpus: Corpus, counting: Counting, words: int, work: Path, memory: int) -> list[CountingTask]:
    """Shards whose sums fit into memory even if no pair occurs twice, and whose totals fit into 32 bits."""
    path, work = corpus.path.resolve(), work.resolve()  # workers of a cluster may have another working directory
    size = min(_SHARD, 3 * memory // (4 * _ENTRY * counting.window), np.iinfo(_INDEX).max // sum(counting.weights))
    chunk = min(_CHUNK, memory // (4 * _PAIR * counting.window))
    return [
        CountingTask(path, split, start, min(length, start + size), chunk, counting, words, work)
        for split in counting.splits
        for length in [len(corpus.split(split).tokens)]
        for start in range(0, length, size)
    ]


def count_shard(task: CountingTask) -> PairSum:
    """Count a shard and write the sum."""
    matrix = _sum(_chunks(task))
    folder = task.work / uuid4().hex  # a cluster may run a task twice
    folder.mkdir()
    _write_matrix(folder, [matrix], NUMBER)
    return PairSum(folder, task.stop - task.start, int(matrix.data.sum(dtype=np.int64)))


def _chunks(task: CountingTask) -> Iterator[csr_array]:
    """The pairs of a shard, chunk by chunk."""
    counting = task.counting
    numbers = np.fromfile(task.work / _NUMBERS, _INDEX)
    tokens_file, articles_file = (task.corpus / f"{task.split}.{kind}" for kind in ("tokens", "articles"))
    begins = np.memmap(articles_file, PLACE, mode="r")
    for start in range(task.start, task.stop, task.chunk):
        length = min(task.chunk, task.stop - start)
        # Read, not mapped: touched pages of a mapped file would count as memory of this process.
        tokens = np.fromfile(tokens_file, TOKEN, length + counting.window, offset=start * TOKEN.itemsize)
        borders = tokens == END_ID if counting.borders == "sentence" else np.zeros(len(tokens), bool)
        first, last = np.searchsorted(begins, np.array([start, start + len(tokens)], PLACE))
        borders[(begins[first:last] - PLACE.type(start)).astype(np.int64)] = True
        yield count_pairs(numbers[tokens], borders, counting, task.words, length)


def count_pairs(words: np.ndarray, borders: np.ndarray, counting: Counting, types: int, first_words: int) -> csr_array:
    """The sum of the pairs whose first word is among the first `first_words` words.

    `words` are numbers below `types`, negative for words that are not counted but keep their place. `borders` are true
    where a part of the text begins; pairs do not cross them. Each pair is counted once: with positions in the row of
    the word that comes first, else in the row of the smaller number.

    >>> words = np.array([0, 1, -1, 0], dtype=np.int32)
    >>> count_pairs(words, np.zeros(4, bool), Counting(window=3), types=2, first_words=4).toarray().tolist()
    [[1, 2], [0, 0]]
    """
    from scipy.sparse import coo_array

    parts = np.cumsum(borders, dtype=_INDEX)
    left_out = np.flatnonzero(words < 0)
    parts[left_out] = -1 - np.arange(len(left_out), dtype=_INDEX)  # each in a part of its own
    rows, columns, values = [], [], []
    for near, weight in enumerate(counting.weights):
        distance = near + 1
        reach = max(0, min(first_words, len(parts) - distance))
        first = np.flatnonzero(parts[:reach] == parts[distance : distance + reach])
        before, after = words[first], words[first + distance]
        rows.append(before + _INDEX.type(near * types) if counting.positional else np.minimum(before, after))
        columns.append(after if counting.positional else np.maximum(before, after))
        values.append(np.full(len(first), weight, _INDEX))
    # Two counting sorts, by column and then by row, take half the time of scipy's own `tocsr`, which sorts every row by
    # comparison (35 ms instead of 78 ms for half a million tokens, window 6). The flags keep scipy from sorting again.
    entries = coo_array(
        (np.concatenate(values), (np.concatenate(columns), np.concatenate(rows))),
        shape=(types, counting.rows(types)),
    )
    entries.has_canonical_format = True
    matrix = entries.tocsr().tocsc()
    matrix.has_sorted_indices = True
    matrix.sum_duplicates()
    return matrix.T.tocsr()


def _sum(matrices: Iterable[csr_array]) -> csr_array:
    """The sum of matrices. Those of similar size are added first, so that each entry is copied only a few times."""
    parts: list[csr_array] = []
    for matrix in matrices:
        parts.append(matrix)
        while len(parts) > 1 and parts[-2].nnz < 2 * parts[-1].nnz:
            parts.append(parts.pop() + parts.pop())
    while len(parts) > 1:
        parts.append(parts.pop() + parts.pop())
    return parts[0]


# On disk: sums, merged into the files of the counts


@dataclass(frozen=True)
class PairSum:
    """The sum of a shard: a folder with rows, columns and values like those of the counts, and their total."""

    folder: Path
    tokens: int
    total: int

    def starts(self, first: int, last: int) -> np.ndarray:
        """Where the rows from `first` to before `last` begin, and the end."""
        return np.fromfile(self.folder / ROWS, "<i8", last - first + 1, offset=first * PLACE.itemsize)

    def block(self, first: int, last: int, columns: int) -> csr_array:
        """The rows from `first` to before `last`."""
        from scipy.sparse import csr_array

        starts = self.starts(first, last)
        count, offset = int(starts[-1] - starts[0]), int(starts[0]) * NUMBER.itemsize
        indices = np.fromfile(self.folder / COLUMNS, _INDEX, count, offset=offset)
        values = np.fromfile(self.folder / VALUES, NUMBER, count, offset=offset).astype(np.int64)
        return csr_array((values, indices, starts - starts[0]), shape=(last - first, columns))


def _write_matrix(folder: Path, blocks: Iterable[csr_array], value: np.dtype[Any]) -> int:
    """Write blocks of rows one after the other; how many entries they have."""
    entries = 0
    with (
        (folder / ROWS).open("wb") as rows,
        (folder / COLUMNS).open("wb") as columns,
        (folder / VALUES).open("wb") as values,
    ):
        rows.write(np.zeros(1, PLACE).data)
        for block in blocks:
            for file, numbers in (  # `tofile` would not report a full disk
                (rows, block.indptr[1:].astype(PLACE) + PLACE.type(entries)),
                (columns, block.indices.astype(NUMBER)),
                (values, block.data.astype(value)),
            ):
                file.write(numbers.data)
            entries += block.nnz
    return entries


def _write_counts(
    sums: Sequence[PairSum],
    counting: Counting,
    words: int,
    result: Path,
    memory: int,
    progress: Callable[[int, int], object],
) -> dict[str, Any]:
    """Merge the sums into the files of the counts; returns what the description says about them."""
    weight = sum(pair_sum.total for pair_sum in sums)
    value = PLACE if weight > np.iinfo(NUMBER).max else NUMBER  # by the total, which does not depend on the sums
    rows = counting.rows(words)
    firsts, seconds = (np.zeros((rows // words, words), np.int64) for _ in range(2))

    def blocks() -> Iterator[csr_array]:
        for row, block in _merged_blocks(sums, rows, words, memory):
            distance, first = divmod(row, words)
            firsts[distance, first : first + block.shape[0]] += block.sum(axis=1)
            seconds[distance] += block.sum(axis=0)
            yield block
            progress(row + block.shape[0], rows)

    entries = _write_matrix(result, blocks(), value)
    totals = np.concatenate([firsts, seconds]) if counting.positional else firsts + seconds
    (result / TOTALS).write_bytes(totals.astype(PLACE).tobytes())
    return {"entries": entries, "weight": weight, "value_bytes": value.itemsize}


def _merged_blocks(sums: Sequence[PairSum], rows: int, words: int, memory: int) -> Iterator[tuple[int, csr_array]]:
    """The total of all sums in blocks of rows, each with its first row.

    A block has as many rows as fit into memory, at least one, and none of another distance.
    """
    ends = np.zeros(rows + 1, dtype=np.int64)
    for pair_sum in sums:
        ends += pair_sum.starts(0, rows)
    limit = max(1, memory // _MERGED)
    first = 0
    while first < rows:
        fitting = int(np.searchsorted(ends, ends[first] + limit, side="right")) - 1
        last = min(max(fitting, first + 1), (first // words + 1) * words)
        yield first, _sum(pair_sum.block(first, last, words) for pair_sum in sums)
        first = last
