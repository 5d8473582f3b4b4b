"""Models that were trained on pairs here: `logic:DIR`, a folder that `winoglot logic train` wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.models.base import read_options
from winoglot.training import need_training

if TYPE_CHECKING:
    from winoglot.models.base import Options, Solver


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject a folder without a finished model for pairs; return the scorings that such a model has."""
    from winoglot.logic.solvers.questions import LABELLED

    _read_model(location, options)
    return (LABELLED,)


def load(location: str, options: Options) -> Solver:
    """The small network or bag of words in a folder."""
    if _read_model(location, options)["family"] == "bag":
        from winoglot.logic.solvers.bag import BagSolver

        return BagSolver(location)
    from winoglot.logic.solvers.learning import NetworkSolver

    return NetworkSolver(location, options.device)


def _read_model(location: str, options: Options) -> dict[str, object]:
    need_training()
    from winoglot.logic.solvers.learning import PairFolder

    read_options(options.more)  # there are none
    return PairFolder(Path(location)).read()
