"""From the rows of a data set to a collection: candidates ordered by mention, rows grouped into schemas."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from winoglot.errors import InputError, located
from winoglot.formats._grouping import group_rows
from winoglot.formats._segments import segments
from winoglot.languages.base import function_words
from winoglot.schemas.mentions import find_mentions
from winoglot.schemas.model import (
    Candidate,
    Collection,
    Effect,
    Inference,
    Item,
    Schema,
    Source,
    Terms,
    Variant,
    WrittenReading,
)
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.formats.base import InputFile
    from winoglot.schemas.mentions import FunctionWords


@dataclass(frozen=True)
class Row:
    """One item as its source gives it; candidates in the source's order, which may give the answer away."""

    line: int
    source_id: str
    candidates: tuple[str, ...] = ()
    answer: int | None = None
    text: str | None = None
    pronoun: Span | None = None
    mentions: tuple[tuple[Span, ...], ...] | None = None  # where the source says; else they are looked for
    readings: tuple[WrittenReading | None, ...] = ()
    inferences: tuple[Inference, ...] = ()
    question: str | None = None
    segment_term: str | None = None  # the word that the source says makes the difference
    tags: tuple[str, ...] = ()
    group: str | None = None  # rows of one group are one schema; None: the source does not say
    parallel_id: str = ""
    variants: tuple[RowVariant, ...] = ()


@dataclass(frozen=True)
class RowVariant:
    """A variant that the source gives beside an item, its candidates in the same order as the item's."""

    kind: str
    effect: Effect
    row: Row


def build_collection(rows: Iterable[Row], file: InputFile, language: str) -> Collection:
    """The collection that the rows of a file make up; a row that cannot be an item is left out and reported."""
    words = function_words(language)
    usable = [row for row in rows if _is_usable(row, file)]
    if not usable:
        first = file.report.skipped[0] if file.report.skipped else None
        why = f"; the first one: {first.why}" if first else ""
        raise InputError(
            f"no row of the file can be used{why}",
            remedy="Is the file in another format?",
            file=file.label,
            line=first.line if first else None,
        )
    schemas: list[Schema] = []
    names: set[str] = set()
    for group in group_rows(usable):
        name = _unique(_name(group[0].group or group[0].source_id), names)
        schemas.append(_schema(name, group, file, words))
    return Collection(
        name=_name(file.collection_name(language)),
        language=language,
        schemas=tuple(schemas),
        licence=file.licence,
        citation=file.citation,
        provenance=(file.provenance,),
    )


def _is_usable(row: Row, file: InputFile) -> bool:
    try:
        with located(file=file.label, line=row.line):
            _item(row, "x", 0, file, range(_choices(row)), _mentions(row, function_words("und")), ())
    except InputError as error:
        file.skipped(row.line, f"row {row.source_id}", error.message)
        return False
    return True


def _schema(name: str, group: Sequence[Row], file: InputFile, words: FunctionWords) -> Schema:
    """One schema: all its items have the candidates in the order of the first one's mentions."""
    mentions = [_mentions(row, words) for row in group]
    places = segments([(row.text, row.pronoun) for row in group])
    order = _by_mention(group[0], mentions[0])
    items: list[Item] = []
    variants: list[Variant] = []
    for number, row in enumerate(group):
        own = _same_order(group[0], order, row)
        if own is None:
            own = _by_mention(row, mentions[number])
        item = _item(row, name, number, file, own, mentions[number], places[number])
        items.append(item)
        for variant in row.variants:
            made = _variant(variant, item, file, own, words)
            if made is not None:
                variants.append(made)
    return Schema(id=name, items=tuple(items), variants=tuple(variants), source=None)


def _mentions(row: Row, words: FunctionWords) -> list[tuple[Span, ...]]:
    """Where the source says, or every match; not those that name another candidate or lie inside a mention of it."""
    if row.mentions is not None:
        return list(row.mentions)
    if row.text is None or row.pronoun is None:
        return [() for _ in row.candidates]
    found = [find_mentions(row.text, candidate, words, row.pronoun) for candidate in row.candidates]
    result = []
    for index, spans in enumerate(found):
        others = [span for number, row_spans in enumerate(found) if number != index for span in row_spans]
        free = [span for span in spans if not any(span.within(other) and span != other for other in others)]
        names = {folded(name) for number, name in enumerate(row.candidates) if number != index}
        own = [span for span in free or spans if folded(span.of(row.text)) not in names]
        result.append(tuple(own or free or spans))
    return result


