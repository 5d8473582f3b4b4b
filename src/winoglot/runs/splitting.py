"""Parts of collections for training and for what is held out, which share no schema, translation or near copy.

Schemas belong together if one overlaps with the other by any rule of `overlap.py`; such groups are never separated.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING

from winoglot.errors import InputError, check_argument
from winoglot.runs.overlap import SHARE, CollectionFingerprint, Fingerprints, SchemaMarks, may_correspond, overlap
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.schemas.model import Collection

    Place = tuple[int, int]  # of a schema: its collection, and its place there

SIZES = {"xs": 160, "s": 640, "m": 2558, "l": 10234}  # items of WinoGrande's training sets


@dataclass(frozen=True)
class Split:
    """Collections for training and held out; of each, what the other part, or no part, has is missing."""

    train: tuple[Collection, ...]
    held_out: tuple[Collection, ...]
    left_out: int  # items that could not be trained on, because words of theirs in several schemas are in held-out texts


def split(collections: Sequence[Collection], held_out: int, train: int | None = None, *, seed: int = 0) -> Split:
    """Hold out at least so many items, and draw that many for training from the rest, or all of it; by whole groups.

    With the same seed, the held-out part is the same for every size, and a larger training part has all of a smaller
    one, except perhaps for groups that just did not fit.

    >>> import winoglot as wg
    >>> made = split([wg.load("winoglot-en"), wg.load("winoglot-pt")], held_out=64, train=160)
    >>> [len(one.items) for one in made.train], [len(one.items) for one in made.held_out]
    ([80, 80], [32, 32])
    """
    for number in (held_out, 1 if train is None else train):
        check_argument(number, int, "a number of items", "Give a whole number, such as 160.")
        if number < 1:
            raise InputError(f"a part of {number} items is empty", remedy="Give a number of items, at least 1.")
    groups = sorted(_groups(collections))
    random.Random(f"winoglot split {seed}").shuffle(groups)
    sizes = [sum(len(collections[which].schemas[at].items) for which, at in group) for group in groups]
    cut = next((place for place in range(1, len(groups)) if sum(sizes[:place]) >= held_out), None)
    if cut is None:
        message = f"{held_out} items cannot be held out of {sum(sizes)}: they are in {counted(len(groups), 'group')} "
        message += f"of schemas that belong together, the largest with {counted(max(sizes), 'item')}"
        raise InputError(message, remedy="Hold out fewer, or use other collections.")
    away = _parts(collections, groups[:cut])
    rest = _parts(collections, groups[cut:])
    kept = [without_overlap(one, away) for one in rest]
    left_out = sum(len(one.items) for one in rest) - sum(len(one.items) for one in kept)
    if train is None:
        return Split(tuple(kept), tuple(away), left_out)
    remaining = {(one.name, one.language, schema.id) for one in kept for schema in one.schemas}
    drawn: list[list[Place]] = []
    total = 0
    for group in groups[cut:]:
        own = [(which, at) for which, at in group if _name(collections[which], at) in remaining]
        size = sum(len(collections[which].schemas[at].items) for which, at in own)
        if total + size <= train:
            drawn.append(own)
            total += size
    if total < train:
        remedy = "Train on fewer, hold out fewer, or give more collections."
        raise InputError(f"only {total} items of whole groups can be drawn; {train} were asked for", remedy=remedy)
    return Split(tuple(_parts(collections, drawn)), tuple(away), left_out)


def without_overlap(collection: Collection, evaluated: Iterable[Collection]) -> Collection:
    """A training collection without the schemas because of which collections that are to be evaluated would overlap.

    Of a near copy, whatever shares a run of words with it is left out, so that nothing overlaps any more.
    """
    marks = [SchemaMarks.of(schema, collection.name) for schema in collection.schemas]
    seen = Fingerprints.of([collection])
    unwanted: set[int] = set()
    for one in evaluated:
        for found in overlap(seen, one).schemas:
            own = SchemaMarks.of(one.schema(found.schema_id), one.name)
            if found.rule == "lineage":
                message = f"{collection.name} and {one.name} go back to the same published collection"
                remedy = "Texts cannot show which schemas correspond: train on another collection, or evaluate another."
                raise InputError(message, remedy=remedy)
            unwanted |= own.keys | own.runs
    kept = [s for s, own in zip(collection.schemas, marks, strict=True) if unwanted.isdisjoint(own.keys | own.runs)]
    if not kept:
        message = f"every schema of {collection.name} overlaps with what is to be evaluated"
        raise InputError(message, remedy="Train on another collection, or evaluate another.")
    return collection if len(kept) == len(collection.schemas) else replace(collection, schemas=tuple(kept))


def _name(collection: Collection, at: int) -> tuple[str, str, str]:
    return collection.name, collection.language, collection.schemas[at].id


def _parts(collections: Sequence[Collection], groups: Iterable[Sequence[Place]]) -> list[Collection]:
    """The collections with only the schemas of these groups, in their order; none that has no such schema."""
    chosen = {place for group in groups for place in group}
    parts = []
    for which, one in enumerate(collections):
        schemas = tuple(schema for at, schema in enumerate(one.schemas) if (which, at) in chosen)
        parts += [replace(one, schemas=schemas)] if schemas else []
    return parts


def _groups(collections: Sequence[Collection]) -> list[list[Place]]:
    """The schemas of all collections in groups that must not be separated."""
    marks: dict[Place, SchemaMarks] = {}
    for which, one in enumerate(collections):
        marks |= {(which, at): SchemaMarks.of(schema, one.name) for at, schema in enumerate(one.schemas)}
    joined = _Joined(marks)
    holders: dict[int, list[Place]] = defaultdict(list)
    for place, own in marks.items():
        for mark in own.keys | own.runs:
            holders[mark].append(place)
    for place, own in marks.items():
        for key in own.keys:
            joined.join(place, holders[key][0])
        for text in own.texts:
            shared = Counter(other for run in text for other in holders[run])
            for other, count in shared.items():
                if count >= SHARE * len(text):
                    joined.join(place, other)
    fingerprints = [CollectionFingerprint.of(one) for one in collections]
    for (one, first), (two, second) in combinations(enumerate(fingerprints), 2):
        if may_correspond(first, second.language, frozenset(second.texts)):
            for place in marks:
                if place[0] in (one, two):
                    joined.join(place, (one, 0))
    return joined.groups()


class _Joined:
    """Places that are joined step by step (union–find)."""

    def __init__(self, places: Iterable[Place]) -> None:
        self.parents = {place: place for place in places}

    def root(self, place: Place) -> Place:
        while self.parents[place] != place:
            self.parents[place] = place = self.parents[self.parents[place]]
        return place

    def join(self, one: Place, other: Place) -> None:
        self.parents[self.root(one)] = self.root(other)

    def groups(self) -> list[list[Place]]:
        found: dict[Place, list[Place]] = defaultdict(list)
        for place in self.parents:
            found[self.root(place)].append(place)
        return list(found.values())
