"""`switch`: the candidates exchanged."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Language
from winoglot.cli.files import Force

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(switch)


def switch(
    source: Annotated[str, typer.Argument(help="Bundled name, path, or format:path.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write: the originals and the switched variants.")
    ] = None,
    language: Language = None,
    suggest: Annotated[
        bool, typer.Option("--suggest", help="Only say which untagged schemas grammar can switch, and why not others.")
    ] = False,
    force: Force = False,
) -> None:
    """Exchange the candidates of each schema tagged 'switchable'; where none is tagged, of each that grammar can.

    Whether a switched schema still makes sense, with the answer flipped, only a reader can tell: tag it then.

    Example: winoglot switch winoglot-pt -o switched.yaml
    """
    from winoglot.cli.files import print_lost
    from winoglot.errors import InputError
    from winoglot.files import check_free
    from winoglot.loading import format_of, load
    from winoglot.perturb.base import with_variants
    from winoglot.perturb.switched import KIND, TAG, perturb
    from winoglot.schemas.text import counted
    from winoglot.writing.yaml_edits import save_variants

    if suggest and output is not None:
        raise InputError("--suggest writes no file", remedy="Leave out -o, or leave out --suggest.")
    collection = load(source, language=language)
    if suggest:
        _print_suggestions(collection)
        return
    if output is None:
        raise InputError("there is no output", remedy="Say where to write with -o, or ask with --suggest.")
    check_free(output, force=force)
    tagged = {schema.id for schema in collection.schemas if TAG in schema.tags}
    among = tagged or {schema.id for schema in collection.schemas}
    had = {schema.id for schema in collection.schemas if KIND in schema.kinds}
    derived = with_variants(collection, KIND, perturb, among)
    save_variants(source, derived.collection, KIND, output, force=force)
    print_lost([derived.collection], format_of(output))
    made = len(among - had - set(derived.refused))
    what = f"tagged {TAG!r}" if tagged else f"none tagged {TAG!r}, so all were tried"
    typer.echo(
        f"{collection.name} ({collection.language}): {counted(made, 'schema')} switched, {len(among & had)} had "
        f"switched variants, {len(derived.refused)} not ({what}); written to {output}"
    )
    for schema_id, reason in derived.refused.items():
        typer.echo(f"  {schema_id}: {reason}")


def _print_suggestions(collection: Collection) -> None:
    from winoglot.perturb.switched import TAG, obstacle

    untagged = [schema for schema in collection.schemas if TAG not in schema.tags]
    obstacles = {schema.id: next(filter(None, map(obstacle, schema.items)), None) for schema in untagged}
    able = [schema_id for schema_id, reason in obstacles.items() if reason is None]
    typer.echo(
        f"{collection.name} ({collection.language}): {len(collection.schemas) - len(untagged)} tagged {TAG!r}, "
        f"{len(able)} of {len(untagged)} others can be switched as far as grammar tells"
    )
    for schema_id, reason in obstacles.items():
        typer.echo(f"  {schema_id}: " + ("yes" if reason is None else f"no, {reason}"))
