"""`new` and `status`: begin a translation, and see how far it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from winoglot.cli import completion
from winoglot.cli.check import finding_line
from winoglot.cli.completion import one_of, plugins
from winoglot.cli.console import emit, first_few, print_json
from winoglot.cli.options import Force, Ids, Json, Language
from winoglot.files import write_whole
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection
    from winoglot.writing.status import Status


def new(
    source: Annotated[
        str,
        typer.Option(
            "--from",
            help="Collection to translate: bundled name, file, or format:file.",
            autocompletion=completion.collections,
        ),
    ],
    to: Annotated[
        str, typer.Option(help="Language to translate into: es, pt-BR.", autocompletion=one_of(plugins("languages")))
    ],
    output: Annotated[Path, typer.Option("--output", "-o", help="YAML file to write.")],
    ids: Ids = None,
    language: Language = None,
    force: Force = False,
) -> None:
    """Begin a translation: a file with empty fields, the source and hints for the language.

    Example: winoglot new --from winoglot-en --to es -o winoglot-es.yaml
    """
    from winoglot.loading import load
    from winoglot.writing.skeleton import check_output, skeleton, without_text

    check_output(output, source)
    collection = load(source, language=language)
    write_whole(output, skeleton(collection, to, ids or (), place=source, file=str(output)), force=force)
    typer.echo(f"{output} is ready to fill in. While you write: winoglot review {output}")
    if bare := without_text(collection, ids or ()):
        typer.echo(
            f"{counted(len(bare), 'schema')} without a text in the source: see its readings or inferences instead"
        )
    option = f" --language {language}" if language else ""
    typer.echo(f"To see your progress: winoglot status {source} {output}{option}")


def status(
    source: Annotated[
        str,
        typer.Argument(
            help="Source collection: bundled name, file, or format:file.", autocompletion=completion.collections
        ),
    ],
    translation: Annotated[
        str, typer.Argument(help="Translation, finished or not.", autocompletion=completion.collections)
    ],
    language: Annotated[str | None, typer.Option(help="Language to read from a source with several.")] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Record the source's hash in every started schema that lacks it.")
    ] = False,
    revised: Annotated[
        list[str] | None, typer.Option(help="Record the source's new hash in this revised schema; may be repeated.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show what is done, missing, incomplete, failing or out of date in a translation.

    Example: winoglot status winoglot-en winoglot-es.yaml
    """
    from winoglot.loading import load
    from winoglot.writing.status import status as compare
    from winoglot.writing.unfinished import read_unfinished

    collection = load(source, language=language)
    if record or revised:
        _record(collection, translation, record, revised or [])
    progress = compare(collection, read_unfinished(translation))
    if as_json:
        print_json(asdict(progress) | {"counts": progress.counts}, indent=1)
        return
    _print_status(progress)


def _record(collection: Collection, translation: str, all_missing: bool, revised: list[str]) -> None:
    """Write hashes into the file, and say so on standard error."""
    from winoglot.writing.status import record

    recording = record(collection, translation, all_missing=all_missing, revised=revised)
    if recording.recorded:
        write_whole(Path(translation), recording.text, force=True)
    typer.echo(f"{translation}: hash of the source recorded in {counted(len(recording.recorded), 'schema')}", err=True)
    if recording.of_another:
        typer.echo(
            f"Left unchanged, because they name another source: {', '.join(recording.of_another)}. "
            f"Compare with that source, or set their 'source' to {collection.name} first.",
            err=True,
        )


def _print_status(status: Status) -> None:
    """The schemas that need work, with what is missing or wrong; then counts."""
    for row in status.schemas:
        if row.state == "missing" or (row.state == "translated" and not row.warnings):
            continue
        style = {"translated": "bold", "failing": "bold red"}.get(row.state, "yellow")
        emit(Text.assemble((row.id, "bold"), "  ", (row.state, style)))
        if row.empty and row.state != "extra":
            emit(f"still empty: {', '.join(row.empty)}", indent=2)
        if row.stale:
            emit(f"the source has changed; once you have revised it: --revised {row.id}", indent=2)
        for severity, messages in (("error", row.errors), ("warning", row.warnings)):
            for message in messages:
                emit(f"{severity} {message}", indent=2)
    missing = [row.id for row in status.schemas if row.state == "missing"]
    if missing:
        emit(Text.assemble(("missing", "yellow"), f": {first_few(missing)}"))
    for finding in status.findings:
        emit(finding_line(finding))
    begun = [row for row in status.schemas if row.state in {"translated", "incomplete", "failing"}]
    if unknown := sum(row.stale is None and not row.other_source for row in begun):
        note = "without the source's hash, so changes of the source go unnoticed; --record adds it"
        emit(f"{counted(unknown, 'schema')} {note}")
    for other_source, count in Counter(row.other_source for row in begun if row.other_source).items():
        note = f"translated from {other_source}, so changes of this source go unnoticed; compare with {other_source}"
        emit(f"{counted(count, 'schema')} {note}")
    emit(", ".join(f"{count} {state}" for state, count in status.counts.items()), style="bold")
