"""What an experiment will do: its collections, loaded, and its jobs.

Everything is checked here, before a model is loaded or a folder written.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot import registry
from winoglot.errors import InputError, ManyLanguagesError, did_you_mean
from winoglot.experiment.collection_jobs import CollectionJob, SharedCollections
from winoglot.experiment.file import DeclaredModel, Experiment
from winoglot.experiment.jobs import MODELS, RUNS, Job
from winoglot.experiment.pair_jobs import CHECKSUMS, EARLIER, PairJob, configurations, data_hashes, jobs_about_pairs
from winoglot.files import expanded, folder_name, parse_json
from winoglot.finetune import need_finetuning
from winoglot.finetune.recipes import find_finetune_recipe
from winoglot.folders import WorkFolder
from winoglot.loading import load
from winoglot.logic.solvers.data import PairChoice
from winoglot.metrics.subsets import COMMON
from winoglot.models.base import check_model, check_options, finetuning_of
from winoglot.models.naming import ModelName
from winoglot.perturb.base import with_kinds
from winoglot.perturb.renamed.draws import check_draws
from winoglot.runs.held_out import without_overlap
from winoglot.runs.references import check_references
from winoglot.runs.run import Settings
from winoglot.runs.session import check_collection, check_folders
from winoglot.runs.spec import RunSpec, check_limit
from winoglot.runs.store import RunFolder, item_hashes
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.experiment.file import DeclaredCollection

LOCK_FILE = "experiment.lock.json"


class ExperimentFolder(WorkFolder):
    """The folder that an experiment's runs, tables and report are written to. Its lock file says that all is done."""

    what = "set of results"
    description = LOCK_FILE
    format = 1
    keys = frozenset({"experiment", "made_with", "collections", "models", "settings", "runs", "results"})
    started = frozenset({RUNS, MODELS, CHECKSUMS, EARLIER})
    make = "Name a lock file that `winoglot run` wrote."
    again = "Run the experiment file itself, which writes a lock file of this version."


@dataclass(frozen=True)
class Plan:
    """An experiment that has passed all checks, its collections loaded, and the scorings of its models known."""

    experiment: Experiment
    collections: tuple[Collection, ...]
    models: tuple[DeclaredModel, ...]
    kinds: Mapping[str, tuple[str, ...]]  # that are asked, by the name of a collection
    output: Path
    learnt: Mapping[int, tuple[Collection, ...]] = field(default_factory=dict)  # by the place of an entry in the file
    pair_hashes: Mapping[str, str] = field(default_factory=dict)  # of the files of pairs

    @cached_property
    def tunings(self) -> dict[str, CollectionJob]:
        """The jobs that fine-tune, by the name of the model."""
        return {job.name: job for job in self.collection_jobs(spread=False) if job.makes_model}

    def jobs(self, *, spread: bool) -> list[Job]:
        """Everything to do, in order."""
        return [*self.collection_jobs(spread=spread), *self.pair_jobs]

    def collection_jobs(self, *, spread: bool) -> list[CollectionJob]:
        """What is asked about collections, by model or, to spread it over workers, by model and collection.

        A model that is fine-tuned is one job, so that it is trained once.
        """
        experiment, jobs = self.experiment, list[CollectionJob]()
        starts = {model.tuning.after for model in self.models if model.tuning}
        everything = SharedCollections(self.collections)
        learnt = {place: SharedCollections(collections) for place, collections in self.learnt.items()}
        for model in self.models:
            name, address = model.name.name, model.name.address
            wanted = [
                collection
                for collection in self.collections
                if not model.collections or collection.name in model.collections
            ]
            chosen = everything if len(wanted) == len(everything) else SharedCollections(wanted)
            if model.tuning and model.tuning.after:
                address = f"{finetuning_of(address).family}:{self.output / MODELS / folder_name(model.tuning.after)}"
            is_spread = spread and not model.tuning
            parts = [SharedCollections([collection]) for collection in chosen] if is_spread else [chosen]
            for collections in parts:
                job = CollectionJob(
                    name=name,
                    number=len(jobs),
                    folder=experiment.folder,
                    output=self.output,
                    address=address,
                    model=model,
                    collections=collections,
                    kinds=self.kinds,
                    settings=experiment.settings,
                    measures=experiment.measures,
                    data=learnt[model.place] if model.tuning else SharedCollections(),
                    keeps_weights=model.tuning is not None and (model.tuning.keep or name in starts),
                )
                jobs.append(job)
        return jobs

    @cached_property
    def pair_jobs(self) -> list[PairJob]:
        """What is asked about pairs, by model."""
        return jobs_about_pairs(self.experiment, self.output, len(self.models) * max(1, len(self.collections)))


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
        entries = zip(experiment.collections, collections, strict=True)
        kinds = {collection.name: experiment.kinds_of(entry, collection) for entry, collection in entries}
        _check_asked(experiment, collections, kinds)
        learnt = _learnt(experiment, collections, kinds)
    _check_published(experiment, collections, kinds)
    _check_references(experiment, collections)
    ExperimentFolder(output).check(force=True, resume=True)
    hashes = data_hashes(experiment.pairs.data, output) if experiment.pairs else {}
    plan = Plan(experiment, collections, models, kinds, output.absolute(), learnt, hashes)
    _check_pairs(plan, contact=contact)
    return plan


