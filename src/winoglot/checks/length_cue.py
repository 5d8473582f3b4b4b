"""Neither the length of candidates nor that of segments gives answers away over the collection.

Tested at 1% with the exact two-sided binomial test: whether the longer candidate (in characters, without its
determiner) is right more or less often than the shorter one; and, in pairs, whether the longer segment goes with the
first candidate. A schema has one vote; in the first test a proper pair has none: it is balanced by construction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, NotRun, Severity
from winoglot.checks.voting import FEWEST, is_labelled_choice, uneven, votes
from winoglot.languages.base import function_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item, Schema

SEVERITY: Severity = "warning"
_COUNTED = "in which lengths differ"
_REMEDY = "Rewrite some of them so that length gives nothing away."


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """At most two warnings, about the collection as a whole."""

    def longer_is_right(item: Item) -> bool | None:
        lengths = [len(function_words(collection.language).without_determiner(c.text)) for c in item.candidates]
        if len(lengths) != 2 or lengths[0] == lengths[1]:
            return None
        return lengths.index(max(lengths)) == item.answer

    testable = sum(is_labelled_choice(item) and longer_is_right(item) is not None for item in collection.items)
    by_segment = [vote for vote in map(_longer_is_first, collection.schemas) if vote is not None]
    if max(testable, len(by_segment)) < FEWEST:
        raise NotRun(f"it needs at least {FEWEST} labelled items with candidates of different length, found {testable}")
    if testable >= FEWEST:
        yield from uneven(
            votes(collection.schemas, longer_is_right), _COUNTED, "the longer candidate is right", _REMEDY
        )
    if len(by_segment) >= FEWEST:
        yield from uneven(by_segment, _COUNTED, "the longer segment goes with candidate 0", _REMEDY)


def _longer_is_first(schema: Schema) -> bool | None:
    """Whether the longer segment of a pair is in the item that candidate 0 answers; None if it is not a pair."""
    labelled = [item for item in schema.items if is_labelled_choice(item)]
    if len(labelled) != 2 or {item.answer for item in labelled} != {0, 1}:
        return None
    first, second = sorted(labelled, key=lambda item: item.answer or 0)
    lengths = [sum(place.end - place.start for place in item.segment) for item in (first, second)]
    return None if lengths[0] == lengths[1] else lengths[0] > lengths[1]
