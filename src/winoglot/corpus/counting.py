"""How often words stand near each other in a corpus: counted stretch by stretch, summed within a given memory.

Sums are of whole numbers, so the result is the same to the byte whatever the memory and the number of workers.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot._version import __version__
from winoglot.corpus._counted_words import choose_words
from winoglot.corpus._counting_folder import counting_folder, publish
from winoglot.corpus._pairs import INDEX, Layout, count_pairs
from winoglot.corpus._runs import Run, Spilling
from winoglot.corpus._writing_counts import write_counts
from winoglot.corpus.counts import FORMAT, Counts, counts_hash, open_counts
from winoglot.corpus.reading import PLACE, SPLITS, TOKEN, Corpus, open_corpus
from winoglot.corpus.vocabulary import Vocabulary
from winoglot.corpus.workers import workers
from winoglot.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[str, int, int], object]

BORDERS = ("sentence", "article")
_MEMORY = 2**30  # beside what the processes hold by themselves, unless told otherwise
_LEAST_MEMORY = 2**24  # for pairs, however much is taken before counting begins
_WIDEST = 100  # words: past this, counts say what an article is about rather than what goes with what
_STRETCH = 500_000  # tokens at a time: more are no faster, since the memory for them is fetched anew each time
_PAIR = 40  # bytes that a pair takes while it is counted
_TASK = 8_000_000  # tokens for one worker at a time
_NUMBERS = "numbers"  # the file that tells workers which of the corpus's words are counted


@dataclass(frozen=True)
class Counting:
    """What is counted.

    >>> Counting(window=6, borders="page")
    Traceback (most recent call last):
    winoglot.errors.InputError: --borders is 'page'. Known: article, sentence.
    """

    window: int  # words on either side
    dynamic: bool = False  # near words count more: at distance d (window - d + 1) / window
    positional: bool = False  # a word two places before and the same word one place behind are counted apart
    min_count: int = 1  # rarer words keep their place and are counted with nobody
    borders: str = "sentence"  # what pairs do not reach across
    split: str = "train"  # or all of them

    def __post_init__(self) -> None:
        """Refuse what cannot be counted."""
        if not 1 <= self.window <= _WIDEST:
            raise InputError(f"--window is {self.window}", remedy=f"Give a number of words from 1 to {_WIDEST}.")
        if self.min_count < 1:
            raise InputError(f"--min-count is {self.min_count}", remedy="Give a number from 1.")
        for option, value, known in (
            ("--borders", self.borders, BORDERS),
            ("--split", self.split, (*SPLITS, "all")),
        ):
            if value not in known:
                raise InputError(f"{option} is {value!r}", remedy=nearest(value, known))

    @property
    def splits(self) -> tuple[str, ...]:
        """Those that are counted."""
        return SPLITS if self.split == "all" else (self.split,)


@dataclass(frozen=True)
class Task:
    """A stretch of a split, for one worker."""

    corpus: Path
    split: str
    start: int
    stop: int
    counting: Counting
    layout: Layout
    work: Path
    memory: int


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

    `memory` is in bytes, for all processes of this machine together, or for each task on a cluster. What a process
    holds before it counts, its libraries and the vocabulary, is part of it; too little for that is an input error. None
    is a gigabyte beside what is held.
    `progress` is told what goes on, how much is done, and how much there is: tokens of
    `counting`, rows of `merging`.
    """
    alone = worker_count == 1 and cluster is None
    corpus.verify()
    processes = 1 if alone else 1 + worker_count
    if memory is None:
        memory = _MEMORY + processes * (_held() or 0)
    if cluster is None:
        _check_memory(corpus, memory, processes)
    tell = progress or (lambda _what, _done, _total: None)
    with counting_folder(out, force=force) as work:
        words = choose_words(corpus, counting.splits, counting.min_count)
        (work / _NUMBERS).write_bytes(words.numbers.tobytes())
        layout = Layout(len(words.words), counting.window, counting.dynamic, counting.positional)
        share = memory if alone or cluster else _left(memory) // max(1, worker_count)
        tasks = _tasks(corpus, counting, layout, work, share, whole=alone)
        total = sum(task.stop - task.start for task in tasks)
        runs: list[Run] = []
        with workers(worker_count, cluster, work) as carry_out:
            count_it = partial(count_task, tell=partial(tell, "counting")) if alone else count_task
            done = 0
            for task, made in carry_out(count_it, tasks):
                runs += made
                done += task.stop - task.start
                tell("counting", done, total)
        if not runs:
            message = f"in {counting.split} no two words stand near each other"
            raise InputError(message, remedy="Give a corpus with text, or lower --min-count.", file=str(corpus.path))
        result = work / "result"
        result.mkdir()
        words.write(result)
        made_of = write_counts(runs, layout, result, _left(memory), partial(tell, "merging"))
        if open_corpus(corpus.path).hash != corpus.hash:
            raise InputError("the corpus was changed while it was counted", remedy="Count it again.", file=str(out))
        info = _described(corpus, out, counting, layout, made_of) | {"tokens": total, "hash": counts_hash(result)}
        publish(result, out, info)
    return open_counts(out)


