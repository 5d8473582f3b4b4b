"""What a run asks: the items of a collection and of chosen kinds, each with its readings and their window."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.languages.readings import readings
from winoglot.languages.windows import window
from winoglot.models.base import NO_TOKENS, Question, TokenCount

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Item

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
