"""`import` and `export`: collections from files and into files."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Language

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection

Output = Annotated[Path, typer.Option("--output", "-o", help="The file to write.")]
Force = Annotated[bool, typer.Option("--force", help="Overwrite the output if it exists.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("import")(import_)
    app.command()(export)


def import_(
    file: Annotated[str, typer.Argument(help="The file to read.")],
    output: Output,
    format_name: Annotated[
        str | None, typer.Option("--format", help="Its format; recognised by content unless given.")
    ] = None,
    language: Annotated[str | None, typer.Option("--language", help="Its language, as BCP 47: pt-BR.")] = None,
    labels: Annotated[
        list[Path] | None, typer.Option("--labels", help="A file of labels to join with it; repeat for more.")
    ] = None,
    licence: Annotated[str | None, typer.Option("--licence", help="The licence the data is under.")] = None,
    citation: Annotated[str | None, typer.Option("--citation", help="How the data is to be cited.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse a file that needs repairs.")] = False,
    force: Force = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was read as JSON.")] = False,
) -> None:
    """Read a file in any known format and write it in the one that the output's suffix names (.yaml, .jsonl, …).

    Example: winoglot import mine.yaml -o mine.jsonl
    """
    from winoglot.files import check_free
    from winoglot.loading import format_of, load_with_report, save
    from winoglot.schemas.text import counted

    check_free(output, force=force)
    target = format_of(output)
    collection, report = load_with_report(
        file, format_name, language, labels=labels or (), licence=licence, citation=citation, strict=strict
    )
    save(collection, output, target, force=force)
    print_lost([collection], target)
    counts = {
        "schemas": len(collection.schemas),
        "items": len(collection.items),
        "variants": len(collection.variants()),
    }
    if as_json:
        typer.echo(json.dumps(counts | asdict(report), ensure_ascii=False))
        return
    numbers = ", ".join(counted(count, name.removesuffix("s")) for name, count in counts.items())
    typer.echo(f"{collection.name} ({collection.language}): {numbers} written to {output}")
    for title, remarks in (("Repaired", report.repaired), ("Left out", report.skipped)):
        if remarks:
            typer.echo(f"{title}: {len(remarks)}")
        for remark in remarks:
            typer.echo(f"  line {remark.line}: {remark.what}: {remark.why}")


def export(
    sources: Annotated[list[str], typer.Argument(help="Bundled name, path, or format:path; several for html.")],
    to: Annotated[str, typer.Option("--to", help="The format to write; winoglot list formats names them.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file or folder to write; standard output unless given.")
    ] = None,
    language: Language = None,
    force: Force = False,
) -> None:
    """Write a collection in a format, and say what that format cannot hold.

    Example: winoglot export winoglot-pt --to jsonl -o winoglot-pt.jsonl
    """
    from winoglot.errors import InputError
    from winoglot.loading import dump, load_several, write_output

    collections = load_several(sources, language)
    content = dump(collections, to)
    if output is not None:
        write_output(output, content, force=force)
    elif isinstance(content, dict):
        raise InputError(f"the format {to!r} is a folder of files", remedy="Say where with -o.")
    else:
        typer.echo(content, nl=False)
    print_lost(collections, to)


def print_lost(collections: list[Collection], format_name: str) -> None:
    """Say on standard error what a format that was written cannot hold."""
    from winoglot.loading import lost

    for line in lost(collections, format_name):
        typer.echo(f"not in {format_name}: {line}", err=True)
