"""What an experiment will do: its collections, loaded, and the tasks that its runs are made by.

Everything is checked here, before a model is loaded or a folder written.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Mapping
from contextlib import chdir, nullcontext, suppress
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from winoglot import registry
from winoglot.analysis.analyse import RESULT, AnalysisRequest, analysed
from winoglot.errors import DivergedError, InputError, ManyLanguagesError, did_you_mean
from winoglot.experiment.file import DeclaredModel, Experiment
from winoglot.experiment.tuning import MODELS, PlannedTuning, tuned_family
from winoglot.files import expanded, folder_name, parse_json
from winoglot.finetune import need_finetuning
from winoglot.finetune.recipes import find_finetune_recipe
from winoglot.folders import WorkFolder
from winoglot.loading import load
from winoglot.memory import release_memory
from winoglot.metrics.subsets import COMMON
from winoglot.models.base import check_model, check_options
from winoglot.models.naming import ModelName, model_name
from winoglot.perturb.base import with_kinds
from winoglot.perturb.renamed.draws import check_draws
from winoglot.runs.held_out import without_overlap
from winoglot.runs.run import Settings
from winoglot.runs.session import Session, check_collection, check_folders, places_in, run_folder, silent
from winoglot.runs.settings import RunSettings
from winoglot.runs.spec import ModelSpec, RunSpec, check_limit
from winoglot.runs.store import RunFolder, item_hashes
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.experiment.file import AskedCollection
    from winoglot.runs.session import Begin

LOCK_FILE = "experiment.lock.json"
RUNS, ANALYSES = "runs", "analyses"
_one_at_a_time = Lock()  # a worker of a cluster may have threads; the working folder belongs to the whole process


class ExperimentFolder(WorkFolder):
    """The folder that an experiment's runs, tables and report are written to. Its lock file says that all is done."""

    what = "set of results"
    description = LOCK_FILE
    format = 1
    keys = frozenset({"experiment", "made_with", "collections", "models", "settings", "runs", "results"})
    started = frozenset({RUNS, MODELS})
    make = "Name a lock file that `winoglot run` wrote."
    again = "Run the experiment file itself, which writes a lock file of this version."


@dataclass(frozen=True)
class Plan:
    """An experiment that has passed all checks, its collections loaded, and the scorings of its models known."""

    experiment: Experiment
    collections: tuple[Collection, ...]
    models: tuple[DeclaredModel, ...]
    output: Path
    learnt: Mapping[int, tuple[Collection, ...]] = field(default_factory=dict)  # by the place of an entry in the file

    @cached_property
    def kinds(self) -> dict[str, tuple[str, ...]]:
        """The kinds of variants that are asked, by the name of a collection."""
        pairs = zip(self.collections, self.experiment.collections, strict=True)
        return {collection.name: self.experiment.kinds_of(entry) for collection, entry in pairs}

    @cached_property
    def tunings(self) -> dict[str, PlannedTuning]:
        """The models that are fine-tuned, by name."""
        starts = {model.tuning.after for model in self.models if model.tuning}
        tunings: dict[str, PlannedTuning] = {}
        for model in self.models:
            if model.tuning is not None:
                name, tuning = model.name.name, model.tuning
                family = tuned_family(model.name.address)
                start = f"{family}:{tunings[tuning.after].folder}" if tuning.after else model.name.address
                is_kept = tuning.keep or name in starts
                tunings[name] = PlannedTuning(name, tuning, start, self.learnt[model.place], self.output, is_kept)
        return tunings

    def tasks(self, *, spread: bool) -> list[PlannedTask]:
        """What to evaluate, in order: by model or, to spread it over workers, by model and collection.

        A model that is fine-tuned is one task, so that it is trained once.
        """
        experiment, tunings = self.experiment, self.tunings
        pairs: list[tuple[DeclaredModel, tuple[Collection, ...]]] = []
        for model in self.models:
            chosen = tuple(
                collection
                for collection in self.collections
                if not model.collections or collection.name in model.collections
            )
            pairs += (
                [(model, (collection,)) for collection in chosen] if spread and not model.tuning else [(model, chosen)]
            )
        return [
            PlannedTask(
                number=number,
                model=model,
                spec=RunSpec(
                    collections=collections,
                    models=(ModelSpec(model.name, model.options, model.scorings),),
                    kinds_by_collection={collection.name: self.kinds[collection.name] for collection in collections},
                    **experiment.settings,
                ),
                folder=experiment.folder,
                output=self.output,
                measures=experiment.measures,
                tuning=tunings.get(model.name.name),
            )
            for number, (model, collections) in enumerate(pairs)
        ]


