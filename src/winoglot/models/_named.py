"""Models by name: `family:location`, or a family alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.errors import InputError, nearest

if TYPE_CHECKING:
    from winoglot.models.base import Options, Solver


def load_model(name: str, options: Options) -> Solver:
    """The solver of that name, loaded; an unknown family is an input error that names the nearest."""
    family, _, location = name.partition(":")
    known = registry.names("models")
    if family not in known:
        raise InputError(f"there is no model family {family!r} (in {name!r})", remedy=nearest(family, known))
    solver: Solver = registry.load("models", family).load(location, options)
    return solver
