"""What commands print with: a console, tables and estimates."""

from __future__ import annotations

import json
import os
import signal
import sys
import traceback
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from winoglot.errors import TRACEBACK, InputError
from winoglot.progress import current

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.console import RenderableType


_PIPE_WIDTH = 160  # columns of a table when output is not a terminal
CANDIDATE_STYLES = ("cyan", "yellow", "green", "blue", "red", "bright_cyan")  # by index, in turn


def make_console(*, stderr: bool = False, pipe_width: int = _PIPE_WIDTH) -> Console:
    """A console that does not squeeze what goes into a pipe or a file."""
    console = Console(highlight=False, emoji=False, markup=False, stderr=stderr)
    if not console.is_terminal and "COLUMNS" not in os.environ:
        console.width = pipe_width
    return console


def emit(renderable: RenderableType | str, indent: int = 0, style: str = "", *, pipe_width: int = _PIPE_WIDTH) -> None:
    """Print a line, a text or a table; without trailing spaces when output is not a terminal."""
    if isinstance(renderable, str):
        renderable = Text(renderable, style=style)
    if indent:
        renderable = Padding(renderable, (0, 0, 0, indent))
    console = make_console(pipe_width=pipe_width)
    if console.is_terminal:
        console.print(renderable)
        return
    with console.capture() as captured:
        console.print(renderable)
    lines = captured.get().removesuffix("\n").split("\n")
    sys.stdout.write("".join(line.rstrip(" ") + "\n" for line in lines))


def print_error(error: InputError, about: str = "") -> None:
    """Print an error in one line on standard error; where it arose too, if the environment asks for that."""
    print(f"Error: {about}{error}", file=sys.stderr)
    if os.environ.get(TRACEBACK):
        traceback.print_exception(error)


def print_json(value: object, indent: int | None = None) -> None:
    """Print a value for another program, letters as they are."""
    print(json.dumps(value, ensure_ascii=False, indent=indent))


def print_rows(rows: Sequence[Mapping[str, object]], *, pipe_width: int = _PIPE_WIDTH) -> None:
    """A table with one row per mapping; their keys are the header."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    for key in rows[0]:
        numeric = all(isinstance(row[key], int | float) for row in rows)
        first = key == next(iter(rows[0]))  # the name, which must stay readable in a narrow terminal
        table.add_column(key, justify="right" if numeric else "left", no_wrap=numeric or first, overflow="fold")
    for row in rows:
        table.add_row(*("" if value is None else str(value) for value in row.values()))
    emit(table, pipe_width=pipe_width)


def first_few(names: Sequence[str], most: int = 10) -> str:
    """Names with commas between them, cut after `most` with how many more there are.

    >>> first_few(["a", "b", "c"], 2)
    'a, b and 1 more'
    """
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


@contextmanager
def resumable(what: str = "Repeat the command to continue where it stopped.") -> Iterator[None]:
    """If this block is interrupted (Ctrl-C or SIGTERM), say that nothing is lost, and how to go on; exit code 130."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"\nInterrupted. {what}", err=True)
        raise typer.Exit(130) from None
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def working(what: str) -> Iterator[None]:
    """A sign that something is running whose length is unknown."""
    console = make_console(stderr=True)
    lines = current()
    if lines:
        lines.what, lines.task = what, None
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield
