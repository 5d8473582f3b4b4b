"""`review`: a collection while it is being written, and what blind readers say about it."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text
from typer.core import TyperGroup

from winoglot.cli import completion
from winoglot.cli.check import finding_line
from winoglot.cli.completion import plugins, several_of
from winoglot.cli.console import emit, first_few, make_console, print_json, print_rows
from winoglot.cli.options import Force, Ids, Json, Language, Source, split
from winoglot.cli.show import answers_line, item_lines, marked_text, reading_line
from winoglot.errors import InputError
from winoglot.files import check_free, exists, write_folder, write_whole
from winoglot.palette import letter
from winoglot.progress import wait_quietly
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import percent_interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Collection, Item, Reading
    from winoglot.study.agreement import AgreementReport, CollectionAgreement, ItemAgreement, ReaderAgreement
    from winoglot.study.judgements import JudgedItem, Judgements
    from winoglot.writing.review import SchemaView, View

_SHOW = "show"
_STALE_SHOWN = 10
_HELP = """Review a collection while you write it: winoglot review FILE.

Shows each schema with its readings, its switched form and what the checks find, and again whenever the file is saved;
for its options see winoglot review FILE --help. The commands below let readers answer the schemas blind.

Example: winoglot review mine.yaml"""


class _FileOrCommand(TyperGroup):
    """`review FILE` as well as `review export …`: what is not the name of a command is the file to show."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert the command that shows a file."""
        if args and args[0] not in {*self.commands, *ctx.help_option_names}:
            args = [_SHOW, *args]
        return super().parse_args(ctx, args)


group = typer.Typer(cls=_FileOrCommand, no_args_is_help=True, help=_HELP)


@group.command(_SHOW, hidden=True)
def review(
    source: Annotated[str, typer.Argument(metavar="FILE", help="File being written, or any other collection.")],
    ids: Ids = None,
    live: Annotated[
        bool | None,
        typer.Option(
            "--live/--once", help="Show changes as the file is saved, or once; live by default on a terminal."
        ),
    ] = None,
    language: Language = None,
) -> None:
    """Show each schema with its readings, its switched form and findings, again whenever the file is saved.

    With --once, the exit code is 1 if there are errors.

    Example: winoglot review mine.yaml --id parcel-help
    """
    from winoglot.writing.review import saved

    path = Path(source)
    if live and not exists(path):
        raise InputError(f"cannot watch {source!r}: file not found", remedy="Name a file, or leave out --live.")
    if live is False or not exists(path) or (live is None and not make_console().is_terminal):
        shown = _show(source, ids or [], language, None)
        if shown.outcome.errors or any(schema_view.content.error for schema_view in shown.schemas):
            raise typer.Exit(1)
        return
    wait_quietly()
    before: View | None = None
    try:
        for _ in saved(path):
            try:
                before = _show(source, ids or [], language, before)
            except InputError as error:
                typer.echo(f"Error: {error}")
            typer.echo(f"— {datetime.now():%H:%M:%S}, waiting for {path.name} to be saved; Ctrl-C to stop —")
    except KeyboardInterrupt:
        typer.echo()


def _show(source: str, ids: list[str], language: str | None, before: View | None) -> View:
    """Print the schemas that have changed."""
    from winoglot.writing.review import view
    from winoglot.writing.unfinished import read_unfinished

    now = view(read_unfinished(source, language), ids)
    shown_before = before.schemas if before else ()
    _print_view(now, [schema_view for schema_view in now.schemas if schema_view not in shown_before])
    return now


def _print_view(view: View, schemas: Sequence[SchemaView]) -> None:
    """The schemas given, then the findings about the file as a whole, and counts of everything."""
    for schema_view in schemas:
        if schema_view.content.begun or schema_view.content.error:
            _print_schema(schema_view)
    untouched = [
        schema_view.content.id
        for schema_view in view.schemas
        if not (schema_view.content.begun or schema_view.content.error)
    ]
    if untouched:
        emit(f"Not begun: {first_few(untouched)}", style="dim")
    for finding in (*view.outcome.errors, *view.outcome.warnings):
        if finding.schema is None:
            emit(finding_line(finding))
    emit(_counts(view), style="bold")


