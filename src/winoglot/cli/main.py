"""The command `winoglot`: all commands in the order of its help, and what happens when one fails."""

from __future__ import annotations

import gc
import io
import os
import re
import sys
from functools import cache
from importlib import import_module
from inspect import getdoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.main import get_command

from winoglot._version import __version__
from winoglot.cli.console import print_error
from winoglot.errors import InputError
from winoglot.progress import told_in_lines

if TYPE_CHECKING:
    from collections.abc import Callable

# The panels of the help with their commands, and where each command is: the function or, for several commands under one
# name, the group. They are named, not imported: a command imports its own module alone.
_COMMANDS = {
    "Collections": {
        "list": "listing:list_",
        "show": "show:show",
        "stats": "show:stats",
        "readings": "show:readings",
        "import": "collections:import_",
        "export": "collections:export",
    },
    "Write, check and vary collections": {
        "new": "write:new",
        "status": "write:status",
        "check": "check:check",
        "perturb": "perturb:perturb",
        "rename": "perturb:rename",
        "switch": "perturb:switch",
        "review": "review:group",
    },
    "Evaluate": {
        "demo": "demo:demo",
        "evaluate": "evaluate:evaluate",
        "run": "experiment:run",
        "compare": "runs:compare",
        "report": "runs:report",
        "analyse": "analyse:analyse",
        "runs": "runs:group",
        "study": "study_results:group",
    },
    "Text, language models and logic": {
        "train": "train:train",
        "finetune": "finetune:finetune",
        "perplexity": "train:perplexity",
        "generate": "train:generate",
        "context": "train:context",
        "corpus": "corpus:group",
        "logic": "logic_models:group",
    },
}
_UsageError: type[Exception] = typer.BadParameter.__mro__[1]  # of click, or of typer if that brings its own
_PLACES = {name: place for commands in _COMMANDS.values() for name, place in commands.items()}


def build_app(only: str | None = None) -> typer.Typer:
    """The command line with all its commands, or with one, since reading all takes longer than many commands run."""
    app = typer.Typer(
        name="winoglot",
        help="Winograd schemas in any language: write, check, convert, evaluate, report. Start with: winoglot list",
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    for panel, commands in _COMMANDS.items():
        for name in commands if only is None else commands.keys() & {only}:
            module, _, attribute = _PLACES[name].partition(":")
            command = getattr(import_module(f"winoglot.cli.{module}"), attribute)
            if isinstance(command, typer.Typer):
                for inner in command.registered_commands:
                    inner.help = _paragraphs(inner.help or getdoc(inner.callback))
                app.add_typer(command, name=name, help=_paragraphs(command.info.help), rich_help_panel=panel)
            else:
                app.command(name, help=_paragraphs(getdoc(command)), rich_help_panel=panel)(command)
    return app


def _paragraphs(docstring: str | None) -> str:
    """A docstring with each paragraph as one line, for terminals of any width to wrap."""
    return re.sub(r"(?<!\n)\n(?!\n)", " ", docstring or "")


def _print_version(value: bool) -> None:
    if value:
        typer.echo(f"winoglot {__version__}")
        raise typer.Exit


def _options(
    version: bool = typer.Option(
        False, "--version", callback=_print_version, is_eager=True, help="Show the version and exit."
    ),
) -> None:
    del version


@cache
def _command(called: str) -> Callable[..., None]:
    """The command line for what was called: all of it for help, for the completion of shells and for a wrong name."""
    return get_command(build_app(called if called in _PLACES else None))


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
            called = sys.argv[1] if len(sys.argv) > 1 else ""
            exit_code = _command(called)(prog_name="winoglot", standalone_mode=False)
        sys.stdout.flush()
        raise SystemExit(exit_code or 0)
    except _UsageError as error:
        _print_usage_error(error)
        raise SystemExit(2) from error
    except typer.Abort:
        print("Aborted.", file=sys.stderr)
        raise SystemExit(1) from None
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


def _print_usage_error(error: Any) -> None:
    """A wrong command or option in one line, like any other error, with the example of the command's help."""
    if type(error).__name__ == "NoArgsIsHelpError":  # a group without a command, whose help has been printed
        return
    message = " ".join(error.format_message().split())
    example = re.search(r"Example: .+", error.ctx.command.help or "")
    remedy = example[0] if example else f"See {error.ctx.command_path} --help"
    print_error(InputError(message[:1].lower() + message[1:].removesuffix("."), remedy=remedy))


def _called() -> str:
    """The command that was called, with its group, as its progress names it."""
    names = [word for word in sys.argv[1:3] if not word.startswith("-")]
    is_group = bool(names) and _PLACES.get(names[0], "").endswith(":group")
    return " ".join(["winoglot", *(names if is_group else names[:1])])


def _discard_output() -> None:
    """Send what is still to be flushed at exit to the null device."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
