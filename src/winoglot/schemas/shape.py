"""The shape of a file's content, taken from the types that hold it: reads with places, writes, prints a JSON Schema."""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, Required, Union, get_args, get_origin, get_type_hints, is_typeddict

from winoglot.errors import InputError, describe, inside, nearest
from winoglot.schemas.spans import Span


class Plain(str):
    """An unquoted YAML scalar: text where text is expected, a number or a truth value where those are."""

    __slots__ = ()


@dataclass(frozen=True)
class Shape:
    """How one type is read from, and written as, what JSON and YAML can hold."""

    expected: str
    accepts: Callable[[Any], bool]  # by the value's outermost type alone, to choose between alternatives
    read: Callable[[Any], Any]
    write: Callable[[Any], Any]
    json_schema: Mapping[str, Any]


@cache
def shape_of(hint: Any) -> Shape:
    """The shape of a type: text, number, truth value, span, literal, tuple, list, mapping, record, or one of several.

    >>> shape_of(tuple[int, ...]).read([1, 2])
    (1, 2)
    """
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Required:
        return shape_of(arguments[0])
    if origin is Annotated:
        inner = shape_of(arguments[0])
        return dataclasses.replace(inner, json_schema={**inner.json_schema, "description": arguments[1]})
    if origin in (Union, types.UnionType):
        return _one_of([shape_of(argument) for argument in arguments])
    if origin is Literal:
        return _literal(arguments)
    if origin in (tuple, list):
        return _sequence(shape_of(arguments[0]), origin)
    if origin is dict:
        return _mapping(shape_of(arguments[1]))
    if hint is Span:
        return _SPAN
    if dataclasses.is_dataclass(hint) or is_typeddict(hint):
        return _record(hint)
    return _SCALARS[hint]


def _mismatch(value: object, expected: str, keys: Iterable[str] = ()) -> InputError:
    if expected.startswith("a list"):
        remedy = "Write a list: [one, two]."
    elif expected.startswith("a mapping"):
        remedy = f"Write {{key: value}}; the keys are {', '.join(keys)}." if keys else "Write {key: value}."
    elif "number" in expected:
        remedy = "Write a number without quotes; candidates, alternatives and items are counted from 0."
    elif "text" in expected and value is None:
        remedy = 'Write it, or leave the key out; quote a word that YAML takes for nothing: "null".'
    elif "text" in expected and isinstance(value, list | dict):
        remedy = "Quote a text that begins with [ or {; write alternatives inside one text: [one|other]."
    else:
        remedy = "Write what is expected, or leave the key out."
    return InputError(f"expected {expected}, found {describe(value)}", remedy=remedy)


def _read_text(value: object) -> str:
    if not isinstance(value, str):
        raise _mismatch(value, "text")
    return str(value)


def _read_number(value: object) -> int:
    if isinstance(value, Plain) and len(value) < 10 and value.removeprefix("-").isdecimal() and value.isascii():
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise _mismatch(value, "a whole number")
    return value


def _read_truth(value: object) -> bool:
    if isinstance(value, Plain) and value.lower() in ("true", "false"):
        return value.lower() == "true"
    if not isinstance(value, bool):
        raise _mismatch(value, "true or false")
    return value


def _read_nothing(value: object) -> None:
    if value is not None:
        raise _mismatch(value, "nothing")


def _same(value: Any) -> Any:
    return value


_SCALARS = {
    # An editor sees an unquoted 1.0 or yes as a number or a truth value; the notation takes them as the text they are.
    str: Shape("text", lambda v: isinstance(v, str), _read_text, _same, {"type": ["string", "number", "boolean"]}),
    int: Shape("a whole number", lambda v: isinstance(v, int | Plain), _read_number, _same, {"type": "integer"}),
    bool: Shape("true or false", lambda v: isinstance(v, bool | Plain), _read_truth, _same, {"type": "boolean"}),
    types.NoneType: Shape("nothing", lambda v: v is None, _read_nothing, _same, {"type": "null"}),
}


def _read_span(value: object) -> Span:
    if not isinstance(value, list) or len(value) != 2:
        raise _mismatch(value, "a span [start, end]")
    return Span(*map(_read_number, value))


