"""`demo`: a first evaluation with its report, and how to go on from there."""

from __future__ import annotations

from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.console import emit, print_rows, resumable, working
from winoglot.progress import show_progress
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import percent, percent_interval

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
    """Evaluate a small model, as it is and fine-tuned, on a sample of schemas, and rank it among other models.

    What those answered to the same items comes with Winoglot. A second call keeps finished runs, and redoes them all if
    the collections or models have changed.

    Example: winoglot demo
    """
    from winoglot.experiment.demo import (
        check_demo,
        demonstrate,
        has_model,
        is_prepared,
        plan_demo,
        prepare,
        remove_outdated,
    )
    from winoglot.report.findings import evidence, verdict
    from winoglot.report.summary import Summary

    check_demo(full=full, limit=limit)
    if has_model() and not is_prepared():
        typer.echo("Preparing the weights of gemma-3-270m: a minute or two, only once.")
        with working("Preparing the weights"):
            prepare()
    folder = output or Path("demo-full" if full else "demo")
    with working("the demonstration"):
        plan = plan_demo(folder, full=full, limit=limit)
    if remove_outdated(plan):
        typer.echo("The demonstration has changed since the last time: all runs are made again.")
    emit(_announced(plan))
    with resumable(), show_progress("items") as begin:
        result = demonstrate(plan, begin)
    assert isinstance(result.summary, Summary)  # nothing is fine-tuned
    emit(f"\n{verdict(result.summary)}. {evidence(result.summary)}\n")
    _print_ranking(result.summary)
    emit(_reach(plan))
    if not has_model():
        emit("No model was run: these are rules and references. To add gemma-3-270m and gemma-3-270m-tuned:")
        emit('pip install "winoglot[gemma]"', indent=2, style="bold")
    emit(f"\nReport: {folder / 'report.html'}\n\nNext:")
    for why, command in _next_steps(folder, full=full).items():
        emit(why, indent=2)
        emit(command, indent=4, style="bold")
    for failure in result.failures:
        typer.echo(f"Error: {failure}", err=True)
    if show:
        import webbrowser

        webbrowser.open((plan.output / "report.html").as_uri())
    if result.failures:
        raise typer.Exit(2)


def _announced(plan: Plan) -> str:
    """What is going to happen, and how long it takes."""
    from winoglot.experiment.plan import LOCK_FILE

    experiment = plan.experiment
    models = ", ".join(model.name.name for model in experiment.models)
    sample = "all schemas" if experiment.limit is None else counted(experiment.limit, "schema")
    what = f"{models} on {sample} in each of {len(plan.collections)} languages, as written and with candidates switched"
    if (plan.output / LOCK_FILE).is_file():
        return f"Evaluated before: {what}. Only the report is written again."
    return f"Evaluating {what}: about {'twenty minutes' if experiment.limit is None else 'a minute'} on two cores."


def _reach(plan: Plan) -> str:
    """How far the numbers reach."""
    experiment, schemas = plan.experiment, len(plan.collections[0].schemas)
    if experiment.limit is None:
        return f"All {schemas} schemas of each language were asked."
    sample = f"{experiment.limit} of {schemas} schemas in each language (seed {experiment.seed})"
    return f"A sample of {sample}: intervals are wide."


def _next_steps(folder: Path, *, full: bool) -> dict[str, str]:
    """Commands that can be pasted, by what they are for."""
    from winoglot.experiment.demo import FILE

    runs, file, again = (quote(str(path)) for path in (folder / "runs", folder / FILE, f"{folder}-again"))
    steps = {
        "Which differences are more than luck:": f"winoglot compare {runs}",
        "The same from an experiment file, in which you can change models and collections:": (
            f"winoglot run {file} -o {again}"
        ),
    }
    if full:
        return steps | {"What a schema looks like:": "winoglot show winoglot-en --id coat-length"}
    return steps | {"Every schema, with more rules, scorings and readings:": "winoglot demo --full"}


def _print_ranking(summary: Summary) -> None:
    ranking = summary.ranking
    rows = []
    for place in (*ranking.places, *ranking.others):
        name = summary.main_name(place.solver) if place.solver in ranking.evaluated else f"{place.solver.name} *"
        row = {"rank": place.rank, "solver": name, "mean": percent_interval(place.mean)}
        cells = {column.label: summary.cells[place.solver, column.key] for column in ranking.columns}
        rows.append(row | {label: percent(cell.accuracy.value or 0.0) for label, cell in cells.items()})
    print_rows(rows, keys=2)
    note = "* a reference: its answers to the same items come with Winoglot. " if summary.has_references else ""
    emit(
        f"{note}Accuracy in percent, the mean with its 95% interval; guessing gives 50, an abstention counts as wrong. "
        "Rank: the places that the tests allow."
    )
