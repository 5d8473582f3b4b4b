"""`list`, `import` and `export`: what is installed, and collections from and to files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.console import print_json, print_rows
from winoglot.cli.options import Force, Json, Language, Output, Sources
from winoglot.errors import InputError, nearest
from winoglot.files import check_free
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection


def list_(
    what: Annotated[
        str,
        typer.Argument(help="collections, formats, languages, checks, perturbations, models, metrics or logic-tasks."),
    ] = "collections",
    as_json: Json = False,
) -> None:
    """List the bundled collections, or the plug-ins of one kind.

    Example: winoglot list formats
    """
    from winoglot import registry

    if what == "collections":
        _list_collections(as_json)
        return
    if what == "metrics":
        from winoglot.cli.run_table import print_metrics

        print_metrics(as_json=as_json)
        _print_ignored(what)
        return
    if what not in registry.KINDS:
        raise InputError(f"cannot list {what!r}", remedy=nearest(what, ["collections", *registry.KINDS]))
    names = registry.names(what)
    if as_json:
        print_json(names)
    elif names:
        print_rows([{"name": name, "what it is": registry.summary(what, name)} for name in names])
    else:
        typer.echo(f"No {what} are installed.", err=True)
    _print_ignored(what)


def _print_ignored(kind: str) -> None:
    from winoglot import registry

    for name, source in registry.ignored(kind).items():
        typer.echo(f"Ignored: {source}, registered under {kind} as {name!r}: a built-in has that name.", err=True)


def _list_collections(as_json: bool) -> None:
    from winoglot.loading import load
    from winoglot.schemas.bundled import bundled

    rows = [
        {
            "name": collection.name,
            "version": collection.version,
            "language": collection.language,
            **_counts(collection),
            "licence": collection.licence,
        }
        for collection in map(load, bundled())
    ]
    if as_json:
        print_json(rows)
    else:
        print_rows(rows)


def _counts(collection: Collection) -> dict[str, int]:
    return {
        "schemas": len(collection.schemas),
        "items": len(collection.items),
        "variants": len(collection.variants()),
    }


def import_(
    file: Annotated[str, typer.Argument(help="File to read.")],
    output: Output,
    format_name: Annotated[
        str | None, typer.Option("--format", help="Format of the file; detected by default.")
    ] = None,
    language: Annotated[str | None, typer.Option(help="Language of the file: pt-BR.")] = None,
    labels: Annotated[
        list[Path] | None, typer.Option(help="File with subset labels to add (portuguese-json only); may be repeated.")
    ] = None,
    licence: Annotated[str | None, typer.Option(help="Licence of the data.")] = None,
    citation: Annotated[str | None, typer.Option(help="How to cite the data.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse a file that needs repairs.")] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Convert a file from any known format to the one that the output's suffix names (.yaml, .jsonl, …).

    Example: winoglot import mine.yaml -o mine.jsonl
    """
    from winoglot.loading import format_of, load_with_report, save

    check_free(output, force=force)
    target = format_of(output)
    collection, report = load_with_report(
        file, format_name, language, labels=labels or (), licence=licence, citation=citation, strict=strict
    )
    save(collection, output, target, force=force)
    print_lost([collection], target)
    counts = _counts(collection)
    if as_json:
        print_json(counts | asdict(report))
        return
    numbers = ", ".join(counted(count, name.removesuffix("s")) for name, count in counts.items())
    typer.echo(f"{collection.name} ({collection.language}): {numbers} written to {output}")
    for title, remarks in (("Repaired", report.repaired), ("Left out", report.skipped)):
        if remarks:
            typer.echo(f"{title}: {len(remarks)}")
        for remark in remarks:
            typer.echo(f"  line {remark.line}: {remark.what}: {remark.why}")


def export(
    sources: Sources,
    to: Annotated[
        str | None,
        typer.Option(help="Format to write (winoglot list formats); by default the output's suffix decides."),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File or folder to write; standard output by default.")
    ] = None,
    language: Language = None,
    force: Force = False,
) -> None:
    """Write a collection in another format, and say what that format cannot represent.

    Only html and parquet take several collections.

    Example: winoglot export winoglot-pt --to jsonl -o winoglot-pt.jsonl
    """
    from winoglot.loading import dump, format_of, load_several, write_output

    if to is None:
        if output is None:
            raise InputError("no format to write is named", remedy="Add --to jsonl, or a file: -o FILE.jsonl.")
        to = format_of(output)
    collections = load_several(sources, language)
    content = dump(collections, to)
    if output is not None:
        write_output(output, content, force=force)
    elif isinstance(content, dict):
        raise InputError(f"the format {to!r} writes a folder of files", remedy="Name the folder with -o.")
    else:
        typer.echo(content, nl=False)
    print_lost(collections, to)


def print_lost(collections: list[Collection], format_name: str) -> None:
    """Say on standard error what a format that was written cannot hold."""
    from winoglot.loading import lost

    for line in lost(collections, format_name):
        typer.echo(f"not in {format_name}: {line}", err=True)
