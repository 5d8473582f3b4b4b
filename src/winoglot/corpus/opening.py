"""Source files opened for reading: plain, gzip or bzip2 by their content, or standard input; counted and hashed."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from winoglot.corpus.bz2_streams import DAMAGED, Bz2Streams
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

STANDARD_INPUT = "-"
_GZIP, _BZIP2 = b"\x1f\x8b", b"BZh"
_PIECE = 1 << 24  # bytes hashed at a time


@dataclass(frozen=True)
class Measured:
    """What is known of a source once it was read to its end; the licence only where the source itself tells it."""

    size: int
    sha256: str
    licence: str = ""


class Meter(io.RawIOBase):
    """A stream that knows how many bytes were taken from it, and their SHA-256."""

    def __init__(self, stream: BinaryIO) -> None:
        """Of an open stream."""
        self._stream = stream
        self._hash = hashlib.sha256()
        self.position = 0

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Take bytes."""
        data = self._stream.read(len(buffer))
        buffer[: len(data)] = data
        self.position += len(data)
        self._hash.update(data)
        return len(data)

    def measured(self, licence: str = "") -> Measured:
        """What was read so far."""
        return Measured(self.position, self.sha256, licence)

    @property
    def sha256(self) -> str:
        """Of the bytes taken so far."""
        return self._hash.hexdigest()


@contextmanager
def opened(source: str) -> Iterator[tuple[BinaryIO, Meter]]:
    """The source's content, decompressed, and the meter of the bytes it is stored in."""
    meter = None
    try:
        with sys.stdin.buffer if source == STANDARD_INPUT else Path(source).open("rb") as raw:
            meter = Meter(cast("BinaryIO", raw))
            buffered = io.BufferedReader(meter, 1 << 20)
            yield _decompressed(buffered, source, meter), meter
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise _damaged(source, meter, error) from error
    except OSError as error:
        if meter is not None:
            raise
        raise unreadable(source, error) from error


def source_name(source: str) -> str:
    """A source as messages name it."""
    return "standard input" if source == STANDARD_INPUT else source


def unreadable(source: str, error: OSError) -> InputError:
    """That a file cannot be opened or read."""
    remedy = "Name files that you may read." if not Path(source).is_dir() else "Name the files in it: DIR/*."
    return InputError(f"cannot be read: {error.strerror}", remedy=remedy, file=source)


def _decompressed(stream: io.BufferedReader[Meter], source: str, meter: Meter) -> BinaryIO:
    head = stream.peek(3)
    if head.startswith(_GZIP):
        return cast("BinaryIO", gzip.GzipFile(fileobj=stream))
    if head.startswith(_BZIP2):
        return io.BufferedReader(
            Bz2Streams(cast("BinaryIO", stream), source_name(source), lambda: meter.position), 1 << 20
        )
    return cast("BinaryIO", stream)


def _damaged(source: str, meter: Meter | None, error: Exception) -> InputError:
    place = f" near byte {meter.position}" if meter else ""
    return InputError(f"cannot be decompressed{place}: {error}", remedy=DAMAGED, file=source_name(source))


def file_hash(source: str, progress: Callable[[int, int], object] | None = None) -> str:
    """The SHA-256 of a file as it is stored. `progress` is told how many bytes are done, and how many there are."""
    result = hashlib.sha256()
    try:
        with Path(source).open("rb") as file:
            total = file.seek(0, io.SEEK_END)
            file.seek(0)
            while data := file.read(_PIECE):
                result.update(data)
                if progress is not None:
                    progress(file.tell(), total)
    except OSError as error:
        raise unreadable(source, error) from error
    return result.hexdigest()


def sniffed_kind(source: str) -> str:
    """`dump`, `jsonl` or `text`, by how a source begins.

    A source that can be read only once, standard input, cannot be looked at: its kind must be said.
    """
    if source == STANDARD_INPUT:
        raise InputError("standard input may hold anything", remedy="Add --from dump, --from text or --from jsonl.")
    with opened(source) as (stream, _):
        head = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith((b"<mediawiki", b"<?xml")):
        return "dump"
    return "jsonl" if head.startswith(b"{") else "text"


def common_kind(sources: Sequence[str]) -> str:
    """The kind that all sources have; two that begin like different kinds are an input error."""
    first, *others = sources
    kind = sniffed_kind(first)
    for other in others:
        if (found := sniffed_kind(other)) != kind:
            message = f"the sources are of different kinds: {first} looks like {kind}, {other} like {found}"
            raise InputError(message, remedy="Build of one kind, or say with --from what all of them are.")
    return kind
