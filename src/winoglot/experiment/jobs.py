"""Jobs: what an experiment consists of. A job makes a model, unless there is one to take, and asks it.

models/NAME.json    the record: what the job was to do, how making its model ended, and what the model answered
models/NAME/        the model that was made; its weights are removed when it has answered, unless they are to be kept
runs/               answers about collections, in folders such as `winoglot evaluate` writes

A job that makes a model, or asks about pairs, has a record. One that only asks an existing model about collections
needs none, since the folders of its runs say the same. A record and the runs that it names are all that tables and
figures need, so jobs can be spread over processes and machines, interrupted at any time, and reported without the
weights.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import chdir, nullcontext
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, ClassVar

from winoglot.corpus.workers import workers
from winoglot.errors import DivergedError, InputError
from winoglot.files import folder_name, parse_json
from winoglot.folders import check_same, write_description
from winoglot.memory import release_memory
from winoglot.runs.session import log_requests, silent
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.folders import WorkFolder
    from winoglot.runs.session import BeforeSending, Begin

MODELS, RUNS = "models", "runs"
REMOVE = "Name another folder with -o, or remove this file: the job is then run again."
_LARGE = ("*.safetensors", "tokenizer.json")  # files of a model
_CHECKPOINTS = "checkpoints"
_one_at_a_time = Lock()  # a worker of a cluster may have threads; the working folder belongs to the whole process


@dataclass(frozen=True)
class Trained:
    """How a training ended, or where it was stopped by a signal, and the description of its model."""

    why: str
    config: Mapping[str, Any]


@dataclass(frozen=True)
class Answers:
    """What a job's record says of its answers, and what failed, in words."""

    record: Mapping[str, Any]
    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Finished:
    """A job that has been done: the folders of its runs, in order, and what failed, in words."""

    number: int
    folders: tuple[str, ...] = ()
    failures: tuple[str, ...] = ()


