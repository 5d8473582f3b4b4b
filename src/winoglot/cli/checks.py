"""`check`: whether the schemas of a collection are proper ones."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Language
from winoglot.cli.steps import working

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.checks._likeness import Near
    from winoglot.checks.base import Outcome
    from winoglot.corpus.association import Association
    from winoglot.errors import InputError
    from winoglot.loading import Place
    from winoglot.metrics._google_proof import GoogleProof
    from winoglot.schemas.model import Collection


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(check)


def check(
    source: Annotated[str, typer.Argument(help="Bundled name, path, or format:path.")],
    language: Language = None,
    select: Annotated[str, typer.Option("--select", help="Only these rules: codes with commas between.")] = "",
    ignore: Annotated[str, typer.Option("--ignore", help="Not these rules: codes with commas between.")] = "",
    against: Annotated[
        list[str] | None, typer.Option("--against", help="Published collections to compare with: a file or folder.")
    ] = None,
    nearest: Annotated[
        int, typer.Option("--nearest", min=0, help="List this many nearest texts of each collection compared with.")
    ] = 3,
    counts: Annotated[
        Path | None, typer.Option("--counts", help="Counts of a corpus: test what association alone would answer.")
    ] = None,
    baseline: Annotated[Path | None, typer.Option("--baseline", help="Accept the warnings this file lists.")] = None,
    write_baseline: Annotated[
        Path | None, typer.Option("--write-baseline", help="Write this run's warnings to a baseline file.")
    ] = None,
    strict: Annotated[bool, typer.Option("--strict", help="Fail on warnings too.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the baseline file if it exists.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for another program.")] = False,
) -> None:
    """Check a collection against the rules for Winograd schemas; exit code 1 where there are errors.

    Example: winoglot check winoglot-pt --ignore near-duplicates
    """
    from winoglot.checks.base import Context, Selection, baseline_text, read_baseline, run_checks
    from winoglot.files import check_free, write_whole
    from winoglot.loading import load, load_place

    if write_baseline is not None:
        check_free(write_baseline, force=force)
    selection = Selection(
        select=_codes(select),
        ignore=_codes(ignore),
        baseline=read_baseline(baseline) if baseline else frozenset(),
    )
    collection = load(source, language=language)
    association = _association(counts, collection.language) if counts else None
    with working("comparing" if against else "checking"):
        places = [load_place(place) for place in against or ()]
        near = _nearest(collection, places, nearest)
        others = tuple(other for place in places for _, other in place.collections)
        outcome = run_checks(collection, Context(against=others, association=association), selection)
    unread = [error for place in places for error in place.unread]
    resistance = _resistance(collection, association) if association else None
    if write_baseline is not None:
        write_whole(write_baseline, baseline_text(outcome, selection.baseline), force=force)
    if as_json:
        typer.echo(json.dumps(_as_json(outcome, resistance, near, unread), ensure_ascii=False))
    else:
        from winoglot.cli.pretty import print_outcome

        if resistance is not None:
            from winoglot.cli.google_proof import print_google_proof

            print_google_proof(resistance)
        if against and nearest and not near:
            typer.echo(f"Nothing to compare with: no other collection in {collection.language} is among those given")
        _print_nearest(near, unread)
        print_outcome(outcome)
    if outcome.errors or (strict and outcome.warnings):
        raise typer.Exit(1)


def _association(counts: Path, language: str) -> Association:
    from winoglot.corpus.association import open_association

    association = open_association(counts)
    association.counts.check_language(language)
    return association


def _resistance(collection: Collection, association: Association) -> GoogleProof:
    from winoglot.metrics._google_proof import google_proof

    return google_proof(collection, association)


def _nearest(collection: Collection, places: Sequence[Place], most: int) -> list[Near]:
    """The nearest texts of each collection in the same language."""
    from winoglot.checks._likeness import Near, comparable, nearest_texts

    return [
        Near(file, other.name, nearest_texts(collection, other, most))
        for place in places
        for file, other in place.collections
        if most and comparable(collection, [other])
    ]


def _print_nearest(near: Sequence[Near], unread: Sequence[InputError]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from winoglot.checks._likeness import LEAST_LISTED
    from winoglot.cli.pretty import emit

    for one in near:
        file = "" if one.file == one.name else f" ({one.file})"
        none = "" if one.pairs else f": none shares {LEAST_LISTED:.0%}"
        emit(Text(f"Nearest in {one.name}{file}{none}", style="bold"))
        for pair in one.pairs:
            emit(Padding(Text(f"{pair.share:.0%}  {pair.one.item.id} / {pair.other.item.id}"), (0, 0, 0, 2)))
            for text in (pair.one.text, pair.other.text):
                emit(Padding(Text(text), (0, 0, 0, 4)))
    if unread:
        emit(Text("Not compared, since they cannot be read:", style="bold"))
    for error in unread:
        emit(Padding(Text(str(error)), (0, 0, 0, 2)))


def _codes(text: str) -> list[str]:
    return [code.strip() for code in text.split(",") if code.strip()]


def _as_json(
    outcome: Outcome, resistance: GoogleProof | None, near: Sequence[Near], unread: Sequence[InputError]
) -> dict[str, object]:
    accepted = {"accepted": outcome.accepted} if outcome.accepted else {}
    association = {"association": resistance.described()} if resistance else {}
    nearest = [
        {
            "share": pair.share,
            "item": pair.one.item.id,
            "text": pair.one.text,
            "collection": one.name,
            "file": one.file,
            "other": pair.other.item.id,
            "other_text": pair.other.text,
        }
        for one in near
        for pair in one.pairs
    ]
    return {
        "errors": [asdict(finding) for finding in outcome.errors],
        "warnings": [asdict(finding) for finding in outcome.warnings],
        "not_run": [{"code": code, "why": why} for code, why in outcome.not_run],
        **accepted,
        **association,
        **({"nearest": nearest} if near else {}),
        **({"unread": [_unread(error) for error in unread]} if unread else {}),
    }


def _unread(error: InputError) -> dict[str, object]:
    return {"file": error.file, "line": error.line, "why": error.message}
