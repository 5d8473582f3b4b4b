"""Analyse: models answer a collection and all its variants once, and every measure is taken from those answers.

`analyse` is the Python call, `analysed` what it shares with the command line and experiments. Models answer in a
session, like those of any evaluation, and stored runs are taken as they are.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.analysis.base import (
    AnalysisMeasure,
    Asked,
    Subject,
    measured_rows,
    measures,
    named_measure,
)
from winoglot.errors import InputError, check_argument
from winoglot.files import check_free, write_whole
from winoglot.metrics.robustness import SEGMENT_MASKED
from winoglot.perturb.base import ALL, COMPOSED, named_kinds, with_all_kinds, with_kinds
from winoglot.perturb.controls import is_control
from winoglot.progress import show_progress
from winoglot.runs.evaluate import listed, spec_of
from winoglot.runs.results import Result, Results, described
from winoglot.runs.run import Run
from winoglot.runs.session import BeforeSending, Begin, Failure, Session, log_requests, places_in, silent
from winoglot.schemas.model import ORIGINAL, Collection
from winoglot.schemas.text import primary

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.corpus.association import Association
    from winoglot.models.base import Options, Solver
    from winoglot.runs.spec import RunSpec


DRAWS = 20  # of names: what renaming alone does to accuracy is the noise that a change of names has
RUNS, RESULT = "runs", "analysis.json"  # in the folder of an analysis


@dataclass(frozen=True)
class AnalysisRequest:
    """What to compute from the models' answers, beyond how they are asked."""

    kinds: tuple[str, ...] | None = None  # None: all that a collection has or that can be derived
    measures: tuple[str, ...] | None = None  # None: all that need not be named
    also: tuple[str, ...] = ()  # measures besides those
    fresh: Collection | None = None  # what no model has read; None: the bundled collection of the language
    renamed: int = DRAWS

    @property
    def chosen(self) -> list[AnalysisMeasure]:
        """The measures; an unknown name is an input error."""
        usual = self.measures is None
        names = [measure.name for measure in measures() if measure.by_default] if usual else self.measures or ()
        return [named_measure(name) for name in dict.fromkeys((*names, *self.also))]

    @property
    def draws(self) -> int:
        """How often names are redrawn: never if no measure looks at that."""
        return self.renamed if any(measure.uses_draws for measure in self.chosen) else 0

    def probed(self, kinds: Iterable[str]) -> tuple[str, ...]:
        """The kinds, and the originals, at which probes are collected; none if no measure uses probes."""
        if not any(measure.uses_probes for measure in self.chosen):
            return ()
        return (ORIGINAL, *(kind for kind in kinds if not is_control(kind)))


@dataclass(frozen=True, repr=False)
class Analysis(Results):
    """What was measured: one row per measure, kind, model and quantity."""

    runs: tuple[Run, ...] = field(default=(), compare=False)
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)  # answering, and each measure

    def __repr__(self) -> str:
        """The models and the number of estimates."""
        models = dict.fromkeys(row.model for row in self.rows if row.model)
        return f"<Analysis of {', '.join(models) or 'no model'}: {len(self.rows)} estimates>"

    def described(self) -> list[dict[str, Any]]:
        """The rows as JSON: one object per measure, kind and model, with its estimates."""
        groups: dict[tuple[str, ...], dict[str, Any]] = {}
        names = ("measure", "collection", "language", "model", "scoring", "readings", "kind")
        for row in self.rows:
            estimate = described(row)
            group = {name: estimate.pop(name) for name in names}
            groups.setdefault(tuple(group.values()), group | {"estimates": []})["estimates"].append(estimate)
        return list(groups.values())

    def to_json(self) -> str:
        """The text of `analysis.json`: with the signatures of the runs, all that is needed to quote a number."""
        content = {
            "winoglot": __version__,
            "runs": [run.signature for run in self.runs],
            "results": self.described(),
        }
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def analyse(
    collection: Collection | Iterable[Collection],
    models: str | Solver | Run | Iterable[str | Solver | Run],
    *,
    kinds: str | Sequence[str] | None = None,
    measures: str | Sequence[str] | None = None,
    human: Run | Iterable[Run] = (),
    counts: str | Path | None = None,
    fresh: Collection | None = None,
    scoring: str | None = None,
    readings: str = "grammatical",
    renamed: int = DRAWS,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    force: bool = False,
    progress: bool = True,
    before_sending: BeforeSending = log_requests,
    **settings: Any,
) -> Analysis:
    """Measure how models respond to other wordings of a collection's schemas.

    A model may also be a run over the collection; `human` are runs of people's answers; `counts` is a folder that
    `winoglot corpus count` made. The measure `contamination` is only taken if it is named; it compares with `fresh`, a
    collection that no model can have read. With a `folder`, the runs are stored there, so that an interrupted call can
    be repeated and resumes, and the results are written to `analysis.json`, which is not overwritten unless `force` is
    set. All other arguments are those of `evaluate`.

    >>> import winoglot as wg
    >>> analysis = analyse(wg.load("winoglot-en"), "first", kinds="relative", renamed=0, limit=8)
    >>> analysis.where(quantity="stability", kind="relative")[0].estimate.value
    1.0
    """
    kind_names, measure_names = _names(kinds, "kinds", "tense"), _names(measures, "measures", "marginal")
    request = AnalysisRequest(kind_names, measure_names, fresh=fresh, renamed=renamed)
    subjects = listed(models, lambda model: isinstance(model, str | Run) or hasattr(model, "score"))
    people = listed(human, lambda run: isinstance(run, Run))
    for run in people:
        check_argument(run, Run, "a run of people's answers as human", "Load it first: winoglot.load_run(FOLDER).")
    models = [model for model in subjects if not isinstance(model, Run)]
    distinct = [model for place, model in enumerate(models) if not (isinstance(model, str) and model in models[:place])]
    spec = spec_of(collection, distinct, options, scoring=scoring, readings=readings, **settings)
    runs = [model for model in subjects if isinstance(model, Run)]
    with show_progress("items", shown=progress) as begin:
        return analysed(
            spec,
            request,
            runs,
            people,
            counts=counts,
            folder=folder,
            force=force,
            begin=begin,
            before_sending=before_sending,
        )