@dataclass(frozen=True)
class PlannedTask:
    """A model on some collections: what a worker is given. Paths are relative to `folder`; `output` is absolute."""

    number: int
    model: DeclaredModel
    spec: RunSpec
    folder: Path
    output: Path
    measures: tuple[str, ...] = ()
    tuning: PlannedTuning | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Prepare for another process: what tasks have in common is packed, so that a worker unpacks it only once."""
        tuning = self.tuning and (replace(self.tuning, data=()), _packed(self.tuning.data))
        spec = (replace(self.spec, collections=()), _packed(self.spec.collections))
        return vars(self) | {"spec": spec, "tuning": tuning}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Unpack the collections that earlier tasks have too: their readings and variants are known already."""
        tuning = state["tuning"] and replace(state["tuning"][0], data=_unpacked(state["tuning"][1]))
        spec = replace(state["spec"][0], collections=_unpacked(state["spec"][1]))
        vars(self).update(state, spec=spec, tuning=tuning)

    @property
    def identity(self) -> str:
        """A hash of the questions, by which a folder of an earlier version knows what was answered."""
        spec, (model,) = self.spec, self.spec.models
        hashes = [(collection.name, collection.hash) for collection in spec.collections]
        kinds = [spec.kinds_for(collection) for collection in spec.collections]
        settings = {
            "scorings": model.scorings,
            "readings": spec.readings[0],
            "kinds": spec.kinds,
            "limit": spec.limit,
            "seed": spec.seed,
            "tolerance": spec.tolerance,
            "renamed": spec.renamed,
            "options": dict(model.options.more),
            "allow_overlap": spec.allow_overlap,
            "probes": spec.probes,
        }
        later = {  # settings that earlier versions did not have count if they are not as they were then
            setting.name: getattr(spec, setting.name)
            for setting in fields(RunSettings)
            if setting.name not in settings and getattr(spec, setting.name) != setting.default
        }
        return digest([hashes, kinds, spec.readings, settings | later, self.measures])


@lru_cache(maxsize=8)
def _packed(collections: tuple[Collection, ...]) -> bytes:
    return pickle.dumps(collections)


@lru_cache(maxsize=8)
def _unpacked(packed: bytes) -> tuple[Collection, ...]:
    collections: tuple[Collection, ...] = pickle.loads(packed)
    gc.collect()  # nothing else must stay
    gc.freeze()  # they stay: searching them for garbage after every model would take a second
    return collections


def waves_of(tasks: list[PlannedTask]) -> list[list[PlannedTask]]:
    """The tasks in groups: those of a group need only models that are made in the groups before it."""
    waves: list[list[PlannedTask]] = []
    wave_of = {"": -1}
    for task in tasks:
        after = task.tuning.asked.after if task.tuning else ""
        number = wave_of[task.model.name.name] = wave_of[after] + 1
        waves.extend([] for _ in range(number + 1 - len(waves)))
        waves[number].append(task)
    return waves


@dataclass(frozen=True)
class Finished:
    """The names of the run folders that a task filled, in order, and what failed, in words."""

    number: int
    folders: tuple[str, ...]
    failures: tuple[str, ...] = ()


def do_task(task: PlannedTask, begin: Begin = silent) -> Finished:
    """Make the runs of a task, or complete them if they have been started."""
    try:
        return _done(task, begin)
    finally:
        release_memory()  # also of a model that failed, perhaps for lack of memory


