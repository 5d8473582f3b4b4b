"""Progress as plain lines, when standard error is a file or a pipe: one after two seconds of work, then now and then.

On a terminal there are bars instead (`console.progress_bar`). `WINOGLOT_PROGRESS=off` in the environment turns the
lines off.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SWITCH = "WINOGLOT_PROGRESS"
_FIRST = 2.0  # seconds of work before the first line
_SHORTEST, _LONGEST = 5.0, 60.0  # seconds between lines: half of what has passed, within these bounds


@dataclass
class ProgressLine:
    """A part of the work that counts what it has done."""

    name: str
    unit: str
    spell: Callable[[int], str]
    started: float
    done: int = 0
    total: int = 0
    first: tuple[int, float] | None = None  # what was done by when at the first report: resuming does not start at 0
    note: str = ""  # more about it, such as the loss of a training

    def advanced(self, done: int, total: int, note: str = "") -> ProgressLine:
        """The task with what it has done by now."""
        self.first = self.first or (done, time.monotonic())
        self.done, self.total, self.note = done, total, note
        return self

    def line(self, now: float) -> str:
        """What is done, how fast, and how long the rest will take.

        >>> line = ProgressLine("winoglot-pt first", "items", str, started=0.0, done=50, total=200, first=(0, 0.0))
        >>> line.line(now=10.0)
        'winoglot-pt first: 50 of 200 items, 5 items/s, 30 s left'
        """
        if not self.done:
            since = now - self.started
            return f"{self.name}: working" + (f", {spell_seconds(since)} so far" if since >= 1 else "")
        unit = f" {self.unit}" if self.unit else ""
        parts = [f"{self.spell(self.done)}{f' of {self.spell(self.total)}' if self.total else ''}{unit}"]
        before, since = self.first or (0, self.started)
        if self.done > before and now > since:
            rate = (self.done - before) / (now - since)
            parts.append(f"{self.spell(round(rate)) if rate >= 1 else format(rate, '.2g')}{unit}/s")
            if self.total > self.done:
                parts.append(f"{spell_seconds((self.total - self.done) / rate)} left")
        return f"{self.name}: {', '.join(filter(None, (*parts, self.note)))}"


@dataclass
class PlainProgress:
    """What is being done. A thread of its own prints a line about it now and then."""

    what: str  # shown while nothing is counted
    started: float
    task: ProgressLine | None = None
    ended: threading.Event = field(default_factory=threading.Event)

    def line(self, now: float) -> str:
        """What to say at that time."""
        unfinished = self.task is not None and not (self.task.total and self.task.done >= self.task.total)
        if self.task is not None and unfinished:
            return self.task.line(now)
        return f"{self.what}: working, {spell_seconds(now - self.started)} so far"

    def report(self) -> None:
        """Print lines until the work has ended."""
        pause = _FIRST
        while not self.ended.wait(pause):
            now = time.monotonic()
            with suppress(OSError, ValueError):  # nobody reads standard error any more
                print(self.line(now), file=sys.stderr, flush=True)
            pause = min(_LONGEST, max(_SHORTEST, (now - self.started) / 2))


_current: PlainProgress | None = None


def current() -> PlainProgress | None:
    """The progress of the command that is running, if it is to be told in lines."""
    return _current


@contextmanager
def told_in_lines(what: str) -> Iterator[None]:
    """Report the work of this block in plain lines, unless standard error is a terminal or closed, or they are off."""
    global _current  # noqa: PLW0603  (there is one standard error)
    if os.environ.get(SWITCH) == "off" or sys.stderr is None or sys.stderr.isatty():
        yield
        return
    _current = PlainProgress(what, time.monotonic())
    thread = threading.Thread(target=_current.report, daemon=True)
    thread.start()
    try:
        yield
    finally:
        _current.ended.set()
        thread.join()
        _current = None


def wait_quietly() -> None:
    """Print no more lines: the command now waits for its user."""
    if _current:
        _current.ended.set()


def spell_seconds(seconds: float) -> str:
    """A duration in words.

    >>> spell_seconds(8.2), spell_seconds(150), spell_seconds(8000)
    ('8 s', '2 min 30 s', '2 h 13 min')
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