def _names(value: object, of: str, example: str) -> tuple[str, ...] | None:
    if value is None:
        return None
    names = tuple(listed(value, lambda name: isinstance(name, str)))
    for name in names:
        check_argument(name, str, f"names of {of}", f'Write {of}="{example}", or a list of such names.')
    return names


def analysed(
    spec: RunSpec,
    request: AnalysisRequest,
    runs: Sequence[Run] = (),
    people: Sequence[Run] = (),
    *,
    counts: str | Path | None = None,
    folder: str | Path | None = None,
    force: bool = False,
    begin: Begin = silent,
    before_sending: BeforeSending = log_requests,
) -> Analysis:
    """Take all requested measures of each model, stored run and person's run, on each collection.

    The spec says which models are asked about which collections; the kinds that it is asked with are the request's.
    """
    if not spec.models and not runs and not people:
        remedy = "Name one: --model gemma-3-270m (`winoglot list models` lists them all), or --run DIR."
        raise InputError("no model and no run was given", remedy=remedy)
    association = _association(counts, spec.collections)
    if folder is not None:
        check_free(Path(folder) / RESULT, force=force)  # before the work
    start = time.perf_counter()
    subjects = _subjects(spec, request, runs, people, association, folder, begin, before_sending)
    seconds = {"answering": time.perf_counter() - start}
    rows: list[Result] = []
    for measure in request.chosen:
        start, report = time.perf_counter(), begin(measure.title)
        measured_subjects: list[Subject] = subjects
        if measure.of == "collection":
            measured_subjects = list({subject.collection.name: subject for subject in reversed(subjects)}.values())[
                ::-1
            ]
        for place, subject in enumerate(measured_subjects, 1):
            rows += measured_rows(measure, subject)
            report(place, len(measured_subjects))
        seconds[measure.name] = time.perf_counter() - start
    analysis = Analysis(tuple(rows), tuple(subject.run for subject in subjects), seconds)
    if folder is not None:
        Path(folder).mkdir(parents=True, exist_ok=True)
        write_whole(Path(folder) / RESULT, analysis.to_json(), force=force)
    return analysis


def _association(counts: str | Path | None, collections: Sequence[Collection]) -> Association | None:
    """Association by the counts in a folder, which must be in the language of one of the collections."""
    if counts is None:
        return None
    from winoglot.corpus.association import open_association

    association = open_association(counts)
    if not any(primary(collection.language) == primary(association.counts.language) for collection in collections):
        association.counts.check_language(collections[0].language)
    return association