def _done(task: PlannedTask, begin: Begin) -> Finished:
    tuning, name = task.tuning, task.model.name.name
    if tuning and (run_names := tuning.runs(task.identity)) is not None:
        return Finished(task.number, run_names)
    # A worker on another machine may not have the experiment's folder; then no path in the file can be relative.
    with _one_at_a_time, chdir(task.folder) if task.folder.is_dir() else nullcontext():
        model = str(task.model.name)
        if tuning:
            try:
                model = tuning.made(task.model.options.device, begin)
            except DivergedError as error:  # a result: this seed failed
                tuning.write(diverged=error.message)
                return Finished(task.number, ())
            except InputError as error:
                return Finished(task.number, (), (f"{name}: {error}",))
        (declared,) = task.spec.models
        spec = replace(task.spec, models=(replace(declared, name=model_name(model)),))
        results = Session(spec, places_in(task.output / RUNS)).results(begin)
        failures = [f"{failure.name}: {failure.error}" for failure in results.failures]
        if task.measures and not results.bug:
            failures += _analysed(task, spec, begin)
    if results.bug:
        raise results.bug
    folders = [
        run_folder(task.output, run.source.name, name, run.settings.scoring, run.settings.readings)
        for run in results.runs
    ]
    if tuning and not failures:
        tuning.finish(task.identity, [folder.name for folder in folders])
    return Finished(task.number, tuple(folder.name for folder in folders), tuple(failures))


def analysis_folder(output: Path, model: str) -> Path:
    """Where the measures of a model are stored."""
    return output / ANALYSES / folder_name(model)


def _analysed(task: PlannedTask, spec: RunSpec, begin: Begin) -> list[str]:
    """Take the measures of a model, unless they have been; what failed, in words."""
    folder, name = analysis_folder(task.output, task.model.name.name), task.model.name.name
    if (folder / RESULT).is_file():
        return []
    (model,) = spec.models
    narrowed = replace(
        spec,
        models=(replace(model, scorings=model.scorings[:1]),),
        scorings=(),
        readings=spec.readings[:1],
        kinds_by_collection={},
    )
    try:
        analysed(narrowed, AnalysisRequest(measures=task.measures, renamed=spec.renamed), folder=folder, begin=begin)
    except InputError as error:
        return [f"{', '.join(task.measures)} of {name}: {error}"]
    return []


def as_begun(experiment: Experiment, output: Path, before: Mapping[str, Any] | None = None) -> Experiment:
    """The experiment with variables in the addresses of models replaced, if the folder or lock file has them so.

    Earlier versions stored them so; the models are called and begun there by such addresses.
    """
    written = [model for model in experiment.models if "${" in model.name.address]
    if not written:
        return experiment
    stored = {*(before or {}).get("models", ())}
    for file in (*(output / RUNS).glob("*/run.json"), *(output / MODELS).glob("*.json")):
        with suppress(OSError, ValueError, AttributeError, TypeError):  # a damaged file costs only its own run
            about = parse_json(file.read_bytes()) if file.is_file() else {}
            named = about.get("settings", {}) | about.get("asked", {})
            stored |= {str(named.get(key)) for key in ("model", "address", "start")}
    texts = (text for model in written for text in (model.name.name, model.name.address) if "${" in text)
    if stored.isdisjoint(map(expanded, texts)):
        return experiment
    return replace(experiment, models=tuple(map(_spelt, experiment.models)))


def _spelt(model: DeclaredModel) -> DeclaredModel:
    tuning = model.tuning and replace(
        model.tuning, entry=expanded(model.tuning.entry), after=expanded(model.tuning.after)
    )
    return replace(model, name=ModelName(expanded(model.name.name), expanded(model.name.address)), tuning=tuning)


def make_plan(experiment: Experiment, output: Path, *, contact: bool = True) -> Plan:
    """The plan of an experiment, its collections loaded; whatever is wrong is an input error with its line.

    Without `contact`, no server and no hub is asked whether it has a model.
    """
    with chdir(experiment.folder):
        collections = tuple(
            _load(experiment, ("collections", at), entry) for at, entry in enumerate(experiment.collections)
        )
        _check_names(experiment, collections)
        models = _checked_models(experiment, [collection.name for collection in collections], contact=contact)
        _check_asked(experiment, collections)
        learnt = _learnt(experiment, collections)
    _check_published(experiment, collections)
    ExperimentFolder(output).check(force=True, resume=True)
    return Plan(experiment, collections, models, output.absolute(), learnt)


