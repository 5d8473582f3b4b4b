"""The command `winoglot`."""

from __future__ import annotations

import io
import os
import sys
from pathlib import Path

import typer

import winoglot
from winoglot.cli import (
    checks,
    collections,
    comparing,
    context,
    corpus,
    counting,
    demo,
    evaluating,
    files,
    logic,
    readings,
    renaming,
    reporting,
    runs,
    switching,
    training,
    writing,
)
from winoglot.errors import InputError

app = typer.Typer(
    name="winoglot",
    help="Winograd schemas in any language: write, check, convert, evaluate, report. Start with: winoglot list",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
collections.register(app)
files.register(app)
readings.register(app)
renaming.register(app)
switching.register(app)
evaluating.register(app)
comparing.register(app)
reporting.register(app)
demo.register(app)
runs.register(app)
checks.register(app)
corpus.register(app)
counting.register()
training.register(app)
writing.register(app)
logic.register(app)
context.register(app)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"winoglot {winoglot.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Show the version."),
) -> None:
    del version


def main() -> None:
    """Run; bad input is one line on standard error and exit code 2, never a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal that lacks a letter gets its code instead
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout is None:  # the shell closed it: winoglot list >&-
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    try:
        app()
        sys.stdout.flush()
    except InputError as error:
        print(f"Error: {error}", file=sys.stderr)
        raise SystemExit(2) from error
    except BrokenPipeError:
        _give_up_output()  # the reader of our output has seen enough: winoglot show … | head
        raise SystemExit(1) from None
    except OSError as error:
        if error.filename is not None:  # a path that nobody foresaw: too long, a folder in a file's place
            print(f"Error: {error.filename}: {error.strerror}. Name another path.", file=sys.stderr)
            raise SystemExit(2) from error
        _give_up_output()
        print(f"Error: standard output cannot be written: {error.strerror}", file=sys.stderr)
        raise SystemExit(1) from error


def _give_up_output() -> None:
    """Let what is still to be flushed at exit go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
