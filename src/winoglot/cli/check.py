"""`check`: whether the schemas of a collection are proper ones."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from winoglot.cli.completion import plugins, several_of
from winoglot.cli.console import emit, first_few, print_json, print_rows, working
from winoglot.cli.options import Force, Json, Language, Source, split
from winoglot.errors import InputError
from winoglot.files import check_free, write_whole
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.checks.base import CheckResult, Finding
    from winoglot.checks.similarity import NearestTexts
    from winoglot.metrics.google_proof import GoogleProof

_RULES = several_of(plugins("checks"))


def check(
    source: Source,
    language: Language = None,
    select: Annotated[
        list[str] | None,
        typer.Option(help="Run only these rules: codes separated by commas.", autocompletion=_RULES),
    ] = None,
    ignore: Annotated[
        list[str] | None, typer.Option(help="Skip these rules: codes separated by commas.", autocompletion=_RULES)
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(help="File or folder of published collections to compare with; may be repeated.")
    ] = None,
    nearest: Annotated[
        int, typer.Option(min=0, help="With --against: list the N most similar texts of each collection.")
    ] = 3,
    counts: Annotated[
        Path | None, typer.Option(help="Corpus counts: test which items word association solves.")
    ] = None,
    write_labels: Annotated[
        Path | None,
        typer.Option(help="With --counts: write which items association solves, as labels for import --labels."),
    ] = None,
    baseline: Annotated[Path | None, typer.Option(help="Accept the warnings listed in this file.")] = None,
    write_baseline: Annotated[Path | None, typer.Option(help="Write the warnings found to this baseline file.")] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Check a collection against the rules for Winograd schemas. Exit code 1 if there are errors.

    Example: winoglot check winoglot-pt --ignore near-duplicates
    """
    from winoglot.checks.base import CheckContext, Selection, baseline_text, read_baseline, run_checks
    from winoglot.checks.similarity import NearestTexts, comparable, nearest_texts
    from winoglot.corpus.association import open_association
    from winoglot.loading import load_folder
    from winoglot.metrics.google_proof import association_labels, google_proof
    from winoglot.writing.unfinished import load_finished

    for file in filter(None, (write_baseline, write_labels)):
        check_free(file, force=force)
    if write_labels is not None and counts is None:
        raise InputError("--write-labels says what association solves", remedy="Name counts with --counts.")
    selection = Selection(
        select=split(*select or ()),
        ignore=split(*ignore or ()),
        baseline=read_baseline(baseline) if baseline else frozenset(),
    )
    collection, unfinished = load_finished(source, language)
    association = open_association(counts) if counts else None
    if association:
        association.counts.check_language(collection.language)
    with working("comparing" if against else "checking"):
        folders = [load_folder(place) for place in against or ()]
        others = [in_file for folder in folders for in_file in folder.collections]
        near = [
            NearestTexts(file, other.name, nearest_texts(collection, other, nearest))
            for file, other in others
            if nearest and comparable(collection, [other])
        ]
        context = CheckContext(against=tuple(other for _, other in others), association=association)
        outcome = run_checks(collection, context, selection)
    unread = [error for folder in folders for error in folder.unread]
    resistance = google_proof(collection, association) if association else None
    if write_labels is not None and resistance is not None:
        write_whole(write_labels, association_labels(collection, resistance), force=force)
    if write_baseline is not None:
        write_whole(write_baseline, baseline_text(outcome, selection.baseline), force=force)
    places = _places(source, (*outcome.errors, *outcome.warnings))
    if as_json:
        print_json(
            _as_json(outcome, places, resistance, near, unread) | ({"unfinished": unfinished} if unfinished else {})
        )
    else:
        if resistance is not None:
            _print_google_proof(resistance)
        if against and nearest and not near:
            typer.echo(f"Nothing to compare with: none of the collections given is in {collection.language}")
        _print_nearest(near, unread)
        _print_outcome(outcome, places)
        if unfinished:
            emit(f"not checked, unfinished: {first_few(unfinished)}", style="dim")
    if outcome.errors or unfinished or (strict and outcome.warnings):
        raise typer.Exit(1)


@dataclass(frozen=True)
class _Place:
    """Where a finding is: a file and, if its format says so, the line."""

    file: str
    line: int | None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


