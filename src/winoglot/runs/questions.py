"""The questions of a run: the items of a collection and of chosen kinds, in batches, and the readings of each batch."""

from __future__ import annotations

import gc
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context, parent_process
from typing import TYPE_CHECKING, Any

from winoglot.corpus.workers import live_with_parent
from winoglot.errors import InputError, describe
from winoglot.examples import Example, ExampleSet
from winoglot.languages.readings import reading_count, readings
from winoglot.languages.windows import Window, window
from winoglot.models.base import Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from winoglot.schemas.model import Collection, Item, Reading

    ItemReadings = tuple[tuple[Reading, ...], Window, str]

_EACH, _PART = 1000, 100  # items that are worth a process, and what it makes at a time
_WORKERS = 3  # each makes some 5,000 items per second; once weights are loaded, starting it takes 40 ms
PAIR_OPTIONS = ("not entailed", "entailed")


@dataclass(frozen=True)
class PreparedQuestion:
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


def asked_items(collection: Collection, kinds: Sequence[str]) -> list[Item]:
    """The items and variants that can be asked; those without two readings are left out."""
    items = (*collection.items, *(variant for kind in kinds for variant in collection.variants(kind)))
    return [item for item in items if reading_count(item) > 1]


def asked_pairs(collection: Collection) -> tuple[ExampleSet, list[Item]]:
    """The inference pairs of a collection whose items have nothing else, each as an example and as an item."""
    examples, items = [], []
    for item in collection.items:
        for number, pair in enumerate(() if item.text is not None or item.readings else item.inferences):
            one = replace(item, id=f"{item.id}-{number}", inferences=(pair,))
            answer = None if pair.entailed is None else int(pair.entailed)
            text = f"{pair.premise} ⇒ {pair.hypothesis}"
            features = {"tags": item.tags, "text": text, "parallel_id": f"{item.parallel_id}-{number}"}
            examples.append(Example(one.id, item.schema_id, PAIR_OPTIONS, answer, one.hash, features=features))
            items.append(one)
    return ExampleSet(collection.name, tuple(examples), collection.language, collection.version), items


def batches(items: Sequence[Item], most: int) -> list[list[Item]]:
    """The items in batches, longest first and schemas kept whole; `most` is the characters of all their readings.

    The same items give the same plan, and what follows some of its batches is the plan of the items that are left, so
    that an interrupted run goes on with the batches that it would have had. Nothing is read for it: a reading counts as
    long as the item's text.
    """
    schemas: dict[str, list[Item]] = {}
    for item in items:
        schemas.setdefault(item.schema_id, []).append(item)
    lengths = {name: sum(map(_length, group)) for name, group in schemas.items()}
    plan: list[list[Item]] = []
    size = most
    for name in sorted(schemas, key=lambda name: (-lengths[name], name)):
        if size + lengths[name] > most:
            plan.append([])
            size = 0
        plan[-1] += schemas[name]
        size += lengths[name]
    return plan


def _length(item: Item) -> int:
    return sum(map(len, texts_of(item))) * (1 if item.text is None else len(item.candidates))


def texts_of(item: Item) -> list[str]:
    """What is known of its texts before readings are made: the text with the pronoun, or what it has instead."""
    if item.text is not None:
        return [item.text]
    pairs = () if item.readings else item.inferences
    return [*(one.text for one in item.readings if one), *(f"{one.premise} {one.hypothesis}" for one in pairs)]


def asked(collection: Collection, kinds: Sequence[str], style: str) -> list[PreparedQuestion]:
    """The questions about a collection's items and variants; items without two readings are left out."""
    with questions_of([asked_items(collection, kinds)], collection.language, style) as made:
        return next(made)


@contextmanager
def questions_of(
    plan: Sequence[Sequence[Item]], language: str, style: str
) -> Iterator[Iterator[list[PreparedQuestion]]]:
    """The questions about each batch of a plan, made when they are needed or, if there are many, by other processes.

    These begin at once, so that a GPU does not wait. They are forked, so that they know the items; they do nothing that
    would need a thread or a device of this process.
    """
    items = [item for batch in plan for item in batch]
    with ExitStack() as pools:
        theirs: Iterable[ItemReadings] = ()
        cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
        workers = min(_WORKERS, len(items) // _EACH, cores - 2)
        if workers > 1 and parent_process() is None:  # a worker is one of many, and remembers what it has made
            pool = ProcessPoolExecutor(workers, get_context("fork"), _begin, (items, language, style))
            pools.callback(pool.shutdown, cancel_futures=True)
            theirs = pool.map(_readings_at, range(len(items)), chunksize=_PART)
        made = _all_readings(items, language, style, theirs)
        yield ([_question(item, language, own) for item, own in zip(batch, made, strict=False)] for batch in plan)


def _all_readings(
    items: Sequence[Item], language: str, style: str, theirs: Iterable[ItemReadings]
) -> Iterator[ItemReadings]:
    """What other processes make and, from where they stop, what this one makes. An error in an item comes again."""
    done = 0
    with suppress(InputError, BrokenProcessPool):
        for one in theirs:
            yield one
            done += 1
    yield from (_readings(item, language, style) for item in items[done:])


def _question(item: Item, language: str, own: ItemReadings) -> PreparedQuestion:
    made, shared, unusual = own
    return PreparedQuestion(Question(item, language, made, shared), any(not one.derived for one in made), unusual)


_forked: list[tuple[Sequence[Item], str, str]] = []  # in a process that makes readings: of what


def _begin(*given: Any) -> None:
    _forked.append(given)
    live_with_parent()
    gc.disable()  # looking for garbage would write to all that is shared with the parent, which copies it


def _readings_at(place: int) -> ItemReadings:
    items, language, style = _forked[-1]
    return _readings(items[place], language, style)


@lru_cache(maxsize=2**15)  # every model of an experiment is asked the same questions
def _readings(item: Item, language: str, style: str) -> ItemReadings:
    """The readings, their window, and what is unusual about it; nothing of an inference pair."""
    made = tuple(readings(item, style, language=language))
    if not made:
        return made, Window("", None), ""
    shared = window(item, made)
    what = "empty" if shared.is_empty else "punctuation" if shared.is_punctuation else ""
    return made, shared, what or ("segment before" if shared.segment_in == "before" else "")
