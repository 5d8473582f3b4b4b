"""Models asked about pairs: their answers are an ordinary run, stored batch by batch, that can be resumed."""

from __future__ import annotations

import platform
import time
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot._version import __version__
from winoglot.errors import InputError, did_you_mean
from winoglot.folders import lock
from winoglot.logic.solvers.data import controlled, example_set, labels_of
from winoglot.models.naming import model_name
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.store import RunWriter
from winoglot.training import need_training

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.examples import ExampleSet
    from winoglot.logic.pair import Pair
    from winoglot.logic.solvers.base import LogicSolver
    from winoglot.models.base import Options, Scores

READINGS = "pairs"  # of a run over pairs, where a run over schemas says how candidates were put in place


def solver_for(model: str, options: Options, language: str) -> LogicSolver:
    """The solver `logic:DIR`, trained here, or any model of `winoglot evaluate`; `NAME=…` gives it another name."""
    asked = model_name(model)
    if asked.family != "logic":
        from winoglot.logic.solvers.asking import asked_solver

        return asked_solver(model, options, language)
    need_training()
    from winoglot.logic.solvers.learning import NetworkSolver, PairFolder

    location = asked.found_location()
    if PairFolder(Path(location)).read()["family"] == "bag":
        from winoglot.logic.solvers.bag import BagSolver

        solver: LogicSolver = BagSolver(location)
    else:
        solver = NetworkSolver(location, options.device)
    solver.name, solver.address = asked.name, asked.address
    return solver


def check_askable(solver: LogicSolver, pairs: Sequence[Pair], scoring: str | None, name: str) -> str:
    """The scoring to use, the solver's default if none is named; an input error if it cannot be asked so."""
    chosen = scoring or solver.scorings[0]
    if chosen not in solver.scorings:
        raise InputError(f"{solver.name} has no scoring {chosen!r}", remedy=did_you_mean(chosen, solver.scorings))
    solver.check_pairs(pairs, name)
    return chosen


def answered(
    solver: LogicSolver,
    pairs: Sequence[Pair],
    *,
    scoring: str | None = None,
    source: ExampleSet | None = None,
    folder: Path | None = None,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> Run:
    """The run of a solver over pairs; a run begun in the folder is continued."""
    source = source or example_set(pairs)
    chosen = check_askable(solver, pairs, scoring, source.name)
    settings = Settings(
        model=solver.name,
        address=solver.address,
        scoring=chosen,
        readings=READINGS,
        fingerprint=solver.fingerprint,
        model_settings={name: str(value) for name, value in solver.settings_for(source.language).items()},
    )
    made_with = {"winoglot": __version__, "python": platform.python_version()}
    for library in solver.libraries:
        with suppress(PackageNotFoundError):
            made_with[library] = version(library)
    run = Run(source, settings, (), made_with=made_with, is_baseline=solver.is_baseline)
    if folder is None:
        return _filled(RunWriter(run), solver, pairs, source, chosen, progress)
    with lock(folder):
        return _filled(RunWriter(run, folder), solver, pairs, source, chosen, progress)


def _filled(
    writer: RunWriter,
    solver: LogicSolver,
    pairs: Sequence[Pair],
    source: ExampleSet,
    scoring: str,
    progress: Callable[[int, int], None],
) -> Run:
    """The run, after asking the pairs that are missing from it."""
    labels = labels_of(pairs)
    writer.resume(pair.id for pair in pairs)
    hashes = {one.id: one.hash for one in source.examples}
    waiting = [pair for pair in pairs if writer.lacks(pair.id)]
    for start in range(0, len(waiting), solver.at_once):
        batch = waiting[start : start + solver.at_once]
        begun, before = time.perf_counter(), dict(solver.spent)
        found = solver.score(controlled(batch, solver.control, 0, training=False), labels, scoring)
        writer.spend({name: count - before.get(name, 0) for name, count in solver.spent.items()})
        predictions = [_prediction(pair.id, hashes[pair.id], one) for pair, one in zip(batch, found, strict=True)]
        writer.append(predictions, time.perf_counter() - begun, {pair.id for pair in batch})
        progress(len(pairs) - len(waiting) + start + len(batch), len(pairs))
    return writer.run()


def _prediction(name: str, own_hash: str, scores: Scores) -> Prediction:
    choice = scores.choice(Settings.tolerance)
    note = scores.note if choice is not None else scores.abstention
    return Prediction(name, own_hash, choice, scores.values, note)
