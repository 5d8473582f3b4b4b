"""Random search: settings drawn from a declared space, one model for each, ranked by validation accuracy.

A space names settings of a recipe and their possible values: `hidden=64,128,256` (any of these), `rate=1e-4..1e-2` (a
number in between, drawn on a logarithmic scale if the ends are more than ten times apart), `layers=1..4` (a whole
number). If the embedding of a transformer is drawn from a range, it is rounded down to a multiple of twice its heads.
"""

from __future__ import annotations

import json
import math
import random
from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot.corpus.workers import workers
from winoglot.errors import DivergedError, InputError
from winoglot.files import parse_json, write_whole
from winoglot.finetune import need_finetuning
from winoglot.folders import check_same, lock
from winoglot.logic.solvers.data import PairChoice
from winoglot.logic.solvers.recipes import RECIPES, find_pair_recipe
from winoglot.settings import change_settings
from winoglot.training import need_training

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from winoglot.finetune.tuning import FinetuneFolder
    from winoglot.logic.solvers.learning import PairFolder

TRIALS = "search.json"
PAPER = ("embedding=10..500", "hidden=10..500", "layers=1..6", "rate=1e-5..1", "dropout=0..0.9", "batch=32..128")
_FOREST = ("trees=10..1000",)
_TUNING = ("rate=2e-5,3e-5,5e-5", "batch=16,32", "epochs=2,3,4")  # what Devlin et al. (2019) recommend for BERT
_TUNING_LORA = ("rate=1e-4..1e-3", "batch=16,32,64", "epochs=2,3,4", "rank=4,8,16,32")
_OPTION = "--space"
_OTHER = "Choose another folder with -o."


def default_space(model: str, *, lora: bool = False) -> tuple[str, ...]:
    """The paper's space; of a bag of words the size of its forest, of a model that is fine-tuned the usual values."""
    if model not in RECIPES:
        return _TUNING_LORA if lora else _TUNING
    return _FOREST if model == "bag" else PAPER


def drawn(space: Sequence[str], draw: random.Random) -> list[str]:
    """One value for each setting of the space.

    >>> drawn(["hidden=64,128", "layers=1..4"], random.Random(0))
    ['hidden=128', 'layers=4']
    """
    for setting in space:
        if "=" not in setting:
            remedy = f"Write --space {setting}=64,128 or --space {setting}=64..256."
            raise InputError(f"the space of {setting!r} has no values", remedy=remedy)
    return [f"{name}={_value(name, text, draw)}" for name, _, text in (setting.partition("=") for setting in space)]


def _value(name: str, text: str, draw: random.Random) -> str:
    low, dots, high = text.partition("..")
    if not dots:
        return draw.choice(text.split(","))
    try:
        ends = float(low), float(high)
        if not ends[0] < ends[1]:
            raise ValueError("the first number must be the smaller one")
    except ValueError as error:
        message = f"{name}={text} is not a valid space: {error}"
        raise InputError(message, remedy=f"Write --space {name}=low..high or --space {name}=one,another.") from error
    if all(part.isdecimal() for part in (low, high)):
        return str(draw.randint(int(low), int(high)))
    if ends[0] > 0 and ends[1] > 10 * ends[0]:
        return f"{math.exp(draw.uniform(*map(math.log, ends))):.3g}"
    return f"{draw.uniform(*ends):.3g}"


