"""What a format's reader gets: a file, its text, what the caller asked for, and a report to write into."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot._version import __version__
from winoglot.errors import InputError
from winoglot.files import decode, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import ModuleType

MAX_BYTES = 64 * 2**20
_HEAD = 4096


@dataclass(frozen=True)
class Remark:
    """Something a reader repaired or left out, and why."""

    line: int
    what: str
    why: str


@dataclass
class Report:
    """What a reader did to a file beyond reading it."""

    repaired: list[Remark] = field(default_factory=list)
    skipped: list[Remark] = field(default_factory=list)


@dataclass(frozen=True)
class InputFile:
    """A file to read, and what the caller says of it: the language wanted, files of labels, whose data it is."""

    path: Path
    language: str | None = None
    name: str = ""
    labels: tuple[Path, ...] = ()
    licence: str | None = None
    citation: str | None = None
    report: Report = field(default_factory=Report, compare=False)

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

    @property
    def provenance(self) -> str:
        """One line that says where a collection read from this file comes from."""
        digest = hashlib.sha256(self.data).hexdigest()[:16]
        return f"read from {self.path.name} (sha256 {digest}) by winoglot {__version__}"

    def collection_name(self, language: str) -> str:
        """What a collection is called whose file does not name it."""
        return f"{self.path.stem}-{language}"

    def repaired(self, line: int, what: str, why: str) -> None:
        """Report something that was put right, or that is wrong and was kept."""
        self.report.repaired.append(Remark(line, what, why))

    def skipped(self, line: int, what: str, why: str) -> None:
        """Report something that was left out."""
        self.report.skipped.append(Remark(line, what, why))


def recognise(file: InputFile) -> str:
    """The name of the format that a file is in: by suffix first, then by content among all formats.

    The format named after the suffix is asked first and alone, so that reading a YAML file imports no other format.
    """
    head = file.text[:_HEAD]
    if not head.strip():
        raise InputError("the file is empty", remedy="Give a file that holds a collection.", file=file.label)
    suffix = file.path.suffix.lower()
    if sniffing(head, load_formats(named_after(suffix))[0]):
        return named_after(suffix)[0]
    modules, broken = load_formats()
    readable = {name: module for name, module in modules.items() if hasattr(module, "read")}
    of_suffix = {name: module for name, module in readable.items() if suffix in suffixes(module)}
    found = sniffing(head, of_suffix) or sniffing(head, readable) or list(of_suffix)
    if len(found) == 1:
        return found[0]
    if sniffing(head, readable):
        message = f"the file could be {' or '.join(found)}"
    else:
        message = "the file is not in a format that Winoglot recognises"
    remedy = f"Name the format with --format, or as in yaml:PATH. Known: {', '.join(readable)}."
    if broken:
        remedy += f" Formats that could not be loaded: {', '.join(broken)}."
    raise InputError(message, remedy=remedy, file=file.label)


def named_after(suffix: str) -> list[str]:
    """The format that has the suffix as its name, if there is one: `jsonl` for `.jsonl`."""
    name = {".yml": "yaml", ".htm": "html"}.get(suffix, suffix.removeprefix("."))
    return [name] if name in registry.names("formats") else []


def suffixes(module: ModuleType) -> tuple[str, ...]:
    """The suffixes that files of the format have."""
    return tuple(getattr(module, "SUFFIXES", ()))


def sniffing(head: str, modules: Mapping[str, ModuleType]) -> list[str]:
    """The names of the formats that can read a file that begins like this."""
    return [name for name, module in modules.items() if hasattr(module, "sniff") and module.sniff(head)]


def load_formats(names: Iterable[str] | None = None) -> tuple[dict[str, ModuleType], list[str]]:
    """These formats, or all; and the names of those that could not be loaded, which must not stop the others."""
    modules: dict[str, ModuleType] = {}
    broken: list[str] = []
    for name in registry.names("formats") if names is None else names:
        try:
            modules[name] = registry.load("formats", name)
        except InputError:
            broken.append(name)
    return modules, broken