_SPAN = Shape(
    "a span [start, end]",
    lambda v: isinstance(v, list),
    _read_span,
    lambda span: [span.start, span.end],
    {"type": "array", "items": {"type": "integer", "minimum": 0}, "minItems": 2, "maxItems": 2},
)


def _literal(options: tuple[str, ...]) -> Shape:
    def read(value: object) -> str:
        if value not in options:
            remedy = nearest(value, options) if isinstance(value, str) else "Write one of them."
            raise InputError(f"expected one of {', '.join(options)}, found {describe(value)}", remedy=remedy)
        return str(value)

    return Shape(" or ".join(options), lambda v: isinstance(v, str), read, _same, {"enum": list(options)})


def _one_of(options: list[Shape]) -> Shape:
    expected = " or ".join(option.expected for option in options if option.expected != "nothing")

    def fitting(value: object) -> Shape:
        for option in options:
            if option.accepts(value):
                return option
        raise _mismatch(value, expected)

    def write(value: object) -> object:
        if value is None:
            return None
        return next(option for option in options if option.expected != "nothing").write(value)

    return Shape(
        expected,
        lambda v: any(option.accepts(v) for option in options),
        lambda v: fitting(v).read(v),
        write,
        {"anyOf": [dict(option.json_schema) for option in options]},
    )


def _sequence(inner: Shape, build: type) -> Shape:
    expected = "a list of lists" if inner.expected.startswith("a list") else f"a list of {inner.expected}"

    def read(value: object) -> Any:
        if not isinstance(value, list):
            raise _mismatch(value, expected)
        result = []
        for index, element in enumerate(value):
            try:
                result.append(inner.read(element))
            except InputError as error:
                error.path = (index, *error.path)
                raise
        return build(result)

    return Shape(
        expected,
        lambda v: isinstance(v, list),
        read,
        lambda values: [inner.write(value) for value in values],
        {"type": "array", "items": inner.json_schema},
    )


def _mapping(inner: Shape) -> Shape:
    def read(value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise _mismatch(value, "a mapping")
        result = {}
        for key, element in value.items():
            with inside(str(key)):
                result[str(key)] = inner.read(element)
        return result

    return Shape(
        f"a mapping to {inner.expected}",
        lambda v: isinstance(v, dict),
        read,
        lambda values: {key: inner.write(value) for key, value in values.items()},
        {"type": "object", "additionalProperties": inner.json_schema},
    )


def _record(hint: Any) -> Shape:
    hints = get_type_hints(hint, include_extras=True)
    shapes = {name: shape_of(inner) for name, inner in hints.items()}
    defaults: dict[str, object] = {}
    if dataclasses.is_dataclass(hint):
        fields = [
            field for field in dataclasses.fields(hint) if field.init and field.compare
        ]  # what does not count is not stored
        shapes = {field.name: shapes[field.name] for field in fields}
        defaults = {f.name: f.default for f in fields if f.default is not dataclasses.MISSING}
        required = [field.name for field in fields if field.name not in defaults]
    else:
        required = [name for name, inner in hints.items() if get_origin(inner) is Required]

    def read(value: object) -> Any:
        if not isinstance(value, dict):
            raise _mismatch(value, "a mapping", shapes)
        for key in value:
            if key not in shapes:
                raise InputError(
                    f"unknown key {str(key)[:60]!r}", remedy=nearest(str(key), shapes), path=(key,), at_key=True
                )
        for key in required:
            if key not in value:
                meaning = shapes[key].json_schema.get("description", shapes[key].expected)
                raise InputError(f"the key {key!r} is missing", remedy=f"Add it ({meaning}).")
        result = {}
        for key, element in value.items():
            try:
                result[str(key)] = shapes[key].read(element)
            except InputError as error:
                error.path = (str(key), *error.path)
                raise
        return hint(**result)

    def write(record: object) -> dict[str, Any]:
        result = {}
        for key, shape in shapes.items():
            value = getattr(record, key)
            if key not in defaults or value != defaults[key]:
                result[key] = shape.write(value)
        return result

    json_schema: dict[str, Any] = {
        "type": "object",
        "properties": {key: shape.json_schema for key, shape in shapes.items()},
        "additionalProperties": False,
    }
    if required:
        json_schema["required"] = required
    return Shape("a mapping", lambda v: isinstance(v, dict), read, write, json_schema)
