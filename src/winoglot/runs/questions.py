"""The questions of a run, batch by batch: what a solver is asked, and what is stored beside its answers.

A `QuestionSet` is all that one pass of a solver asks. `ItemQuestions` are those about the items of a collection and of
chosen kinds of variants; pairs of texts have theirs in `winoglot.logic`.
"""

from __future__ import annotations

import gc
import os
import random
import sys
from abc import ABC, abstractmethod
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from multiprocessing import get_context, parent_process
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from winoglot.corpus.workers import live_with_parent
from winoglot.errors import InputError, did_you_mean
from winoglot.examples import Example, ExampleSet
from winoglot.languages.readings import compared_readings, reading_count
from winoglot.languages.windows import Window, window
from winoglot.models.base import Question
from winoglot.perturb.base import with_kinds
from winoglot.perturb.renamed.draws import draw_kind, with_draws
from winoglot.runs.overlap import check_overlap
from winoglot.runs.spec import check_limit

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
    from contextlib import AbstractContextManager

    from winoglot.examples import ExampleSource
    from winoglot.models.base import Solver
    from winoglot.runs.spec import RunSpec
    from winoglot.schemas.model import Collection, Item, Reading

    ItemReadings = tuple[tuple[Reading, ...], Window, str]

_EACH, _PART = 1000, 100  # items that make another process worth starting, and items that it gets at a time
_WORKERS = 3  # each makes some 5,000 items per second; once weights are loaded, starting it takes 40 ms
_SAMPLED_TEXTS = 1000  # items from whose texts it is decided whether a solver can read those of a run
PAIR_OPTIONS = ("not entailed", "entailed")


@dataclass(frozen=True)
class PreparedQuestion:
    """A question, with what its prediction records besides the answer."""

    question: Question
    id: str  # of the example that it asks about
    hash: str
    fallback: bool = False  # whether its readings are naive because grammar does not derive them all
    window: str = ""  # what is unusual about the window of partial scoring: "empty", "punctuation", "segment before"
    is_asked: bool = True  # False if the solver abstains instead

    @property
    def item(self) -> Item:
        """The item that is asked about."""
        return self.question.item


class QuestionSet(ABC):
    """What a solver is asked in one pass: a question about each of the examples of a source, in batches."""

    source: ExampleSource  # what the runs will be over
    solver: Solver  # as it was made ready for these questions
    readings: str  # what the runs say about how candidates were put in place
    ids: Sequence[str]  # of the examples, in order
    file: str = ""  # the one that the examples come from
    overlap: Mapping[str, int] = MappingProxyType({})  # with training data of the solver, where allowed
    probed: Container[str] = frozenset()  # the ids of examples at which the solver is probed
    is_cached: bool = True  # whether scores of earlier passes may be used, and these are kept
    counts_tokens: bool = True  # whether predictions record how many tokens their texts have

    @abstractmethod
    def batches(self, ids: Sequence[str]) -> AbstractContextManager[Iterator[list[PreparedQuestion]]]:
        """The questions about these examples, batch by batch."""

    @property
    def scorings(self) -> Sequence[str]:
        """The scorings that the solver has for these questions."""
        return self.solver.scorings

    def check_scoring(self, scoring: str) -> None:
        """Refuse a scoring that the solver does not have for these questions."""
        if scoring not in self.scorings:
            message = f"{self.solver.name} has no scoring {scoring!r}"
            raise InputError(message, remedy=did_you_mean(scoring, self.scorings))

    def solver_scoring(self, scoring: str) -> str:
        """What the solver itself calls a scoring of the run."""
        return scoring

    def model_settings(self, scoring: str) -> Mapping[str, object]:
        """Everything that can change a score by this scoring."""
        return self.solver.settings_for(scoring, self.source.language)


