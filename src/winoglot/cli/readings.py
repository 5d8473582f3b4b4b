"""`readings`: every candidate in the pronoun's place."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Language

if TYPE_CHECKING:
    from winoglot.schemas.collection import Collection
    from winoglot.schemas.reading import Reading


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(readings)


def readings(
    source: Annotated[str, typer.Argument(help="Bundled name, path, or format:path.")],
    language: Language = None,
    style: Annotated[
        str, typer.Option("--style", help="naive: the citation form replaces the pronoun; grammatical: by grammar.")
    ] = "naive",
    as_json: Annotated[bool, typer.Option("--json", help="Print each reading as a line of JSON.")] = False,
) -> None:
    """Put each candidate in the pronoun's place, letter by letter or as the language's grammar wants it.

    Where grammar cannot decide, the reading is the naive one, and says why. With --json each line also has the window
    of partial scoring, which the readings of an item share.

    Example: winoglot readings winoglot-fr --style grammatical
    """
    from winoglot.languages.readings import readings as make_readings
    from winoglot.loading import load

    collection = load(source, language=language)
    made = make_readings(collection, style)
    if as_json:
        _print_json(collection, made)
        return
    from winoglot.cli.pretty import print_readings

    print_readings(collection, made)


def _print_json(collection: Collection, made: list[Reading]) -> None:
    from dataclasses import asdict
    from itertools import groupby

    from winoglot.languages.windows import window

    items = {item.id: item for item in collection.items}
    for item_id, group in groupby(made, key=lambda reading: reading.item_id):
        some = list(group)
        shared = window(items[item_id], some)
        described = asdict(shared) | {"is_empty": shared.is_empty, "is_punctuation": shared.is_punctuation}
        for reading in some:
            line = asdict(reading) | {"text": reading.text, "window": described}
            typer.echo(json.dumps(line, ensure_ascii=False))
