"""Many collections, models and scorings in one go: what cannot be is refused first, what fails later stands alone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING

from winoglot.errors import InputError, located, nearest
from winoglot.files import folder_name
from winoglot.languages.readings import readings
from winoglot.models.base import check_model, load_model
from winoglot.perturb.base import with_kinds
from winoglot.runs.evaluate import Request, check_options, evaluate_all
from winoglot.runs.questions import asked, limited
from winoglot.runs.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from winoglot.models.base import Options
    from winoglot.schemas.model import Collection


@dataclass(frozen=True)
class Evaluated:
    """The runs that were made, and of what was not the reason, each with the name of what failed.

    A `bug` is what nobody foresaw: it ended everything, and is for the caller to raise once the runs are safe.
    """

    runs: tuple[Run, ...]
    failures: tuple[tuple[str, InputError], ...] = ()
    bug: Exception | None = None


def evaluate_many(
    collections: Sequence[Collection],
    models: Sequence[str],
    styles: Sequence[str],
    request: Request,
    options: Options,
    *,
    output: Path | None = None,
    begin: Callable[[str], Callable[[int, int], None]] = lambda _name: lambda _done, _total: None,
) -> Evaluated:
    """Each model on each collection and style of readings, by the request's scorings or, without any, its usual ones.

    Families, locations, scorings, kinds and styles are checked before anything is loaded or scored. A model that fails
    all the same, or a collection that it cannot do, costs its own runs and no other. With `output` each run is stored
    in a folder there. `begin` is told the name of each pass and gives what hears of its progress.
    """
    models, styles = list(dict.fromkeys(models)), list(dict.fromkeys(styles))
    collections = [one for place, one in enumerate(collections) if one not in collections[:place]]
    _check(collections, models, styles, request, options)
    if output is not None:
        _check_folders(collections, models)
    runs: list[Run] = []
    failures: list[tuple[str, InputError]] = []
    for name in models:
        try:
            solver = load_model(name, options)
        except InputError as error:
            failures.append((name, error))
            continue
        except Exception as bug:
            return Evaluated(tuple(runs), tuple(failures), bug)
        for collection, style in product(collections, styles):
            heard = begin(f"{collection.name} {name} {style}")
            try:
                questions = [one.question for one in asked(collection, (), style)] if not request.scorings else []
                scorings = request.scorings or solver.default_scorings(questions) or solver.scorings[:1]
                folders = {s: output / folder_name(collection.name, name, s, style) for s in scorings} if output else {}
                wanted = replace(request, scorings=scorings, readings=style)
                runs += evaluate_all(collection, solver, wanted, folders, heard)
            except InputError as error:
                failures.append((f"{name} on {collection.name}, {style} readings", error))
            except Exception as bug:
                return Evaluated(tuple(runs), tuple(failures), bug)
        del solver  # so that only one at a time takes memory
    return Evaluated(tuple(runs), tuple(failures))


def _check_folders(collections: Sequence[Collection], models: Sequence[str]) -> None:
    """Refuse runs that would lie in one folder, since names differ only in signs that no folder's name has."""
    taken: dict[str, str] = {}
    for collection, model in product(collections, models):
        place = folder_name(collection.name, model)
        if place in taken:
            remedy = "Rename one of them, or evaluate them into different folders."
            raise InputError(f"{taken[place]} and {model} on {collection.name} would lie in one folder", remedy=remedy)
        taken[place] = f"{model} on {collection.name}"


def _check(
    collections: Sequence[Collection],
    models: Sequence[str],
    styles: Sequence[str],
    request: Request,
    options: Options,
) -> None:
    check_options(options)
    for name in models:
        with located(file=name.partition(":")[0]):  # the family alone: what is refused may hold a secret
            known = check_model(name, options)
        for scoring in request.scorings:
            if known is not None and scoring not in known:
                raise InputError(f"{name} has no scoring {scoring!r}", remedy=nearest(scoring, known))
    for collection in collections:
        with_kinds(limited(collection, request.limit, request.seed), request.kinds, collection)
        for item, style in product(collection.items[:1], styles):
            readings(item, style, language=collection.language)
