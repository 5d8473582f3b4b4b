"""YAML to plain values, with the place of each: no tags, no anchors, no depth, nothing resolved behind one's back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import yaml

from winoglot.errors import InputError, located
from winoglot.schemas.shape import Plain

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 16
MAX_CHARACTERS = 16 * 2**20
_NULLS = {"", "~", "null", "Null", "NULL"}
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Located:
    """A value, where it begins, and the same for what it holds.

    Scalars stay text: only the field they are read into knows whether `no` is a word, and `1.0` a version.
    """

    value: Any
    line: int
    column: int
    index: int
    children: dict[str | int, Located] = field(default_factory=dict)
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)

    def place(
        self, path: tuple[str | int, ...], text: str, *, offset: int | None, at_key: bool
    ) -> tuple[int, int]:
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
    with located(file=file):
        try:
            events = iter(yaml.parse(text, Loader=_LOADER))
            result = _document(events)
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            raise InputError(
                f"this is not YAML: {error.problem or error.context}",
                remedy=_remedy(str(error.problem)),
                line=mark.line + 1 if mark else None,
                column=mark.column + 1 if mark else None,
            ) from error
        except yaml.YAMLError as error:
            raise InputError(f"this is not YAML: {error}", remedy="Take the unusual characters out.") from error
    return result


def _remedy(problem: str) -> str:
    if "escape" in problem:
        return r"In double quotes write \\{ for the notation's \{, or use single quotes."
    return "Check indentation, quotes and brackets just before this place; quote texts that hold ': ' or ' #'."


def _document(events: Iterator[Any]) -> Located:
    for event in events:
        if isinstance(event, yaml.DocumentStartEvent):
            result = _value(next(events), events, 0)
            for later in events:
                if isinstance(later, yaml.DocumentStartEvent):
                    raise _refuse(later, "a second document begins", "Keep one collection in one file.")
            return result
    raise InputError("the file is empty", remedy="Give a file that holds a collection.")


def _refuse(event: Any, message: str, remedy: str) -> InputError:
    return InputError(message, remedy=remedy, line=event.start_mark.line + 1, column=event.start_mark.column + 1)


def _value(event: Any, events: Iterator[Any], depth: int) -> Located:
    mark = event.start_mark
    place = (mark.line + 1, mark.column + 1, mark.index)
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise _refuse(event, "anchors and aliases (& and *) are not part of the notation", "Write the value out.")
    if event.tag is not None:
        raise _refuse(event, f"the tag {event.tag!r} is not part of the notation", "Take the ! and its name out.")
    if isinstance(event, yaml.ScalarEvent):
        plain = event.style is None or not event.style.strip()
        if plain and event.value in _NULLS:
            return Located(None, *place)
        return Located(Plain(event.value) if plain else event.value, *place)
    if depth >= MAX_DEPTH:
        raise _refuse(event, f"values are nested more than {MAX_DEPTH} deep", "No key of the notation needs that.")
    if isinstance(event, yaml.SequenceStartEvent):
        elements = [_value(inner, events, depth + 1) for inner in _until(events, yaml.SequenceEndEvent)]
        return Located([element.value for element in elements], *place, children=dict(enumerate(elements)))
    return _mapping(place, events, depth)


def _mapping(place: tuple[int, int, int], events: Iterator[Any], depth: int) -> Located:
    result = Located({}, *place)
    for event in _until(events, yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise _refuse(event, "a key is not a word", "Quote a text that begins with [ or {.")
        key = str(event.value)
        if key in result.value:
            raise _refuse(event, f"the key {key!r} appears twice", "Keep one of them.")
        result.keys[key] = (event.start_mark.line + 1, event.start_mark.column + 1)
        child = _value(next(events), events, depth + 1)
        result.children[key] = child
        result.value[key] = child.value
    return result


def _until(events: Iterator[Any], end: type) -> Iterator[Any]:
    for event in events:
        if isinstance(event, end):
            return
        yield event