def count_task(task: Task, tell: Callable[[int, int], object] | None = None) -> tuple[Task, list[Run]]:
    """Count one stretch; the runs it was written to."""
    memory = _left(task.memory)
    spilling = Spilling(task.work, memory // 2)
    numbers = np.fromfile(task.work / _NUMBERS, INDEX)
    window = task.layout.window
    step = min(_STRETCH, max(1000, memory // (4 * _PAIR * window)))
    tokens_file, articles_file = (task.corpus / f"{task.split}.{kind}" for kind in ("tokens", "articles"))
    begins = np.memmap(articles_file, PLACE, mode="r")
    for start in range(task.start, task.stop, step):
        own = min(step, task.stop - start)
        # Read, not mapped: pages of a mapped file that were touched would count as memory that is taken.
        tokens = np.fromfile(tokens_file, TOKEN, own + window, offset=start * TOKEN.itemsize)
        borders = tokens == Vocabulary.eos if task.counting.borders == "sentence" else np.zeros(len(tokens), bool)
        first, last = np.searchsorted(begins, np.array([start, start + len(tokens)], PLACE))
        borders[(begins[first:last] - PLACE.type(start)).astype(np.int64)] = True
        spilling.add(count_pairs(numbers[tokens], borders, task.layout, own))
        if tell:
            tell(start + own - task.start, task.stop - task.start)
    spilling.spill()
    return task, spilling.runs


def _tasks(corpus: Corpus, counting: Counting, layout: Layout, work: Path, memory: int, *, whole: bool) -> list[Task]:
    tasks = []
    path, work = corpus.path.resolve(), work.resolve()  # a cluster's workers may stand in another folder
    for split in counting.splits:
        length = len(corpus.split(split).tokens)
        step = max(1, length) if whole else _TASK
        for start in range(0, length, step):
            stop = min(length, start + step)
            tasks.append(Task(path, split, start, stop, counting, layout, work, memory))
    return tasks


def _check_memory(corpus: Corpus, memory: int, processes: int) -> None:
    """Refuse to count in less memory than the processes take by themselves: libraries and vocabulary are loaded now."""
    import scipy.sparse  # noqa: F401

    _ = corpus.vocabulary
    held = _held() or 0
    if memory < processes * (held + _LEAST_MEMORY):
        message = f"--memory gives {memory / 2**20:.0f} MB; a process holds {held / 2**20:.0f} MB before it counts"
        least = -(-processes * (held + _LEAST_MEMORY) // 2**20)
        raise InputError(message, remedy=f"Give {least}MB or more; fewer --workers need less.")


def _left(memory: int) -> int:
    """What a process may take beside what it holds at present."""
    held = _held()
    return max(memory // 2 if held is None else memory - held, _LEAST_MEMORY)


def _held() -> int | None:
    """How many bytes of memory this process holds; None where nobody tells: not on Linux."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")


def _described(
    corpus: Corpus, out: Path, counting: Counting, layout: Layout, made_of: dict[str, Any]
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "winoglot": __version__,
        "language": corpus.language,
        "licence": corpus.info.get("licence", "not stated"),
        "corpus": {
            "path": Path(os.path.relpath(corpus.path.resolve(), out.resolve())).as_posix(),
            "hash": corpus.hash,
        },
        "settings": asdict(counting),
        "words": layout.words,
        **made_of,
    }
