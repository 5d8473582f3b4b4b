"""Opening a source: a plain, gzip or bzip2 file or standard input; measured, hashed, and its kind recognised."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import sys
import zlib
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, cast

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

STANDARD_INPUT = "-"
_DAMAGED = "The file is damaged or incomplete: download it again and compare its checksum."
_GZIP, _BZIP2 = b"\x1f\x8b", b"BZh"


@dataclass(frozen=True)
class Measured:
    """What is known about a source after reading all of it; a licence only if the source itself states one."""

    size: int
    sha256: str
    licence: str = ""


@contextmanager
def opened(source: str, start: int = 0, end: int | None = None) -> Iterator[tuple[BinaryIO, Meter]]:
    """The content of a source, or of the stored bytes `start` to `end`, decompressed; and the meter of stored bytes.

    gzip and bzip2 are recognised by content.
    """
    meter = None
    try:
        with sys.stdin.buffer if source == STANDARD_INPUT else Path(source).open("rb") as raw:
            if start:
                raw.seek(start)
            meter = Meter(cast("BinaryIO", raw), None if end is None else end - start)
            buffered = io.BufferedReader(meter, 1 << 16)
            head = buffered.peek(3)
            stream: Any = buffered
            if head.startswith(_GZIP):
                stream = gzip.GzipFile(fileobj=buffered)
            elif head.startswith(_BZIP2):
                position = meter
                streams = Bz2Streams(cast("BinaryIO", buffered), source_name(source), lambda: start + position.position)
                stream = io.BufferedReader(streams, 1 << 18)
            yield stream, meter
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        place = f" near byte {start + meter.position}" if meter else ""
        message = f"cannot be decompressed{place}: {error}"
        raise InputError(message, remedy=_DAMAGED, file=source_name(source)) from error
    except OSError as error:
        if meter is not None:
            raise
        raise unreadable(source, error) from error


def source_name(source: str) -> str:
    """What messages call a source."""
    return "standard input" if source == STANDARD_INPUT else source


def unreadable(source: str, error: OSError) -> InputError:
    """The error for a file that cannot be opened or read."""
    remedy = "Name readable files." if not Path(source).is_dir() else "Name the files in it: DIR/*."
    return InputError(f"cannot be read: {error.strerror}", remedy=remedy, file=source)


def file_hash(source: str, progress: Callable[[int, int], object] | None = None) -> str:
    """The SHA-256 of a stored file. `progress` is called with the bytes done and the size of the file."""
    result = hashlib.sha256()
    try:
        with Path(source).open("rb") as file:
            total = file.seek(0, io.SEEK_END)
            file.seek(0)
            while data := file.read(1 << 24):
                result.update(data)
                if progress is not None:
                    progress(file.tell(), total)
    except OSError as error:
        raise unreadable(source, error) from error
    return result.hexdigest()


def common_kind(sources: Sequence[str]) -> str:
    """The kind of all the sources; sources of different kinds are an input error."""
    first, *others = sources
    kind = sniffed_kind(first)
    for other in others:
        if (other_kind := sniffed_kind(other)) != kind:
            message = f"the sources are of different kinds: {first} looks like {kind}, {other} like {other_kind}"
            raise InputError(message, remedy="Use sources of one kind, or say with --from what they all are.")
    return kind


def sniffed_kind(source: str) -> str:
    """`dump`, `jsonl` or `text`, by how a source begins. The kind of standard input must be given."""
    if source == STANDARD_INPUT:
        message = "the kind of standard input is not known"
        raise InputError(message, remedy="Add --from dump, --from text or --from jsonl.")
    with opened(source) as (stream, _):
        head = stream.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    if head.startswith((b"<mediawiki", b"<?xml")):
        return "dump"
    return "jsonl" if head.startswith(b"{") else "text"


class Meter(io.RawIOBase):
    """A stream that knows how many bytes were read from it, and their SHA-256. It ends after `length` bytes."""

    def __init__(self, stream: BinaryIO, length: int | None = None) -> None:
        """Read from an open stream."""
        self._stream = stream
        self._length = length
        self._hash = hashlib.sha256()
        self.position = 0

    def readable(self) -> bool:
        """True: it can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read into the buffer."""
        size = len(buffer) if self._length is None else min(len(buffer), self._length - self.position)
        data = self._stream.read(size)
        buffer[: len(data)] = data
        self.position += len(data)
        self._hash.update(data)
        return len(data)

    def measured(self, licence: str = "") -> Measured:
        """Size and hash of what was read so far."""
        return Measured(self.position, self._hash.hexdigest(), licence)


class Bz2Streams(io.RawIOBase):
    """Concatenated bz2 streams, decompressed.

    The standard library takes a damaged stream after an intact one for the end of the file. Here it is an error.
    """

    def __init__(self, stored: BinaryIO, path: str, position: Callable[[], int]) -> None:
        """Read from an open file; its path and the position in it are for messages."""
        self._stored, self._path, self._position = stored, path, position
        self._decompressor = bz2.BZ2Decompressor()
        self._begun = False  # whether anything of the current stream has been read

    def readable(self) -> bool:
        """True: it can be read."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Read into the buffer; a damaged or incomplete stream is an input error."""
        data = self._next(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _next(self, size: int) -> bytes:
        while True:
            data = b""
            if self._decompressor.eof:
                data = self._decompressor.unused_data
                self._decompressor = bz2.BZ2Decompressor()
                self._begun = False
            if not data and self._decompressor.needs_input:
                data = self._stored.read(1 << 16) or b""
                if not data:
                    if self._begun:
                        raise self._damage_error("the file or part ends inside a bz2 stream")
                    return b""
            self._begun = True
            try:
                result = self._decompressor.decompress(data, size)
            except OSError as error:
                raise self._damage_error("cannot be decompressed") from error
            if result:
                return result

    def _damage_error(self, fault: str) -> InputError:
        message = f"{fault}, at or a little before byte {self._position()}"
        return InputError(message, remedy=_DAMAGED, file=self._path)