def started_runs(plan: Plan) -> int:
    """How many runs are in the folder already, finished or not."""
    return sum((path / "run.json").is_file() for path in (plan.output / RUNS).glob("*"))


def check_begun(plan: Plan) -> None:
    """Refuse a folder whose runs of these models and collections were made with other settings or other items."""
    collections = {f"{collection.name}@{collection.version}": collection for collection in plan.collections}
    models = {model.name.name for model in plan.models}
    for tuning in plan.tunings.values():
        tuning.check()
    for path in sorted((plan.output / RUNS).glob("*/run.json")):
        try:
            before = RunFolder(path.parent).read()
        except InputError:  # a damaged one costs only its own run
            continue
        collection = collections.get(before.get("collection", ""))
        if collection is None or before["settings"]["model"] not in models:
            continue
        changed = _changed(before, plan, collection)
        if changed:
            remedy = "Name another folder with -o, or remove this one."
            raise InputError(f"its runs were made {'; '.join(changed)}", remedy=remedy, file=str(plan.output))


def _changed(before: dict[str, Any], plan: Plan, collection: Collection) -> list[str]:
    """What has changed since a run was begun, in words."""
    said: list[str] = []
    for name in ("kinds", "renamed", "limit", "seed"):
        stored = before["settings"].get(name, getattr(Settings, name))
        declared = plan.kinds[collection.name] if name == "kinds" else getattr(plan.experiment, name)
        if tuple(stored) != tuple(declared) if name == "kinds" else stored != declared:
            said.append(f"with {name} {_spelled(stored)}, not {_spelled(declared)}")
    hashes = item_hashes(collection)
    others = [name for name, stored in before.get("items", {}).items() if hashes.get(name, stored) != stored]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        said.append(f"with another {others[0]}{more} in {collection.name}")
    return said


def _spelled(setting: object) -> str:
    """A setting of a run or an experiment, in words."""
    if isinstance(setting, list | tuple):
        return ", ".join(setting) or "none"
    return "none" if setting is None else str(setting)


def _learnt(experiment: Experiment, collections: tuple[Collection, ...]) -> dict[int, tuple[Collection, ...]]:
    """What the models of each entry are fine-tuned on: without what overlaps with the collections they are asked.

    Variants count on both sides.
    """
    learnt: dict[int, tuple[Collection, ...]] = {}
    loaded: dict[AskedCollection, Collection] = {}  # models may learn from the same large file and another one
    kept: dict[object, Collection] = {}
    pairs = list(zip(collections, experiment.collections, strict=True))
    for model in experiment.models:
        if model.tuning is None:
            continue
        tests = [
            with_kinds(collection, experiment.kinds_of(entry))  # cached
            for collection, entry in pairs
            if not model.collections or collection.name in model.collections
        ]
        names, kinds = tuple(collection.name for collection in tests), model.tuning.kinds
        path = ("models", model.place, "finetune", "data")
        for at, source in enumerate(model.tuning.data):
            if source not in loaded:
                loaded[source] = _load(experiment, (*path, at), source)
            key = source, names, kinds
            if key not in kept:
                with experiment.at(*path):
                    whole = loaded[source]
                    kept[key] = whole if experiment.allow_overlap else without_overlap(whole, tests, kinds)
        learnt[model.place] = tuple(kept[source, names, kinds] for source in model.tuning.data)
        items = sum(len(loaded[source].items) for source in model.tuning.data)  # of what is at hand
        with experiment.at("models", model.place, "finetune", "size"):
            if model.tuning.size is not None and not 1 <= model.tuning.size <= items:
                message = f"a size of {model.tuning.size} was asked for, and there are {counted(items, 'item')}"
                raise InputError(message, remedy="Use a smaller size, 1 or more, or `all`.")
    return learnt


def _load(experiment: Experiment, path: tuple[str | int, ...], entry: AskedCollection) -> Collection:
    with experiment.at(*path, "source"):
        try:
            collection = load(entry.source, entry.format, entry.language, labels=entry.labels, overlay=entry.overlay)
        except ManyLanguagesError as error:
            error.remedy = f"Add `language: {error.languages[0]}`, or another of them."
            raise
    return replace(collection, name=entry.name) if entry.name else collection


