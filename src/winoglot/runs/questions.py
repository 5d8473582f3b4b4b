"""What a run asks: the items of a collection and of chosen kinds, each with its readings and their window."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot import registry
from winoglot.errors import InputError, nearest
from winoglot.languages.readings import readings
from winoglot.languages.windows import window
from winoglot.models._unknown import NO_TOKENS, TokenCount
from winoglot.models.base import Question
from winoglot.perturb.base import with_variants

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Item

_TAGGED = {"switched": "switchable"}  # kinds that make sense only where an author says so, and by which tag
_BATCH = 6000  # characters of readings in a batch


@dataclass(frozen=True)
class Asked:
    """A question, and what a prediction must record beside the answer."""

    question: Question
    fallback: bool
    window: str
    tokens: TokenCount = NO_TOKENS  # of its readings, where the solver counts them

    @property
    def item(self) -> Item:
        """The item that is asked about."""
        return self.question.item


def limited(collection: Collection, limit: int | None, seed: int) -> Collection:
    """At most so many schemas, whole, drawn with a seed and kept in order."""
    check_limit(limit)
    if limit is None or limit >= len(collection.schemas):
        return collection
    drawn = set(random.Random(f"winoglot {seed}").sample(range(len(collection.schemas)), limit))
    return replace(collection, schemas=tuple(s for n, s in enumerate(collection.schemas) if n in drawn))


def check_limit(limit: object) -> None:
    """Refuse what is no number of schemas."""
    if limit is None:
        return
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise InputError(f"a limit of {limit!r} is no whole number", remedy="Give the number of schemas, as 20.")
    if limit < 1:
        raise InputError(f"a limit of {limit} leaves nothing", remedy="Give the number of schemas, from 1 on.")


def with_kinds(collection: Collection, kinds: Sequence[str], whole: Collection | None = None) -> Collection:
    """The collection with the variants of these kinds, derived where they are not stored and grammar can.

    Where it was drawn from a `whole`, that decides which schemas get them, so that a schema has the same variants in
    both; there may be none among those drawn.
    """
    return _with_kinds(collection, tuple(kinds), whole or collection)


@lru_cache(maxsize=8)  # several models and styles of readings are asked the same
def _with_kinds(collection: Collection, kinds: tuple[str, ...], whole: Collection) -> Collection:
    known = registry.names("perturbations")
    drawn = len(collection.schemas) < len(whole.schemas)
    for kind in kinds:
        if kind in known:
            perturb = registry.load("perturbations", kind).perturb
            collection = with_variants(collection, kind, perturb, _among(whole, kind)).collection
        elif kind not in whole.kinds:
            raise InputError(
                f"{collection.name} has no variants of kind {kind!r}, and none can be derived",
                remedy=nearest(kind, {*known, *whole.kinds}),
            )
        if kind not in collection.kinds and drawn:
            with_kinds(whole, [kind])  # an input error where no schema has one
        elif kind not in collection.kinds:
            raise InputError(
                f"no schema of {collection.name} has a variant of kind {kind!r}",
                remedy="Leave the kind out, or see why with: winoglot switch COLLECTION --suggest.",
            )
    return collection


def _among(collection: Collection, kind: str) -> set[str]:
    """The schemas to derive a kind for: those tagged for it, or all where none is or the kind needs no tag."""
    tag = _TAGGED.get(kind)
    tagged = {schema.id for schema in collection.schemas if tag in schema.tags}
    return tagged or {schema.id for schema in collection.schemas}


def asked(collection: Collection, kinds: Sequence[str], style: str) -> list[Asked]:
    """The questions of a run; items without readings are left out."""
    items = [*collection.items, *(variant for kind in kinds for variant in collection.variants(kind))]
    return [made for item in items if (made := _asked(item, collection.language, style)) is not None]


def _asked(item: Item, language: str, style: str) -> Asked | None:
    made = readings(item, style, language=language)
    if len(made) < 2:
        return None
    shared = window(item, made)
    what = "empty" if shared.is_empty else "punctuation" if shared.is_punctuation else ""
    what = what or ("segment before" if shared.segment_in == "before" else "")
    return Asked(Question(item, language, tuple(made), shared), any(not reading.derived for reading in made), what)


def batches(questions: Sequence[Asked]) -> list[list[Asked]]:
    """The questions in batches, longest first, those of a schema together; the same for the same questions."""
    schemas: dict[str, list[Asked]] = {}
    for question in questions:
        schemas.setdefault(question.item.schema_id, []).append(question)
    plan: list[list[Asked]] = []
    size = _BATCH
    for group in sorted(schemas.values(), key=lambda group: (-_length(group), group[0].item.schema_id)):
        if size + _length(group) > _BATCH:
            plan.append([])
            size = 0
        plan[-1] += group
        size += _length(group)
    return plan


def _length(group: Sequence[Asked]) -> int:
    return sum(len(reading.text) for one in group for reading in one.question.readings)