class ItemQuestions(QuestionSet):
    """The questions about a collection's items and the variants that a spec asks for, in one style of readings."""

    def __init__(self, collection: Collection, solver: Solver, spec: RunSpec, style: str) -> None:
        """Choose the items; a collection that the solver was trained on, or cannot answer, is an input error."""
        if set(solver.scorings) <= set(solver.pair_scorings):
            message = f"{solver.name} answers questions about pairs of texts, not about schemas"
            raise InputError(message, remedy="Ask it about pairs: winoglot logic evaluate.")
        kinds = spec.kinds_for(collection)
        asked_collection = with_kinds(limited(collection, spec.limit, spec.seed), kinds, collection)
        asked_collection = with_draws(asked_collection, spec.renamed)
        draws = (draw_kind(number) for number in range(1, spec.renamed + 1))
        self.overlap = check_overlap(solver, asked_collection, kinds, allowed=spec.allow_overlap)
        items = asked_items(asked_collection, (*kinds, *draws))
        self.source: ExampleSource = asked_collection
        self.readings, self.file, self.fallback = style, collection.file, spec.fallback
        if not items:
            self.source, items = asked_pairs(asked_collection)
            self.file = ""
            if not items:
                message = f"{collection.name} has nothing to ask: no item has two readings"
                raise InputError(message, remedy="Use another collection.")
            if not solver.judges_pairs:
                message = f"{collection.name} has inference pairs only, and {solver.name} scores readings"
                raise InputError(message, remedy="Use a model that was trained on inference: nli:FOLDER_OR_HUB_ID.")
        parts: tuple[Callable[[], Sequence[Item]], ...] = (
            lambda: collection.items,
            collection.variants,
            asked_collection.variants,
        )
        all_items = (item for part in parts for item in part())  # walked only by a solver that looks at it
        self.solver = solver.for_collection(all_items, collection.language)
        self.items = {item.id: item for item in items}
        self.ids = tuple(self.items)
        probed_kinds = spec.probed(kinds) if self.solver.gives_probes else ()
        self.probed = {item.id for item in items if item.kind in probed_kinds}

    @contextmanager
    def batches(self, ids: Sequence[str]) -> Iterator[Iterator[list[PreparedQuestion]]]:
        """The questions about these items, longest first, schemas kept whole."""
        plan = batches([self.items[name] for name in ids], self.solver.batch_characters)
        with questions_of(plan, self.source.language, self.readings) as questions:
            sample = list(self.items.values())[:: -(-len(self.items) // _SAMPLED_TEXTS)]
            self.solver.check_texts([text for item in sample for text in texts_of(item)])
            yield questions if self.fallback == "naive" else map(_only_derived, questions)


def _only_derived(questions: Iterable[PreparedQuestion]) -> list[PreparedQuestion]:
    """The questions, of which those without a grammatical reading for each candidate are not to be asked."""
    return [replace(question, is_asked=not question.fallback) for question in questions]


def limited(collection: Collection, limit: int | None, seed: int) -> Collection:
    """A sample of at most `limit` schemas, complete and in their order, drawn with a seed."""
    check_limit(limit)
    if limit is None or limit >= len(collection.schemas):
        return collection
    sample = set(random.Random(f"winoglot {seed}").sample(range(len(collection.schemas)), limit))
    return replace(collection, schemas=tuple(s for n, s in enumerate(collection.schemas) if n in sample))


def asked_items(collection: Collection, kinds: Sequence[str]) -> list[Item]:
    """The items and variants that can be asked; those without two readings are left out."""
    items = (*collection.items, *(variant for kind in kinds for variant in collection.variants(kind)))
    return [item for item in items if reading_count(item) > 1]


def asked_pairs(collection: Collection) -> tuple[ExampleSet, list[Item]]:
    """The inference pairs of a collection whose items have nothing else, each as an example and as an item."""
    examples, items = [], []
    for item in collection.items:
        for number, pair in enumerate(() if item.text is not None or item.readings else item.inferences):
            pair_item = replace(item, id=f"{item.id}-{number}", inferences=(pair,))
            answer = None if pair.entailed is None else int(pair.entailed)
            text = f"{pair.premise} ⇒ {pair.hypothesis}"
            features = {"tags": item.tags, "text": text, "parallel_id": f"{item.parallel_id}-{number}"}
            examples.append(
                Example(pair_item.id, item.schema_id, PAIR_OPTIONS, answer, pair_item.hash, features=features)
            )
            items.append(pair_item)
    return ExampleSet(collection.name, tuple(examples), collection.language, collection.version), items


def batches(items: Sequence[Item], most: int) -> list[list[Item]]:
    """The items in batches, longest first and schemas kept whole, with at most `most` characters of readings in each.

    A schema that is longer has a batch of its own. The same items give the same plan, and without its first batches it
    is the plan of the remaining items, so that an interrupted run continues with the batches that it would have had.
    No readings are made for it: each counts as long as the item's text.
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
    """The texts of an item before readings are made: its text with the pronoun or, without one, what it has instead."""
    if item.text is not None:
        return [item.text]
    pairs = () if item.readings else item.inferences
    return [
        *(reading.text for reading in item.readings if reading),
        *(f"{reading.premise} {reading.hypothesis}" for reading in pairs),
    ]


def asked(collection: Collection, kinds: Sequence[str], style: str) -> list[PreparedQuestion]:
    """The questions about a collection's items and variants; items without two readings are left out."""
    with questions_of([asked_items(collection, kinds)], collection.language, style) as batches:
        return next(batches)


@contextmanager
def questions_of(
    plan: Sequence[Sequence[Item]], language: str, style: str
) -> Iterator[Iterator[list[PreparedQuestion]]]:
    """The questions about each batch of a plan, made when they are needed or, if there are many, by other processes.

    The processes start at once, so that a GPU does not wait. They are forked, so that they know the items; they do
    nothing that would need a thread or a device of this process.
    """
    items = [item for batch in plan for item in batch]
    with ExitStack() as pools:
        from_pool: Iterable[ItemReadings] = ()
        cores = len(os.sched_getaffinity(0)) if sys.platform == "linux" else 1
        workers = min(_WORKERS, len(items) // _EACH, cores - 2)
        if workers > 1 and parent_process() is None:  # not in a worker: it is one of many, and caches readings
            pool = ProcessPoolExecutor(workers, get_context("fork"), _begin_worker, (items, language, style))
            pools.callback(pool.shutdown, cancel_futures=True)
            from_pool = pool.map(_readings_at, range(len(items)), chunksize=_PART)
        item_readings = _all_readings(items, language, style, from_pool)
        yield (
            [_question(item, language, own_readings) for item, own_readings in zip(batch, item_readings, strict=False)]
            for batch in plan
        )


def _all_readings(
    items: Sequence[Item], language: str, style: str, from_pool: Iterable[ItemReadings]
) -> Iterator[ItemReadings]:
    """What other processes make and, from where they stop, what this one makes; it raises their errors again."""
    count = 0
    with suppress(InputError, BrokenProcessPool):
        for item_readings in from_pool:
            yield item_readings
            count += 1
    yield from (_readings(item, language, style) for item in items[count:])


def _question(item: Item, language: str, prepared_readings: ItemReadings) -> PreparedQuestion:
    readings, shared, unusual = prepared_readings
    is_fallback = any(not reading.derived for reading in readings)
    return PreparedQuestion(Question(item, language, readings, shared), item.id, item.hash, is_fallback, unusual)


_forked: list[tuple[Sequence[Item], str, str]] = []  # in a worker: the items, their language and the style


def _begin_worker(*arguments: Any) -> None:
    _forked.append(arguments)
    live_with_parent()
    gc.disable()  # garbage collection would write to all memory shared with the parent, and so copy it


def _readings_at(place: int) -> ItemReadings:
    items, language, style = _forked[-1]
    return _readings(items[place], language, style)


@lru_cache(maxsize=2**15)  # every model of an experiment is asked the same questions
def _readings(item: Item, language: str, style: str) -> ItemReadings:
    """The readings, their window, and what is unusual about it; all empty for an inference pair."""
    item_readings = compared_readings(item, style, language)
    if not item_readings:
        return item_readings, Window("", None), ""
    common = window(item, item_readings)
    unusual = "empty" if common.is_empty else "punctuation" if common.is_punctuation else ""
    return item_readings, common, unusual or ("segment before" if common.segment_in == "before" else "")
