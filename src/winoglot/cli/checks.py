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

    from winoglot.checks._likeness import Pair
    from winoglot.checks.base import Outcome
    from winoglot.corpus.association import Association
    from winoglot.metrics._google_proof import GoogleProof
    from winoglot.schemas.collection import Collection


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
    from winoglot.loading import load, load_folder

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
        others = tuple(collection for place in against or () for collection in load_folder(place))
        near = _nearest(collection, others, nearest)
        outcome = run_checks(collection, Context(against=others, association=association), selection)
    resistance = _resistance(collection, association) if association else None
    if write_baseline is not None:
        write_whole(write_baseline, baseline_text(outcome, selection.baseline), force=force)
    if as_json:
        typer.echo(json.dumps(_as_json(outcome, resistance, near), ensure_ascii=False))
    else:
        from winoglot.cli.pretty import print_outcome

        if resistance is not None:
            from winoglot.cli.google_proof import print_google_proof

            print_google_proof(resistance)
        if against and nearest and not near:
            typer.echo(f"Nothing to compare with: no other collection in {collection.language} is among those given")
        _print_nearest(near)
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


def _nearest(collection: Collection, others: Sequence[Collection], most: int) -> dict[str, list[Pair]]:
    """The nearest texts of each collection in the same language, by its name."""
    from winoglot.checks._likeness import comparable, nearest_texts

    found: dict[str, list[Pair]] = {}
    for other in comparable(collection, others) if most else ():
        found.setdefault(other.name, []).extend(nearest_texts(collection, other, most))
    return found


def _print_nearest(near: dict[str, list[Pair]]) -> None:
    from rich.padding import Padding
    from rich.text import Text

    from winoglot.checks._likeness import LEAST_LISTED
    from winoglot.cli.pretty import emit

    for name, pairs in near.items():
        none = "" if pairs else f": none shares {LEAST_LISTED:.0%}"
        emit(Text(f"Nearest in {name}{none}", style="bold"))
        for pair in pairs:
            emit(Padding(Text(f"{pair.share:.0%}  {pair.one.item.id} / {pair.other.item.id}"), (0, 0, 0, 2)))
            for text in (pair.one.text, pair.other.text):
                emit(Padding(Text(text), (0, 0, 0, 4)))


def _codes(text: str) -> list[str]:
    return [code.strip() for code in text.split(",") if code.strip()]


def _as_json(outcome: Outcome, resistance: GoogleProof | None, near: dict[str, list[Pair]]) -> dict[str, object]:
    accepted = {"accepted": outcome.accepted} if outcome.accepted else {}
    association = {"association": resistance.described()} if resistance else {}
    nearest = [
        {
            "share": pair.share,
            "item": pair.one.item.id,
            "text": pair.one.text,
            "collection": name,
            "other": pair.other.item.id,
            "other_text": pair.other.text,
        }
        for name, pairs in near.items()
        for pair in pairs
    ]
    return {
        "errors": [asdict(finding) for finding in outcome.errors],
        "warnings": [asdict(finding) for finding in outcome.warnings],
        "not_run": [{"code": code, "why": why} for code, why in outcome.not_run],
        **accepted,
        **association,
        **({"nearest": nearest} if near else {}),
    }
