"""The folder of a training: the model once it is finished, checkpoints to continue from until then, and the log.

    config.json, model.safetensors, vocabulary.txt  the model, when the training has ended
    checkpoints/last                                the last checkpoint: weights, optimiser, state
    checkpoints/best                                the best model so far, a folder like this one
    log.jsonl                                       one line per `log_every` steps and one per validation

Weights are safetensors, descriptions JSON; nothing is pickled. A description names the file of its tensors. New tensors
get a new name, the new description refers to them, and only then are the old ones removed: whenever a process is
killed, one of the two is complete.
"""

from __future__ import annotations

import json
import os
import shutil
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from winoglot.corpus.reading import VOCABULARY
from winoglot.errors import InputError
from winoglot.files import parse_json, write_whole
from winoglot.folders import WorkFolder, read_description, write_description

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import torch

CONFIG, WEIGHTS, CHECKPOINTS, LOG, CURVES = "config.json", "model.safetensors", "checkpoints", "log.jsonl", "curves.svg"
FORMAT = 1
_STATE = "state.json"
_CHECKPOINT_KEYS = frozenset(("weights", "course", "recipe", "seed", "processes", "precision", "averaged", "log_bytes"))
_AGAIN = "Copy it again, or train again."


class TrainingFolder(WorkFolder):
    """The folder of a training."""

    results: ClassVar[tuple[str, ...]] = (CONFIG, WEIGHTS, VOCABULARY, CURVES)  # files of a finished training
    data_keys: ClassVar[frozenset[str]] = frozenset(("corpus", "vocabulary"))  # of a checkpoint: what it learns from
    what = "model"
    description = CONFIG
    format = FORMAT
    keys = frozenset(("weights", "kind", "recipe", "language", "vocabulary"))
    started = frozenset((CHECKPOINTS, LOG))
    make = "Make one: winoglot train … -o DIR."
    again = "Train the model again."
    resume = "Continue: winoglot train … --resume."
    replace = "Continue it with --resume, start again with --force, or name another folder."

    @property
    def last(self) -> Path:
        """Where the last checkpoint is."""
        return self.path / CHECKPOINTS / "last"

    @property
    def state(self) -> Path:
        """The description of the last checkpoint."""
        return self.last / _STATE

    @property
    def best(self) -> Path:
        """Where the best model so far is."""
        return self.path / CHECKPOINTS / "best"

    @property
    def log(self) -> Path:
        """Where the log is."""
        return self.path / LOG

    def read(self) -> dict[str, Any]:
        """The description of the model; while it is not finished, the error names the best one so far."""
        if not (self.path / self.description).is_file() and (self.best / self.description).is_file():
            remedy = f"Continue with --resume, or use the best so far: {self.best}."
            raise InputError("the model is not finished", remedy=remedy, file=str(self.path))
        return super().read()

    def check_unfinished(self) -> None:
        """An input error if there is a finished model, and no checkpoint to continue from."""
        if (self.path / self.description).exists() and not self.state.exists():
            message = "there is a finished model here, and no checkpoint to continue from"
            remedy = "Start again with --force, or name another folder."
            raise InputError(message, remedy=remedy, file=str(self.path))

    def clear(self) -> None:
        """Remove a training that is started again."""
        shutil.rmtree(self.path / CHECKPOINTS, ignore_errors=True)
        for name in (*self.results, LOG):
            (self.path / name).unlink(missing_ok=True)

    def check_room(self, size: int) -> None:
        """An input error if the disk has less free space than the checkpoints and the model will need."""
        nearest = next(path for path in (self.path, *self.path.resolve().parents) if path.exists())
        free = shutil.disk_usage(nearest).free
        if free < size:
            message = f"checkpoints and model take about {size / 1e6:.0f} MB; the disk has {free / 1e6:.0f} MB free"
            raise InputError(message, remedy="Free some space, or name a folder on another disk.", file=str(self.path))

    def save_last(self, tensors: dict[str, torch.Tensor], state: dict[str, Any], step: int) -> None:
        """Store a checkpoint, with the length of the log at this point."""
        length = self.log.stat().st_size if self.log.exists() else 0
        info = {"format": FORMAT, "log_bytes": length} | state
        save(self.last, _STATE, f"step-{step:09d}.safetensors", tensors, info)

    def read_state(self) -> dict[str, Any] | None:
        """The description of the last checkpoint, if there is one."""
        if not self.state.exists():
            return None
        keys = _CHECKPOINT_KEYS | self.data_keys
        return read_description(self.state, what="checkpoint", format_number=FORMAT, keys=keys, remedy=_AGAIN)

    def cut_log(self, length: int) -> None:
        """Remove what was logged after a checkpoint."""
        if self.log.exists():
            with self.log.open("r+b") as file:
                file.truncate(length)

    def append(self, line: dict[str, Any]) -> None:
        """Write a line of the log."""
        try:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            remedy = "Free some space, then continue with --resume."
            raise InputError(f"cannot be written: {error.strerror}", remedy=remedy, file=str(self.log)) from error

    def save_best(self, tensors: dict[str, torch.Tensor], config: dict[str, Any], step: int) -> None:
        """Store the best model so far."""
        save(self.best, self.description, f"step-{step:09d}.safetensors", tensors, config)

    def read_best(self) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
        """The best model so far."""
        config = type(self)(self.best).read()
        return config, read_tensors(weights_file(self.best, config))

    def finish(self, tensors: dict[str, torch.Tensor], config: dict[str, Any], vocabulary: str) -> None:
        """Make the folder a model; the description comes last."""
        (self.path / CONFIG).unlink(missing_ok=True)
        write_whole(self.path / VOCABULARY, vocabulary, force=True)
        save(self.path, CONFIG, WEIGHTS, tensors, config)


