"""Evaluate: a model answers a collection; what it says is stored batch by batch."""

from __future__ import annotations

import math
import platform
import time
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from winoglot._version import __version__
from winoglot.errors import InputError, describe, nearest
from winoglot.files import folder_name
from winoglot.models._memory import memory_ended
from winoglot.models.base import (
    NO_TOKENS,
    NOT_A_NUMBER,
    Options,
    Question,
    Scores,
    Solver,
    as_solver,
    check_model,
    load_model,
)
from winoglot.perturb.base import with_kinds
from winoglot.runs._arguments import check_arguments, collections_of, kinds_of, models_of
from winoglot.runs._lock import locked
from winoglot.runs.cache import ScoreCache, key_of
from winoglot.runs.questions import Asked, asked, batches, check_limit, limited
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.store import RunWriter, added, load_run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.schemas.model import Collection


@dataclass(frozen=True)
class Request:
    """What is asked of a solver: which collection, kinds, readings and scorings."""

    scorings: tuple[str, ...] = ("partial",)
    readings: str = "grammatical"
    kinds: tuple[str, ...] = ()
    limit: int | None = None
    seed: int = 0
    tolerance: float = 1e-6
    options: Mapping[str, str] = field(default_factory=dict)  # what the model was told beside, recorded with the run


@overload
def evaluate(  # type: ignore[overload-overlap]  # a string is iterable too
    collection: Collection,
    model: str | Solver,
    scoring: str | None = None,
    readings: str = "grammatical",
    kinds: str | Sequence[str] | None = (),
    limit: int | None = None,
    *,
    seed: int = 0,
    device: str = "auto",
    precision: str = "float32",
    batch_tokens: int = 0,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
) -> Run: ...
@overload
def evaluate(
    collection: Collection | Iterable[Collection],
    model: str | Solver | Iterable[str | Solver],
    scoring: str | None = None,
    readings: str = "grammatical",
    kinds: str | Sequence[str] | None = (),
    limit: int | None = None,
    *,
    seed: int = 0,
    device: str = "auto",
    precision: str = "float32",
    batch_tokens: int = 0,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
) -> list[Run]: ...
def evaluate(
    collection: Collection | Iterable[Collection],
    model: str | Solver | Iterable[str | Solver],
    scoring: str | None = None,
    readings: str = "grammatical",
    kinds: str | Sequence[str] | None = (),
    limit: int | None = None,
    *,
    seed: int = 0,
    device: str = "auto",
    precision: str = "float32",
    batch_tokens: int = 0,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
) -> Run | list[Run]:
    """Ask a model to resolve a collection. Lists of collections or models give a list of runs, one per combination.

    Without `scoring`, the model's default is used. `device`, `precision` and `batch_tokens` say how it computes;
    `options` holds the settings of its family (`--option name=value` on the command line). With a `folder`, the run is
    stored there as it proceeds, and the same call resumes it; the runs of lists get one folder each inside it.

    >>> import winoglot as wg
    >>> run = evaluate(wg.load("winoglot-en"), "first", limit=2)
    >>> len(run.predictions), run.predictions[0].choice
    (4, 0)
    >>> [run.settings.model for run in evaluate(wg.load("winoglot-en"), ["first", "second"], limit=2)]
    ['first', 'second']
    """
    collections, models = collections_of(collection), models_of(model)
    check_arguments(scoring, readings)
    check_limit(limit)
    chosen = _options(options, seed=seed, device=device, precision=precision, batch_tokens=batch_tokens)
    check_options(chosen)
    for name in models:
        if isinstance(name, str):
            check_model(name, chosen)
    several = collections != [collection] or models != [model]
    runs: list[Run] = []
    for one in models:
        solver = load_model(one, chosen) if isinstance(one, str) else as_solver(one)
        told = chosen.more if isinstance(one, str) else {}
        by = scoring or solver.scorings[0]
        request = Request((by,), readings, kinds_of(kinds), limit, seed, options=told)
        for each in collections:
            place = Path(folder) if folder else None
            if place and several:
                place /= folder_name(each.name, solver.name, by, readings)
            runs += evaluate_all(each, solver, request, {by: place} if place else {})
    return runs if several else runs[0]


