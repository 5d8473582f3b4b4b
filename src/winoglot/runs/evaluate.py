"""`wg.evaluate`: models answer collections, from Python."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import fields, replace
from difflib import get_close_matches
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, overload

from winoglot.errors import InputError, check_argument
from winoglot.models.base import Options
from winoglot.progress import show_progress
from winoglot.runs.session import Session, log_requests, places_in
from winoglot.runs.settings import STYLES, RunSettings
from winoglot.runs.spec import ModelSpec, RunSpec, is_model
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.models.base import Solver
    from winoglot.runs.run import Run, Runs
    from winoglot.runs.session import BeforeSending

_OPTIONS = {"device": "a device", "precision": "a precision", "batch_tokens": "a number of tokens as batch_tokens"}


@overload
def evaluate(collection: Collection, model: str | Solver, scoring: str | None = None, **settings: Any) -> Run: ...
@overload
def evaluate(
    collection: Collection | Iterable[Collection],
    model: str | Solver | Iterable[str | Solver],
    scoring: str | None = None,
    **settings: Any,
) -> Runs: ...
def evaluate(
    collection: Collection | Iterable[Collection],
    model: str | Solver | Iterable[str | Solver],
    scoring: str | None = None,
    readings: str = STYLES[0],
    kinds: str | Sequence[str] | None = (),
    limit: int | None = None,
    *,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    progress: bool = True,
    before_sending: BeforeSending = log_requests,
    **settings: Any,
) -> Run | Runs:
    """Evaluate a model on a collection. Lists of collections or models give a list of runs, one per combination.

    A model is `family:location`, or `NAME=family:location` to choose its name in tables, folders and reports. Without
    `scoring`, the model's default for the collection is used, as on the command line; of a chat model, which has one
    default scoring per prompt, only the first, so that there is one run.

    With `renamed=20`, items in which people are named are asked 20 times more, each time with other names; the metrics
    `renamed` and `renamed-sd` are the mean accuracy and its spread. `seed` decides which schemas a `limit` keeps, and
    what models that guess answer.

    `device`, `precision` and `batch_tokens` say how the model computes; any other keyword is an option of its family
    (`shots=4`, which is `--option shots=4` on the command line). `options` takes all of them from a mapping.

    A collection that overlaps with what a model was trained on, as far as the model's folder records it, is refused;
    `allow_overlap=True` evaluates it all the same, and the run and its report say so.

    With a `folder`, the run is stored there as it proceeds, and the same call resumes it; the runs of lists get one
    folder each inside it, named as `winoglot evaluate -o` names them, so that either resumes the other's runs. In a
    notebook or a terminal, a bar shows the `progress` of whatever takes longer than two seconds.

    Before a server gets requests, a line says how many. `before_sending`, called with the name of the model and that
    number, replaces it; if it raises an error, nothing is sent.

    >>> import winoglot as wg
    >>> run = evaluate(wg.load("winoglot-en"), "first", limit=2)
    >>> len(run.predictions), run.predictions[0].choice
    (4, 0)
    >>> [run.settings.model for run in evaluate(wg.load("winoglot-en"), ["first", "second"], limit=2)]
    ['first', 'second']
    """
    check_argument(folder, (str, Path, NoneType), "a folder", "Give its path, or leave it out to store nothing.")
    spec = spec_of(collection, model, options, scoring=scoring, readings=readings, kinds=kinds, limit=limit, **settings)
    several = spec.collections != (collection,) or listed(model, is_model) != [model]
    store = Path(folder) if folder else None
    with naming_arguments(settings):
        place = places_in(store) if several or store is None else lambda *_run: store
        session = Session(spec, place, before_sending)
    with show_progress("items", shown=progress) as begin:
        runs = session.runs(begin)
    return runs if several else runs[0]


def _shown_signature() -> Any:
    """The signature of `evaluate` with all settings and options by name, for help and notebooks to show."""
    documented = signature(evaluate)
    defaults = {field.name: field.default for kind in (RunSettings, Options) for field in fields(kind)}
    parameters = [
        parameter for parameter in documented.parameters.values() if parameter.kind is not Parameter.VAR_KEYWORD
    ]
    present = {*documented.parameters, "scorings", "more", "contact"}
    parameters += [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
        if name not in present
    ]
    return documented.replace(parameters=[*parameters, documented.parameters["settings"]])


evaluate.__signature__ = _shown_signature()  # type: ignore[attr-defined]


def spec_of(
    collection: object,
    model: object,
    options: Options | Mapping[str, Any] | None,
    *,
    scoring: object = None,
    readings: object = STYLES[0],
    **settings: Any,
) -> RunSpec:
    """What a Python call asks: one or several collections and models, with settings and options by name."""
    collections = listed(collection, lambda value: isinstance(value, Collection))
    for value in collections:
        check_argument(value, Collection, "a collection", 'Load it first: winoglot.load("winoglot-pt").')
    one_scoring = 'Give one, such as "full", or None for the model\'s default; each scoring is a run of its own.'
    check_argument(scoring, (str, NoneType), "one scoring", one_scoring)
    check_argument(readings, str, "a style of readings", f'Write "{STYLES[0]}" or "{STYLES[1]}".')
    names = {field.name for field in fields(RunSettings)} - {"scorings"}  # a call has one `scoring`
    run_settings = {name: settings.pop(name) for name in names & settings.keys()}
    model_options = options_of(options, settings, seed=run_settings.get("seed", 0))
    return RunSpec.checked(
        collections=tuple(collections),
        models=tuple(ModelSpec.of(value, model_options) for value in listed(model, is_model)),
        scorings=scoring,
        readings=readings,
        takes_first_default=True,
        **run_settings,
    )


def options_of(options: Options | Mapping[str, Any] | None, more: Mapping[str, Any], *, seed: object = 0) -> Options:
    """The options as given, or made from keywords and a mapping, in which other names are options of a family.

    >>> options_of({"device": "cpu", "shots": 4}, {"top_p": 0.9, "precision": "int8"})
    Options(precision='int8', device='cpu', batch_tokens=0, seed=0, more={'shots': '4', 'top-p': '0.9'})
    """
    shared = {name: value for name, value in more.items() if name in _OPTIONS}
    family_options = {name: value for name, value in more.items() if name not in _OPTIONS}
    if isinstance(options, Options):
        return replace(options, more={**options.more, **_family_options(family_options)})
    options = {} if options is None else options
    remedy = 'Write options={"shots": 4}, or shots=4 as an argument.'
    check_argument(options, Mapping, "a mapping as options", remedy)
    checked = {"seed": seed, **shared, **{name: options[name] for name in {*_OPTIONS, "seed"} & options.keys()}}
    for name, expected in {**_OPTIONS, "seed": "a whole number as seed"}.items():
        if name in checked:
            default = getattr(Options(), name)
            check_argument(checked[name], type(default), expected, f"The default is {default!r}.")
    family_options = {name: value for name, value in options.items() if name not in checked} | family_options
    return Options(**checked, more=_family_options(family_options))


def _family_options(options: Mapping[str, Any]) -> dict[str, str]:
    """The options that only some families have, by their names on the command line."""
    for name, value in options.items():
        check_argument(name, str, "names of options", 'Write options={"shots": 4}.')
        check_argument(value, (str, int, float), f"text or a number as {name}", f"Write {name}=4, for example.")
    return {name.replace("_", "-"): str(value) for name, value in options.items()}


@contextmanager
def naming_arguments(keywords: Iterable[str]) -> Iterator[None]:
    """Add to the error about an unknown option which argument of `evaluate` it may be a misspelling of."""
    try:
        yield
    except InputError as error:
        argument_names = [name for name in signature(evaluate).parameters if name != "settings"]
        for name in keywords:
            matches = get_close_matches(name, argument_names, n=1, cutoff=0.7)
            if matches and f"no option {name.replace('_', '-')!r}" in error.message:
                error.remedy = f"Did you mean the argument {matches[0]!r}? {error.remedy}"
        raise


def listed(value: object, is_one: Callable[[object], bool]) -> list[Any]:
    """The value as a list: of one, unless it is a collection of several already."""
    if is_one(value) or isinstance(value, str | bytes) or not isinstance(value, Iterable):
        return [value]
    return list(value)
