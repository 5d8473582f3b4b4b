"""No candidate is chosen by association alone: its words and the segment's do not go together more than the other's.

The test needs counts of how often words occur together in a large corpus. Without them nothing is claimed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import Context, Finding, NotRun, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.collection import Collection

SEVERITY: Severity = "warning"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """Not run: a context holds no counts."""
    del collection, context
    raise NotRun("needs co-occurrence counts; none were given")
