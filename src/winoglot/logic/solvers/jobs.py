"""Jobs: one model, trained on some pairs with one seed or only asked, with its answers in one small file.

answers/NAME.json   the job, how the training ended, and the choice for every test pair, one character each
models/NAME.json    the job that is trained in the folder NAME
models/NAME/        the model while it is trained; removed once it has answered

A job that has its file is done. A file says all that runs, tables and figures need besides the data, so the jobs of an
experiment can be spread over processes and machines, and interrupted at any time.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.errors import DivergedError, InputError, require_extra
from winoglot.files import folder_name, parse_json, write_whole
from winoglot.finetune import need_finetuning
from winoglot.finetune.recipes import find_finetune_recipe
from winoglot.logic.solvers.data import PairChoice, chosen_pairs, load_pairs
from winoglot.logic.solvers.questions import PairSource
from winoglot.logic.solvers.recipes import RECIPES
from winoglot.models.base import Options, check_model
from winoglot.models.naming import model_name
from winoglot.runs.run import Prediction, Run, Settings
from winoglot.runs.session import Session
from winoglot.runs.spec import ModelSpec, RunSpec
from winoglot.schemas.hashing import digest
from winoglot.training import need_training

if TYPE_CHECKING:
    from winoglot.examples import ExampleSet

ANSWERS, MODELS = "answers", "models"
SHALLOW = "shallow:"  # how the address of a baseline of `winoglot logic check` begins
_ABSTAINED = "-"
_REMOVE = "Remove it; the job will be run again."
_ENDED = ("family", "accuracy", "steps", "best_step", "epochs", "tokens", "seconds", "parameters", "precision")


@dataclass(frozen=True)
class Training:
    """What a model is trained on, and how."""

    choice: PairChoice
    control: str = ""
    start: str = ""  # the folder of a model to begin with, relative to the data
    lora: bool = False
    settings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Job:
    """A model to train, unless it is only asked, and what to ask it."""

    configuration: str  # its name in tables, the same for all seeds and, if models are asked only their own, all tasks
    entry: str  # the same for all sizes and controls
    group: str  # the tasks and languages that it is trained on
    model: str
    seed: int
    test: PairChoice
    training: Training | None = None
    scoring: str = ""
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the job in tables of seeds."""
        if not self.training:
            return self.configuration
        group = "" if self.entry.endswith(self.group) else self.group  # a model that is asked more has it in its name
        return " ".join(filter(None, (self.configuration, group, f"s{self.seed}")))

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that defines it, as JSON: answers with another identity are not its own."""
        identity: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return identity

    def file(self, out: Path) -> Path:
        """The file in which the answers of the job are stored."""
        return out / ANSWERS / f"{folder_name(self.name)}.json"


def check_job(job: Job, data: Path, seen: set[tuple[str, PairChoice]], *, contact: bool = True) -> None:
    """Raise an input error if the job cannot be done, before this job or others train for hours.

    `seen` are the pairs that were read for other jobs and need not be read again. No server is contacted, as one that
    is down may be back when it is needed; without `contact`, no hub is either.
    """
    choices = {("test", job.test)}
    if job.training is not None:
        choice, start = job.training.choice, job.training.start
        choices |= {("train", choice), ("validation", replace(choice, size=None))}
        if start and not (data / start).is_dir():
            remedy = "Train one there first: winoglot train."
            raise InputError("there is no model to start from", remedy=remedy, file=str(data / start))
    for split, choice in sorted(choices - seen, key=str):
        chosen_pairs(data, split, choice)
    seen |= choices
    asked_model = model_name(job.model)
    if job.model in RECIPES or asked_model.family == "logic":
        need_training()
    if asked_model.family == "logic":
        from winoglot.logic.solvers.learning import PairFolder

        PairFolder(Path(asked_model.found_location())).read()
    elif job.model == "bag" or job.model.startswith(SHALLOW):
        require_extra("this model needs", "sklearn", extra="logic")
    elif job.model not in RECIPES:
        if job.training is not None:
            need_finetuning(lora=job.training.lora)
            find_finetune_recipe("causal", job.training.settings, lora=job.training.lora)
        check_model(job.model, Options(more=job.options, contact=contact and asked_model.family != "remote"))


def do_job(job: Job, data: Path, out: Path, *, device: str = "auto") -> dict[str, Any]:
    """Train and ask, unless already done; returns the content of its file. A diverged training is a result too."""
    answers = read_answers(job, out)
    if answers is not None:
        return answers
    address, ended = job.model, dict[str, Any]()
    folder = out / MODELS / folder_name(job.name)
    try:
        if job.training is not None:
            address, ended = _trained(job, job.training, data, folder, device)
        runs = {} if not address else _answers(job, address, data, device)
    except DivergedError as error:
        ended, runs = {"diverged": error.message}, {}
    record = {"job": job.identity, "trained": ended, "runs": runs, "checksum": digest(runs)}
    job.file(out).parent.mkdir(parents=True, exist_ok=True)
    write_whole(job.file(out), json.dumps(record, ensure_ascii=False) + "\n", force=True)
    shutil.rmtree(folder, ignore_errors=True)
    _begun(folder).unlink(missing_ok=True)
    return record


def _begun(folder: Path) -> Path:
    """The file that says which job is trained in a folder."""
    return folder.with_name(f"{folder.name}.json")


def read_answers(job: Job, out: Path) -> dict[str, Any] | None:
    """The answers of a job; None if it is not done. Answers of another job are an input error."""
    file = job.file(out)
    if not file.is_file():
        return None
    try:
        answers: dict[str, Any] = parse_json(file.read_bytes())
        is_same, runs = answers["job"] == job.identity, answers["runs"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"cannot be read: {error}", remedy=_REMOVE, file=str(file)) from error
    if answers.get("checksum", digest(runs)) != digest(runs):  # earlier versions stored none
        raise InputError(
            "these answers are damaged: they have changed since they were stored", remedy=_REMOVE, file=str(file)
        )
    if not is_same:
        remedy = "Choose another folder with -o, or remove the file."
        raise InputError("these answers are from a job with other settings", remedy=remedy, file=str(file))
    return answers


def _trained(job: Job, training: Training, data: Path, folder: Path, device: str) -> tuple[str, dict[str, Any]]:
    """The address of the trained model, and how its training ended; one that was trained is only read."""
    from winoglot.finetune.tuning import FinetuneFolder
    from winoglot.logic.solvers import train
    from winoglot.logic.solvers.learning import PairFolder

    begun = _begun(folder)
    if folder.is_dir() and begun.is_file():
        if parse_json(begun.read_bytes()) != job.identity:
            remedy = "Choose another folder with -o, or remove this one."
            raise InputError("a job with other settings was begun here", remedy=remedy, file=str(folder))
    else:
        shutil.rmtree(folder, ignore_errors=True)  # without the note, it may be the model of another job
    begun.parent.mkdir(parents=True, exist_ok=True)
    write_whole(begun, json.dumps(job.identity, ensure_ascii=False) + "\n", force=True)
    kind = PairFolder if job.model in RECIPES else FinetuneFolder
    if (folder / kind.description).is_file():
        config = kind(folder).read()
        return f"{'logic' if job.model in RECIPES else config['family']}:{folder}", _ended(config)
    choice = training.choice
    trained = train(
        job.model,
        data,
        folder,
        tasks=choice.tasks,
        languages=choice.languages,
        depths=choice.depths,
        size=choice.size,
        control=training.control or None,
        start=data / training.start if training.start else None,
        lora=training.lora,
        seed=job.seed,
        settings=training.settings,
        device=device,
        checkpoint_minutes=2.0,
        checkpoint_epochs=False,  # an epoch may take less time than a checkpoint
        resume=True,
    )
    if trained.why == "signal":
        raise KeyboardInterrupt
    return trained.address, _ended(trained.config)


def _ended(config: Mapping[str, Any]) -> dict[str, Any]:
    """How a training ended, by the model's description."""
    return {name: config.get(name) for name in _ENDED} | {
        name: config["data"].get(name) for name in ("pairs", "validation")
    }