def _places(source: str, findings: Sequence[Finding]) -> list[_Place]:
    """Where each finding is: at its item or, if that has no line of its own, at its schema."""
    from winoglot.loading import lines_of

    file, lines = lines_of(source) if findings else (source, {})
    return [_Place(file, lines.get(finding.item or "", lines.get(finding.schema or ""))) for finding in findings]


def finding_line(finding: Finding, *, with_message: bool = True) -> Text:
    """A finding on one line: severity, rule, item, message and remedy."""
    style = "bold red" if finding.severity == "error" else "yellow"
    place = f" {finding.item or finding.schema or ''}".rstrip()
    message = f": {finding.message}. {finding.remedy}" if with_message else ""
    return Text.assemble((str(finding.severity), style), f" {finding.code}{place}{message}")


def _print_outcome(outcome: CheckResult, places: Sequence[_Place]) -> None:
    """The findings one below the other, then a table that counts them by rule."""
    findings = (*outcome.errors, *outcome.warnings)
    for finding, place in zip(findings, places, strict=True):
        emit(Text.assemble(f"{place}: ", finding_line(finding, with_message=False)))
        emit(f"{finding.message}. {finding.remedy}", indent=2)
    counts = Counter((finding.code, finding.severity) for finding in findings)
    rows = [{"rule": code, "severity": severity, "findings": count} for (code, severity), count in counts.items()]
    if rows:
        print_rows(sorted(rows, key=lambda row: (str(row["severity"]), str(row["rule"]))))
    for code, why in outcome.not_run:
        emit(f"not run: {code}: {why}", style="dim")
    accepted = f"; {outcome.accepted} accepted by the baseline" if outcome.accepted else ""
    errors, warnings = counted(len(outcome.errors), "error"), counted(len(outcome.warnings), "warning")
    emit(f"{errors}, {warnings}{accepted}", style="bold")


def _print_google_proof(proof: GoogleProof) -> None:
    """How many items word association solves, then which."""
    emit(f"association (counts sha {proof.counts[:8]}) decides {proof.decided} of {proof.items} items")
    if proof.right or proof.wrong:
        emit(f"right: {len(proof.right)} ({proof.share:.1%})", indent=2)
    for name, ids in (("right", proof.right), ("wrong", proof.wrong), ("unlabelled", proof.unlabelled)):
        if ids:
            emit(f"{name}: {', '.join(ids)}", indent=2)
    if proof.abstained:
        reasons = ", ".join(f"{count} {reason}" for reason, count in proof.abstained.items())
        emit(f"abstained: {reasons}", indent=2)


def _print_nearest(near: Sequence[NearestTexts], unread: Sequence[InputError]) -> None:
    from winoglot.checks.similarity import LEAST_LISTED

    for texts in near:
        file = "" if texts.file == texts.name else f" ({texts.file})"
        none = "" if texts.pairs else f": no text shares {LEAST_LISTED:.0%}"
        emit(f"Nearest in {texts.name}{file}{none}", style="bold")
        for pair in texts.pairs:
            emit(f"{pair.share:.0%}  {pair.first.item.id} / {pair.other.item.id}", indent=2)
            for text in (pair.first.text, pair.other.text):
                emit(text, indent=4)
    if unread:
        emit("Not compared, because they could not be read:", style="bold")
    for error in unread:
        emit(str(error), indent=2)


def _as_json(
    outcome: CheckResult,
    places: Sequence[_Place],
    resistance: GoogleProof | None,
    near: Sequence[NearestTexts],
    unread: Sequence[InputError],
) -> dict[str, object]:
    findings = [
        asdict(finding) | asdict(place)
        for finding, place in zip((*outcome.errors, *outcome.warnings), places, strict=True)
    ]
    report: dict[str, object] = {
        "errors": findings[: len(outcome.errors)],
        "warnings": findings[len(outcome.errors) :],
        "not_run": [{"code": code, "why": why} for code, why in outcome.not_run],
    }
    if outcome.accepted:
        report["accepted"] = outcome.accepted
    if resistance:
        report["association"] = resistance.described()
    if near:
        report["nearest"] = [
            {
                "share": pair.share,
                "item": pair.first.item.id,
                "text": pair.first.text,
                "collection": texts.name,
                "file": texts.file,
                "other": pair.other.item.id,
                "other_text": pair.other.text,
            }
            for texts in near
            for pair in texts.pairs
        ]
    if unread:
        report["unread"] = [{"file": error.file, "line": error.line, "why": error.message} for error in unread]
    return report
