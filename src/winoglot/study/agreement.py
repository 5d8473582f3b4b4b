"""Agreement of readers with the answers and with each other, and the items that need correcting."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.schemas.model import ORIGINAL, Item
from winoglot.statistics.agreement import krippendorff_alpha
from winoglot.statistics.intervals import Estimate, bootstrap_ratio
from winoglot.study.judgements import FLAGS, Flag, JudgedItem, Judgements

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection


@dataclass(frozen=True)
class ItemAgreement:
    """One item and all judgements about it."""

    collection: str
    item: Item
    judged: tuple[JudgedItem, ...]

    @property
    def right(self) -> int:
        """The number of readers who gave the item's answer."""
        return sum(bool(judged_item.right) for judged_item in self.judged)

    @property
    def is_sound(self) -> bool:
        """Whether every reader was right and none raised a flag. For an item without an answer, only flags count."""
        return not any(judged_item.right is False or judged_item.judgement.flag for judged_item in self.judged)


@dataclass(frozen=True)
class ReaderAgreement:
    """How far one reader of a collection agrees with its answers."""

    collection: str
    reader: str
    right: Estimate
    flagged: Estimate
    noticed: Estimate | None = None  # the share of seeded faults that the reader flagged or did not answer by the key


@dataclass(frozen=True)
class CollectionAgreement:
    """One kind of items of a collection: shares of judgements and of items, and the agreement between readers."""

    collection: str
    kind: str
    language: str
    items: int
    judgements: int
    readers: int
    right: Estimate
    undecided: Estimate
    flags: dict[Flag, Estimate]
    confidence: Estimate
    sound_items: Estimate
    alpha: Estimate
    unread: tuple[str, ...]


@dataclass(frozen=True)
class AgreementReport:
    """What `review import` reports: by collection, by reader and by item."""

    collections: tuple[CollectionAgreement, ...]
    readers: tuple[ReaderAgreement, ...]
    items: tuple[ItemAgreement, ...]

    @property
    def to_repair(self) -> tuple[ItemAgreement, ...]:
        """The items that a reader got wrong, could not answer, or flagged."""
        return tuple(item for item in self.items if not item.is_sound)


def agreement(judgements: Judgements, faults: Collection | None = None) -> AgreementReport:
    """Compare judgements with the answers; collections without judgements are left out.

    `faults` are items with something wrong, which only show how attentive each reader is.
    """
    collections: list[CollectionAgreement] = []
    readers: list[ReaderAgreement] = []
    items: list[ItemAgreement] = []
    seeded = [judged_item for judged_item in judgements.judged if faults and judged_item.collection == faults.name]
    for collection in judgements.collections:
        if collection is faults:
            continue
        judged = [judged_item for judged_item in judgements.judged if judged_item.collection == collection.name]
        if not judged:
            continue
        names = sorted({judged_item.judgement.reader for judged_item in judged})
        for name in names:
            by_reader = [judged_item for judged_item in judged if judged_item.judgement.reader == name]
            flagged = _share([(judged_item, bool(judged_item.judgement.flag)) for judged_item in by_reader])
            of_reader = [judged_item for judged_item in seeded if judged_item.judgement.reader == name]
            noticed = _share([(fault, bool(fault.judgement.flag) or not fault.right) for fault in of_reader])
            readers.append(
                ReaderAgreement(collection.name, name, _share_right(by_reader), flagged, noticed if of_reader else None)
            )
        for kind in (ORIGINAL, *collection.kinds):
            judged_of_kind = [judged_item for judged_item in judged if judged_item.item.kind == kind]
            if judged_of_kind:
                rows = _by_item(collection, judged_of_kind)
                items += rows
                collections.append(_kind_agreement(collection, kind, judged_of_kind, rows))
    return AgreementReport(tuple(collections), tuple(readers), tuple(items))


def _kind_agreement(
    collection: Collection, kind: str, judged: list[JudgedItem], rows: list[ItemAgreement]
) -> CollectionAgreement:
    read_ids = {row.item.id for row in rows}
    to_read = (item for item in (*collection.items, *collection.variants()) if item.kind == kind)
    return CollectionAgreement(
        collection.name,
        kind,
        collection.language,
        len(rows),
        len(judged),
        len({judged_item.judgement.reader for judged_item in judged}),
        right=_share_right(judged),
        undecided=_share([(judged_item, judged_item.judgement.choice is None) for judged_item in judged]),
        confidence=_confidence(judged),
        flags={
            flag: _share([(judged_item, judged_item.judgement.flag == flag) for judged_item in judged])
            for flag in FLAGS
        },
        sound_items=_share([(row, row.is_sound) for row in rows]),
        alpha=krippendorff_alpha(
            [[judged_item.judgement.candidate for judged_item in row.judged] for row in rows],
            [row.item.schema_id for row in rows],
        ),
        unread=tuple(item.id for item in to_read if item.id not in read_ids),
    )


def _by_item(collection: Collection, judged: list[JudgedItem]) -> list[ItemAgreement]:
    by_id: dict[str, list[JudgedItem]] = {}
    for judged_item in judged:
        by_id.setdefault(judged_item.item.id, []).append(judged_item)
    items = (*collection.items, *collection.variants())
    return [ItemAgreement(collection.name, item, tuple(by_id[item.id])) for item in items if item.id in by_id]


def _share_right(judged: list[JudgedItem]) -> Estimate:
    return _share([(judged_item, bool(judged_item.right)) for judged_item in judged if judged_item.right is not None])


def _confidence(judged: list[JudgedItem]) -> Estimate:
    """The mean of what readers said about how sure they were."""
    confidences = [
        (judged_item.item.schema_id, judged_item.judgement.confidence)
        for judged_item in judged
        if judged_item.judgement.confidence is not None
    ]
    schemas, values = [schema for schema, _ in confidences], [value for _, value in confidences]
    return bootstrap_ratio(values, [1.0] * len(values), schemas, undefined="nobody said how sure they were")


def _share(cases: Sequence[tuple[JudgedItem | ItemAgreement, bool]]) -> Estimate:
    """The share of cases for which the value is true, with an interval over schemas."""
    schemas = [case.item.schema_id for case, _ in cases]
    return bootstrap_ratio(
        [float(value) for _, value in cases], [1.0] * len(cases), schemas, undefined="no answers known"
    )
