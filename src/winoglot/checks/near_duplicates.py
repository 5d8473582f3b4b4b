"""No item is nearly the text of another: not of another schema, and not of the collections given to compare with.

Texts are compared with their candidates and pronoun masked, so that other names or things make no new schema of an old
one; how, `_likeness` says. From 35% on, two texts are told: two translations of the same schemas into Portuguese, names
changed, share 52% or more, and 15,000 published texts share 28% at most with any of the bundled schemas, which were
written without them. Lower down, what is shared is mostly a frame such as "because he was hungry".

Items of one schema are meant to be alike; texts that are equal inside the collection are left to `unique-texts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks._likeness import Pair, best, comparable, features_of, near
from winoglot.checks._words import letters
from winoglot.checks.base import Context, Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.checks._likeness import Features
    from winoglot.schemas.model import Collection

SEVERITY: Severity = "warning"
THRESHOLD = 0.35
_LONGEST_QUOTE = 120


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """A warning for each schema and the text nearest to it: in an earlier schema, and in each other collection."""
    own = features_of(collection)
    order = {schema.id: number for number, schema in enumerate(collection.schemas)}
    firsts: dict[str, Features] = {}
    for one in own:
        firsts.setdefault(letters(one.text), one)
    different = list(firsts.values())
    earlier = near(different, different, THRESHOLD, lambda one, other: order[other.schema_id] < order[one.schema_id])
    for pair in best(earlier):
        yield _finding(pair, pair.other.item.id, "Take one of them out, or write a situation of its own.")
    for other in comparable(collection, context.against):
        for pair in best(near(own, features_of(other), THRESHOLD)):
            yield _finding(pair, f"{other.name} {pair.other.item.id}", "A new schema needs a situation of its own.")


def _finding(pair: Pair, other: str, remedy: str) -> Finding:
    text = pair.other.text
    quoted = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    return Finding(
        f"near to {other}, with which it shares {pair.share:.0%}, candidates aside: {quoted!r}",
        remedy,
        schema=pair.one.item.schema_id,
        item=pair.one.item.id,
    )
