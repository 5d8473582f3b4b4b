"""How often train has each word, over all shards, in bounded memory: sorted runs on disk, merged."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.shards import Shard
from winoglot.corpus.splitting import TRAIN
from winoglot.corpus.tokenising import END_ID, UNKNOWN_ID
from winoglot.corpus.vocabulary import END, UNKNOWN, Vocabulary

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from winoglot.corpus.settings import Settings
    from winoglot.corpus.splitting import Division
    from winoglot.corpus.workers import Workers

_MOST_OPEN = 128  # runs merged at a time; every one is an open file
_Count = tuple[str, int]


def make_vocabulary(
    shards: list[Path], division: Division, settings: Settings, folder: Path, carry_out: Workers
) -> Vocabulary:
    """The vocabulary of train by the settings' limit. Runs are written to the folder, and removed."""
    folder.mkdir(exist_ok=True)
    tasks = [
        (path, division.of_shard(number) == TRAIN, folder / f"{number:06d}.run") for number, path in enumerate(shards)
    ]
    marks = np.zeros(2, dtype=np.int64)
    total = 0
    for shard_marks, words in carry_out(_write_run, tasks):
        marks += shard_marks
        total += words
    runs = _merge_down([run for _, _, run in tasks], folder)
    kept = _most_frequent(_merged(runs), settings)
    for run in runs:
        run.unlink()
    unknown = int(marks[UNKNOWN_ID]) + total - sum(count for _, count in kept)
    counts = [unknown, int(marks[END_ID]), *(count for _, count in kept)]
    return Vocabulary((UNKNOWN, END, *(word for word, _ in kept)), np.array(counts, dtype=np.uint64))


def _most_frequent(counts: Iterator[_Count], settings: Settings) -> list[_Count]:
    """The words to keep, from the most frequent to the least; equally frequent ones in the order of their letters."""
    if settings.max_vocab:
        return heapq.nsmallest(settings.max_vocab, counts, key=_rank)
    least = settings.min_count or 1
    return sorted((count for count in counts if count[1] >= least), key=_rank)


def _rank(count: _Count) -> tuple[int, str]:
    return -count[1], count[0]


def _write_run(task: tuple[Path, np.ndarray, Path]) -> tuple[np.ndarray, int]:
    """Write a shard's counts sorted by word; return those of the two marks, and the number of all words."""
    path, chosen, run = task
    shard = Shard(path)
    counts = shard.word_counts(chosen)
    listed = sorted(pair for pair in zip(shard.words(), counts[2:].tolist(), strict=True) if pair[1])
    _write(run, listed)
    return counts[:2], int(counts[2:].sum())


def _merge_down(runs: list[Path], folder: Path) -> list[Path]:
    """Merge runs into fewer until all that are left can be open at once."""
    number = 0
    while len(runs) > _MOST_OPEN:
        group, runs = runs[:_MOST_OPEN], runs[_MOST_OPEN:]
        merged = folder / f"merged{number:06d}.run"
        _write(merged, _merged(group))
        for run in group:
            run.unlink()
        runs.append(merged)
        number += 1
    return runs


def _merged(runs: list[Path]) -> Iterator[_Count]:
    last, total = "", 0
    for word, count in heapq.merge(*map(_read, runs)):
        if word == last:
            total += count
        else:
            if total:
                yield last, total
            last, total = word, count
    if total:
        yield last, total


def _read(run: Path) -> Iterator[_Count]:
    with run.open(encoding="utf-8", newline="\n") as file:
        for line in file:
            word, _, count = line.rpartition("\t")
            yield word, int(count)


def _write(run: Path, counts: Iterable[_Count]) -> None:
    with run.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(f"{word}\t{count}\n" for word, count in counts)
