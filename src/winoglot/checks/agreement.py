"""Candidates agree in gender and number with the pronoun and with each other.

Otherwise grammar gives the answer away. Each is judged by what is certain about it: stated features, determiners,
coordination, endings, the form of the pronoun. Only a certain "no" is an error.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, NotRun, Severity
from winoglot.languages.agreement import agree, features_of, features_of_pronoun, is_described
from winoglot.schemas.model import NO_FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.languages.features import FeatureName
    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "error"
_COMPARED: tuple[FeatureName, ...] = ("gender", "number")
_REMEDY = (
    "Choose candidates with the same gender and number as the pronoun; "
    "or state their 'features', if what shows them is misleading."
)


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Every certain disagreement, once per schema."""
    has_stated_features = any(
        candidate.features != NO_FEATURES for item in collection.items for candidate in item.candidates
    )
    if not has_stated_features and not is_described(collection.language):
        raise NotRun(
            f"nothing is known about agreement in {collection.language!r}, and no candidate states its 'features'"
        )
    for schema in collection.schemas:
        messages: set[str] = set()
        for item in schema.items:
            for message in _disagreements(item, collection.language):
                if message not in messages:
                    yield Finding.about(item, message, _REMEDY)
                messages.add(message)


def _disagreements(item: Item, language: str) -> Iterator[str]:
    traits = [features_of(candidate, item, language) for candidate in item.candidates]
    names = [repr(candidate.text) for candidate in item.candidates]
    pronoun = features_of_pronoun(item, language)
    for feature in _COMPARED:
        with_pronoun = [
            (name, agree(candidate_traits, pronoun, feature))
            for name, candidate_traits in zip(names, traits, strict=True)
        ]
        misfits = [(name, agreement) for name, agreement in with_pronoun if agreement.value is False]
        for name, agreement in misfits:
            yield f"{name} and the pronoun do not agree in {feature} ({agreement.evidence})"
        if misfits:
            continue  # that the candidates differ among themselves follows
        for (first, left), (second, right) in combinations(zip(names, traits, strict=True), 2):
            agreement = agree(left, right, feature)
            if agreement.value is False:
                yield f"{first} and {second} do not agree in {feature} ({agreement.evidence})"
