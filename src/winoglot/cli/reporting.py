"""`report`: runs as one page, with figures and tables for papers."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.cells import cell_len, set_cell_size

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.report.columns import Column
    from winoglot.report.summary import RunSummary, Summary


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(report)


def report(
    runs: Annotated[list[Path], typer.Argument(help="Run folders, or folders that hold some.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The HTML file.")],
    figures: Annotated[
        Path | None, typer.Option("--figures", help="A folder for the figures as SVG, PDF and PNG.")
    ] = None,
    tables: Annotated[
        Path | None, typer.Option("--tables", help="A folder for the tables as Markdown, LaTeX and CSV.")
    ] = None,
    title: Annotated[str | None, typer.Option("--title", help="The page's title.")] = None,
    human: Annotated[
        list[Path] | None, typer.Option("--human", help="A run of people, shown beside the models; repeat for more.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace files that exist.")] = False,
) -> None:
    """Write one self-contained HTML page: what was found, how sure it is, and every item behind it.

    Runs of different collections, versions or settings may stand in one report; it says which may not be compared.

    Example: winoglot report runs -o report.html
    """
    from winoglot.cli.pretty import make_console
    from winoglot.report import report as write
    from winoglot.runs.store import find_runs, load_run

    people = dict.fromkeys(folder.resolve() for path in human or [] for folder in find_runs(path))
    named = dict.fromkeys(folder.resolve() for path in runs for folder in find_runs(path))
    loaded = [load_run(folder) for folder in named if folder not in people]
    with make_console(stderr=True).status(f"Intervals and comparisons of {len(loaded)} runs"):
        summary = write(
            loaded,
            output,
            title=title,
            human=[load_run(folder) for folder in people],
            figures=figures,
            tables=tables,
            force=force,
        )
    _print(summary)
    typer.echo(f"\nReport: {output}")
    for what, folder in (("Figures", figures), ("Tables", tables)):
        if folder is not None:
            typer.echo(f"{what}: {folder}")


def _print(summary: Summary) -> None:
    """Accuracy by collection and solver, and the finding; as wide as the terminal, a line each where there is none."""
    from rich.text import Text

    from winoglot.cli.pretty import emit, print_rows
    from winoglot.report.finding import finding

    rows = [_row(one, column) for column in summary.columns for one in summary.of(column)]
    kept = [name for name in rows[0] if any(row[name] for row in rows)]
    shown = [{name: row[name] for name in kept} for row in rows]
    told = f"Accuracy in percent, with 95% intervals over schemas; an abstention is not right.{_guessing(summary)}"
    if sys.stdout.isatty() or "COLUMNS" in os.environ:
        print_rows(shown)
        emit(Text(f"{told}\n\n{finding(summary)}"))
    else:
        _print_lines(shown)
        typer.echo(f"{told}\n\n{finding(summary)}")


def _row(one: RunSummary, column: Column) -> dict[str, str | int]:
    from winoglot.report._table import estimate_text

    return {
        "solver": one.solver,
        "collection": column.label,
        "accuracy": estimate_text(one.accuracy).partition(", n = ")[0],
        "n": one.accuracy.n,
        "abstained": one.accuracy.abstained,
    }


def _guessing(summary: Summary) -> str:
    found = {column.label: f"{100 * column.chance:.1f}" for column in summary.columns if column.chance is not None}
    if len(set(found.values())) > 1:
        return f" Guessing gives {', '.join(f'{share} ({label})' for label, share in found.items())}."
    return f" Guessing gives {next(iter(found.values()))}." if found else ""


def _print_lines(rows: Sequence[Mapping[str, str | int]]) -> None:
    """A line a row, however long: what reads a pipe has no width."""
    head = list(rows[0])
    widths = [max(cell_len(str(cell)) for cell in (name, *(row[name] for row in rows))) for name in head]
    for cells in (head, *(row.values() for row in rows)):
        typer.echo("  ".join(map(_padded, cells, widths)).rstrip())


def _padded(cell: str | int, width: int) -> str:
    return str(cell).rjust(width) if isinstance(cell, int) else set_cell_size(cell, width)
