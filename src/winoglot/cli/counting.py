"""`corpus count`: how often words stand near each other in a corpus."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated

import typer

from winoglot.cli.collections import Json
from winoglot.cli.corpus import Cluster, Folder, WorkerCount, group
from winoglot.cli.files import Force
from winoglot.cli.steps import progress_bar

_SIZE = re.compile(r"(\d+(?:\.\d+)?) ?([KMGT]?)i?B?", re.IGNORECASE)


def register() -> None:
    """Add the command to those of a corpus."""
    group.command()(count)


def count(
    folder: Folder,
    window: Annotated[int, typer.Option("--window", help="How many words on either side.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for the counts.")],
    dynamic: Annotated[
        bool, typer.Option("--dynamic", help="Near words count more: at distance d (window - d + 1) / window.")
    ] = False,
    positional: Annotated[
        bool, typer.Option("--positional", help="Count each place before and behind a word apart.")
    ] = False,
    min_count: Annotated[int, typer.Option("--min-count", help="Leave out words that occur less often.")] = 1,
    borders: Annotated[
        str, typer.Option("--borders", help="What pairs do not cross: sentence or article.")
    ] = "sentence",
    split: Annotated[str, typer.Option("--split", help="train, valid, test or all.")] = "train",
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory", help="How much to take at most: 512MB, 4GB; 1 GB beside the program itself if not said."
        ),
    ] = None,
    worker_count: WorkerCount = 1,
    cluster: Cluster = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Count how often words stand near each other, for the model pmi:COUNTS and for check --counts COUNTS.

    Example: winoglot corpus count ptwiki --window 6 --dynamic --min-count 5 -o ptwiki-counts
    """
    from winoglot.corpus.counting import Counting
    from winoglot.corpus.counting import count as count_corpus
    from winoglot.corpus.reading import open_corpus

    counting = Counting(window, dynamic, positional, min_count, borders, split)
    size = None if memory is None else _bytes(memory)
    with progress_bar() as progress:
        counts = count_corpus(
            open_corpus(folder),
            output,
            counting,
            memory=size,
            worker_count=worker_count,
            cluster=cluster,
            force=force,
            progress=progress,
        )
    info = counts.info
    if as_json:
        typer.echo(json.dumps(info, ensure_ascii=False, indent=1))
        return
    pairs = f"{info['entries']} pairs of {info['words']} words in {info['tokens']} tokens"
    typer.echo(f"{info['language']}, window {window}: {pairs}; sha {counts.hash[:8]}")


def _bytes(size: str) -> int:
    """The number of bytes of a size as people write it."""
    from winoglot.errors import InputError

    found = _SIZE.fullmatch(size.strip())
    if not found:
        raise InputError(f"--memory is {size!r}", remedy="Write a number and a unit: 512MB, 4GB.")
    return int(float(found.group(1)) * 1024 ** " KMGT".index(found.group(2).upper() or " "))
