"""Candidate 0 is the one that the text mentions first.

Otherwise the order of the candidates may give the answer away. What is compared is where the first mentions begin. If
the items of a schema mention the candidates in different orders, or a text does not mention one of them, no order is
the right one and there is no warning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Candidate, Collection, Item

SEVERITY: Severity = "warning"


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every schema whose items all mention another candidate first; the warning is about the first item."""
    for schema in collection.schemas:
        firsts = [(item, first) for item in schema.items if (first := _mentioned_first(item)) is not None]
        if not firsts or any(first is item.candidates[0] for item, first in firsts):
            continue
        item, first = firsts[0]
        yield Finding.about(
            item,
            f"{first.text!r} is mentioned before {item.candidates[0].text!r}, which is candidate 0",
            "List the candidates in the order of their first mentions, and adjust the answers.",
        )


def _mentioned_first(item: Item) -> Candidate | None:
    """The candidate that is mentioned before all others; None if two begin together or one is not mentioned."""
    starts = [candidate.mentions[0].start for candidate in item.candidates if candidate.mentions]
    if len(starts) < 2 or len(starts) < len(item.candidates) or starts.count(min(starts)) > 1:
        return None
    return item.candidates[starts.index(min(starts))]
