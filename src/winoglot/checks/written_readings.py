"""A reading that a person wrote has its candidate in the pronoun's place.

Otherwise it is the reading of something else. The insertion (the whole reading, if none is marked) must have the
candidate's core or a word that only this candidate has, ignoring determiner, contraction, elision and endings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.checks.texts import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection

SEVERITY: Severity = "warning"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every reading without its candidate."""
    for item in collection.items:
        texts = [candidate.text for candidate in item.candidates]
        if not texts:  # an item that has only readings names no candidates
            continue
        for index, reading in enumerate(item.readings):
            if reading is None:
                continue
            inserted = reading.inserted.of(reading.text) if reading.inserted else reading.text
            if not names(inserted, texts, index, collection.language):
                yield Finding.about(
                    item,
                    f"reading {index} has {inserted!r} in the pronoun's place, which does not name {texts[index]!r}",
                    "Write one reading per candidate, in their order, with {…} around the candidate.",
                )
