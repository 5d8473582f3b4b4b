"""Candidate 0 is the one that the text mentions first: else the order of candidates may give the answer away.

Compared are the starts of first mentions. Where the items of a schema mention the candidates in different orders, or a
text does not mention one of them, no order is the right one and nothing is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import Context, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Candidate, Collection, Item

SEVERITY: Severity = "warning"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """Every schema whose items all mention another candidate first, at its first item."""
    del context
    for schema in collection.schemas:
        firsts = [(item, first) for item in schema.items if (first := _mentioned_first(item)) is not None]
        if not firsts or any(first is item.candidates[0] for item, first in firsts):
            continue
        item, first = firsts[0]
        yield Finding(
            f"{first.text!r} is mentioned before {item.candidates[0].text!r}, which is candidate 0",
            "Put the candidates in the order of their first mentions, and the answers with them.",
            schema=schema.id,
            item=item.id,
        )


def _mentioned_first(item: Item) -> Candidate | None:
    """The candidate whose first mention begins before all others'; None where two begin together or one has none."""
    starts = [candidate.mentions[0].start for candidate in item.candidates if candidate.mentions]
    if len(starts) < 2 or len(starts) < len(item.candidates) or starts.count(min(starts)) > 1:
        return None
    return item.candidates[starts.index(min(starts))]