def _by_mention(row: Row, mentions: Sequence[tuple[Span, ...]]) -> list[int]:
    """Indices of the source's candidates, first mentioned first; unmentioned ones last, by a hash of their text."""

    def key(index: int) -> tuple[bool, Span | None, str]:
        first = mentions[index][0] if index < len(mentions) and mentions[index] else Span(0, 0)
        unmentioned = index >= len(mentions) or not mentions[index]
        return unmentioned, first, sha256(_identity(row, index).encode()).hexdigest()

    return sorted(range(_choices(row)), key=key)


def _choices(row: Row) -> int:
    """How many there are to choose from; a row of readings alone names no candidates."""
    return max(len(row.candidates), len(row.readings))


def _identity(row: Row, index: int) -> str:
    if index < len(row.candidates):
        return row.candidates[index]
    reading = row.readings[index]
    return reading.text if reading else ""


def _same_order(first: Row, order: Sequence[int], row: Row) -> list[int] | None:
    """The first row's order for another row of the schema that has the same candidates."""
    wanted = [first.candidates[index].casefold() for index in order if index < len(first.candidates)]
    have = [candidate.casefold() for candidate in row.candidates]
    if len(set(wanted)) < len(order) or len(have) < _choices(row) or sorted(wanted) != sorted(have):
        return None
    return [have.index(candidate) for candidate in wanted]


def _item(
    row: Row,
    name: str,
    number: int,
    file: InputFile,
    order: Sequence[int],
    mentions: Sequence[tuple[Span, ...]],
    segment: tuple[Span, ...],
) -> Item:
    item_id = f"{name}.{number}"
    return Item(
        id=item_id,
        schema_id=name,
        parallel_id=row.parallel_id or item_id,
        text=row.text,
        pronoun=row.pronoun,
        candidates=tuple(Candidate(row.candidates[n], mentions[n]) for n in order if n < len(row.candidates)),
        answer=_position(row.answer, order),
        segment=segment,
        question=row.question,
        readings=tuple(row.readings[index] for index in order if index < len(row.readings)),
        inferences=row.inferences,
        terms=Terms(segment=row.segment_term),
        tags=row.tags,
        source=Source(file.path.name, row.source_id),
    )


def _position(answer: int | None, order: Sequence[int]) -> int | None:
    """Where the answer stands in an order; one that names no candidate stays as it is, for the item to refuse."""
    return answer if answer is None or answer not in order else order.index(answer)


def _variant(
    variant: RowVariant, original: Item, file: InputFile, order: Sequence[int], words: FunctionWords
) -> Variant | None:
    row = variant.row
    try:
        with located(file=file.label, line=row.line):
            _check_choices(row, original, order)
            made = _item(row, original.schema_id, 0, file, order, _mentions(row, words), ())
            fields = {field: getattr(made, field) for field in _VARIANT_FIELDS}
            return Variant(
                id=f"{original.id}~{variant.kind}",
                schema_id=original.schema_id,
                parallel_id=f"{original.parallel_id}~{variant.kind}",
                kind=variant.kind,
                variant_of=original.id,
                effect=variant.effect,
                **fields,
            )
    except InputError as error:
        file.skipped(row.line, f"{variant.kind} of row {row.source_id}", error.message)
        return None


def _check_choices(row: Row, original: Item, order: Sequence[int]) -> None:
    """A candidate's index is its identity, so a variant has as many of them and not the same ones crosswise."""
    if _choices(row) != len(order):
        raise InputError(f"it has {_choices(row)} candidates, its original {len(order)}")
    texts = [row.candidates[index] for index in order if index < len(row.candidates)]
    originals = [candidate.text for candidate in original.candidates]
    if texts != originals and sorted(texts) == sorted(originals):
        raise InputError("it has its original's candidates in another order")


_VARIANT_FIELDS = ("text", "pronoun", "candidates", "answer", "question", "readings", "inferences", "tags", "source")


def _name(text: str) -> str:
    """The nearest thing that may be an id."""
    return re.sub(r"[^\w.\-]+", "-", text).strip("-._")[:90] or "row"


def _unique(name: str, names: set[str]) -> str:
    number = 1
    unique = name
    while unique in names:
        number += 1
        unique = f"{name}-{number}"
    names.add(unique)
    return unique
