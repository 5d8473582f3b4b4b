"""The first pass of a build: every batch of the sources becomes a shard, those that are done already left alone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.corpus.reading import SPLITS
from winoglot.corpus.settings import Settings
from winoglot.corpus.shards import Shard, Tally, write_shard
from winoglot.corpus.simplified import converter
from winoglot.corpus.sources import Batch, batches
from winoglot.corpus.tokenising import take_tokens, tokenise
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.corpus.opening import Measured
    from winoglot.corpus.sources import Source
    from winoglot.corpus.state import Building
    from winoglot.corpus.tokenising import Numbering
    from winoglot.corpus.workers import Workers

_OTHER = "Give the same input again, or add --force to begin anew."


@dataclass(frozen=True)
class _Work:
    batch: Batch
    settings: Settings
    shard: Path


def make_shards(
    build: Building,
    sources: Sequence[Source],
    settings: Settings,
    carry_out: Workers,
    progress: Callable[[int, int], object],
) -> None:
    """Read all sources. `progress` is told how many of their bytes are done, and how many there are."""
    if build.read_batches() is not None:
        return
    total, done = sum(source.size for source in sources), 0
    counts = dict.fromkeys(SPLITS, 0)
    measured: dict[str, Measured] = {}

    def advance(size: int) -> None:
        nonlocal done
        done += size
        progress(done, total)

    def tasks() -> Iterator[_Work]:
        for role in SPLITS:
            ours = [source for source in sources if source.role == role]
            for batch in batches(ours, settings, measured):
                path = build.shard(role, counts[role])
                counts[role] += 1
                if not path.exists():
                    yield _Work(batch, settings, path)
                elif Shard(path).digest() == batch.digest():
                    advance(batch.size)
                else:
                    message = f"batch {counts[role]} of {role} is not what it was when this build began"
                    raise InputError(message, remedy=_OTHER, file=str(build.corpus))

    for size in carry_out(_make_shard, tasks()):
        advance(size)
    build.finish_reading(counts, measured)


def _make_shard(work: _Work) -> int:
    """Read, clean and tokenise a batch into its shard; how many bytes of the sources that were."""
    settings, tally = work.settings, Tally()
    function = partial(_tokens, settings=settings)
    write_shard(work.shard, work.batch.articles(settings, tally), function, tally, work.batch.digest())
    return work.batch.size


def _tokens(text: str, numbering: Numbering, settings: Settings) -> list[int]:
    if settings.simplified:
        text = converter()(text)
    if settings.tokenised:
        return take_tokens(text, numbering)
    return tokenise(text, settings.language, numbering)
