"""Which articles are kept and in which split: exact duplicates removed, the rest drawn by a seed, train reduced.

An article's place in the draw is a hash of the seed and of its id (or its text, if it has none), never of its position:
the same article in a later dump is drawn the same way.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.reading import SPLITS
from winoglot.corpus.shards import DIGEST, Shard
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from winoglot.corpus.settings import CorpusSettings
    from winoglot.corpus.vocabulary import Vocabulary

NONE, TRAIN, VALID, TEST = -1, 0, 1, 2  # the split of an article
_MARKS = 2  # `<unk>` and `<eos>` are types from the start
_KEPT = "What was read so far is kept."


@dataclass(frozen=True)
class Division:
    """The split of every article, shard after shard.

    `order` lists the articles of train in the order in which the seed draws them; a reduced corpus takes the first.
    """

    splits: np.ndarray
    lengths: np.ndarray  # in tokens
    starts: np.ndarray  # the first article of each shard, and the end
    order: np.ndarray
    duplicates: dict[str, int]

    def of_shard(self, number: int) -> np.ndarray:
        """The split of each article of a shard."""
        return self.splits[self.starts[number] : self.starts[number + 1]]

    def reduced(self, articles: int) -> Division:
        """The division with only the first `articles` articles of train."""
        splits = self.splits.copy()
        splits[self.order[articles:]] = NONE
        return replace(self, splits=splits, order=self.order[:articles])


def divide(shards: Sequence[Shard], roles: Sequence[str], settings: CorpusSettings, *, draw_held_out: bool) -> Division:
    """Assign every article to a split. A shard's role is the split it is for; with `draw_held_out`,
    valid and test are drawn from train."""
    counts = [len(shard.ends) for shard in shards]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    lengths = np.concatenate([np.empty(0, np.uint64), *(np.diff(shard.ends, prepend=np.uint64(0)) for shard in shards)])
    splits = np.repeat(np.array([SPLITS.index(role) for role in roles], dtype=np.int8), counts)
    duplicates = dict.fromkeys(SPLITS, 0)
    if not settings.keep_duplicates:
        is_repeated = _find_repetitions(_stack_digests([shard.contents() for shard in shards]), splits)
        duplicates = {name: int((is_repeated & (splits == number)).sum()) for number, name in enumerate(SPLITS)}
        splits[is_repeated] = NONE
    candidates = np.flatnonzero(splits == TRAIN)
    identities = _stack_digests([shard.identities() for shard in shards])
    order = candidates[np.argsort(_draws(identities[candidates], settings.seed), kind="stable")]
    if draw_held_out and settings.held_out:
        # At least one article each for valid and test, if one is left for train.
        size = max(round(settings.held_out * len(order)), 1 if len(order) >= 3 else 0)
        splits[order[:size]] = VALID
        splits[order[size : 2 * size]] = TEST
        order = order[2 * size :]
    return Division(splits, lengths.astype(np.int64), starts, order, duplicates)


def _find_repetitions(contents: np.ndarray, splits: np.ndarray) -> np.ndarray:
    """Which articles are repetitions of others. Of copies in several splits, the one in test stays, then the one in
    valid, so that nothing that is tested on is trained on; within a split, the first.
    """
    numbers = np.ascontiguousarray(contents).view("<u8")  # each digest as two numbers
    order = np.lexsort((-splits, numbers[:, 0], numbers[:, 1]))
    sorted_numbers = numbers[order]
    is_repeated = np.zeros(len(numbers), dtype=bool)
    is_repeated[order[1:]] = (sorted_numbers[1:] == sorted_numbers[:-1]).all(axis=1)
    return is_repeated


def _draws(identities: np.ndarray, seed: int) -> np.ndarray:
    salt = str(seed).encode()
    hashes = (hashlib.blake2b(row.tobytes(), digest_size=8, key=salt).digest() for row in identities)
    return np.fromiter((int.from_bytes(digest, "big") for digest in hashes), dtype=np.uint64, count=len(identities))


def _stack_digests(rows: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.empty((0, DIGEST), dtype=np.uint8), *rows])


def reduce_tokens(division: Division, tokens: int) -> Division:
    """Train cut to the whole articles, in the seed's order, that come nearest to a number of tokens.

    What a smaller number selects is always a part of what a larger one selects.
    """
    sums = np.cumsum(division.lengths[division.order])
    if not len(sums) or sums[-1] < tokens:
        available = int(sums[-1]) if len(sums) else 0
        message = f"--tokens asks for {tokens} tokens; the training text has {available}"
        raise InputError(message, remedy=f"Ask for fewer, or leave it out. {_KEPT}")
    return division.reduced(int(np.argmin(np.abs(sums - tokens))) + 1)


def reduce_types(
    shards: list[Path], division: Division, vocabulary: Vocabulary, min_count: int, types: int
) -> Division:
    """Train cut to the most articles whose vocabulary has at most `types` types, `<unk>` and `<eos>` included.

    `vocabulary` is that of all of train by the same minimum count: other words never come in. Types come in as text
    is added. So for each type we find the article, in the seed's order, in which it has been seen often enough, and
    take as many articles as bring in the number of types.
    """
    if types > len(vocabulary):
        message = f"--types asks for {types} types; the whole training text has {len(vocabulary)}"
        raise InputError(message, remedy=f"Ask for fewer, lower --min-count, or leave it out. {_KEPT}")
    draws = np.sort(_draws_of_types(shards, division, vocabulary, min_count))
    # The article that brings in the first type too many is the first to leave out.
    articles = int(draws[types - _MARKS]) if types - _MARKS < len(draws) else len(division.order)
    if types <= _MARKS or articles == 0:
        message = f"--types asks for {types} types; the first training article alone has more"
        raise InputError(message, remedy=f"Ask for more. {_KEPT}")
    return division.reduced(articles)


def _draws_of_types(shards: list[Path], division: Division, vocabulary: Vocabulary, min_count: int) -> np.ndarray:
    """The draw of the article in which each type is seen for the `min_count`-th time."""
    draws = np.zeros(len(division.splits), dtype=np.int64)
    draws[division.order] = np.arange(len(division.order))
    words = np.empty(0, dtype=np.int64)  # sorted, each with its earliest draws, `min_count` at most
    draws_of_words = np.empty(0, dtype=np.int64)
    for number, path in enumerate(shards):
        shard = Shard(path)
        numbers = np.concatenate([[0, 0], vocabulary.ids(shard.words())]).astype(np.int64)
        lengths = np.diff(shard.ends, prepend=np.uint64(0)).astype(np.int64)
        of_token = np.repeat(draws[division.starts[number] : division.starts[number + 1]], lengths)
        tokens = numbers[shard.tokens]
        is_counted = (tokens > 1) & shard.token_mask(division.of_shard(number) == TRAIN)
        words, draws_of_words = _earliest_draws(
            np.concatenate([words, tokens[is_counted]]),
            np.concatenate([draws_of_words, of_token[is_counted]]),
            min_count,
        )
    last = np.flatnonzero(np.diff(words, append=-1))
    return draws_of_words[last]


def _earliest_draws(words: np.ndarray, draws: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """The pairs sorted by word and draw; of each word the first `most`."""
    order = np.lexsort((draws, words))
    words, draws = words[order], draws[order]
    begins = np.flatnonzero(np.diff(words, prepend=-1))
    place = np.arange(len(words)) - np.repeat(begins, np.diff(begins, append=len(words)))
    return words[place < most], draws[place < most]
