"""Checked values: pydantic finds what is wrong with a value, and where; the words for it are ours.

pydantic is imported when the first value is checked, so that `import winoglot` and `winoglot --help` start without it.
"""

from __future__ import annotations

import dataclasses
import json
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, cast, get_type_hints

from winoglot.errors import InputError, describe, inside, nearest
from winoglot.schemas.text import check_characters

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pydantic import TypeAdapter, ValidationError

    Node = Mapping[str, Any]  # of a JSON Schema

UNION_TAGS = ("(list)", "(text)")  # steps of pydantic's paths that are not steps into the value


def check_entry(kind: Any, value: object) -> Any:
    """A value out of a YAML file, as the entry it should be: see `entries`."""
    entries = adapter(kind)
    with _our_errors(entries, value):
        return entries.validate_python(value)


def check_json(kind: Any, text: str, value: object) -> Any:
    """The value of a JSON text, as the frozen record it should be."""
    records = adapter(kind)
    with _our_errors(records, value):
        return records.validate_json(text, strict=True, extra="forbid")


def check_types(record: Any) -> None:
    """Refuse values of other types than a record's fields declare; lists become the tuples they stand for."""
    kind: Any = type(record)
    values = vars(record)
    for name, value in values.items():
        if isinstance(value, list):
            object.__setattr__(record, name, tuple(value))
    fields = _fields(kind)
    with _our_errors(fields, values):
        fields.validate_python(values, strict=True)


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """pydantic's validator, serialiser and JSON Schema of a type."""
    from pydantic import TypeAdapter

    return TypeAdapter(kind)


@cache
def _fields(kind: Any) -> TypeAdapter[Any]:
    """The same for the fields of a dataclass, as a mapping: the record itself is only being made."""
    from typing_extensions import TypedDict

    hints = get_type_hints(kind, include_extras=True)
    fields = {field.name: hints[field.name] for field in dataclasses.fields(kind)}
    return adapter(cast("Any", TypedDict)(kind.__name__, fields, total=False))


@contextmanager
def _our_errors(kind: TypeAdapter[Any], value: object) -> Iterator[None]:
    from pydantic import ValidationError

    try:
        yield
    except ValidationError as error:
        raise _input_error(error, value, kind.json_schema()) from None


def _input_error(error: ValidationError, value: object, schema: Node) -> InputError:
    """The first fault that pydantic found in the value, in our words; the JSON Schema says what was expected."""
    faults: Any = error.errors(include_url=False)
    fault = min(faults, key=lambda fault: _order(fault, value))
    path = _path(fault)
    found = fault["input"]
    match fault["type"]:
        case "value_error" if isinstance(ours := fault["ctx"]["error"], InputError):  # a record refused its content
            ours.path = (*path, *ours.path)
            return ours
        case "extra_forbidden" | "unexpected_keyword_argument":
            known = _keys(_below(schema, path[:-1], schema), schema)
            key = str(path[-1])
            return InputError(f"unknown key {key[:60]!r}", remedy=nearest(key, known), path=path, at_key=True)
        case "missing":
            node = _below(schema, path, schema)
            meaning = node.get("description") or _expected(node, schema)
            return InputError(f"the key {path[-1]!r} is missing", remedy=f"Add it ({meaning}).", path=path[:-1])
        case "string_unicode":
            with inside(*path):
                check_characters(found, "the text")
        case "json_invalid":  # Python's parser has read it: what only pydantic refuses is half a character
            check_characters(json.dumps(value, ensure_ascii=False), "the line")
    node = _below(schema, path, schema)
    expected = _expected(node, schema)
    message = f"expected {expected}, found {describe(found)}"
    return InputError(message, remedy=_remedy(expected, found, _keys(node, schema)), path=path)


def _path(fault: Any) -> tuple[str | int, ...]:
    return tuple(step for step in fault["loc"] if step not in UNION_TAGS)


def _order(fault: Any, value: Any) -> tuple[bool, list[int]]:
    """Faults in the order of the file; what is missing comes last, since a misspelt key is a missing one too."""
    places: list[int] = []
    for step in _path(fault):
        if isinstance(value, dict):
            places.append(list(value).index(step) if step in value else len(value))
            value = value.get(step)
        elif isinstance(value, list | tuple) and isinstance(step, int) and step < len(value):
            places.append(step)
            value = value[step]
    return fault["type"] == "missing", places


def _remedy(expected: str, found: object, keys: list[str]) -> str:
    if expected.startswith("one of "):
        known = expected.removeprefix("one of ").split(", ")
        return nearest(found, known) if isinstance(found, str) else "Write one of them."
    if expected.startswith("a list"):
        return "Write a list: [one, two]."
    if expected.startswith("a mapping"):
        return f"Write {{key: value}}; the keys are {', '.join(keys)}." if keys else "Write {key: value}."
    if "number" in expected:
        return "Write a number without quotes; candidates, alternatives and items are counted from 0."
    if "text" in expected and found is None:
        return 'Write it, or leave the key out; quote a word that YAML takes for nothing: "null".'
    if "text" in expected and isinstance(found, list | dict):
        return "Quote a text that begins with [ or {; write alternatives inside one text: [one|other]."
    return "Write what is expected, or leave the key out."


_WORDS = {"string": "text", "integer": "a whole number", "boolean": "true or false", "object": "a mapping"}


def _expected(node: Node, schema: Node) -> str:
    """What a JSON Schema asks for, in words."""
    words: list[str] = []
    for option in _options(node, schema):
        kind = option.get("type")
        if "enum" in option:
            words.append(f"one of {', '.join(option['enum'])}")
        elif "prefixItems" in option:
            words.append("a span [start, end]")
        elif kind == "array":
            inner = _expected(option.get("items", {}), schema)
            words.append("a list of lists" if inner.startswith("a list") else f"a list of {inner}")
        elif kind != "null":
            words.append(_WORDS.get(kind[0] if isinstance(kind, list) else str(kind), "something else"))
    return " or ".join(words)


def _options(node: Node, schema: Node) -> list[Node]:
    """The alternatives that a node of a JSON Schema allows, with references followed."""
    if "$ref" in node:
        return _options(schema["$defs"][node["$ref"].rpartition("/")[2]], schema)
    inner = node.get("anyOf") or node.get("oneOf")
    return [option for one in inner for option in _options(one, schema)] if inner else [node]


def _below(node: Node, path: tuple[str | int, ...], schema: Node) -> Node:
    """What a JSON Schema says of the value at a path."""
    for step in path:
        options = _options(node, schema)
        if isinstance(step, int):
            found = [option.get("items") or {"type": "integer"} for option in options if option.get("type") == "array"]
        else:
            found = [option["properties"][step] for option in options if step in option.get("properties", ())]
            found += [option["additionalProperties"] for option in options if option.get("additionalProperties")]
        node = found[0] if found else {}
    return node


def _keys(node: Node, schema: Node) -> list[str]:
    return [key for option in _options(node, schema) for key in option.get("properties", ())]
