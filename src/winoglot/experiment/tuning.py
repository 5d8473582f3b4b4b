"""Models that an experiment fine-tunes: trained once, asked every collection, and then only described.

models/NAME/       the folder of a fine-tuning; its weights are removed when the model has answered everything
models/NAME.json   what was asked for and how it ended: enough to go on, or to report, on a machine without the weights
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.experiment.file import AskedTuning
from winoglot.files import folder_name, parse_json
from winoglot.folders import check_same, write_description
from winoglot.memory import release_memory
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence


MODELS = "models"
_WEIGHTS, _CHECKPOINTS = "model.safetensors", "checkpoints"
_ENDED = ("family", "seed", "steps", "best_step", "tokens", "seconds", "parameters", "accuracy", "losses", "recipe")
_OTHER = "Name another folder with -o, or remove the model's folder and its file."


def tuned_family(address: str) -> str:
    """The family of what a model becomes by fine-tuning.

    >>> tuned_family("gemma-3-270m"), tuned_family("masked:models/bert")
    ('causal', 'masked')
    """
    family = address.partition(":")[0]
    return family if family in ("masked", "choice") else "causal"


@dataclass(frozen=True)
class PlannedTuning:
    """A model to fine-tune: `start` is the address of another one, `data` what remains without overlap."""

    name: str
    asked: AskedTuning
    start: str
    data: tuple[Collection, ...]
    output: Path  # of the experiment
    is_kept: bool  # since it was asked for, or since another model starts from it

    @property
    def folder(self) -> Path:
        """The folder that the model is written to."""
        return self.output / MODELS / folder_name(self.name)

    @property
    def _file(self) -> Path:
        return self.folder.with_name(f"{self.folder.name}.json")

    @property
    def identity(self) -> dict[str, Any]:
        """What must be the same when an experiment is continued."""
        settings = self.asked
        return {
            "start": settings.after or self.start,
            "data": [[collection.name, collection.hash] for collection in self.data],
            "size": settings.size,
            "control": settings.control,
            "seed": settings.seed,
            "lora": settings.lora,
            "kinds": list(settings.kinds),
            "readings": settings.readings,
            "set": list(settings.changes),
        }

    def record(self) -> dict[str, Any]:
        """What is known of the model; empty if it was never begun."""
        try:
            record: dict[str, Any] = parse_json(self._file.read_bytes())
            dict(record["asked"])
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(f"cannot be read: {error}", remedy=_OTHER, file=str(self._file)) from error
        return record

    def check(self) -> None:
        """Refuse a model that was begun with other data or settings."""
        if record := self.record():
            check_same(record["asked"], self.identity, what="fine-tuning", remedy=_OTHER, folder=self._file)

    def write(self, **more: Any) -> None:
        """Add to what is known of the model."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        write_description(self._file, {"asked": self.identity, **self.record(), **more})

    def made(self, device: str, begin: Callable[[str], Callable[[int, int], None]]) -> str:
        """Fine-tune the model, or continue, unless it is finished; its address."""
        from winoglot.finetune.tuning import FinetuneFolder, TuningRequest, tune
        from winoglot.training.loop import TrainingSettings

        record, wanted = self.record(), self.asked
        is_all = wanted.size is None or wanted.size >= sum(
            len(collection.items) for collection in self.data
        )  # without what overlaps
        if "ended" not in record or not (self.folder / _WEIGHTS).is_file():
            self.write()
            advance = begin(f"fine-tuning {self.name}")
            # What overlaps with the experiment's collections has been taken out. Trainings are short: what is
            # interrupted starts again from the last checkpoint of some minutes ago, not from the last epoch.
            request = TuningRequest(
                self.data,
                wanted.kinds,
                wanted.readings,
                None if is_all else wanted.size,
                wanted.control or None,
                wanted.lora,
                wanted.changes,
                allow_overlap=True,
            )
            settings = TrainingSettings(wanted.seed, device=device, checkpoint_minutes=2.0, checkpoint_epochs=False)
            # A model that is there was not noted as finished, or its weights were removed when it had answered.
            again = "ended" in record or (self.folder / FinetuneFolder.description).is_file()
            tuned = tune(
                self.start,
                request,
                self.folder,
                settings,
                resume=not again,
                force=again,
                progress=lambda step, steps, *_: advance(step, steps),
                note=lambda text: self.write(notes=[*self.record().get("notes", []), text]),
            )
            release_memory()
            if tuned.why == "signal":
                raise KeyboardInterrupt
            ended = {name: tuned.config[name] for name in _ENDED} | {"why": tuned.why, "learnt": tuned.config["data"]}
            self.write(ended=ended)
            record = {"ended": ended}
        shutil.rmtree(self.folder / _CHECKPOINTS, ignore_errors=True)
        return f"{self.name}={record['ended']['family']}:{self.folder}"

    def finish(self, request: str, runs: Sequence[str]) -> None:
        """The model has answered what was asked of it: remember where, and remove the weights."""
        self.write(answered={"request": request, "runs": list(runs)})
        for name in () if self.is_kept else (_WEIGHTS, "tokenizer.json"):  # the large files
            (self.folder / name).unlink(missing_ok=True)

    def runs(self, request: str) -> tuple[str, ...] | None:
        """The runs of a model that has answered all this, or could not be trained; None if there is work left."""
        record = self.record()
        if "diverged" in record:
            return ()
        answered: Mapping[str, Any] = record.get("answered", {})
        runs = tuple(answered.get("runs", ()))
        return runs if answered.get("request") == request and _are_there(self.output, runs) else None


def _are_there(output: Path, runs: Sequence[str]) -> bool:
    return all((output / "runs" / name / "run.json").is_file() for name in runs)
