"""Arguments and options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from winoglot.cli import completion
from winoglot.cli.completion import one_of, plugins, words

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
        help="Language to read from a file with several: pt-BR.",
        autocompletion=one_of(plugins("languages")),
    ),
]
Ids = Annotated[list[str] | None, typer.Option("--id", help="Only this schema; may be repeated.")]
Overlay = Annotated[
    list[str] | None,
    typer.Option("--overlay", help="File with readings for the items; may be repeated; none: no bundled ones either."),
]
Runs = Annotated[list[Path], typer.Argument(help="Run folders, or folders that contain some.")]
Output = Annotated[Path, typer.Option("--output", "-o", help="File to write.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite existing output.")]
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
