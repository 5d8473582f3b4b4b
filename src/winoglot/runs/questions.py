"""The questions of a run: the items of a collection and of chosen kinds, with their readings, in batches."""

from __future__ import annotations

import gc
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from itertools import repeat
from multiprocessing import current_process, get_context
from typing import TYPE_CHECKING

from winoglot.errors import InputError, describe
from winoglot.examples import Example, ExampleSet
from winoglot.languages.readings import readings
from winoglot.languages.windows import Window, window
from winoglot.models.base import Question

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Item, Reading

    ItemReadings = tuple[tuple[Reading, ...], Window, str]

_EACH, _PART = 1000, 100  # items that are worth a process, and what it makes at a time
_WORKERS = 8  # more are not faster: once weights are loaded, starting one takes 40 ms
PAIR_OPTIONS = ("not entailed", "entailed")


@dataclass(frozen=True)
class AskedQuestion:
    """A question, with what its prediction records besides the answer."""

    question: Question
    fallback: bool  # whether the naive text replaces a reading that could not be derived
    window: str  # what is unusual about the window of partial scoring: "empty", "punctuation", "segment before"

    @property
    def item(self) -> Item:
        """The item that is asked about."""
        return self.question.item


def limited(collection: Collection, limit: int | None, seed: int) -> Collection:
    """A sample of at most `limit` schemas, complete and in their order, drawn with a seed."""
    check_limit(limit)
    if limit is None or limit >= len(collection.schemas):
        return collection
    drawn = set(random.Random(f"winoglot {seed}").sample(range(len(collection.schemas)), limit))
    return replace(collection, schemas=tuple(s for n, s in enumerate(collection.schemas) if n in drawn))


def check_limit(limit: object) -> None:
    """Refuse a limit that is not a positive whole number."""
    if limit is None:
        return
    if not isinstance(limit, int) or isinstance(limit, bool):
        raise InputError(
            f"the limit {describe(limit)} is not a whole number", remedy="Give a number of schemas, such as 20."
        )
    if limit < 1:
        raise InputError(f"a limit of {limit} leaves nothing to ask", remedy="Give a number of schemas, at least 1.")


def asked(collection: Collection, kinds: Sequence[str], style: str) -> list[AskedQuestion]:
    """The questions about a collection's items and variants; items without two readings are left out."""
    items = [*collection.items, *(variant for kind in kinds for variant in collection.variants(kind))]
    return [
        AskedQuestion(Question(item, collection.language, made, shared), any(not one.derived for one in made), unusual)
        for item, (made, shared, unusual) in zip(items, _all_readings(items, collection.language, style), strict=True)
        if len(made) > 1
    ]


def _all_readings(items: Sequence[Item], language: str, style: str) -> list[ItemReadings]:
    """The readings of many items are made by several processes, or a GPU would wait for them.

    They are forked, so that they start at once and know the items; they do nothing that would need a thread or a device
    of this process.
    """
    workers = min(_WORKERS, len(items) // _EACH, len(os.sched_getaffinity(0)) - 2) if sys.platform == "linux" else 1
    if workers < 2 or current_process().daemon:
        return [_readings(item, language, style) for item in items]
    starts = range(0, len(items), _PART)
    _forked.append(items)
    try:
        # looking for garbage would write to all that they share with this process, which copies it
        with ProcessPoolExecutor(workers, get_context("fork"), initializer=gc.disable) as pool:
            parts = pool.map(_readings_from, starts, repeat(language), repeat(style))
            return [made for part in parts for made in part]
    except (InputError, BrokenProcessPool):  # if there is an error in the items, it comes again
        return [_readings(item, language, style) for item in items]
    finally:
        _forked.clear()


_forked: list[Sequence[Item]] = []  # the items, for processes that are forked while they are here


def _readings_from(start: int, language: str, style: str) -> list[ItemReadings]:
    return [_readings(item, language, style) for item in _forked[0][start : start + _PART]]


def _readings(item: Item, language: str, style: str) -> ItemReadings:
    """The readings, their window, and what is unusual about it."""
    made = tuple(readings(item, style, language=language))
    if len(made) < 2:
        return made, Window("", None), ""
    shared = window(item, made)
    what = "empty" if shared.is_empty else "punctuation" if shared.is_punctuation else ""
    return made, shared, what or ("segment before" if shared.segment_in == "before" else "")


def asked_pairs(collection: Collection) -> tuple[ExampleSet, list[AskedQuestion]]:
    """The inference pairs of a collection whose items have nothing else, each as an example and as a question."""
    examples, questions = [], []
    for item in collection.items:
        for number, pair in enumerate(() if item.text is not None or item.readings else item.inferences):
            one = replace(item, id=f"{item.id}-{number}", inferences=(pair,))
            answer = None if pair.entailed is None else int(pair.entailed)
            text = f"{pair.premise} ⇒ {pair.hypothesis}"
            features = {"tags": item.tags, "text": text, "parallel_id": f"{item.parallel_id}-{number}"}
            examples.append(Example(one.id, item.schema_id, PAIR_OPTIONS, answer, one.hash, features=features))
            questions.append(AskedQuestion(Question(one, collection.language, (), Window("", None)), False, ""))
    return ExampleSet(collection.name, tuple(examples), collection.language, collection.version), questions


def batches(questions: Sequence[AskedQuestion], most: int) -> list[list[AskedQuestion]]:
    """The questions in batches, longest first and schemas kept whole; `most` is the characters of their readings.

    The same questions give the same plan, and what follows some of its batches is the plan of the questions that are
    left, so that an interrupted run goes on with the batches that it would have had.
    """
    schemas: dict[str, list[AskedQuestion]] = {}
    for question in questions:
        schemas.setdefault(question.item.schema_id, []).append(question)
    lengths = {name: _length(group) for name, group in schemas.items()}
    plan: list[list[AskedQuestion]] = []
    size = most
    for name in sorted(schemas, key=lambda name: (-lengths[name], name)):
        if size + lengths[name] > most:
            plan.append([])
            size = 0
        plan[-1] += schemas[name]
        size += lengths[name]
    return plan


def _length(group: Sequence[AskedQuestion]) -> int:
    return sum(len(text) for one in group for text in one.question.texts)
