"""Train cut until its vocabulary has a wanted size: how a corpus is set beside one with fewer types.

Types come in as text is added. So for each type the place, in the seed's order of articles, is found at which it has
been seen often enough; as many articles are taken as bring in the number of types that is wanted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.shards import Shard
from winoglot.corpus.splitting import TRAIN
from winoglot.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from winoglot.corpus.splitting import Division
    from winoglot.corpus.vocabulary import Vocabulary

_MARKS = 2  # `<unk>` and `<eos>` are types from the start


def reduce_types(
    shards: list[Path], division: Division, vocabulary: Vocabulary, min_count: int, types: int
) -> Division:
    """Train cut to the most articles whose vocabulary has no more than so many types, `<unk>` and `<eos>` among them.

    `vocabulary` is that of the whole of train by the same minimum: a word outside it never comes in.
    """
    if types > len(vocabulary):
        message = f"--types asks for {types} types; the whole training text has {len(vocabulary)}"
        raise InputError(message, remedy="Ask for fewer, lower --min-count, or leave it out. What was read is kept.")
    reached = np.sort(_reached(shards, division, vocabulary, min_count))
    # The article that brings in the first type too many is the first to leave out.
    articles = int(reached[types - _MARKS]) if types - _MARKS < len(reached) else len(division.order)
    if types <= _MARKS or articles == 0:
        message = f"--types asks for {types} types; the first training article alone has more"
        raise InputError(message, remedy="Ask for more. What was read is kept.")
    return division.reduced(articles)


def _reached(shards: list[Path], division: Division, vocabulary: Vocabulary, min_count: int) -> np.ndarray:
    """For each type the draw of the article in which it is seen for the `min_count`-th time."""
    draws = np.zeros(len(division.splits), dtype=np.int64)
    draws[division.order] = np.arange(len(division.order))
    words = np.empty(0, dtype=np.int64)  # sorted, with the earliest draws of each, `min_count` at most
    seen = np.empty(0, dtype=np.int64)
    for number, path in enumerate(shards):
        shard = Shard(path)
        numbers = np.concatenate([[0, 0], vocabulary.ids(shard.words())]).astype(np.int64)
        lengths = np.diff(shard.ends, prepend=np.uint64(0)).astype(np.int64)
        of_token = np.repeat(draws[division.starts[number] : division.starts[number + 1]], lengths)
        tokens = numbers[shard.tokens]
        known = (tokens > 1) & shard.token_mask(division.of_shard(number) == TRAIN)
        words, seen = _earliest(
            np.concatenate([words, tokens[known]]), np.concatenate([seen, of_token[known]]), min_count
        )
    last = np.flatnonzero(np.diff(words, append=-1))
    return seen[last]


def _earliest(words: np.ndarray, seen: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The pairs sorted by word and draw, of each word the first `most`."""
    order = np.lexsort((seen, words))
    words, seen = words[order], seen[order]
    first = np.concatenate([[True], words[1:] != words[:-1]]) if len(words) else np.empty(0, dtype=bool)
    begins = np.flatnonzero(first)
    place = np.arange(len(words)) - np.repeat(begins, np.diff(begins, append=len(words)))
    return words[place < most], seen[place < most]
