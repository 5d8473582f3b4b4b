"""The one way all models are trained: what is looked at before, the training in its folder, how it is stopped."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING

import torch

from winoglot.errors import InputError
from winoglot.training.base import kind_module
from winoglot.training.estimate import available_memory, check_fits, estimate
from winoglot.training.folder import Folder
from winoglot.training.settings import Settings
from winoglot.training.steps import Steps
from winoglot.training.together import Together, choose_precision
from winoglot.training.under_way import Training

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from winoglot.corpus.reading import Corpus
    from winoglot.training.recipes import Recipe
    from winoglot.training.settings import Ended, Progress

_COPIES = 5  # of the weights, on disk: last and best, each while the next is written, and the model


def train(
    recipe: Recipe,
    corpus: Corpus,
    out: Path,
    settings: Settings | None = None,
    *,
    resume: bool = False,
    force: bool = False,
    progress: Progress | None = None,
) -> Ended:
    """Train a model into a folder; with `resume`, go on from its last checkpoint, if it has one."""
    settings = settings or Settings()
    together = Together(settings.device)
    folder = Folder(out)
    folder.check(resume=resume, force=force)
    corpus.verify()
    precision = choose_precision(settings.precision, together.device)
    low = precision != torch.float32
    check_fits(recipe, len(corpus.vocabulary), available_memory(together.device), low_precision=low)
    folder.check_room(_COPIES * estimate(recipe, len(corpus.vocabulary)).weights)
    together.wait()  # nobody writes before everybody has looked
    with folder.locked() if together.main else nullcontext(), _own_random_numbers(together.device), _enough_memory():
        steps = make_steps(recipe, corpus, together, settings)
        if together.main and not resume:  # only now: an old training is not given up for one that cannot begin
            folder.clear()
        training = Training(folder, corpus, steps, settings, precision)
        if resume:
            training.restore()
        together.wait()
        with _stopping() as stop:
            return training.run(stop, progress)


def make_steps(recipe: Recipe, corpus: Corpus, together: Together, settings: Settings) -> Steps:
    """The steps of a training at its beginning: weights drawn, nothing read."""
    kind = kind_module(recipe.kind)
    precision = choose_precision(settings.precision, together.device)
    torch.manual_seed(settings.seed)
    module = kind.make_module(recipe, corpus.vocabulary).to(together.device)
    task = kind.make_task(module, recipe, corpus, settings.seed, together.share, precision)
    return Steps(recipe, module, task, together, settings.seed)


@contextmanager
def _own_random_numbers(device: torch.device) -> Iterator[None]:
    """Leave the caller's generators as they were."""
    with torch.random.fork_rng(devices=[device] if device.type == "cuda" else []):
        yield


@contextmanager
def _enough_memory() -> Iterator[None]:
    """An estimate may be wrong, and others may take memory meanwhile: an input error where a GPU has none left."""
    try:
        yield
    except torch.OutOfMemoryError as error:
        message = f"the device has no memory left: {str(error).partition('. ')[0]}"
        remedy = "Take a smaller batch (--set batch=…) or a smaller recipe; what was saved before is kept."
        raise InputError(message, remedy=remedy) from error


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """An event that is set when somebody asks the process to end: the step is finished and a checkpoint made."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(one, lambda *_: stop.set()) for one in signals]
    try:
        yield stop
    finally:
        for one, handler in zip(signals, before, strict=True):
            signal.signal(one, handler)