def _check_pairs(plan: Plan, *, contact: bool) -> None:
    """Refuse what cannot be learnt or asked about pairs, unless it has been."""
    seen = set[tuple[str, PairChoice]]()
    for job in plan.pair_jobs:
        with chdir(plan.experiment.folder), plan.experiment.at("models", job.model.place), _naming(job):
            if not job.has_answered(job.checked_record()):
                job.check(seen, contact=contact)
    configurations(plan.pair_jobs)  # answers to other pairs are refused


@contextmanager
def _naming(job: Job) -> Iterator[None]:
    """Say which job an input error is about."""
    try:
        yield
    except InputError as error:
        error.message = f"{job.name}: {error.message}"
        raise


def started_runs(plan: Plan) -> int:
    """How many runs are in the folder already, finished or not."""
    return sum((path / "run.json").is_file() for path in (plan.output / RUNS).glob("*"))


def check_begun(plan: Plan) -> None:
    """Refuse a folder whose runs of these models and collections were made with other settings or other items."""
    collections = {f"{collection.name}@{collection.version}": collection for collection in plan.collections}
    models = {model.name.name for model in plan.models}
    for tuning in plan.tunings.values():
        tuning.checked_record()
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
    changes: list[str] = []
    for name in ("kinds", "renamed", "limit", "seed"):
        stored = before["settings"].get(name, getattr(Settings, name))
        declared = plan.kinds[collection.name] if name == "kinds" else getattr(plan.experiment, name)
        if tuple(stored) != tuple(declared) if name == "kinds" else stored != declared:
            changes.append(f"with {name} {_spelled(stored)}, not {_spelled(declared)}")
    hashes = item_hashes(collection)
    others = [name for name, stored in before.get("items", {}).items() if hashes.get(name, stored) != stored]
    if others:
        more = f" and {len(others) - 1} more" if len(others) > 1 else ""
        changes.append(f"with another {others[0]}{more} in {collection.name}")
    return changes


def _spelled(setting: object) -> str:
    """A setting of a run or an experiment, in words."""
    if isinstance(setting, list | tuple):
        return ", ".join(setting) or "none"
    return "none" if setting is None else str(setting)


def _learnt(
    experiment: Experiment, collections: tuple[Collection, ...], kinds_asked: Mapping[str, tuple[str, ...]]
) -> dict[int, tuple[Collection, ...]]:
    """What the models of each entry are fine-tuned on: without what overlaps with the collections they are asked.

    Variants count on both sides.
    """
    learnt: dict[int, tuple[Collection, ...]] = {}
    loaded: dict[DeclaredCollection, Collection] = {}  # models may learn from the same large file and another one
    kept: dict[object, Collection] = {}
    for model in experiment.models:
        if model.tuning is None:
            continue
        tests = [
            with_kinds(collection, kinds_asked[collection.name])  # cached
            for collection in collections
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


def _load(experiment: Experiment, path: tuple[str | int, ...], entry: DeclaredCollection) -> Collection:
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
            tuning = model.tuning
            find_finetune_recipe(model.name.address, tuning.changes, lora=tuning.lora, control=tuning.control or None)


def _check_asked(
    experiment: Experiment, collections: tuple[Collection, ...], kinds: Mapping[str, tuple[str, ...]]
) -> None:
    """Check kinds, readings, limit and subsets against the collections."""
    with experiment.at("limit"):
        check_limit(experiment.limit)
    with experiment.at("renamed"):
        for collection in collections:
            check_draws(experiment.renamed, collection)
    for place, (loaded, entry) in enumerate(zip(collections, experiment.collections, strict=True)):
        path = ("kinds",) if entry.kinds is None else ("collections", place, "kinds")
        with experiment.at(*path):
            check_collection(loaded, RunSpec(kinds_by_collection=kinds, **experiment.settings))
    subsets = _subset_names(collections)
    for place, name in enumerate(experiment.subsets):
        with experiment.at("analyses", "subsets", place):
            if name not in subsets:
                raise InputError(f"no collection has a subset {name!r}", remedy=did_you_mean(name, subsets))


def _check_published(
    experiment: Experiment, collections: tuple[Collection, ...], kinds: Mapping[str, tuple[str, ...]]
) -> None:
    names = [collection.name for collection in collections]
    choices = {
        "collection": names,
        "kind": {
            *registry.names("perturbations"),
            *(kind for collection in collections for kind in (*collection.kinds, *kinds[collection.name])),
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


def _check_references(experiment: Experiment, collections: tuple[Collection, ...]) -> None:
    with experiment.at("report", "references"):
        if experiment.references and any(model.tuning for model in experiment.models):
            message = "reference runs are not shown in reports on models that are fine-tuned here"
            raise InputError(message, remedy="Leave it out.")
        if experiment.references:
            check_references([collection.name for collection in collections])


def _subset_names(collections: tuple[Collection, ...]) -> set[str]:
    return {*COMMON, *(tag for collection in collections for item in collection.items for tag in item.tags)}
