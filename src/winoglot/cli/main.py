"""The command `winoglot`: all commands in the order of its help, and what happens when one fails."""

from __future__ import annotations

import gc
import io
import os
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from typer.main import get_command

from winoglot._version import __version__
from winoglot.cli import (
    analyse,
    check,
    collections,
    corpus,
    demo,
    evaluate,
    experiment,
    finetune,
    listing,
    logic_models,
    perturb,
    review,
    runs,
    show,
    study_results,
    train,
    write,
)
from winoglot.cli.console import print_error
from winoglot.cli.progress import told_in_lines
from winoglot.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

app = typer.Typer(
    name="winoglot",
    help="Winograd schemas in any language: write, check, convert, evaluate, report. Start with: winoglot list",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

_COMMANDS: dict[str, tuple[Callable[..., None], ...]] = {
    "Collections": (listing.list_, show.show, show.stats, show.readings, collections.import_, collections.export),
    "Write, check and vary collections": (
        write.new,
        write.status,
        check.check,
        perturb.perturb,
        perturb.rename,
        perturb.switch,
    ),
    "Evaluate": (demo.demo, evaluate.evaluate, experiment.run, runs.compare, runs.report, analyse.analyse),
    "Text, language models and logic": (
        train.train,
        finetune.finetune,
        train.perplexity,
        train.generate,
        train.context,
    ),
}
_GROUPS = {
    "Write, check and vary collections": {"review": review.group},
    "Evaluate": {"runs": runs.group, "study": study_results.group},
    "Text, language models and logic": {"corpus": corpus.group, "logic": logic_models.group},
}
for panel, commands in _COMMANDS.items():
    for command in commands:
        app.command(command.__name__.rstrip("_"), rich_help_panel=panel)(command)
for panel, groups in _GROUPS.items():
    for name, group in groups.items():
        app.add_typer(group, name=name, rich_help_panel=panel)


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"winoglot {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    del version


@cache
def _command() -> Callable[..., None]:
    """Every command with its options, which take longer to read than many commands to run."""
    return get_command(app)


def main() -> None:
    """Run the command line; bad input ends with one line on standard error and exit code 2, never a traceback."""
    # Commands make many objects and few cycles: looking for garbage less often saves a fifth of a report's time.
    gc.set_threshold(100_000, 50, 50)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # letters that the encoding lacks are printed as codes
            stream.reconfigure(errors="backslashreplace")
    if sys.stdout is None:  # the shell closed it: winoglot list >&-
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    try:
        with told_in_lines(_called()):
            _command()(prog_name="winoglot")
        sys.stdout.flush()
    except InputError as error:
        print_error(error)
        raise SystemExit(2) from error
    except BrokenPipeError:  # the reader of our output has closed it: winoglot show … | head
        _discard_output()
        raise SystemExit(1) from None
    except OSError as error:
        if error.filename is not None:  # a path that no check covers: too long, a folder in place of a file
            print(f"Error: {error.filename}: {error.strerror}. Give another path.", file=sys.stderr)
            raise SystemExit(2) from error
        _discard_output()
        print(f"Error: standard output cannot be written: {error.strerror}", file=sys.stderr)
        raise SystemExit(1) from error


def _called() -> str:
    """The command that was called, with its group, as its progress names it."""
    names = [word for word in sys.argv[1:3] if not word.startswith("-")]
    groups = {name for groups in _GROUPS.values() for name in groups}
    return " ".join(["winoglot", *(names if names and names[0] in groups else names[:1])])


def _discard_output() -> None:
    """Send what is still to be flushed at exit to the null device."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
