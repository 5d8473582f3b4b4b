"""`run`: experiment files, and lock files again."""

from __future__ import annotations

from functools import partial
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot.cli.console import emit, print_json, print_rows, resumable
from winoglot.cli.evaluate import Yes, confirm_requests
from winoglot.cli.options import Device, Json
from winoglot.progress import show_progress
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.experiment.pair_jobs import PairJob
    from winoglot.experiment.plan import Plan
    from winoglot.experiment.running import ExperimentResult
    from winoglot.finetune.seeds import Configuration
    from winoglot.report.logic import LogicReport


_MOST_COLUMNS = 10  # of a table in the terminal


def run(
    file: Annotated[Path, typer.Argument(help="An experiment file (YAML), or the lock file of an earlier run.")],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Folder for everything; by default NAME-results beside the file."),
    ] = None,
    workers: Annotated[int, typer.Option(help="Processes that share this machine and its GPU, one model each.")] = 1,
    cluster: Annotated[
        str | None, typer.Option(help="Spread the jobs over the workers of this Dask scheduler: tcp://HOST:8786.")
    ] = None,
    device: Device = "auto",
    only_runs: Annotated[
        bool, typer.Option("--only-runs", help="Train and evaluate; leave results and report to a later call.")
    ] = False,
    runs: Annotated[
        Path | None, typer.Option(help="Also write answers about pairs to this folder, as runs to compare.")
    ] = None,
    yes: Yes = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Check and print the plan only; contact nobody.")] = False,
    as_json: Json = False,
) -> None:
    """Train, ask, compare and report what an experiment file describes. Repeat the command to continue.

    Given a lock file, it repeats the experiment and lists what differs; exit code 1 if a collection, model or choice
    does.

    Example: winoglot run experiment.yaml
    """
    from winoglot.experiment.locking import differences_so_far
    from winoglot.experiment.running import plan_experiment, run_experiment, save_pair_runs

    wanted = None if device == "auto" else device
    if dry_run:
        plan, before = plan_experiment(file, output, device=wanted, contact=False)
        _print_plan(plan, as_json=as_json)
        for difference in () if before is None else differences_so_far(before, plan):
            emit(str(difference))
        return
    with resumable(), show_progress("items") as begin:
        result = run_experiment(
            file,
            output,
            workers=workers,
            cluster=cluster,
            device=wanted,
            only_runs=only_runs,
            begin=begin,
            before_sending=partial(confirm_requests, yes=yes),
        )
    if runs is not None:
        save_pair_runs(result, runs)
    if as_json:
        print_json(_as_json(result), indent=1)
    elif only_runs:
        emit(f"Runs: {_shown(result.folder / 'runs')}. For results, repeat the command without --only-runs.")
    else:
        _print(result)
    for failed in (seed for configuration in _configurations(result) for seed in configuration.seeds if seed.missing):
        typer.echo(f"{failed.name}: {failed.missing}", err=True)
    for failure in result.failures:
        typer.echo(f"Error: {failure}", err=True)
    if result.failures:
        raise typer.Exit(2 if result.runs else 1)
    if any(difference.matters for difference in result.differences or ()):
        raise typer.Exit(1)


def _configurations(result: ExperimentResult) -> tuple[Configuration, ...]:
    """The models that were asked about pairs."""
    return result.pairs.configurations if result.pairs else ()


def _print_plan(plan: Plan, *, as_json: bool) -> None:
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
    jobs = [_pair_row(job) for job in plan.pair_jobs]
    if as_json:
        names = ("readings", "fallback", "kinds", "renamed", "limit", "seed")
        settings = {name: getattr(experiment, name) for name in names}
        about_collections = {"collections": collections, "models": models, "tuned": tuned, **settings}
        about_pairs = {"jobs": jobs} if jobs else {}
        print_json((about_collections if collections else {}) | about_pairs | {"folder": str(plan.output)}, indent=1)
        return
    tables: list[list[dict[str, Any]]] = [collections, models, tuned, jobs]
    for rows in filter(None, tables):
        used = [key for key in rows[0] if any(row[key] not in ("", "all") for row in rows)]
        print_rows([{key: row[key] for key in used} for row in rows])
        emit("")
    if collections:
        _print_settings(plan)
    done = f"{counted(len(jobs), 'job')}, {sum(row['done'] == 'yes' for row in jobs)} done. " if jobs else ""
    emit(f"{done}Folder: {_shown(plan.output)}")


def _print_settings(plan: Plan) -> None:
    """How collections are asked, and how often."""
    from winoglot.experiment.plan import started_runs

    experiment = plan.experiment
    limit = (
        ""
        if experiment.limit is None
        else f", a sample of {counted(experiment.limit, 'schema')} each (seed {experiment.seed})"
    )
    kinds = f", with {', '.join(experiment.kinds)} variants" if experiment.kinds else ""
    kinds += f", names redrawn {counted(experiment.renamed, 'time')}" if experiment.renamed else ""
    emit(f"Readings: {', '.join(experiment.readings)}{kinds}{limit}.")
    passes = sum(len(job.collections) for job in plan.collection_jobs(spread=False)) * len(experiment.readings)
    emit(f"{counted(passes, 'evaluation')}, each with one run per scoring; begun or finished: {started_runs(plan)}.")


def _pair_row(job: PairJob) -> dict[str, str]:
    """A job about pairs, as a plan lists it."""
    model = job.model
    return {
        "job": job.name,
        "model": model.model,
        "trained on": model.group,
        "size": str(model.training.choice.size or "all") if model.training else "",
        "tasks": ", ".join(model.test.tasks),
        "languages": ", ".join(model.test.languages),
        "options": ", ".join(f"{name}={value}" for name, value in model.options.items()),
        "done": "yes" if job.has_answered(job.record()) else "",
    }


def _tuned_rows(plan: Plan) -> list[dict[str, object]]:
    """What is fine-tuned: one row per configuration."""
    rows: dict[str, dict[str, object]] = {}
    for tuning in plan.tunings.values():
        spec, record = tuning.tuning, tuning.record()
        row = rows.setdefault(
            spec.configuration,
            {
                "fine-tuned": spec.configuration,
                "from": spec.after.rpartition(" ")[0] or tuning.address,
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
    from winoglot.experiment.running import FILES, NOTE, PAIR_FILES, SEEDS_NOTE
    from winoglot.report.tuning import TuningReport

    if result.runs:
        _print_table(result.table())
        emit(NOTE)
    if result.pairs:
        _print_pairs(result.pairs)
        emit(f"{result.jobs - len(result.failures)} of {counted(result.jobs, 'job')} done.")
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
    page, *tables = FILES
    files = {"Report": (page,), "Results": (*sorted(tables), *seeds), "Lock file": (LOCK_FILE,)}
    files |= {"Pairs": PAIR_FILES} if result.pairs and result.runs else {}
    for what, names in files.items():
        written = [_shown(result.folder / name) for name in names if result.lock or name != LOCK_FILE]
        if written:
            emit(f"{what}: {', '.join(written)}")


def _print_pairs(report: LogicReport) -> None:
    """Accuracy by task, one table per language."""
    from winoglot.report.logic import task_tables

    for table in task_tables(report):
        if table.name.startswith("accuracy-"):
            emit(table.caption, style="bold")
            print_rows([dict(zip(table.headings, row, strict=True)) for row in table.texts()])


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
        **({"jobs": result.jobs, "done": result.jobs - len(result.failures)} if result.pairs else {}),
    }
