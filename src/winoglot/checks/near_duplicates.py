"""No text is nearly the same as another, in this collection or in one that it is compared with.

Texts are compared with their candidates and pronoun masked, so that other names or things do not make a new schema of
an old one; `similarity` says how. Texts that share 35% or more are reported: two translations of the same schemas into
Portuguese, with names changed, share 52% or more, and 15,000 published texts share at most 28% with any of the bundled
schemas, which were written independently. Below that, what texts share is mostly a frame such as "because he was
hungry".

Items of one schema are meant to be alike; equal texts inside the collection are left to `unique-texts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.checks.similarity import SimilarPair, best_per_schema, comparable, compared_texts, similar_pairs
from winoglot.checks.texts import letters

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.checks.similarity import TextFeatures
    from winoglot.schemas.model import Collection

SEVERITY: Severity = "warning"
THRESHOLD = 0.35
_LONGEST_QUOTE = 120


def check(collection: Collection, context: CheckContext) -> Iterator[Finding]:
    """A warning for each schema with the text closest to it: in an earlier schema, and in each other collection."""
    texts = compared_texts(collection)
    order = {schema.id: index for index, schema in enumerate(collection.schemas)}
    firsts: dict[str, TextFeatures] = {}
    for text in texts:
        firsts.setdefault(letters(text.text), text)
    different = list(firsts.values())
    earlier = similar_pairs(
        different, different, THRESHOLD, lambda text, earlier: order[earlier.schema_id] < order[text.schema_id]
    )
    for pair in best_per_schema(earlier):
        yield _finding(pair, pair.other.item.id, "Remove one of them, or write another situation.")
    for reference in comparable(collection, context.against):
        for pair in best_per_schema(similar_pairs(texts, compared_texts(reference), THRESHOLD)):
            yield _finding(pair, f"{reference.name} {pair.other.item.id}", "Write another situation.")


def _finding(pair: SimilarPair, place: str, remedy: str) -> Finding:
    text = pair.other.text
    quoted = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    message = f"close to {place}: they share {pair.share:.0%}, ignoring candidates: {quoted!r}"
    return Finding.about(pair.first.item, message, remedy)
