"""Experiment files: collections, models, how they are asked, analyses, report and published numbers, in one YAML file.

`read_experiment` checks the keys and all names that have nothing to do with a collection or a model; `plan` the rest.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import dataclass, field, fields, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Required, cast, get_type_hints

from pydantic import BeforeValidator
from typing_extensions import TypedDict

from winoglot import registry
from winoglot.analysis.base import named_measure
from winoglot.errors import InputError, describe, did_you_mean
from winoglot.files import decode, expanded, read_bytes
from winoglot.finetune.recipes import CONTROLS
from winoglot.metrics.base import metric
from winoglot.models.base import PRECISIONS, Options
from winoglot.models.naming import ModelName, model_name
from winoglot.report import drawing, tables
from winoglot.runs.settings import STYLES, RunSettings
from winoglot.schemas.documents import Document, Plain, read_yaml
from winoglot.schemas.entries import Entry, Share, Text, Truth, about
from winoglot.schemas.text import check_name
from winoglot.schemas.validation import check_entry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MOST_BYTES = 2**20
_NO_CONTROL = "none"
_SEEDS = 5
_PATHS = frozenset({"source", "labels", "overlay"})  # keys whose values may have variables
_BEFORE_VARIABLE = re.compile(r"([\w-]*)(:?)\$\{")  # in the address of a model


def _as_whole(value: object) -> object:
    if isinstance(value, Plain) and len(value) < 10 and value.isascii() and value.isdecimal():
        return int(value)
    remedy = "Write one without quotes, such as 40, or leave the key out."
    raise InputError(f"expected a whole number, found {describe(value)}", remedy=remedy)


def as_list(value: object) -> object:
    """One text stands for a list; as on the command line it may hold several names: `naive,grammatical`."""
    if not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]


def as_wholes(value: object) -> object:
    """One number stands for a list; `all` for no number."""
    several = value if isinstance(value, list) else [value]
    return [None if number == "all" else _as_whole(number) for number in several]


def as_seeds(value: object) -> object:
    """A number of seeds, or the seeds themselves."""
    if isinstance(value, list):
        return [_as_whole(seed) for seed in value]
    count = _as_whole(value)
    assert isinstance(count, int)
    return list(range(count))


def _as_mapping(key: str) -> BeforeValidator:
    """A text stands for a mapping with this key alone."""
    return BeforeValidator(lambda value: {key: value} if isinstance(value, str) else value)


_Whole = Annotated[int, BeforeValidator(_as_whole)]
_Names = Annotated[list[Text], BeforeValidator(as_list)]


class AskedCollectionEntry(Entry, total=False):
    """A collection, with what `winoglot import` would be told about its file."""

    source: Required[Annotated[Text, about("a bundled name, a file, or format:file")]]
    name: Annotated[Text, about("its name in every table, if not the file's own")]
    format: Annotated[Text, about("of the file, if it is not recognised")]
    language: Annotated[Text, about("which one, if the file has several")]
    labels: Annotated[_Names, about("files with labels, for formats that keep them apart")]
    overlay: Annotated[_Names, about("files with readings for its items")]
    kinds: Annotated[_Names, about("variants that are asked of it, instead of the experiment's")]


class FinetuneEntry(Entry, total=False):
    """How a model is fine-tuned before it is evaluated: one model for each size, control and seed."""

    data: Required[
        Annotated[list[Annotated[AskedCollectionEntry, _as_mapping("source")]], about("collections, learnt as one")]
    ]
    size: Annotated[list[int | None], BeforeValidator(as_wholes), about("items, drawn by schema: one, several, or all")]
    control: Annotated[_Names, about("none, shuffled-labels, no-contrast; none unless given")]
    seeds: Annotated[list[int], BeforeValidator(as_seeds), about("how many, from 0, or which ones; 5 unless given")]
    lora: Annotated[Truth, about("train a small adapter")]
    kinds: Annotated[_Names, about("variants to learn from too: switched")]
    readings: Annotated[Text, about("grammatical (the default) or naive")]
    set: Annotated[dict[Text, Text], about("settings of the recipe: rate, epochs, …")]
    keep: Annotated[Truth, about("keep the weights when all collections are answered")]


class AskedModelEntry(Entry, total=False):
    """A model, with what `winoglot evaluate` would be told about it."""

    model: Required[Annotated[Text, about("family:location, or a family")]]
    name: Annotated[Text, about("its name in every table")]
    collections: Annotated[_Names, about("the names of those it is evaluated on; by default all")]
    scorings: Annotated[_Names, about("instead of the experiment's")]
    options: Annotated[dict[Text, Text], about("settings of its family, as with --option")]
    precision: Annotated[Text, about("float32, bfloat16 or int8")]
    device: Annotated[Text, about("auto, cpu or cuda")]
    batch_tokens: Annotated[_Whole, about("tokens per batch; by default as memory allows")]
    finetune: Annotated[FinetuneEntry, about("teach it schemas first; `model` may name an earlier entry with this key")]


class AnalysesEntry(Entry, total=False):
    """What the table of results shows besides accuracy."""

    metrics: Annotated[_Names, about("in this order; by default those that `winoglot evaluate` shows")]
    subsets: Annotated[_Names, about("accuracy on these as well: tags, and the report's subsets")]
    comparisons: Annotated[Truth, about("whether to test which runs differ, and write comparisons.csv")]
    measures: Annotated[_Names, about("of `winoglot analyse`, taken of every model: contamination, …")]


class PageEntry(Entry, total=False):
    """The report."""

    title: Annotated[Text, about("of the page")]
    tables: Annotated[_Names, about("latex, csv, markdown: written beside the page")]
    figures: Annotated[_Names, about("pdf, svg, png: written beside the page")]


class PublishedEntry(Entry, total=False):
    """A published number, shown beside the measured ones."""

    label: Required[Annotated[Text, about("the model or people that it is about")]]
    collection: Required[Annotated[Text, about("the name of one of the experiment's collections")]]
    value: Required[Annotated[Share, about("in the metric's unit, as published: 48.01 for 48.01%")]]
    source: Required[Annotated[Text, about("where it was published: the paper and its table")]]
    metric: Annotated[Text, about("accuracy unless given")]
    kind: Annotated[Text, about("of variants, if it is not about the originals")]
    subset: Annotated[Text, about("if it is not about all items")]
    scoring: Annotated[Text, about("if the paper has several")]
    readings: Annotated[Text, about("if the paper has several")]


# How models are asked: a key for each field of `RunSettings`, by the type that it has in Python.
_IN_YAML: dict[Any, Any] = {tuple[str, ...]: _Names, int: _Whole, int | None: _Whole, bool: Truth}
_types = get_type_hints(RunSettings)
SettingsEntry: Any = cast("Any", TypedDict)(
    "SettingsEntry",
    {
        setting.name: Annotated[_IN_YAML[_types[setting.name]], about(setting.metadata["description"])]
        for setting in fields(RunSettings)
    },
    total=False,
)


class ExperimentEntry(Entry, SettingsEntry, total=False):  # type: ignore[misc]
    """The whole file."""

    description: Annotated[Text, about("what it is for")]
    collections: Required[
        Annotated[list[Annotated[AskedCollectionEntry, _as_mapping("source")]], about("at least one")]
    ]
    models: Required[Annotated[list[Annotated[AskedModelEntry, _as_mapping("model")]], about("at least one")]]
    analyses: Annotated[AnalysesEntry, about("what the table of results shows")]
    report: Annotated[PageEntry, about("title, and files for papers")]
    published: Annotated[list[PublishedEntry], about("published numbers to show beside the measured ones")]


@dataclass(frozen=True)
class AskedCollection:
    """A collection as the file names it."""

    source: str
    name: str | None = None
    format: str | None = None
    language: str | None = None
    labels: tuple[str, ...] = ()
    overlay: tuple[str, ...] = ()
    kinds: tuple[str, ...] | None = None  # None: the experiment's


@dataclass(frozen=True)
class AskedTuning:
    """One of the models that an entry with `finetune` asks for."""

    entry: str  # its name, the same for all sizes, controls and seeds
    data: tuple[AskedCollection, ...]
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

        >>> AskedTuning("full", (), 640, "no-contrast", 3, False, (), "grammatical", (), False).configuration
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
    tuning: AskedTuning | None = None


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
    collections: tuple[AskedCollection, ...]
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
    published: tuple[Published, ...] = ()

    @property
    def settings(self) -> dict[str, Any]:
        """How all models are asked, by name."""
        return {setting.name: getattr(self, setting.name) for setting in fields(RunSettings)}

    def kinds_of(self, collection: AskedCollection) -> tuple[str, ...]:
        """The kinds of variants that are asked of a collection."""
        return self.kinds if collection.kinds is None else collection.kinds

    @contextmanager
    def at(self, *path: str | int) -> Iterator[None]:
        """Give an input error raised in the block its place in the file."""
        with placing(self.document, *path):
            yield


@contextmanager
def placing(document: Document, *path: str | int) -> Iterator[None]:
    """Give an input error raised in the block the line of the value at `path`; one about another file as well."""
    try:
        yield
    except InputError as error:
        if error.file is not None:  # about a file that this one names
            error = InputError(str(error))
        error.path = (*path, *error.path)
        error.file = document.file
        error.line, error.column = document.place(error)
        raise error from None


def read_experiment(path: Path) -> Experiment:
    """The experiment in a YAML file; anything wrong with it is an input error with its line."""
    try:
        data = read_bytes(path, _MOST_BYTES)
    except InputError as error:
        error.remedy = "Name an experiment file (YAML) or a lock file; docs/experiments.md shows one."
        raise
    text = decode(data, str(path))
    return parse_experiment(text, str(path), path.stem, path.resolve().parent)


def parse_experiment(text: str, file: str, name: str, folder: Path) -> Experiment:
    """The experiment that a YAML text describes; `file` is what messages call it."""
    document = read_yaml(text, file)
    with placing(document):
        entry: dict[str, Any] = check_entry(ExperimentEntry, document.value)
    for key in ("collections", "models"):
        with placing(document, key):
            if not entry[key]:
                raise InputError("the list is empty", remedy=f"Name at least one of the {key}.")
        check_variables(document, (key,), entry[key])
    analyses, page = entry.get("analyses", {}), entry.get("report", {})
    for key, formats in (("tables", tables.FORMATS), ("figures", drawing.FORMATS)):
        _check_known(document, ("report", key), page.get(key, ()), formats)
    _check_known(document, ("readings",), entry.get("readings", ()), STYLES)
    for key, find in (("metrics", metric), ("measures", named_measure)):
        for place, plugin in enumerate(analyses.get(key, ())):
            with placing(document, "analyses", key, place):
                find(plugin)
    settings: dict[str, Any] = {}
    for setting in fields(RunSettings):
        value = entry.get(setting.name, setting.default)
        settings[setting.name] = (tuple(dict.fromkeys(value)) or setting.default) if isinstance(value, list) else value
    return Experiment(
        name=name,
        folder=folder,
        collections=_collections(document, ("collections",), entry["collections"]),
        models=_models(document, entry["models"], settings["seed"]),
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
        published=tuple(_published(document, place, row) for place, row in enumerate(entry.get("published", ()))),
    )


def _check_known(
    document: Document, path: tuple[str | int, ...], names: Sequence[str], available: Sequence[str]
) -> None:
    for place, name in enumerate(names):
        with placing(document, *path, place):
            if name not in available:
                raise InputError(f"there is no {name!r} here", remedy=did_you_mean(name, available))


def _collections(
    document: Document, path: tuple[str | int, ...], entries: Sequence[dict[str, Any]]
) -> tuple[AskedCollection, ...]:
    return tuple(_collection(document, (*path, place), entry) for place, entry in enumerate(entries))


def _collection(document: Document, path: tuple[str | int, ...], entry: dict[str, Any]) -> AskedCollection:
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
    return AskedCollection(source, name, file_format, language, files[0], files[1], kinds)


def _models(document: Document, entries: Sequence[dict[str, Any]], seed: int) -> tuple[DeclaredModel, ...]:
    models: list[DeclaredModel] = []
    lines: dict[str, int] = {}
    for place, entry in enumerate(entries):
        line = document.marks["models", place].line + 1
        declared = _model(document, place, entry, seed)
        for model in _tuned(document, declared, entry["finetune"], models) if "finetune" in entry else [declared]:
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
    _check_known(document, (*path, "precision"), (precision,), PRECISIONS)
    with placing(document, *path, "model"):
        address = entry["model"]
        name = model_name(f"{entry['name']}={address}" if entry.get("name", address) != address else address)
    more = entry.get("options", {})
    options = Options(precision, entry.get("device", "auto"), entry.get("batch_tokens", 0), seed, more)
    scorings, collections = (tuple(dict.fromkeys(entry.get(key, ()))) for key in ("scorings", "collections"))
    return DeclaredModel(name, scorings, options, collections, place)


def _tuned(
    document: Document, declared: DeclaredModel, entry: dict[str, Any], before: Sequence[DeclaredModel]
) -> Iterator[DeclaredModel]:
    """One model for each size, control and seed."""
    path = ("models", declared.place, "finetune")
    if not entry["data"]:
        with placing(document, *path, "data"):
            raise InputError("the list is empty", remedy="Name a collection to learn from.")
    readings = entry.get("readings", STYLES[0])
    _check_known(document, (*path, "readings"), (readings,), STYLES)
    controls = entry.get("control") or [_NO_CONTROL]
    _check_known(document, (*path, "control"), controls, (_NO_CONTROL, *CONTROLS))
    data = _collections(document, (*path, "data"), entry["data"])
    changes = tuple(f"{name}={value}" for name, value in entry.get("set", {}).items())
    name = declared.name.name if declared.name.name != declared.name.address else f"{declared.name.address} tuned"
    sizes = entry.get("size", [None])
    for size, control, seed in product(sizes, controls, entry.get("seeds", range(_SEEDS))):
        tuning = AskedTuning(
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


def _published(document: Document, place: int, entry: dict[str, Any]) -> Published:
    row = {"metric": "accuracy"} | entry
    with placing(document, "published", place, "metric"):
        is_percent = metric(row["metric"]).unit == "%"
    value = row["value"]
    with placing(document, "published", place, "value"):
        if is_percent and not 0 <= value <= 100:
            raise InputError(f"{row['metric']} is in percent, found {value:g}", remedy="Write 0 to 100.")
    return Published(**row | {"value": round(value / 100, 8) if is_percent else value})


def check_variables(document: Document, path: tuple[str | int, ...], value: object) -> None:
    """Refuse `${NAME}` in anything but a path: names, options and addresses of servers may be stored, shown or sent.

    A path is the source of a collection, or a model's location on this machine, which is stored as it is written.
    """
    if isinstance(value, list | dict):
        for key, part in value.items() if isinstance(value, dict) else enumerate(value):
            check_variables(document, (*path, key), part)
        return
    key = next(step for step in reversed(path) if isinstance(step, str))
    if not isinstance(value, str) or "${" not in value:
        return
    families = (*registry.names("models"), "logic")
    begun = key == "model" and all(match[2] and match[1] in families for match in _BEFORE_VARIABLE.finditer(value))
    with placing(document, *path):
        if key not in _PATHS and not begun:
            remedy = "Variables are for paths: those of collections and data, and FAMILY:${NAME}/… of a model."
            raise InputError(f"no variable can stand in this `{key}`", remedy=remedy)
        expanded(value)