def _print_schema(schema_view: SchemaView) -> None:
    schema = schema_view.content.schema
    emit(schema_view.content.id, style="bold")
    if schema_view.content.empty:
        emit(f"still empty: {', '.join(schema_view.content.empty)}", indent=2, style="yellow")
    for error in schema_view.content.error.splitlines():
        emit(Text.assemble(("error ", "bold red"), error), indent=2)
    for item in schema.items if schema else ():
        _print_item_view(item, schema_view)
    if schema and schema.explanation:
        emit(f"Why: {schema.explanation}", indent=2)
    if schema and schema.tags:
        emit(f"Tags: {', '.join(schema.tags)}", indent=2, style="dim")
    if schema_view.not_switched:
        emit(f"Not switched: {schema_view.not_switched}", indent=2, style="dim")
    for finding in schema_view.findings:
        emit(finding_line(finding), indent=2)
    emit("")


def _print_item_view(item: Item, schema_view: SchemaView) -> None:
    for line in item_lines(item):
        emit(line, indent=2)
    for reading in schema_view.readings:
        if reading.item_id == item.id:
            emit(_reading(reading), indent=4)
    for variant in schema_view.switched:
        if variant.variant_of == item.id:
            emit(Text.assemble(("⇄ ", "dim"), marked_text(variant)), indent=4)
            emit(answers_line(variant), indent=6)


def _reading(reading: Reading) -> Text:
    line = reading_line(f"= {letter(reading.candidate)} ", reading)
    return line.append(f"  ({reading.rule})", style="dim") if reading.derived else line


def _counts(view: View) -> str:
    """One line with the totals."""
    contents = [schema_view.content for schema_view in view.schemas]
    faulty = sum(bool(content.error) for content in contents)
    unfinished = sum(content.schema is None and not content.error for content in contents)
    readings = [reading for schema_view in view.schemas for reading in schema_view.readings]
    derived = sum(reading.derived for reading in readings)
    outcome = view.outcome
    parts = [
        counted(len(contents), "schema"),
        f"{unfinished} unfinished" if unfinished else "",
        f"{faulty} with an error" if faulty else "",
        f"{derived} of {counted(len(readings), 'reading')} derived" if readings else "",
        f"{sum(bool(schema_view.switched) for schema_view in view.schemas)} switched",
        f"checks: {counted(len(outcome.errors), 'error')}, {counted(len(outcome.warnings), 'warning')}",
    ]
    return "; ".join(filter(None, parts))


@group.command("export")
def export_(
    source: Source,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write for the reader.")],
    blind: Annotated[bool, typer.Option("--blind", help="Leave out the answers; required.")] = False,
    seed: Annotated[int, typer.Option(help="Random seed for the order; use a different one for each reader.")] = 0,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            help="Ask about the stored variants of these kinds, not the originals: tense,number.",
            autocompletion=several_of(plugins("perturbations")),
        ),
    ] = None,
    part: Annotated[str, typer.Option(help="Export only one part of the items: 1/3, 2/3 or 3/3.")] = "1/1",
    faults: Annotated[
        Path | None,
        typer.Option(help="Collection of faulty items to mix in, to see whether the reader notices."),
    ] = None,
    language: Language = None,
    force: Force = False,
) -> None:
    """Write questions for a reader who must not see the answers: README.txt, questions.md and questions.jsonl.

    Example: winoglot review export mine.yaml --blind -o reader-1 --seed 1
    """
    from winoglot.schemas.model import ORIGINAL
    from winoglot.writing.blind import blind_check
    from winoglot.writing.unfinished import load_finished

    if not blind:
        raise InputError(
            "only blind checks can be exported", remedy="Add --blind, or use `winoglot export` to write everything."
        )
    collection, unfinished = load_finished(source, language, without_faulty=True)
    check = blind_check(
        collection,
        kinds=split(*kinds or ()) or (ORIGINAL,),
        seed=seed,
        part=_part(part),
        faults=_faults(faults, [collection]),
    )
    write_folder(output, check.files(), force=force)
    typer.echo(f"{check.title}: {counted(len(check.questions), 'question')} written to {output}")
    if unfinished:
        typer.echo(
            f"Left out, because they are unfinished or faulty (see winoglot review {source}): {', '.join(unfinished)}"
        )
    if check.left_out:
        typer.echo(f"Left out, because they lack a text or two candidates: {', '.join(check.left_out)}")


