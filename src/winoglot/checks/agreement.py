"""Candidates agree in gender and number with the pronoun and with each other: else grammar gives the answer away.

Each is compared by what is sure of it: stated features, determiners, coordination, endings, the pronoun's own form.
Only a sure "no" is an error; "can't tell" is none.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from winoglot.checks.base import Context, Finding, NotRun, Severity
from winoglot.languages.agreement import agree, features_of, features_of_pronoun, is_described
from winoglot.schemas.model import NO_FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.languages.traits import FeatureName
    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "error"
_COMPARED: tuple[FeatureName, ...] = ("gender", "number")
_REMEDY = (
    "Take candidates of the same gender and number, which the pronoun has too; "
    "or state their 'features', if what shows them is misleading."
)


def check(collection: Collection, context: Context) -> Iterator[Finding]:
    """Every sure disagreement, once a schema."""
    del context
    stated = any(candidate.features != NO_FEATURES for item in collection.items for candidate in item.candidates)
    if not stated and not is_described(collection.language):
        raise NotRun(
            f"nothing is known of agreement in {collection.language!r}, and no candidate has 'features' that state it"
        )
    for schema in collection.schemas:
        said: set[str] = set()
        for item in schema.items:
            for message in _disagreements(item, collection.language):
                if message not in said:
                    yield Finding(message, _REMEDY, schema=schema.id, item=item.id)
                said.add(message)


def _disagreements(item: Item, language: str) -> Iterator[str]:
    traits = [features_of(candidate, item, language) for candidate in item.candidates]
    names = [repr(candidate.text) for candidate in item.candidates]
    pronoun = features_of_pronoun(item, language)
    for feature in _COMPARED:
        with_pronoun = [(name, agree(shown, pronoun, feature)) for name, shown in zip(names, traits, strict=True)]
        misfits = [(name, agreement) for name, agreement in with_pronoun if agreement.value is False]
        for name, agreement in misfits:
            yield f"{name} and the pronoun do not agree in {feature} ({agreement.evidence})"
        if misfits:
            continue  # that the candidates differ among themselves follows
        for (one, left), (other, right) in combinations(zip(names, traits, strict=True), 2):
            agreement = agree(left, right, feature)
            if agreement.value is False:
                yield f"{one} and {other} do not agree in {feature} ({agreement.evidence})"
