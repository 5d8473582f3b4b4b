"""Jobs that ask models about logic pairs, training them first if an experiment says so.

The record has the choice for every test pair, one character each, instead of a folder for each run: experiments have
thousands of runs. Earlier versions kept it in `answers/NAME.json`, under other names; such files are read.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from winoglot.errors import InputError, require_extra
from winoglot.experiment.jobs import REMOVE, Answers, Job, Trained
from winoglot.experiment.pairs import PairModel
from winoglot.files import write_whole
from winoglot.finetune import need_finetuning
from winoglot.finetune.recipes import find_finetune_recipe
from winoglot.finetune.seeds import Configuration, TunedSeed
from winoglot.logic.solvers.data import SPLITS, PairChoice, chosen_pairs, load_pairs, published_paths
from winoglot.logic.solvers.questions import PairSource
from winoglot.logic.solvers.recipes import RECIPES, SHALLOW
from winoglot.models.base import Options, check_model
from winoglot.models.naming import model_name
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.session import Session
from winoglot.runs.spec import ModelSpec, RunSpec
from winoglot.schemas.hashing import digest
from winoglot.training import need_training

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.examples import ExampleSet
    from winoglot.experiment.file import Experiment
    from winoglot.folders import WorkFolder
    from winoglot.runs.session import BeforeSending, Begin

CHECKSUMS = "data.sha256"
EARLIER = "answers"  # the folder of records of earlier versions
_ABSTAINED = "-"
_STORED = ("fingerprint", "scoring", "readings", "model_settings")  # settings of a run
_ENDED = ("family", "accuracy", "steps", "best_step", "epochs", "tokens", "seconds", "parameters", "precision")


@dataclass(frozen=True)
class PairJob(Job):
    """A model that is asked about pairs, and may learn some first."""

    what: ClassVar[str] = "job"

    model: PairModel
    data: Path

    @property
    def identity(self) -> Mapping[str, Any]:
        """What the model learns, and what it is asked."""
        return self.model.identity

    @property
    def makes_model(self) -> bool:
        """Whether it is trained."""
        return self.model.training is not None

    def record(self) -> dict[str, Any]:
        """What is known of the job; damaged answers are an input error."""
        earlier = self.output / EARLIER / self.record_file.name
        file = earlier if earlier.is_file() else self.record_file
        record = self.read_record(file)
        answered = record.get("answered", {"runs": {}})
        if answered.get("checksum", digest(answered["runs"])) != digest(answered["runs"]):  # not all versions had one
            message = "these answers are damaged: they have changed since they were stored"
            raise InputError(message, remedy=REMOVE, file=str(file))
        return record

    def as_record(self, stored: dict[str, Any]) -> dict[str, Any]:
        """The content of a file as a record: earlier versions had one for answers, and one for the training."""
        if "job" in stored:
            diverged = {"diverged": stored["trained"]["diverged"]} if "diverged" in stored["trained"] else {}
            answered = {name: stored[name] for name in ("runs", "checksum") if name in stored}
            stored = {"asked": stored["job"], "ended": stored["trained"], **diverged, "answered": answered}
        elif "configuration" in stored:
            stored = {"asked": stored}
        for answers in stored["answered"]["runs"].values() if "answered" in stored else ():
            dict.fromkeys(answers["choices"] + answers["version"])
        return stored

    def has_answered(self, record: Mapping[str, Any]) -> bool:
        """Whether the record has answers; those to other pairs are refused when they are read."""
        return "answered" in record

    @property
    def work_folder(self) -> WorkFolder:
        """The folder of a network, or of a fine-tuning."""
        from winoglot.finetune.tuning import FinetuneFolder
        from winoglot.logic.solvers.learning import PairFolder

        return (PairFolder if self.address in RECIPES else FinetuneFolder)(self.model_folder)

    def train(self, *, again: bool, begin: Begin) -> Trained:
        """Train the model on its pairs, or continue."""
        from winoglot.logic.solvers import train

        training = self.model.training
        assert training is not None
        advance = begin(f"training {self.name}")
        trained = train(
            self.address,
            self.data,
            self.model_folder,
            tasks=training.choice.tasks,
            languages=training.choice.languages,
            depths=training.choice.depths,
            size=training.choice.size,
            control=training.control or None,
            start=self.data / training.start if training.start else None,
            lora=training.lora,
            seed=self.model.seed,
            settings=training.settings,
            device=self.model.device,
            checkpoint_minutes=2.0,
            checkpoint_epochs=False,  # an epoch may take less time than a checkpoint
            resume=not again,
            force=again,
            progress=lambda step, steps, *_: advance(step, steps),
        )
        return Trained(trained.why, trained.config)

    def ended(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """What reports say of the training."""
        counts = {name: config["data"].get(name) for name in ("pairs", "validation")}
        return {name: config.get(name) for name in _ENDED} | counts

    def made_address(self, ended: Mapping[str, Any]) -> str:
        """The model that was trained."""
        return f"{'logic' if self.address in RECIPES else ended['family']}:{self.model_folder}"

    def ask(self, model: str, begin: Begin, before_sending: BeforeSending) -> Answers:
        """Ask the model about each set of pairs, and keep its choices in the order of the pairs."""
        sources = self.sources()
        declared = self.model
        options = Options(declared.precision, declared.device, declared.batch_tokens, more=declared.options)
        if model.startswith(SHALLOW):  # learns from the training pairs of the task and language that it is asked
            requests = [([source], _shallow(model, self.data, source)) for source in sources]
        else:
            requests = [(sources, ModelSpec.of(model, options))]
        stored: dict[str, Any] = {}
        scorings = (declared.scoring,) if declared.scoring else ()
        for model_sources, spec in requests:
            asked = RunSpec(sources=tuple(model_sources), models=(spec,), scorings=scorings)
            session = Session(asked, before_sending=before_sending)
            for source, run in zip(model_sources, session.runs(begin), strict=True):
                choices = {prediction.item_id: prediction.choice for prediction in run.predictions}
                stored[source.name] = {
                    "version": source.examples.version,
                    "choices": "".join(
                        _ABSTAINED if choices[pair.id] is None else str(choices[pair.id]) for pair in source.pairs
                    ),
                    **{name: getattr(run.settings, name) for name in _STORED},
                }
        return Answers({"runs": stored, "checksum": digest(stored)})

    def sources(self) -> list[PairSource]:
        """What is asked: the chosen pairs of each test file."""
        return [PairSource(pairs) for pairs in chosen_pairs(self.data, "test", self.model.test)]

    def check(self, seen: set[tuple[str, PairChoice]], *, contact: bool = True) -> None:
        """Raise an input error if the job cannot be done, before this job or others train for hours.

        `seen` are the pairs that were read for other jobs and need not be read again. No server is contacted, as one
        that is down may be back when it is needed; without `contact`, no hub is either.
        """
        choices, training = {("test", self.model.test)}, self.model.training
        if training is not None:
            choices |= {("train", training.choice), ("validation", replace(training.choice, size=None))}
            if training.start and not (self.data / training.start).is_dir():
                remedy = "Train one there first: winoglot train."
                raise InputError("there is no model to start from", remedy=remedy, file=str(self.data / training.start))
        for split, choice in sorted(choices - seen, key=str):
            chosen_pairs(self.data, split, choice)
        seen |= choices
        named = model_name(self.address)
        if self.address in RECIPES or named.family == "logic":
            need_training()
        if named.family == "logic":
            from winoglot.logic.solvers.learning import PairFolder

            PairFolder(Path(named.found_location())).read()
        elif self.address == "bag" or self.address.startswith(SHALLOW):
            require_extra("this model needs", "sklearn", extra="logic")
        elif self.address not in RECIPES:
            if training is not None:
                need_finetuning(lora=training.lora)
                find_finetune_recipe("causal", training.settings, lora=training.lora)
            options = Options(self.model.precision, more=self.model.options)
            check_model(self.address, replace(options, contact=contact and named.family != "remote"))

    def runs(self, record: Mapping[str, Any], test_sets: dict[PairChoice, dict[str, ExampleSet]]) -> list[Run]:
        """The runs that the record describes; answers to another version of the data are an input error.

        `test_sets` caches the test sets for other jobs with the same test.
        """
        if self.model.test not in test_sets:
            test_sets[self.model.test] = {source.name: source.examples for source in self.sources()}
        runs = []
        for name, stored in record["answered"]["runs"].items():
            source = test_sets[self.model.test].get(name)
            if source is None or source.version != stored["version"] or len(stored["choices"]) != len(source.examples):
                message = f"{self.name} answered another version of {name} ({stored['version']})"
                remedy = "The pairs have changed, or an earlier version was used. Choose another folder: -o DIR."
                raise InputError(message, remedy=remedy, file=str(self.data))
            settings = Settings(
                model=self.name, address=self.model.model, **{setting: stored[setting] for setting in _STORED}
            )
            predictions = tuple(
                Prediction(example.id, example.hash, None if choice == _ABSTAINED else int(choice))
                for example, choice in zip(source.examples, stored["choices"], strict=True)
            )
            is_baseline = self.model.model == "bag" or self.model.model.startswith(SHALLOW)
            runs.append(Run(source, settings, predictions, is_baseline=is_baseline))
        return runs


def jobs_about_pairs(experiment: Experiment, output: Path, first: int = 0) -> list[PairJob]:
    """The jobs of an experiment that are about pairs, numbered from `first`."""
    pairs = experiment.pairs
    return [
        PairJob(
            name=model.name,
            number=first + number,
            folder=experiment.folder,
            output=output,
            address=_found_from_here(model.model, experiment.folder),
            model=model,
            data=pairs.data,
        )
        for number, model in enumerate(pairs.models if pairs else ())
        if pairs
    ]


def _found_from_here(address: str, folder: Path) -> str:
    """The address of a model; a path that leads nowhere from the file's folder may begin where the command is typed.

    In experiments about pairs, earlier versions looked for models there.
    """
    name = model_name(address)
    path = Path(name.location)
    is_elsewhere = name.location and not (folder / path).exists() and path.exists()
    return f"{name.family}:{path.absolute()}" if is_elsewhere else address


def _shallow(address: str, data: Path, source: PairSource) -> ModelSpec:
    from winoglot.logic.solvers.bag import ShallowSolver

    first = source.pairs[0]
    training = load_pairs(data, "train", PairChoice((first.task,), (first.language,)))
    return ModelSpec.of(ShallowSolver(address, training), Options())


def data_hashes(data: Path, output: Path) -> dict[str, str]:
    """The hashes of the files of pairs, by name; an input error if some have changed since the experiment was started.

    Otherwise, answers would not be comparable.
    """
    checksum_file = output / CHECKSUMS
    files = [*(path for split in SPLITS for path in data.glob(f"*/*/{split}.*")), *published_paths(data)]
    now = {str(file.relative_to(data)): hashlib.sha256(file.read_bytes()).hexdigest() for file in sorted(files)}
    before = checksum_file.read_text(encoding="utf-8").splitlines() if checksum_file.is_file() else []
    for checksum, _, name in (line.partition("  ") for line in before):
        if now.get(name) != checksum:
            message = "these pairs have changed since the experiment was started"
            remedy = "Generate the same data again, or run the experiment in another folder: -o DIR."
            raise InputError(message, remedy=remedy, file=str(data / name))
    return now


def write_hashes(hashes: Mapping[str, str], output: Path) -> None:
    """Note with which pairs an experiment was started, in the format of `sha256sum`."""
    lines = (f"{checksum}  {name}\n" for name, checksum in hashes.items())
    write_whole(output / CHECKSUMS, "".join(lines), force=True)


def configurations(jobs: Sequence[PairJob]) -> list[Configuration]:
    """The answers of finished jobs by configuration, with all seeds; a model that is only asked has one seed."""
    answered: dict[str, dict[int, list[tuple[PairJob, dict[str, Any]]]]] = {}
    for job in jobs:
        record = job.checked_record()
        if "answered" in record or "diverged" in record:
            answered.setdefault(job.model.configuration, {}).setdefault(job.model.seed, []).append((job, record))
    test_sets: dict[PairChoice, dict[str, ExampleSet]] = {}
    finished = []
    for name, seeds in answered.items():
        first = next(iter(seeds.values()))[0][0].model
        groups = {job.model.group for parts in seeds.values() for job, _ in parts if job.model.group}
        finished.append(
            Configuration(
                name,
                first.entry,
                tuple(sorted(groups)),
                tuple(_seed(name, seed, parts, test_sets) for seed, parts in seeds.items()),
                first.training.choice.size if first.training else None,
                first.training.control if first.training else "",
            )
        )
    return finished


def _seed(
    name: str,
    seed: int,
    parts: Sequence[tuple[PairJob, dict[str, Any]]],
    test_sets: dict[PairChoice, dict[str, ExampleSet]],
) -> TunedSeed:
    """All models of one seed, each trained on some of the tasks."""
    every_ended = [record.get("ended", {}) for _, record in parts]
    ended = [model for model in every_ended if model.get("accuracy") is not None]
    diverged = [job.model.group for job, record in parts if "diverged" in record]
    answered = [(job, record) for job, record in parts if "answered" in record]
    # One column per set: how a model was asked is part of the configuration's name.
    runs = tuple(
        replace(run, settings=replace(run.settings, scoring="labels"))
        for job, record in answered
        for run in job.runs(record, test_sets)
    )

    def total(key: str) -> int:
        return round(sum(model.get(key) or 0 for model in ended))

    held_out = total("validation")
    return TunedSeed(
        name=f"{name} s{seed}",
        seed=seed,
        runs=runs,
        items=total("pairs") // max(1, len(ended)),
        held_out=held_out,
        accuracy=sum(model["accuracy"] * model["validation"] for model in ended) / held_out if held_out else None,
        chance=1 / len(runs[0].source.examples[0].options) if runs else 0.5,  # type: ignore[union-attr]
        steps=total("steps"),
        best_step=total("best_step"),
        tokens=total("tokens"),
        seconds=total("seconds"),
        missing=f"diverged: {', '.join(diverged)}" if diverged else "",
    )
