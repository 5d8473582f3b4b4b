"""One solver answers one collection: batches are scored, cached and stored, one run per scoring from one pass."""

from __future__ import annotations

import hashlib
import json
import logging
import platform
import sqlite3
import sys
import time
import zlib
from collections.abc import Container, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field, replace
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.errors import InputError, describe, did_you_mean
from winoglot.folders import cache_folder, lock
from winoglot.memory import is_out_of_memory
from winoglot.models.base import Question, Scores, Solver, TokenCount
from winoglot.models.scoring.probes import Probe
from winoglot.perturb.base import with_kinds
from winoglot.perturb.renamed.draws import draw_kind, with_draws
from winoglot.runs.overlap import check_overlap
from winoglot.runs.questions import PreparedQuestion, asked_items, asked_pairs, batches, limited, questions_of, texts_of
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.store import RunWriter
from winoglot.schemas.model import Collection, Item

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from winoglot.examples import ExampleSource

_LOG = logging.getLogger(__name__)  # a warning that nobody handles is a line on standard error
_AT_ONCE = 500  # keys of one query
_JUDGED = 1000  # items from whose texts it is decided whether a solver can read those of a run
_TURN = 1e-4  # seconds that a thread keeps the interpreter
_json = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True)
class RunRequest:
    """What to ask of a solver; every scoring gives a run of its own."""

    scorings: tuple[str, ...] = ("partial",)
    readings: str = "grammatical"
    kinds: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    tolerance: float = 1e-6
    renamed: int = 0  # how often the names of people are redrawn
    options: Mapping[str, str] = field(default_factory=dict)  # what the model was given, to be recorded with the run
    allow_overlap: bool = False  # with what the model was trained on
    probes: tuple[str, ...] = ()  # the kinds, ORIGINAL among them, of items at which the model is to show its states


