"""What shells complete besides commands and options: names of collections, models, formats, rules, kinds and others.

A function that returns no names lets the shell complete file names. All of them are quick: names of plug-ins are read
from their files without importing the plug-ins, and nothing here imports torch.
"""

from __future__ import annotations

import tomllib
from functools import cache, partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.files import OF_COLLECTIONS
from winoglot.schemas.bundled import bundled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Completer = Callable[[str], list[str]]


@cache
def described(table: str) -> dict[str, str]:
    """The names of one table of `listed.toml`, with what they are."""
    text = files(__package__).joinpath("listed.toml").read_text(encoding="utf-8")
    descriptions: dict[str, str] = tomllib.loads(text)[table]
    return descriptions


def one_of(names: Callable[[], Iterable[str]]) -> Completer:
    """Complete one of these names."""

    def complete(incomplete: str) -> list[str]:
        return [name for name in names() if name.startswith(incomplete)]

    return complete


def several_of(names: Callable[[], Iterable[str]]) -> Completer:
    """Complete the last of several names with commas between them, none of them twice.

    >>> several_of(lambda: ["partial", "full"])("partial,")
    ['partial,full']
    """

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        chosen = before.split(",")
        return [f"{before}{comma}{name}" for name in names() if name.startswith(last) and name not in chosen]

    return complete


def plugins(kind: str) -> Callable[[], list[str]]:
    """The names of all plug-ins of a kind."""
    return partial(registry.names, kind)


def words(*names: str) -> Callable[[], tuple[str, ...]]:
    """These names."""
    return lambda: names


def listed(table: str) -> Callable[[], dict[str, str]]:
    """The names of one table of `listed.toml`."""
    return partial(described, table)


def listable() -> list[str]:
    """What `winoglot list` can list."""
    return ["collections", "kinds", *registry.KINDS, "scorings", "readings", "recipes", "references"]


def locales() -> list[str]:
    """The lists of names."""
    from winoglot.languages import names

    return names.locales()


def collections(incomplete: str) -> list[str]:
    """Bundled collections, their family, and the files of this folder that may be collections."""
    stems = bundled()
    families = sorted({stem.rpartition("-")[0] for stem in stems} - {""})
    files = sorted(path.name for path in Path().iterdir() if path.suffix.lower() in OF_COLLECTIONS)
    return one_of(words(*stems, *families, *files))(incomplete)


def models(incomplete: str) -> list[str]:
    """Model families or, after a family and a colon, files and folders; a name and `=` may come first."""
    family, colon, location = incomplete.partition(":")
    if not colon:
        name, equals, start = incomplete.rpartition("=")
        return [f"{name}{equals}{family}" for family in registry.names("models") if family.startswith(start)]
    folder, slash, start = location.rpartition("/")
    place = Path(f"{folder}{slash}" or ".")
    paths = sorted(place.iterdir()) if place.is_dir() else []
    ends = [f"{path.name}{'/' if path.is_dir() else ''}" for path in paths if path.name.startswith(start)]
    return [f"{family}:{folder}{slash}{end}" for end in ends if start or not end.startswith(".")]
