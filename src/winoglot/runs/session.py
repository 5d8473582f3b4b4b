"""A session carries out a spec: everything is checked first, then each model is loaded once and answers everything.

Every command and call that asks a model, about schemas or pairs, does so here. A failure costs only its own runs: the
caller decides whether to continue (`results`) or to stop (`runs`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

from winoglot.errors import InputError, did_you_mean
from winoglot.files import folder_name
from winoglot.languages.readings import readings as readings_of
from winoglot.models.base import LoadingError, Solver, check_model, check_options
from winoglot.models.naming import check_distinct
from winoglot.perturb.base import with_kinds
from winoglot.perturb.renamed.draws import check_draws
from winoglot.runs.execute import answer, prompts_of
from winoglot.runs.questions import ItemQuestions, QuestionSet, asked, limited
from winoglot.runs.run import Run, Runs
from winoglot.runs.spec import QuestionSource, RunSpec
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from winoglot.runs.spec import ModelSpec
    from winoglot.schemas.model import Collection

Begin: TypeAlias = Callable[[str], Callable[[int, int], None]]  # called with a step; returns where to report progress
Place: TypeAlias = "Callable[[str, str, str, str], Path]"  # from collection, model, scoring and readings to a folder


BeforeSending: TypeAlias = Callable[[str, int], None]  # called with a model on a server and the number of requests
_LOG = logging.getLogger(__name__)  # a warning that nobody handles is a line on standard error


def log_requests(model: str, requests: int) -> None:
    """Say how many requests a server gets, and send them."""
    _LOG.warning("%s gets %s.", model, counted(requests, "request"))


def silent(_step: str) -> Callable[[int, int], None]:
    """Report no progress."""
    return lambda _done, _total: None


@dataclass(frozen=True)
class Answered:
    """A run, and the solver that made it."""

    run: Run
    solver: Solver


@dataclass(frozen=True)
class Failure:
    """A model or a run that failed, and why."""

    name: str
    error: InputError


@dataclass(frozen=True)
class _Task:
    """One pass of a model: the name of what it is asked about, in short and in full, and how to make the questions."""

    source: str
    title: str
    make: Callable[[], tuple[Sequence[str], QuestionSet]]


@dataclass(frozen=True)
class SessionResult:
    """The runs that were made, and what failed.

    A `bug` is an error that is not the user's. It ended the session; the caller raises it once the runs are shown.
    """

    runs: tuple[Run, ...]
    failures: tuple[Failure, ...] = ()
    bug: Exception | None = None


@dataclass(frozen=True)
class Session:
    """Asks every model of a spec about every collection, in each style of readings.

    `place` says where the run of a collection, model, scoring and style of readings is stored; a run that was begun
    there is resumed. `before_sending` is called with a model on a server and the number of requests that wait, and may
    raise an input error. The methods' `begin` is called with the name of each step, and returns the function to report
    its progress to.
    """

    spec: RunSpec
    place: Place | None = None
    before_sending: BeforeSending = log_requests

    def __post_init__(self) -> None:
        """Refuse whatever can be refused before a model is loaded to be asked."""
        spec = self.spec
        for name, values in (("collections", (*spec.collections, *spec.sources)), ("models", spec.models)):
            if not values:
                raise InputError(f"the list of {name} is empty", remedy=f"Give one of the {name}, or a list of them.")
        check_distinct(model.name for model in spec.models if model.solver is None)
        check_models(spec.models, spec.scorings if spec.collections else ())
        for collection in spec.collections:
            check_collection(collection, spec)
        for source, model in product(spec.sources, spec.models):
            source.questions(
                model.load(), self._requested_scoring(model)
            )  # large models read their weights only when asked
        if self.place:
            names = [collection.name for collection in spec.collections]
            names += [source.name for source in spec.sources]
            check_folders(names, [model.name.name for model in spec.models])

    def answers(self, begin: Begin = silent) -> Iterator[Answered | Failure]:
        """The runs, one by one, and what failed; only one model at a time is in memory."""
        for model in self.spec.models:
            name = model.name.name
            begin(f"loading {name}")
            try:
                solver = model.load()
            except InputError as error:
                yield Failure(name, error)
                continue
            for task in self._tasks(model, solver):
                try:
                    yield from self._answer_task(model, solver, task, begin)
                except LoadingError as error:
                    yield Failure(name, error)
                    break
                except InputError as error:
                    yield Failure(f"{name} on {task.title}", error)
            del solver

    def _tasks(self, model: ModelSpec, solver: Solver) -> Iterator[_Task]:
        """What a model is asked, pass by pass."""
        for collection, style in product(self.spec.collections, self.spec.readings):
            make = partial(self._about_items, model, solver, collection, style)
            yield _Task(collection.name, f"{collection.name}, {style} readings", make)
        for source in self.spec.sources:
            yield _Task(source.name, source.name, partial(self._about_source, model, solver, source))

    def _answer_task(self, model: ModelSpec, solver: Solver, task: _Task, begin: Begin) -> Iterator[Answered]:
        name = model.name.name
        progress = begin(f"{name} on {task.title if len(self.spec.readings) > 1 else task.source}")
        scorings, questions = task.make()
        folders = {}
        if self.place:
            folders = {scoring: self.place(task.source, name, scoring, questions.readings) for scoring in scorings}
        options = model.recorded_options
        for run in answer(
            questions,
            scorings,
            self.spec,
            options=options,
            folders=folders,
            progress=progress,
            before_sending=self.before_sending,
        ):
            yield Answered(run, solver)

    def _about_items(
        self, model: ModelSpec, solver: Solver, collection: Collection, style: str
    ) -> tuple[Sequence[str], QuestionSet]:
        scorings = self._scorings(model, solver, collection, style)
        return scorings, ItemQuestions(collection, solver, self.spec, style)

    def _about_source(
        self, model: ModelSpec, solver: Solver, source: QuestionSource
    ) -> tuple[Sequence[str], QuestionSet]:
        requested = self._requested_scoring(model)
        questions = source.questions(solver, requested)
        return (requested or questions.scorings[0],), questions

    def _requested_scoring(self, model: ModelSpec) -> str | None:
        """The one scoring that is asked for of sources, if any is."""
        return next(iter(model.scorings or self.spec.scorings), None)

    def _scorings(self, model: ModelSpec, solver: Solver, collection: Collection, style: str) -> tuple[str, ...]:
        """The scorings that are asked for or, if none is, the solver's default ones for this collection; never none."""
        requested = model.scorings or self.spec.scorings
        if requested or len(solver.scorings) == 1:
            return requested or solver.scorings
        if getattr(solver.default_scorings, "__func__", None) is Solver.default_scorings:  # whatever is asked
            return solver.scorings[:1]
        questions = [prepared.question for prepared in asked(collection, (), style)]
        defaults = solver.default_scorings(questions) or solver.scorings[:1]
        return defaults[:1] if self.spec.takes_first_default else defaults

    def prompts(self, most: int) -> Iterator[tuple[str, list[str]]]:
        """The name of each pass of each model, and `most` of the texts that it would show. Nobody is asked."""
        for model in self.spec.models:
            solver = model.load()
            for task in self._tasks(model, solver):
                scorings, questions = task.make()
                name = f"{model.name.name} on {task.title}, {', '.join(scorings)}"
                yield name, prompts_of(questions, scorings, questions.ids[:most])[:most]

    def runs(self, begin: Begin = silent) -> Runs:
        """All runs; the first failure is raised."""
        runs = Runs()
        for result in self.answers(begin):
            if isinstance(result, Failure):
                raise result.error
            runs.append(result.run)
        return runs

    def results(self, begin: Begin = silent) -> SessionResult:
        """The runs that could be made, and the failures."""
        runs: list[Run] = []
        failures: list[Failure] = []
        try:
            for result in self.answers(begin):
                if isinstance(result, Failure):
                    failures.append(result)
                else:
                    runs.append(result.run)
        except Exception as bug:
            return SessionResult(tuple(runs), tuple(failures), bug)
        return SessionResult(tuple(runs), tuple(failures))