def evaluate_scorings(
    collection: Collection,
    solver: Solver,
    request: RunRequest,
    folders: dict[str, Path] | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[Run]:
    """One run per scoring, all from one pass over the texts.

    A scoring with a folder is stored there, and resumed if the folder contains part of the same run. `progress` is
    called with the number of questions answered and the number of all questions.
    """
    scorings, kinds = (tuple(dict.fromkeys(names)) for names in (request.scorings, request.kinds))
    request = replace(request, scorings=scorings, kinds=kinds)
    for scoring in scorings:
        if scoring not in solver.scorings:
            raise InputError(f"{solver.name} has no scoring {scoring!r}", remedy=did_you_mean(scoring, solver.scorings))
    chosen = with_kinds(limited(collection, request.limit, request.seed), kinds, collection)
    chosen = with_draws(chosen, request.renamed)
    draws = (draw_kind(number) for number in range(1, request.renamed + 1))
    known = check_overlap(solver.folders, solver.name, chosen, allowed=request.allow_overlap)
    items = asked_items(chosen, (*kinds, *draws))
    source: ExampleSource = chosen
    if not items:
        source, items = asked_pairs(chosen)
        if not items:
            message = f"{collection.name} has nothing to ask: no item has two readings"
            raise InputError(message, remedy="Use another collection.")
        if not solver.judges_pairs:
            message = f"{collection.name} has inference pairs only, and {solver.name} scores readings"
            raise InputError(message, remedy="Use a model that was trained on inference: nli:FOLDER_OR_HUB_ID.")
    parts: tuple[Callable[[], Sequence[Item]], ...] = (lambda: collection.items, collection.variants, chosen.variants)
    whole = (item for part in parts for item in part())  # walked only by a solver that looks at it
    solver = solver.for_collection(whole, collection.language)
    places = {scoring: (folders or {}).get(scoring) for scoring in scorings}
    with ExitStack() as stack:
        for folder in filter(None, places.values()):
            stack.enter_context(lock(folder))
        probed = {item.id for item in items if solver.gives_probes and item.kind in request.probes}
        writers = {
            s: RunWriter(_new_run(source, solver, request, s, known), folder, probed) for s, folder in places.items()
        }
        for writer in writers.values():
            writer.resume(item.id for item in items)
        waiting = [item for item in items if any(writer.lacks(item.id) for writer in writers.values())]
        answered = len(items) - len(waiting)
        if answered:
            progress(answered, len(items))
        if waiting:
            plan = batches(waiting, solver.batch_characters)
            questions = stack.enter_context(questions_of(plan, source.language, request.readings))
            solver.check_texts([text for item in items[:: -(-len(items) // _JUDGED)] for text in texts_of(item)])
            for batch in stack.enter_context(closing(_answered(questions, solver, writers, request.tolerance))):
                answered += len(batch)
                progress(answered, len(items))
        return [writer.run() for writer in writers.values()]


def _answered(
    questions: Iterator[Sequence[PreparedQuestion]], solver: Solver, writers: Mapping[str, RunWriter], tolerance: float
) -> Generator[Sequence[PreparedQuestion]]:
    """Answer all batches of questions, and yield each when it is answered.

    While the solver scores a batch, the one before is stored, and what is known about the next is looked up.
    """
    cache = ScoreCache() if solver.cacheable else None
    storing: Future[None] | None = None
    with _second_thread() as beside:
        coming = beside.submit(_next_batch, questions, solver, writers, cache)
        while batch := coming.result():
            coming = beside.submit(_next_batch, questions, solver, writers, cache)
            answers = _answer(solver, batch, writers)
            if storing:
                storing.result()
            storing = beside.submit(_store, batch, answers, writers, cache, tolerance)
            yield batch.questions
        if storing:
            storing.result()


@contextmanager
def _second_thread() -> Iterator[ThreadPoolExecutor]:
    """One thread, which works while a solver waits for its device.

    It gives way to the solver at once; a thread may otherwise keep the interpreter for 5 ms, in which a GPU is idle.
    """
    before = sys.getswitchinterval()
    sys.setswitchinterval(_TURN)
    try:
        with ThreadPoolExecutor(1) as thread:
            yield thread
    finally:
        sys.setswitchinterval(before)


def _new_run(source: ExampleSource, solver: Solver, request: RunRequest, scoring: str, known: Mapping[str, int]) -> Run:
    settings = Settings(
        model=solver.name,
        address=solver.address,
        scoring=scoring,
        readings=request.readings,
        fingerprint=solver.fingerprint,
        kinds=request.kinds,
        limit=request.limit,
        seed=request.seed,
        tolerance=request.tolerance,
        renamed=request.renamed,
        overlap=dict(known),
        model_settings={k: str(v) for k, v in solver.settings_for(scoring, source.language).items()},
    )
    made_with = {"winoglot": __version__, "python": platform.python_version()}
    for library in solver.libraries:
        with suppress(PackageNotFoundError):  # that of an outside solver may have no version
            made_with[library] = version(library)
    given = dict(request.options)
    file = source.file if isinstance(source, Collection) else ""
    return Run(source, settings, (), made_with=made_with, options=given, is_baseline=solver.is_baseline, file=file)


@dataclass(frozen=True)
class _Batch:
    """Some questions, and what is known about them before they are scored."""

    questions: Sequence[PreparedQuestion]
    keys: Mapping[str, Sequence[str]]  # in the cache, by the scorings whose runs lack some of the batch
    known: Mapping[str, Scores]  # by key: all of them, or none
    probed: Container[str]  # the ids of items that are to be probed


@dataclass(frozen=True)
class _Answers:
    """What is known about a batch once it is scored."""

    scores: Mapping[str, Sequence[Scores]]  # by scoring, in the order of the questions
    new: Mapping[str, Scores]  # by key, those that the cache did not know
    scored: Container[str]  # the ids of their items
    seconds: float  # that these took; the same for each run: they share the pass, not its time
    probes: Mapping[str, Probe]  # what was shown on the way, of items that are to be probed
    tokens: Mapping[str, TokenCount]  # by text


def _next_batch(
    questions: Iterator[Sequence[PreparedQuestion]],
    solver: Solver,
    writers: Mapping[str, RunWriter],
    cache: ScoreCache | None,
) -> _Batch | None:
    batch = next(questions, None)
    if batch is None:
        return None
    scorings = [s for s, writer in writers.items() if any(writer.lacks(one.item.id) for one in batch)]
    keys = cache_keys(solver, [one.question for one in batch], scorings)
    wanted = [key for some in keys.values() for key in some]
    known = cache.get(wanted) if cache else {}
    if len(known) < len(set(wanted)):  # a batch without some of its items would have slightly other scores
        known = {}
    probed = {one.item.id for one in batch if any(writers[s].lacks_probe(one.item.id) for s in scorings)}
    return _Batch(batch, keys, known, probed)


def _answer(solver: Solver, batch: _Batch, writers: Mapping[str, RunWriter]) -> _Answers:
    """Score a batch for all runs that lack some of it, unless the cache knows it."""
    asked, scorings = batch.questions, list(batch.keys)
    texts = list(dict.fromkeys(text for one in asked for text in one.question.texts))
    tokens = dict(zip(texts, solver.count_tokens(texts), strict=True))
    new: dict[str, Scores] = {}
    probes: dict[str, Probe] = {}
    seconds = 0.0
    is_scored = not batch.known or any(one.item.id in batch.probed for one in asked)
    if is_scored:
        solver.prepare()
        start = time.perf_counter()
        before = dict(solver.spent)
        try:
            found, probes = _score(solver, [one.question for one in asked], scorings, batch.probed)
        finally:  # even a failed batch has cost something; runs that share a pass share its cost
            part = {name: (count - before.get(name, 0)) / len(scorings) for name, count in solver.spent.items()}
            for scoring in scorings:
                writers[scoring].spend(part)
        new = {batch.keys[name][at]: scores[name] for at, scores in enumerate(found) for name in scorings}
        seconds = time.perf_counter() - start
    scores = {name: [(new or batch.known)[key] for key in some] for name, some in batch.keys.items()}
    scored = {one.item.id for one in asked} if is_scored else set[str]()
    return _Answers(scores, new, scored, seconds, probes, tokens)


def _store(
    batch: _Batch, answers: _Answers, writers: Mapping[str, RunWriter], cache: ScoreCache | None, tolerance: float
) -> None:
    """Keep new scores in the cache, and add a batch to each run, without what the run has already."""
    if cache:
        cache.put(answers.new)
    for scoring, scores in answers.scores.items():
        writer = writers[scoring]
        pairs = zip(batch.questions, scores, strict=True)
        lacking = [(one, found) for one, found in pairs if one.item.id not in writer.stored]
        predictions = [_prediction(one, found, answers.tokens, tolerance) for one, found in lacking]
        writer.add_probes(answers.probes)
        writer.append(predictions, answers.seconds, answers.scored)


def _score(
    solver: Solver, questions: Sequence[Question], scorings: Sequence[str], probed: Container[str]
) -> tuple[list[dict[str, Scores]], dict[str, Probe]]:
    probes: dict[str, Probe] = {}
    try:
        if any(one.item.id in probed for one in questions):
            found, probes = solver.score_and_probe(questions, scorings, probed)
        else:
            found = solver.score(questions, scorings)
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise InputError(
            f"{solver.name} ran out of memory",
            remedy="Lower --batch-tokens (for example to 256), use --precision bfloat16, or choose a smaller model.",
        ) from error
    _check_scores(solver, questions, scorings, found)
    for item in (one.item.id for one in questions if one.item.id in probed):
        if not isinstance(probes, Mapping) or not isinstance(probes.get(item), Probe):
            got = describe(probes.get(item) if isinstance(probes, Mapping) else probes)
            raise _faulty(solver, f"a Probe for {item}; found {got}", "score_and_probe")
    return found, probes


def _check_scores(solver: Solver, questions: Sequence[Question], scorings: Sequence[str], found: Any) -> None:
    """Refuse what a solver must not return, before it is cached or taken for a wrong answer."""
    if not isinstance(found, list | tuple) or len(found) != len(questions):
        got = f"{len(found)} of them" if isinstance(found, list | tuple) else describe(found)
        raise _faulty(solver, f"a list with one dictionary per question, here {len(questions)}; found {got}")
    for question, by_scoring in zip(questions, found, strict=True):
        item = question.item.id
        if not isinstance(by_scoring, Mapping):
            raise _faulty(solver, f"a dictionary of Scores by scoring for {item}; found {describe(by_scoring)}")
        for scoring in scorings:
            scores, count = by_scoring.get(scoring), question.option_count
            if isinstance(scores, Scores) and len(scores.values) == count:
                continue
            got = f"{len(scores.values)} of them" if isinstance(scores, Scores) else describe(scores)
            wanted = f"Scores with {count} values, one per reading, for {item} by scoring {scoring!r}"
            raise _faulty(solver, f"{wanted}; found {got}")


def _faulty(solver: Solver, expected: str, method: str = "score") -> InputError:
    remedy = f"Correct its method {method}; docs/extend.md says what it returns."
    return InputError(f"the solver {solver.name} must return {expected}", remedy=remedy)


def _prediction(
    one: PreparedQuestion, scores: Scores, tokens: Mapping[str, TokenCount], tolerance: float
) -> Prediction:
    choice = scores.choice(tolerance)
    counts = [tokens[text] for text in one.question.texts]
    note = scores.note if choice is not None else scores.abstention
    return Prediction(
        item_id=one.item.id,
        item_hash=one.item.hash,
        choice=choice,
        scores=scores.values,
        note=note,
        skipped=scores.skipped,
        fallback=one.fallback,
        window=one.window,
        tokens=sum(count.tokens for count in counts),
        unknown=sum(count.unknown for count in counts),
    )


class ScoreCache:
    """Scores of earlier runs, in the user's cache folder. If it cannot be used, everything is computed.

    Every row has a checksum: one that was changed or damaged counts as absent.
    """

    def __init__(self) -> None:
        """Open the cache, or work without it."""
        self.connection: sqlite3.Connection | None = None
        self._is_damaged = False
        try:
            cache_folder().mkdir(parents=True, exist_ok=True)
            self.connection = sqlite3.connect(
                cache_folder() / "scores.sqlite", timeout=10, isolation_level=None, check_same_thread=False
            )
            self.connection.execute("PRAGMA journal_mode=WAL")
            self.connection.execute("PRAGMA synchronous=NORMAL")  # a crash may cost the last scores, and nothing else
            columns = "key TEXT PRIMARY KEY, value TEXT NOT NULL, checksum INTEGER NOT NULL"
            self.connection.execute(f"CREATE TABLE IF NOT EXISTS checked_scores ({columns}) WITHOUT ROWID")
            self.connection.execute("DROP TABLE IF EXISTS scores")  # of earlier versions, without checksums
        except (OSError, sqlite3.Error):
            self.connection = None

    def get(self, keys: Sequence[str]) -> dict[str, Scores]:
        """The known scores among these."""
        found: dict[str, Scores] = {}
        if self.connection is None:
            return found
        try:
            for start in range(0, len(keys), _AT_ONCE):
                some = keys[start : start + _AT_ONCE]
                places = ", ".join("?" * len(some))
                query = f"SELECT key, value, checksum FROM checked_scores WHERE key IN ({places})"
                for key, value, checksum in self.connection.execute(query, some):
                    if _checksum(key, value) == checksum:
                        values, note, skipped = json.loads(value)
                        found[key] = Scores(tuple(values), note, skipped)
                    elif not self._is_damaged:
                        self._is_damaged = True
                        message = "%s is damaged: some scores in it were changed. They are computed again."
                        _LOG.warning(message, cache_folder() / "scores.sqlite")
        except (sqlite3.Error, ValueError, TypeError):
            self.connection = None  # a broken cache must not stop a run
        return found

    def put(self, scores: Mapping[str, Scores]) -> None:
        """Keep these scores."""
        if self.connection is None:
            return
        texts = {key: _json([known.values, known.note, known.skipped]) for key, known in scores.items()}
        rows = [(key, text, _checksum(key, text)) for key, text in texts.items()]
        try:
            self.connection.execute("BEGIN")
            self.connection.executemany("INSERT OR REPLACE INTO checked_scores VALUES (?, ?, ?)", rows)
            self.connection.execute("COMMIT")
        except sqlite3.Error:
            self.connection = None


def _checksum(key: str, value: object) -> int:
    """Of a row of the cache; it guards against accidents, not against somebody who computes it too."""
    return zlib.crc32(f"{key} {value}".encode())


def cache_keys(solver: Solver, questions: Sequence[Question], scorings: Sequence[str]) -> dict[str, list[str]]:
    """By scoring, a hash for each question of everything that its score depends on.

    That is the question and, by a few millionths, what is scored together with it.
    """
    settings = sorted((name, str(value)) for name, value in solver.settings.items())
    asked_for = [
        _json(
            [
                [reading.text for reading in question.readings],
                [len(reading.before) for reading in question.readings],
                [len(reading.inserted) for reading in question.readings],
                len(question.window.text),
                question.language,
                question.item.hash,
                question.item.question,
            ]
        ).encode()
        for question in questions
    ]
    keys: dict[str, list[str]] = {}
    batch = hashlib.sha256(b"\n".join(asked_for)).hexdigest()
    for scoring in scorings:
        shared = hashlib.sha256(_json([__version__, solver.fingerprint, settings, scoring, batch]).encode())
        keys[scoring] = []
        for question in asked_for:
            key = shared.copy()
            key.update(question)
            keys[scoring].append(key.hexdigest())
    return keys
