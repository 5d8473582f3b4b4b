"""Evaluate: models answer collections.

`evaluate` is the Python call, `evaluate_many` what the command line uses: it checks everything first, and a model or
collection that fails costs only its own runs. Both end in `solve.evaluate_scorings`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from inspect import signature
from itertools import product
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Any, overload

from winoglot import notebook
from winoglot.errors import InputError, check_argument, describe, did_you_mean
from winoglot.files import folder_name
from winoglot.languages.readings import readings as readings_of
from winoglot.models.base import LoadingError, Options, Solver, as_solver, check_model, check_options, load_model
from winoglot.models.naming import check_distinct, model_name
from winoglot.perturb.base import with_kinds
from winoglot.perturb.renamed.draws import check_draws
from winoglot.runs.execute import RunRequest, evaluate_scorings
from winoglot.runs.questions import asked, check_limit, limited
from winoglot.runs.run import Run, Runs
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


@overload
def evaluate(
    collection: Collection,
    model: str | Solver,
    scoring: str | None = None,
    readings: str = "grammatical",
    kinds: str | Sequence[str] | None = (),
    limit: int | None = None,
    *,
    renamed: int = 0,
    seed: int = 0,
    device: str = "auto",
    precision: str = "float32",
    batch_tokens: int = 0,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    allow_overlap: bool = False,
    progress: bool = True,
    **more: Any,
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
    renamed: int = 0,
    seed: int = 0,
    device: str = "auto",
    precision: str = "float32",
    batch_tokens: int = 0,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    allow_overlap: bool = False,
    progress: bool = True,
    **more: Any,
) -> Runs: ...
def evaluate(
    collection: Collection | Iterable[Collection],
    model: str | Solver | Iterable[str | Solver],
    scoring: str | None = None,
    readings: str = "grammatical",
    kinds: str | Sequence[str] | None = (),
    limit: int | None = None,
    *,
    renamed: int = 0,
    seed: int = 0,
    device: str = "auto",
    precision: str = "float32",
    batch_tokens: int = 0,
    options: Options | Mapping[str, Any] | None = None,
    folder: str | Path | None = None,
    allow_overlap: bool = False,
    progress: bool = True,
    **more: Any,
) -> Run | Runs:
    """Ask a model to resolve a collection. Lists of collections or models give a list of runs, one per combination.

    A model is `family:location`, or `NAME=family:location` to give it the name that it has in tables, folders and
    reports. Without `scoring`, the model's default for the collection is used, as on the command line; of a chat model,
    which has one default scoring per prompt, only the first, so that there is one run.

    With `renamed=20`, items in which people are named are asked 20 times more, each time with other names; the metrics
    `renamed` and `renamed-sd` are the mean accuracy and its spread.

    `device`, `precision` and `batch_tokens` say how the model computes; any other keyword is an option of its family
    (`shots=4`, which is `--option shots=4` on the command line). `options` takes all of them from a mapping.

    A collection that overlaps with what a model was trained on, as far as the model's folder says so, is refused;
    `allow_overlap` evaluates it all the same, and the run and its report say so.

    With a `folder`, the run is stored there as it proceeds, and the same call resumes it; the runs of lists get one
    folder each inside it, named as `winoglot evaluate -o` names them, so that either resumes the other's runs. In a
    notebook or a terminal, a bar shows the `progress` of whatever takes longer than two seconds.

    >>> import winoglot as wg
    >>> run = evaluate(wg.load("winoglot-en"), "first", limit=2)
    >>> len(run.predictions), run.predictions[0].choice
    (4, 0)
    >>> [run.settings.model for run in evaluate(wg.load("winoglot-en"), ["first", "second"], limit=2)]
    ['first', 'second']
    """
    collections = listed(collection, lambda one: isinstance(one, Collection))
    models = listed(model, _is_model)
    for given, what in ((collections, "collections"), (models, "models")):
        if not given:
            raise InputError(f"the list of {what} is empty", remedy=f"Give one of the {what}, or a list of them.")
    for one in collections:
        check_argument(one, Collection, "a collection", 'Load it first: winoglot.load("winoglot-pt").')
    one_scoring = 'Give one, such as "full", or None for the model\'s default; each scoring is a run of its own.'
    check_argument(scoring, (str, NoneType), "one scoring", one_scoring)
    check_argument(readings, str, "a style of readings", 'Write "grammatical" or "naive".')
    check_limit(limit)
    check_argument(allow_overlap, bool, "True or False as allow_overlap", "The default is False.")
    check_argument(folder, (str, Path, NoneType), "a folder", "Give its path, or leave it out to store nothing.")
    for one in collections:
        check_draws(renamed, one)
    chosen = options_of(options, more, seed=seed, device=device, precision=precision, batch_tokens=batch_tokens)
    with _naming_arguments(more):
        _check_models(models, chosen)
    check_distinct(model_name(one) for one in models if isinstance(one, str))
    several = collections != [collection] or models != [model]
    runs = Runs()
    with notebook.progress("items", shown=progress) as begin:
        for one in models:
            name, own = (model_name(one).name, chosen.more) if isinstance(one, str) else (one.name, {})
            begin(f"loading {name}")
            solver = load_model(one, chosen) if isinstance(one, str) else as_solver(one)
            request = RunRequest(
                (scoring,) if scoring else (),
                readings,
                _kinds_of(kinds),
                limit,
                seed,
                renamed=renamed,
                options=own,
                allow_overlap=allow_overlap,
            )
            for each in collections:
                report = begin(f"{name} on {each.name}")
                by = scorings_of(each, solver, request)[0]
                folders = {}
                if folder:
                    folders[by] = run_folder(Path(folder), each.name, name, by, readings) if several else Path(folder)
                runs += evaluate_scorings(each, solver, replace(request, scorings=(by,)), folders, report)
    return runs if several else runs[0]


def scorings_of(collection: Collection, solver: Solver, request: RunRequest) -> tuple[str, ...]:
    """The request's scorings or, if it has none, the solver's default ones for this collection; never empty."""
    if request.scorings or len(solver.scorings) == 1:
        return request.scorings or solver.scorings
    if getattr(solver.default_scorings, "__func__", None) is Solver.default_scorings:  # whatever is asked
        return solver.scorings[:1]
    questions = [one.question for one in asked(collection, (), request.readings)]
    return solver.default_scorings(questions) or solver.scorings[:1]


def run_folder(output: Path, collection: str, model: str, scoring: str, readings: str) -> Path:
    """Where a run is stored among others; `model` is the name that it was given, or its address."""
    return output / folder_name(collection, model, scoring, readings)


def options_of(given: Options | Mapping[str, Any] | None, more: Mapping[str, Any], **named: Any) -> Options:
    """The options as given, or made from keyword arguments and a mapping, whose other names are the family's own.

    >>> options_of({"device": "cpu", "shots": 4}, {"top_p": 0.9}, precision="int8")
    Options(precision='int8', device='cpu', batch_tokens=0, seed=0, more={'shots': '4', 'top-p': '0.9'})
    """
    if isinstance(given, Options):
        return replace(given, more={**given.more, **_family_options(more)})
    given = {} if given is None else given
    remedy = 'Write options={"shots": 4}, or shots=4 as an argument.'
    check_argument(given, Mapping, "a mapping as options", remedy)
    own = {one.name for one in fields(Options)} - {"more", "contact"}
    others = {name: value for name, value in given.items() if name not in own}
    named |= {name: given[name] for name in own & given.keys()}
    for name, kind, expected in (
        ("device", str, "a device"),
        ("precision", str, "a precision"),
        ("batch_tokens", int, "a number of tokens as batch_tokens"),
        ("seed", int, "a whole number as seed"),
    ):
        if name in named:
            check_argument(named[name], kind, expected, f"The default is {getattr(Options(), name)!r}.")
    return Options(**named, more=_family_options({**others, **more}))


def _family_options(given: Mapping[str, Any]) -> dict[str, str]:
    """By the name it has on the command line, the value of each option that only some families have."""
    for name, value in given.items():
        check_argument(name, str, "names of options", 'Write options={"shots": 4}.')
        check_argument(value, (str, int, float), f"text or a number as {name}", f"Write {name}=4, for example.")
    return {name.replace("_", "-"): str(value) for name, value in given.items()}


@contextmanager
def _naming_arguments(keywords: Iterable[str]) -> Iterator[None]:
    """If a keyword is no option of the family and looks like an argument of `evaluate`, say so."""
    try:
        yield
    except InputError as error:
        own = [name for name in signature(evaluate).parameters if name != "more"]
        for name in keywords:
            close = get_close_matches(name, own, n=1, cutoff=0.7)
            if close and f"no option {name.replace('_', '-')!r}" in error.message:
                error.remedy = f"Did you mean the argument {close[0]!r}? {error.remedy}"
        raise


def _check_models(models: Sequence[Any], options: Options) -> None:
    """Refuse what is no model, and what can be refused before any is loaded."""
    for one in models:
        if not _is_model(one):
            remedy = 'Give a name such as "gemma-3-270m" or "causal:FOLDER", a solver, or a list of them.'
            raise InputError(f"expected a model, found {describe(one)}", remedy=remedy)
    named = [one for one in models if isinstance(one, str)]
    check_options(options, named)
    for name in named:
        check_model(name, options)
    if options.more and not named:
        message = f"there is no option {next(iter(options.more))!r} of {models[0].name}"
        raise InputError(message, remedy="Leave it out: this solver is loaded already, with options of its own.")


def _kinds_of(given: object) -> tuple[str, ...]:
    """One name, several or none.

    >>> _kinds_of("switched"), _kinds_of(["switched", "after-only"]), _kinds_of(None)
    (('switched',), ('switched', 'after-only'), ())
    """
    names = () if given is None else tuple(listed(given, lambda one: isinstance(one, str)))
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"expected names of kinds, found {describe(given)}", remedy='Write kinds=["switched"].')
    return names


def listed(given: object, is_one: Callable[[object], bool]) -> list[Any]:
    """One or several, as a list."""
    if is_one(given) or isinstance(given, str | bytes) or not isinstance(given, Iterable):
        return [given]
    return list(given)


def _is_model(given: object) -> bool:
    return isinstance(given, str) or all(hasattr(given, name) for name in ("score", "scorings", "fingerprint"))


@dataclass(frozen=True)
class Evaluated:
    """The runs that were made, and the reason for each that failed, with its name.

    A `bug` is an error that is not the user's. It ended the evaluation; the caller raises it once the runs are shown.
    """

    runs: tuple[Run, ...]
    failures: tuple[tuple[str, InputError], ...] = ()
    bug: Exception | None = None


def evaluate_many(
    collections: Sequence[Collection],
    models: Sequence[str],
    styles: Sequence[str],
    request: RunRequest,
    options: Options,
    *,
    output: Path | None = None,
    kinds: Mapping[str, tuple[str, ...]] | None = None,
    begin: Callable[[str], Callable[[int, int], None]] = lambda _name: lambda _done, _total: None,
) -> Evaluated:
    """Each model on each collection and style of readings, by the request's scorings or the model's default ones.

    Families, locations, scorings, kinds and styles are checked before anything is loaded or scored. A model that fails
    later, or a collection that it cannot handle, costs only its own runs. With `output`, each run is stored in a folder
    there. `kinds` are variants for single collections, by name, instead of the request's. `begin` is called with the
    name of each pass and returns the function to report its progress to.
    """
    requests = {one.name: replace(request, kinds=(kinds or {}).get(one.name, request.kinds)) for one in collections}
    models, styles = list(dict.fromkeys(models)), list(dict.fromkeys(styles))
    collections = [one for place, one in enumerate(collections) if one not in collections[:place]]
    _check(collections, models, styles, requests, options)
    named = {one: model_name(one).name for one in models}
    if output is not None:
        check_folders([one.name for one in collections], list(named.values()))
    runs: list[Run] = []
    failures: list[tuple[str, InputError]] = []
    for model, name in named.items():
        try:
            solver = load_model(model, options)
        except InputError as error:
            failures.append((name, error))
            continue
        except Exception as bug:
            return Evaluated(tuple(runs), tuple(failures), bug)
        for collection, style in product(collections, styles):
            progress = begin(f"{collection.name} {name} {style}")
            try:
                wanted = replace(requests[collection.name], readings=style)
                wanted = replace(wanted, scorings=scorings_of(collection, solver, wanted))
                folders = {s: run_folder(output, collection.name, name, s, style) for s in wanted.scorings if output}
                runs += evaluate_scorings(collection, solver, wanted, folders, progress)
            except LoadingError as error:
                failures.append((name, error))
                break
            except InputError as error:
                failures.append((f"{name} on {collection.name}, {style} readings", error))
            except Exception as bug:
                return Evaluated(tuple(runs), tuple(failures), bug)
        del solver  # only one model at a time is in memory
    return Evaluated(tuple(runs), tuple(failures))


def check_folders(collections: Sequence[str], models: Sequence[str]) -> None:
    """Refuse runs whose folders would have the same name because their names differ only in special characters."""
    taken: dict[str, str] = {}
    for collection, model in product(collections, models):
        place = folder_name(collection, model)
        if place in taken:
            message = f"{taken[place]} and {model} on {collection} would be stored in the same folder"
            raise InputError(message, remedy="Rename one of them, or evaluate them into different folders.")
        taken[place] = f"{model} on {collection}"


def _check(
    collections: Sequence[Collection],
    models: Sequence[str],
    styles: Sequence[str],
    requests: Mapping[str, RunRequest],
    options: Options,
) -> None:
    check_options(options, models)
    names = [model_name(one) for one in models]
    check_distinct(names)
    for one in names:
        known = check_model(str(one), options)
        for scoring in dict.fromkeys(scoring for request in requests.values() for scoring in request.scorings):
            if known is not None and scoring not in known:
                raise InputError(f"{one.name} has no scoring {scoring!r}", remedy=did_you_mean(scoring, known))
    for collection in collections:
        request = requests[collection.name]
        check_draws(request.renamed, collection)
        check_collections([collection], styles, request.kinds, request.limit, request.seed)


def check_collections(
    collections: Sequence[Collection], styles: Sequence[str], kinds: Sequence[str], limit: int | None, seed: int
) -> None:
    """Refuse kinds and styles of readings that the collections cannot have."""
    for collection in collections:
        with_kinds(limited(collection, limit, seed), kinds, collection)
        for item, style in product(collection.items[:1], styles):
            readings_of(item, style, language=collection.language)
