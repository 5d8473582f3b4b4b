"""Content hashes: short, the same in every version of Winoglot, independent of notes."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from winoglot.schemas.model import Item

_DIGITS = 16


def digest(value: object) -> str:
    """The first 16 hexadecimal digits of SHA-256 over the value as compact JSON."""
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    return hashlib.sha256(data.encode()).hexdigest()[:_DIGITS]


def item_hash(item: Item) -> str:
    """A hash over what a solver sees and is scored by: text, pronoun, candidates with their mentions, answer.

    For an item without a text, its readings count as the text; inference pairs have labels of their own.
    """
    content: list[object] = [
        item.text,
        item.pronoun and [item.pronoun.start, item.pronoun.end],
        [[c.text, [[m.start, m.end] for m in c.mentions]] for c in item.candidates],
        item.answer,
    ]
    if item.text is None:
        content.append([r and r.text for r in item.readings])
    if item.inferences:
        content.append([[i.premise, i.hypothesis, i.entailed] for i in item.inferences])
    return digest(content)


def hash_of_items(items: Iterable[Item]) -> str:
    """A hash over the ids and hashes of the items, in order."""
    return digest([[item.id, item.hash] for item in items])
