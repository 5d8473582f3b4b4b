"""What a translation was made from, as a hash: when the source changes, the translation is stale."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.schemas.hashing import digest

if TYPE_CHECKING:
    from winoglot.schemas.model import Schema

_DIGITS = 8


def source_hash(schema: Schema) -> str:
    """Over all that is translated: text, candidates, answers, question, hypotheses, explanation; not notes or tags.

    >>> import winoglot as wg
    >>> from dataclasses import replace
    >>> schema = wg.load("winoglot-en").schemas[0]
    >>> source_hash(schema) == source_hash(replace(schema, note="Nicely put."))
    True
    """
    items = [[item.hash, item.question, item.hypotheses] for item in schema.items]
    return digest([items, schema.explanation])[:_DIGITS]
