"""Candidates agree with the pronoun in gender, number and stated animacy.

Otherwise grammar gives the answer away. Each is judged by what is certain about it: stated features, determiners,
coordination, endings, the form of the pronoun. Only a certain "no" is an error. A pronoun asks only for what its form
shows (Spanish *su* for nothing); where it has no form, the candidates must agree with each other.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, NotRun, Severity
from winoglot.languages.agreement import agree, features_of, is_collective, is_described, pronoun_analyses
from winoglot.languages.features import NAMES, UNKNOWN, Traits
from winoglot.languages.lexicon import lexicon
from winoglot.schemas.model import NO_FEATURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.languages.agreement import Agreement
    from winoglot.languages.features import FeatureName
    from winoglot.schemas.model import Collection, Features, Item

SEVERITY: Severity = "error"
_REMEDY = "Choose candidates that agree with the pronoun; or state their 'features', if what shows them is misleading."


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
    traits = [_certain(features_of(candidate, item, language), candidate.features) for candidate in item.candidates]
    analyses = pronoun_analyses(item, language)
    surface = item.pronoun.of(item.text) if item.pronoun and item.text else ""
    for candidate, shown in zip(item.candidates, traits, strict=True):
        for name, agreement in _misfit(shown, analyses):
            yield f"{candidate.text!r} and the pronoun {surface!r} do not agree in {name} ({agreement.evidence})"
    for first, second in combinations(zip(item.candidates, traits, strict=True), 2):
        if any(is_collective(candidate.text, language) for candidate in (first[0], second[0])):
            continue
        for name in _shared(item, language):
            agreement = agree(first[1], second[1], name)
            if agreement.value is False:
                yield f"{first[0].text!r} and {second[0].text!r} do not agree in {name} ({agreement.evidence})"


def _certain(traits: Traits, stated: Features) -> Traits:
    """The traits, with animacy only if it is stated: a ship may have a first name, and an animal is *it* or *he*."""
    is_certain = stated.animacy in ("human", "thing")
    return traits if is_certain else replace(traits, animacy=UNKNOWN)


def _misfit(candidate: Traits, analyses: list[Traits]) -> list[tuple[FeatureName, Agreement]]:
    """In what the candidate disagrees with the pronoun, by the analysis that fits it best; nothing if one may fit."""
    disagreements = [
        [(name, agreement) for name in NAMES if (agreement := agree(candidate, analysis, name)).value is False]
        for analysis in analyses
    ]
    return min(disagreements, key=len, default=[])


def _shared(item: Item, language: str) -> tuple[FeatureName, ...]:
    """What the candidates must share although the pronoun leaves it open.

    For a gap, whatever may fill it shows; an unspoken subject has a verb; *they* is hardly one person if the other
    candidate is several. In a language with cases, forms of both numbers coincide (*ihr Haus*), so nothing follows.
    """
    if item.pronoun is None or item.pronoun_form == "blank":
        return ("gender", "number")
    if item.pronoun_form == "zero":
        return ("number",) if lexicon(language, "verbs").words("finite", "plural") else ()
    has_cases = any(line.one_of("case") for lines in lexicon(language, "pronouns").entries.values() for line in lines)
    return () if has_cases or len(pronoun_analyses(item, language)) < 2 else ("number",)
