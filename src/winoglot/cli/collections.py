"""`list`, `show` and `stats`: looking at collections and at what is installed."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

Collections = Annotated[list[str], typer.Argument(help="Bundled name (or family: winoglot), path, or format:path.")]
Language = Annotated[
    str | None, typer.Option("--language", help="Which language of a file that holds several, as BCP 47: pt-BR.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for another program.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("list")(list_)
    app.command()(show)
    app.command()(stats)


def list_(
    what: Annotated[
        str,
        typer.Argument(help="collections, formats, languages, checks, perturbations, models, metrics or logic-tasks."),
    ] = "collections",
    as_json: Json = False,
) -> None:
    """List the bundled collections, or the plug-ins of a kind.

    Example: winoglot list formats
    """
    from winoglot import registry
    from winoglot.errors import InputError, nearest

    if what == "collections":
        _list_collections(as_json)
        return
    if what not in registry.KINDS:
        raise InputError(f"there are no {what!r} to list", remedy=nearest(what, ["collections", *registry.KINDS]))
    names = registry.names(what)
    if as_json:
        typer.echo(json.dumps(names))
    elif names:
        typer.echo("\n".join(names))
    else:
        typer.echo(f"No {what} are installed.", err=True)


def _list_collections(as_json: bool) -> None:
    from winoglot.loading import load
    from winoglot.schemas.bundled import bundled

    found = [load(name) for name in bundled()]
    rows = [
        {
            "name": collection.name,
            "version": collection.version,
            "language": collection.language,
            "schemas": len(collection.schemas),
            "items": len(collection.items),
            "variants": len(collection.variants()),
            "licence": collection.licence,
        }
        for collection in found
    ]
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False))
        return
    from winoglot.cli.pretty import print_rows

    print_rows(rows)


def show(
    sources: Collections,
    ids: Annotated[list[str] | None, typer.Option("--id", help="Only this schema; repeat for more.")] = None,
    language: Language = None,
    variants: Annotated[bool, typer.Option("--variants", help="Show the stored variants too.")] = False,
    full: Annotated[bool, typer.Option("--full", help="Show hypotheses, written readings, terms and so on.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print each schema as a line of JSON.")] = False,
) -> None:
    """Show schemas: pronoun in { }, segment in [ ], candidates coloured, the answer ticked.

    Several collections stand side by side, schema by schema, matched by parallel id.

    Example: winoglot show winoglot-en winoglot-pt --id train-wave
    """
    from winoglot.loading import load_several

    collections = load_several(sources, language)
    if as_json:
        from winoglot.schemas.model import Schema
        from winoglot.schemas.shape import shape_of
        from winoglot.schemas.statistics import side_by_side

        for row in side_by_side(collections, ids or ()).values():
            for schema in filter(None, row):
                typer.echo(json.dumps(shape_of(Schema).write(schema), ensure_ascii=False))
        return
    from winoglot.cli.schema_text import print_schemas

    print_schemas(collections, ids or [], variants=variants, full=full)


def stats(sources: Collections, language: Language = None, as_json: Json = False) -> None:
    """Count what collections hold: items, variants, balance of answers, subsets, lengths, tags, hashes.

    Example: winoglot stats winoglot-pt
    """
    from winoglot.loading import load_several
    from winoglot.schemas.statistics import statistics

    collections = load_several(sources, language)
    if as_json:
        rows = [
            {"collection": c.name, "version": c.version, "language": c.language} | asdict(statistics(c))
            for c in collections
        ]
        typer.echo(json.dumps(rows if len(rows) > 1 else rows[0], ensure_ascii=False))
        return
    from winoglot.cli.schema_text import print_statistics

    for collection in collections:
        print_statistics(collection, statistics(collection))
