"""Experiment files: collections, pairs, models, how they are asked, analyses, report and published numbers, in YAML.

`read_experiment` checks the keys and all names that have nothing to do with a collection or a model; `plan` the rest.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot import registry
from winoglot.analysis.base import named_measure
from winoglot.errors import InputError
from winoglot.experiment.keys import ExperimentEntry, check_known, check_variables, placing
from winoglot.experiment.pairs import DeclaredPairs, only_answers_pairs, read_pairs_part
from winoglot.files import decode, did_you_mean_path, exists, expanded, read_bytes
from winoglot.finetune.recipes import CONTROLS
from winoglot.metrics.base import metric
from winoglot.models.base import PRECISIONS, Options
from winoglot.models.naming import ModelName, model_name
from winoglot.perturb.base import named_kinds
from winoglot.report import drawing, tables
from winoglot.report.paper import Paper
from winoglot.runs.settings import STYLES, RunSettings
from winoglot.schemas.documents import Document, read_yaml
from winoglot.schemas.text import check_name
from winoglot.schemas.validation import check_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from winoglot.schemas.model import Collection

_MOST_BYTES = 2**20
_NO_CONTROL = "none"
_SEEDS = range(5)
_ABOUT_PAIRS = frozenset({"train", "test"})  # keys of a model
_ABOUT_COLLECTIONS = frozenset({"finetune", "collections", "scorings"})
_OF_COLLECTIONS = frozenset({"analyses", *(setting.name for setting in fields(RunSettings))})  # keys of the file


@dataclass(frozen=True)
class DeclaredCollection:
    """A collection as the file names it."""

    source: str
    name: str | None = None
    format: str | None = None
    language: str | None = None
    labels: tuple[str, ...] = ()
    overlay: tuple[str, ...] = ()
    kinds: tuple[str, ...] | None = None  # None: the experiment's


@dataclass(frozen=True)
class DeclaredTuning:
    """One of the models that an entry with `finetune` asks for."""

    entry: str  # its name, the same for all sizes, controls and seeds
    data: tuple[DeclaredCollection, ...]
    size: int | None  # None: all items
    control: str  # empty for none
    seed: int
    lora: bool
    kinds: tuple[str, ...]
    readings: str
    changes: tuple[str, ...]  # of the recipe: name=value
    keep: bool
    is_one_of_sizes: bool = False  # so that its name says which, even if that is all
    after: str = ""  # the name of the fine-tuned model that it starts from

    @property
    def configuration(self) -> str:
        """The name that the models of all its seeds share.

        >>> DeclaredTuning("full", (), 640, "no-contrast", 3, False, (), "grammatical", (), False).configuration
        'full 640 no-contrast'
        """
        size = self.size or ("all" if self.is_one_of_sizes else "")
        return " ".join(map(str, filter(None, (self.entry, size, self.control))))


@dataclass(frozen=True)
class DeclaredModel:
    """A model as the file names it, with options, scorings (none: the experiment's) and collections (none: all).

    If it is to be fine-tuned, its name is that of the result, and its address that of the model it starts from.
    """

    name: ModelName
    scorings: tuple[str, ...]
    options: Options
    collections: tuple[str, ...] = ()
    place: int = 0  # of its entry in the file
    tuning: DeclaredTuning | None = None


@dataclass(frozen=True)
class Published:
    """A published number; of a metric in percent it is a fraction of 1 here."""

    label: str
    collection: str
    metric: str
    value: float
    source: str
    kind: str = ""
    subset: str = ""
    scoring: str = ""
    readings: str = ""


@dataclass(frozen=True, kw_only=True)
class Experiment(RunSettings):
    """What an experiment file says; paths in it are relative to `folder`."""

    name: str
    folder: Path
    collections: tuple[DeclaredCollection, ...]
    models: tuple[DeclaredModel, ...]
    document: Document = field(repr=False)
    description: str = ""
    metrics: tuple[str, ...] = ()
    subsets: tuple[str, ...] = ()
    comparisons: bool = False
    measures: tuple[str, ...] = ()
    title: str | None = None
    tables: tuple[str, ...] = ()
    figures: tuple[str, ...] = ()
    width: str = "page"  # of the figures
    font: str | None = None
    references: bool = False  # whether reference runs are shown beside those of the models
    published: tuple[Published, ...] = ()
    pairs: DeclaredPairs | None = None

    @property
    def settings(self) -> dict[str, Any]:
        """How all models are asked, by name."""
        return {setting.name: getattr(self, setting.name) for setting in fields(RunSettings)}

    def on_device(self, device: str) -> Experiment:
        """The experiment on another device, but for models that name one."""
        models = [
            replace(model, options=replace(model.options, device=device)) if model.options.device == "auto" else model
            for model in self.models
        ]
        pairs = self.pairs and replace(
            self.pairs,
            models=tuple(
                replace(model, device=device) if model.device == "auto" else model for model in self.pairs.models
            ),
        )
        return replace(self, models=tuple(models), pairs=pairs)

    def kinds_of(self, entry: DeclaredCollection, collection: Collection) -> tuple[str, ...]:
        """The kinds of variants that are asked of a collection."""
        return named_kinds(collection, self.kinds if entry.kinds is None else entry.kinds)

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Give an input error raised in the block its place in the file."""
        with placing(self.document, *path):
            yield


def read_experiment(path: Path) -> Experiment:
    """The experiment in a YAML file; anything wrong with it is an input error with its line."""
    try:
        data = read_bytes(path, _MOST_BYTES)
    except InputError as error:
        hint = "" if exists(path) else did_you_mean_path(path, (".yaml", ".yml", ".json"))
        error.remedy = f"{hint}Name an experiment file (YAML) or a lock file; docs/experiments.md shows one."
        raise
    text = decode(data, str(path))
    return parse_experiment(text, str(path), path.stem, path.resolve().parent)


def parse_experiment(text: str, file: str, name: str, folder: Path) -> Experiment:
    """The experiment that a YAML text describes; `file` is what messages call it."""
    document = read_yaml(text, file)
    with placing(document):
        entry: dict[str, Any] = check_entry(ExperimentEntry, document.value)
        if "collections" not in entry and "data" not in entry:
            raise InputError(
                "there is nothing to ask", remedy="Add `collections`, `data` (a folder of pairs), or both."
            )
    for key in ("collections", "models"):
        with placing(document, key):
            if key in entry and not entry[key]:
                raise InputError("the list is empty", remedy=f"Name at least one of the {key}.")
        check_variables(document, (key,), entry.get(key, []))
    if "collections" not in entry:
        for key in sorted(_OF_COLLECTIONS & entry.keys()):
            with placing(document, key):
                raise InputError(f"`{key}` is about collections, and there is none", remedy="Leave it out.")
    models = list(enumerate(entry["models"]))
    about_pairs = [(place, model) for place, model in models if _is_about_pairs(document, place, model, entry)]
    about_collections = [(place, model) for place, model in models if _is_about_collections(model, entry)]
    pairs = read_pairs_part(document, entry, about_pairs, folder) if "data" in entry else None
    analyses, page = entry.get("analyses", {}), entry.get("report", {})
    for key, formats in (("tables", tables.FORMATS), ("figures", drawing.FORMATS)):
        check_known(document, ("report", key), page.get(key, ()), formats)
    for key in ("width", "font"):
        with placing(document, "report", key):
            Paper.of(**{key: page[key]} if key in page else {})
    check_known(document, ("readings",), entry.get("readings", ()), STYLES)
    for key, find in (("metrics", metric), ("measures", named_measure)):
        for place, plugin in enumerate(analyses.get(key, ())):
            with placing(document, "analyses", key, place):
                find(plugin)
    settings: dict[str, Any] = {}
    for setting in fields(RunSettings):
        value = entry.get(setting.name, setting.default)
        settings[setting.name] = (tuple(dict.fromkeys(value)) or setting.default) if isinstance(value, list) else value
    published = [_published(document, place, row, entry) for place, row in enumerate(entry.get("published", ()))]
    return Experiment(
        name=name,
        folder=folder,
        collections=_collections(document, ("collections",), entry.get("collections", ())),
        models=_models(document, about_collections, settings["seed"], entry.get("seeds", _SEEDS)),
        document=document,
        description=entry.get("description", ""),
        **settings,
        metrics=tuple(analyses.get("metrics", ())),
        subsets=tuple(analyses.get("subsets", ())),
        comparisons=analyses.get("comparisons", False),
        measures=tuple(dict.fromkeys(analyses.get("measures", ()))),
        title=page.get("title"),
        tables=tuple(page.get("tables", ())),
        figures=tuple(page.get("figures", ())),
        width=page.get("width", "page"),
        font=page.get("font"),
        references=page.get("references", False),
        published=tuple(row for row in published if row is not None),
        pairs=pairs,
    )


def _is_about_pairs(document: Document, place: int, model: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether a model is asked about pairs: if it says so, or says nothing. Keys that do not fit are refused."""
    says_pairs, says_collections = (keys & model.keys() for keys in (_ABOUT_PAIRS, _ABOUT_COLLECTIONS))
    for keys, declared in ((says_pairs, "data"), (says_collections, "collections")):
        if keys and declared not in entry:
            with placing(document, "models", place, min(keys)):
                raise InputError(f"this needs `{declared}`, which the file does not have", remedy=f"Add `{declared}`.")
    if "train" in model and "finetune" in model:
        with placing(document, "models", place, "train"):
            remedy = "Declare two models, one for each."
            raise InputError("a model is trained on pairs or fine-tuned on schemas", remedy=remedy)
    return "data" in entry and bool(says_pairs or not says_collections)


def _is_about_collections(model: Mapping[str, Any], entry: Mapping[str, Any]) -> bool:
    """Whether a model is asked about collections: if it says so, or says nothing and can be."""
    if "collections" not in entry:
        return False
    says_nothing = not _ABOUT_PAIRS & model.keys() and ("data" not in entry or not only_answers_pairs(model["model"]))
    return bool(_ABOUT_COLLECTIONS & model.keys()) or says_nothing


def _collections(
    document: Document, path: tuple[str | int, ...], entries: Sequence[dict[str, Any]]
) -> tuple[DeclaredCollection, ...]:
    return tuple(_collection(document, (*path, place), entry) for place, entry in enumerate(entries))


def _collection(document: Document, path: tuple[str | int, ...], entry: dict[str, Any]) -> DeclaredCollection:
    if "name" in entry:
        with placing(document, *path, "name"):
            check_name(entry["name"], "the name of a collection")
    if "format" in entry:
        with placing(document, *path, "format"):
            registry.load("formats", entry["format"])
    with placing(document, *path, "source"):
        source = expanded(entry["source"])
    files = []
    for key in ("labels", "overlay"):
        with placing(document, *path, key):
            files.append(tuple(map(expanded, entry.get(key, ()))))
    kinds = tuple(dict.fromkeys(entry["kinds"])) if "kinds" in entry else None
    name, file_format, language = (entry.get(key) for key in ("name", "format", "language"))
    return DeclaredCollection(source, name, file_format, language, files[0], files[1], kinds)


def _models(
    document: Document, entries: Sequence[tuple[int, dict[str, Any]]], seed: int, seeds: Sequence[int]
) -> tuple[DeclaredModel, ...]:
    models: list[DeclaredModel] = []
    lines: dict[str, int] = {}
    for place, entry in entries:
        line = document.marks["models", place].line + 1
        declared = _model(document, place, entry, seed)
        tuned = _tuned(document, declared, entry["finetune"], models, seeds) if "finetune" in entry else [declared]
        for model in tuned:
            name = model.name.name
            with placing(document, "models", place):
                if name in lines:
                    message = f"two models are called {name!r}: lines {lines[name]} and {line}"
                    raise InputError(message, remedy="Give one of them another `name`.")
            lines[name] = line
            models.append(model)
    return tuple(models)


def _model(document: Document, place: int, entry: dict[str, Any], seed: int) -> DeclaredModel:
    path = ("models", place)
    precision = entry.get("precision", PRECISIONS[0])
    check_known(document, (*path, "precision"), (precision,), PRECISIONS)
    with placing(document, *path, "model"):
        address = entry["model"]
        name = model_name(f"{entry['name']}={address}" if entry.get("name", address) != address else address)
    more = entry.get("options", {})
    options = Options(precision, entry.get("device", "auto"), entry.get("batch_tokens", 0), seed, more)
    scorings, collections = (tuple(dict.fromkeys(entry.get(key, ()))) for key in ("scorings", "collections"))
    return DeclaredModel(name, scorings, options, collections, place)


def _tuned(
    document: Document,
    declared: DeclaredModel,
    entry: dict[str, Any],
    before: Sequence[DeclaredModel],
    seeds: Sequence[int],
) -> Iterator[DeclaredModel]:
    """One model for each size, control and seed."""
    path = ("models", declared.place, "finetune")
    if not entry["data"]:
        with placing(document, *path, "data"):
            raise InputError("the list is empty", remedy="Name a collection to learn from.")
    readings = entry.get("readings", STYLES[0])
    check_known(document, (*path, "readings"), (readings,), STYLES)
    controls = entry.get("control") or [_NO_CONTROL]
    check_known(document, (*path, "control"), controls, (_NO_CONTROL, *CONTROLS))
    data = _collections(document, (*path, "data"), entry["data"])
    changes = tuple(f"{name}={value}" for name, value in entry.get("set", {}).items())
    name = declared.name.name if declared.name.name != declared.name.address else f"{declared.name.address} tuned"
    sizes = entry.get("size", [None])
    for size, control, seed in product(sizes, controls, entry.get("seeds", seeds)):
        tuning = DeclaredTuning(
            entry=name,
            data=data,
            size=size,
            control="" if control == _NO_CONTROL else control,
            seed=seed,
            lora=entry.get("lora", False),
            kinds=tuple(dict.fromkeys(entry.get("kinds", ()))),
            readings=readings,
            changes=changes,
            keep=entry.get("keep", False),
            is_one_of_sizes=len(sizes) > 1,
        )
        with placing(document, "models", declared.place):
            start = _start(declared.name.address, seed, before)
            if start is not None:
                tuning = replace(tuning, after=start.name.name)
            called = ModelName(
                f"{tuning.configuration} s{seed}", start.name.address if start else declared.name.address
            )
            model_name(f"{called.name}={called.address}")  # whether it is a possible name
        yield replace(declared, name=called, tuning=tuning)


def _start(address: str, seed: int, before: Sequence[DeclaredModel]) -> DeclaredModel | None:
    """The fine-tuned model of an earlier entry, of the same seed, that another starts from; None if it names none."""
    entries = [model for model in before if model.tuning and model.tuning.entry == address]
    same_seed = [model for model in entries if model.tuning and model.tuning.seed == seed]
    if entries and len(same_seed) != 1:
        message = f"{address} is fine-tuned {len(same_seed)} times with seed {seed}, expected once"
        raise InputError(message, remedy="Start from an entry with one size, one control and the same seeds.")
    return same_seed[0] if same_seed else None


def _published(document: Document, place: int, row: dict[str, Any], entry: Mapping[str, Any]) -> Published | None:
    """A published number about a collection; None if it is about pairs, which are read with them."""
    with placing(document, "published", place):
        if len({"collection", "set"} & row.keys()) != 1:
            remedy = "Name a `collection`, or of pairs a `set` such as comparison-en."
            raise InputError("it is not said what this number is about", remedy=remedy)
    if "set" in row:
        return None
    with placing(document, "published", place):
        source = row.get("source", entry.get("source"))
        if source is None:
            raise InputError("'source' is missing", remedy="Say where the number was published.")
    row = {"metric": "accuracy"} | row | {"source": source}
    with placing(document, "published", place, "metric"):
        is_percent = metric(row["metric"]).unit == "%"
    value = row["value"]
    with placing(document, "published", place, "value"):
        if is_percent and not 0 <= value <= 100:
            raise InputError(f"{row['metric']} is in percent, found {value:g}", remedy="Write 0 to 100.")
    return Published(**row | {"value": round(value / 100, 8) if is_percent else value})
