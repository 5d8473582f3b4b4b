"""The segment changes no gender, number or elision around it.

Otherwise its form, not its meaning, gives the answer away. There are three tests, each applied only if it is certain.
At the edges of a segment no word may have the form it has only before a vowel, or only before a consonant (*le école*,
*an lamp*; words with a doubtful beginning are passed over). The pronoun may not differ in gender, number or animacy
between the items. Nor may what agrees with it: the verb right after it if listed (*was*/*were*), and the adjective
after its listed copula, by the ending of a participle (*cansado*/*ocupada*) or as two forms of one word
(*lourd*/*lourde*).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.checks.base import CheckContext, Finding, Severity
from winoglot.languages.agreement import agree, features_of_pronoun
from winoglot.languages.inflection import predicate, shown_by_predicates, verb_after_pronoun
from winoglot.languages.substitution import elision_fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.languages.features import FeatureName
    from winoglot.schemas.model import Collection, Item

SEVERITY: Severity = "warning"
_COMPARED: tuple[FeatureName, ...] = ("gender", "number")
_ANIMACY: FeatureName = "animacy"  # Chinese 他 and 它 differ in nothing else
_LAST_WORD = re.compile(r"(?:^|[^\w'’\-])([\w\-]+['’]?)$")
_FIRST_WORD = re.compile(r"\w+")
_REMEDY = "Choose alternatives of the same gender and number; move what changes with them into the segment."


def check(collection: Collection, _context: CheckContext) -> Iterator[Finding]:
    """Problems at the edges of each segment, and what differs between the first item of a schema and the others."""
    for schema in collection.schemas:
        marked_items = [item for item in schema.items if item.segment]
        for item in marked_items:
            for message in _elisions(item, collection.language):
                yield Finding.about(
                    item, message, "Include the word in the segment, in the right form for each alternative."
                )
        for item in marked_items[1:]:
            for message in _differences(marked_items[0], item, collection.language):
                yield Finding.about(item, message, _REMEDY)


def _elisions(item: Item, language: str) -> Iterator[str]:
    text = item.text or ""
    for edge in sorted({edge for place in item.segment for edge in (place.start, place.end)}):
        left, right = text[:edge], text[edge:]
        if not (left.endswith((" ", "'", "’")) or right.startswith(" ")):
            continue  # the edge is inside a word, or at punctuation
        before, after = _LAST_WORD.search(left.rstrip()), _FIRST_WORD.match(right.lstrip())
        if before is None or after is None or (before.group(1)[0].isupper() and before.start(1) > 0):
            continue  # a capital inside a text is a name or a letter: "vitamin A for the eyes"
        fault = elision_fault(before.group(1), after.group(), language)
        if fault is not None:
            yield f"at the edge of the segment, {fault}"


def _differences(first: Item, item: Item, language: str) -> Iterator[str]:
    for feature in (*_COMPARED, _ANIMACY):
        agreement = agree(features_of_pronoun(first, language), features_of_pronoun(item, language), feature)
        if agreement.value is False:
            yield f"the pronoun differs in {feature} from that of {first.id} ({agreement.evidence})"
    agreement = agree(verb_after_pronoun(first, language), verb_after_pronoun(item, language), "number")
    if agreement.value is False:
        yield f"the verb after the pronoun differs in number from that of {first.id} ({agreement.evidence})"
    expected, predicate_here = predicate(first, language), predicate(item, language)
    if expected is None or predicate_here is None:
        return
    predicate_traits = shown_by_predicates(expected, predicate_here, language)
    for feature in _COMPARED:
        agreement = agree(*predicate_traits, feature)
        if agreement.value is False:
            yield f"the segment differs in {feature} from that of {first.id} ({agreement.evidence})"
