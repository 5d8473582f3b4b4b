"""Random search: settings drawn from a declared space, one small model for each, ranked by validation accuracy.

A space names settings of a recipe and their possible values: `hidden=64,128,256` (any of these), `rate=1e-4..1e-2` (a
number in between, drawn on a logarithmic scale if the ends are more than ten times apart), `layers=1..4` (a whole
number).
"""

from __future__ import annotations

import json
import math
import random
from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot.corpus.workers import workers
from winoglot.errors import InputError
from winoglot.files import write_whole
from winoglot.folders import check_same, lock
from winoglot.logic.solvers.recipes import find_pair_recipe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

TRIALS = "search.json"
PAPER = ("embedding=10..500", "hidden=10..500", "layers=1..6", "rate=1e-5..1", "dropout=0..0.9", "batch=32..128")


def drawn(space: Sequence[str], draw: random.Random) -> list[str]:
    """One value for each setting of the space.

    >>> drawn(["hidden=64,128", "layers=1..4"], random.Random(0))
    ['hidden=128', 'layers=4']
    """
    return [f"{name}={_value(name, text, draw)}" for name, _, text in (one.partition("=") for one in space)]


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
        raise InputError(message, remedy="Write name=low..high or name=one,another.") from error
    if all(part.isdecimal() for part in (low, high)):
        return str(draw.randint(int(low), int(high)))
    if ends[0] > 0 and ends[1] > 10 * ends[0]:
        return f"{math.exp(draw.uniform(*map(math.log, ends))):.3g}"
    return f"{draw.uniform(*ends):.3g}"


def search(
    model: str,
    data: Path,
    out: Path,
    *,
    space: Sequence[str] = PAPER,
    trials: int = 20,
    seed: int = 0,
    worker_count: int = 1,
    cluster: str | None = None,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
    **more: Any,
) -> list[dict[str, Any]]:
    """Train a model for each trial, and list them, the best by its validation accuracy first.

    The seed and n determine the settings of trial n, so more trials extend a search. Every trial is a folder,
    `trial-n`; what was interrupted is continued. `more` goes to `train`: tasks, languages, depths, size, device …
    """
    if trials < 1:
        raise InputError(f"--trials is {trials}", remedy="Use 1 or more.")
    asked = json.loads(
        json.dumps({"model": model, "data": str(data.resolve()), "space": list(space), "seed": seed, "more": more})
    )
    out.mkdir(parents=True, exist_ok=True)
    with lock(out):
        file = out / TRIALS
        if file.is_file():
            found = json.loads(file.read_bytes())["asked"]
            check_same(found, asked, what="search", remedy="Choose another folder with -o.", folder=out)
        plan = []
        for number in range(trials):
            settings = drawn(space, random.Random(f"winoglot search {seed} {number}"))
            find_pair_recipe(model, settings)  # before anything is trained
            plan.append({"trial": number, "settings": settings, "seed": seed + number})
        write_whole(file, json.dumps({"asked": asked, "trials": []}, indent=1) + "\n", force=True)
        made: list[dict[str, Any]] = []
        with workers(worker_count, cluster, out) as run_tasks:
            for one in run_tasks(partial(_try, model, data.absolute(), out.absolute(), more), plan):
                made.append(one)
                progress(len(made), trials)
        made.sort(key=lambda one: (-(one["accuracy"] or 0.0), one["trial"]))
        write_whole(file, json.dumps({"asked": asked, "trials": made}, indent=1) + "\n", force=True)
    return made


def _try(model: str, data: Path, out: Path, more: Mapping[str, Any], trial: Mapping[str, Any]) -> dict[str, Any]:
    """One trial: trained, continued, or read if it is finished; a training that diverges has no accuracy."""
    from winoglot.errors import DivergedError
    from winoglot.logic.solvers import train
    from winoglot.logic.solvers.learning import PairFolder

    folder = out / f"trial-{trial['trial']}"
    if (folder / PairFolder.description).is_file():
        return {**trial, "accuracy": PairFolder(folder).read()["accuracy"]}
    try:
        made = train(model, data, folder, settings=trial["settings"], seed=trial["seed"], resume=True, **more)
    except DivergedError:
        return {**trial, "accuracy": None}
    return {**trial, "accuracy": made.accuracy}