def _subjects(
    spec: RunSpec,
    request: AnalysisRequest,
    runs: Sequence[Run],
    people: Sequence[Run],
    association: Association | None,
    folder: str | Path | None,
    begin: Begin,
    before_sending: BeforeSending,
) -> list[Subject]:
    """What is analysed: the answers of each model, and of people, to each collection and all its variants."""
    names = [collection.name for collection in spec.collections]
    for name in names:
        if names.count(name) > 1:
            remedy = "Give each a name of its own, or analyse one after the other."
            raise InputError(f"two collections are called {name!r}", remedy=remedy)
    identities: set[tuple[str, ...]] = set()
    for run in (*runs, *people):
        _check_version(run, spec.collections)
    for run in (*runs, *people):
        _check_distinct(identities, run)
    fresh = {}
    if any(measure.compares_fresh for measure in request.chosen):
        from winoglot.analysis.contamination.compared import fresh_for

        fresh = {collection.name: fresh_for(collection, request.fresh) for collection in spec.collections}
    subjects: list[Subject] = []
    if spec.models:
        place = places_in(Path(folder) / RUNS if folder is not None else None)
        session = Session(_with_variants(spec, request), place, before_sending)
        for result in session.answers(begin):
            if isinstance(result, Failure):
                raise result.error
            run = result.run
            _check_distinct(identities, run)
            subjects.append(
                Subject(
                    run,
                    association,
                    seed=spec.seed,
                    solver=result.solver if fresh else None,  # otherwise only one model at a time is in memory
                    fresh=fresh.get(run.source.name),
                    begin=begin,
                )
            )
    for answers, is_people in ((runs, False), (people, True)):
        subjects += [
            Subject(_with_kinds_only(run, request.kinds), association, is_people=is_people, seed=spec.seed)
            for run in answers
        ]
    return subjects


def _with_kinds_only(run: Run, kinds: Sequence[str] | None) -> Run:
    """The run as if nothing but these kinds had been asked, with or without the segment: like a model's."""
    if kinds is None or ALL in kinds:
        return run
    parts = {*kinds, SEGMENT_MASKED}
    kept = tuple(kind for kind in run.settings.kinds if parts.issuperset(kind.split(COMPOSED)))
    return replace(run, settings=replace(run.settings, kinds=kept))


def _with_variants(spec: RunSpec, request: AnalysisRequest) -> RunSpec:
    """The spec that asks all variants that the measures need."""
    prepared_collections = [prepared(collection, request, spec.seed) for collection in spec.collections]
    kinds = {collection.name: kinds for collection, kinds in prepared_collections}
    return spec.changed(
        collections=tuple(collection for collection, _ in prepared_collections),
        kinds_by_collection=kinds,
        renamed=request.draws,
        probes=request.probed(dict.fromkeys(kind for own_kinds in kinds.values() for kind in own_kinds)),
        takes_first_default=True,
    )


def prepared(collection: Collection, request: AnalysisRequest, seed: int = 0) -> Asked:
    """The collection with all variants that the measures need, and the kinds to ask.

    Without kinds, they are all that the collection has or that can be derived; a kind that is named must be possible.
    """
    if request.kinds is not None:
        kinds = named_kinds(collection, request.kinds)
        with_variants = with_kinds(collection, kinds, seed=seed)
    elif any(measure.by_default for measure in request.chosen):
        with_variants, kinds = with_all_kinds(collection, seed)
    else:
        with_variants, kinds = collection, ()
    for measure in request.chosen:
        if measure.asks is not None:
            with_variants, kinds = measure.asks(with_variants, kinds)
    return with_variants, kinds


def _check_distinct(identities: set[tuple[str, ...]], run: Run) -> None:
    """Refuse what is given twice: rows of the two could not be distinguished."""
    settings = run.settings
    identity = (run.source.name, settings.model, settings.scoring, settings.readings)
    if identity in identities:
        message = (
            f"the answers of {settings.model} to {run.source.name} "
            f"({settings.scoring}, {settings.readings} readings) are given twice"
        )
        raise InputError(message, remedy="Leave one out; a model may have another name: --model NAME=family:location.")
    identities.add(identity)


def _check_version(run: Run, collections: Sequence[Collection]) -> None:
    """Refuse a run over another version of what is analysed."""
    name = run.settings.model
    target = next((collection for collection in collections if collection.name == run.source.name), None)
    if target is None:
        names = ", ".join(collection.name for collection in collections)
        raise InputError(
            f"the run of {name} is over {run.source.name}, which is not analysed here",
            remedy=f"Give a run over {names}, or add {run.source.name} to the collections.",
        )
    source = run.source
    hashes = {item.id: item.hash for item in (*target.items, *target.variants())}
    changed = [
        prediction.item_id
        for prediction in run.predictions
        if hashes.get(prediction.item_id, prediction.item_hash) != prediction.item_hash
    ]
    if source.version != target.version or changed:
        message = f"the run of {name} is over version {source.version} of {source.name}, not over {target.version}"
        if changed:
            message = f"the run of {name} is over another {source.name}: {changed[0]} has another text or answer there"
        remedy = "Give the collection as it was when the run was made, or evaluate it again."
        raise InputError(message, remedy=remedy)
