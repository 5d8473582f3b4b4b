"""Files in and out: bounded, decoded with places; written whole or not at all."""

from __future__ import annotations

import codecs
import os
import shutil
from typing import TYPE_CHECKING

from winoglot.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

Content = str | bytes | dict[str, str | bytes]  # of a file, or of the files of a folder
_UTF16_AND_32 = {
    codecs.BOM_UTF32_LE: "UTF-32",
    codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16",
    codecs.BOM_UTF16_BE: "UTF-16",
}


def read_bytes(path: Path, limit: int) -> bytes:
    """The file's content; a missing, unreadable or too large file is an input error."""
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror}", remedy=_read_remedy(error), file=str(path)) from error
    if len(data) > limit:
        raise InputError(
            f"the file is larger than {limit // 2**20} MiB, the most this format may have",
            remedy="Split it into several collections.",
            file=str(path),
        )
    return data


def _read_remedy(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "Check the path; 'winoglot list' shows the bundled collections."
    return "Name a file that you may read."


def decode(data: bytes, file: str) -> str:
    """The text of a UTF-8 file, its byte order mark taken off; anything else is an input error with its place."""
    for mark, name in _UTF16_AND_32.items():
        if data.startswith(mark):
            raise InputError(
                f"the file is {name}, not UTF-8", remedy=f"Convert it: iconv -f {name} -t UTF-8.", file=file
            )
    data = data.removeprefix(codecs.BOM_UTF8)
    if b"\0" in data:
        raise InputError("the file is binary, not text", remedy="Give a text file in UTF-8.", file=file)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        before = data[: error.start]
        raise InputError(
            f"the byte 0x{data[error.start]:02X} is not UTF-8",
            remedy="Save the file as UTF-8; if it is Latin-1: iconv -f ISO-8859-1 -t UTF-8.",
            file=file,
            line=before.count(b"\n") + 1,
            column=len(before.rpartition(b"\n")[2].decode(errors="replace")) + 1,
        ) from error


def write_whole(path: Path, data: str | bytes, *, force: bool = False) -> None:
    """Write to a temporary file beside it, then rename: a reader sees the old file or the new one, never a part."""
    target = path.resolve()
    check_free(target, force=force)
    temporary = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
    try:
        try:
            with temporary.open("xb") as file:
                file.write(data.encode() if isinstance(data, str) else data)
                file.flush()
                os.fsync(file.fileno())
            temporary.replace(target)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot_write(error, path) from error


def _cannot_write(error: OSError, path: Path) -> InputError:
    return InputError(
        f"cannot be written: {error.strerror}", remedy="Name a folder that exists and has room.", file=str(path)
    )


def write_folder(path: Path, files: dict[str, str | bytes], *, force: bool = False) -> None:
    """Write the files into a new folder beside it, then rename: the folder is there whole or not at all."""
    target = path.resolve()
    if os.path.lexists(target) and not (target.is_dir() and force):
        remedy = "Name another, or add --force." if target.is_dir() else "Name another."
        raise InputError("there is something of this name already", remedy=remedy, file=str(path))
    temporary = target.with_name(f".{target.name[:100]}.{os.getpid()}.tmp")
    try:
        try:
            temporary.mkdir()
            for name, data in files.items():
                (temporary / name).write_bytes(data.encode() if isinstance(data, str) else data)
            if target.is_dir():
                shutil.rmtree(target)
            temporary.replace(target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    except OSError as error:
        raise _cannot_write(error, path) from error


def check_free(path: Path, *, force: bool) -> None:
    """Refuse to overwrite a file without `force`, and anything but a plain file always."""
    if not os.path.lexists(path):
        return
    if not path.is_file():
        raise InputError("not a plain file", remedy="Name another output.", file=str(path))
    if not force:
        raise InputError("the file exists already", remedy="Name another, or add --force.", file=str(path))