def _check_names(experiment: Experiment, collections: tuple[Collection, ...]) -> None:
    for place, collection in enumerate(collections):
        with experiment.at("collections", place):
            if collection.name in (other.name for other in collections[:place]):
                message = f"two collections are called {collection.name!r}"
                raise InputError(message, remedy="Give one of them another `name`.")
    with experiment.at("models"):
        check_folders([collection.name for collection in collections], [model.name.name for model in experiment.models])


def _checked_models(experiment: Experiment, collections: list[str], *, contact: bool) -> tuple[DeclaredModel, ...]:
    """The models with their scorings: their own or, of the experiment's, those that they have (none: their default)."""
    checked: list[DeclaredModel] = []
    scorings: set[str] = set()  # that some model has
    for model in experiment.models:
        place = model.place
        for number, name in enumerate(model.collections):
            with experiment.at("models", place, "collections", number):
                if name not in collections:
                    raise InputError(f"no collection here is called {name!r}", remedy=did_you_mean(name, collections))
        with experiment.at("models", place, "model"):
            check_options(model.options, [str(model.name)])
            available = check_model(str(model.name), replace(model.options, contact=contact))
            _check_tuning(experiment, model)
        for number, scoring in enumerate(model.scorings):
            with experiment.at("models", place, "scorings", number):
                if available is not None and scoring not in available:
                    raise InputError(
                        f"{model.name.name} has no scoring {scoring!r}", remedy=did_you_mean(scoring, available)
                    )
        shared = tuple(scoring for scoring in experiment.scorings if available is None or scoring in available)
        scorings.update(shared if available is None else available)
        checked.append(replace(model, scorings=model.scorings or shared))
    for number, scoring in enumerate(experiment.scorings):
        with experiment.at("scorings", number):
            if scoring not in scorings:
                raise InputError(f"no model here has a scoring {scoring!r}", remedy=did_you_mean(scoring, scorings))
    return tuple(checked)


def _check_tuning(experiment: Experiment, model: DeclaredModel) -> None:
    """Refuse settings that no fine-tuning can have, before any is begun."""
    if model.tuning is not None:
        need_finetuning(lora=model.tuning.lora)
        with experiment.at("models", model.place, "finetune"):
            tuning, family = model.tuning, tuned_family(model.name.address)
            find_finetune_recipe(family, tuning.changes, lora=tuning.lora, control=tuning.control or None)


def _check_asked(experiment: Experiment, collections: tuple[Collection, ...]) -> None:
    """Check kinds, readings, limit and subsets against the collections."""
    with experiment.at("limit"):
        check_limit(experiment.limit)
    with experiment.at("renamed"):
        for collection in collections:
            check_draws(experiment.renamed, collection)
    for place, (loaded, entry) in enumerate(zip(collections, experiment.collections, strict=True)):
        path = ("kinds",) if entry.kinds is None else ("collections", place, "kinds")
        with experiment.at(*path):
            kinds = {loaded.name: experiment.kinds_of(entry)}
            check_collection(loaded, RunSpec(kinds_by_collection=kinds, **experiment.settings))
    subsets = _subset_names(collections)
    for place, name in enumerate(experiment.subsets):
        with experiment.at("analyses", "subsets", place):
            if name not in subsets:
                raise InputError(f"no collection has a subset {name!r}", remedy=did_you_mean(name, subsets))


def _check_published(experiment: Experiment, collections: tuple[Collection, ...]) -> None:
    names = [collection.name for collection in collections]
    choices = {
        "collection": names,
        "kind": {
            *registry.names("perturbations"),
            *(kind for collection in collections for kind in collection.kinds),
            "",
        },
        "subset": {*_subset_names(collections), ""},
    }
    for place, published in enumerate(experiment.published):
        for key, allowed in choices.items():
            value = getattr(published, key)
            with experiment.at("published", place, key):
                if value not in allowed:
                    raise InputError(
                        f"no {key} here is called {value!r}", remedy=did_you_mean(value, filter(None, allowed))
                    )


def _subset_names(collections: tuple[Collection, ...]) -> set[str]:
    return {*COMMON, *(tag for collection in collections for item in collection.items for tag in item.tags)}
