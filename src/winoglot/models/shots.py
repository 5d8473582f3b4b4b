"""Solved examples before a question: how they are drawn, and what keeps those of an evaluated schema out.

A causal model reads sentences, so a solved example is a sentence too: an item with its right candidate in the pronoun's
place. The examples come from the collection that is evaluated or from another one. They are drawn by schema, in one
order for all items of a run; an item gets the first ones that are not of its own schema. So nearly all items share the
same beginning, which the model reads once per batch.
"""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.languages.readings import readings
from winoglot.loading import load
from winoglot.models.base import read_options
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import ORIGINAL
from winoglot.schemas.text import counted, folded
from winoglot.settings import NonNegativeInt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.models.base import Options, Question
    from winoglot.schemas.model import Item

SEPARATOR = "\n\n"  # between examples, and before the item: as in lm-evaluation-harness
_MASK = "□"
Marks = frozenset[tuple[str, ...]]  # what a schema is recognised by


@dataclass(frozen=True)
class ShotOptions:
    """Options of causal models."""

    shots: NonNegativeInt = 0  # solved examples before the item
    examples: str = ""  # the collection they are drawn from, if not the one that is evaluated


def read_shots(options: Options) -> ShotOptions:
    """The options, checked as far as possible without the evaluated collection."""
    shot_options: ShotOptions
    (shot_options,) = read_options(options.more, ShotOptions)
    if shot_options.examples and not shot_options.shots:
        raise InputError("examples are asked for, but not how many", remedy="Add --option shots=4.")
    if shot_options.examples:
        ExamplePool(
            _with_answers(load(shot_options.examples).items), shot_options.shots, options.seed, shot_options.examples
        )
    return shot_options


def pool_for(shot_options: ShotOptions, seed: int, items: Iterable[Item]) -> ExamplePool:
    """The examples for the items of a collection, variants included, from which they are drawn if no other is named."""
    items = tuple(items)
    source = load(shot_options.examples).items if shot_options.examples else items
    evaluated: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for item in items:
        evaluated[item.schema_id] |= _marks(item)
    marks_by_schema = {name: frozenset(marks) for name, marks in evaluated.items()}
    return ExamplePool(
        _with_answers(source), shot_options.shots, seed, shot_options.examples or "the collection", marks_by_schema
    )


def _with_answers(items: Iterable[Item]) -> list[Item]:
    return [item for item in items if item.kind == ORIGINAL and item.answer is not None]


class ExamplePool:
    """Solved examples in the order in which they are drawn, and what each evaluated schema is recognised by."""

    def __init__(
        self, items: Sequence[Item], shots: int, seed: int, name: str, evaluated: Mapping[str, Marks] | None = None
    ) -> None:
        """Draw the schemas, and of each the item that stands for it."""
        self.shots = shots
        self.name = name
        self._evaluated = evaluated or {}
        schemas: dict[str, list[Item]] = {}
        for item in items:
            schemas.setdefault(item.schema_id, []).append(item)
        self._check_size(len(schemas))
        rng = random.Random(f"winoglot shots {seed}")
        drawn_schemas = rng.sample(list(schemas.values()), len(schemas))
        self._examples = [(rng.choice(schema), marks_of(schema)) for schema in drawn_schemas]
        self._sentences: dict[tuple[str, str], str | None] = {}  # by item and style
        self._prefixes: dict[tuple[str, str], str] = {}  # by evaluated schema and style

    @property
    def hash(self) -> str:
        """A hash of the examples in the order in which they are drawn."""
        return digest([[item.hash, repr(item.readings)] for item, _ in self._examples])

    def before(self, question: Question) -> str:
        """What the model reads before each reading of a question: sentences in the style of its readings."""
        key = (question.item.schema_id, question.readings[0].style)
        if key not in self._prefixes:
            self._prefixes[key] = "".join(sentence + SEPARATOR for sentence in self._draw_sentences(question, key[1]))
        return self._prefixes[key]

    def _draw_sentences(self, question: Question, style: str) -> list[str]:
        own_marks = self._evaluated.get(question.item.schema_id, frozenset()) | _marks(question.item)
        own_marks |= {_reading_mark(reading.text) for reading in question.readings}
        sentences: list[str] = []
        for item, marks in self._examples:
            if len(sentences) == self.shots:
                break
            sentence = self._sentence(item, style) if own_marks.isdisjoint(marks) else None
            if sentence is not None and _reading_mark(sentence) not in own_marks:
                sentences.append(sentence)
        self._check_size(len(sentences))
        return sentences

    def _sentence(self, item: Item, style: str) -> str | None:
        """The right reading of an example; None if it cannot be derived, for an example should be good language."""
        key = (item.id, style)
        if key not in self._sentences:
            correct = (
                reading for reading in readings(item, style) if reading.candidate == item.answer and reading.derived
            )
            self._sentences[key] = next((reading.text for reading in correct), None)
        return self._sentences[key]

    def _check_size(self, count: int) -> None:
        if count < self.shots:
            raise InputError(
                f"{self.name} has {counted(count, 'schema')} to show as examples; {self.shots} were asked for",
                remedy="Give fewer with --option shots=N, or another collection with --option examples=COLLECTION; "
                "items with a gap are shown with naive readings only.",
            )


