"""What a format's reader gets: a file, its text, and what the caller asked for."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from winoglot import registry
from winoglot.errors import InputError
from winoglot.files import decode, read_bytes

MAX_BYTES = 64 * 2**20
_HEAD = 4096


@dataclass(frozen=True)
class InputFile:
    """A file to read, and the language wanted of it where it holds several."""

    path: Path
    language: str | None = None
    name: str = ""

    @property
    def label(self) -> str:
        """What messages call it."""
        return self.name or str(self.path)

    @cached_property
    def data(self) -> bytes:
        """Its bytes, not more than a format may have."""
        return read_bytes(self.path, MAX_BYTES)

    @cached_property
    def text(self) -> str:
        """Its text, decoded from UTF-8."""
        return decode(self.data, self.label)


def recognise(file: InputFile) -> str:
    """The name of the format that the file is in, by its content and, where that does not tell, by its suffix."""
    head = file.text[:_HEAD]
    if not head.strip():
        raise InputError("the file is empty", remedy="Give a file that holds a collection.", file=file.label)
    readable = {name: module for name in registry.names("formats") if hasattr(module := _module(name), "read")}
    found = [name for name, module in readable.items() if hasattr(module, "sniff") and module.sniff(head)]
    if not found:
        suffix = file.path.suffix.lower()
        found = [name for name, module in readable.items() if suffix in getattr(module, "SUFFIXES", ())]
    if len(found) != 1:
        many = f"could be {' or '.join(found)}" if found else "is in no format that Winoglot knows"
        raise InputError(
            f"the file {many}", remedy=f"Say which, as in yaml:PATH. Known: {', '.join(readable)}.", file=file.label
        )
    return found[0]


def _module(name: str) -> object:
    return registry.load("formats", name)
