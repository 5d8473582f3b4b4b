"""Folders of mapped files and a description in JSON, written last: how a corpus and its counts lie on disk."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


@dataclass(frozen=True)
class Description:
    """How folders of one kind are described."""

    what: str  # as messages call it
    file: str
    format: int
    keys: frozenset[str]
    under_way: str  # the folder inside in which one is made
    unfinished: tuple[str, str]  # what is said of one that is not whole, and what to do
    make: str  # what to do where there is none
    again: str  # and where one is damaged or old

    def read(self, folder: Path) -> dict[str, Any]:
        """The description in a folder; one that is not whole, or of another program's making, is an input error."""
        file = folder / self.file
        try:
            info = json.loads(file.read_bytes())
        except NotADirectoryError as error:
            remedy = f"Name the folder that has {self.file} in it."
            raise InputError(f"no {self.what}: it is not a folder", remedy=remedy, file=str(folder)) from error
        except FileNotFoundError as error:
            none = (f"no {self.what}: there is no {self.file}", self.make)
            message, remedy = self.unfinished if (folder / self.under_way).is_dir() else none
            raise InputError(message, remedy=remedy, file=str(folder)) from error
        except (OSError, ValueError) as error:
            raise InputError(f"cannot be read: {error}", remedy=self.again, file=str(file)) from error
        missing = self.keys - info.keys() if isinstance(info, dict) else self.keys
        if missing:
            message = f"does not describe {self.what}: it lacks {', '.join(sorted(missing))}"
            raise InputError(message, remedy=self.again, file=str(file))
        if info["format"] != self.format:
            message = f"the {self.what} has the format {info['format']!r}; this version reads {self.format}"
            raise InputError(message, remedy=self.again, file=str(file))
        described: dict[str, Any] = info
        return described

    def mapped(self, path: Path, kind: np.dtype[Any], length: int | None) -> np.ndarray:
        """A file's numbers, mapped; one that has not the length that is described is an input error."""
        try:
            size = path.stat().st_size
            if length is not None and size != length * kind.itemsize:
                message = f"has {size} bytes; {self.file} says {length * kind.itemsize}"
                raise InputError(message, remedy=self.again, file=str(path))
            return np.memmap(path, dtype=kind, mode="r") if size else np.empty(0, kind)  # nothing cannot be mapped
        except OSError as error:
            raise InputError(f"cannot be read: {error.strerror}", remedy=self.again, file=str(path)) from error


def files_hash(folder: Path, names: Iterable[str]) -> str:
    """The SHA-256 over files of a folder, in the order of their names here."""
    result = hashlib.sha256()
    for name in names:
        with (folder / name).open("rb") as file:
            result.update(f"{name}\0".encode() + hashlib.file_digest(file, "sha256").digest())
    return result.hexdigest()