def _options(given: Options | Mapping[str, Any] | None, **named: Any) -> Options:
    """The options as given, or made from keyword arguments and a mapping, whose other names are the family's own.

    >>> _options({"device": "cpu", "shots": 4}, precision="int8")
    Options(precision='int8', device='cpu', batch_tokens=0, seed=0, more={'shots': '4'})
    """
    if isinstance(given, Options):
        return given
    if given is not None and not isinstance(given, Mapping):
        remedy = 'Write options={"shots": "4"}; device, precision and batch_tokens are arguments of their own.'
        raise InputError(f"expected a mapping as options, found {describe(given)}", remedy=remedy)
    own = {one.name for one in fields(Options)} - {"more"}
    given = given or {}
    more = {name: str(value) for name, value in given.items() if name not in own}
    return Options(**named | {name: given[name] for name in own & given.keys()}, more=more)


def check_options(options: Options) -> None:
    """Refuse settings that no model can have, whatever its family."""
    if options.batch_tokens < 0:
        message = f"{options.batch_tokens} tokens at once are none"
        raise InputError(message, remedy="Give --batch-tokens from 1 on, or 0 for as many as fit.")


def evaluate_all(
    collection: Collection,
    solver: Solver,
    request: Request,
    folders: dict[str, Path] | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> list[Run]:
    """A run for each scoring, all from one pass over the texts; `progress` hears how many questions are answered."""
    request = replace(
        request, scorings=tuple(dict.fromkeys(request.scorings)), kinds=tuple(dict.fromkeys(request.kinds))
    )
    for scoring in request.scorings:
        if scoring not in solver.scorings:
            raise InputError(f"{solver.name} has no scoring {scoring!r}", remedy=nearest(scoring, solver.scorings))
    chosen = with_kinds(limited(collection, request.limit, request.seed), request.kinds, collection)
    questions = asked(chosen, request.kinds, request.readings)
    if not questions:
        raise InputError(f"{collection.name} has nothing to ask: no item has two readings", remedy="Use another one.")
    items = (*collection.items, *collection.variants(), *chosen.variants())
    solver = solver.for_collection(items, collection.language)
    questions = _counted(questions, solver)
    plan = batches(questions)
    places = {scoring: (folders or {}).get(scoring) for scoring in request.scorings}
    with ExitStack() as locks:
        for folder in filter(None, places.values()):
            locks.enter_context(locked(folder))
        jobs = [_Job(chosen, solver, request, scoring, folder, plan) for scoring, folder in places.items()]
        cache = ScoreCache() if solver.cacheable else None
        for number, batch in enumerate(plan):
            waiting = [job for job in jobs if number not in job.done]
            if waiting:
                _answer(solver, batch, waiting, number, cache)
            progress(sum(map(len, plan[: number + 1])), len(questions))
        return [job.run() for job in jobs]


def _counted(questions: Sequence[Asked], solver: Solver) -> list[Asked]:
    """Each question with the tokens of its readings, if the solver counts them; it may reject them as a whole."""
    texts = list(dict.fromkeys(reading.text for one in questions for reading in one.question.readings))
    counts = dict(zip(texts, solver.count_tokens(texts), strict=True))
    return [
        replace(one, tokens=sum((counts[reading.text] for reading in one.question.readings), NO_TOKENS))
        for one in questions
    ]


class _Job:
    """One run under way."""

    def __init__(
        self,
        collection: Collection,
        solver: Solver,
        request: Request,
        scoring: str,
        folder: Path | None,
        plan: Sequence[Sequence[Asked]],
    ) -> None:
        self.scoring = scoring
        self.tolerance = request.tolerance
        settings = Settings(
            model=solver.name,
            scoring=scoring,
            readings=request.readings,
            fingerprint=solver.fingerprint,
            kinds=request.kinds,
            limit=request.limit,
            seed=request.seed,
            tolerance=request.tolerance,
            model_settings={k: str(v) for k, v in solver.settings_for(scoring, collection.language).items()},
        )
        self.made = Run(
            collection,
            settings,
            (),
            made_with=_versions(),
            options=dict(request.options),
            is_baseline=solver.is_baseline,
        )
        self.folder = folder
        self.writer = RunWriter(folder, self.made) if folder else None
        self.done = set(self.writer.done([[one.item.id for one in batch] for batch in plan])) if self.writer else set()
        self.predictions: list[Prediction] = []
        self.seconds, self.scored = 0.0, 0
        self.spent: dict[str, float] = {}

    def spend(self, counts: dict[str, float]) -> None:
        """What a batch took of a server; runs that share a pass have an equal part of it each."""
        self.spent = added(self.spent, counts)
        if self.writer and any(counts.values()):
            self.writer.spend(counts)

    def add(self, number: int, predictions: list[Prediction], seconds: float, scored: set[str]) -> None:
        if self.writer:
            self.writer.append(number, predictions, seconds, scored)
        self.predictions += predictions
        self.seconds += seconds
        self.scored += len(scored)
        self.done.add(number)

    def run(self) -> Run:
        """As it stands; in the collection's order, whatever the order of the batches was."""
        if self.folder:
            made = load_run(self.folder)
        else:
            done = tuple(self.predictions)
            made = replace(self.made, predictions=done, seconds=self.seconds, scored=self.scored, spent=self.spent)
        items = (*made.collection.items, *made.collection.variants())
        place = {item.id: number for number, item in enumerate(items)}
        return replace(made, predictions=tuple(sorted(made.predictions, key=lambda one: place[one.item_id])))


def _answer(
    solver: Solver, batch: Sequence[Asked], jobs: Sequence[_Job], number: int, cache: ScoreCache | None
) -> None:
    """Score a batch for all runs that lack it, asking the solver only what is not known."""
    start = time.perf_counter()
    scorings = [job.scoring for job in jobs]
    keys = {(at, s): key_of(solver, one.question, s) for at, one in enumerate(batch) for s in scorings}
    known = cache.get(list(keys.values())) if cache else {}
    missing = sorted({at for (at, _), key in keys.items() if key not in known})
    if missing:
        before = dict(solver.spent)
        try:
            found = _scored(solver, [batch[at].question for at in missing], scorings)
        finally:  # what cannot be stored, or breaks off, was paid for all the same
            part = {name: (count - before.get(name, 0)) / len(jobs) for name, count in solver.spent.items()}
            for job in jobs:
                job.spend(part)
        new = {keys[at, s]: got[s] for at, got in zip(missing, found, strict=True) for s in scorings}
        if cache:
            cache.put(new)
        known |= new
    seconds = time.perf_counter() - start if missing else 0.0  # of each run: they share the pass, not its time
    scored = {batch[at].item.id for at in missing}
    for job in jobs:
        predictions = [_prediction(one, known[keys[at, job.scoring]], job.tolerance) for at, one in enumerate(batch)]
        job.add(number, predictions, seconds, scored)


def _scored(solver: Solver, questions: Sequence[Question], scorings: Sequence[str]) -> list[dict[str, Scores]]:
    try:
        return solver.score(questions, scorings)
    except (MemoryError, RuntimeError) as error:
        if not memory_ended(error):
            raise
        raise InputError(
            f"the memory did not suffice for {solver.name}",
            remedy="Give --batch-tokens with a small number, such as 256, or a smaller model or --precision bfloat16.",
        ) from error


def _prediction(one: Asked, scores: Scores, tolerance: float) -> Prediction:
    choice = scores.choice(tolerance)
    note = scores.note
    if choice is None and not note:
        bad = any(value is not None and math.isnan(value) for value in scores.values)
        note = NOT_A_NUMBER if bad else "tie"
    return Prediction(
        item_id=one.item.id,
        item_hash=one.item.hash,
        choice=choice,
        scores=scores.values,
        note=note,
        skipped=scores.skipped,
        fallback=one.fallback,
        window=one.window,
        tokens=one.tokens.tokens,
        unknown=one.tokens.unknown,
    )


def _versions() -> dict[str, str]:
    """What computed the run, as far as it is loaded."""
    import sys

    loaded = {name: sys.modules.get(name) for name in ("torch", "transformers", "numpy")}
    versions = {name: str(getattr(module, "__version__", "")) for name, module in loaded.items() if module}
    return {"winoglot": __version__, "python": platform.python_version(), **versions}