@dataclass(frozen=True)
class Job(ABC):
    """One model, and what it is asked."""

    what: ClassVar[str]  # what messages call it

    name: str
    number: int
    folder: Path  # in which relative paths begin
    output: Path  # of the experiment
    address: str  # of the model that is asked, or that the training starts from

    @property
    @abstractmethod
    def identity(self) -> Mapping[str, Any]:
        """What must be the same when an experiment is continued."""

    @property
    @abstractmethod
    def makes_model(self) -> bool:
        """Whether a model is made first."""

    @property
    def has_record(self) -> bool:
        """Whether it has a record of its own."""
        return True

    @property
    def after(self) -> str:
        """The name of another job whose model this one starts from; empty for none."""
        return ""

    @property
    def is_kept(self) -> bool:
        """Whether the weights stay when the model has answered."""
        return False

    @property
    @abstractmethod
    def work_folder(self) -> WorkFolder:
        """The folder that the model is written to."""

    @abstractmethod
    def train(self, *, again: bool, begin: Begin) -> Trained:
        """Make the model in its folder, or continue; `again` replaces one that is there."""

    @abstractmethod
    def ended(self, config: Mapping[str, Any]) -> dict[str, Any]:
        """What the record keeps of a model's description."""

    @abstractmethod
    def made_address(self, ended: Mapping[str, Any]) -> str:
        """The address of the model that was made."""

    @abstractmethod
    def ask(self, model: str, begin: Begin, before_sending: BeforeSending) -> Answers:
        """Ask the model at an address."""

    @abstractmethod
    def has_answered(self, record: Mapping[str, Any]) -> bool:
        """Whether everything has been answered, by the record."""

    # The record

    @property
    def model_folder(self) -> Path:
        """Where the model is."""
        return self.output / MODELS / folder_name(self.name)

    @property
    def record_file(self) -> Path:
        """The file of the record."""
        return self.model_folder.with_name(f"{self.model_folder.name}.json")

    def record(self) -> dict[str, Any]:
        """What is known of the job; empty if it was never begun. One that cannot be read is an input error."""
        return self.read_record(self.record_file)

    def read_record(self, file: Path) -> dict[str, Any]:
        """The record in a file; empty if there is none."""
        try:
            record = self.as_record(parse_json(file.read_bytes()))
            for key in ("asked", "ended", "answered"):
                dict(record[key] if key == "asked" else record.get(key, {}))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise InputError(f"cannot be read: {error}", remedy=REMOVE, file=str(file)) from error
        return record

    def as_record(self, stored: dict[str, Any]) -> dict[str, Any]:
        """The content of a file as a record, if an earlier version stored it otherwise."""
        return stored

    def checked_record(self) -> dict[str, Any]:
        """The record; one of a job with other data or settings is an input error."""
        if record := self.record():
            check_same(record["asked"], self.identity, what=self.what, remedy=REMOVE, folder=self.record_file)
        return record

    def write(self, **more: Any) -> None:
        """Add to the record."""
        self.record_file.parent.mkdir(parents=True, exist_ok=True)
        write_description(self.record_file, {"asked": self.identity, **self.record(), **more})

    # The work

    def do(self, begin: Begin = silent, before_sending: BeforeSending = log_requests) -> Finished:
        """Do the job, or what is left of it; what it cannot do is said, and costs only its own answers."""
        try:
            return self._done(begin, before_sending)
        finally:
            release_memory()  # also of a model that failed, perhaps for lack of memory

    def _done(self, begin: Begin, before_sending: BeforeSending) -> Finished:
        record = self.checked_record()
        if "diverged" in record or self.has_answered(record):
            return Finished(self.number, self.folders(record))
        # A worker on another machine may not have the experiment's folder; then no path in the file can be relative.
        with _one_at_a_time, chdir(self.folder) if self.folder.is_dir() else nullcontext():
            try:
                model = self._made(record, begin) if self.makes_model else self.address
                answers = self.ask(model, begin, before_sending)
            except DivergedError as error:  # a result: this seed failed
                self.write(diverged=error.message)
                return Finished(self.number)
            except InputError as error:
                return Finished(self.number, failures=(f"{self.name}: {error}",))
        if self.has_record and not answers.failures:
            self.write(answered=answers.record)
            for pattern in () if self.is_kept else _LARGE:
                for file in self.model_folder.glob(pattern):
                    file.unlink()
        return Finished(self.number, self.folders({"answered": answers.record}), answers.failures)

    @staticmethod
    def folders(record: Mapping[str, Any]) -> tuple[str, ...]:
        """The names of the folders of runs that a record lists; answers about pairs are in the record itself."""
        runs = record.get("answered", {}).get("runs", ())
        return tuple(runs) if isinstance(runs, list) else ()

    def _made(self, record: Mapping[str, Any], begin: Begin) -> str:
        """The address of the job's model, which is trained unless it is there."""
        folder = self.model_folder
        if not record:
            shutil.rmtree(folder, ignore_errors=True)  # what is there may be the model of another job
            self.write()
        is_described = (folder / self.work_folder.description).is_file()
        if is_described and any(folder.glob(_LARGE[0])):
            ended = record.get("ended") or self.ended(self.work_folder.read())
        else:
            trained = self.train(again=is_described, begin=begin)
            release_memory()
            if trained.why == "signal":
                raise KeyboardInterrupt
            ended = self.ended(trained.config) | {"why": trained.why}
        self.write(ended=ended)
        shutil.rmtree(folder / _CHECKPOINTS, ignore_errors=True)
        return self.made_address(ended)


def waves_of(jobs: Sequence[Job]) -> list[list[Job]]:
    """The jobs in groups: those of a group need only models that are made in the groups before it."""
    waves: list[list[Job]] = []
    wave_of = {"": -1}
    for job in jobs:
        number = wave_of[job.name] = wave_of[job.after] + 1
        waves.extend([] for _ in range(number + 1 - len(waves)))
        waves[number].append(job)
    return waves


def run_jobs(
    jobs: Sequence[Job], count: int, cluster: str | None, output: Path, begin: Begin, before_sending: BeforeSending
) -> list[Finished]:
    """Do all jobs: here, where each step shows its progress, in several processes, or on a cluster."""
    do = partial(_do, before_sending=before_sending)
    with workers(count, cluster, output) as run_tasks:
        if cluster is None and count == 1:
            return list(run_tasks(partial(do, begin=begin), jobs))
        update = begin(counted(len(jobs), "job"))
        done: list[Finished] = []
        for wave in waves_of(jobs):
            for finished in run_tasks(do, wave):
                done.append(finished)
                update(len(done), len(jobs))
    return sorted(done, key=lambda finished: finished.number)


def _do(job: Job, begin: Begin = silent, before_sending: BeforeSending = log_requests) -> Finished:
    return job.do(begin, before_sending)
