"""A reading that a person wrote has its candidate in the pronoun's place: else it is the reading of something else.

The insertion (the whole reading, where nobody marked one) must hold the candidate's core or a word that only this
candidate has, determiner, contraction, elision and endings aside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks._naming import names
from winoglot.checks.base import Context, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection

SEVERITY: Severity = "warning"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """Every reading without its candidate."""
    del context
    for item in collection.items:
        texts = [candidate.text for candidate in item.candidates]
        if not texts:  # readings alone name no candidates
            continue
        for index, reading in enumerate(item.readings):
            if reading is None:
                continue
            inserted = reading.inserted.of(reading.text) if reading.inserted else reading.text
            if not names(inserted, texts, index, collection.language):
                yield Finding(
                    f"reading {index} has {inserted!r} in the pronoun's place, which does not name {texts[index]!r}",
                    "Write one reading a candidate, in their order, with {…} around the candidate.",
                    schema=item.schema_id,
                    item=item.id,
                )
