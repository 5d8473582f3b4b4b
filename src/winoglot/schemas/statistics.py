"""What a collection contains, in numbers; and collections of several languages side by side."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from importlib.resources import files
from statistics import median
from typing import TYPE_CHECKING

from winoglot.errors import InputError, did_you_mean
from winoglot.schemas.bundled import FOLDER, bundled
from winoglot.schemas.text import word_count

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from collections.abc import Collection as Names
    from pathlib import Path

    from winoglot.schemas.model import Collection, Item, Schema

STATISTICS_FILE = FOLDER / "statistics.json"  # of the bundled collections; scripts/freeze_statistics.py writes it
KNOWLEDGE = ("social", "things", "order")  # groups of tags: what one must know about to answer
_POSITIONS = ("first", "second", "later", "not mentioned")


@dataclass(frozen=True)
class Lengths:
    """How long the texts are, in characters or in words."""

    shortest: int
    median: float
    longest: int


@dataclass(frozen=True)
class CollectionStatistics:
    """Counts of one collection, and what it says about itself; dictionaries are in the order a reader wants them."""

    version: str
    language: str
    licence: str | None
    validated: str | None
    citation: str | None
    collection: str
    schemas: int
    items: int
    variants: dict[str, int]
    items_per_schema: dict[int, int]
    answers: dict[str, int]
    answers_by_mention: dict[str, int]
    pronouns: dict[str, int]
    roles: dict[str, int]
    subsets: dict[str, int]
    knowledge: dict[str, int]
    tags: dict[str, int]
    characters: Lengths | None
    words: Lengths | None
    hashes: dict[str, str]


def statistics(collection: Collection) -> CollectionStatistics:
    """Count a collection: originals, except under `variants` and `hashes`."""
    items = collection.items
    tags = Counter(tag for item in items for tag in item.tags)
    positions = Counter(answer_position(item) for item in items if item.answer is not None)
    return CollectionStatistics(
        version=collection.version,
        language=collection.language,
        licence=collection.licence,
        validated=collection.validated,
        citation=collection.citation,
        collection=collection.name,
        schemas=len(collection.schemas),
        items=len(items),
        variants={kind: len(collection.variants(kind)) for kind in collection.kinds},
        items_per_schema=dict(sorted(Counter(len(schema.items) for schema in collection.schemas).items())),
        answers=dict(sorted(Counter("unlabelled" if i.answer is None else str(i.answer) for i in items).items())),
        answers_by_mention={position: positions[position] for position in _POSITIONS if positions[position]},
        pronouns=_common(Counter(_surface(item) for item in items)),
        roles=_common(Counter(candidate.role for item in items for candidate in item.candidates if candidate.role)),
        subsets={
            f"{prefix}{tag}": count
            for tag in ("associative", "switchable")
            for prefix, count in (("", tags[tag]), ("not ", len(items) - tags[tag]))
        },
        knowledge={name: count for name in KNOWLEDGE if (count := sum(map(_has_one_of(name), items)))},
        tags=_common(tags),
        characters=_lengths(len(item.text) for item in items if item.text),
        words=_lengths(word_count(item.text) for item in items if item.text),
        hashes={"originals": collection.hash} | {kind: collection.kind_hash(kind) for kind in collection.kinds},
    )


def stored_statistics(name: str) -> CollectionStatistics | None:
    """The statistics of a bundled collection, counted beforehand: reading its schemas takes half a second.

    None for another name, and if the collection's file is not the one that they were counted in.
    """
    path = bundled().get(name)
    stored = json.loads(STATISTICS_FILE.read_text(encoding="utf-8")).get(name) if path else None
    if path is None or stored is None or stored["sha256"] != file_hash(path):
        return None
    counts = stored["statistics"]  # JSON has neither numbers as keys nor records
    counts["items_per_schema"] = {int(size): count for size, count in counts["items_per_schema"].items()}
    for unit in ("characters", "words"):
        counts[unit] = counts[unit] and Lengths(**counts[unit])
    return CollectionStatistics(**counts)


def file_hash(path: Path) -> str:
    """The SHA-256 of a file, which says whether the statistics stored for it are still its own."""
    return sha256(path.read_bytes()).hexdigest()


@cache
def tag_groups() -> dict[str, list[str]]:
    """The known tags, by group; of a group whose name ends in ! an item has at most one."""
    lines = files(__package__).joinpath("tags.txt").read_text(encoding="utf-8").splitlines()
    groups = (line.partition(":") for line in lines if not line.startswith("#"))
    return {name: tags.split() for name, _, tags in groups}


def _has_one_of(group: str) -> Callable[[Item], bool]:
    return lambda item: not set(tag_groups()[group]).isdisjoint(item.tags)


def answer_position(item: Item) -> str:
    """Whether the right candidate is mentioned first, second, later or not at all: order alone should not decide."""
    firsts = {index: candidate.mentions[0] for index, candidate in enumerate(item.candidates) if candidate.mentions}
    if item.answer not in firsts:
        return _POSITIONS[3]
    rank = sorted(firsts.values()).index(firsts[item.answer])
    return _POSITIONS[min(rank, 2)]


def _surface(item: Item) -> str:
    if item.text is None:
        return "no text"
    return item.parts[1].lower() if item.pronoun_form == "word" else f"({item.pronoun_form})"


def _lengths(values: Iterable[int]) -> Lengths | None:
    lengths = list(values)
    return Lengths(min(lengths), median(lengths), max(lengths)) if lengths else None


def _common(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def side_by_side(collections: Sequence[Collection], ids: Names[str] = ()) -> dict[str, list[Schema | None]]:
    """By parallel id, the schema of each collection or None; with `ids`, only schemas with one of these ids.

    If a collection uses a parallel id twice, its later schemas are listed under their own id too.
    """
    rows: dict[str, list[Schema | None]] = {}
    for number, collection in enumerate(collections):
        for schema in collection.schemas:
            row = rows.setdefault(schema.parallel_id, [None] * len(collections))
            if row[number] is not None:
                row = rows.setdefault(f"{schema.parallel_id} ({schema.id})", [None] * len(collections))
            row[number] = schema
    ids_of_row = {name: {name, *(schema.id for schema in row if schema)} for name, row in rows.items()}
    for schema_id in ids:
        if not any(schema_id in names for names in ids_of_row.values()):
            raise InputError(
                f"there is no schema {schema_id!r}", remedy=did_you_mean(schema_id, set().union(*ids_of_row.values()))
            )
    return {name: row for name, row in rows.items() if not ids or ids_of_row[name] & set(ids)}
