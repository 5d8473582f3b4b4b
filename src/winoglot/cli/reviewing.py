"""How work in progress and the outcome of a blind check look on a terminal."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from winoglot.cli.pretty import emit, percent, print_rows
from winoglot.cli.schema_text import answers_line, marked_text
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.checks.base import Finding
    from winoglot.schemas.model import Item, Reading
    from winoglot.study.agreement import AgreementReport, CollectionAgreement, ItemAgreement, ReaderAgreement
    from winoglot.study.judgements import JudgedItem, Judgements
    from winoglot.writing.review import SchemaView, View
    from winoglot.writing.status import Status

_MOST_NAMED = 10


def print_agreement(judgements: Judgements, found: AgreementReport) -> None:
    """Collections, readers, what to repair with what readers said, and what is stale."""
    if found.collections:
        measures = [_measures(row) for row in found.collections]
        names = [row.collection for row in found.collections]
        print_rows(
            [
                {"": name} | {column: one[name] for column, one in zip(names, measures, strict=True)}
                for name in measures[0]
            ]
        )
        emit(Text())
        print_rows([_reader_row(row) for row in found.readers])
        emit(Text("With 95% intervals over schemas; alpha is Krippendorff's, times 100."))
    for row in found.collections:
        if row.unread:
            emit(Text(f"{row.collection}: not read: {_named(row.unread)}"))
    emit(Text())
    emit(Text(f"To repair: {len(found.to_repair)} of {counted(len(found.items), 'item')}", style="bold"))
    for one in found.to_repair:
        _print_item(one)
    if judgements.stale:
        emit(Text(f"Stale, so left out: {counted(len(judgements.stale), 'judgement')}", style="bold"))
    for stale in judgements.stale:
        emit(Text(f"  {stale.file}, line {stale.line}: {stale.what}, {stale.reader}: {stale.why}", style="dim"))


def _measures(row: CollectionAgreement) -> dict[str, str]:
    """What is said of a collection, by name."""
    return {
        "language": row.language,
        "items": str(row.items),
        "readers": str(row.readers),
        "judgements": str(row.judgements),
        "right, % of judgements": percent(row.right),
        "cannot say, %": percent(row.undecided),
        **{f"{flag}, %": percent(share) for flag, share in row.flags.items()},
        "sound, % of items": percent(row.sound_items),
        "alpha between readers": percent(row.alpha) or row.alpha.method,
    }


def _reader_row(row: ReaderAgreement) -> dict[str, object]:
    return {
        "reader": row.reader,
        "collection": row.collection,
        "answers": row.flagged.n,
        "right, %": percent(row.right),
        "flagged, %": percent(row.flagged),
    }


def _print_item(row: ItemAgreement) -> None:
    emit(Text.assemble((row.item.id, "bold"), f"  {row.collection}  {row.right} of {len(row.judged)} right"))
    emit(Padding(marked_text(row.item), (0, 0, 0, 2)))
    for one in row.judged:
        if one.right is False or one.judgement.flag or one.judgement.comment:
            emit(Padding(_judgement(one), (0, 0, 0, 2)))


def _judgement(one: JudgedItem) -> Text:
    chosen = one.judgement.candidate
    said = "cannot say" if chosen is None else one.item.candidates[chosen].text
    verdict = {True: "right", False: "wrong", None: "unlabelled"}[one.right] if chosen is not None else ""
    parts = [f"{said} ({verdict})" if verdict else said, one.judgement.flag or "", one.judgement.comment]
    return Text(f"{one.judgement.reader}: {', '.join(filter(None, parts))}")


def _named(names: Sequence[str]) -> str:
    return ", ".join(names[:_MOST_NAMED]) + (f", … ({len(names)})" if len(names) > _MOST_NAMED else "")


def print_view(view: View, schemas: Sequence[SchemaView]) -> None:
    """Some schemas of a view, then what the checks find in the file as a whole, and counts of everything."""
    for one in schemas:
        if one.draft.begun or one.draft.error:
            _print_schema(one)
    untouched = [one.draft.id for one in view.schemas if not (one.draft.begun or one.draft.error)]
    if untouched:
        emit(Text(f"Not begun: {_named(untouched)}", style="dim"))
    for finding in (*view.outcome.errors, *view.outcome.warnings):
        if finding.schema is None:
            emit(_finding(finding))
    emit(Text(_counts(view), style="bold"))


def _print_schema(one: SchemaView) -> None:
    schema = one.draft.schema
    emit(Text(one.draft.id, style="bold"))
    if one.draft.empty:
        emit(_indented(Text(f"still empty: {', '.join(one.draft.empty)}", style="yellow")))
    if one.draft.error:
        emit(_indented(Text.assemble(("error ", "bold red"), one.draft.error)))
    for item in schema.items if schema else ():
        _print_item_view(item, one)
    if schema and schema.explanation:
        emit(_indented(Text(f"Why: {schema.explanation}")))
    if schema and schema.tags:
        emit(_indented(Text(f"Tags: {', '.join(schema.tags)}", style="dim")))
    if one.not_switched:
        emit(_indented(Text(f"Not switched: {one.not_switched}", style="dim")))
    for finding in one.findings:
        emit(_indented(_finding(finding)))
    emit(Text())


def _print_item_view(item: Item, one: SchemaView) -> None:
    emit(_indented(Text(item.id, style="dim")))
    if item.text:
        emit(_indented(marked_text(item)))
    if item.question:
        emit(_indented(Text(item.question, style="italic")))
    emit(_indented(answers_line(item)))
    for reading in one.readings:
        if reading.item_id == item.id:
            emit(_indented(_reading(reading), 4))
    for variant in one.switched:
        if variant.variant_of == item.id:
            emit(_indented(Text.assemble(("⇄ ", "dim"), marked_text(variant)), 4))
            emit(_indented(answers_line(variant), 6))


def _reading(reading: Reading) -> Text:
    line = Text.assemble((f"= {reading.candidate} ", "dim"), reading.before, (f"{{{reading.inserted}}}", "cyan"))
    line.append(reading.after)
    if reading.derived:
        return line.append(f"  ({reading.rule})", style="dim")
    return line.append(f"  (not derived: {reading.reason})", style="yellow")


def _finding(finding: Finding) -> Text:
    style = "bold red" if finding.severity == "error" else "yellow"
    place = f" {finding.item}" if finding.item else ""
    return Text.assemble((str(finding.severity), style), f" {finding.code}{place}: {finding.message}. {finding.remedy}")


def _counts(view: View) -> str:
    """One line on all that was looked at."""
    drafts = [one.draft for one in view.schemas]
    faulty = sum(bool(draft.error) for draft in drafts)
    unfinished = sum(draft.schema is None and not draft.error for draft in drafts)
    readings = [reading for one in view.schemas for reading in one.readings]
    derived = sum(reading.derived for reading in readings)
    outcome = view.outcome
    parts = [
        counted(len(drafts), "schema"),
        f"{unfinished} unfinished" if unfinished else "",
        f"{faulty} with an error" if faulty else "",
        f"{derived} of {counted(len(readings), 'reading')} derived" if readings else "",
        f"{sum(bool(one.switched) for one in view.schemas)} switched",
        f"checks: {counted(len(outcome.errors), 'error')}, {counted(len(outcome.warnings), 'warning')}",
    ]
    return "; ".join(filter(None, parts))


def _indented(line: Text, by: int = 2) -> Padding:
    return Padding(line, (0, 0, 0, by))


def print_status(status: Status) -> None:
    """The schemas in which something is to be done, with what; then counts."""
    for row in status.schemas:
        if row.state == "missing" or (row.state == "translated" and not row.warnings):
            continue
        style = {"translated": "green", "failing": "bold red"}.get(row.state, "yellow")
        emit(Text.assemble((row.id, "bold"), "  ", (row.state, style)))
        if row.empty and row.state != "extra":
            emit(_indented(Text(f"still empty: {', '.join(row.empty)}")))
        if row.stale:
            emit(_indented(Text(f"the source has changed since; once it is revised: --revised {row.id}")))
        for severity, messages in (("error", row.errors), ("warning", row.warnings)):
            for message in messages:
                emit(_indented(Text(f"{severity} {message}")))
    missing = [row.id for row in status.schemas if row.state == "missing"]
    if missing:
        emit(Text.assemble(("missing", "yellow"), f": {_named(missing)}"))
    for finding in status.findings:
        emit(_finding(finding))
    begun = [row for row in status.schemas if row.state in {"translated", "incomplete", "failing"}]
    if unknown := sum(row.stale is None and not row.other_source for row in begun):
        said = "without the source's hash: its changes cannot be seen; --record writes it"
        emit(Text(f"{counted(unknown, 'schema')} {said}"))
    for other, count in Counter(row.other_source for row in begun if row.other_source).items():
        said = f"translated from {other}: changes of this source cannot be seen; compare with {other}"
        emit(Text(f"{counted(count, 'schema')} {said}"))
    emit(Text(", ".join(f"{count} {state}" for state, count in status.counts.items()), style="bold"))
