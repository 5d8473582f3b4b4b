"""From a source's rows to a collection: candidates in order of first mention, rows grouped into schemas."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.formats.importing.grouping import group_rows, segments
from winoglot.formats.importing.sources import nothing_usable
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
from winoglot.schemas.text import folded, primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.formats.base import InputFile
    from winoglot.schemas.mentions import FunctionWords


@dataclass(frozen=True)
class SourceRow:
    """One item as its source gives it; candidates in the source's order, which may give the answer away."""

    line: int
    source_id: str
    candidates: tuple[str, ...] = ()
    answer: int | None = None
    text: str | None = None
    pronoun: Span | None = None
    mentions: tuple[tuple[Span, ...], ...] | None = None  # None: the source does not mark them; search the text
    readings: tuple[WrittenReading | None, ...] = ()
    inferences: tuple[Inference, ...] = ()
    question: str | None = None
    segment_term: str | None = None  # the word that, according to the source, makes the difference
    tags: tuple[str, ...] = ()
    group: str | None = None  # rows of one group are one schema; None: the source does not say
    parallel_id: str = ""
    variants: tuple[SourceVariant, ...] = ()

    @property
    def choices(self) -> int:
        """How many candidates there are; a row of readings alone does not name them."""
        return len(self.candidates) or len(self.readings)


@dataclass(frozen=True)
class SourceVariant:
    """A variant that the source gives beside an item, with its candidates in the same order as the item's."""

    kind: str
    effect: Effect
    row: SourceRow


def build_collection(rows: Iterable[SourceRow], file: InputFile, language: str) -> Collection:
    """The collection that a file's rows make up; a row that cannot be an item is skipped and reported."""
    words = function_words(language)
    usable = [row for row in rows if _is_usable(row, file)]
    file.report.repaired.sort(key=lambda remark: remark.line)
    if not usable:
        raise nothing_usable(file, "row")
    schemas: list[Schema] = []
    names: set[str] = set()
    for group in group_rows(usable):
        name = _unique(_name(group[0].group or group[0].source_id), names)
        schemas.append(_schema(name, group, file, words))
    return Collection(
        name=_with_language(_name(file.plain_path.stem), language),
        language=language,
        schemas=tuple(schemas),
        licence=file.licence,
        citation=file.citation,
        provenance=(file.provenance,),
    )


def _with_language(name: str, language: str) -> str:
    """The name of a file's collection, which ends with its language.

    >>> _with_language("alltag", "de"), _with_language("alltag-de", "de"), _with_language("wsc-pt", "pt-BR")
    ('alltag-de', 'alltag-de', 'wsc-pt')
    """
    has_it = name.lower().endswith((f"-{language.lower()}", f"-{primary(language)}"))
    return name if has_it else f"{name}-{language}"


def letter_index(letter: str, choices: int) -> int | None:
    """Which candidate an answer key such as `B.` stands for; None if it names none of them.

    >>> letter_index(" b. ", 2), letter_index("C", 2)
    (1, None)
    """
    letter = letter.strip(" .\n\t").upper()
    index = "ABCDEFGHIJKLMNOPQRSTUVWXYZ".find(letter) if len(letter) == 1 else -1
    return index if 0 <= index < choices else None


def _is_usable(row: SourceRow, file: InputFile) -> bool:
    with file.skipping(row.line, f"row {row.source_id}"):
        _item(row, "x", 0, file, range(row.choices), _mentions(row, function_words("und")), ())
        return True
    return False


def _schema(name: str, group: Sequence[SourceRow], file: InputFile, words: FunctionWords) -> Schema:
    """One schema; all its items have their candidates in the order of the first item's mentions."""
    mentions = [_mentions(row, words) for row in group]
    places = segments([(row.text, row.pronoun) for row in group])
    variant_places = {variant.kind: _variant_segments(group, variant.kind) for row in group for variant in row.variants}
    order = _by_mention(group[0], mentions[0])
    items: list[Item] = []
    variants: list[Variant] = []
    for index, row in enumerate(group):
        row_order = _same_order(group[0], order, row) or _by_mention(row, mentions[index])
        item = _item(row, name, index, file, row_order, mentions[index], places[index])
        items.append(item)
        for variant in row.variants:
            variant_item = _variant(variant, item, file, row_order, words, variant_places[variant.kind][index])
            variants += [variant_item] if variant_item else []
    return Schema(id=name, items=tuple(items), variants=tuple(variants), source=None)


