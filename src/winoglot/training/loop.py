"""The training loop, the same for all models: checks before it starts, epochs, validations, checkpoints, the end.

A training can be interrupted at any time and continued from its last checkpoint, with the same result bit for bit.

`TrainingLoop` leaves to its subclasses what a model learns from and what it is when it is finished: `CorpusLoop` trains
one from a corpus, `winoglot.finetune` has another for schemas. `run_loop` runs any of them in its folder.
"""

from __future__ import annotations

import math
import signal
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

import torch

from winoglot._version import __version__
from winoglot.corpus.reading import VOCABULARY, open_corpus
from winoglot.errors import DivergedError, InputError
from winoglot.files import write_whole
from winoglot.folders import check_same, lock
from winoglot.memory import free_memory, is_out_of_memory
from winoglot.training.checkpoint import FORMAT, TrainingFolder, interpreting, read_tensors, weights_file
from winoglot.training.distributed import Distributed, choose_precision
from winoglot.training.estimate import check_fits, estimate
from winoglot.training.perplexity import perplexity_of
from winoglot.training.recipes import LANGUAGE_MODELS, check_seed
from winoglot.training.trained import vocabulary_hash
from winoglot.training.trainer import TrainingState, after_validation, make_trainer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from winoglot.corpus.reading import Corpus
    from winoglot.training.recipes import Recipe
    from winoglot.training.trainer import Trainer

Progress = Callable[[int, int, int, float | None], object]  # steps done, steps in all, tokens, loss
_COPIES = 5  # of the weights on disk: last and best, each while the next is written, and the model
_LOOK_EVERY = 10  # steps between checks of the clock if several processes must agree


@dataclass(frozen=True)
class TrainingSettings:
    """How a training is run; of these only the seed and the precision change the result.

    >>> TrainingSettings(seed=-1)
    Traceback (most recent call last):
    winoglot.errors.InputError: the seed is -1. Use a whole number from 0 to 9223372036854775807.
    """

    seed: int = 0
    precision: str = "auto"
    device: str = "auto"
    max_minutes: float = math.inf
    checkpoint_minutes: float = 10.0
    log_every: int = 50
    checkpoint_epochs: bool = True  # whether to save a checkpoint after each epoch too

    def __post_init__(self) -> None:
        """Refuse values that no training can be run with."""
        check_seed(self.seed)
        for name, minutes in (("max-minutes", self.max_minutes), ("checkpoint-minutes", self.checkpoint_minutes)):
            if not minutes >= 0:
                raise InputError(f"--{name} is {minutes:g}", remedy="Use 0 or more.")
        if self.log_every < 1:
            raise InputError(f"--log-every is {self.log_every}", remedy="Use 1 or more.")


@dataclass(frozen=True)
class TrainingResult:
    """How a training ended: `why` is epochs, patience, minutes or signal; after a signal there is no model yet."""

    why: str
    state: TrainingState
    config: dict[str, Any]


