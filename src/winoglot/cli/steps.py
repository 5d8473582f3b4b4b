"""Progress of work: in several steps, of those that go through files in bytes; or that something is under way."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_IN_BYTES = ("checking", "reading")  # steps; the others count what they go through


@contextmanager
def progress_bar() -> Iterator[Callable[[str, int, int], None]]:
    """On a terminal, a bar for each step that is told of by its name, with rate and time left."""
    from rich.filesize import decimal
    from rich.progress import BarColumn, Progress, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    from winoglot.cli.pretty import make_console

    class Done(TextColumn):
        def render(self, task: Task) -> Text:
            spell = decimal if task.description in _IN_BYTES else str
            done, total, speed = int(task.completed), task.total, task.speed
            of = f" of {spell(int(total))}" if total else ""
            return Text(f"{spell(done)}{of}" + (f", {spell(int(speed))}/s" if speed else ""))

    console = make_console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), Done(""), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        tasks = {}

        def progress(what: str, done: int, total: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=None)
            bar.update(tasks[what], completed=done, total=total or None)

        yield progress


@contextmanager
def working(what: str) -> Iterator[None]:
    """On a terminal, a sign that something is under way of which nobody can say how far it has got."""
    from winoglot.cli.pretty import make_console

    console = make_console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield
