"""Streams of bz2 in a row, read as one.

The standard library takes a damaged stream after a whole one for the end of the file; here it is an error.
"""

from __future__ import annotations

import bz2
import io
from typing import TYPE_CHECKING, BinaryIO

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

_PIECE = 1 << 16  # bytes of the stored file taken at once
DAMAGED = "The file is damaged or was cut short: get it again and compare its checksum."


class Bz2Streams(io.RawIOBase):
    """The decompressed bytes of a stored file, or of a part of it; `position` says how far that has been read."""

    def __init__(self, stored: BinaryIO, path: str, position: Callable[[], int]) -> None:
        """Of an open file, whose path is for messages."""
        self._stored = stored
        self._path = path
        self._position = position
        self._decompressor = bz2.BZ2Decompressor()
        self._begun = False  # whether something of the present stream was read

    def readable(self) -> bool:
        """It is."""
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Take bytes; a damaged or unfinished stream is an input error."""
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
                data = self._stored.read(_PIECE) or b""
                if not data:
                    if self._begun:
                        raise self._damaged("the file or part ends in the middle of a bz2 stream")
                    return b""
            self._begun = True
            try:
                result = self._decompressor.decompress(data, size)
            except OSError as error:
                raise self._damaged("cannot be decompressed") from error
            if result:
                return result

    def _damaged(self, what: str) -> InputError:
        message = f"{what}, at or a little before byte {self._position()}"
        return InputError(message, remedy=DAMAGED, file=self._path)