def _variant_segments(group: Sequence[SourceRow], kind: str) -> list[tuple[Span, ...]]:
    """Where the variants of a kind differ from each other; nowhere if an item has none."""
    rows = [next((variant.row for variant in row.variants if variant.kind == kind), None) for row in group]
    return segments([(row.text, row.pronoun) if row else (None, None) for row in rows])


def _mentions(row: SourceRow, words: FunctionWords) -> list[tuple[Span, ...]]:
    """Where the source marks them; else every match that neither names nor lies inside another candidate's mention."""
    if row.mentions is not None:
        return list(row.mentions)
    if row.text is None or row.pronoun is None:
        return [()] * row.choices
    mentions = [find_mentions(row.text, candidate, words, row.pronoun) for candidate in row.candidates]
    result = []
    for index, spans in enumerate(mentions):
        others = [span for position, row_spans in enumerate(mentions) if position != index for span in row_spans]
        free = [span for span in spans if not any(span.within(other) and span != other for other in others)]
        names = {folded(name) for position, name in enumerate(row.candidates) if position != index}
        unnamed = [span for span in free or spans if folded(span.of(row.text)) not in names]
        result.append(tuple(unnamed or free or spans))
    return result


def _by_mention(row: SourceRow, mentions: Sequence[tuple[Span, ...]]) -> list[int]:
    """Indices of the source's candidates, first mentioned first; unmentioned ones last, by a hash of their text."""
    texts = row.candidates or [reading.text for reading in row.readings if reading]

    def key(index: int) -> tuple[bool, tuple[Span, ...], str]:
        return not mentions[index], mentions[index][:1], sha256(texts[index].encode()).hexdigest()

    return sorted(range(row.choices), key=key)


def _same_order(first: SourceRow, order: Sequence[int], row: SourceRow) -> list[int] | None:
    """The first row's order for another row of the schema that has the same candidates."""
    first_candidates = [first.candidates[index].casefold() for index in order] if first.candidates else []
    candidates = [candidate.casefold() for candidate in row.candidates]
    if len(set(first_candidates)) < len(order) or sorted(first_candidates) != sorted(candidates):
        return None
    return [candidates.index(candidate) for candidate in first_candidates]


def _item(
    row: SourceRow,
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
        candidates=tuple(Candidate(row.candidates[n], mentions[n]) for n in order) if row.candidates else (),
        # an answer that names no candidate stays as it is, so that the item refuses it
        answer=order.index(row.answer) if row.answer in order else row.answer,
        segment=segment,
        question=row.question,
        readings=tuple(row.readings[n] for n in order) if row.readings else (),
        inferences=row.inferences,
        terms=Terms(segment=row.segment_term),
        tags=row.tags,
        source=Source(file.plain_path.name, row.source_id),
    )


_VARIANT_FIELDS = (
    *("text", "pronoun", "candidates", "answer", "segment", "question", "readings", "inferences", "tags", "source"),
)


def _variant(
    variant: SourceVariant,
    original: Item,
    file: InputFile,
    order: Sequence[int],
    words: FunctionWords,
    segment: tuple[Span, ...],
) -> Variant | None:
    row = variant.row
    with file.skipping(row.line, f"{variant.kind} of row {row.source_id}"):
        _check_choices(row, original, order)
        item = _item(row, original.schema_id, 0, file, order, _mentions(row, words), segment)
        return Variant(
            id=f"{original.id}~{variant.kind}",
            schema_id=original.schema_id,
            parallel_id=f"{original.parallel_id}~{variant.kind}",
            kind=variant.kind,
            variant_of=original.id,
            effect=variant.effect,
            **{field: getattr(item, field) for field in _VARIANT_FIELDS},
        )
    return None


def _check_choices(row: SourceRow, original: Item, order: Sequence[int]) -> None:
    """A candidate's index is its identity: a variant has as many candidates as its original, in the same order."""
    if row.choices != len(order):
        raise InputError(f"it has {row.choices} candidates, its original {len(order)}")
    texts = [row.candidates[index] for index in order] if row.candidates else []
    originals = [candidate.text for candidate in original.candidates]
    if texts != originals and sorted(texts) == sorted(originals):
        raise InputError("it has its original's candidates in another order")


def _name(text: str) -> str:
    """The nearest text that is a valid id."""
    return re.sub(r"[^\w.\-]+", "-", text).strip("-._")[:90] or "row"


def _unique(name: str, names: set[str]) -> str:
    number = 1
    unique = name
    while unique in names:
        number += 1
        unique = f"{name}-{number}"
    names.add(unique)
    return unique