def _answers(job: Job, address: str, data: Path, device: str) -> dict[str, Any]:
    """The choices of the model for each set, in the order of the pairs."""
    sources = asked_sources(job, data)
    if address.startswith(SHALLOW):  # learns from the training pairs of the task and language that it is asked
        requests = [([source], _shallow(address, data, source)) for source in sources]
    else:
        requests = [(sources, ModelSpec.of(address, Options(device=device, more=job.options)))]
    answers: dict[str, Any] = {}
    for model_sources, model in requests:
        spec = RunSpec(
            sources=tuple(model_sources),
            models=(model,),
            scorings=(job.scoring,) if job.scoring else (),
        )
        for source, run in zip(model_sources, Session(spec).runs(), strict=True):
            choices = {prediction.item_id: prediction.choice for prediction in run.predictions}
            stored = ("fingerprint", "scoring", "readings", "model_settings")
            answers[source.name] = {
                "version": source.examples.version,
                "choices": "".join(
                    _ABSTAINED if choices[pair.id] is None else str(choices[pair.id]) for pair in source.pairs
                ),
                **{name: getattr(run.settings, name) for name in stored},
            }
    return answers


def _shallow(address: str, data: Path, source: PairSource) -> ModelSpec:
    from winoglot.logic.solvers.bag import ShallowSolver

    first = source.pairs[0]
    training = load_pairs(data, "train", PairChoice((first.task,), (first.language,)))
    return ModelSpec.of(ShallowSolver(address, training), Options())


def asked_sources(job: Job, data: Path) -> list[PairSource]:
    """What a job asks: the chosen pairs of each test file."""
    return [PairSource(pairs) for pairs in chosen_pairs(data, "test", job.test)]


def runs_of(job: Job, answers: Mapping[str, Any], data: Path, test_sets: dict[Any, Any]) -> list[Run]:
    """The runs that a job's file describes; answers to another version of the data are an input error.

    `test_sets` caches the test sets for other jobs with the same test.
    """
    if job.test not in test_sets:
        test_sets[job.test] = {source.name: source.examples for source in asked_sources(job, data)}
    runs = []
    for name, stored in answers["runs"].items():
        source: ExampleSet | None = test_sets[job.test].get(name)
        if source is None or source.version != stored["version"] or len(stored["choices"]) != len(source.examples):
            message = f"{job.name} answered another version of {name} ({stored['version']})"
            remedy = "The pairs have changed, or an earlier version was used. Choose another folder: -o DIR."
            raise InputError(message, remedy=remedy, file=str(data))
        settings = Settings(
            model=job.name,
            scoring=stored["scoring"],
            readings=stored["readings"],
            fingerprint=stored["fingerprint"],
            model_settings=stored["model_settings"],
            address=job.model,
        )
        predictions = tuple(
            Prediction(example.id, example.hash, None if choice == _ABSTAINED else int(choice))
            for example, choice in zip(source.examples, stored["choices"], strict=True)
        )
        runs.append(Run(source, settings, predictions, is_baseline=job.model == "bag" or job.model.startswith(SHALLOW)))
    return runs
