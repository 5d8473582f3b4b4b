"""Gemma 3 270M, fine-tuned on schemas: the default model with an adapter that comes with Winoglot (extra `gemma`).

The folder `gemma-3-270m-tuned` has the adapter, a record of what it was trained on, its card and its terms of use;
`scripts/ship_adapter.py` writes it. The adapter is added to the weights when they are loaded, so the model is as fast
as the one without it.
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.models import gemma_3_270m

if TYPE_CHECKING:
    from winoglot.models.base import Options
    from winoglot.models.causal import CausalSolver

NAME = "gemma-3-270m-tuned"
FINETUNING = gemma_3_270m.FINETUNING
FOLDER = Path(__file__).with_name(NAME)
SUMS = "SHA256SUMS"  # of the files that a score or a refusal depends on


def check(location: str, options: Options) -> tuple[str, ...]:
    """Reject a location, a wrong option or a damaged adapter before anything is loaded."""
    scorings = gemma_3_270m.check(location, options, NAME)
    check_files(FOLDER)
    return scorings


def load(location: str, options: Options) -> CausalSolver:
    """The default model with the adapter, which also records what the model must not be asked."""
    check(location, options)
    solver = gemma_3_270m.load("", options)
    solver.add_adapter(FOLDER)
    solver.name = NAME
    return solver


def check_files(folder: Path) -> None:
    """Refuse an adapter whose files are missing or differ from those that were published."""
    remedy = f'Install Winoglot again, or restore the files in a clone: git restore "{folder}".'
    try:
        lines = (folder / SUMS).read_text(encoding="ascii").splitlines()
        for expected, name in (line.split() for line in lines):
            sha256 = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            if sha256 != expected:
                message = f"{NAME} is damaged: the SHA-256 of {name} is {sha256[:16]}…, not {expected[:16]}…"
                raise InputError(message, remedy=remedy, file=str(folder))
    except FileNotFoundError as error:
        message = f"{NAME} is incomplete: {Path(error.filename).name} is missing"
        raise InputError(message, remedy=remedy, file=str(folder)) from error
    except (OSError, ValueError) as error:
        raise InputError(f"{NAME} cannot be checked: {error}", remedy=remedy, file=str(folder)) from error
