"""One solver answers one set of questions: batches are scored, cached and stored, one run per scoring from one pass."""

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
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.errors import InputError, describe
from winoglot.folders import cache_folder, lock
from winoglot.memory import is_out_of_memory
from winoglot.models.base import Question, Scores, Solver, TokenCount
from winoglot.models.scoring.probes import Probe
from winoglot.runs.questions import PreparedQuestion, QuestionSet
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.settings import FALLBACKS
from winoglot.runs.store import RunWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator
    from concurrent.futures import Future
    from pathlib import Path

    from winoglot.runs.spec import RunSpec

_LOG = logging.getLogger(__name__)  # a warning that nobody handles is a line on standard error
_KEYS_PER_QUERY = 500
_NOT_DERIVED = "no grammatical reading"
_SWITCH_INTERVAL = 1e-4  # seconds for which a thread keeps the interpreter
_json = json.JSONEncoder(ensure_ascii=False).encode


def answer(
    questions: QuestionSet,
    scorings: Sequence[str],
    spec: RunSpec,
    *,
    options: Mapping[str, str] = MappingProxyType({}),
    folders: Mapping[str, Path | None] = MappingProxyType({}),
    progress: Callable[[int, int], None] = lambda _done, _total: None,
    before_sending: Callable[[str, int], None] = lambda _model, _requests: None,
) -> list[Run]:
    """Make one run per scoring, all from one pass of the solver over the questions.

    A scoring with a folder is stored there, and resumed if the folder contains part of the same run. `options` are
    what the model was given, to be recorded. `progress` is called with the number of questions answered and the number
    of all questions, and `before_sending` with a model on a server and the number of requests that wait; it may raise.
    """
    for scoring in scorings:
        questions.check_scoring(scoring)
    folder_by_scoring = {scoring: folders.get(scoring) for scoring in scorings}
    with ExitStack() as stack:
        for folder in filter(None, folder_by_scoring.values()):
            stack.enter_context(lock(folder))
        writers = {
            scoring: RunWriter(_new_run(questions, spec, scoring, options), folder, questions.probed)
            for scoring, folder in folder_by_scoring.items()
        }
        for writer in writers.values():
            writer.resume(questions.ids)
        pending = [name for name in questions.ids if any(writer.lacks(name) for writer in writers.values())]
        answered = len(questions.ids) - len(pending)
        if answered:
            progress(answered, len(questions.ids))
        if pending and questions.solver.sends_requests:
            before_sending(questions.solver.name, len(prompts_of(questions, scorings, pending)))
        if pending:
            batches = stack.enter_context(questions.batches(pending))
            for batch in stack.enter_context(closing(_answer_batches(batches, questions, writers, spec.tolerance))):
                answered += len(batch)
                progress(answered, len(questions.ids))
        return [writer.run() for writer in writers.values()]


def prompts_of(questions: QuestionSet, scorings: Sequence[str], ids: Sequence[str]) -> list[str]:
    """What the solver is shown about these examples, text by text; nothing is asked."""
    with questions.batches(ids) as batches:
        prepared = [question.question for batch in batches for question in batch if question.is_asked]
    return questions.solver.prompts(prepared, [questions.solver_scoring(scoring) for scoring in scorings])


def _answer_batches(
    batches: Iterator[Sequence[PreparedQuestion]],
    questions: QuestionSet,
    writers: Mapping[str, RunWriter],
    tolerance: float,
) -> Generator[Sequence[PreparedQuestion]]:
    """Answer all batches of questions, and yield each when it is answered.

    While the solver scores a batch, the one before is stored, and what is known about the next is looked up.
    """
    cache = ScoreCache() if questions.is_cached and questions.solver.cacheable else None
    storing: Future[None] | None = None
    with _second_thread() as background:
        next_batch = background.submit(_next_batch, batches, questions, writers, cache)
        while batch := next_batch.result():
            next_batch = background.submit(_next_batch, batches, questions, writers, cache)
            answers = _answer(questions, batch, writers)
            if storing:
                storing.result()
            storing = background.submit(_store, batch, answers, writers, cache, tolerance)
            yield (*batch.questions, *batch.not_asked)
        if storing:
            storing.result()


