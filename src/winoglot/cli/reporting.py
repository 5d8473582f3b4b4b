"""`report`: runs as one page, with figures and tables for papers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from winoglot.report.summary import Summary


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
    from winoglot.report.page import report as write
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
    """The finding, and accuracy by solver and collection."""
    from winoglot.cli.pretty import print_rows
    from winoglot.report._table import estimate_text
    from winoglot.report.finding import finding

    rows = []
    for solver in summary.solvers:
        cells = {column.label: summary.cell(solver, column) for column in summary.columns}
        made = {label: "" if one is None else estimate_text(one.accuracy) for label, one in cells.items()}
        rows.append({"solver": solver} | made)
    guesses = {c.label: "" if c.chance is None else f"{100 * c.chance:.1f}" for c in summary.columns}
    print_rows([*rows, {"solver": "guessing"} | guesses])
    typer.echo(f"\n{finding(summary)}")
