"""What a training and a model say of themselves, and whether a checkpoint is of this training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from winoglot._version import __version__
from winoglot.errors import InputError
from winoglot.training.checkpoint import FORMAT
from winoglot.training.trained import vocabulary_hash

if TYPE_CHECKING:
    from pathlib import Path

    from winoglot.corpus.reading import Corpus
    from winoglot.training.recipes import Recipe
    from winoglot.training.schedule import Course

_CHANGED = {
    "corpus": "the corpus has changed since the training began",
    "vocabulary": "the checkpoint is of another vocabulary",
}


def identity(recipe: Recipe, corpus: Corpus, seed: int, precision: torch.dtype, processes: int) -> dict[str, Any]:
    """All that must be the same where a training is gone on with."""
    return {
        "vocabulary": vocabulary_hash(corpus.vocabulary),
        "corpus": corpus.hash,
        "seed": seed,
        "precision": str(precision).removeprefix("torch."),
        "processes": processes,
        "recipe": recipe.numbers(),
    }


def check_same(found: dict[str, Any], wanted: dict[str, Any], folder: Path) -> None:
    """An input error where a checkpoint is of another training; it may have been meant to go on for other epochs."""
    for key, value in wanted.items():
        if key != "recipe" and found[key] != value:
            message = _CHANGED.get(key, f"the training began with {key} {found[key]}, not {value}")
            remedy = "Give what it began with, or begin anew: --force, or another folder."
            raise InputError(message, remedy=remedy, file=str(folder))
    for key, value in wanted["recipe"].items():
        if key != "epochs" and found["recipe"].get(key) != value:
            message = f"the training began with {key} {found['recipe'].get(key)!r}, not {value!r}"
            raise InputError(message, remedy="Give the same recipe, or begin anew: --force.", file=str(folder))


def describe(
    same: dict[str, Any], corpus: Corpus, course: Course, parameters: int, averaged: int, loss: float
) -> dict[str, Any]:
    """The content of a model's `config.json`: of a training with such an identity, as it stands."""
    return {
        "format": FORMAT,
        "kind": same["recipe"]["kind"],
        "language": corpus.language,
        **same,
        "vocabulary": {"types": len(corpus.vocabulary), "sha256": same["vocabulary"]},
        "corpus": {"name": corpus.path.resolve().name, "hash": corpus.hash},
        "parameters": parameters,
        "steps": course.step,
        "epochs": course.epoch,
        "tokens": course.tokens,
        "seconds": round(course.seconds, 1),
        "averaged": averaged,
        "losses": {"valid": loss, "checks": list(course.losses)},
        "versions": {"winoglot": __version__, "torch": torch.__version__},
    }
