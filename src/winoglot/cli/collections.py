"""`import` and `export`: collections from and to files."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.completion import one_of, plugins
from winoglot.cli.console import print_json
from winoglot.cli.options import Force, Json, Language, Output, Overlay, Sources
from winoglot.errors import InputError
from winoglot.files import check_free
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection
    from winoglot.schemas.statistics import CollectionStatistics

_MOST_IDS, _IDS_OF_MANY = 12, 3  # in a line on what a format cannot hold


def statistics_of(source: str, language: str | None = None) -> CollectionStatistics:
    """Count what is in a collection. The counts of a bundled one are stored with it, which saves reading it."""
    from winoglot.schemas.statistics import statistics, stored_statistics

    stored = None if language else stored_statistics(source)
    if stored is not None:
        return stored
    from winoglot.loading import load

    return statistics(load(source, language=language))


def import_(
    file: Annotated[str, typer.Argument(help="File to read.")],
    output: Output,
    format_name: Annotated[
        str | None,
        typer.Option(
            "--format", help="Format of the file; detected by default.", autocompletion=one_of(plugins("formats"))
        ),
    ] = None,
    language: Annotated[str | None, typer.Option(help="Language of the file: pt-BR.")] = None,
    labels: Annotated[
        list[Path] | None, typer.Option(help="File that labels items associative or switchable; may be repeated.")
    ] = None,
    column: Annotated[
        list[str] | None,
        typer.Option(help="What a table calls a column: text=Satz, candidates=A,B; may be repeated."),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name of the collection; by default as in the file.")] = None,
    licence: Annotated[str | None, typer.Option(help="Licence of the data.")] = None,
    citation: Annotated[str | None, typer.Option(help="How to cite the data.")] = None,
    overlay: Overlay = None,
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
        file,
        format_name,
        language,
        labels=labels or (),
        licence=licence,
        citation=citation,
        columns=_columns(column or ()),
        overlay=overlay or (),
        strict=strict,
    )
    if name is not None:
        collection = replace(collection, name=name)
    save(collection, output, target, force=force)
    print_lost([collection], target)
    counts = {
        "schemas": len(collection.schemas),
        "items": len(collection.items),
        "variants": len(collection.variants()),
    }
    if as_json:
        print_json(counts | asdict(report))
        return
    numbers = ", ".join(counted(count, name.removesuffix("s")) for name, count in counts.items())
    typer.echo(f"{collection.name} ({collection.language}): {numbers} written to {output}")
    for title, remarks in (("Repaired", report.repaired), ("Left out", report.skipped)):
        if remarks:
            typer.echo(f"{title}: {len(remarks)}")
        for remark in remarks:
            what = "" if remark.what == f"row {remark.line}" else f"{remark.what}: "
            typer.echo(f"  line {remark.line}: {what}{remark.why}")


def _columns(options: Sequence[str]) -> dict[str, list[str]]:
    """The columns that options such as `text=Satz` name."""
    columns: dict[str, list[str]] = {}
    for option in options:
        field, equals, names = option.partition("=")
        if not (field and equals and names):
            raise InputError(f"--column {option!r} names no column", remedy="Write --column text=NAME.")
        columns.setdefault(field, []).extend(name.strip() for name in names.split(","))
    return columns


def export(
    sources: Sources,
    to: Annotated[
        str | None,
        typer.Option(
            help="Format to write (winoglot list formats); by default the output's suffix decides.",
            autocompletion=one_of(plugins("formats")),
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File or folder to write; standard output by default.")
    ] = None,
    language: Language = None,
    readings: Annotated[
        str | None,
        typer.Option(help="Style of readings: naive (the default of lm-eval) or grammatical (that of wnli)."),
    ] = None,
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
    content = dump(collections, to, readings)
    if output is not None:
        write_output(output, content, force=force)
        typer.echo(f"{output} written ({to})")
    elif isinstance(content, dict):
        raise InputError(f"the format {to!r} writes a folder of files", remedy="Name the folder with -o.")
    else:
        typer.echo(content, nl=False)
    print_lost(collections, to, readings)


def print_lost(collections: list[Collection], format_name: str, readings: str | None = None) -> None:
    """Say on standard error what a format that was written cannot hold."""
    from winoglot.loading import lost

    for line in lost(collections, format_name, readings):
        what, _, after = line.rpartition(": ")
        ids = after.split(", ")
        if len(ids) > _MOST_IDS and not any(" " in named for named in ids):
            line = f"{what}: {len(ids):,} ({', '.join(ids[:_IDS_OF_MANY])}, …)"  # noqa: PLW2901
        typer.echo(f"not in {format_name}: {line}", err=True)
