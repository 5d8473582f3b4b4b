"""Checked construction: what a frozen record holds is of the types it declares, so that every file can carry it."""

from __future__ import annotations

import dataclasses
import types
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from winoglot.errors import InputError, describe


def check_types(record: Any) -> None:
    """Turn lists into the tuples that are meant, and refuse a value of another type than its field declares."""
    kind: Any = type(record)
    for name, hint in _hints(kind).items():
        value = getattr(record, name)
        made = _conform(value, hint, name)
        if made is not value:
            object.__setattr__(record, name, made)


def check_argument(value: object, kinds: type | tuple[type, ...], expected: str, remedy: str) -> None:
    """Refuse what a caller gave where something else is expected, before it fails somewhere inside.

    >>> check_argument("Rita", int, "a whole number", "Give one, as 7.")
    Traceback (most recent call last):
    winoglot.errors.InputError: expected a whole number, found 'Rita'. Give one, as 7.
    """
    if not isinstance(value, kinds) or (kinds is int and isinstance(value, bool)):
        raise InputError(f"expected {expected}, found {describe(value)}", remedy=remedy)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in dataclasses.fields(kind)}


def _conform(value: Any, hint: Any, name: str) -> Any:
    origin = get_origin(hint)
    if origin is Annotated:
        return _conform(value, get_args(hint)[0], name)
    if origin in (Union, types.UnionType):
        options = [option for option in get_args(hint) if option is not types.NoneType]
        return None if value is None else _conform(value, options[0], name)
    if origin is Literal:
        if value in get_args(hint):
            return value
    elif origin is tuple:
        if isinstance(value, tuple | list):
            made = tuple(_conform(element, get_args(hint)[0], name) for element in value)
            return value if made == value and isinstance(value, tuple) else made
    elif isinstance(value, hint) and not (hint is int and isinstance(value, bool)):
        return value
    raise InputError(f"{describe(value)} is not what {name!r} holds", remedy=f"Give {_spell(hint)}.", path=(name,))


def _spell(hint: Any) -> str:
    """What a field declares, in words."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return f"one of {', '.join(arguments)}"
    if origin is tuple:
        return f"a tuple of {_spell(arguments[0])}"
    if origin in (Union, types.UnionType):
        return " or ".join("None" if option is types.NoneType else _spell(option) for option in arguments)
    names = {str: "text", int: "a whole number", bool: "True or False"}
    return names.get(hint, getattr(hint, "__name__", str(hint)))
