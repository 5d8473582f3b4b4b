"""Which solved examples may be shown before a question: none that is of a schema under evaluation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.models.base import Question
    from winoglot.schemas.model import Item

_MASK = "□"


def marks_of(items: Iterable[Item]) -> frozenset[tuple[str, ...]]:
    """By what their schemas are known again: ids, texts, and the parts that a schema's items share.

    Candidates are masked and the pronoun is left out, so that switched variants, blanks and the other item of a schema
    are known too: the items of a schema share what stands before the pronoun, or their candidates and what follows.
    """
    return frozenset(mark for item in items for mark in _marks(item))


def apart_from(evaluated: frozenset[tuple[str, ...]], examples: Sequence[Question]) -> tuple[Question, ...]:
    """Those of the examples whose schema has none of these marks.

    >>> from winoglot.models._prompts import prompts_for
    >>> kettle, umbrella, *others = prompts_for("en").examples
    >>> [example.item.schema_id for example in apart_from(marks_of([kettle.item]), (kettle, umbrella))]
    ['example-umbrella']
    """
    return tuple(
        example
        for example in examples
        if evaluated.isdisjoint(_marks(example.item) | {_read(reading.text) for reading in example.readings})
    )


def _marks(item: Item) -> set[tuple[str, ...]]:
    parallel, _, _ = item.parallel_id.partition("~")[0].rpartition(".")
    marks: set[tuple[str, ...]] = {("id", item.schema_id), ("id", parallel or item.parallel_id)}
    marks |= {_read(reading.text) for reading in item.readings if reading is not None}
    if item.text is None or item.pronoun is None:
        return marks
    before = _masked(item, item.text, 0, item.pronoun.start)
    after = _masked(item, item.text, item.pronoun.end, len(item.text))
    marks |= {
        ("text", folded(item.text[: item.pronoun.start]), folded(item.text[item.pronoun.end :])),
        ("masked", before, after),
        ("after", after, *sorted(folded(candidate.text) for candidate in item.candidates)),
    }
    return marks | ({("before", before)} if before.count(_MASK) >= item.candidate_count else set())


def _read(text: str) -> tuple[str, ...]:
    return ("reading", folded(text))


def _masked(item: Item, text: str, start: int, end: int) -> str:
    """A part of the text in small letters, with a sign in the place of every mention of a candidate."""
    parts, at = [], start
    for mention in sorted({mention for candidate in item.candidates for mention in candidate.mentions}):
        if at <= mention.start and mention.end <= end:
            parts += [text[at : mention.start], _MASK]
            at = mention.end
    return folded("".join([*parts, text[at:end]]))
