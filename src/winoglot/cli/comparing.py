"""`compare`: whether one run is better than another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from winoglot.runs.comparing import Comparison, Comparisons


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(compare)


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or folders that hold some: two runs or more.")],
    kind: Annotated[str | None, typer.Option("--kind", help="Compare the variants of this kind: switched.")] = None,
    points: Annotated[
        float, typer.Option("--points", help="Say how many schemas would show a difference of so many points.")
    ] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for another program.")] = False,
) -> None:
    """Say whether runs differ, by how much, how sure that is, and what so many items can show at all.

    Runs are paired on items or, across languages, on parallel ids; of more than two, every two that differ in one
    respect are compared, and p-values are corrected for their number (Holm).

    Example: winoglot compare runs/gemma-3-270m runs/chance
    """
    from winoglot.runs.comparing import compare_all
    from winoglot.runs.store import find_runs, load_run

    folders = dict.fromkeys(folder.resolve() for path in runs for folder in find_runs(path))
    found = compare_all([load_run(folder) for folder in folders], kind=kind, difference=points / 100)
    if as_json:
        refused = [{"first": first, "second": second, "why": why} for first, second, why in found.refused]
        made = [comparison.as_json() for comparison in found.made]
        typer.echo(json.dumps({"comparisons": made, "not_compared": refused}, ensure_ascii=False))
    elif len(found.made) == 1:
        _print_one(found.made[0])
    else:
        _print_many(found.made)
    if not as_json:
        _print_rest(found)


def _print_one(comparison: Comparison) -> None:
    from winoglot.runs.sentences import interval, signed

    difference = comparison.difference
    value, low, high = difference.value or 0.0, difference.low or 0.0, difference.high or 0.0
    lines = {
        comparison.first: f"{comparison.accuracy_first:.1%}",
        comparison.second: f"{comparison.accuracy_second:.1%}",
        "difference": f"{signed(value)} points [{interval(low, high)}], {difference.method}",
        "flip test": str(comparison.test),
        "McNemar": f"{comparison.mcnemar}: {comparison.only_first} against {comparison.only_second}",
    }
    width = max(map(len, lines))
    for name, line in lines.items():
        typer.echo(f"{name:{width}}  {line}")
    typer.echo()
    paired = f"paired by {comparison.paired_by.removesuffix('s')}"
    left_out = f"; left out: {', '.join(comparison.left_out)}" if comparison.left_out else ""
    typer.echo(f"{comparison.schemas:,} schemas, {comparison.items:,} items, {paired}{left_out}.")
    typer.echo(f"{comparison.sentence}.")
    if comparison.planning:
        typer.echo(comparison.planning)


def _print_many(made: tuple[Comparison, ...]) -> None:
    from winoglot.cli.pretty import print_rows
    from winoglot.runs.sentences import interval, probability, signed

    rows = []
    for one in made:
        value, low, high = one.difference.value or 0.0, one.difference.low or 0.0, one.difference.high or 0.0
        row = {
            "first": one.first,
            "second": one.second,
            "items": one.items,
            "points": signed(value),
            "95% interval": interval(low, high),
            "p": probability(one.test.value),
            "corrected": probability(one.corrected_p),
            "shows": "–" if one.detectable is None else f"{100 * one.detectable:.1f}",
        }
        rows.append(row | {"outcome": "different" if one.is_distinguishable else "not distinguishable"})
    print_rows(rows)
    typer.echo(
        "\nPoints: accuracy of the first less that of the second. Corrected: Holm, over all rows.\n"
        "Shows: the true difference, in points, that four of five such collections would show."
    )


def _print_rest(found: Comparisons) -> None:
    for first, second, why in found.refused:
        typer.echo(f"not compared: {first} and {second}: {why}")
    if found.passed_over:
        typer.echo(f"not compared: {found.passed_over} pairs that differ in several respects; name two runs to do so")
