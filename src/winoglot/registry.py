"""Plug-ins of every kind: built-ins are found in their package, outside packages announce theirs as entry points.

A built-in plug-in is a module, or a folder, of its kind's package that offers what the kind needs (a format: `read` or
`write`), or a folder with the file that makes it one (a language: `pronouns.txt`); it is named after the file or
folder, with `-` for `_`. A module may hold several small plug-ins in one table:

    PLUGINS = {"first": Baseline(...), "second": Baseline(...)}

Each value then offers what a module would, and each key, which must be a literal string, is a name. A module that has
neither is not a plug-in, so shared code can live beside the plug-ins that share it.

Names are read from the source text: listing them imports nothing.
"""

from __future__ import annotations

import ast
import pkgutil
import re
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError, PluginError, nearest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator


@dataclass(frozen=True)
class PluginKind:
    """The package of a kind's built-ins and what a plug-in offers: at least one of `offers`, or a file in its folder.

    The package is also the name of the entry point group in which outside packages announce theirs.
    """

    package: str
    offers: tuple[str, ...]
    file: str = ""

    def is_in(self, folders: Iterable[str]) -> bool:
        """Whether one of the folders of a package has the file."""
        return bool(self.file) and any(Path(folder, self.file).is_file() for folder in folders)


KINDS = {
    "formats": PluginKind("winoglot.formats", ("read", "write")),
    "checks": PluginKind("winoglot.checks", ("check",)),
    "languages": PluginKind("winoglot.languages", ("WORDS",), file="pronouns.txt"),
    "perturbations": PluginKind("winoglot.perturb", ("perturb",)),
    "models": PluginKind("winoglot.models", ("load",)),
    "metrics": PluginKind("winoglot.metrics", ("estimate",)),
    "measures": PluginKind("winoglot.analysis", ("measure",)),
    "logic-tasks": PluginKind("winoglot.logic.tasks", ("draw",)),
}


def names(kind: str) -> list[str]:
    """The names of all plug-ins of a kind, sorted, without importing any of them.

    >>> "yaml" in names("formats")
    True
    """
    return sorted({*_builtins(KINDS[kind]), *_outside(KINDS[kind].package)})


def is_built_in(kind: str, name: str) -> bool:
    """Whether a plug-in is Winoglot's own; any other may do anything, and its errors should name it."""
    return name in _builtins(KINDS[kind])


@contextmanager
def naming(kind: str, name: str, what: str, remedy: str = "", passing: type[Exception] = InputError) -> Iterator[None]:
    """Turn any error of another package's plug-in into an input error that says `what` failed.

    Input errors and those named in `passing` go through. An error in a plug-in of ours is a bug, and stays one: its
    traceback is what we need.
    """
    try:
        yield
    except (InputError, passing):
        raise
    except Exception as error:
        if is_built_in(kind, name):
            raise
        raise PluginError(what, error, remedy) from error


def ignored(kind: str) -> dict[str, str]:
    """The outside plug-ins that are never loaded because a built-in has their name: the name and the module."""
    own = _builtins(KINDS[kind])
    return {name: entry.value for name, entry in sorted(_outside(KINDS[kind].package).items()) if name in own}


def summary(kind: str, name: str) -> str:
    """What a plug-in is, in one line: of a module the first line of its docstring, of an object its `description`.

    For a plug-in that cannot be loaded it is the reason.

    >>> summary("formats", "wnli")
    "GLUE's WNLI: a table of inference pairs."
    """
    try:
        plugin = load(kind, name)
    except InputError as error:  # a plug-in that does not work is still listed
        return f"not available: {error.message}"
    text = plugin.__doc__ if isinstance(plugin, ModuleType) else getattr(plugin, "description", None)
    return (text or "").strip().partition("\n")[0].replace("`", "")


def load(kind: str, name: str) -> Any:
    """The module or object behind a name; InputError if the name is unknown or the plug-in does not work."""
    known = KINDS[kind]
    builtins, outside = _builtins(known), _outside(known.package)
    if name in builtins:
        source = f"{known.package}.{builtins[name]}"
        module = _imported(source, kind, name, partial(import_module, source))
    elif name in outside:
        source = outside[name].value
        module = _imported(source, kind, name, outside[name].load)
    else:
        raise InputError(f"there is no {kind.removesuffix('s')} {name!r}", remedy=nearest(name, names(kind)))
    table = getattr(module, "PLUGINS", {})
    plugin = table.get(name, module)
    if not any(hasattr(plugin, attribute) for attribute in known.offers) and not known.is_in(_folders(plugin)):
        if table and plugin is module:
            raise InputError(
                f"{source}, registered under {kind} as {name!r}, has no such name in its PLUGINS",
                remedy=nearest(name, table),
            )
        offered = (*known.offers, known.file)
        raise InputError(
            f"{source}, registered under {kind} as {name!r}, has no {' or '.join(filter(None, offered))}",
            remedy=f"See the docstring of {known.package} for what such a plug-in must offer.",
        )
    return plugin


def _folders(plugin: Any) -> Iterable[str]:
    return getattr(plugin, "__path__", ())


def _imported(source: str, kind: str, name: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except Exception as error:  # another package's code may raise anything, and so may what ours imports
        own = is_built_in(kind, name)
        raise InputError(
            f"{source}, registered under {kind} as {name!r}, cannot be imported: {error}",
            remedy=f"Reinstall {'winoglot' if own else 'or remove the package that provides it'}.",
        ) from error


@cache
def _outside(package: str) -> dict[str, EntryPoint]:
    return {entry.name: entry for entry in entry_points(group=package)}


def _builtins(kind: PluginKind) -> dict[str, str]:
    """The module, below the kind's package, of each built-in."""
    try:
        spec = find_spec(kind.package)
    except ModuleNotFoundError:  # the parent package is not part of this installation
        return {}
    return _scan(kind, tuple(spec.submodule_search_locations or ())) if spec else {}


@cache
def _scan(kind: PluginKind, folders: tuple[str, ...]) -> dict[str, str]:
    # A top-level definition starts its line. Only modules with a table are parsed: parsing all takes 0.1 s.
    offers = re.compile(rf"^(?:def |class )?(?:{'|'.join(kind.offers)})\b *[(:=]", re.MULTILINE)
    table = re.compile(r"^PLUGINS\b *[:=]", re.MULTILINE)
    found = {}
    for finder, module, _ in pkgutil.iter_modules(folders):
        spec = finder.find_spec(module, None)
        source: str = spec.loader.get_source(module)  # type: ignore[union-attr]
        if table.search(source):
            found.update(dict.fromkeys(_table_keys(source, module), module))
        elif offers.search(source) or kind.is_in(spec.submodule_search_locations or ()):  # type: ignore[union-attr]
            found[module.replace("_", "-")] = module
    return found


def _table_keys(source: str, module: str) -> list[str]:
    for node in ast.parse(source).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "PLUGINS" for target in targets):
            table = getattr(node, "value", None)
            if isinstance(table, ast.Dict) and all(isinstance(key, ast.Constant) for key in table.keys):
                return [str(ast.literal_eval(key)) for key in table.keys if key]
    raise TypeError(f"PLUGINS of {module} must be a dictionary literal with strings as keys")
