"""No candidate is chosen by association alone: its words and the segment's do not go together more than the other's.

The test needs counts of how often words stand near each other in a large corpus. Without them nothing is claimed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks._chance import FEWEST, LEVEL, chance, is_labelled_choice, votes
from winoglot.checks.base import Context, Finding, NotRun, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.corpus.association import Judged
    from winoglot.schemas.model import Collection, Schema

SEVERITY: Severity = "warning"
_TAG = "associative"


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """A warning for each schema that association solves, and one where it does so more often than chance."""
    if context.association is None:
        raise NotRun("needs co-occurrence counts; none were given")
    judged = {item.id: context.association.judge(item, collection.language) for item in collection.items}
    choices = {name: one.choice() for name, one in judged.items()}
    if all(choice is None for choice in choices.values()):
        raise NotRun("the counts decide no item")
    for schema in collection.schemas:
        yield from _solved(schema, judged)
    says = votes(
        collection.schemas,
        lambda item: None if choices[item.id] is None else choices[item.id] == item.answer,
    )
    likelihood = chance(sum(says), len(says))
    if len(says) >= FEWEST and likelihood < LEVEL and 2 * sum(says) > len(says):
        yield Finding(
            f"of {len(says)} schemas that association does not leave open, it is right in {sum(says)} "
            f"(by chance: p = {likelihood:.1g})",
            "Rewrite those that it solves, so that both candidates go with both alternatives.",
        )


def _solved(schema: Schema, judged: dict[str, Judged]) -> Iterator[Finding]:
    """A schema is solved where association gives the right answer to all of its items; a guess does that too at times.

    One that says of itself that it is associative is none to warn of.
    """
    items = [item for item in schema.items if is_labelled_choice(item)]
    if not items or any(judged[item.id].choice() != item.answer for item in items):
        return
    if all(_TAG in item.tags for item in items):
        return
    evidence = "; ".join(_told(judged[item.id]) for item in items)
    how_many = f"all {len(items)} items" if len(items) > 1 else "the item"
    yield Finding(
        f"association alone answers {how_many}: {evidence}",
        f"Choose candidates to which both alternatives apply equally well, or tag it {_TAG!r}.",
        schema=schema.id,
    )


def _told(judged: Judged) -> str:
    """As `'shadow' with 'church' 3.1, with 'tower' never`."""
    best = judged.choice() or 0
    order = [best, *(index for index in range(len(judged.values)) if index != best)]
    values = [f"with {' '.join(judged.terms.candidates[index])!r} {_spell(judged.values[index])}" for index in order]
    return f"{' '.join(judged.terms.reference)!r} {', '.join(values)}"


def _spell(value: float | None) -> str:
    return "unknown" if value is None else "never" if value == float("-inf") else f"{value:.1f}"
