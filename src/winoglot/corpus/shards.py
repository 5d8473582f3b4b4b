"""What one batch of a source became: its articles' tokens in a numbering of their own, kept until all are known."""

from __future__ import annotations

import hashlib
import io
import json
import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zipfile import BadZipFile

import numpy as np

from winoglot.corpus.tokenising import END_ID, Numbering
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from winoglot.corpus.article import Article

DIGEST = 16  # bytes; no two articles of all wikis share one by chance


@dataclass(frozen=True)
class Tally:
    """How much of a source became no article, by reason, and which templates pages without a wanted mark carry."""

    left_out: Counter[str] = field(default_factory=Counter)
    templates: Counter[str] = field(default_factory=Counter)


def write_shard(
    path: Path,
    articles: Iterable[Article],
    tokenise: Callable[[str, Numbering], list[int]],
    tally: Tally,
    digest: str = "",
) -> None:
    """Tokenise the articles and write them, whole or not at all. `tally` counts what the source did not yield.

    `digest` is that of the batch, to see when a build goes on that it is the same.
    """
    numbering = Numbering()
    tokens: list[int] = []
    ends, contents, keys, records = [], [], [], []
    for article in articles:
        found = tokenise(article.text, numbering)
        if not found:
            tally.left_out["empty"] += 1
            continue
        tokens += found
        ends.append(len(tokens))
        content = _digest(article.text)
        contents.append(content)
        keys.append(_digest(f"id:{article.id}") if article.id else content)
        records.append((article.title, article.id, article.revision))
    data = io.BytesIO()
    np.savez(
        data,
        tokens=np.array(tokens, dtype=np.uint32),
        ends=np.array(ends, dtype=np.uint64),
        contents=_rows(contents),
        keys=_rows(keys),
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
    """A shard on disk; every part is read when asked for, since most passes need one or two."""

    path: Path

    def _part(self, name: str) -> np.ndarray:
        try:
            with self.path.open("rb") as file, np.load(file, allow_pickle=False) as parts:
                part: np.ndarray = parts[name]
                return part
        except (OSError, ValueError, KeyError, BadZipFile) as error:
            remedy = "Delete this file and give the command again: its part is read anew."
            raise InputError(f"is no shard: {error}", remedy=remedy, file=str(self.path)) from error

    def _text(self, name: str) -> str:
        return self._part(name).tobytes().decode()

    @cached_property
    def tokens(self) -> np.ndarray:
        """The tokens of all articles, `<eos>` as 1, words from 2."""
        return self._part("tokens")

    @cached_property
    def ends(self) -> np.ndarray:
        """Where each article ends in the tokens."""
        return self._part("ends")

    def contents(self) -> np.ndarray:
        """A digest of each article's text: 16 bytes a row."""
        return self._part("contents")

    def identities(self) -> np.ndarray:
        """A digest of what each article is known by, its id or else its text: 16 bytes a row."""
        return self._part("keys")

    def words(self) -> list[str]:
        """The words in the order of their numbers, from 2."""
        text = self._text("words")
        return text.split("\n") if text else []

    def records(self) -> list[list[str]]:
        """Title, id and revision of each article."""
        records: list[list[str]] = json.loads(self._text("records"))
        return records

    def tally(self) -> Tally:
        """What became no article."""
        return Tally(*map(Counter, json.loads(self._text("tally"))))

    def digest(self) -> str:
        """That of the batch it was made from."""
        return self._text("digest")

    def token_mask(self, chosen: np.ndarray) -> np.ndarray:
        """Which tokens belong to the chosen articles (a truth value an article)."""
        return np.repeat(chosen, np.diff(self.ends, prepend=0).astype(np.int64))

    def word_counts(self, chosen: np.ndarray) -> np.ndarray:
        """How often the chosen articles have each number."""
        tokens = self.tokens if chosen.all() else self.tokens[self.token_mask(chosen)]
        return np.bincount(tokens, minlength=len(self.words()) + END_ID + 1)


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=DIGEST).digest()


def _rows(digests: list[bytes]) -> np.ndarray:
    return np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(-1, DIGEST)


def _bytes(text: str) -> np.ndarray[Any, np.dtype[np.uint8]]:
    return np.frombuffer(text.encode(), dtype=np.uint8)
