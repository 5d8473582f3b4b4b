"""`review`: a collection while it is written, and what blind readers say about it."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from winoglot.cli.collections import Json, Language
from winoglot.cli.files import Force

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection
    from winoglot.study.agreement import AgreementReport
    from winoglot.study.judgements import Judgements
    from winoglot.writing.review import View

_SHOW = "show"
_REVIEW_HELP = """Review a collection under work: winoglot review FILE.

Shows each schema with its readings, its switched form and what the checks find, again whenever the file is saved:
see winoglot review FILE --help. The commands below let readers answer it blind.

Example: winoglot review mine.yaml"""


class _FileOrCommand(TyperGroup):
    """`review FILE` as well as `review export …`: what names no command is the file to show."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Put the command in that goes without saying."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = [_SHOW, *args]
        return super().parse_args(ctx, args)


_review = typer.Typer(cls=_FileOrCommand, no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(_review, name="review", help=_REVIEW_HELP)


@_review.command(_SHOW, hidden=True)
def review(
    source: Annotated[str, typer.Argument(metavar="FILE", help="The file under work, or any other collection.")],
    ids: Annotated[list[str] | None, typer.Option("--id", help="Only this schema; repeat for more.")] = None,
    live: Annotated[
        bool | None,
        typer.Option("--live/--once", help="Show what changes whenever the file is saved; by default on a terminal."),
    ] = None,
    language: Language = None,
) -> None:
    """Show each schema with its readings, its switched form and what the checks find; again when the file is saved.

    Example: winoglot review mine.yaml --id parcel-help
    """
    from winoglot.cli.pretty import make_console
    from winoglot.errors import InputError
    from winoglot.files import exists
    from winoglot.writing.review import saved

    path = Path(source)
    if live and not exists(path):
        raise InputError(f"there is no file {source!r} to watch", remedy="Name one, or leave --live out.")
    if live is False or not exists(path) or (live is None and not make_console().is_terminal):
        _show(source, ids or [], language, None)
        return
    before: View | None = None
    try:
        for _ in saved(path):
            try:
                before = _show(source, ids or [], language, before)
            except InputError as error:
                typer.echo(f"Error: {error}")
            typer.echo(f"— {datetime.now():%H:%M:%S}, waiting for {path.name} to be saved; Ctrl-C ends —")
    except KeyboardInterrupt:
        typer.echo()


def _show(source: str, ids: list[str], language: str | None, before: View | None) -> View:
    """Print the schemas that are not as they were before."""
    from winoglot.cli.reviewing import print_view
    from winoglot.writing.drafts import read_draft
    from winoglot.writing.review import view

    now = view(read_draft(source, language), ids)
    known = before.schemas if before else ()
    print_view(now, [one for one in now.schemas if one not in known])
    return now


@_review.command("export")
def export_(
    source: Annotated[str, typer.Argument(help="Bundled name, path, or format:path.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder to write, for the reader's eyes.")],
    blind: Annotated[bool, typer.Option("--blind", help="Texts, questions and answers in random order only.")] = False,
    seed: Annotated[int, typer.Option("--seed", help="Of the order; give every reader another.")] = 0,
    part: Annotated[
        str, typer.Option("--part", help="Only a part of the items: 1/3, 2/3 and 3/3 make up all.")
    ] = "1/1",
    language: Language = None,
    force: Force = False,
) -> None:
    """Write questions for a reader who may not know the answers: README.txt, questions.md and questions.jsonl.

    Example: winoglot review export mine.yaml --blind -o reader-1 --seed 1
    """
    from winoglot.errors import InputError
    from winoglot.files import write_folder
    from winoglot.schemas.text import counted
    from winoglot.writing.blind import blind_check

    if not blind:
        raise InputError("review exports blind checks", remedy="Add --blind; `winoglot export` writes all there is.")
    collection, unfinished = _finished(source, language)
    check = blind_check(collection, seed=seed, part=_part(part))
    write_folder(output, check.files(), force=force)
    typer.echo(f"{check.title}: {counted(len(check.questions), 'question')} written to {output}")
    if unfinished:
        typer.echo(f"Left out, since they are unfinished or faulty (see review): {', '.join(unfinished)}")
    if check.left_out:
        typer.echo(f"Left out, for want of a text or of two candidates: {', '.join(check.left_out)}")


def _finished(source: str, language: str | None) -> tuple[Collection, list[str]]:
    """What of a collection under work can be asked already, and the schemas that cannot."""
    from winoglot.errors import InputError
    from winoglot.loading import load
    from winoglot.writing.drafts import read_draft

    file = read_draft(source, language)
    if file.collection is None:
        if not any(work.error for work in file.schemas):
            raise InputError("no schema is finished yet", remedy=f"Fill it in: winoglot review {source}.", file=source)
        return load(source, language=language), []  # says what is wrong with it
    return file.collection, [work.id for work in file.schemas if work.schema is None]


def _part(text: str) -> tuple[int, int]:
    from winoglot.errors import InputError

    number, slash, parts = text.partition("/")
    if not slash or not number.isdecimal() or not parts.isdecimal():
        raise InputError(f"{text!r} names no part", remedy="Write --part 1/3, 2/3 or 3/3.")
    return int(number), int(parts)


@_review.command("import")
def import_(
    source: Annotated[
        str, typer.Argument(help="What was read: bundled name (or family: winoglot), path, format:path.")
    ],
    files: Annotated[list[Path], typer.Argument(help="Files of judgements, one or more readers each.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write the judgements, item ids spelt out, to this file.")
    ] = None,
    language: Language = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Say how far readers agree with the answers and with each other, and which items to repair.

    Example: winoglot review import mine.yaml reader-1/judgements.jsonl reader-2/judgements.jsonl
    """
    from winoglot.files import check_free, write_whole
    from winoglot.loading import load_several
    from winoglot.schemas.bundled import family
    from winoglot.study.agreement import agreement
    from winoglot.study.judgements import dump_judgements, read_judgements

    if output is not None:
        check_free(output, force=force)
    collections = load_several([source]) if family(source) else [_finished(source, language)[0]]
    judgements = read_judgements(files, collections)
    found = agreement(judgements)
    if output is not None:
        write_whole(output, dump_judgements(judgements.judged), force=force)
    if as_json:
        typer.echo(json.dumps(_described(judgements, found), ensure_ascii=False, indent=1))
        return
    from winoglot.cli.reviewing import print_agreement

    print_agreement(judgements, found)


def _described(judgements: Judgements, found: AgreementReport) -> dict[str, Any]:
    """The agreement as other programs read it."""
    repair = {(row.collection, row.item.id) for row in found.to_repair}
    return {
        "collections": [asdict(row) for row in found.collections],
        "readers": [asdict(row) for row in found.readers],
        "items": [
            {
                "collection": row.collection,
                "item": row.item.id,
                "right": row.right,
                "judgements": [
                    asdict(one.judgement) | {"candidate": one.judgement.candidate, "right": one.right}
                    for one in row.judged
                ],
                "repair": (row.collection, row.item.id) in repair,
            }
            for row in found.items
        ],
        "stale": [asdict(one) for one in judgements.stale],
    }
