"""Association divergence: do other wordings make items easier to solve by which words tend to occur together?

With counts of a corpus, an item's Δ is the association (mean pointwise mutual information, in bits) of the right
candidate with the segment, or with the rest of the text, minus that of the wrong one. The divergence of a kind is the
mean Δ of its variants minus that of their originals: below 0, association helps less than before. It is a property of
the collection, the same for every model. Words are those of the text, names included; terms that an author states for
the solver `pmi` are not used, since a variant inherits those of its original. For languages written without spaces it
is computed by characters too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING

from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo, not_possible
from winoglot.corpus.association import Association, association_by_characters
from winoglot.corpus.terms import AGAINST, ItemTerms, characters_of, terms_of
from winoglot.errors import InputError
from winoglot.examples import Example, example_of
from winoglot.metrics.base import Cases
from winoglot.schemas.model import ORIGINAL, Item, Terms

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.analysis.base import Subject
    from winoglot.statistics.intervals import Estimate

_DIFFERENCE, _DIVERGENCE = "association-difference", "association-divergence"


@dataclass(frozen=True)
class _Associated:
    """An item, and how much more its right candidate is associated than the wrong one; None if that is not known."""

    item: Item
    difference: float | None
    note: str

    @property
    def example(self) -> Example:
        return example_of(self.item)


def association_divergence(subject: Subject) -> Iterator[Measurement]:
    """Δ of the originals and of each kind, and the divergence of each kind, with the segment and with the text."""
    if subject.association is None:
        yield from not_possible((_DIFFERENCE, _DIVERGENCE), "no counts of a corpus were given (--counts DIR)")
        return
    collection = subject.collection
    try:
        subject.association.counts.check_language(collection.language)
    except InputError as error:  # the counts are for another of the collections that are analysed
        yield from not_possible((_DIFFERENCE, _DIVERGENCE), error.message)
        return
    variants = (variant for kind in subject.perturbations for variant in collection.variants(kind))
    plain = [replace(item, terms=Terms()) for item in (*collection.items, *variants)]
    for against in AGAINST:
        terms = {item.id: terms_of(item, collection.language, against=against, names=True) for item in plain}
        for unit, association, unit_terms in _by_unit(subject.association, terms):
            original_values = [_item_association(item, association, unit_terms[item.id]) for item in collection.items]
            parts = {"with": against, "by": unit}
            yield Measurement(_DIFFERENCE, _mean(original_values), ORIGINAL, parts)
            of_original = {case.item.id: case.difference for case in original_values}
            for kind in subject.perturbations:
                after = [
                    _item_association(item, association, unit_terms[item.id]) for item in collection.variants(kind)
                ]
                yield Measurement(_DIFFERENCE, _mean(after), kind, parts)
                differences = [
                    _change_from_original(case, of_original.get(case.item.variant_of or "")) for case in after
                ]
                yield Measurement(_DIVERGENCE, _mean(differences), kind, parts)


def _by_unit(
    association: Association, terms: dict[str, ItemTerms]
) -> Iterator[tuple[str, Association, dict[str, ItemTerms]]]:
    """The terms by words and, where these are written without spaces, also by characters."""
    yield "words", association, terms
    if by_characters := association_by_characters(association, terms.values()):
        yield "characters", by_characters, {name: characters_of(item_terms) for name, item_terms in terms.items()}


def _item_association(item: Item, association: Association, terms: ItemTerms) -> _Associated:
    if terms.why_not or item.answer is None or len(terms.candidates) != 2:
        return _Associated(item, None, terms.why_not or "it has no answer, or not two candidates")
    values = [association.between_terms(terms.reference, words) for words in terms.candidates]
    if None in values:
        return _Associated(item, None, "a word was not counted")
    right, wrong = values[item.answer] or 0.0, values[1 - item.answer] or 0.0
    if not (isfinite(right) and isfinite(wrong)):
        return _Associated(item, None, "words never occur together")
    return _Associated(item, right - wrong, "")


def _change_from_original(variant: _Associated, of_original: float | None) -> _Associated:
    if variant.difference is None or of_original is None:
        return _Associated(variant.item, None, variant.note or "the original's association is not known")
    return _Associated(variant.item, variant.difference - of_original, "")


def _mean(associated: list[_Associated]) -> Estimate:
    cases = Cases(tuple(associated))
    for note in dict.fromkeys(case.note for case in associated if case.difference is None):
        cases = cases.where(lambda case, note=note: case.note != note, f"({note})")  # type: ignore[misc]
    return cases.mean(lambda case: case.difference, undefined="no items whose association is known")


PLUGINS = {
    "association-divergence": AnalysisMeasure(
        "Association divergence",
        "How much more the right candidate is associated with the segment or the text, and how kinds change that.",
        association_divergence,
        {
            _DIVERGENCE: QuantityInfo("divergence from the originals", "plain", 0.0, "bits"),
            _DIFFERENCE: QuantityInfo("right minus wrong candidate", "plain", 0.0, "bits"),
        },
        of="collection",
    )
}