def check_models(models: Sequence[ModelSpec], scorings: Sequence[str] = ()) -> list[tuple[str, ...] | None]:
    """Refuse models and options that cannot be used; return the scorings that each model can have, None if unknown."""
    models_to_load = [model for model in models if model.solver is None]
    for options in {id(model.options): model.options for model in models_to_load}.values():
        check_options(options, [str(model.name) for model in models_to_load if model.options is options])
    for model in models:
        if model.solver is not None and model.options.more and not models_to_load:
            message = f"there is no option {next(iter(model.options.more))!r} of {model.name.name}"
            raise InputError(message, remedy="Leave it out: this solver is loaded already, with options of its own.")
    scorings_by_model = []
    for model in models:
        offered = model.solver.scorings if model.solver else check_model(str(model.name), model.options)
        scorings_by_model.append(offered)
        for scoring in model.scorings or scorings:
            if offered is not None and scoring not in offered:
                message = f"{model.name.name} has no scoring {scoring!r}"
                raise InputError(message, remedy=did_you_mean(scoring, offered))
    return scorings_by_model


def check_collection(collection: Collection, spec: RunSpec) -> None:
    """Refuse kinds, styles of readings and draws of names that a collection cannot have."""
    check_draws(spec.renamed, collection)
    with_kinds(limited(collection, spec.limit, spec.seed), spec.kinds_for(collection), collection)
    for item, style in product(collection.items[:1], spec.readings):
        readings_of(item, style, language=collection.language)


def check_folders(collections: Sequence[str], models: Sequence[str]) -> None:
    """Refuse runs whose folders would have the same name because their names differ only in special characters."""
    taken: dict[str, str] = {}
    for collection, model in product(collections, models):
        place = folder_name(collection, model)
        if place in taken:
            message = f"{taken[place]} and {model} on {collection} would be stored in the same folder"
            raise InputError(message, remedy="Rename one of them, or evaluate them into different folders.")
        taken[place] = f"{model} on {collection}"


def run_folder(output: Path, collection: str, model: str, scoring: str, readings: str) -> Path:
    """Where a run is stored among others; `model` is the name that it was given, or its address."""
    return output / folder_name(collection, model, scoring, readings)


def places_in(output: Path | None) -> Place | None:
    """A folder for each run inside a folder; None if nothing is stored."""
    return None if output is None else partial(run_folder, output)
