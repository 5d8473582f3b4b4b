"""The second pass of a build: the vocabulary is counted over all shards, and their tokens are written with its ids.

Each shard knows its place in the token files, so any number of workers can write at once.
"""

from __future__ import annotations

import gzip
import heapq
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.reading import ATTRIBUTION, PLACE, SPLITS, TOKEN, VOCABULARY
from winoglot.corpus.shards import Shard
from winoglot.corpus.splitting import TRAIN
from winoglot.corpus.vocabulary import END, END_ID, UNKNOWN, UNKNOWN_ID, Vocabulary, read_vocabulary
from winoglot.files import guarded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.corpus.settings import CorpusSettings
    from winoglot.corpus.splitting import Division
    from winoglot.corpus.workers import RunTasks

Progress = Callable[[int, int], object]
_MOST_WORDS = 2_000_000  # distinct words counted at a time: about 250 MB


def make_vocabulary(shards: list[Path], division: Division, settings: CorpusSettings, progress: Progress) -> Vocabulary:
    """The vocabulary of train, limited as the settings say; equally frequent words in the order of their letters."""
    sentences = np.zeros(len(shards), dtype=np.int64)

    def counts_of_shard(number: int) -> Iterator[tuple[str, int]]:
        shard = Shard(shards[number])
        counts = shard.word_counts(division.of_shard(number) == TRAIN)
        sentences[number] = counts[END_ID]
        return ((word, count) for word, count in zip(shard.words(), counts[2:].tolist(), strict=True) if count)

    def rank(pair: tuple[str, int]) -> tuple[int, str]:
        return -pair[1], pair[0]

    counts = _sum_counts(counts_of_shard, len(shards), progress)
    if settings.max_vocab:
        pairs = heapq.nsmallest(settings.max_vocab, counts, key=rank)
    else:
        pairs = sorted((pair for pair in counts if pair[1] >= (settings.min_count or 1)), key=rank)
    ends = int(sentences.sum())
    unknown = int(division.lengths[division.splits == TRAIN].sum()) - ends - sum(count for _, count in pairs)
    words, numbers = (UNKNOWN, END, *(word for word, _ in pairs)), [unknown, ends, *(count for _, count in pairs)]
    return Vocabulary(words, np.array(numbers, dtype=np.uint64))


def _sum_counts(
    counts_of_shard: Callable[[int], Iterable[tuple[str, int]]], shards: int, progress: Progress
) -> Iterator[tuple[str, int]]:
    """How often each word occurs in all shards.

    Words are divided into parts by a hash, as many as it takes for each part to fit into memory, and the shards are
    read once for each part. Most corpora need one; Wikipedia in English about eight.
    """
    parts, part = 1, 0
    while part < parts:
        counts: dict[str, int] = {}
        for number in range(shards):
            for word, count in counts_of_shard(number):
                if parts == 1 or _part_of(word, parts) == part:
                    counts[word] = counts.get(word, 0) + count
            while part == 0 and len(counts) > _MOST_WORDS:
                parts *= 2
                counts = {word: count for word, count in counts.items() if _part_of(word, parts) == 0}
            progress(part * shards + number + 1, parts * shards)
        yield from counts.items()
        part += 1


def _part_of(word: str, parts: int) -> int:
    return zlib.crc32(word.encode()) % parts


@dataclass(frozen=True)
class EncodingTask:
    """A shard, the splits of its articles, and where they go in the files of each split."""

    shard: Path
    splits: np.ndarray
    tokens: tuple[int, ...]
    articles: tuple[int, ...]
    folder: Path


def encode(
    shards: list[Path],
    division: Division,
    vocabulary: Vocabulary,
    folder: Path,
    run_tasks: RunTasks,
    progress: Progress,
) -> None:
    """Write vocabulary, tokens, articles and attribution into the folder."""
    (folder / VOCABULARY).write_text(vocabulary.to_text(), encoding="utf-8", newline="\n")
    tasks = []
    tokens, articles = [0] * len(SPLITS), [0] * len(SPLITS)
    for number, path in enumerate(shards):
        splits = division.of_shard(number)
        lengths = division.lengths[division.starts[number] : division.starts[number + 1]]
        tasks.append(EncodingTask(path, splits, tuple(tokens), tuple(articles), folder))
        for split in range(len(SPLITS)):
            tokens[split] += int(lengths[splits == split].sum())
            articles[split] += int((splits == split).sum())
    for split, name in enumerate(SPLITS):
        for kind, size in (("tokens", tokens[split] * TOKEN.itemsize), ("articles", articles[split] * PLACE.itemsize)):
            with (folder / f"{name}.{kind}").open("wb") as file:
                file.truncate(size)
        _write_at(folder / f"{name}.articles", articles[split], np.array([tokens[split]], dtype=PLACE))
    for done, _ in enumerate(run_tasks(_encode_shard, tasks), start=1):
        progress(done, len(tasks))
    _write_attribution(shards, division, folder)


def _encode_shard(task: EncodingTask) -> None:
    shard = Shard(task.shard)
    vocabulary = _vocabulary(task.folder / VOCABULARY, (task.folder / VOCABULARY).stat().st_mtime_ns)
    numbers = np.concatenate([[UNKNOWN_ID, END_ID], vocabulary.ids(shard.words())]).astype(TOKEN)
    ids = numbers[shard.tokens]
    lengths = np.diff(shard.ends, prepend=np.uint64(0))
    for split, name in enumerate(SPLITS):
        in_split = task.splits == split
        if not in_split.any():
            continue
        tokens = ids if in_split.all() else ids[shard.token_mask(in_split)]
        _write_at(task.folder / f"{name}.tokens", task.tokens[split], tokens)
        starts = np.cumsum(lengths[in_split]) - lengths[in_split] + np.uint64(task.tokens[split])
        _write_at(task.folder / f"{name}.articles", task.articles[split], starts.astype(PLACE))


@lru_cache(maxsize=1)
def _vocabulary(path: Path, changed: int) -> Vocabulary:
    """The vocabulary in a file, read once per process, and again when another build has changed it."""
    del changed
    return read_vocabulary(path)


def _write_at(path: Path, position: int, values: np.ndarray) -> None:
    """Write at a place in a file by plain writes: with a mapped file, a full disk would kill the process."""
    with path.open("r+b") as file:
        file.seek(position * values.dtype.itemsize)
        file.write(np.ascontiguousarray(values).data)


def _write_attribution(shards: list[Path], division: Division, folder: Path) -> None:
    """Write where each article comes from, as licences that require attribution ask for."""
    with (folder / ATTRIBUTION).open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
        file.write(b"split\ttitle\tid\trevision\n")
        for number, path in enumerate(shards):
            pairs = zip(division.of_shard(number).tolist(), Shard(path).records(), strict=True)
            rows = [(SPLITS[split], *map(_cell, record)) for split, record in pairs if split >= 0]
            file.write("".join("\t".join(row) + "\n" for row in rows).encode())


def _cell(text: str) -> str:
    return guarded(text if text.isprintable() else " ".join(text.split()))  # a cell has no tabs or line breaks
