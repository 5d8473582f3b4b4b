"""Models by name: `family:location`, or a family alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.errors import InputError, nearest

if TYPE_CHECKING:
    from types import ModuleType

    from winoglot.models.base import Options, Solver


def check_model(name: str, options: Options) -> tuple[str, ...] | None:
    """Refuse what can be refused before a model is loaded; the scorings that it may have, None where nobody knows."""
    module, location = _family(name)
    check = getattr(module, "check", None)
    scorings: tuple[str, ...] | None = check(location, options) if check else None
    return scorings


def load_model(name: str, options: Options) -> Solver:
    """The solver of that name, loaded; an unknown family is an input error that names the nearest."""
    module, location = _family(name)
    solver: Solver = module.load(location, options)
    return solver


def _family(name: str) -> tuple[ModuleType, str]:
    family, _, location = name.partition(":")
    known = registry.names("models")
    if family not in known:
        raise InputError(f"there is no model family {family!r} (in {name!r})", remedy=nearest(family, known))
    return registry.load("models", family), location
