"""YAML documents as plain values, with the place of each: no tags, no anchors, no implicit types."""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 16
MAX_CHARACTERS = 16 * 2**20
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NULLS = {"", "~", "null", "Null", "NULL"}
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]")


class Plain(str):
    """An unquoted YAML scalar. It stays text: only the key it belongs to knows whether `no` is a word, `1` a number."""

    __slots__ = ()


@dataclass(frozen=True)
class Document:
    """The value of a YAML text, and where in the text each part of it is."""

    value: Any
    text: str
    file: str
    marks: dict[tuple[str | int, ...], Any] = field(repr=False)  # where values begin, by path
    keys: dict[tuple[str | int, ...], Any] = field(repr=False)  # where the keys of mappings begin

    @contextmanager
    def locating(self) -> Iterator[None]:
        """Give the input errors of this block the file, and the line and column that their paths lead to."""
        try:
            yield
        except InputError as error:
            for single in error.all:
                single.file = single.file or self.file
                if single.line is None:
                    single.line, single.column = self.place(single)
            raise

    def place(self, error: InputError) -> tuple[int, int]:
        """Line and column of the value or key an error is about, or of the nearest value around it that exists."""
        if error.at_key and error.path in self.keys:
            mark = self.keys[error.path]
            return mark.line + 1, mark.column + 1
        path = next(path for end in range(len(error.path), -1, -1) if (path := error.path[:end]) in self.marks)
        mark = self.marks[path]
        column = mark.column + 1
        value = self.at(path)
        if error.offset is not None and isinstance(value, str):
            for quote in (0, 1):  # exact if the file has the text as it is, unfolded and unescaped
                if self.text.startswith(value, mark.index + quote):
                    return mark.line + 1, column + quote + error.offset
        return mark.line + 1, column

    def at(self, path: tuple[str | int, ...]) -> Any:
        """The value that a path leads to."""
        value = self.value
        for step in path:
            value = value[step]
        return value


def read_yaml(text: str, file: str) -> Document:
    """The only document of a YAML text; anything else is an input error with its place."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the file has {len(text)} characters; a YAML file may have at most {MAX_CHARACTERS}",
            remedy="Split it, or use JSON Lines for large collections.",
            file=file,
        )
    try:
        return _Reader(text, file).document()
    except yaml.YAMLError as error:
        refused = _not_yaml(error) if isinstance(error, yaml.MarkedYAMLError) else _bad_character(error, text)
        cause: BaseException | None = error
    except InputError as error:
        refused, cause = error, error.__cause__
    refused.file = file
    refused.schema = _schema_above(text, refused.line)
    raise refused from cause


class _Reader:
    """The events of a YAML text, turned into values as they come."""

    def __init__(self, text: str, file: str) -> None:
        self.text = text
        self.file = file
        self.events: Iterator[Any] = iter(yaml.parse(text, Loader=LOADER))
        self.marks: dict[tuple[str | int, ...], Any] = {}
        self.keys: dict[tuple[str | int, ...], Any] = {}

    def document(self) -> Document:
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                value = self.value(next(self.events), ())
                for later in self.events:
                    if isinstance(later, yaml.DocumentStartEvent):
                        raise _refuse(later, "a second document begins", "Keep one collection per file.")
                return Document(value, self.text, self.file, self.marks, self.keys)
        raise InputError("the file is empty", remedy="Give a file with content.")

    def value(self, event: Any, path: tuple[str | int, ...]) -> Any:
        self.marks[path] = event.start_mark
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise _refuse(event, "anchors and aliases (& and *) are not part of the notation", "Write the value out.")
        if event.tag is not None:
            raise _refuse(event, f"the tag {event.tag!r} is not part of the notation", "Remove the ! and its name.")
        if isinstance(event, yaml.ScalarEvent):
            return self.scalar(event)
        if len(path) >= MAX_DEPTH:
            raise _refuse(
                event, f"values are nested more than {MAX_DEPTH} levels deep", "No key of the notation needs that."
            )
        if isinstance(event, yaml.SequenceStartEvent):
            elements = enumerate(self.until(yaml.SequenceEndEvent))
            return [self.value(element, (*path, number)) for number, element in elements]
        return {key: self.value(next(self.events), (*path, key)) for key in self.mapping_keys(path)}

    def scalar(self, event: Any) -> str | None:
        if event.style:  # quoted, or a block; the two parsers of PyYAML have None and "" for a plain one
            return str(event.value).strip()
        if event.value in _NULLS:
            return None
        end = event.end_mark.index
        if " " in event.value and self.text[end : self.text.find("\n", end)].lstrip().startswith("#"):
            # An unquoted sentence that contains ' #' would silently lose its end.
            raise _refuse(event, "an unquoted text is cut off by ' #', which starts a comment", "Quote the text.")
        return Plain(event.value)

    def mapping_keys(self, path: tuple[str | int, ...]) -> Iterator[str]:
        seen: set[str] = set()
        for event in self.until(yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise _refuse(event, "a key is not a word", "Quote a text that begins with [ or {.")
            if event.anchor or event.tag is not None:
                raise _refuse(event, "a key has an anchor or a tag", "Remove what begins with & or !.")
            key = str(event.value)
            if key in seen:
                raise _refuse(event, f"the key {key!r} appears twice", "Keep one of them.")
            seen.add(key)
            self.keys[(*path, key)] = event.start_mark
            yield key

    def until(self, end: type) -> Iterator[Any]:
        for event in self.events:
            if isinstance(event, end):
                return
            yield event


def _refuse(event: Any, message: str, remedy: str) -> InputError:
    return InputError(message, remedy=remedy, line=event.start_mark.line + 1, column=event.start_mark.column + 1)


def _not_yaml(error: yaml.MarkedYAMLError) -> InputError:
    mark, began = error.problem_mark or error.context_mark, error.context_mark
    since = ""
    if began and mark and began.line < mark.line:
        since = f", {error.context} that began on line {began.line + 1}"
    problem = str(error.problem or error.context)
    if "unknown escape" in problem:
        remedy = r"In double quotes write \\{ for the notation's \{, or use single quotes."
    elif "\\t" in problem:
        remedy = "Indent with spaces, not with tabs."
    else:
        remedy = (
            "Quote texts that begin with [ or { or contain ': '; check quotes, brackets and indentation above this."
        )
    place = {"line": mark.line + 1, "column": mark.column + 1} if mark else {}
    return InputError(f"this is not YAML: {problem}{since}", remedy=remedy, **place)  # type: ignore[arg-type]


def _bad_character(error: yaml.YAMLError, text: str) -> InputError:
    """YAML refuses control characters before it looks at anything else; it counts them in bytes or in characters."""
    control = _CONTROL.search(text)
    if control is None:
        return InputError(f"this is not YAML: {str(error).splitlines()[0]}", remedy="Remove unusual characters.")
    before = text[: control.start()]
    return InputError(
        f"the character U+{ord(control.group()):04X} is not allowed in YAML",
        remedy="Remove it.",
        line=before.count("\n") + 1,
        column=len(before.rpartition("\n")[2]) + 1,
    )


def _schema_above(text: str, line: int | None) -> str | None:
    """The id of the schema that a line most likely belongs to, if the file cannot be read."""
    above = "\n".join(text.split("\n")[:line]) if line else ""
    ids = re.findall(r"^\s*-\s+id:\s*[\"']?([\w.\-]+)", above, re.MULTILINE)
    return str(ids[-1]) if ids else None
