"""What every format works with: the file to read and the report on it, how a format is found, what a writer loses."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot._version import __version__
from winoglot.errors import InputError
from winoglot.files import GZIP, decode, plain_path, read_bytes, unpack
from winoglot.schemas.model import NO_FEATURES, NO_TERMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from types import ModuleType

    from winoglot.schemas.model import Collection, Item

    Repaired = Callable[..., None]

MAX_BYTES = 512 * 2**20
_HEAD = 4096


@dataclass(frozen=True)
class Remark:
    """Something that a reader repaired or skipped, and why."""

    line: int
    what: str
    why: str


@dataclass
class Report:
    """What a reader repaired and what it skipped."""

    repaired: list[Remark] = field(default_factory=list)
    skipped: list[Remark] = field(default_factory=list)


@dataclass(frozen=True)
class InputFile:
    """A file to read and what the caller says about it: the language wanted, label files, licence and citation."""

    path: Path
    language: str | None = None
    name: str = ""
    labels: tuple[Path, ...] = ()
    licence: str | None = None
    citation: str | None = None
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)  # of a table: where each field stands
    report: Report = field(default_factory=Report, compare=False)

    @property
    def label(self) -> str:
        """What messages call the file."""
        return self.name or str(self.path)

    @cached_property
    def data(self) -> bytes:
        """Its bytes, unpacked if it is packed with gzip; more than 512 MiB is an input error."""
        data = read_bytes(self.path, MAX_BYTES)
        return unpack(data, MAX_BYTES, self.label) if self.path.suffix.lower() == GZIP else data

    @cached_property
    def text(self) -> str:
        """Its text, decoded from UTF-8."""
        return decode(self.data, self.label)

    @property
    def plain_path(self) -> Path:
        """Its path without the suffix of a packed file."""
        return plain_path(self.path)

    @property
    def provenance(self) -> str:
        """One line that says where a collection read from this file comes from."""
        digest = hashlib.sha256(self.data).hexdigest()[:16]
        return f"read from {self.path.name} (sha256 {digest}) by winoglot {__version__}"

    def repaired(self, line: int, what: str, why: str) -> None:
        """Report something that was repaired, or that is wrong and was kept."""
        self.report.repaired.append(Remark(line, what, why))

    def skipped(self, line: int, what: str, why: str) -> None:
        """Report something that was skipped."""
        self.report.skipped.append(Remark(line, what, why))

    @contextmanager
    def skipping(self, line: int, what: str) -> Iterator[Repaired]:
        """Turn an input error inside the block into a report that this part of the file was skipped.

        The block is given a function that reports what was repaired in this part, or `of` what in it.

        >>> file = InputFile(Path("some.tsv"))
        >>> with file.skipping(3, "row 2"):
        ...     raise InputError("it has no pronoun")
        >>> file.report.skipped
        [Remark(line=3, what='row 2', why='it has no pronoun')]
        """

        def repaired(why: str, of: str = "") -> None:
            self.repaired(line, f"{of} of {what}" if of else what, why)

        try:
            yield repaired
        except InputError as error:
            self.skipped(line, what, error.message)


def recognise(file: InputFile) -> str:
    """The name of the format that a file is in: by suffix first, then by content among all formats.

    The format named after the suffix is asked first and alone, so that reading a YAML file imports no other format.
    """
    try:
        head = file.text[:_HEAD]
    except InputError:
        binary = {name: getattr(module, "MAGIC", None) for name, module in load_formats()[0].items()}
        for name, magic in binary.items():
            if magic and file.data.startswith(magic):
                return name
        raise
    if not head.strip():
        raise InputError("the file is empty", remedy="Give a file that contains a collection.", file=file.label)
    suffix = file.plain_path.suffix.lower()
    if sniffing(head, load_formats(named_after(suffix))[0]):
        return named_after(suffix)[0]
    modules, broken = load_formats()
    readable = {name: module for name, module in modules.items() if hasattr(module, "read")}
    of_suffix = {name: module for name, module in readable.items() if suffix in suffixes(module)}
    names = sniffing(head, of_suffix) or sniffing(head, readable) or list(of_suffix)
    if len(names) == 1:
        return names[0]
    if sniffing(head, readable):
        message = f"the file could be {' or '.join(names)}"
    else:
        message = "the file is not in a format that Winoglot recognises"
    remedy = f"Name the format with --format, or write yaml:PATH. Known: {', '.join(readable)}."
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
    return [
        name
        for name, module in modules.items()
        if hasattr(module, "sniff") and registry.call_plugin(f"sniff of the format {name!r}", module.sniff, head)
    ]


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


def what_is_lost(
    collection: Collection,
    obstacle: Callable[[Item], str | None],
    of_item: Callable[[Item], Iterable[str]],
    *,
    held: Iterable[str] = (),
) -> list[str]:
    """What a format of plain sentences cannot hold of a collection, each with the ids it concerns.

    First each item that the format cannot hold, with the `obstacle`, or what `of_item` says of an item that it can;
    then every field that has a value but no place in the format, except those in `held`.
    """
    lost: dict[str, list[str]] = {}
    for item in collection.items:
        reason = obstacle(item)
        for loss in of_item(item) if reason is None else [f"left out because {reason}"]:
            lost.setdefault(loss, []).append(item.id)
    lost["variants"] = [variant.id for variant in collection.variants()]
    for name in ("question", "hypotheses", "readings", "inferences", "phrase", "tags", "confidence"):
        lost[name] = [item.id for item in collection.items if getattr(item, name)]
    lost["roles"] = [item.id for item in collection.items if any(c.role for c in item.candidates)]
    lost["terms"] = [item.id for item in collection.items if item.terms != NO_TERMS]
    lost["features"] = [i.id for i in collection.items if any(c.features != NO_FEATURES for c in i.candidates)]
    for name in ("adaptation", "explanation", "note", "impossible", "made"):
        lost[name] = [schema.id for schema in collection.schemas if getattr(schema, name)]
    for name in ("description", "licence", "citation", "validated", "keep_names", "untranslatable"):
        lost[name] = [collection.name] if getattr(collection, name) else []
    return [f"{loss}: {', '.join(ids)}" for loss, ids in lost.items() if ids and loss not in held]


def describe_origin(collection: Collection) -> str:
    """Markdown that says whose data it is, to accompany every copy."""
    provenance = "".join(f"\n  - {plain(step)}" for step in collection.provenance) or " not stated"
    left_out = "".join(f"\n  - {name}: {plain(reason)}" for name, reason in collection.untranslatable.items())
    return (
        f"- language: {collection.language}\n"
        f"- licence: {plain(collection.licence or 'not stated')}\n"
        f"- citation: {plain(collection.citation or 'not stated')}\n"
        f"- provenance:{provenance}\n"
        f"- validated by: {collection.validated or 'not stated'}\n"
    ) + (f"- not translated:{left_out}\n" if left_out else "")


def plain(text: str) -> str:
    """A text of a collection as one line of Markdown, with every character that Markdown would interpret escaped."""
    return re.sub(r"[\\`*\[\]<>|#&~]|(?<!\w)_|_(?!\w)", r"\\\g<0>", " ".join(text.split()))
