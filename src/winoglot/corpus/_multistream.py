"""A dump cut into byte ranges that hold whole pages each, so that they can be read side by side.

A multistream dump is many bz2 streams in a row, a hundred pages in each; the index that comes with it says where they
begin. Without an index the beginnings are found by their signature. Plain XML is cut before `<page>`.
"""

from __future__ import annotations

import bz2
import io
import mmap
import re
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, cast

from winoglot.corpus.bz2_streams import Bz2Streams
from winoglot.corpus.opening import Meter, opened, unreadable
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

PART = 1 << 24  # bytes of the stored file: some tens of seconds of work, so that little is lost by a kill
_SIGNATURE = re.compile(rb"BZh[1-9]1AY&SY")
_PAGE = b"<page>"
_BZ2 = b"BZh"
_PIECE = 1 << 16  # bytes of the stored file taken at once
_WHOLE_DUMP = "Get the dump again and compare its checksum; if it is whole, get its own index."
_OTHER_INDEX = "Give the index that was made with this dump, or leave it out."


@dataclass(frozen=True)
class Part:
    """Bytes of a dump from `start` to before `end`; the `last` part has the end of the XML in it."""

    start: int
    end: int
    last: bool


def parts(path: str, *, index: str | None = None, size: int = PART) -> list[Part]:
    """A dump's parts in order, each of about `size` bytes; a single one where the file cannot be cut.

    `index` is the file `…-multistream-index.txt`, as it is or compressed. Files that begin neither like bz2 nor like
    XML, and bz2 files whose streams are not cut between pages, are one part.
    """
    try:
        with Path(path).open("rb") as file:
            length = file.seek(0, io.SEEK_END)
            if not length:
                return [Part(0, 0, last=True)]
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                packed = _SIGNATURE.match(data) is not None
                if index is not None:
                    found: Iterable[int] = _indexed(data, path, index)
                else:
                    found = (match.start() for match in _SIGNATURE.finditer(data)) if packed else _pages(data, size)
                borders = _spaced(data, found, size, packed=packed)
    except OSError as error:
        raise unreadable(path, error) from error
    edges = [0, *borders, length]
    return [Part(start, end, last=end == length) for start, end in pairwise(edges)]


@contextmanager
def opened_part(path: str, part: Part | None) -> Iterator[tuple[BinaryIO, Meter]]:
    """The content of a part, or of the whole file, decompressed, and the meter of the bytes it is stored in."""
    if not _is_bz2(path) and (part is None or (part.start == 0 and part.last)):
        with opened(path) as whole:
            yield whole
        return
    try:
        file = Path(path).open("rb")  # noqa: SIM115 (closed below: only opening it is tried)
    except OSError as error:
        raise unreadable(path, error) from error
    with file:
        packed = file.read(3) == _BZ2
        start, end = (part.start, part.end) if part else (0, file.seek(0, io.SEEK_END))
        file.seek(start)
        meter = Meter(cast("BinaryIO", _Range(file, end - start)))
        stored = cast("BinaryIO", meter)
        stream = Bz2Streams(stored, path, lambda: start + meter.position) if packed else meter
        yield io.BufferedReader(stream, _PIECE), meter


@contextmanager
def placed_in(part: Part | None) -> Iterator[None]:
    """A line within a later part is no line of the file: name the part's first byte instead."""
    try:
        yield
    except InputError as error:
        if part is not None and part.start:
            error.message += f" (line {error.line} of the part that begins at byte {part.start})"
            error.line = error.column = None
        raise


class _Range:
    """The next bytes of a file, so many and no more."""

    def __init__(self, file: BinaryIO, length: int) -> None:
        self._file = file
        self._left = length

    def read(self, size: int) -> bytes:
        data = self._file.read(min(size, self._left))
        self._left -= len(data)
        return data


def _is_bz2(path: str) -> bool:
    try:
        with Path(path).open("rb") as file:
            return file.read(3) == _BZ2
    except OSError:
        return False


def _pages(data: mmap.mmap, size: int) -> Iterator[int]:
    """Where pages of plain XML begin, one in each stretch of `size`; in a text the sign < is written otherwise."""
    position = size
    while 0 <= position < len(data):
        position = data.find(_PAGE, position)
        if position >= 0:
            yield position
            position += size


def _indexed(data: mmap.mmap, path: str, index: str) -> Iterator[int]:
    """Where the index says that streams begin."""
    last = -1
    with opened(index) as (stream, _):
        for number, line in enumerate(io.BufferedReader(cast("io.RawIOBase", stream)), 1):
            text = line.partition(b":")[0]
            if not text.isdigit():
                message = f"{line[:40].decode(errors='replace').strip()!r} is no line of an index (BYTE:ID:TITLE)"
                raise InputError(message, remedy=_OTHER_INDEX, file=index, line=number)
            start = int(text)
            if start >= len(data):
                message = f"is cut short: it has {len(data)} bytes, and {index} says that a stream begins at {start}"
                raise InputError(message, remedy=_WHOLE_DUMP, file=path)
            if start != last and _SIGNATURE.match(data, start) is None:
                message = f"no stream of the dump begins at byte {start}"
                raise InputError(message, remedy=_OTHER_INDEX, file=index, line=number)
            if start > last:
                yield start
                last = start


def _spaced(data: mmap.mmap, found: Iterable[int], size: int, *, packed: bool) -> list[int]:
    """Of the places found those that are at least `size` apart and begin a page."""
    borders: list[int] = []
    last = 0
    for start in found:
        if start - last < size:
            continue
        if packed and not _begins_page(data, start):
            continue
        borders.append(start)
        last = start
    return borders


def _begins_page(data: mmap.mmap, start: int) -> bool:
    """Whether a stream is cut between pages: other programs cut theirs anywhere."""
    decompressor = bz2.BZ2Decompressor()
    position = start
    try:
        while position < len(data) and not decompressor.eof:
            beginning = decompressor.decompress(data[position : position + (1 << 16)], 64)
            if beginning:
                return beginning.lstrip().startswith(_PAGE)
            position += 1 << 16
    except OSError:  # the signature was a chance one, or the stream is damaged: its reader will say so
        return False
    return False
