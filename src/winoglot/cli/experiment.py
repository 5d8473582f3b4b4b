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
        for one in () if before is None else differences_so_far(before, plan):
            emit(str(one))
        return
    with resumable(), show_progress("items") as begin:
        made = run_experiment(file, output, workers=workers, cluster=cluster, only_runs=only_runs, begin=begin)
    if as_json:
        print_json(_as_json(made), indent=1)
    elif only_runs:
        emit(f"Runs: {_shown(made.folder / 'runs')}. For results, repeat the command without --only-runs.")
    else:
        _print(made)
    for failure in made.failures:
        typer.echo(f"Error: {failure}", err=True)
    if made.failures:
        raise typer.Exit(2)
    if any(one.matters for one in made.differences or ()):
        raise typer.Exit(1)


def _print_plan(plan: Plan, *, as_json: bool) -> None:
    from winoglot.experiment.plan import started_runs

    asked = plan.experiment
    collections = [
        {
            "collection": one.name,
            "language": one.language,
            "schemas": len(one.schemas),
            "items": len(one.items),
            "variants": ", ".join(plan.kinds[one.name]) if plan.kinds[one.name] != asked.kinds else "",
        }
        for one in plan.collections
    ]
    models = [
        {
            "model": one.name.name,
            "address": one.name.address,
            "collections": ", ".join(one.collections) or "all",
            "scorings": ", ".join(one.scorings) or "its default",
            "precision": one.options.precision,
            "device": one.options.device,
            "options": ", ".join(f"{name}={value}" for name, value in one.options.more.items()),
        }
        for one in plan.models
        if not one.tuning
    ]
    tuned = _tuned_rows(plan)
    if as_json:
        names = ("readings", "kinds", "renamed", "limit", "seed")
        settings = {name: getattr(asked, name) for name in names}
        whole = {"collections": collections, "models": models, "tuned": tuned, **settings, "folder": str(plan.output)}
        print_json(whole, indent=1)
        return
    tables: list[list[dict[str, Any]]] = [collections, models, tuned]
    for rows in filter(None, tables):
        used = [key for key in rows[0] if any(row[key] not in ("", "all") for row in rows)]
        print_rows([{key: row[key] for key in used} for row in rows])
        emit("")
    limit = "" if asked.limit is None else f", a sample of {counted(asked.limit, 'schema')} each (seed {asked.seed})"
    kinds = f", with {', '.join(asked.kinds)}" if asked.kinds else ""
    kinds += f", names redrawn {counted(asked.renamed, 'time')}" if asked.renamed else ""
    emit(f"Readings: {', '.join(asked.readings)}{kinds}{limit}.")
    passes = sum(len(task.spec.collections) for task in plan.tasks(spread=False)) * len(asked.readings)
    emit(f"{counted(passes, 'evaluation')}, each with one run per scoring; begun or finished: {started_runs(plan)}.")
    emit(f"Folder: {_shown(plan.output)}")


def _tuned_rows(plan: Plan) -> list[dict[str, object]]:
    """What is fine-tuned: one row per configuration."""
    made: dict[str, dict[str, object]] = {}
    for one in plan.tunings.values():
        asked, known = one.asked, one.record()
        row = made.setdefault(
            asked.configuration,
            {
                "fine-tuned": asked.configuration,
                "from": asked.after.rpartition(" ")[0] or one.start,
                "on": ", ".join(f"{data.name} ({len(data.items)})" for data in one.data),
                "items": str(asked.size or "all"),
                "control": asked.control,
                "weights": "adapter" if asked.lora else "all weights",
                "variants": ", ".join(asked.kinds),
                "set": ", ".join(asked.changes),
                "seeds": "",
                "trained": 0,
            },
        )
        row["seeds"] = ", ".join(filter(None, (str(row["seeds"]), str(asked.seed))))
        row["trained"] = int(str(row["trained"])) + ("ended" in known or "diverged" in known)
    return list(made.values())


def _print(made: ExperimentResult) -> None:
    from winoglot.experiment.plan import LOCK_FILE
    from winoglot.experiment.running import NOTE, SEEDS_NOTE
    from winoglot.report.tuning import TuningReport

    _print_table(made.table())
    emit(NOTE)
    if isinstance(made.summary, TuningReport):
        emit(SEEDS_NOTE)
    if isinstance(made.comparisons, str):
        emit(f"Nothing was compared: {made.comparisons}")
    elif made.comparisons is not None:
        differ = sum(one.is_distinguishable for one in made.comparisons.made)
        number = counted(len(made.comparisons.made), "comparison")
        emit(f"{differ} of {number} show a difference (corrected by Holm): {_shown(made.folder / 'comparisons.csv')}")
    if made.differences:
        emit("Differences from the lock file:")
        for one in made.differences:
            emit(str(one), indent=2)
    elif made.differences is not None:
        emit("Nothing differs from the lock file: versions, collections, models and results are the same.")
    seeds = ("seeds.csv",) if (made.folder / "seeds.csv").is_file() else ()
    files = {"Report": ("report.html",), "Results": ("results.csv", "results.md", *seeds), "Lock file": (LOCK_FILE,)}
    for what, names in files.items():
        found = [_shown(made.folder / name) for name in names if made.lock or name != LOCK_FILE]
        if found:
            emit(f"{what}: {', '.join(found)}")


def _print_table(rows: list[dict[str, str]]) -> None:
    """One table per collection. What is the same in all rows, and where numbers are from, is said below."""
    from winoglot.runs.results import MEASURED

    settings = [name for name in ("scoring", "readings") if len({row.get(name) for row in rows} - {"", None}) > 1]
    hidden = {"collection", "model", "scoring", "readings", "source"}
    if not any(row.get("abstained", "0") not in ("", "0") for row in rows):
        hidden.add("abstained")
    for collection, own in groupby(rows, key=lambda row: row["collection"]):
        emit(collection, style="bold")
        shown = [
            {
                "solver": ", ".join(filter(None, (row["model"], *(row[name] for name in settings)))),
                **{name: cell for name, cell in row.items() if name not in hidden},
            }
            for row in own
        ]
        used = [name for name in shown[0] if any(row[name] for row in shown)]
        print_rows([{name: row[name] for name in used[:_MOST_COLUMNS]} for row in shown])
        if more := used[_MOST_COLUMNS:]:
            emit(f"{counted(len(more), 'more column')} in results.md: {more[0]} …")
        emit("")
    shared = {name: {row.get(name) for row in rows} - {"", None} for name in ("scoring", "readings")}
    said = [f"{name.capitalize()}: {found.pop()}." for name, found in shared.items() if len(found) == 1]
    if said:
        emit(" ".join(said))
    sources: dict[str, list[str]] = {}
    for row in rows:
        if row["source"] != MEASURED and row["model"] not in sources.setdefault(row["source"], []):
            sources[row["source"]].append(row["model"])
    for source, labels in sources.items():
        emit(f"Published, not measured here: {', '.join(labels)} ({source}).")


def _shown(path: Path) -> str:
    """The path as it is typed from here."""
    return str(path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path)


def _as_json(made: ExperimentResult) -> dict[str, object]:
    from dataclasses import asdict

    from winoglot.experiment.results import described

    return {
        "folder": str(made.folder),
        "results": [described(result) for result in made.results],
        "differences": made.differences and [asdict(difference) for difference in made.differences],
        "failures": made.failures,
        "signature": made.lock.get("results"),
    }
