"""Jobs that ask models about collections, fine-tuning them first if an experiment says so."""

from __future__ import annotations

import gc
import pickle
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar

from winoglot.analysis.analyse import RESULT, AnalysisRequest, analysed
from winoglot.errors import InputError
from winoglot.experiment.file import DeclaredModel, DeclaredTuning
from winoglot.experiment.jobs import RUNS, Answers, Job, Trained
from winoglot.files import folder_name
from winoglot.models.naming import ModelName
from winoglot.runs.session import Session, places_in, run_folder
from winoglot.runs.settings import RunSettings
from winoglot.runs.spec import ModelSpec, RunSpec
from winoglot.schemas.hashing import digest
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from pathlib import Path

    from winoglot.finetune.tuning import FinetuneFolder
    from winoglot.runs.run import Run
    from winoglot.runs.session import BeforeSending, Begin

ANALYSES = "analyses"
_ENDED = ("family", "seed", "steps", "best_step", "tokens", "seconds", "parameters", "accuracy", "losses", "recipe")


class SharedCollections(tuple[Collection, ...]):
    """Collections that many jobs have: they are packed for another process once, and unpacked there once."""

    def __reduce__(self) -> tuple[Any, ...]:
        """Pack what jobs share, so that a worker knows its readings and variants from earlier jobs."""
        return _unpacked, (_packed(tuple(self)),)


@lru_cache(maxsize=8)
def _packed(collections: tuple[Collection, ...]) -> bytes:
    return pickle.dumps(collections)


@lru_cache(maxsize=8)
def _unpacked(packed: bytes) -> SharedCollections:
    collections = SharedCollections(pickle.loads(packed))
    gc.collect()  # nothing else must stay
    gc.freeze()  # they stay: searching them for garbage after every model would take a second
    return collections