def marks_of(items: Iterable[Item]) -> Marks:
    """What the schemas of these items are recognised by: ids, texts, and the parts that a schema's items share.

    Candidates are masked and the pronoun is left out, so that switched variants, gaps and the other item of a schema
    are recognised too: the items of a schema share the text before the pronoun, or their candidates and the text after.
    """
    return frozenset(mark for item in items for mark in _marks(item))


def apart_from(evaluated: Marks, examples: Sequence[Question]) -> tuple[Question, ...]:
    """The examples whose schema has none of these marks.

    >>> from winoglot.models.servers.prompts import prompts_for
    >>> kettle, umbrella, *others = prompts_for("en").examples
    >>> [example.item.schema_id for example in apart_from(marks_of([kettle.item]), (kettle, umbrella))]
    ['example-umbrella']
    """
    return tuple(
        example
        for example in examples
        if evaluated.isdisjoint(_marks(example.item) | {_reading_mark(reading.text) for reading in example.readings})
    )


def _marks(item: Item) -> set[tuple[str, ...]]:
    parallel, own_id = (name.partition("~")[0] for name in (item.parallel_id, item.id))
    marks: set[tuple[str, ...]] = {("id", item.schema_id), ("id", parallel)}
    schema, _, number = parallel.rpartition(".")
    if schema and number == own_id.rpartition(".")[2]:  # otherwise it counts all items of a file: wsc.12
        marks.add(("id", schema))
    marks |= {_reading_mark(reading.text) for reading in item.readings if reading is not None}
    if item.text is None or item.pronoun is None:
        return marks
    masked_before = _masked(item, item.text, 0, item.pronoun.start)
    masked_after = _masked(item, item.text, item.pronoun.end, len(item.text))
    marks |= {
        ("text", folded(item.text[: item.pronoun.start]), folded(item.text[item.pronoun.end :])),
        ("masked", masked_before, masked_after),
        ("after", masked_after, *sorted(folded(candidate.text) for candidate in item.candidates)),
    }
    return marks | ({("before", masked_before)} if masked_before.count(_MASK) >= item.candidate_count else set())


def _reading_mark(text: str) -> tuple[str, ...]:
    return ("reading", folded(text))


def _masked(item: Item, text: str, start: int, end: int) -> str:
    """A part of the text in lower case, with a sign in place of every mention of a candidate."""
    parts, position = [], start
    for mention in sorted({mention for candidate in item.candidates for mention in candidate.mentions}):
        if position <= mention.start and mention.end <= end:
            parts += [text[position : mention.start], _MASK]
            position = mention.end
    return folded("".join([*parts, text[position:end]]))
