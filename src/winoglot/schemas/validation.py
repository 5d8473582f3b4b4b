"""Checked values: pydantic finds what is wrong with a value, and where; the words for it are ours.

Importing this module imports pydantic: `import winoglot` and `winoglot --help` do without both.
"""

from __future__ import annotations

import dataclasses
import json
import re
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar, cast, get_type_hints

from pydantic import AfterValidator, TypeAdapter, ValidationError
from typing_extensions import TypedDict

from winoglot.errors import Faults, InputError, describe, did_you_mean, error_path
from winoglot.files import parse_json
from winoglot.schemas.text import check_characters, check_length, check_name, check_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    Node = Mapping[str, Any]  # of a JSON Schema

Checked = TypeVar("Checked")
_UNKNOWN_KEY = ("extra_forbidden", "unexpected_keyword_argument")
UNION_TAGS = ("(list)", "(text)")  # steps of pydantic's paths that are not steps into the value


def check_entry(kind: Any, value: object) -> Any:
    """A value out of a YAML file, as the entry it should be: see `entries`."""
    entries = adapter(kind)
    with _as_input_errors(entries, value):
        return entries.validate_python(value, strict=True)


def check_json(kind: Any, text: str, value: object) -> Any:
    """The value of a JSON text, as the frozen record it should be."""
    records = adapter(kind)
    with _as_input_errors(records, value):
        return records.validate_json(text, strict=True, extra="forbid")


def check_row(kind: Any, line: str) -> Any:
    """The value of a line that Winoglot wrote; keys that are unknown, perhaps of another version, are left out."""
    rows = adapter(kind)
    try:  # not `_as_input_errors`: a file has very many lines, and only a faulty one must be parsed twice
        return rows.validate_json(line, strict=True)
    except ValidationError as error:
        raise _input_error(error, parse_json(line), _json_schema(rows)) from None


def checked_values(kind: type[Checked], values: Mapping[str, Any]) -> Checked:
    """An instance of a pydantic dataclass with these values; faults are an input error."""
    try:
        return kind(**values)
    except ValidationError as error:
        refusal = _input_error(error, values, {})
        for single in refusal.all:
            single.path = ()  # there is no file that the path would lead into
        raise refusal from None


class Record:
    """A frozen dataclass whose fields are checked when it is made: their type hints say what they may hold."""

    def __post_init__(self) -> None:
        """Refuse values of types that the fields do not declare; lists become the tuples they stand for."""
        values = vars(self)
        for name, value in values.items():
            if isinstance(value, list):
                object.__setattr__(self, name, tuple(value))
        kind: Any = type(self)
        fields = _fields(kind)
        try:  # not `_as_input_errors`: a file has very many records
            fields.validate_python(values, strict=True)
        except ValidationError as error:
            raise _input_error(error, values, _json_schema(fields)) from None


def named(what: str) -> AfterValidator:
    """Require of a field's text that it can be part of ids, file names and links."""
    return AfterValidator(lambda text: check_name(text, what))


def written(what: str) -> AfterValidator:
    """Require of a field's text that it is not empty or very long and has characters that every format can hold."""
    return AfterValidator(lambda text: check_text(check_length(text, what), what))


def prose(what: str) -> AfterValidator:
    """Require of a text for readers, of any length, that every file format can hold its characters."""
    return AfterValidator(lambda text: check_text(text, what))


@cache
def adapter(kind: Any) -> TypeAdapter[Any]:
    """pydantic's validator, serialiser and JSON Schema of a type."""
    return TypeAdapter(kind)


@cache
def _fields(kind: Any) -> TypeAdapter[Any]:
    """pydantic's validator of the fields of a dataclass as a mapping, since the record itself does not exist yet."""
    hints = get_type_hints(kind, include_extras=True)
    fields = {field.name: hints[field.name] for field in dataclasses.fields(kind)}
    return adapter(cast("Any", TypedDict)(kind.__name__, fields, total=False))


@cache
def _json_schema(kind: TypeAdapter[Any]) -> Node:
    return kind.json_schema()


@contextmanager
def _as_input_errors(kind: TypeAdapter[Any], value: object) -> Iterator[None]:
    try:
        yield
    except ValidationError as error:
        raise _input_error(error, value, _json_schema(kind)) from None