def train(
    recipe: Recipe,
    corpus: Corpus,
    out: Path,
    settings: TrainingSettings | None = None,
    *,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> TrainingResult:
    """Train a model into a folder; with `resume`, continue from its last checkpoint, if it has one."""
    settings = settings or TrainingSettings()
    distributed = Distributed(settings.device)
    device, types = distributed.device, len(corpus.vocabulary)
    folder = TrainingFolder(out)
    folder.check(force=force or resume)
    corpus.verify()
    low_precision = choose_precision(settings.precision, device) != torch.float32
    check_fits(recipe, types, free_memory(device), low_precision=low_precision)
    folder.check_room(_COPIES * estimate(recipe, types).weights)

    def make() -> TrainingLoop:
        trainer = make_trainer(recipe, corpus, distributed, seed=settings.seed, precision=settings.precision)
        return CorpusLoop(folder, corpus, recipe, trainer, settings)

    return run_loop(folder, distributed, make, resume=resume, progress=progress)


def run_loop(
    folder: TrainingFolder,
    distributed: Distributed,
    make: Callable[[], TrainingLoop],
    *,
    resume: bool,
    progress: Progress | None,
) -> TrainingResult:
    """Make a loop and run it, as the only process in its folder; with `resume`, from its last checkpoint."""
    device = distributed.device
    distributed.wait()  # before any process writes, all have checked
    with (
        lock(folder.path) if distributed.is_main else nullcontext(),
        torch.random.fork_rng(devices=[device] if device.type == "cuda" else []),  # leaves the caller's generator alone
        _on_full_memory(),
    ):
        loop = make()
        if distributed.is_main and not resume:  # not earlier: an old model must survive a training that cannot start
            folder.clear()
        if resume:
            loop.restore()
        distributed.wait()
        with _stop_signals() as stop:
            return loop.run(stop, progress)


class TrainingLoop(ABC):
    """A training that runs in a folder."""

    def __init__(
        self, folder: TrainingFolder, trainer: Trainer, settings: TrainingSettings, data: dict[str, Any]
    ) -> None:
        """Start before the first step; `data` identifies what the model learns from."""
        self.folder, self.trainer, self.settings = folder, trainer, settings
        self.recipe, self.distributed = trainer.recipe, trainer.distributed
        self.state = TrainingState(rate=self.recipe.rate)
        precision = choose_precision(settings.precision, self.distributed.device)
        self.identity: dict[str, Any] = {  # what must be the same when a training is continued
            **data,
            "seed": settings.seed,
            "precision": str(precision).removeprefix("torch."),
            "processes": self.distributed.process.world_size,
            "recipe": asdict(self.recipe),
        }
        self._started = self._saved = self._counted = time.monotonic()

    # What is trained, and from what

    @abstractmethod
    def check_data(self) -> None:
        """An input error if what the model learns from was changed since the training started."""

    @abstractmethod
    def check_same_data(self, recorded: dict[str, Any], remedy: str) -> None:
        """An input error if a checkpoint, so described, was trained on other data."""

    @abstractmethod
    def describe(self, measured: Sequence[float]) -> dict[str, Any]:
        """What the model's description says besides how the training went, given what the task measured, if it has."""

    @abstractmethod
    def log_of(self, loss: float, measured: Sequence[float]) -> dict[str, float | None]:
        """What the log says about a validation besides its loss."""

    @abstractmethod
    def save_best(self, tensors: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        """Store the best model so far."""

    @abstractmethod
    def publish(self, tensors: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        """Turn the folder into that of a finished model."""

    # Epochs and the end

    def run(self, stop: threading.Event, progress: Progress | None) -> TrainingResult:
        """Run all epochs, or until the model no longer improves, time is up or the process is asked to stop."""
        while self.state.epoch < self.recipe.epochs and not self.state.stopped:
            plan = self.trainer.task.plan(self.state.epoch)
            total_steps = self.state.step - self.state.at + len(plan) * (self.recipe.epochs - self.state.epoch)
            while self.state.at < len(plan):
                self.state = self.trainer.take(plan[self.state.at], self.state, total_steps)
                loss = self._log_loss() if self.state.step % self.settings.log_every == 0 else None
                if progress:
                    progress(self.state.step, total_steps, self.state.tokens, loss)
                time_is_up, is_stopping = self._check_clock(stop)
                if is_stopping:
                    return TrainingResult("signal", self.state, {})
                if time_is_up and self.state.at < len(plan):
                    return self._end_within_epoch()
            self._end_epoch()
            if any(self.distributed.sum(self._minutes_since(self._started) >= self.settings.max_minutes)):
                break
        return self._end()

    def _check_clock(self, stop: threading.Event) -> tuple[bool, bool]:
        """Whether time is up, and whether to stop; saves a checkpoint if one is due, and before either."""
        if self.distributed.process.world_size > 1 and self.state.step % _LOOK_EVERY:
            return False, False
        time_is_up = self._minutes_since(self._started) >= self.settings.max_minutes
        due = self._minutes_since(self._saved) >= self.settings.checkpoint_minutes
        time_is_up, is_stopping, due = map(bool, self.distributed.sum(time_is_up, stop.is_set(), due))
        if time_is_up or is_stopping or due:
            self._save()
        return time_is_up, is_stopping

    def _end_epoch(self) -> None:
        loss, *measured = self._check()
        previous, averaged = self.state, self.trainer.averaged
        self.state = after_validation(self.recipe, replace(previous, epoch=previous.epoch + 1, at=0), loss)
        self._log_check(loss, measured, averaged=averaged)
        if loss < previous.best and self.distributed.is_main:
            self.save_best(self.trainer.weights(), self._config(loss, measured))
        self.trainer.start_epoch()
        if self.settings.checkpoint_epochs:
            self._save()

    def _end(self) -> TrainingResult:
        """Publish the best model as the finished one."""
        is_complete = self.state.epoch >= self.recipe.epochs
        why = "patience" if self.state.stopped else "epochs" if is_complete else "minutes"
        self.distributed.wait()
        best, tensors = self.folder.read_best()
        del best["weights"]
        return self._finish(why, tensors, best | self._config(best["losses"]["valid"]), best["steps"])

    def _end_within_epoch(self) -> TrainingResult:
        """Time is up within an epoch: the weights as they are now may be better than the best validated ones.

        The checkpoint was saved before this validation, which therefore changes nothing when the training continues;
        the lines logged here are then removed.
        """
        loss, *measured = self._check()
        self._log_check(loss, measured, averaged=self.trainer.averaged)
        if loss < self.state.best:
            return self._finish("minutes", self.trainer.weights(), self._config(loss, measured), self.state.step)
        return self._end()

    def _finish(
        self, why: str, tensors: dict[str, torch.Tensor], config: dict[str, Any], best_step: int
    ) -> TrainingResult:
        config |= {"best_step": best_step}
        if self.distributed.is_main:
            self.publish(tensors, config)
        self.distributed.wait()
        return TrainingResult(why, self.state, config)

    def _config(self, loss: float, measured: Sequence[float] = ()) -> dict[str, Any]:
        """The description of a model with this validation loss."""
        self._count_seconds()
        state = self.state
        return {
            "format": FORMAT,
            **self.identity,
            **self.describe(measured),
            "parameters": sum(parameter.numel() for parameter in self.trainer.parameters),
            "steps": state.step,
            "epochs": state.epoch,
            "tokens": state.tokens,
            "seconds": round(state.seconds, 1),
            "averaged": self.trainer.averaged,
            "losses": {"valid": loss, "checks": list(state.losses)},
            "versions": {"winoglot": __version__, "torch": torch.__version__},
        }

    # Checkpoints

    def _save(self) -> None:
        """Save a checkpoint, unless something went wrong."""
        self._check_numbers()
        self.check_data()
        self._count_seconds()
        tensors = self.trainer.tensors()
        if self.distributed.is_main:
            info = self.identity | {"course": self.state.to_json(), "averaged": self.trainer.averaged}
            self.folder.save_last(tensors, info, self.state.step)
        self._saved = time.monotonic()

    def restore(self) -> None:
        """Continue from the last checkpoint; if there is none yet, start at the beginning."""
        self.folder.check_unfinished()
        info = self.folder.read_state()
        log_length = 0
        if info is not None:
            file = weights_file(self.folder.last, info)
            tensors = read_tensors(file)
            with interpreting(self.folder.state):
                self._check_identity(info)
                self.trainer.restore(tensors, info["averaged"], file)
                self.state = TrainingState.from_json(info["course"])
                log_length = max(0, int(info["log_bytes"]))
        if self.distributed.is_main:
            self.folder.cut_log(log_length)

    def _check_identity(self, recorded: dict[str, Any]) -> None:
        """An input error if the checkpoint belongs to another training; only the number of epochs may differ."""
        folder, identity = self.folder.path, self.identity
        remedy = "Use the same settings as before, or start again with --force or in another folder."
        self.check_same_data(recorded, remedy)
        run = {key: identity[key] for key in ("seed", "precision", "processes")}
        check_same(recorded, run, what="training", remedy=remedy, folder=folder)
        recipe = {key: value for key, value in identity["recipe"].items() if key != "epochs"}
        check_same(recorded["recipe"], recipe, what="training", remedy=remedy, folder=folder)

    # The log, the clock, and losses that are not numbers

    def _log_loss(self) -> float:
        """Log the mean loss since the last line; only here does an epoch wait for the device."""
        self._check_numbers()
        loss = self.trainer.mean_loss()
        self._log(loss=loss)
        return loss

    def _check(self) -> tuple[float, ...]:
        """Validate; before that, log the loss of the last steps, however few they were."""
        if self.trainer.has_losses:
            self._log_loss()
        return self._validate()

    def _log_check(self, loss: float, measured: Sequence[float], *, averaged: int) -> None:
        self._log(valid_loss=loss, **self.log_of(loss, measured), averaged=averaged)

    def _log(self, **more: float | None) -> None:
        self._count_seconds()
        state = self.state
        if self.distributed.is_main:
            place = {"step": state.step, "epoch": state.epoch, "tokens": state.tokens}
            self.folder.append(place | more | {"rate": state.rate, "seconds": round(state.seconds, 2)})

    def _count_seconds(self) -> None:
        now = time.monotonic()
        self.state = replace(self.state, seconds=self.state.seconds + now - self._counted)
        self._counted = now

    def _minutes_since(self, moment: float) -> float:
        return (time.monotonic() - moment) / 60

    def _validate(self) -> tuple[float, ...]:
        self._check_numbers()
        losses = self.trainer.validate()
        if not math.isfinite(losses[0]):
            raise self._not_a_number(self.state.step)
        return losses

    def _check_numbers(self) -> None:
        if step := self.trainer.bad_step():
            raise self._not_a_number(step)

    def _not_a_number(self, step: int) -> DivergedError:
        last = self.folder.read_state()
        checkpoint = (
            f"the checkpoint of step {last['course']['step']} is kept" if last else "there was no checkpoint yet"
        )
        rate = f"{self.recipe.rate / 2:g}"
        remedy = f"Start again with --force and a lower learning rate (--set rate={rate}) or another --seed."
        message = f"the loss is not a number at step {step}; {checkpoint}"
        return DivergedError(message, remedy=remedy, file=str(self.folder.path))


class CorpusLoop(TrainingLoop):
    """The training of a model from a corpus."""

    def __init__(
        self, folder: TrainingFolder, corpus: Corpus, recipe: Recipe, trainer: Trainer, settings: TrainingSettings
    ) -> None:
        """Start before the first step."""
        data = {"vocabulary": vocabulary_hash(corpus.vocabulary), "corpus": corpus.hash}
        super().__init__(folder, trainer, settings, data)
        self.corpus, self.kind = corpus, recipe.kind

    def check_data(self) -> None:
        """Refuse a corpus that has changed."""
        if open_corpus(self.corpus.path).hash != self.corpus.hash:
            message = "the corpus was changed while a model was trained on it"
            remedy = "Build it again as it was and continue with --resume, or start again with --force."
            raise InputError(message, remedy=remedy, file=str(self.corpus.path))

    def check_same_data(self, recorded: dict[str, Any], remedy: str) -> None:
        """Refuse another vocabulary or another text."""
        if recorded["vocabulary"] != self.identity["vocabulary"]:
            raise InputError("the checkpoint belongs to another vocabulary", remedy=remedy, file=str(self.folder.path))
        if recorded["corpus"] != self.identity["corpus"]:
            message = "the corpus has changed since the training was started"
            raise InputError(message, remedy=remedy, file=str(self.folder.path))

    def describe(self, measured: Sequence[float]) -> dict[str, Any]:
        """The kind, language, tokenisation, vocabulary and corpus of the model."""
        del measured
        corpus = self.corpus
        return {
            "kind": self.kind,
            "language": corpus.language,
            "tokenisation": corpus.tokenisation,
            "vocabulary": {"types": len(corpus.vocabulary), "sha256": self.identity["vocabulary"]},
            "corpus": {"name": corpus.path.resolve().name, "hash": corpus.hash},
        }

    def log_of(self, loss: float, measured: Sequence[float]) -> dict[str, float | None]:
        """The perplexity of a language model."""
        del measured
        return {"perplexity": perplexity_of(loss)} if self.kind in LANGUAGE_MODELS else {}

    def save_best(self, tensors: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        """Store the best model with its vocabulary, so that it can be opened like the finished one."""
        self.folder.best.mkdir(parents=True, exist_ok=True)
        write_whole(self.folder.best / VOCABULARY, self.corpus.vocabulary.to_text(), force=True)
        self.folder.save_best(tensors, config, self.state.step)

    def publish(self, tensors: dict[str, torch.Tensor], config: dict[str, Any]) -> None:
        """Store the model with its vocabulary."""
        self.folder.finish(tensors, config, self.corpus.vocabulary.to_text())


@contextmanager
def _on_full_memory() -> Iterator[None]:
    """An input error if memory runs out: estimates may be wrong, and other programs may take some."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        if not is_out_of_memory(error):
            raise
        message = f"the device is out of memory: {str(error).partition('. ')[0]}"
        remedy = "Use a smaller batch (--set batch=…) or a smaller recipe; what was saved before is kept."
        raise InputError(message, remedy=remedy) from error


@contextmanager
def _stop_signals() -> Iterator[threading.Event]:
    """An event that is set when the process is asked to end: the loop finishes its step and saves a checkpoint."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    handlers = [signal.signal(number, lambda *_: stop.set()) for number in signals]
    try:
        yield stop
    finally:
        for number, handler in zip(signals, handlers, strict=True):
            signal.signal(number, handler)
