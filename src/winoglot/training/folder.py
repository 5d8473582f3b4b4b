"""The folder of a training: the model when it is done, and until then all that it can go on from.

config.json, model.safetensors, vocabulary.txt  the model, when the training has come to its end
checkpoints/last                                where it stands: weights, optimiser, state, course
checkpoints/best                                the best model so far, a folder like this one
log.jsonl                                       a line every so many steps and one a check
"""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.corpus.reading import VOCABULARY
from winoglot.errors import InputError
from winoglot.files import write_whole
from winoglot.training.checkpoint import FORMAT, read_description, read_tensors, save
from winoglot.training.log import LOG
from winoglot.training.trained import CHECKPOINTS, CONFIG, WEIGHTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch

_STATE, _LOCK, CURVES = "state.json", "lock", "curves.svg"
_KEPT = {"course", "recipe", "seed", "corpus", "vocabulary", "processes", "precision", "averaged", "log_bytes"}
_OURS = {CONFIG, WEIGHTS, VOCABULARY, CHECKPOINTS, LOG, _LOCK, CURVES}


@dataclass(frozen=True)
class Folder:
    """A training's folder."""

    path: Path

    @property
    def last(self) -> Path:
        """Where the last checkpoint lies."""
        return self.path / CHECKPOINTS / "last"

    @property
    def state(self) -> Path:
        """Where the last checkpoint is described."""
        return self.last / _STATE

    @property
    def best(self) -> Path:
        """Where the best model so far lies."""
        return self.path / CHECKPOINTS / "best"

    @property
    def log(self) -> Path:
        """Where the log lies."""
        return self.path / LOG

    def check(self, *, resume: bool, force: bool) -> None:
        """The folder may be new, empty, with `resume` a training, with `force` one to be given up; nothing else."""
        if not self.path.exists():
            return
        if not self.path.is_dir():
            raise InputError("there is a file of this name", remedy="Name a folder.", file=str(self.path))
        names = {entry.name for entry in self.path.iterdir()} - {_LOCK}
        if names and not names & {CONFIG, CHECKPOINTS, LOG}:
            message = f"the folder holds something that is no model: {min(names)}"
            raise InputError(message, remedy="Name another folder.", file=str(self.path))
        if names and not resume and not force:
            remedy = "Go on with it: --resume. Begin anew: --force. Or name another folder."
            raise InputError("a training is here already", remedy=remedy, file=str(self.path))

    def clear(self) -> None:
        """Remove a training that is begun anew."""
        for name in sorted(_OURS - {_LOCK}):
            entry = self.path / name
            if entry.is_dir():
                shutil.rmtree(entry)
            else:
                entry.unlink(missing_ok=True)

    def check_room(self, size: int) -> None:
        """An input error where the disk has less room than the checkpoints and the model will take."""
        nearest = next(one for one in (self.path, *self.path.resolve().parents) if one.exists())
        free = shutil.disk_usage(nearest).free
        if free < size:
            message = f"checkpoints and model take about {size / 1e6:.0f} MB; the disk has {free / 1e6:.0f} MB free"
            raise InputError(message, remedy="Make room, or name a folder on another disk.", file=str(self.path))

    def save_last(self, tensors: dict[str, torch.Tensor], state: dict[str, Any], step: int) -> None:
        """Keep where the training stands."""
        length = self.log.stat().st_size if self.log.exists() else 0
        info = {"format": FORMAT, "log_bytes": length} | state
        save(self.last, _STATE, f"step-{step:09d}.safetensors", tensors, info)

    def read_last(self) -> tuple[dict[str, Any], dict[str, torch.Tensor]] | None:
        """The last checkpoint, if there is one."""
        if not self.state.exists():
            return None
        state = read_description(self.state, _KEPT)
        return state, read_tensors(self.last / str(state["weights"]))

    def last_step(self) -> int | None:
        """The step of the last checkpoint, if there is one."""
        if not self.state.exists():
            return None
        return int(read_description(self.state, _KEPT)["course"]["step"])

    def cut_log(self, length: int) -> None:
        """Forget what was logged after a checkpoint."""
        if self.log.exists():
            with self.log.open("r+b") as file:
                file.truncate(length)

    def append(self, line: dict[str, Any]) -> None:
        """Write a line of the log."""
        try:
            with self.log.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        except OSError as error:
            remedy = "Make room, then go on with --resume."
            raise InputError(f"cannot be written: {error.strerror}", remedy=remedy, file=str(self.log)) from error

    def save_best(self, tensors: dict[str, torch.Tensor], config: dict[str, Any], vocabulary: str, step: int) -> None:
        """Keep a model that is better than all before."""
        self.best.mkdir(parents=True, exist_ok=True)
        write_whole(self.best / VOCABULARY, vocabulary, force=True)
        save(self.best, CONFIG, f"step-{step:09d}.safetensors", tensors, config)

    def read_best(self) -> tuple[dict[str, Any], dict[str, torch.Tensor]]:
        """The best model so far."""
        config = read_description(self.best / CONFIG, {"kind"})
        return config, read_tensors(self.best / str(config["weights"]))

    def finish(self, tensors: dict[str, torch.Tensor], config: dict[str, Any], vocabulary: str) -> None:
        """Make the folder a model: the description comes last, so that before there is none."""
        (self.path / CONFIG).unlink(missing_ok=True)
        write_whole(self.path / VOCABULARY, vocabulary, force=True)
        save(self.path, CONFIG, WEIGHTS, tensors, config)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Alone at the training; the lock goes with the process, however that ends."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            file = (self.path / _LOCK).open("wb")
        except OSError as error:
            remedy = "Name a folder that you may write to."
            raise InputError(f"cannot be written: {error.strerror}", remedy=remedy, file=str(self.path)) from error
        with file:
            try:
                import fcntl

                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except ImportError:  # not on Windows: there two trainings in one folder are not noticed
                pass
            except OSError as error:
                remedy = "Wait for it, or name another folder."
                raise InputError("another process is training here", remedy=remedy, file=str(self.path)) from error
            yield
