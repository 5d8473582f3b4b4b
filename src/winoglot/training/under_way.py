"""A training under way: step by step, checked each epoch, to be ended and gone on with at any time."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from winoglot.corpus.reading import open_corpus
from winoglot.errors import InputError
from winoglot.training.checkpoint import following
from winoglot.training.identity import check_same, describe, identity
from winoglot.training.perplexity import perplexity_of
from winoglot.training.schedule import Course, after_check
from winoglot.training.settings import Ended
from winoglot.training.trained import LANGUAGE_MODELS

if TYPE_CHECKING:
    import threading

    import torch

    from winoglot.corpus.reading import Corpus
    from winoglot.training.folder import Folder
    from winoglot.training.settings import Progress, Settings
    from winoglot.training.steps import Steps

_LOOK = 10  # steps between looks at the clock where several processes must agree


class Training:
    """A training under way in its folder."""

    def __init__(
        self, folder: Folder, corpus: Corpus, steps: Steps, settings: Settings, precision: torch.dtype
    ) -> None:
        """Nothing is done yet."""
        self.folder, self.corpus, self.steps, self.settings = folder, corpus, steps, settings
        self.recipe, self.together = steps.recipe, steps.together
        self.same = identity(self.recipe, corpus, settings.seed, precision, self.together.share.of)
        self.course = Course(rate=self.recipe.rate)
        self.began = self.saved = self.counted = time.monotonic()

    def run(self, stop: threading.Event, progress: Progress | None) -> Ended:
        """All epochs, or until it no longer improves, time is up or somebody says stop."""
        while self.course.epoch < self.recipe.epochs and not self.course.stopped:
            plan = self.steps.task.plan(self.course.epoch)
            in_all = self.course.step - self.course.at + len(plan) * (self.recipe.epochs - self.course.epoch)
            while self.course.at < len(plan):
                self.course = self.steps.take(plan[self.course.at], self.course, in_all)
                loss = self._log() if self.course.step % self.settings.log_every == 0 else None
                if progress:
                    progress(self.course.step, in_all, self.course.tokens, loss)
                over, stopping = self._look(stop)
                if stopping:
                    return Ended("signal", self.course, {})
                if over and self.course.at < len(plan):
                    return self._end_early()
            self._end_epoch()
            if any(self.together.total(self._minutes(self.began) >= self.settings.max_minutes)):
                break
        return self._end()

    def save(self) -> None:
        """Keep where the training stands, if all is well."""
        self._check_numbers()
        self._check_corpus()
        self._count_seconds()
        tensors = self.steps.tensors()
        if self.together.main:
            info = self.same | {"course": self.course.to_json(), "averaged": self._averaged()}
            self.folder.save_last(tensors, info, self.course.step)
        self.saved = time.monotonic()

    def restore(self) -> None:
        """Go on from the last checkpoint; where there is none yet, from the beginning."""
        found = self.folder.read_last()
        length = 0
        if found is not None:
            info, tensors = found
            with following(self.folder.state):
                check_same(info, self.same, self.folder.path)
                self.steps.restore(tensors, info["averaged"], self.folder.last / str(info["weights"]))
                self.course = Course.from_json(info["course"])
                length = max(0, int(info["log_bytes"]))
        if self.together.main:
            self.folder.cut_log(length)

    def _look(self, stop: threading.Event) -> tuple[bool, bool]:
        """At the clock, and whether to stop; a checkpoint is made where one is due, and before any end."""
        if self.together.share.of > 1 and self.course.step % _LOOK:
            return False, False
        over = self._minutes(self.began) >= self.settings.max_minutes
        due = self._minutes(self.saved) >= self.settings.checkpoint_minutes
        over, stopping, due = map(bool, self.together.total(over, stop.is_set(), due))
        if over or stopping or due:
            self.save()
        return over, stopping

    def _end_epoch(self) -> None:
        if self.course.step % self.settings.log_every:
            self._log()
        loss = self._check()
        before, averaged = self.course, self._averaged()
        self.course = after_check(self.recipe, replace(before, epoch=before.epoch + 1, at=0), loss)
        more = {"perplexity": perplexity_of(loss)} if self.recipe.kind in LANGUAGE_MODELS else {}
        self._write(valid_loss=loss, **more, averaged=averaged)
        if loss < before.best and self.together.main:
            text = self.corpus.vocabulary.to_text()
            self.folder.save_best(self.steps.weights(), self._described(loss), text, self.course.step)
        self.steps.begin_epoch()
        self.save()

    def _end(self) -> Ended:
        """The best model becomes the model."""
        why = "patience" if self.course.stopped else "epochs"
        if self.course.epoch < self.recipe.epochs and not self.course.stopped:
            why = "minutes"
        self.together.wait()
        best, tensors = self.folder.read_best()
        return self._finish(why, tensors, self._described(best["losses"]["valid"]), best["steps"])

    def _end_early(self) -> Ended:
        """Time is up within an epoch: the weights as they are now may be better than the best checked ones.

        The checkpoint was made before this check, so that going on later is not changed by it.
        """
        loss = self._check()
        if loss < self.course.best:
            return self._finish("minutes", self.steps.weights(), self._described(loss), self.course.step)
        return self._end()

    def _finish(self, why: str, tensors: dict[str, torch.Tensor], config: dict[str, Any], best_step: int) -> Ended:
        config |= {"best_step": best_step}
        if self.together.main:
            self.folder.finish(tensors, config, self.corpus.vocabulary.to_text())
        self.together.wait()
        return Ended(why, self.course, config)

    def _check(self) -> float:
        """The loss on the validation text."""
        self._check_numbers()
        loss = self.steps.validate()
        if not math.isfinite(loss):
            raise self._not_a_number(self.course.step)
        return loss

    def _log(self) -> float:
        """Write a line on the steps since the last one; only here does an epoch wait for the device."""
        self._check_numbers()
        loss = self.steps.mean_loss()
        self._write(loss=loss)
        return loss

    def _write(self, **more: float | None) -> None:
        self._count_seconds()
        course = self.course
        if self.together.main:
            place = {"step": course.step, "epoch": course.epoch, "tokens": course.tokens}
            self.folder.append(place | more | {"rate": course.rate, "seconds": round(course.seconds, 2)})

    def _described(self, loss: float) -> dict[str, Any]:
        self._count_seconds()
        parameters = sum(one.numel() for one in self.steps.parameters)
        return describe(self.same, self.corpus, self.course, parameters, self._averaged(), loss)

    def _averaged(self) -> int:
        return self.steps.averages.count if self.steps.averages else 0

    def _count_seconds(self) -> None:
        now = time.monotonic()
        self.course = replace(self.course, seconds=self.course.seconds + now - self.counted)
        self.counted = now

    def _minutes(self, since: float) -> float:
        return (time.monotonic() - since) / 60

    def _check_corpus(self) -> None:
        if open_corpus(self.corpus.path).hash != self.corpus.hash:
            message = "the corpus was changed while a model was trained on it"
            remedy = "Build it again as it was, then go on with --resume; or begin anew with --force."
            raise InputError(message, remedy=remedy, file=str(self.corpus.path))

    def _check_numbers(self) -> None:
        if step := self.steps.bad_step():
            raise self._not_a_number(step)

    def _not_a_number(self, step: int) -> InputError:
        kept = self.folder.last_step()
        where = "there was no checkpoint yet" if kept is None else f"the checkpoint of step {kept} is kept"
        remedy = f"Begin anew with --force and a lower rate (--set rate={self.recipe.rate / 2:g}), or another --seed."
        message = f"the loss is not a number at step {step}; {where}"
        return InputError(message, remedy=remedy, file=str(self.folder.path))
