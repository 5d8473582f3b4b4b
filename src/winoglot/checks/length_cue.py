"""Length does not give answers away over the collection: neither the candidates' nor the segments'.

Tested at 1% with the exact binomial test, two-sided: whether the longer candidate (in characters, its determiner
aside) is right more or less often than the shorter one; and, in pairs, whether the longer segment goes with the first
candidate. A schema has one vote; a proper pair has none in the first test, where it is balanced by construction.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks._chance import FEWEST, LEVEL, chance, is_labelled_choice, votes
from winoglot.checks.base import Context, Finding, NotRun, Severity
from winoglot.languages.base import function_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.schemas.model import Collection, Item, Schema

SEVERITY: Severity = "warning"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """At most two warnings, on the collection as a whole."""
    del context

    def longer_is_right(item: Item) -> bool | None:
        lengths = [len(function_words(collection.language).without_determiner(c.text)) for c in item.candidates]
        if len(lengths) != 2 or lengths[0] == lengths[1]:
            return None
        return lengths.index(max(lengths)) == item.answer

    testable = sum(is_labelled_choice(item) and longer_is_right(item) is not None for item in collection.items)
    by_segment = [vote for vote in map(_longer_is_first, collection.schemas) if vote is not None]
    if max(testable, len(by_segment)) < FEWEST:
        raise NotRun(f"{testable} labelled items have candidates of different length, at least {FEWEST} are needed")
    if testable >= FEWEST:
        yield from _uneven(votes(collection.schemas, longer_is_right), "the longer candidate is right")
    if len(by_segment) >= FEWEST:
        yield from _uneven(by_segment, "the longer segment goes with candidate 0")


def _longer_is_first(schema: Schema) -> bool | None:
    """Whether the longer segment of a pair stands in the item that candidate 0 answers; None where it is no pair."""
    labelled = [item for item in schema.items if is_labelled_choice(item)]
    if len(labelled) != 2 or {item.answer for item in labelled} != {0, 1}:
        return None
    first, second = sorted(labelled, key=lambda item: item.answer or 0)
    lengths = [sum(place.end - place.start for place in item.segment) for item in (first, second)]
    return None if lengths[0] == lengths[1] else lengths[0] > lengths[1]


def _uneven(cast: list[bool], what: str) -> Iterator[Finding]:
    likelihood = chance(sum(cast), len(cast))
    if likelihood < LEVEL:
        yield Finding(
            f"in {sum(cast)} of {len(cast)} schemas that can tell, {what} (by chance: p = {likelihood:.1g})",
            "Rewrite some of them so that length says nothing.",
        )
