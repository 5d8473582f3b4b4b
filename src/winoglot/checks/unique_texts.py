"""No two items of a collection have the same text: the second would be counted twice, or contradict the first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import Context, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.collection import Collection

SEVERITY: Severity = "error"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """Texts compared letter by letter, case and blanks aside."""
    del context
    seen: dict[str, str] = {}
    for item in collection.items:
        if item.text is None:
            continue
        key = " ".join(item.text.casefold().split())
        if key in seen:
            yield Finding(
                f"{item.id} has the same text as {seen[key]}",
                "Take one of them out, or make them differ.",
                schema=item.schema_id,
                item=item.id,
            )
        seen.setdefault(key, item.id)
