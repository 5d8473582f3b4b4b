"""Association alone does not choose the answer.

The segment must not be more closely associated with one candidate than with the other. This needs
counts of how often words occur near each other in a large corpus; without them the rule is not run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, NotRun, Severity
from winoglot.checks.voting import FEWEST, is_labelled_choice, uneven, votes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.corpus.association import ItemAssociation
    from winoglot.schemas.model import Collection, Schema

SEVERITY: Severity = "warning"
_TAG = "associative"


def check(collection: Collection, context: CheckContext) -> Iterator[Finding]:
    """A warning for each schema that association solves, and one if it does so more often than chance."""
    if context.association is None:
        raise NotRun("it needs co-occurrence counts, and none were given")
    associations = {item.id: context.association.judge(item, collection.language) for item in collection.items}
    choices = {name: judgement.choice() for name, judgement in associations.items()}
    if all(choice is None for choice in choices.values()):
        raise NotRun("the counts do not decide any item")
    for schema in collection.schemas:
        yield from _check_schema(schema, associations)
    says = votes(
        collection.schemas,
        lambda item: None if choices[item.id] is None else choices[item.id] == item.answer,
    )
    if len(says) >= FEWEST and 2 * sum(says) > len(says):
        yield from uneven(
            says,
            "that association decides",
            "it is right",
            "Rewrite those that it solves, so that both candidates go with both alternatives.",
        )


def _check_schema(schema: Schema, associations: dict[str, ItemAssociation]) -> Iterator[Finding]:
    """A warning if association gives the right answer to all items of a schema, as a guess sometimes does too.

    A schema that is tagged as associative needs no warning.
    """
    items = [item for item in schema.items if is_labelled_choice(item)]
    if not items or any(associations[item.id].choice() != item.answer for item in items):
        return
    if all(_TAG in item.tags for item in items):
        return
    evidence = "; ".join(_evidence(associations[item.id]) for item in items)
    how_many = f"all {len(items)} items" if len(items) > 1 else "the item"
    yield Finding.about(
        schema,
        f"association alone answers {how_many}: {evidence}",
        f"Choose candidates to which both alternatives apply equally well, or tag it {_TAG!r}.",
    )


def _evidence(association: ItemAssociation) -> str:
    """The associations in words: `'shadow' with 'church' 3.1, with 'tower' never`."""
    best = association.choice() or 0
    order = [best, *(index for index in range(len(association.values)) if index != best)]
    values = [
        f"with {' '.join(association.terms.candidates[index])!r} {_spell(association.values[index])}" for index in order
    ]
    return f"{' '.join(association.terms.reference)!r} {', '.join(values)}"


def _spell(value: float | None) -> str:
    return "unknown" if value is None else "never" if value == float("-inf") else f"{value:.1f}"