def _input_error(error: ValidationError, value: object, schema: Node) -> InputError:
    """What pydantic found in the value, in our words and the order of the file; the JSON Schema knows the keys."""
    found: Any = error.errors(include_url=False)
    has_unknown = {_path(fault)[:-1] for fault in found if fault["type"] in _UNKNOWN_KEY}
    faults = Faults()
    for fault in sorted(found, key=lambda fault: _order(fault, value)):
        if fault["type"] != "missing" or _path(fault)[:-1] not in has_unknown:  # which may be the missing one
            with faults.collected():
                raise _fault_error(fault, value, schema)
    return faults.together()


def _fault_error(fault: Any, value: object, schema: Node) -> InputError:
    """One fault in our words."""
    path, received, context = _path(fault), fault["input"], fault.get("ctx", {})
    match fault["type"]:
        case "value_error" if isinstance(ours := context["error"], InputError):  # from a check of our own
            with error_path(*path):
                raise ours
        case kind if kind in _UNKNOWN_KEY:
            keys = _keys(_subschema(schema, path[:-1], schema), schema)
            key = str(path[-1])
            return InputError(f"unknown key {key[:60]!r}", remedy=did_you_mean(key, keys), path=path, at_key=True)
        case "missing":
            meaning = _subschema(schema, path, schema).get("description")
            remedy = f"Add it ({meaning})." if meaning else "Add it."
            return InputError(f"the key {path[-1]!r} is missing", remedy=remedy, path=path[:-1])
        case "string_unicode":
            with error_path(*path):
                check_characters(received, "the text")
        case "json_invalid":  # Python's parser has read it: what only pydantic refuses is half a character
            check_characters(json.dumps(value, ensure_ascii=False), "the line")
    expected, remedy = _expected(fault, _keys(_subschema(schema, path, schema), schema))
    return InputError(f"expected {expected}, found {describe(received)}", remedy=remedy, path=path)


def _expected(fault: Any, keys: list[str]) -> tuple[str, str]:
    """What was expected instead of what was found, and what to do."""
    value, context = fault["input"], fault.get("ctx", {})
    match fault["type"]:
        case "literal_error":
            allowed = re.findall("'([^']+)'", context["expected"])
            return f"one of {', '.join(allowed)}", did_you_mean(value, allowed)
        case "list_type" | "tuple_type":
            return "a list", "Write a list: [one, two]."
        case "dict_type" | "dataclass_type":
            return "a mapping", f"Write {{key: value}}{'; the keys are ' if keys else ''}{', '.join(keys)}."
        case "int_type":
            remedy = "Write a number without quotes; candidates, alternatives and items are counted from 0."
            return "a whole number", remedy
        case "float_type":
            return "a number", "Write a number without quotes: 0.95."
        case "bool_type":
            return "true or false", "Write one of the two, or leave the key out."
        case "string_type" if value is None:
            return "text", 'Write it, or leave the key out; quote a word that YAML reads as nothing: "null".'
        case "string_type" if isinstance(value, list | dict):
            return "text", "Quote a text that begins with [ or {; write alternatives inside one text: [one|other]."
        case "string_type":
            return "text", "Write text, or leave the key out."
        case _:  # from Python: an instance of one of our classes
            return f"an instance of {context.get('class_name', context.get('class'))}", "Give one."


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


def _options(node: Node, schema: Node) -> list[Node]:
    """The alternatives that a node of a JSON Schema allows, with references followed."""
    if "$ref" in node:
        return _options(schema["$defs"][node["$ref"].rpartition("/")[2]], schema)
    inner = node.get("anyOf") or node.get("oneOf")
    return [option for alternative in inner for option in _options(alternative, schema)] if inner else [node]


def _subschema(node: Node, path: tuple[str | int, ...], schema: Node) -> Node:
    """What a JSON Schema says about the value at a path."""
    for step in path:
        options = _options(node, schema)
        if isinstance(step, int):
            nodes = [option["items"] for option in options if "items" in option]
        else:
            nodes = [option["properties"][step] for option in options if step in option.get("properties", ())]
            nodes += [option["additionalProperties"] for option in options if option.get("additionalProperties")]
        node = nodes[0] if nodes else {}
    return node


def _keys(node: Node, schema: Node) -> list[str]:
    return [key for option in _options(node, schema) for key in option.get("properties", ())]