@dataclass(frozen=True)
class CollectionJob(Job):
    """A model that is asked about collections; `data` is what it learns first, without what overlaps with these."""

    what: ClassVar[str] = "fine-tuning"

    model: DeclaredModel
    collections: SharedCollections
    kinds: Mapping[str, tuple[str, ...]]  # by the name of a collection
    settings: Mapping[str, Any]  # how all models are asked
    measures: tuple[str, ...] = ()
    data: SharedCollections = field(default_factory=SharedCollections)
    keeps_weights: bool = False

    @property
    def spec(self) -> RunSpec:
        """What is asked, of the model that the job begins with."""
        return RunSpec(
            collections=tuple(self.collections),
            models=(ModelSpec(self.model.name, self.model.options, self.model.scorings),),
            kinds_by_collection={collection.name: self.kinds[collection.name] for collection in self.collections},
            **self.settings,
        )

    @property
    def tuning(self) -> DeclaredTuning:
        """How its model is fine-tuned; only for a job that does so."""
        assert self.model.tuning is not None
        return self.model.tuning

    @property
    def makes_model(self) -> bool:
        """Whether it fine-tunes."""
        return self.model.tuning is not None

    @property
    def has_record(self) -> bool:
        """Whether it fine-tunes: otherwise, the folders of its runs say all."""
        return self.makes_model

    @property
    def is_kept(self) -> bool:
        """Whether the weights were asked for, or another model starts from them."""
        return self.keeps_weights

    @property
    def after(self) -> str:
        """The fine-tuned model that this one starts from."""
        return self.model.tuning.after if self.model.tuning else ""

    @property
    def identity(self) -> dict[str, Any]:
        """What the model learns, and how."""
        tuning = self.tuning
        return {
            "start": tuning.after or self.address,
            "data": [[collection.name, collection.hash] for collection in self.data],
            "size": tuning.size,
            "control": tuning.control,
            "seed": tuning.seed,
            "lora": tuning.lora,
            "kinds": list(tuning.kinds),
            "readings": tuning.readings,
            "set": list(tuning.changes),
        }

    @property
    def request(self) -> str:
        """A hash of the questions, by which a record of an earlier version knows what was answered."""
        spec, (model,) = self.spec, self.spec.models
        hashes = [(collection.name, collection.hash) for collection in spec.collections]
        kinds = [spec.kinds_for(collection) for collection in spec.collections]
        settings = {
            "scorings": model.scorings,
            "readings": spec.readings[0],
            "kinds": spec.kinds,
            "limit": spec.limit,
            "seed": spec.seed,
            "tolerance": spec.tolerance,
            "renamed": spec.renamed,
            "options": dict(model.options.more),
            "allow_overlap": spec.allow_overlap,
            "probes": spec.probes,
        }
        later = {  # settings that earlier versions did not have count if they are not as they were then
            setting.name: getattr(spec, setting.name)
            for setting in fields(RunSettings)
            if setting.name not in settings and getattr(spec, setting.name) != setting.default
        }
        return digest([hashes, kinds, spec.readings, settings | later, self.measures])

    def has_answered(self, record: Mapping[str, Any]) -> bool:
        """Whether the record names the runs of these questions, and they are there."""
        answered = record.get("answered", {})
        there = (self.output / RUNS / name / "run.json" for name in answered.get("runs", ()))
        return answered.get("request") == self.request and all(path.is_file() for path in there)

    @property
    def work_folder(self) -> FinetuneFolder:
        """The folder of a fine-tuning."""
        from winoglot.finetune.tuning import FinetuneFolder

        return FinetuneFolder(self.model_folder)

    def train(self, *, again: bool, begin: Begin) -> Trained:
        """Fine-tune the model, or continue."""
        from winoglot.finetune.tuning import TuningRequest, tune
        from winoglot.training.loop import TrainingSettings

        tuning = self.tuning
        is_all = tuning.size is None or tuning.size >= sum(len(collection.items) for collection in self.data)
        advance = begin(f"fine-tuning {self.name}")
        # What overlaps with the experiment's collections has been taken out. Trainings are short: what is
        # interrupted starts again from the last checkpoint of some minutes ago, not from the last epoch.
        request = TuningRequest(
            tuple(self.data),
            tuning.kinds,
            tuning.readings,
            None if is_all else tuning.size,
            tuning.control or None,
            tuning.lora,
            tuning.changes,
            allow_overlap=True,
        )
        device = self.model.options.device
        tuned = tune(
            self.address,
            request,
            self.model_folder,
            TrainingSettings(tuning.seed, device=device, checkpoint_minutes=2.0, checkpoint_epochs=False),
            resume=not again,
            force=again,
            progress=lambda step, steps, *_: advance(step, steps),
            note=lambda text: self.write(notes=[*self.record().get("notes", []), text]),
        )
        return Trained(tuned.why, tuned.config)

    def ended(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """What reports say of the training, and what was learnt."""
        return {name: config.get(name) for name in _ENDED} | {"learnt": config["data"]}

    def made_address(self, ended: Mapping[str, Any]) -> str:
        """The fine-tuned model."""
        return f"{ended['family']}:{self.model_folder}"

    def ask(self, model: str, begin: Begin, before_sending: BeforeSending) -> Answers:
        """Ask the model about every collection, and take its measures."""
        spec = self.spec
        (declared,) = spec.models
        spec = replace(spec, models=(replace(declared, name=ModelName(self.name, model)),))
        results = Session(spec, places_in(self.output / RUNS), before_sending).results(begin)
        failures = [f"{failure.name}: {failure.error}" for failure in results.failures]
        if self.measures and not results.bug:
            failures += self._measured(spec, begin, before_sending)
        if results.bug:
            raise results.bug
        names = [self._run_name(run) for run in results.runs]
        return Answers({"request": self.request, "runs": names}, tuple(failures))

    def _run_name(self, run: Run) -> str:
        return run_folder(self.output, run.source.name, self.name, run.settings.scoring, run.settings.readings).name

    def _measured(self, spec: RunSpec, begin: Begin, before_sending: BeforeSending) -> list[str]:
        """Take the measures of the model, unless they have been; what failed, in words."""
        folder = analysis_folder(self.output, self.name)
        if (folder / RESULT).is_file():
            return []
        (model,) = spec.models
        narrowed = replace(
            spec,
            models=(replace(model, scorings=model.scorings[:1]),),
            scorings=(),
            readings=spec.readings[:1],
            kinds_by_collection={},
        )
        try:
            request = AnalysisRequest(measures=self.measures, renamed=spec.renamed)
            analysed(narrowed, request, folder=folder, begin=begin, before_sending=before_sending)
        except InputError as error:
            return [f"{', '.join(self.measures)} of {self.name}: {error}"]
        return []


def analysis_folder(output: Path, model: str) -> Path:
    """Where the measures of a model are stored."""
    return output / ANALYSES / folder_name(model)
