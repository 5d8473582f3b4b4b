"""YAML to plain values, with the place of each: no tags, no anchors, no depth, nothing resolved behind one's back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError
from winoglot.schemas.shape import Plain

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 16
MAX_CHARACTERS = 16 * 2**20
_NONE: Mapping[Any, Any] = MappingProxyType({})
_NULLS = {"", "~", "null", "Null", "NULL"}
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Located:
    """A value, where it begins, and the same for what it holds.

    Scalars stay text: only the field they are read into knows whether `no` is a word, and `1.0` a version.
    """

    value: Any
    line: int
    column: int
    index: int
    children: Mapping[str | int, Located] = field(default_factory=lambda: _NONE)  # most values are scalars
    keys: Mapping[str, tuple[int, int]] = field(default_factory=lambda: _NONE)

    def place(self, path: tuple[str | int, ...], text: str, *, offset: int | None, at_key: bool) -> tuple[int, int]:
        """Line and column of the value a path leads to, or of the nearest one above it that exists."""
        here = self
        for number, step in enumerate(path):
            if at_key and number == len(path) - 1 and step in here.keys:
                return here.keys[str(step)]
            if step not in here.children:
                break
            here = here.children[step]
        if offset is not None and isinstance(here.value, str):
            for quote in (0, 1):  # exact where the text stands in the file as it is, unfolded and unescaped
                start = here.index + quote
                if text[start : start + len(here.value)] == here.value:
                    return here.line, here.column + quote + offset
        return here.line, here.column


def read_yaml(text: str, file: str) -> Located:
    """The one document of a YAML text."""
    if len(text) > MAX_CHARACTERS:
        raise InputError(
            f"the file has {len(text)} characters; a YAML file may have {MAX_CHARACTERS}",
            remedy="Split it, or use JSON Lines for large collections.",
            file=file,
        )
    try:
        return _Reader(text).document()
    except InputError as error:
        error.file = file
        error.schema = _schema_above(text, error.line)
        raise
    except yaml.MarkedYAMLError as error:
        raise _not_yaml(error, text, file) from error
    except yaml.YAMLError as error:
        raise _bad_character(error, text, file) from error


def _bad_character(error: yaml.YAMLError, text: str, file: str) -> InputError:
    """YAML refuses control characters before it looks at anything else; it counts them in bytes or in characters."""
    found = re.search(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff]", text)
    if found is None:
        return InputError(
            f"this is not YAML: {str(error).splitlines()[0]}", remedy="Take what is unusual out.", file=file
        )
    before = text[: found.start()]
    line = before.count("\n") + 1
    return InputError(
        f"the character U+{ord(found.group()):04X} may not stand in YAML",
        remedy="Take it out.",
        file=file,
        line=line,
        column=len(before.rpartition("\n")[2]) + 1,
        schema=_schema_above(text, line),
    )


def _not_yaml(error: yaml.MarkedYAMLError, text: str, file: str) -> InputError:
    mark, began = error.problem_mark or error.context_mark, error.context_mark
    line = mark.line + 1 if mark else None
    since = ""
    if began and mark and began.line < mark.line:
        since = f", {error.context} that began on line {began.line + 1}"
    problem = str(error.problem or error.context)
    if "unknown escape" in problem:
        remedy = r"In double quotes write \\{ for the notation's \{, or use single quotes."
    elif "\\t" in problem:
        remedy = "Indent with blanks, not with tabs."
    else:
        remedy = "Quote texts that begin with [ or { or hold ': '; check quotes, brackets and indentation before this."
    return InputError(
        f"this is not YAML: {problem}{since}",
        remedy=remedy,
        file=file,
        line=line,
        column=mark.column + 1 if mark else None,
        schema=_schema_above(text, line),
    )


def _schema_above(text: str, line: int | None) -> str | None:
    """The id of the schema that a line most likely belongs to, where the file cannot be read."""
    above = "\n".join(text.split("\n")[:line]) if line else ""
    ids = re.findall(r"^\s*-\s+id:\s*[\"']?([\w.\-]+)", above, re.MULTILINE)
    return str(ids[-1]) if ids else None


def _refuse(event: Any, message: str, remedy: str) -> InputError:
    return InputError(message, remedy=remedy, line=event.start_mark.line + 1, column=event.start_mark.column + 1)


def _is_plain(event: Any) -> bool:
    return not event.style  # the two parsers of PyYAML say it differently


class _Reader:
    """The events of a YAML text, turned into values as they come."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.events: Iterator[Any] = iter(yaml.parse(text, Loader=_LOADER))

    def document(self) -> Located:
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                result = self.value(next(self.events), 0)
                for later in self.events:
                    if isinstance(later, yaml.DocumentStartEvent):
                        raise _refuse(later, "a second document begins", "Keep one collection in one file.")
                return result
        raise InputError("the file is empty", remedy="Give a file that holds a collection.")

    def value(self, event: Any, depth: int) -> Located:
        mark = event.start_mark
        place = (mark.line + 1, mark.column + 1, mark.index)
        if isinstance(event, yaml.AliasEvent) or event.anchor:
            raise _refuse(event, "anchors and aliases (& and *) are not part of the notation", "Write the value out.")
        if event.tag is not None:
            raise _refuse(event, f"the tag {event.tag!r} is not part of the notation", "Take the ! and its name out.")
        if isinstance(event, yaml.ScalarEvent):
            plain = _is_plain(event)
            if plain and event.value in _NULLS:
                return Located(None, *place)
            if plain and " " in event.value:
                self.refuse_comment(event)
            return Located(Plain(event.value) if plain else event.value.strip(), *place)
        if depth >= MAX_DEPTH:
            raise _refuse(event, f"values are nested more than {MAX_DEPTH} deep", "No key of the notation needs that.")
        if isinstance(event, yaml.SequenceStartEvent):
            elements = [self.value(inner, depth + 1) for inner in self.until(yaml.SequenceEndEvent)]
            return Located([element.value for element in elements], *place, children=dict(enumerate(elements)))
        return self.mapping(place, depth)

    def mapping(self, place: tuple[int, int, int], depth: int) -> Located:
        value: dict[str, Any] = {}
        children: dict[str | int, Located] = {}
        keys: dict[str, tuple[int, int]] = {}
        for event in self.until(yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                raise _refuse(event, "a key is not a word", "Quote a text that begins with [ or {.")
            if event.anchor or event.tag is not None:
                raise _refuse(event, "a key has an anchor or a tag", "Take what begins with & or ! out.")
            key = str(event.value)
            if key in value:
                raise _refuse(event, f"the key {key!r} appears twice", "Keep one of them.")
            mark: Any = event.start_mark
            keys[key] = (mark.line + 1, mark.column + 1)
            child = self.value(next(self.events), depth + 1)
            children[key] = child
            value[key] = child.value
        return Located(value, *place, children, keys)

    def refuse_comment(self, event: Any) -> None:
        """A sentence that holds ' #' and has no quotes would lose its end without a word."""
        start = event.end_mark.index
        if self.text[start : self.text.find("\n", start)].lstrip().startswith("#"):
            raise _refuse(event, "an unquoted text is cut off by ' #', which opens a comment", "Quote the text.")

    def until(self, end: type) -> Iterator[Any]:
        for event in self.events:
            if isinstance(event, end):
                return
            yield event
