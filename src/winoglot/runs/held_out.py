"""Parts of collections for training and for what is held out, which share no schema, translation or near copy.

Schemas belong together if one overlaps with the other by any rule of `overlap.py`; such groups are never separated.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate, combinations
from typing import TYPE_CHECKING

from winoglot.errors import InputError, check_argument
from winoglot.formats.published import texts_in
from winoglot.perturb.base import with_kinds
from winoglot.runs.overlap import (
    CollectionFingerprint,
    Fingerprints,
    SchemaMarks,
    copied,
    marks_of,
    may_correspond,
    overlap,
)
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    Place = tuple[int, int]  # of a schema: its collection, and its place there


@dataclass(frozen=True)
class SchemaSplit:
    """Collections for training and held out; of each, what the other part, or no part, has is missing."""

    train: tuple[Collection, ...]
    held_out: tuple[Collection, ...]


def split(collections: Sequence[Collection], held_out: float, size: int | None = None, *, seed: int = 0) -> SchemaSplit:
    """Hold out at least this share of all items, and draw at most `size` for training from the rest; by whole groups.

    With the same seed, the held-out part is the same for every size, and a larger training part has all of a smaller
    one, except perhaps for groups that just did not fit. If fewer are left, all are drawn.

    >>> import winoglot as wg
    >>> parts = split([wg.load("winoglot-en"), wg.load("winoglot-pt")], held_out=0.1, size=160)
    >>> [len(part.items) for part in parts.train], [len(part.items) for part in parts.held_out]
    ([80, 80], [32, 32])
    """
    if size is not None:
        check_argument(size, int, "a number of items", "Give a whole number, such as 160.")
        if size < 1:
            raise InputError(f"a size of {size} was asked for", remedy="Use a number of items, at least 1.")
    groups = sorted(_groups(tuple(collections)))
    random.Random(f"winoglot split {seed}").shuffle(groups)
    sizes = [
        sum(len(collections[collection].schemas[schema].items) for collection, schema in group) for group in groups
    ]
    held_out_groups = bisect_left(list(accumulate(sizes, initial=0)), held_out * sum(sizes))
    fitting: list[list[Place]] = []
    total = 0
    for group, count in zip(groups[held_out_groups:], sizes[held_out_groups:], strict=True):
        if size is None or total + count <= size:
            fitting.append(group)
            total += count
    if not fitting:
        message = f"the {counted(sum(sizes), 'item')} are in {counted(len(groups), 'group')} of schemas that belong "
        message += f"together, the largest with {max(sizes)}: they cannot be split"
        raise InputError(message, remedy="Use a larger size, hold out less, or use other collections.")
    return SchemaSplit(_parts(collections, fitting), _parts(collections, groups[:held_out_groups]))


def without_overlap(collection: Collection, evaluated: Iterable[Collection], kinds: Sequence[str] = ()) -> Collection:
    """A training collection without the schemas because of which collections that are to be evaluated would overlap.

    Variants of `kinds` are learnt too: a schema is also left out if only one of these overlaps.
    """
    training = with_kinds(collection, kinds)
    marks = marks_of(training)
    fingerprints = Fingerprints((CollectionFingerprint.of(training, marks),))
    dropped: set[int] = set()
    for evaluated_collection in evaluated:
        for overlapping in overlap(fingerprints, evaluated_collection).schemas:
            if overlapping.rule == "lineage":
                message = f"{collection.name} and {evaluated_collection.name} go back to the same published collection"
                remedy = "Texts cannot show which schemas correspond: train on another collection, or evaluate another."
                raise InputError(message, remedy=remedy)
            schema_marks = SchemaMarks.of(evaluated_collection.schema(overlapping.schema_id), evaluated_collection.name)
            dropped |= {index for index, other in enumerate(marks) if not schema_marks.keys.isdisjoint(other.keys)}
            holders = fingerprints.collections[0].holders(schema_marks.runs)
            dropped |= {index for text in schema_marks.texts for index in copied(text, holders)}
    kept = tuple(schema for index, schema in enumerate(collection.schemas) if index not in dropped)
    if not kept:
        message = f"every schema of {collection.name} overlaps with what is to be evaluated"
        raise InputError(message, remedy="Train on another collection, or evaluate another.")
    return replace(collection, schemas=kept)


def _parts(collections: Sequence[Collection], groups: Iterable[Sequence[Place]]) -> tuple[Collection, ...]:
    """The collections with only the schemas of these groups, in their order; none that has no such schema."""
    chosen = {place for group in groups for place in group}
    parts = []
    for number, collection in enumerate(collections):
        schemas = tuple(schema for index, schema in enumerate(collection.schemas) if (number, index) in chosen)
        parts += [replace(collection, schemas=schemas)] if schemas else []
    return tuple(parts)


@lru_cache(maxsize=4)  # every size and seed of an experiment splits the same collections
def _groups(collections: tuple[Collection, ...]) -> list[list[Place]]:
    """The schemas of all collections in groups that must not be separated."""
    marks = {
        (number, index): schema_marks
        for number, collection in enumerate(collections)
        for index, schema_marks in enumerate(marks_of(collection))
    }
    joined = _Joined(marks)
    holders: dict[int, list[Place]] = defaultdict(list)
    for place, schema_marks in marks.items():
        for mark in schema_marks.keys | schema_marks.runs:
            holders[mark].append(place)
    for place, schema_marks in marks.items():
        for key in schema_marks.keys:
            joined.join(place, holders[key][0])
        for text in schema_marks.texts:
            for other in copied(text, holders):
                joined.join(place, other)
    published = [(collection.language, texts_in(collection)) for collection in collections]
    for (first_number, first), (second_number, second) in combinations(enumerate(published), 2):
        if may_correspond(first, second):
            for place in marks:
                if place[0] in (first_number, second_number):
                    joined.join(place, (first_number, 0))
    return joined.groups()


class _Joined:
    """Places that are joined step by step (union–find)."""

    def __init__(self, places: Iterable[Place]) -> None:
        self.parents = {place: place for place in places}

    def root(self, place: Place) -> Place:
        while self.parents[place] != place:
            self.parents[place] = place = self.parents[self.parents[place]]
        return place

    def join(self, first: Place, second: Place) -> None:
        self.parents[self.root(first)] = self.root(second)

    def groups(self) -> list[list[Place]]:
        groups_by_root: dict[Place, list[Place]] = defaultdict(list)
        for place in self.parents:
            groups_by_root[self.root(place)].append(place)
        return list(groups_by_root.values())
