"""The first pass of a build: every batch of the sources becomes a shard, a file with the tokens of its articles.

A shard numbers its words in its own way, because the vocabulary is only known once all shards exist.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from winoglot.corpus.settings import CorpusSettings
from winoglot.corpus.sources import Batch
from winoglot.corpus.vocabulary import END_ID, Numbering, take_tokens, tokenise
from winoglot.errors import InputError
from winoglot.files import parse_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from winoglot.corpus.sources import Article

DIGEST = 16  # bytes: enough that no two articles of all wikis share a digest by chance


@dataclass(frozen=True)
class Tally:
    """How much of a source did not become an article, by reason; and the templates seen on unmarked pages."""

    left_out: Counter[str] = field(default_factory=Counter)
    templates: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True)
class ShardTask:
    """A batch to read, and the file to write."""

    batch: Batch
    settings: CorpusSettings
    path: Path


def make_shard(task: ShardTask) -> int:
    """Read, clean and tokenise a batch into its shard; returns how many bytes of the sources it covers."""
    settings, tally = task.settings, Tally()
    convert = simplifier() if settings.simplified else str

    def tokens_of(text: str, numbering: Numbering) -> list[int]:
        text = convert(text)
        return take_tokens(text, numbering) if settings.tokenised else tokenise(text, settings.language, numbering)

    write_shard(task.path, task.batch.articles(settings, tally), tokens_of, tally, task.batch.digest())
    return task.batch.size


@cache
def simplifier() -> Callable[[str], str]:
    """A function that converts traditional Chinese to simplified, by OpenCC; without OpenCC an input error."""
    try:
        import opencc
    except ImportError as error:
        message = "converting traditional characters to simplified ones needs OpenCC, which is not installed"
        remedy = 'Run: pip install "winoglot[corpus]", or add --keep-script if the text is already simplified.'
        raise InputError(message, remedy=remedy) from error
    convert: Callable[[str], str] = opencc.OpenCC("t2s").convert
    return convert


def write_shard(
    path: Path,
    articles: Iterable[Article],
    tokens_of: Callable[[str, Numbering], list[int]],
    tally: Tally,
    digest: str = "",
) -> None:
    """Tokenise the articles and write them, completely or not at all.

    `tally` counts what the source did not yield; `digest` identifies the batch when a build is resumed.
    """
    numbering = Numbering()
    tokens: list[int] = []
    ends, contents, identities, records = [], [], [], []
    for article in articles:
        article_tokens = tokens_of(article.text, numbering)
        if not article_tokens:
            tally.left_out["empty"] += 1
            continue
        tokens += article_tokens
        ends.append(len(tokens))
        content = _digest(article.text)
        contents.append(content)
        identities.append(_digest(f"id:{article.id}") if article.id else content)
        records.append((article.title, article.id, article.revision))
    data = io.BytesIO()
    np.savez(
        data,
        tokens=np.array(tokens, dtype=np.uint32),
        ends=np.array(ends, dtype=np.uint64),
        contents=_rows(contents),
        keys=_rows(identities),
        words=_bytes("\n".join(numbering.words())),
        records=_bytes(json.dumps(records)),
        tally=_bytes(json.dumps([tally.left_out, tally.templates])),
        digest=_bytes(digest),
    )
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with temporary.open("wb") as file:
            file.write(data.getbuffer())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


@dataclass(frozen=True)
class Shard:
    """A shard on disk; each part is read when it is needed, since most passes need only one or two."""

    path: Path

    def _part(self, name: str) -> np.ndarray:
        try:
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as parts:
                part: np.ndarray = parts[name]
                return part
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            remedy = "Delete this file and run the command again: its part of the source is read again."
            raise InputError(f"not a shard: {error}", remedy=remedy, file=str(self.path)) from error

    def _text(self, name: str) -> str:
        return self._part(name).tobytes().decode()

    @cached_property
    def tokens(self) -> np.ndarray:
        """The tokens of all articles: `<eos>` is 1, words are numbered from 2."""
        return self._part("tokens")

    @cached_property
    def ends(self) -> np.ndarray:
        """Where each article ends in the tokens."""
        return self._part("ends")

    def contents(self) -> np.ndarray:
        """A digest of each article's text, 16 bytes per row."""
        return self._part("contents")

    def identities(self) -> np.ndarray:
        """A digest of each article's id, or of its text if it has none, 16 bytes per row."""
        return self._part("keys")

    def words(self) -> list[str]:
        """The words in the order of their numbers, from 2."""
        text = self._text("words")
        return text.split("\n") if text else []

    def records(self) -> list[list[str]]:
        """Title, id and revision of each article."""
        records: list[list[str]] = parse_json(self._text("records"))
        return records

    def tally(self) -> Tally:
        """The counts of what did not become an article."""
        return Tally(*map(Counter, parse_json(self._text("tally"))))

    def digest(self) -> str:
        """The digest of the batch it was made from."""
        return self._text("digest")

    def token_mask(self, chosen: np.ndarray) -> np.ndarray:
        """Which tokens belong to the chosen articles; `chosen` has one truth value per article."""
        return np.repeat(chosen, np.diff(self.ends, prepend=0).astype(np.int64))

    def word_counts(self, chosen: np.ndarray) -> np.ndarray:
        """How often each number occurs in the chosen articles."""
        tokens = self.tokens if chosen.all() else self.tokens[self.token_mask(chosen)]
        return np.bincount(tokens, minlength=len(self.words()) + END_ID + 1)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=DIGEST).digest()


def _rows(digests: list[bytes]) -> np.ndarray:
    return np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(-1, DIGEST)


def _bytes(text: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(text.encode(), dtype=np.uint8)