def save(folder: Path, description: str, name: str, tensors: dict[str, torch.Tensor], info: dict[str, Any]) -> None:
    """Write tensors under a name of their own, then the description that names them; remove other tensors."""
    from safetensors import SafetensorError
    from safetensors.torch import save_file

    temporary = folder / f".{name}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        save_file({key: value.detach().contiguous() for key, value in tensors.items()}, temporary)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        temporary.replace(folder / name)
    except (OSError, SafetensorError) as error:
        temporary.unlink(missing_ok=True)
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "Free some space, then continue with --resume: what was saved before is kept."
        raise InputError(f"cannot be written: {reason}", remedy=remedy, file=str(folder / name)) from error
    write_description(folder / description, info | {"weights": name})
    for old in folder.glob("*.safetensors"):
        if old.name != name:
            old.unlink()


def weights_file(folder: Path, description: Mapping[str, Any]) -> Path:
    """The file of the tensors that a description names: beside it, since the fingerprint covers no other."""
    name = str(description["weights"])
    if Path(name).name != name or not name.endswith(".safetensors"):
        message = f"its description names the weights {name!r}, which must be a safetensors file in this folder"
        raise InputError(message, remedy=f"It was edited. {_AGAIN}", file=str(folder))
    return folder / name


def read_tensors(path: Path, device: torch.device | str = "cpu") -> dict[str, torch.Tensor]:
    """The tensors of a file; a truncated or damaged file is an input error."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return load_file(path, device=str(device))
    except (OSError, SafetensorError, ValueError, KeyError) as error:
        remedy = f"The file was truncated or edited. {_AGAIN}"
        raise InputError(f"the weights cannot be read: {error}", remedy=remedy, file=str(path)) from error


def check_tensors(tensors: dict[str, torch.Tensor], wanted: dict[str, torch.Tensor], file: Path) -> None:
    """An input error if names or shapes are not those of the model."""
    for name, value in wanted.items():
        if name not in tensors:
            raise InputError(f"the weights have no {name}", remedy="They belong to another model.", file=str(file))
        if tensors[name].shape != value.shape:
            message = f"{name} has the shape {list(tensors[name].shape)}, not {list(value.shape)}"
            remedy = "The weights belong to another vocabulary or recipe."
            raise InputError(message, remedy=remedy, file=str(file))


@contextmanager
def interpreting(description: Path) -> Iterator[None]:
    """While a description is interpreted: values that make no sense, because it was edited, are an input error."""
    try:
        yield
    except InputError:
        raise
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        message = f"does not fit the files beside it: {type(error).__name__}: {error}"
        raise InputError(message, remedy=f"It was edited. {_AGAIN}", file=str(description)) from error


def read_log(path: Path) -> list[dict[str, Any]]:
    """The lines of a training's log; an incomplete last line is left out.

    Each says how far the training was (`step`, `epoch`, `tokens`, `seconds`), and the `loss` of the steps before it or
    the `valid_loss` of a validation, with the `perplexity` of a language model: null if it is too large for a number.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        return [parse_json(line) for line in lines[:-1]]
    except (OSError, ValueError) as error:
        remedy = "Only the curves need it: remove it."
        raise InputError(f"cannot be read: {error}", remedy=remedy, file=str(path)) from error
