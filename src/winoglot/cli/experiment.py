"""`run`: experiment files, and lock files again."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot.cli.console import emit, print_json, print_rows, resumable
from winoglot.cli.options import Json
from winoglot.progress import show_progress
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.experiment.plan import Plan
    from winoglot.experiment.running import ExperimentResult


_MOST_COLUMNS = 10  # of a table in the terminal


def run(
    file: Annotated[Path, typer.Argument(help="An experiment file (YAML), or the lock file of an earlier run.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for everything; by default NAME-results beside the file."),
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that share this machine and its GPU, one model each.")] = 1,
    cluster: Annotated[
        str | None, typer.Option(help="Spread the runs over the workers of this Dask scheduler: tcp://HOST:8786.")
    ] = None,
    only_runs: Annotated[
        bool, typer.Option("--only-runs", help="Train and evaluate; leave results and report to a later call.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check and print the plan only; contact nobody.")] = False,
    as_json: Json = False,
) -> None:
    """Evaluate, compare and report what an experiment file describes. The same command continues what was interrupted.

    Given a lock file, it repeats the experiment and lists what differs; exit code 1 if a collection, model or choice
    does.

    Example: winoglot run experiment.yaml
    """
    from winoglot.experiment.locking import differences_so_far
    from winoglot.experiment.running import plan_experiment, run_experiment

    if dry_run:
        plan, before = plan_experiment(file, output, contact=False)
        _print_plan(plan, as_json=as_json)
        for difference in () if before is None else differences_so_far(before, plan):
            emit(str(difference))
        return
    with resumable(), show_progress("items") as begin:
        result = run_experiment(file, output, workers=workers, cluster=cluster, only_runs=only_runs, begin=begin)
    if as_json:
        print_json(_as_json(result), indent=1)
    elif only_runs:
        emit(f"Runs: {_shown(result.folder / 'runs')}. For results, repeat the command without --only-runs.")
    else:
        _print(result)
    for failure in result.failures:
        typer.echo(f"Error: {failure}", err=True)
    if result.failures:
        raise typer.Exit(2)
    if any(difference.matters for difference in result.differences or ()):
        raise typer.Exit(1)


def _print_plan(plan: Plan, *, as_json: bool) -> None:
    from winoglot.experiment.plan import started_runs

    experiment = plan.experiment
    collections = [
        {
            "collection": collection.name,
            "language": collection.language,
            "schemas": len(collection.schemas),
            "items": len(collection.items),
            "variants": ", ".join(plan.kinds[collection.name])
            if plan.kinds[collection.name] != experiment.kinds
            else "",
        }
        for collection in plan.collections
    ]
    models = [
        {
            "model": model.name.name,
            "address": model.name.address,
            "collections": ", ".join(model.collections) or "all",
            "scorings": ", ".join(model.scorings) or "its default",
            "precision": model.options.precision,
            "device": model.options.device,
            "options": ", ".join(f"{name}={value}" for name, value in model.options.more.items()),
        }
        for model in plan.models
        if not model.tuning
    ]
    tuned = _tuned_rows(plan)
    if as_json:
        names = ("readings", "kinds", "renamed", "limit", "seed")
        settings = {name: getattr(experiment, name) for name in names}
        whole = {"collections": collections, "models": models, "tuned": tuned, **settings, "folder": str(plan.output)}
        print_json(whole, indent=1)
        return
    tables: list[list[dict[str, Any]]] = [collections, models, tuned]
    for rows in filter(None, tables):
        used = [key for key in rows[0] if any(row[key] not in ("", "all") for row in rows)]
        print_rows([{key: row[key] for key in used} for row in rows])
        emit("")
    limit = (
        ""
        if experiment.limit is None
        else f", a sample of {counted(experiment.limit, 'schema')} each (seed {experiment.seed})"
    )
    kinds = f", with {', '.join(experiment.kinds)}" if experiment.kinds else ""
    kinds += f", names redrawn {counted(experiment.renamed, 'time')}" if experiment.renamed else ""
    emit(f"Readings: {', '.join(experiment.readings)}{kinds}{limit}.")
    passes = sum(len(task.spec.collections) for task in plan.tasks(spread=False)) * len(experiment.readings)
    emit(f"{counted(passes, 'evaluation')}, each with one run per scoring; begun or finished: {started_runs(plan)}.")
    emit(f"Folder: {_shown(plan.output)}")


def _tuned_rows(plan: Plan) -> list[dict[str, object]]:
    """What is fine-tuned: one row per configuration."""
    rows: dict[str, dict[str, object]] = {}
    for tuning in plan.tunings.values():
        spec, record = tuning.asked, tuning.record()
        row = rows.setdefault(
            spec.configuration,
            {
                "fine-tuned": spec.configuration,
                "from": spec.after.rpartition(" ")[0] or tuning.start,
                "on": ", ".join(f"{data.name} ({len(data.items)})" for data in tuning.data),
                "items": str(spec.size or "all"),
                "control": spec.control,
                "weights": "adapter" if spec.lora else "all weights",
                "variants": ", ".join(spec.kinds),
                "set": ", ".join(spec.changes),
                "seeds": "",
                "trained": 0,
            },
        )
        row["seeds"] = ", ".join(filter(None, (str(row["seeds"]), str(spec.seed))))
        row["trained"] = int(str(row["trained"])) + ("ended" in record or "diverged" in record)
    return list(rows.values())


def _print(result: ExperimentResult) -> None:
    from winoglot.experiment.plan import LOCK_FILE
    from winoglot.experiment.running import NOTE, SEEDS_NOTE
    from winoglot.report.tuning import TuningReport

    _print_table(result.table())
    emit(NOTE)
    if isinstance(result.summary, TuningReport):
        emit(SEEDS_NOTE)
    if isinstance(result.comparisons, str):
        emit(f"Nothing was compared: {result.comparisons}")
    elif result.comparisons is not None:
        differ = sum(comparison.is_distinguishable for comparison in result.comparisons.made)
        number = counted(len(result.comparisons.made), "comparison")
        emit(f"{differ} of {number} show a difference (corrected by Holm): {_shown(result.folder / 'comparisons.csv')}")
    if result.differences:
        emit("Differences from the lock file:")
        for difference in result.differences:
            emit(str(difference), indent=2)
    elif result.differences is not None:
        emit("Nothing differs from the lock file: versions, collections, models and results are the same.")
    seeds = ("seeds.csv",) if (result.folder / "seeds.csv").is_file() else ()
    files = {"Report": ("report.html",), "Results": ("results.csv", "results.md", *seeds), "Lock file": (LOCK_FILE,)}
    for what, names in files.items():
        written = [_shown(result.folder / name) for name in names if result.lock or name != LOCK_FILE]
        if written:
            emit(f"{what}: {', '.join(written)}")


def _print_table(rows: list[dict[str, str]]) -> None:
    """One table per collection. What is the same in all rows, and where numbers are from, is said below."""
    from winoglot.runs.results import MEASURED

    settings = [name for name in ("scoring", "readings") if len({row.get(name) for row in rows} - {"", None}) > 1]
    hidden = {"collection", "model", "scoring", "readings", "source"}
    if not any(row.get("abstained", "0") not in ("", "0") for row in rows):
        hidden.add("abstained")
    for collection, rows_of_collection in groupby(rows, key=lambda row: row["collection"]):
        emit(collection, style="bold")
        shown = [
            {
                "solver": ", ".join(filter(None, (row["model"], *(row[name] for name in settings)))),
                **{name: cell for name, cell in row.items() if name not in hidden},
            }
            for row in rows_of_collection
        ]
        used = [name for name in shown[0] if any(row[name] for row in shown)]
        print_rows([{name: row[name] for name in used[:_MOST_COLUMNS]} for row in shown])
        if more := used[_MOST_COLUMNS:]:
            emit(f"{counted(len(more), 'more column')} in results.md: {more[0]} …")
        emit("")
    shared = {name: {row.get(name) for row in rows} - {"", None} for name in ("scoring", "readings")}
    sentences = [f"{name.capitalize()}: {values.pop()}." for name, values in shared.items() if len(values) == 1]
    if sentences:
        emit(" ".join(sentences))
    sources: dict[str, list[str]] = {}
    for row in rows:
        if row["source"] != MEASURED and row["model"] not in sources.setdefault(row["source"], []):
            sources[row["source"]].append(row["model"])
    for source, labels in sources.items():
        emit(f"Published, not measured here: {', '.join(labels)} ({source}).")


def _shown(path: Path) -> str:
    """The path as it is typed from here."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _as_json(result: ExperimentResult) -> dict[str, object]:
    from dataclasses import asdict

    from winoglot.experiment.results import described

    return {
        "folder": str(result.folder),
        "results": [described(row) for row in result.results],
        "differences": result.differences and [asdict(difference) for difference in result.differences],
        "failures": result.failures,
        "signature": result.lock.get("results"),
    }
