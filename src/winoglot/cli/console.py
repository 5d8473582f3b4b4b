"""What commands print with: a console, tables and estimates."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import traceback
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING

import typer
from rich.cells import cell_len
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
_GAP = 2  # between two columns
# What a cell can be broken after: a word or an interval in brackets and, if need be, part of a name up to a sign.
_WORD = re.compile(r"\[[^\]]*\]\s*|\S[^\s\[]*\s*|\s+")
_PIECE = re.compile(
    r"\[[^\]]*\]\s*|(?:[^\s\[/:_-]|[/:_-](?![^\W\d])|\[(?![^\]]*\]))+(?:[/:_-](?=[^\W\d]))*\s*|[/:_-]+\s*|\s+"
)


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
    """Print an error on standard error, in one line per fault; where it arose too, if the environment asks for that."""
    print("\n".join(f"Error: {about}{line}" for line in str(error).split("\n")), file=sys.stderr)
    if os.environ.get(TRACEBACK):
        traceback.print_exception(error)


def print_json(value: object, indent: int | None = None) -> None:
    """Print a value for another program, letters as they are."""
    print(json.dumps(value, ensure_ascii=False, indent=indent))


def print_rows(rows: Sequence[Mapping[str, object]], *, pipe_width: int = _PIPE_WIDTH, keys: int = 1) -> None:
    """A table with one row per mapping; their keys are the header. No word is broken while another way is left.

    What is too wide for the terminal is wrapped between words, then printed as several tables, one below the other,
    which repeat the first `keys` columns: those that say what a row is about.
    """
    columns = [_Column(name, [row[name] for row in rows]) for name in rows[0]]
    names, others = columns[:keys], columns[keys:]
    for number, part in enumerate(_parts(names, others, make_console(pipe_width=pipe_width).width)):
        if number:
            emit("")
        table = Table(box=None, header_style="bold", pad_edge=False)
        for column, width in part:
            table.add_column(
                _wrapped(column.name, width),
                justify="right" if column.is_numeric else "left",
                width=width,
                overflow="fold",
            )
        for number_of_row in range(len(rows)):
            table.add_row(*(_wrapped(column.cells[number_of_row], width) for column, width in part))
        emit(table, pipe_width=pipe_width)


class _Column:
    """A column of a table: its cells as texts, how wide they are, and how narrow they can be made."""

    def __init__(self, name: str, values: Sequence[object]) -> None:
        self.name = name
        self.cells = ["" if value is None else str(value) for value in values]
        self.is_numeric = all(isinstance(value, int | float) for value in values)
        texts = (name, *self.cells)
        self.widest = max(1, *map(cell_len, texts))
        self.by_words, self.by_pieces = (
            max(1, *(cell_len(part.rstrip()) for text in texts for part in pattern.findall(text)))
            for pattern in (_WORD, _PIECE)
        )


def _parts(names: list[_Column], others: list[_Column], room: int) -> Iterator[list[tuple[_Column, int]]]:
    """The columns of each table with their widths: as many at once as have room side by side."""

    def total(widths: Sequence[int]) -> int:
        return sum(widths) + _GAP * (len(widths) - 1)

    columns = [*names, *others]
    by_words = {column: column.by_words for column in columns}
    by_pieces = {column: column.by_pieces for column in columns}
    widest = max((column.by_words for column in others), default=0)
    # Names are broken if that saves a second table, or if not even one column has room beside them.
    saves_a_table = total(list(by_words.values())) > room >= total(list(by_pieces.values()))
    is_narrow = total([*(column.by_words for column in names), widest]) > room
    least = by_pieces if saves_a_table or is_narrow else by_words
    while names or others:
        count = len(others)
        while count > 1 and total([least[column] for column in (*names, *others[:count])]) > room:
            count -= 1
        part, others = [*names, *others[:count]], others[count:]
        widths = [column.widest for column in part]
        while total(widths) > room and max(widths) > 1:
            wide = [at for at, column in enumerate(part) if widths[at] > least[column]] or range(len(part))
            widths[max(wide, key=widths.__getitem__)] -= 1
        yield list(zip(part, widths, strict=True))
        if not others:
            return


def _wrapped(text: str, width: int) -> str:
    """The text in lines of at most that width, broken after spaces; longer names after signs like - and /."""
    lines = [""]
    words = _WORD.findall(text)
    pieces = ([word] if cell_len(word.rstrip()) <= width else _PIECE.findall(word) for word in words)
    for piece in chain.from_iterable(pieces):
        if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


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
