"""Shards into the token files of the corpus: each shard knows its place, so any number of workers write at once."""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.reading import ATTRIBUTION, PLACE, SPLITS, TOKEN, VOCABULARY
from winoglot.corpus.shards import Shard
from winoglot.corpus.tokenising import END_ID, UNKNOWN_ID
from winoglot.corpus.vocabulary import Vocabulary, read_vocabulary

if TYPE_CHECKING:
    from winoglot.corpus.splitting import Division
    from winoglot.corpus.workers import Workers


@dataclass(frozen=True)
class _Place:
    """A shard, the splits of its articles, and where in the files of each split they go."""

    shard: Path
    splits: np.ndarray
    tokens: tuple[int, ...]
    articles: tuple[int, ...]
    folder: Path


def encode(shards: list[Path], division: Division, vocabulary: Vocabulary, folder: Path, carry_out: Workers) -> None:
    """Write vocabulary, tokens, articles and attribution into the folder."""
    (folder / VOCABULARY).write_text(vocabulary.to_text(), encoding="utf-8", newline="\n")
    places = []
    tokens, articles = [0] * len(SPLITS), [0] * len(SPLITS)
    for number, path in enumerate(shards):
        splits = division.of_shard(number)
        lengths = division.lengths[division.starts[number] : division.starts[number + 1]]
        places.append(_Place(path, splits, tuple(tokens), tuple(articles), folder))
        for split in range(len(SPLITS)):
            tokens[split] += int(lengths[splits == split].sum())
            articles[split] += int((splits == split).sum())
    for split, name in enumerate(SPLITS):
        _make(folder / f"{name}.tokens", tokens[split] * TOKEN.itemsize)
        _make(folder / f"{name}.articles", (articles[split] + 1) * PLACE.itemsize)
        _write_at(folder / f"{name}.articles", articles[split], np.array([tokens[split]], dtype=PLACE))
    for _ in carry_out(_encode_shard, places):
        pass
    _write_attribution(shards, division, folder)


def _encode_shard(place: _Place) -> None:
    shard = Shard(place.shard)
    vocabulary = _vocabulary(place.folder / VOCABULARY, (place.folder / VOCABULARY).stat().st_mtime_ns)
    numbers = np.concatenate([[UNKNOWN_ID, END_ID], vocabulary.ids(shard.words())]).astype(TOKEN)
    encoded = numbers[shard.tokens]
    lengths = np.diff(shard.ends, prepend=np.uint64(0))
    for split, name in enumerate(SPLITS):
        chosen = place.splits == split
        if not chosen.any():
            continue
        tokens = encoded if chosen.all() else encoded[shard.token_mask(chosen)]
        _write_at(place.folder / f"{name}.tokens", place.tokens[split], tokens)
        starts = np.cumsum(lengths[chosen]) - lengths[chosen] + np.uint64(place.tokens[split])
        _write_at(place.folder / f"{name}.articles", place.articles[split], starts.astype(PLACE))


@lru_cache(maxsize=1)
def _vocabulary(path: Path, changed: int) -> Vocabulary:
    """Read once a process, and again if it is another build's."""
    del changed
    return read_vocabulary(path)


def _make(path: Path, size: int) -> None:
    with path.open("wb") as file:
        file.truncate(size)


def _write_at(path: Path, position: int, values: np.ndarray) -> None:
    """Write from a place on, by plain writes: a full disk is then an error, not the end of the process."""
    with path.open("r+b") as file:
        file.seek(position * values.dtype.itemsize)
        file.write(np.ascontiguousarray(values).data)


def _write_attribution(shards: list[Path], division: Division, folder: Path) -> None:
    """Where each article comes from: licences that ask for attribution ask for this."""
    with (folder / ATTRIBUTION).open("wb") as raw, gzip.GzipFile("", "wb", 6, raw, mtime=0) as file:
        file.write(b"split\ttitle\tid\trevision\n")
        for number, path in enumerate(shards):
            pairs = zip(division.of_shard(number).tolist(), Shard(path).records(), strict=True)
            rows = [(SPLITS[split], *map(_cell, record)) for split, record in pairs if split >= 0]
            file.write("".join("\t".join(row) + "\n" for row in rows).encode())


def _cell(text: str) -> str:
    return text if text.isprintable() else " ".join(text.split())  # no tab or line break in a table of tabs and lines
