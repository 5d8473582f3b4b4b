"""Which position in the text is preferred when nothing says which candidate is meant: first mention, and subject.

The segment is masked, in the originals and in every kind. Schemas whose candidates can be exchanged are asked in both
orders: a preference for a word moves with the word, a preference for a position does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo, not_possible
from winoglot.metrics.base import Cases, selected
from winoglot.metrics.robustness import SEGMENT_MASKED, SWITCHED
from winoglot.perturb.base import COMPOSED, derive
from winoglot.perturb.controls import is_control
from winoglot.schemas.model import ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from collections.abc import Collection as Container

    from winoglot.analysis.base import Asked, Subject
    from winoglot.examples import Outcome
    from winoglot.schemas.model import Collection
    from winoglot.statistics.intervals import Estimate

_QUANTITIES = ("first-mention", "subject")
_SUBJECT, _OBJECTS = "subject", ("object", "indirect", "agent")  # the last in passives


def preference(subject: Subject) -> Iterator[Measurement]:
    """How often the first mention, and the subject, is chosen: of all items, and in both orders."""
    for kind in (ORIGINAL, *subject.perturbations):
        masked, exchanged = masked_kind(kind), masked_kind(kind, is_switched=True)
        if not subject.outcomes(masked):
            yield from not_possible(_QUANTITIES, "no items with a masked segment were asked", kind)
            continue
        yield from _measurements(subject, masked, kind, {"items": "all", "order": "original"})
        switchable = {outcome.example.variant_of for outcome in subject.outcomes(exchanged)}
        switchable &= {outcome.example.variant_of for outcome in subject.outcomes(masked)}
        if not switchable:
            parts = {"items": "switchable", "order": "switched"}
            yield from not_possible(
                _QUANTITIES, "no items with a masked segment and exchanged candidates were asked", kind, parts
            )
            continue
        for order, masked_order in (("original", masked), ("switched", exchanged)):
            yield from _measurements(subject, masked_order, kind, {"items": "switchable", "order": order}, switchable)


def _measurements(
    subject: Subject, masked: str, kind: str, parts: dict[str, str], originals: Container[str | None] | None = None
) -> Iterator[Measurement]:
    cases = selected(subject.run, masked).two_way()
    if originals is not None:
        cases = Cases(
            tuple(outcome for outcome in cases.cases if outcome.example.variant_of in originals), cases.left_out
        )
    answered = cases.where(lambda outcome: outcome.choice is not None, "abstained")
    for quantity, place in zip(_QUANTITIES, (_first_mentioned, _subject), strict=True):
        yield Measurement(quantity, _share_at(answered, place), kind, parts)


def _share_at(answered: Cases[Outcome], place: Callable[[Outcome], int | None]) -> Estimate:
    with_place = answered.where(lambda outcome: place(outcome) is not None, "without such a candidate")
    return with_place.share(lambda outcome: outcome.choice == place(outcome), undefined="no items that can show it")


def _first_mentioned(outcome: Outcome) -> int | None:
    order = outcome.example.features.get("mention_order")
    return order[0] if order else None


def _subject(outcome: Outcome) -> int | None:
    """The candidate that is the subject of its clause, if the other is an object or, in a passive, the agent."""
    roles = outcome.example.features.get("roles") or ()
    if _SUBJECT in roles and any(role in _OBJECTS for role in roles):
        return list(roles).index(_SUBJECT)
    return None


# What is asked: variants without their segment


def masked_kind(kind: str = ORIGINAL, *, is_switched: bool = False) -> str:
    """The kind that masks the segment of another kind's variants, in the order of the text or with candidates switched.

    >>> masked_kind(), masked_kind("tense"), masked_kind("tense", is_switched=True)
    ('segment-masked', 'tense+segment-masked', 'tense+switched+segment-masked')
    """
    steps = (kind if kind != ORIGINAL else "", SWITCHED if is_switched else "", SEGMENT_MASKED)
    return COMPOSED.join(filter(None, steps))


def with_masked(collection: Collection, kinds: Sequence[str]) -> Asked:
    """The collection with masked variants of its originals and of these kinds, and the names of all kinds to ask.

    Both orders are asked only if the kinds include `switched`.
    """
    bases = [ORIGINAL, *(kind for kind in kinds if not is_control(kind) and _keeps(collection, kind))]
    orders = (False, True) if SWITCHED in kinds else (False,)
    masked_kinds = [masked_kind(kind, is_switched=order) for kind in bases for order in orders]
    for kind in masked_kinds:
        collection = derive(collection, kind).collection
    return collection, tuple(dict.fromkeys([*kinds, *(kind for kind in masked_kinds if kind in collection.kinds)]))


def _keeps(collection: Collection, kind: str) -> bool:
    return {variant.effect for variant in collection.variants(kind)} == {"keeps"}


PLUGINS = {
    "preference": AnalysisMeasure(
        "Preference for a position in the text",
        "How often the first mention, or the subject, is chosen when the segment is masked, in both orders.",
        preference,
        {
            "first-mention": QuantityInfo("first mention chosen", "percent", 0.5),
            "subject": QuantityInfo("subject chosen", "percent", 0.5),
        },
        asks=with_masked,
    )
}