@contextmanager
def _second_thread() -> Iterator[ThreadPoolExecutor]:
    """A pool of one thread, which works while a solver waits for its device.

    It gives way to the solver at once; otherwise it could keep the interpreter for 5 ms, during which a GPU is idle.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_INTERVAL)
    try:
        with ThreadPoolExecutor(1) as thread:
            yield thread
    finally:
        sys.setswitchinterval(interval)


def _new_run(questions: QuestionSet, spec: RunSpec, scoring: str, options: Mapping[str, str]) -> Run:
    solver, source = questions.solver, questions.source
    model_settings = questions.model_settings(scoring)
    settings = Settings(
        model=solver.name,
        address=solver.address,
        scoring=scoring,
        readings=questions.readings,
        fingerprint=solver.fingerprint,
        kinds=spec.kinds_by_collection.get(source.name, spec.kinds),
        limit=spec.limit,
        seed=spec.seed,
        tolerance=spec.tolerance,
        renamed=spec.renamed,
        overlap=dict(questions.overlap),
        fallback=spec.fallback if questions.readings == "grammatical" else FALLBACKS[0],
        model_settings={name: str(value) for name, value in model_settings.items()},
    )
    made_with = {"winoglot": __version__, "python": platform.python_version()}
    for library in solver.libraries:
        with suppress(PackageNotFoundError):  # that of an outside solver may have no version
            made_with[library] = version(library)
    return Run(
        source,
        settings,
        (),
        made_with=made_with,
        options=dict(options),
        is_baseline=solver.is_baseline,
        file=questions.file,
    )


@dataclass(frozen=True)
class _Batch:
    """A batch of questions, and what is known about them before they are scored."""

    questions: Sequence[PreparedQuestion]
    not_asked: Sequence[PreparedQuestion]  # about which the solver abstains
    keys: Mapping[str, Sequence[str]]  # in the cache, by the scorings whose runs lack some of the batch
    cached: Mapping[str, Scores]  # cached scores by key, of all questions or of none
    probed: Container[str]  # the ids of items that are to be probed


@dataclass(frozen=True)
class _Answers:
    """What is known about a batch once it is scored."""

    scores: Mapping[str, Sequence[Scores]]  # by scoring, in the order of the questions
    new: Mapping[str, Scores]  # by key, those that the cache did not know
    scored: Container[str]  # the ids of their items
    seconds: float  # that scoring took, recorded in full by each of the runs that share the pass
    probes: Mapping[str, Probe]  # what was shown on the way, of items that are to be probed
    tokens: Mapping[str, TokenCount]  # by text


def _next_batch(
    batches: Iterator[Sequence[PreparedQuestion]],
    questions: QuestionSet,
    writers: Mapping[str, RunWriter],
    cache: ScoreCache | None,
) -> _Batch | None:
    prepared_batch = next(batches, None)
    if prepared_batch is None:
        return None
    batch = [prepared for prepared in prepared_batch if prepared.is_asked]
    not_asked = [prepared for prepared in prepared_batch if not prepared.is_asked]
    scorings = [
        scoring for scoring, writer in writers.items() if any(writer.lacks(prepared.id) for prepared in prepared_batch)
    ]
    cached: Mapping[str, Scores] = {}
    if cache is None:
        keys = {scoring: [f"{scoring} {prepared.id}" for prepared in batch] for scoring in scorings}
    else:
        keys = cache_keys(questions.solver, [prepared.question for prepared in batch], scorings)
        all_keys = [key for scoring_keys in keys.values() for key in scoring_keys]
        cached = cache.get(all_keys)
        if len(cached) < len(set(all_keys)):  # a batch without some of its items would have slightly other scores
            cached = {}
    probed = {
        prepared.id for prepared in batch if any(writers[scoring].lacks_probe(prepared.id) for scoring in scorings)
    }
    return _Batch(batch, not_asked, keys, cached, probed)


def _answer(questions: QuestionSet, batch: _Batch, writers: Mapping[str, RunWriter]) -> _Answers:
    """Score a batch for all runs that lack some of it, unless the cache knows it."""
    solver, scorings = questions.solver, list(batch.keys)
    texts: list[str] = []
    if questions.counts_tokens:
        texts = list(dict.fromkeys(text for prepared in batch.questions for text in prepared.question.texts))
    tokens = dict(zip(texts, solver.count_tokens(texts), strict=True)) if texts else {}
    new: dict[str, Scores] = {}
    probes: dict[str, Probe] = {}
    seconds = 0.0
    is_scored = len(batch.cached) < len(batch.questions) or any(
        prepared.id in batch.probed for prepared in batch.questions
    )
    if is_scored:
        solver.prepare()
        start = time.perf_counter()
        spent_before = dict(solver.spent)
        names = {scoring: questions.solver_scoring(scoring) for scoring in scorings}
        try:
            scored, probes = _score(
                solver, [prepared.question for prepared in batch.questions], list(names.values()), batch.probed
            )
        finally:  # even a failed batch has cost something; runs that share a pass share its cost
            shares = {name: (count - spent_before.get(name, 0)) / len(scorings) for name, count in solver.spent.items()}
            for scoring in scorings:
                writers[scoring].spend(shares)
        new = {
            batch.keys[scoring][number]: scores[names[scoring]]
            for number, scores in enumerate(scored)
            for scoring in scorings
        }
        seconds = time.perf_counter() - start
    scores = {scoring: [(new or batch.cached)[key] for key in keys] for scoring, keys in batch.keys.items()}
    scored_ids = {prepared.id for prepared in batch.questions} if is_scored else set[str]()
    return _Answers(scores, new, scored_ids, seconds, probes, tokens)


def _store(
    batch: _Batch, answers: _Answers, writers: Mapping[str, RunWriter], cache: ScoreCache | None, tolerance: float
) -> None:
    """Keep new scores in the cache, and add a batch to each run, without what the run has already."""
    if cache:
        cache.put(answers.new)
    for scoring, batch_scores in answers.scores.items():
        writer = writers[scoring]
        predictions = [
            _prediction(prepared, scores, answers.tokens, tolerance)
            for prepared, scores in zip(batch.questions, batch_scores, strict=True)
            if prepared.id not in writer.stored
        ] + [
            _prediction(prepared, Scores.undefined(prepared.question, _NOT_DERIVED), {}, tolerance)
            for prepared in batch.not_asked
            if prepared.id not in writer.stored
        ]
        writer.add_probes(answers.probes)
        writer.append(predictions, answers.seconds, answers.scored)


def _score(
    solver: Solver, questions: Sequence[Question], scorings: Sequence[str], probed: Container[str]
) -> tuple[list[dict[str, Scores]], dict[str, Probe]]:
    probes: dict[str, Probe] = {}
    try:
        if any(question.item.id in probed for question in questions):
            scores, probes = solver.score_and_probe(questions, scorings, probed)
        else:
            scores = solver.score(questions, scorings)
    except (MemoryError, RuntimeError) as error:
        if not is_out_of_memory(error):
            raise
        raise InputError(
            f"{solver.name} ran out of memory",
            remedy="Lower --batch-tokens (for example to 256), use --precision bfloat16, or choose a smaller model.",
        ) from error
    _check_scores(solver, questions, scorings, scores)
    for item in (question.item.id for question in questions if question.item.id in probed):
        if not isinstance(probes, Mapping) or not isinstance(probes.get(item), Probe):
            actual = describe(probes.get(item) if isinstance(probes, Mapping) else probes)
            raise _fault_of_solver(solver, f"a Probe for {item}; found {actual}", "score_and_probe")
    return scores, probes


def _check_scores(solver: Solver, questions: Sequence[Question], scorings: Sequence[str], returned: Any) -> None:
    """Refuse what a solver must not return, before it is cached or taken for a wrong answer."""
    if not isinstance(returned, list | tuple) or len(returned) != len(questions):
        actual = f"{len(returned)} of them" if isinstance(returned, list | tuple) else describe(returned)
        raise _fault_of_solver(
            solver, f"a list with one dictionary per question, here {len(questions)}; found {actual}"
        )
    for question, by_scoring in zip(questions, returned, strict=True):
        item = question.item.id
        if not isinstance(by_scoring, Mapping):
            raise _fault_of_solver(
                solver, f"a dictionary of Scores by scoring for {item}; found {describe(by_scoring)}"
            )
        for scoring in scorings:
            scores, count = by_scoring.get(scoring), question.option_count
            if isinstance(scores, Scores) and len(scores.values) == count:
                continue
            actual = f"{len(scores.values)} of them" if isinstance(scores, Scores) else describe(scores)
            expected = f"Scores with {count} values, one per reading, for {item} by scoring {scoring!r}"
            raise _fault_of_solver(solver, f"{expected}; found {actual}")


def _fault_of_solver(solver: Solver, expected: str, method: str = "score") -> InputError:
    remedy = f"Correct its method {method}; docs/extend.md says what it returns."
    return InputError(f"the solver {solver.name} must return {expected}", remedy=remedy)


def _prediction(
    prepared: PreparedQuestion, scores: Scores, tokens: Mapping[str, TokenCount], tolerance: float
) -> Prediction:
    choice = scores.choice(tolerance)
    counts = [tokens[text] for text in prepared.question.texts] if tokens else []
    note = scores.note if choice is not None else scores.abstention
    return Prediction(
        item_id=prepared.id,
        item_hash=prepared.hash,
        choice=choice,
        scores=scores.values,
        note=note,
        skipped=scores.skipped,
        replies=scores.replies,
        fallback=prepared.fallback,
        window=prepared.window,
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
        """The cached scores among these keys."""
        scores: dict[str, Scores] = {}
        if self.connection is None:
            return scores
        try:
            for start in range(0, len(keys), _KEYS_PER_QUERY):
                batch = keys[start : start + _KEYS_PER_QUERY]
                placeholders = ", ".join("?" * len(batch))
                query = f"SELECT key, value, checksum FROM checked_scores WHERE key IN ({placeholders})"
                for key, value, checksum in self.connection.execute(query, batch):
                    if _checksum(key, value) == checksum:
                        values, note, skipped = json.loads(value)
                        scores[key] = Scores(tuple(values), note, skipped)
                    elif not self._is_damaged:
                        self._is_damaged = True
                        message = "%s is damaged: some scores in it were changed. They are computed again."
                        _LOG.warning(message, cache_folder() / "scores.sqlite")
        except (sqlite3.Error, ValueError, TypeError):
            self.connection = None  # a broken cache must not stop a run
        return scores

    def put(self, scores: Mapping[str, Scores]) -> None:
        """Store scores by their keys."""
        if self.connection is None:
            return
        texts = {key: _json([score.values, score.note, score.skipped]) for key, score in scores.items()}
        rows = [(key, text, _checksum(key, text)) for key, text in texts.items()]
        try:
            self.connection.execute("BEGIN")
            self.connection.executemany("INSERT OR REPLACE INTO checked_scores VALUES (?, ?, ?)", rows)
            self.connection.execute("COMMIT")
        except sqlite3.Error:
            self.connection = None


def _checksum(key: str, value: object) -> int:
    """The checksum of a row of the cache, which detects accidental damage, not deliberate changes."""
    return zlib.crc32(f"{key} {value}".encode())


def cache_keys(solver: Solver, questions: Sequence[Question], scorings: Sequence[str]) -> dict[str, list[str]]:
    """The keys of the questions by scoring: a hash of everything that the score of each depends on.

    That includes the rest of its batch, which changes the score by a few millionths.
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
