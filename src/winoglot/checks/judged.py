"""Somebody has judged what a model drafted: a draft that passes the checks may be unnatural or have no clear answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.schemas.model import ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection

SEVERITY: Severity = "warning"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Drafts that nobody has judged: schemas, and variants once per schema and kind."""
    for schema in collection.schemas:
        for kind in (ORIGINAL, *schema.kinds):
            made = schema.made_as(kind)
            if made is not None and made.unjudged:
                what = "the schema" if kind == ORIGINAL else f"the variant {kind!r}"
                message = f"{made.model} drafted {what}, and nobody has judged the draft"
                yield Finding.about(schema, message, "Read and correct it, then add your name to 'judged_by'.")
