"""Arguments and options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import Field, fields
from inspect import Parameter, signature
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import typer

from winoglot.cli import completion
from winoglot.cli.completion import listed, one_of, plugins, several_of, words
from winoglot.errors import InputError
from winoglot.runs.settings import FALLBACKS, RunSettings

Source = Annotated[
    str,
    typer.Argument(
        help="A collection: a bundled name (winoglot-pt), a file, or format:file.",
        autocompletion=completion.collections,
    ),
]
Sources = Annotated[
    list[str],
    typer.Argument(
        help="Collections: bundled names (winoglot-pt, or winoglot for all), files, format:file.",
        autocompletion=completion.collections,
    ),
]
Language = Annotated[
    str | None,
    typer.Option(
        "--language",
        help="Language to read from a file or family with several: pt-BR.",
        autocompletion=one_of(plugins("languages")),
    ),
]
Ids = Annotated[list[str] | None, typer.Option("--id", help="Only this schema; may be repeated.")]
Overlay = Annotated[
    list[str] | None,
    typer.Option("--overlay", help="File with readings for the items; may be repeated; none: no bundled ones either."),
]
Runs = Annotated[list[Path], typer.Argument(help="Run folders, or folders that contain some.")]
References = Annotated[
    bool,
    typer.Option("--references", help="Add the reference runs of these collections: winoglot list references."),
]
Output = Annotated[Path, typer.Option("--output", "-o", help="File to write.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing output.")]
Width = Annotated[
    str, typer.Option(help="Width of the figures: column (84 mm), page (174 mm), or a size: 88mm, 3.25in.")
]
Font = Annotated[str | None, typer.Option(help="Font of the figures: Times New Roman.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for other programs.")]
Device = Annotated[
    str,
    typer.Option(
        "--device",
        help="auto (a GPU if there is one), cpu, cuda, cuda:1 or mps.",
        autocompletion=one_of(words("auto", "cpu", "cuda", "mps")),
    ),
]


def split(*texts: str) -> list[str]:
    """The parts of a comma-separated option, which may be repeated, without repetitions.

    >>> split("partial, full,,partial"), split("switched", "tense,switched"), split()
    (['partial', 'full'], ['switched', 'tense'], [])
    """
    return list(dict.fromkeys(part.strip() for text in texts for part in text.split(",") if part.strip()))


def named(texts: Sequence[str], option: str) -> list[str]:
    """The names given to an option; InputError if there are none."""
    names = split(*texts)
    if not names:
        raise InputError(f"{option} is empty", remedy=f"Give {option} a name, or leave it out.")
    return names


Command = TypeVar("Command", bound=Callable[..., None])
_COMPLETED = {
    "scorings": several_of(listed("scorings")),
    "readings": several_of(listed("readings")),
    "fallback": one_of(words(*FALLBACKS)),
    "kinds": several_of(plugins("perturbations")),
}


def run_options(*without: str) -> Callable[[Command], Command]:
    """Give a command an option for each setting of a run, except those in `without`, which it defines itself.

    The command takes them as `**settings`, and `run_settings` reads them.
    """

    def add(command: Command) -> Command:
        own = signature(command, eval_str=True)
        kept = [parameter for parameter in own.parameters.values() if parameter.kind is not Parameter.VAR_KEYWORD]
        kept += [_option(setting) for setting in fields(RunSettings) if setting.name not in without]
        command.__signature__ = own.replace(parameters=kept)  # type: ignore[attr-defined]
        command.__annotations__ = {parameter.name: parameter.annotation for parameter in kept}
        return command

    return add


def _option(setting: Field[Any]) -> Parameter:
    kind, default = get_type_hints(RunSettings)[setting.name], setting.default
    if kind == tuple[str, ...]:
        kind, default = list[str] | None, None
    name = setting.metadata["option"] or f"--{setting.name.replace('_', '-')}"
    about = typer.Option(name, help=setting.metadata["description"], autocompletion=_COMPLETED.get(setting.name))
    return Parameter(setting.name, Parameter.KEYWORD_ONLY, default=default, annotation=Annotated[kind, about])


def run_settings(values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a run, by name, from the options of a command; those that were not given are left out."""
    settings = {name: value for name, value in values.items() if value is not None}
    for setting in fields(RunSettings):
        if isinstance(names := settings.get(setting.name), list):
            settings[setting.name] = named(names, setting.metadata["option"] or f"--{setting.name}")
    return settings
