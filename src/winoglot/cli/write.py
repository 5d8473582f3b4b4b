"""`new` and `status`: begin a translation, and see how far it is."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from winoglot.cli import completion
from winoglot.cli.check import finding_line
from winoglot.cli.completion import one_of, plugins
from winoglot.cli.console import emit, first_few, print_json
from winoglot.cli.drafting import Reader, check_reader, drafting, load_reader, print_doubts, print_reasons
from winoglot.cli.evaluate import MoreOptions, Yes
from winoglot.cli.options import Device, Force, Ids, Json, Language
from winoglot.files import check_free, write_whole
from winoglot.schemas.text import counted, language_tag

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection, Schema
    from winoglot.writing.drafting import Drafter
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
    model: Annotated[
        str | None,
        typer.Option("--with", help="Let a model (chat:… or remote:…) draft texts and candidates to correct."),
    ] = None,
    reader: Reader = None,
    more: MoreOptions = None,
    device: Device = "auto",
    yes: Yes = False,
    language: Language = None,
    force: Force = False,
) -> None:
    """Begin a translation: a file with empty fields, the source and hints for the language.

    Example: winoglot new --from winoglot-en --to es -o winoglot-es.yaml
    """
    from winoglot.loading import load
    from winoglot.writing.skeleton import check_output, skeleton, without_text

    check_output(output, source)
    check_free(output, force=force)
    check_reader(model, reader, "Add --with MODEL.")
    collection = load(source, language=language)
    drafts: dict[str, Schema] = {}
    remarks: dict[str, list[str]] = {}
    if model is not None:
        with drafting(model, collection, more or [], device, 0, yes=yes) as drafter:
            drafts, remarks = _drafts(collection, to, drafter, ids or [], reader, device, yes=yes)
    text = skeleton(collection, to, ids or (), drafts=drafts, remarks=remarks, place=source, file=str(output))
    write_whole(output, text, force=force)
    typer.echo(f"{output} is ready to fill in. While you write: winoglot review {output}")
    if bare := without_text(collection, ids or ()):
        typer.echo(
            f"{counted(len(bare), 'schema')} without a text in the source: see its readings or inferences instead"
        )
    option = f" --language {language}" if language else ""
    typer.echo(f"To see your progress: winoglot status {source} {output}{option}")


def _drafts(
    collection: Collection, to: str, drafter: Drafter, ids: list[str], reader: str | None, device: str, *, yes: bool
) -> tuple[dict[str, Schema], dict[str, list[str]]]:
    """The schemas as a model translates them, perhaps read blind by another one; and what is said above each schema."""
    from winoglot.schemas.model import Collection
    from winoglot.writing.drafting import answer_blind, draft_translations

    drafted = draft_translations(collection, to, drafter, ids)
    drafts = drafted.drafts
    remarks = {refusal.schema: [f"no draft: {refusal.reason}"] for refusal in drafted.refused}
    if reader is not None and drafts:
        solver, before_sending = load_reader(reader, collection, device, drafter.seed, yes=yes)
        in_target = Collection(f"{collection.name}-{to}", language_tag(to), tuple(drafts.values()))
        answers = answer_blind(in_target, solver, before_sending)
        drafts = {name: replace(drafts[name], made=made) for name, (made, _) in answers.items()}
        remarks |= {name: doubts for name, (_, doubts) in answers.items() if doubts}
    typer.echo(f"{counted(len(drafts), 'draft')} to judge, {len(drafted.refused)} refused")
    print_reasons((refusal.reason for refusal in drafted.refused), "refused")
    print_doubts(draft.made for draft in drafts.values())
    return drafts, remarks


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
        bool,
        typer.Option(
            "--record",
            help="Record the source's hash in every started schema that lacks it, and the changes in judged drafts.",
        ),
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
    if recording.recorded or recording.judged:
        write_whole(Path(translation), recording.text, force=True)
    typer.echo(f"{translation}: hash of the source recorded in {counted(len(recording.recorded), 'schema')}", err=True)
    if recording.judged:
        typer.echo(f"Recorded what was changed in {counted(len(recording.judged), 'judged draft')}", err=True)
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
        style = {"translated": "bold", "untranslatable": "bold", "failing": "bold red"}.get(row.state, "yellow")
        reason = f": {row.reason}" if row.reason else ""
        emit(Text.assemble((row.id, "bold"), "  ", (row.state, style), reason))
        if row.empty and row.state != "extra":
            emit(f"still empty: {', '.join(row.empty)}", indent=2)
        if row.stale:
            emit(f"the source has changed; once you have revised it: --revised {row.id}", indent=2)
        if row.drafted_by:
            emit(f"drafted by {row.drafted_by}: correct it, then add your name to judged_by", indent=2)
        for severity, messages in (("error", row.errors), ("warning", row.warnings)):
            for message in messages:
                emit(f"{severity} {message}", indent=2)
    missing = [row.id for row in status.schemas if row.state == "missing"]
    if missing:
        emit(Text.assemble(("missing", "yellow"), f": {first_few(missing)}"))
    for finding in status.findings:
        emit(finding_line(finding))
    if overruled := [row.id for row in status.schemas if row.overruled]:
        emit(
            f"{counted(len(overruled), 'draft')} accepted although a model answers differently: {first_few(overruled)}"
        )
    begun = [row for row in status.schemas if row.state in {"translated", "incomplete", "failing"}]
    if unknown := sum(row.stale is None and not row.other_source for row in begun):
        note = "without the source's hash, so changes of the source go unnoticed; --record adds it"
        emit(f"{counted(unknown, 'schema')} {note}")
    for other_source, count in Counter(row.other_source for row in begun if row.other_source).items():
        note = f"translated from {other_source}, so changes of this source go unnoticed; compare with {other_source}"
        emit(f"{counted(count, 'schema')} {note}")
    emit(", ".join(f"{count} {state}" for state, count in status.counts.items()), style="bold")