def _faults(file: Path | None, collections: Sequence[Collection]) -> Collection | None:
    """The items with something wrong; none of them may be mistaken for one of the collections'."""
    from winoglot.loading import load

    if file is None:
        return None
    faults = load(str(file))
    known = {schema.id for collection in collections for schema in collection.schemas}
    shared = [schema.id for schema in faults.schemas if schema.id in known]
    if shared or faults.name in [collection.name for collection in collections]:
        what = f"the schema {shared[0]!r}" if shared else "its name"
        raise InputError(f"{what} is also the collection's", remedy="Rename it in the file of faults.", file=str(file))
    return faults


def _part(text: str) -> tuple[int, int]:
    number, _, parts = text.partition("/")
    if not (number.isdecimal() and parts.isdecimal()):
        raise InputError(f"{text!r} is not a part", remedy="Write --part 1/3, 2/3 or 3/3.")
    return int(number), int(parts)


@group.command("import")
def import_(
    source: Annotated[
        str,
        typer.Argument(
            help="Collection that was read: bundled name (winoglot for all), file, or format:file.",
            autocompletion=completion.collections,
        ),
    ],
    files: Annotated[list[Path], typer.Argument(help="Files of judgements, each from one or more readers.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write the judgements to, with full item ids.")
    ] = None,
    pass_name: Annotated[
        str | None,
        typer.Option("--pass", help="With -o: name of this pass of reading, stored together with what was shown."),
    ] = None,
    faults: Annotated[Path | None, typer.Option(help="Collection of faulty items that was mixed in by export.")] = None,
    language: Language = None,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Show how well readers agree with the answers and with each other, and which items to repair.

    Example: winoglot review import mine.yaml reader-1/judgements.jsonl reader-2/judgements.jsonl
    """
    from winoglot.loading import load_several
    from winoglot.schemas.bundled import family
    from winoglot.study.agreement import agreement
    from winoglot.study.judgements import dump_judgements, read_judgements
    from winoglot.writing.unfinished import load_finished

    if output is not None:
        check_free(output, force=force)
    collections = (
        load_several([source]) if family(source) else [load_finished(source, language, without_faulty=True)[0]]
    )
    seeded = _faults(faults, collections)
    judgements = read_judgements(files, [*collections, *([seeded] if seeded else [])])
    report = agreement(judgements, seeded)
    if output is not None:
        provenance = {collection.name: collection.provenance for collection in collections}
        lines = [
            judged.published(pass_name, provenance[judged.collection]) if pass_name else judged.judgement
            for judged in judgements.judged
            if judged.collection in provenance
        ]
        write_whole(output, dump_judgements(lines), force=force)
    if as_json:
        print_json(_described(judgements, report), indent=1)
        return
    _print_agreement(judgements, report)


def _print_agreement(judgements: Judgements, report: AgreementReport) -> None:
    """Collections, readers, the items to repair with the readers' comments, and stale judgements."""
    from winoglot.schemas.model import ORIGINAL

    if report.collections:
        measures = [_measures(row) for row in report.collections]
        names = [
            row.collection if row.kind == ORIGINAL else f"{row.collection}, {row.kind}" for row in report.collections
        ]
        print_rows(
            [
                {"": name}
                | {column: column_measures[name] for column, column_measures in zip(names, measures, strict=True)}
                for name in measures[0]
            ]
        )
        emit("")
        print_rows([_reader_row(row) for row in report.readers])
        emit("With 95% intervals over schemas; alpha is Krippendorff's, times 100.")
        for why in dict.fromkeys(row.alpha.method for row in report.collections if row.alpha.value is None):
            emit(f"–: {why}")
    for row in report.collections:
        if row.unread:
            emit(f"{row.collection}: not read: {first_few(row.unread)}")
    emit("")
    emit(f"To repair: {len(report.to_repair)} of {counted(len(report.items), 'item')}", style="bold")
    for item in report.to_repair:
        _print_item(item)
    if judgements.stale:
        emit(f"Out of date, so left out: {counted(len(judgements.stale), 'judgement')}", style="bold")
    for stale in judgements.stale[:_STALE_SHOWN]:
        emit(f"{stale.file}, line {stale.line}: {stale.what}, {stale.reader}: {stale.why}", indent=2, style="dim")
    if len(judgements.stale) > _STALE_SHOWN:
        emit(f"… and {len(judgements.stale) - _STALE_SHOWN} more (--json has all)", indent=2, style="dim")


def _measures(row: CollectionAgreement) -> dict[str, str]:
    """The rows of the table for one collection."""
    return {
        "language": row.language,
        "items": str(row.items),
        "readers": str(row.readers),
        "judgements": str(row.judgements),
        "right, % of judgements": percent_interval(row.right),
        "cannot say, %": percent_interval(row.undecided),
        **{f"{flag}, %": percent_interval(share) for flag, share in row.flags.items()},
        **({"mean confidence, %": percent_interval(row.confidence)} if row.confidence.n else {}),
        "sound, % of items": percent_interval(row.sound_items),
        "alpha between readers": percent_interval(row.alpha) or "–",
    }


def _reader_row(row: ReaderAgreement) -> dict[str, object]:
    return {
        "reader": row.reader,
        "collection": row.collection,
        "answers": row.flagged.n,
        "right, %": percent_interval(row.right),
        "flagged, %": percent_interval(row.flagged),
        **({"faults noticed, %": percent_interval(row.noticed)} if row.noticed else {}),
    }


def _print_item(row: ItemAgreement) -> None:
    emit(Text.assemble((row.item.id, "bold"), f"  {row.collection}  {row.right} of {len(row.judged)} right"))
    emit(marked_text(row.item), indent=2)
    for judged_item in row.judged:
        if judged_item.right is False or judged_item.judgement.flag or judged_item.judgement.comment:
            emit(_judgement(judged_item), indent=2)


def _judgement(judged_item: JudgedItem) -> Text:
    chosen = judged_item.judgement.candidate
    answer = "cannot say" if chosen is None else judged_item.item.candidates[chosen].text
    verdict = {True: "right", False: "wrong", None: "unlabelled"}[judged_item.right] if chosen is not None else ""
    parts = [
        f"{answer} ({verdict})" if verdict else answer,
        judged_item.judgement.flag or "",
        judged_item.judgement.comment,
    ]
    return Text(f"{judged_item.judgement.reader}: {', '.join(filter(None, parts))}")


def _described(judgements: Judgements, report: AgreementReport) -> dict[str, Any]:
    """The agreement for other programs."""
    repair = {(row.collection, row.item.id) for row in report.to_repair}
    return {
        "collections": [asdict(row) for row in report.collections],
        "readers": [asdict(row) for row in report.readers],
        "items": [
            {
                "collection": row.collection,
                "item": row.item.id,
                "right": row.right,
                "judgements": [
                    asdict(judged_item.judgement)
                    | {"candidate": judged_item.judgement.candidate, "right": judged_item.right}
                    for judged_item in row.judged
                ],
                "repair": (row.collection, row.item.id) in repair,
            }
            for row in report.items
        ],
        "stale": [asdict(judgement) for judgement in judgements.stale],
    }
