"""How far long work has got: bars on a terminal or in a notebook, plain lines where a command writes to a file or pipe.

A bar appears after two seconds of work. Lines are printed by commands alone, one after two seconds, then now and then;
`WINOGLOT_PROGRESS=off` in the environment turns them off. A script whose standard error is no terminal prints nothing.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, Any, Protocol, cast

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from rich.progress import Progress, Task

SWITCH = "WINOGLOT_PROGRESS"
_FIRST = 2.0  # seconds of work before the first line, or before a bar appears
_SHORTEST, _LONGEST = 5.0, 60.0  # seconds between lines: half of what has passed, within these bounds
_EVERY = 0.2  # seconds between two updates of a notebook's cell


class Report(Protocol):
    """A function to report the progress of one task to."""

    def __call__(self, done: int, total: int, note: str = "") -> None:
        """`done` of `total` is done; a total of 0 is unknown. The note says more, such as the training loss."""
        ...


Begin = Callable[[str], Report]  # begins a task of that name


@contextmanager
def show_progress(unit: str = "", *, bytes_in: Collection[str] = (), shown: bool = True) -> Iterator[Begin]:
    """Show the progress of all tasks that the block begins; those named in `bytes_in` count bytes instead of units."""
    if shown and _current:
        yield _Lines(_current, unit, bytes_in).begin
    elif shown and (in_notebook() or _has_terminal()):
        bars = _Bars(unit, bytes_in)
        try:
            yield bars.begin
        except BaseException:
            bars.close("Stopped after")
            raise
        bars.close("Done in")
    else:
        yield lambda _name: lambda _done, _total, _note="": None


def in_notebook() -> bool:
    """Whether this is the kernel of a notebook: Jupyter, VS Code, Colab."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return hasattr(get_ipython(), "kernel")


def _has_terminal() -> bool:
    with suppress(AttributeError, ValueError):  # a stream that was closed or replaced
        return sys.stderr.isatty()
    return False


def _spell_bytes(count: int) -> str:
    from rich.filesize import decimal

    return decimal(count)


class _Bars:
    """One bar for each unfinished task, with rate and time left, once the work has taken two seconds."""

    def __init__(self, unit: str, bytes_in: Collection[str]) -> None:
        self._bar = _rich_bar(unit, bytes_in)
        self._tasks: dict[str, Any] = {}
        self._cell: Any = None  # of a notebook: the handle of its output
        self._in_notebook = in_notebook()
        self._begun = self._last = time.monotonic()
        self._is_visible = self._is_closed = False
        self._lock = threading.Lock()
        # A timer, since the first step may take longer than that.
        self._timer = threading.Timer(_FIRST, self._show)
        self._timer.daemon = True
        self._timer.start()

    def begin(self, name: str) -> Report:
        """The function to report the progress of a task to."""
        if name not in self._tasks:
            self._tasks[name] = self._bar.add_task(name, total=None, note="")

        def report(done: int, total: int, note: str = "") -> None:
            is_unfinished = not total or done < total
            self._bar.update(self._tasks[name], completed=done, total=total or None, visible=is_unfinished, note=note)
            if self._in_notebook and self._is_visible and time.monotonic() - self._last >= _EVERY:
                self._show()

        return report

    def _show(self) -> None:
        with self._lock:
            if self._is_closed:
                return
            if self._in_notebook:
                self._update_cell(self._bar)
            else:
                self._bar.start()  # from here on, rich updates it
            self._is_visible, self._last = True, time.monotonic()

    def close(self, verb: str) -> None:
        """Remove the bars; the output of a notebook's cell ends with the time that the work took."""
        self._timer.cancel()
        with self._lock:
            self._is_closed = True
            if self._is_visible and self._in_notebook:
                from rich.text import Text

                self._update_cell(Text(f"{verb} {time.monotonic() - self._begun:.0f} s.", style="dim"))
            elif self._is_visible:
                self._bar.stop()

    def _update_cell(self, renderable: Any) -> None:
        """Replace the cell's output. Rich alone would need ipywidgets for that."""
        from IPython.display import display

        if self._cell is None:
            self._cell = display(renderable, display_id=True)
        else:
            self._cell.update(renderable)


class _Stream:
    """Standard error for rich; the work goes on if nobody reads it any more."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        with suppress(OSError, ValueError):
            self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        with suppress(OSError, ValueError):
            self._stream.flush()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _rich_bar(unit: str, bytes_in: Collection[str]) -> Progress:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Done(TextColumn):
        def render(self, task: Task) -> Text:
            spell = _spell_bytes if task.description in bytes_in else str
            total = f" of {spell(int(task.total))}" if task.total else ""
            rate = f", {spell(int(task.speed))} {unit}".rstrip() + "/s" if task.speed else ""
            note = f", {task.fields['note']}" if task.fields["note"] else ""
            return Text(f"{spell(int(task.completed))}{total}{rate}{note}")

    console = Console(file=cast("IO[str]", _Stream(sys.stderr)), highlight=False, emoji=False, markup=False)
    columns = (TextColumn("{task.description}"), BarColumn(), Done(""), TimeRemainingColumn())
    return Progress(*columns, console=console, transient=True)


class _Lines:
    """Tasks that the lines of a command are about."""

    def __init__(self, lines: PlainProgress, unit: str, bytes_in: Collection[str]) -> None:
        self._lines, self._unit, self._bytes_in = lines, unit, bytes_in

    def begin(self, name: str) -> Report:
        """The function to report the progress of a task to."""
        counts_bytes = name in self._bytes_in
        unit, spell = ("", _spell_bytes) if counts_bytes else (self._unit, str)
        line = self._lines.task = ProgressLine(name, unit, spell, time.monotonic())

        def report(done: int, total: int, note: str = "") -> None:
            self._lines.task = line.advanced(done, total, note)

        return report


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
    note: str = ""  # more about it, such as the training loss

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
        first_done, since = self.first or (0, self.started)
        if self.done > first_done and now > since:
            rate = (self.done - first_done) / (now - since)
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
        """The line to print at that time."""
        is_unfinished = self.task is not None and not (self.task.total and self.task.done >= self.task.total)
        if self.task is not None and is_unfinished:
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
    """The progress of the command that is running, if it is reported in lines."""
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
    rounded = round(seconds)
    if rounded < 60:
        return f"{rounded} s"
    if rounded < 3600:
        return f"{rounded // 60} min {rounded % 60} s"
    return f"{rounded // 3600} h {rounded % 3600 // 60} min"
