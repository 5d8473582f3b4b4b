"""The collections that come with Winoglot."""

from __future__ import annotations

from pathlib import Path

from winoglot.schemas.text import language_tag, primary

FOLDER = Path(__file__).parent / "data"


def bundled() -> dict[str, Path]:
    """The names of the bundled collections, sorted, and their files.

    >>> [name for name in bundled() if name.startswith("winoglot-")][:4]
    ['winoglot-de', 'winoglot-en', 'winoglot-es', 'winoglot-fr']
    """
    return {path.stem: path for path in sorted(FOLDER.glob("*.yaml"))}


def family(name: str) -> dict[str, Path]:
    """The bundled collections of one family by language: `en` is `winoglot-en` in the family `winoglot`."""
    return {stem.removeprefix(f"{name}-"): path for stem, path in bundled().items() if stem.startswith(f"{name}-")}


def without_families(sources: list[str], language: str | None = None) -> list[str]:
    """The sources, with a family's collections, or the one in the language, in place of the family's name."""
    names: list[str] = []
    for source in sources:
        members = family(source)
        if members and language:
            names.append(f"{source}-{primary(language_tag(language))}")
        else:
            names += [path.stem for path in members.values()] or [source]
    return names
