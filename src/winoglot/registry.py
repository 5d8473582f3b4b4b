"""Plug-ins of every kind: a built-in's name is its file's name, entry points add outside packages."""

from __future__ import annotations

import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING

from winoglot.errors import InputError, nearest

if TYPE_CHECKING:
    from types import ModuleType


@dataclass(frozen=True)
class PluginKind:
    """Where a kind's built-ins lie and what each module must offer (at least one of `offers`).

    The package is also the name of the entry point group in which outside packages announce theirs.
    """

    package: str
    offers: tuple[str, ...]
    folders: bool = False  # whether a built-in is a folder of its own, so that files beside it are none


KINDS = {
    "formats": PluginKind("winoglot.formats", ("read", "write")),
    "checks": PluginKind("winoglot.checks", ("check",)),
    "languages": PluginKind("winoglot.languages", ("WORDS",), folders=True),
    "perturbations": PluginKind("winoglot.perturb", ("perturb",)),
    "models": PluginKind("winoglot.models", ("load",)),
    "metrics": PluginKind("winoglot.metrics", ("estimate",)),
    "logic-tasks": PluginKind("winoglot.logic.tasks", ("generate",)),
}


def names(kind: str) -> list[str]:
    """The names of all plug-ins of a kind, sorted; nothing of them is imported.

    >>> "yaml" in names("formats")
    True
    """
    return sorted({*_builtins(KINDS[kind]), *_outside(KINDS[kind].package)})


def load(kind: str, name: str) -> ModuleType:
    """The module behind a name; unknown names and modules that lack what their kind needs are input errors."""
    known = KINDS[kind]
    outside = _outside(known.package)
    if name in _builtins(known):
        module = import_module(f"{known.package}.{name.replace('-', '_')}")
    elif name in outside:
        module = _load_outside(outside[name], kind)
    else:
        raise InputError(f"there is no {kind.removesuffix('s')} {name!r}", remedy=nearest(name, names(kind)))
    if not any(hasattr(module, attribute) for attribute in known.offers):
        raise InputError(
            f"{module.__name__}, registered under {kind} as {name!r}, has no {' or '.join(known.offers)}",
            remedy=f"See the description of {known.package} for what such a module must offer.",
        )
    return module


def _load_outside(entry: EntryPoint, kind: str) -> ModuleType:
    try:
        module: ModuleType = entry.load()
    except Exception as error:  # whatever it is, it is not ours
        raise InputError(
            f"{entry.value}, registered under {kind} as {entry.name!r}, cannot be imported: {error}",
            remedy="Reinstall or remove the package that brings it.",
        ) from error
    return module


def _builtins(kind: PluginKind) -> set[str]:
    try:
        spec = find_spec(kind.package)
    except ModuleNotFoundError:  # the parent package is not part of this installation
        return set()
    paths = spec.submodule_search_locations if spec else None
    modules = (info.name for info in pkgutil.iter_modules(paths or []) if info.ispkg or not kind.folders)
    return {name.replace("_", "-") for name in modules if not name.startswith("_") and name != "base"}


@cache
def _outside(package: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=package)}