def trial_settings(model: str, space: Sequence[str], seed: int, number: int, *, lora: bool = False) -> list[str]:
    """The settings of a trial; settings that such a model cannot have are an input error."""
    settings = drawn(space, random.Random(f"winoglot search {seed} {number}"))
    if model not in RECIPES:
        from winoglot.logic.solvers.tuning import find_tuning_recipe

        find_tuning_recipe(model, settings, lora=lora, option=_OPTION)
        return settings
    if model == "transformer" and any(setting.startswith("embedding=") and ".." in setting for setting in space):
        recipe = change_settings(RECIPES[model], settings, unknown=f"{model} has no setting", option=_OPTION)
        unit = 2 * recipe.heads
        rounded = max(unit, recipe.embedding // unit * unit)
        settings = [f"embedding={rounded}" if setting.startswith("embedding=") else setting for setting in settings]
    find_pair_recipe(model, settings, option=_OPTION)
    return settings


def search(
    model: str,
    data: Path,
    out: Path,
    *,
    validation: Path | None = None,
    space: Sequence[str] = (),
    trials: int = 20,
    seed: int = 0,
    worker_count: int = 1,
    cluster: str | None = None,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
    **more: Any,
) -> list[dict[str, Any]]:
    """Train a model for each trial, and list them, the best by its validation accuracy first.

    The seed and n determine the settings of trial n, so more trials extend a search. Every trial is a folder,
    `trial-n`; what was interrupted is continued. `model` is a family, or a model to fine-tune. `more` goes to `train`:
    tasks, languages, depths, size, lora, device …
    """
    if trials < 1:
        raise InputError(f"--trials is {trials}", remedy="Use 1 or more.")
    lora = bool(more.get("lora"))
    _check_model(model, lora=lora)
    space = list(space or default_space(model, lora=lora))
    names = [setting.partition("=")[0] for setting in space]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{name} is given twice in the space", remedy="Give each setting once.")
    plan = [
        {"trial": number, "settings": trial_settings(model, space, seed, number, lora=lora), "seed": seed + number}
        for number in range(trials)
    ]
    sources = {"data": str(data.resolve()), "validation": validation and str(validation.resolve())}
    request = json.loads(json.dumps({"model": model, **sources, "space": space, "seed": seed, **more}))
    more["validation"] = validation and validation.absolute()
    pairs = _pairs_hash(data, more)
    file = out / TRIALS
    with lock(out), workers(worker_count, cluster, out) as run_tasks:
        if file.is_file():
            stored = parse_json(file.read_bytes())
            if stored["asked"]["space"] != space:
                message = f"this search was started with a different space: {' '.join(stored['asked']['space'])}"
                raise InputError(message, remedy=_OTHER, file=str(out))
            check_same(stored["asked"], request, what="search", remedy=_OTHER, folder=out)
            _check_pairs(stored.get("pairs", ""), pairs, data, out)
        else:
            write_whole(file, json.dumps({"asked": request, "pairs": pairs, "trials": []}, indent=1) + "\n")
        results: list[dict[str, Any]] = []
        try:
            for result in run_tasks(partial(_try, model, data.absolute(), out.absolute(), more, pairs), plan):
                results.append(result)
                progress(len(results), trials)
        except InputError:
            if not any(out.glob("trial-*")):
                file.unlink()  # nothing has been trained, so leave nothing behind
            raise
        results.sort(key=lambda result: (-(result["accuracy"] or 0.0), result["trial"]))
        write_whole(
            file, json.dumps({"asked": request, "pairs": pairs, "trials": results}, indent=1) + "\n", force=True
        )
    return results


def _check_model(model: str, *, lora: bool) -> None:
    """Refuse what cannot be trained on pairs before a folder is made."""
    if model in RECIPES:
        need_training()
        if lora:
            raise InputError(f"{model} is trained as a whole", remedy="Leave out --lora.")
        return
    need_finetuning(lora=lora)
    from winoglot.logic.solvers.tuning import find_solver

    find_solver(model, "cpu")


def _pairs_hash(data: Path, more: Mapping[str, Any]) -> str:
    """The hash of the validation pairs and of all training pairs, from which each trial draws its own sample."""
    from winoglot.logic.solvers.learning import gather

    tasks, languages, depths = (tuple(more.get(name, ())) for name in ("tasks", "languages", "depths"))
    return gather(data, PairChoice(tasks, languages, depths), validation=more["validation"]).hash


def _check_pairs(before: str, now: str, data: Path, out: Path) -> None:
    if now != before:
        message = f"the pairs have changed since the search in {out} was started"
        raise InputError(message, remedy="Restore them, or choose another folder with -o.", file=str(data))


def _try(
    model: str, data: Path, out: Path, more: Mapping[str, Any], pairs: str, trial: Mapping[str, Any]
) -> dict[str, Any]:
    """One trial: trained, continued, or read if it is finished; a training that diverges has no accuracy."""
    from winoglot.logic.solvers import train

    path = out / f"trial-{trial['trial']}"
    folder = _folder(model, path)
    if (path / folder.description).is_file():
        return {**trial, "accuracy": folder.read()["accuracy"]}
    _check_pairs(pairs, _pairs_hash(data, more), data, out)
    try:
        trained = train(model, data, path, settings=trial["settings"], seed=trial["seed"], resume=True, **more)
    except DivergedError:
        return {**trial, "accuracy": None}
    if trained.why == "signal":
        raise KeyboardInterrupt
    return {**trial, "accuracy": trained.accuracy}


def _folder(model: str, path: Path) -> PairFolder | FinetuneFolder:
    """The folder of a trial's model."""
    from winoglot.finetune.tuning import FinetuneFolder
    from winoglot.logic.solvers.learning import PairFolder

    return PairFolder(path) if model in RECIPES else FinetuneFolder(path)


def trial_address(model: str, out: Path, number: int) -> str:
    """How the model of a finished trial is asked."""
    path = out / f"trial-{number}"
    return f"{'logic' if model in RECIPES else _folder(model, path).read()['family']}:{path}"
