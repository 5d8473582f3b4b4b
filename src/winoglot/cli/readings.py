"""`readings`: every candidate in the pronoun's place."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from winoglot.cli.collections import Language


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(readings)


def readings(
    source: Annotated[str, typer.Argument(help="Bundled name, path, or format:path.")],
    language: Language = None,
    style: Annotated[
        str, typer.Option("--style", help="naive: the candidate's citation form replaces the pronoun.")
    ] = "naive",
    as_json: Annotated[bool, typer.Option("--json", help="Print each reading as a line of JSON.")] = False,
) -> None:
    """Put each candidate in the pronoun's place.

    Example: winoglot readings winoglot-fr --style naive
    """
    from dataclasses import asdict

    from winoglot.languages.readings import readings as make_readings
    from winoglot.loading import load

    collection = load(source, language=language)
    made = make_readings(collection, style)
    if as_json:
        for reading in made:
            typer.echo(json.dumps(asdict(reading) | {"text": reading.text}, ensure_ascii=False))
        return
    from winoglot.cli.pretty import print_readings

    print_readings(collection, made)
