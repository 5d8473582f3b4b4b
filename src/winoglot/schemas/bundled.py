"""The collections that come with Winoglot."""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent / "data"


def bundled() -> dict[str, Path]:
    """The names of the bundled collections, sorted, and their files.

    >>> [name for name in bundled() if name.startswith("winoglot-")]
    ['winoglot-en', 'winoglot-fr', 'winoglot-pt', 'winoglot-zh']
    """
    return {path.stem: path for path in sorted(FOLDER.glob("*.yaml"))}


def family(name: str) -> dict[str, Path]:
    """The bundled collections of one family by language: `en` is `winoglot-en` in the family `winoglot`."""
    return {stem.removeprefix(f"{name}-"): path for stem, path in bundled().items() if stem.startswith(f"{name}-")}
