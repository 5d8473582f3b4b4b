"""The keys of an experiment file, and what all readers of one share.

Everything is read as in a collection's file: unquoted values stay text until a key says what it wants.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from dataclasses import fields
from typing import TYPE_CHECKING, Annotated, Any, Required, cast, get_type_hints

from pydantic import BeforeValidator
from typing_extensions import TypedDict

from winoglot import registry
from winoglot.errors import InputError, describe, did_you_mean
from winoglot.files import expanded
from winoglot.runs.settings import RunSettings
from winoglot.schemas.documents import Document, Plain
from winoglot.schemas.entries import Entry, Index, Share, Text, Truth, about

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_PATHS = frozenset({"source", "labels", "overlay"})  # keys whose values may have variables
_BEFORE_VARIABLE = re.compile(r"([\w-]*)(:?)\$\{")  # in the address of a model


def _as_whole(value: object) -> object:
    if isinstance(value, Plain) and len(value) < 10 and value.isascii() and value.isdecimal():
        return int(value)
    remedy = "Write one without quotes, such as 40, or leave the key out."
    raise InputError(f"expected a whole number, found {describe(value)}", remedy=remedy)


def _as_list(value: object) -> object:
    """One text stands for a list; as on the command line it may hold several names: `naive,grammatical`."""
    if not isinstance(value, str):
        return value
    return [part.strip() for part in value.split(",") if part.strip()]


def _as_wholes(value: object) -> object:
    """One number stands for a list; `all` for no number."""
    several = value if isinstance(value, list) else [value]
    return [None if number == "all" else _as_whole(number) for number in several]


def _as_seeds(value: object) -> object:
    """A number of seeds, or the seeds themselves."""
    if isinstance(value, list):
        return [_as_whole(seed) for seed in value]
    count = _as_whole(value)
    assert isinstance(count, int)
    return list(range(count))


def _as_mapping(key: str) -> BeforeValidator:
    """A text stands for a mapping with this key alone."""
    return BeforeValidator(lambda value: {key: value} if isinstance(value, str) else value)


def _as_depths(value: object) -> tuple[int, ...]:
    from winoglot.logic.solvers.data import read_depths

    return read_depths(str(value))


_Whole = Annotated[int, BeforeValidator(_as_whole)]
_Names = Annotated[list[Text], BeforeValidator(_as_list)]
_Sizes = Annotated[list[int | None], BeforeValidator(_as_wholes)]
_Seeds = Annotated[list[int], BeforeValidator(_as_seeds)]


class CollectionEntry(Entry, total=False):
    """A collection, with what `winoglot import` would be told about its file."""

    source: Required[Annotated[Text, about("a bundled name, a file, or format:file")]]
    name: Annotated[Text, about("its name in every table, if not the file's own")]
    format: Annotated[Text, about("of the file, if it is not recognised")]
    language: Annotated[Text, about("which one, if the file has several")]
    labels: Annotated[_Names, about("files that say which items are associative or switchable")]
    overlay: Annotated[_Names, about("files with readings for its items")]
    kinds: Annotated[_Names, about("variants that are asked of it, instead of the experiment's")]


class FinetuneEntry(Entry, total=False):
    """How a model is fine-tuned before it is evaluated: one model for each size, control and seed."""

    data: Required[
        Annotated[list[Annotated[CollectionEntry, _as_mapping("source")]], about("collections, learnt as one")]
    ]
    size: Annotated[_Sizes, about("items, drawn by schema: one, several, or all")]
    control: Annotated[_Names, about("none, shuffled-labels, no-contrast; none unless given")]
    seeds: Annotated[_Seeds, about("how many, from 0, or which ones; the experiment's, or 5, unless given")]
    lora: Annotated[Truth, about("train a small adapter")]
    kinds: Annotated[_Names, about("variants to learn from too: switched")]
    readings: Annotated[Text, about("grammatical (the default) or naive")]
    set: Annotated[dict[Text, Text], about("settings of the recipe: rate, epochs, …")]
    keep: Annotated[Truth, about("keep the weights when all collections are answered")]


class TrainEntry(Entry, total=False):
    """What pairs a model learns before it is asked: one model for each size, control and seed."""

    tasks: Annotated[_Names, about("names, all (the default: one model for all), or each (one model per task)")]
    languages: Annotated[_Names, about("the same")]
    depths: Annotated[tuple[int, ...], BeforeValidator(_as_depths), about("1-2; all unless given")]
    size: Annotated[_Sizes, about("training pairs per task and language; several make a learning curve")]
    control: Annotated[_Names, about("none, shuffled-labels, premise-only, hypothesis-only")]
    start: Annotated[Text, about("a trained context2vec or transformer, or word vectors as text, in the data's folder")]
    lora: Annotated[Truth, about("train a small adapter")]
    set: Annotated[dict[str, Text], about("settings of the recipe")]


class TestEntry(Entry, total=False):
    """What pairs a model is asked."""

    tasks: Annotated[_Names, about("names, all, or own (the default: what it was trained on)")]
    languages: Annotated[_Names, about("the same")]
    depths: Annotated[tuple[int, ...], BeforeValidator(_as_depths), about("3-4; all unless given")]
    limit: Annotated[Index, about("pairs per file")]
    scoring: Annotated[Text, about("label, therefore, answer, entailment")]


class ModelEntry(Entry, total=False):
    """A model, with what `winoglot evaluate` or `winoglot logic evaluate` would be told about it."""

    model: Required[
        Annotated[Text, about("family:location, a family, or for pairs a network (lstm, bag …) or shallow:…")]
    ]
    name: Annotated[Text, about("its name in every table")]
    collections: Annotated[_Names, about("the names of those it is evaluated on; by default all")]
    scorings: Annotated[_Names, about("instead of the experiment's")]
    options: Annotated[dict[Text, Text], about("settings of its family, as with --option")]
    precision: Annotated[Text, about("float32, bfloat16 or int8")]
    device: Annotated[Text, about("auto, cpu or cuda")]
    batch_tokens: Annotated[_Whole, about("tokens per batch; by default as memory allows")]
    finetune: Annotated[FinetuneEntry, about("teach it schemas first; `model` may name an earlier entry with this key")]
    train: Annotated[TrainEntry, about("teach it pairs first")]
    test: Annotated[TestEntry, about("which pairs it is asked")]
    seeds: Annotated[_Seeds, about("of a model that is trained on pairs: instead of the experiment's")]


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
    width: Annotated[Text, about("of the figures: column, page, or a size such as 88mm")]
    font: Annotated[Text, about("of the figures")]
    references: Annotated[Truth, about("whether models that come with Winoglot are shown beside these")]


class PublishedEntry(Entry, total=False):
    """A published number, shown beside the measured ones."""

    label: Required[Annotated[Text, about("the model or people that it is about")]]
    value: Required[Annotated[Share, about("in the metric's unit, as published: 48.01 for 48.01%")]]
    collection: Annotated[Text, about("the name of one of the experiment's collections; this or `set`")]
    set: Annotated[Text, about("a task and language of its pairs: comparison-en")]
    source: Annotated[Text, about("where it was published: the paper and its table; the experiment's unless given")]
    metric: Annotated[Text, about("accuracy unless given")]
    kind: Annotated[Text, about("of variants, if it is not about the originals")]
    subset: Annotated[Text, about("if it is not about all items")]
    scoring: Annotated[Text, about("if the paper has several")]
    readings: Annotated[Text, about("if the paper has several")]


# How models are asked: a key for each field of `RunSettings`, by the type that it has in Python.
_IN_YAML: dict[Any, Any] = {tuple[str, ...]: _Names, str: Text, int: _Whole, int | None: _Whole, bool: Truth}
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
    collections: Annotated[
        list[Annotated[CollectionEntry, _as_mapping("source")]], about("schemas to ask; these, `data`, or both")
    ]
    data: Annotated[Text, about("pairs to ask: a folder that `winoglot logic generate` wrote")]
    seeds: Annotated[_Seeds, about("how many, or which; unless given, 5 for schemas and 3 for pairs")]
    models: Required[Annotated[list[Annotated[ModelEntry, _as_mapping("model")]], about("at least one")]]
    analyses: Annotated[AnalysesEntry, about("what the table of results shows")]
    report: Annotated[PageEntry, about("title, and files for papers")]
    published: Annotated[list[PublishedEntry], about("published numbers to show beside the measured ones")]
    source: Annotated[Text, about("where they were published")]


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


def check_known(
    document: Document, path: tuple[str | int, ...], names: Sequence[str], available: Sequence[str]
) -> None:
    """Refuse a name that is not available, at its place in the list at `path`."""
    for place, name in enumerate(names):
        with placing(document, *path, place):
            if name not in available:
                raise InputError(f"there is no {name!r} here", remedy=did_you_mean(name, available))


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
