"""`new` and `status`: a translation begun, and how far it has got; with `review`, what writers use."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli import review
from winoglot.cli.collections import Json, Language
from winoglot.cli.files import Force

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(new)
    app.command()(status)
    review.register(app)


def new(
    source: Annotated[str, typer.Option("--from", help="What to translate: bundled name, path, or format:path.")],
    to: Annotated[str, typer.Option("--to", help="The language to translate into, as BCP 47: es, pt-BR.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The YAML file to write.")],
    ids: Annotated[list[str] | None, typer.Option("--id", help="Only this schema; repeat for more.")] = None,
    language: Language = None,
    force: Force = False,
) -> None:
    """Begin a translation: a file with every field empty, the source beside it and hints for the language above.

    Example: winoglot new --from winoglot-en --to es -o winoglot-es.yaml
    """
    from winoglot.files import write_whole
    from winoglot.loading import load
    from winoglot.schemas.text import counted
    from winoglot.writing.skeleton import check_output, skeleton, without_text

    check_output(output, source)
    collection = load(source, language=language)
    write_whole(output, skeleton(collection, to, ids or ()), force=force)
    typer.echo(f"{output} is to be filled in. While you write: winoglot review {output}")
    if bare := without_text(collection, ids or ()):
        typer.echo(
            f"{counted(len(bare), 'schema')} without a text in the source: its readings or inferences are the hint"
        )
    asked = f" --language {language}" if language else ""
    typer.echo(f"How far you are: winoglot status {source} {output}{asked}")


def status(
    source: Annotated[str, typer.Argument(help="The source: bundled name, path, or format:path.")],
    translation: Annotated[str, typer.Argument(help="The translation, finished or not.")],
    language: Annotated[
        str | None, typer.Option("--language", help="The language of the source, if it holds several.")
    ] = None,
    record: Annotated[
        bool, typer.Option("--record", help="Write the source's hash into every schema begun that has none.")
    ] = False,
    revised: Annotated[
        list[str] | None,
        typer.Option("--revised", help="Write the source's new hash into this schema; repeatable."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what of a translation is done, missing, incomplete, failing the checks, or older than its source.

    Example: winoglot status winoglot-en winoglot-es.yaml
    """
    from winoglot.loading import load
    from winoglot.writing.drafts import read_draft
    from winoglot.writing.status import status as compare

    collection = load(source, language=language)
    if record or revised:
        _record(collection, translation, record, revised or [])
    found = compare(collection, read_draft(translation))
    if as_json:
        typer.echo(json.dumps(asdict(found) | {"counts": found.counts}, ensure_ascii=False, indent=1))
        return
    from winoglot.cli.reviewing import print_status

    print_status(found)


def _record(collection: Collection, translation: str, all_missing: bool, revised: list[str]) -> None:
    """Write hashes into the file, and say so beside what is printed."""
    from winoglot.files import write_whole
    from winoglot.schemas.text import counted
    from winoglot.writing.status import record

    made = record(collection, translation, all_missing=all_missing, revised=revised)
    if made.recorded:
        write_whole(Path(translation), made.text, force=True)
    typer.echo(f"{translation}: the hash of the source recorded in {counted(len(made.recorded), 'schema')}", err=True)
    if made.of_another:
        typer.echo(
            f"Left alone, since they name another source: {', '.join(made.of_another)}. "
            f"Compare with that one, or write {collection.name} into their 'source' first.",
            err=True,
        )
