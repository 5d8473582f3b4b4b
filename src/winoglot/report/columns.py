"""The collections of a report, one column each: runs are shown side by side only if they saw the same items."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.examples import Example, example_of
from winoglot.metrics.accuracy import pair_guessing
from winoglot.metrics.base import guessing
from winoglot.metrics.robustness import guessing_again
from winoglot.schemas.model import Collection, Item

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.runs.run import Run

_LANGUAGES = Path(__file__).parent / "languages.txt"


@dataclass(frozen=True)
class Column:
    """The items of a collection as the runs of a report saw them, with what guessing would give."""

    key: str  # part of the address of its items
    label: str
    collection: Collection  # of the run that saw the most items
    items: tuple[Item, ...]  # the originals that some run has
    variants: tuple[Item, ...]

    @property
    def schemas(self) -> int:
        """How many schemas the originals belong to."""
        return len({item.schema_id for item in self.items})

    @cached_property
    def examples(self) -> list[Example]:
        """The originals, as metrics know them."""
        return [example_of(item) for item in self.items]

    @property
    def chance(self) -> float | None:
        """The accuracy of guessing."""
        return guessing(self.examples)

    def variant_chance(self, kind: str) -> float | None:
        """How often a fresh guess for a variant of this kind gives the same candidate as the guess for the original."""
        return guessing_again([example_of(item) for item in self.variants if item.kind == kind])

    @property
    def pair_chance(self) -> float | None:
        """The share of schemas that guessing gets right as a whole."""
        return pair_guessing(self.examples)


def columns(runs: Sequence[Run]) -> tuple[tuple[Column, ...], list[int]]:
    """The columns, in the order of the runs, and for each run the number of its column.

    Each version is a column of its own, and so is a collection of the same name and version whose items differ.
    """
    groups: list[list[Run]] = []
    places = []
    for run in runs:
        for number, group in enumerate(groups):
            if _same(group[0].collection, run.collection) and not any(_conflict(other, run) for other in group):
                group.append(run)
                places.append(number)
                break
        else:
            groups.append([run])
            places.append(len(groups) - 1)
    labels = _labels([group[0].collection for group in groups])
    keys = _distinct([group[0].collection for group in groups], (_name, _name_version, _name_version_hash))
    made = [_column(key, label, group) for key, label, group in zip(keys, labels, groups, strict=True)]
    return tuple(made), places


def language_name(tag: str) -> str:
    """The language of a BCP 47 tag in English, with its region; the tag itself if it is a rare one.

    >>> language_name("pt-BR"), language_name("zh"), language_name("xx")
    ('Portuguese (pt-BR)', 'Chinese', 'xx')
    """
    primary = tag.partition("-")[0]
    name = _language_names().get(primary)
    if name is None:
        return tag
    return name if primary == tag else f"{name} ({tag})"


@cache
def _language_names() -> dict[str, str]:
    lines = _LANGUAGES.read_text(encoding="utf-8").splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def _same(one: Collection, other: Collection) -> bool:
    return (one.name, one.language, one.version) == (other.name, other.language, other.version)


def _conflict(one: Run, other: Run) -> bool:
    """Whether an item has another text, candidate or answer in the other run."""
    hashes = {item.id: item.hash for item in one.collection.items}
    return any(hashes.get(item.id, item.hash) != item.hash for item in other.collection.items)


def _column(key: str, label: str, runs: Sequence[Run]) -> Column:
    largest = max(runs, key=lambda run: len(run.collection.items))
    seen = {prediction.item_id for run in runs for prediction in run.predictions}
    originals: dict[str, Item] = {}
    variants: dict[str, Item] = {}
    for run in (largest, *runs):
        originals |= {item.id: item for item in run.collection.items if item.id in seen}
        variants |= {item.id: item for item in run.collection.variants() if item.id in seen}
    return Column(key, label, largest.collection, tuple(originals.values()), tuple(variants.values()))


def _labels(collections: Sequence[Collection]) -> list[str]:
    """The language if that distinguishes them, or else the name, with as much as is needed."""

    def language(collection: Collection) -> str:
        return language_name(collection.language.partition("-")[0])

    def named(collection: Collection) -> str:
        return f"{collection.name} ({collection.language})"

    return _distinct(collections, (language, _name, named, _name_version, _name_version_hash))


def _distinct(collections: Sequence[Collection], ways: Sequence[Callable[[Collection], str]]) -> list[str]:
    for way in ways:
        made = [way(collection) for collection in collections]
        if len(set(made)) == len(made):
            return made
    return [f"{name} ({place + 1})" for place, name in enumerate(made)]


def _name(collection: Collection) -> str:
    return collection.name


def _name_version(collection: Collection) -> str:
    return f"{collection.name}@{collection.version}"


def _name_version_hash(collection: Collection) -> str:
    return f"{collection.name}@{collection.version} sha:{collection.hash[:8]}"
