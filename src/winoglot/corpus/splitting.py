"""Which articles are kept, and in which split: exact duplicates left out, the rest drawn by a seed.

An article's draw is a hash of the seed and of what it is known by (its id, else its text), never of where it stands:
the same article of a later dump is drawn alike.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from winoglot.corpus.reading import SPLITS
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.corpus.settings import Settings
    from winoglot.corpus.shards import Shard

NONE, TRAIN, VALID, TEST = -1, 0, 1, 2  # the split of an article


@dataclass(frozen=True)
class Division:
    """The split of every article, the shards' articles one after the other.

    `order` lists the articles of train as the seed draws them: a reduced corpus takes the first ones.
    """

    splits: np.ndarray
    lengths: np.ndarray  # in tokens
    starts: np.ndarray  # of each shard's articles, and the end
    order: np.ndarray
    duplicates: dict[str, int]

    def of_shard(self, number: int) -> np.ndarray:
        """The split of each article of a shard."""
        return self.splits[self.starts[number] : self.starts[number + 1]]

    def reduced(self, articles: int) -> Division:
        """With the first so many articles of train alone."""
        splits = self.splits.copy()
        splits[self.order[articles:]] = NONE
        return replace(self, splits=splits, order=self.order[:articles])


def divide(shards: Sequence[Shard], roles: Sequence[str], settings: Settings, *, own: bool) -> Division:
    """Give every article its split. A shard's role is the split it is for; with `own`, valid and test are
    drawn from train."""
    counts = [len(shard.ends) for shard in shards]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    lengths = _joined([np.diff(shard.ends, prepend=np.uint64(0)) for shard in shards], np.int64)
    splits = np.repeat(np.array([SPLITS.index(role) for role in roles], dtype=np.int8), counts)
    duplicates = dict.fromkeys(SPLITS, 0)
    if not settings.keep_duplicates:
        again = _repeated(_pairs([shard.contents() for shard in shards]), splits)
        duplicates = {name: int((again & (splits == number)).sum()) for number, name in enumerate(SPLITS)}
        splits[again] = NONE
    candidates = np.flatnonzero(splits == TRAIN)
    keys = _stacked([shard.identities() for shard in shards])
    order = candidates[np.argsort(_draws(keys[candidates], settings.seed), kind="stable")]
    if own:
        each = _held_out(len(order), settings.held_out)
        splits[order[:each]] = VALID
        splits[order[each : 2 * each]] = TEST
        order = order[2 * each :]
    return Division(splits, lengths, starts, order, duplicates)


def reduce_tokens(division: Division, tokens: int) -> Division:
    """Train cut to the whole articles, in the seed's order, that come nearest to so many tokens.

    A smaller number takes a part of what a larger one takes.
    """
    sums = np.cumsum(division.lengths[division.order])
    if not len(sums) or sums[-1] < tokens:
        found = int(sums[-1]) if len(sums) else 0
        message = f"--tokens asks for {tokens} tokens; the training text has {found}"
        raise InputError(message, remedy="Ask for fewer, or leave it out. What was read is kept.")
    return division.reduced(int(np.argmin(np.abs(sums - tokens))) + 1)


def _held_out(articles: int, share: float) -> int:
    """How many articles valid and test get, each: one at least where train keeps one."""
    if not share:
        return 0
    return max(round(share * articles), 1 if articles >= 3 else 0)


def _repeated(contents: np.ndarray, splits: np.ndarray) -> np.ndarray:
    """Which articles have been there already. Of copies in several splits a test's is kept, then a validation's, so
    that nothing that is tested on is trained on; else the first.
    """
    order = np.lexsort((-splits, contents[:, 0], contents[:, 1]))
    ordered = contents[order]
    again = np.zeros(len(contents), dtype=bool)
    again[order[1:]] = (ordered[1:] == ordered[:-1]).all(axis=1)
    return again


def _draws(keys: np.ndarray, seed: int) -> np.ndarray:
    salt = str(seed).encode()
    hashes = (hashlib.blake2b(row.tobytes(), digest_size=8, key=salt).digest() for row in keys)
    return np.fromiter((int.from_bytes(one, "big") for one in hashes), dtype=np.uint64, count=len(keys))


def _stacked(rows: list[np.ndarray]) -> np.ndarray:
    return np.concatenate(rows) if rows else np.empty((0, 16), dtype=np.uint8)


def _pairs(rows: list[np.ndarray]) -> np.ndarray:
    """Digests of 16 bytes as two numbers each."""
    return np.ascontiguousarray(_stacked(rows)).view("<u8")


def _joined(parts: list[np.ndarray], kind: type[np.int64]) -> np.ndarray:
    return np.concatenate(parts).astype(kind) if parts else np.empty(0, dtype=kind)
