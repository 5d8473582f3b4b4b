"""`readings`: every candidate in the pronoun's place, of the items and of chosen kinds of variants."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Language

if TYPE_CHECKING:
    from winoglot.schemas.model import Item, Reading

_STYLES = ("cyan", "yellow", "green", "blue")  # of the candidates, in turn


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(readings)


def readings(
    source: Annotated[str, typer.Argument(help="Bundled name, path, or format:path.")],
    language: Language = None,
    style: Annotated[
        str, typer.Option("--style", help="naive: the citation form replaces the pronoun; grammatical: by grammar.")
    ] = "naive",
    ids: Annotated[list[str] | None, typer.Option("--id", help="Only this schema; repeat for more.")] = None,
    kinds: Annotated[
        str, typer.Option("--kinds", help="Variants to read instead of the originals, with commas: switched.")
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print each reading as a line of JSON.")] = False,
) -> None:
    """Put each candidate in the pronoun's place, letter by letter or as the language's grammar wants it.

    Where grammar cannot decide, the reading is the naive one, and says why. With --json each line also has the window
    of partial scoring, which the readings of an item share. Variants that are not stored are derived, as for evaluate.

    Example: winoglot readings winoglot-fr --style grammatical --kinds switched
    """
    from winoglot.errors import InputError
    from winoglot.languages.readings import readings as make_readings
    from winoglot.loading import load
    from winoglot.perturb.base import with_kinds
    from winoglot.schemas.statistics import side_by_side

    wanted = list(dict.fromkeys(kind.strip() for kind in kinds.split(",") if kind.strip()))
    collection = with_kinds(load(source, language=language), wanted)
    items: list[Item] = [variant for kind in wanted for variant in collection.variants(kind)]
    schemas = {row[0].id for row in side_by_side([collection], ids or ()).values() if row[0]}
    shown = [item for item in items or collection.items if item.schema_id in schemas]
    if ids and not shown:
        told = f"{', '.join(ids)} has no variant of the kind {', '.join(wanted)}"
        raise InputError(told, remedy="Name another schema.")
    read = [(item, make_readings(item, style)) for item in shown]
    if not any(made for _, made in read):
        raise InputError(
            f"the items of {collection.name} have no pronoun to put a candidate for, and no readings of their own",
            remedy="Give a collection of texts with a marked pronoun; inference pairs alone have none.",
        )
    for item, made in read:
        if as_json:
            _print_json(item, made)
        else:
            _print(item, made)


def _print(item: Item, made: list[Reading]) -> None:
    """The readings below the item's id, the insertion in { }, the right one ticked."""
    from rich.padding import Padding
    from rich.text import Text

    from winoglot.cli.pretty import emit

    if made:
        emit(Text(item.id, style="bold"))
    for reading in made:
        line = Text("✓ " if item.answer == reading.candidate else "  ", style="bold green")
        line.append(reading.before, style="none")
        line.append(f"{{{reading.inserted}}}", style=_STYLES[reading.candidate % len(_STYLES)])
        line.append(reading.after, style="none")
        if not reading.derived:
            line.append(f"  (not derived: {reading.reason})", style="yellow")
        emit(Padding(line, (0, 0, 0, 2)))


def _print_json(item: Item, made: list[Reading]) -> None:
    from dataclasses import asdict

    from winoglot.languages.windows import window

    if not made:
        return
    shared = window(item, made)
    described = asdict(shared) | {"is_empty": shared.is_empty, "is_punctuation": shared.is_punctuation}
    for reading in made:
        line = asdict(reading) | {"text": reading.text, "window": described}
        typer.echo(json.dumps(line, ensure_ascii=False))
