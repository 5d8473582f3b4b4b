"""Options that only one family understands: words from the command line into a checked dataclass."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from typing import TYPE_CHECKING, Any, get_type_hints

from winoglot.errors import InputError, nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

_NEEDED = {int: "a whole number", float: "a number"}


def read_options(more: Mapping[str, str], *kinds: type) -> tuple[Any, ...]:
    """One dataclass of each kind, filled from the words whose names are its fields' (`_` written as `-`).

    Every field has a default and is text, a number, or a number or None. A field's metadata may give `least` and
    `most`. A word that no kind knows is an input error.

    >>> from winoglot.models._asking import Asking
    >>> read_options({"shots": "2", "top-p": "0.9"}, Asking)[0].shots
    2
    >>> read_options({"shot": "2"}, Asking)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    winoglot.errors.InputError: there is no option 'shot' here. Did you mean 'shots'? Known: ...
    """
    known = {field.name.replace("_", "-") for kind in kinds for field in fields(kind)}
    for name in more:
        if name not in known:
            raise InputError(f"there is no option {name!r} here", remedy=nearest(name, known))
    return tuple(_filled(kind, more) for kind in kinds)


def _filled(kind: type, more: Mapping[str, str]) -> Any:
    hints = get_type_hints(kind)
    given = {}
    for field in fields(kind):
        name = field.name.replace("_", "-")
        if field.default is MISSING:
            raise TypeError(f"{kind.__name__}.{field.name} has no default")
        if name in more:
            given[field.name] = _value(name, more[name], hints[field.name], field.metadata)
    return kind(**given)


def _value(name: str, word: str, hint: Any, bounds: Mapping[str, float]) -> str | int | float:
    kind = next((kind for kind in (int, float) if hint in (kind, kind | None)), None)
    if kind is None:
        return word
    try:
        value = kind(word)
    except ValueError as error:
        raise InputError(f"{name}={word!r} is not {_NEEDED[kind]}", remedy=f"Write {name}=1.") from error
    least, most = bounds.get("least", 0), bounds.get("most", math.inf)
    if not (math.isfinite(value) and least <= value <= most):
        limits = f"at least {least:g}" if most == math.inf else f"from {least:g} to {most:g}"
        raise InputError(f"{name}={word} is out of range", remedy=f"Give a number {limits}.")
    return value
