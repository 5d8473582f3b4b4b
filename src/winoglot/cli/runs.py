"""`runs`: runs on disk, and predictions made elsewhere that become one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Json, Language

if TYPE_CHECKING:
    from winoglot.formats.base import Remark
    from winoglot.runs.importing import Imported
    from winoglot.runs.run import Run

_MOST_SHOWN = 10  # of the ids and lines that did not fit
_runs = typer.Typer(no_args_is_help=True, help="Look at runs, and import predictions that were made elsewhere.")


def register(app: typer.Typer) -> None:
    """Add the group of commands."""
    app.add_typer(_runs, name="runs")


@_runs.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A CSV table, or a sample log of lm-evaluation-harness.")],
    source: Annotated[str, typer.Option("--collection", help="What was answered: bundled name, path, or format:path.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The folder of the run.")],
    model: Annotated[
        str | None, typer.Option("--model", help="What made the predictions; the file says it unless given.")
    ] = None,
    format_name: Annotated[
        str | None, typer.Option("--format", help="csv or lm-eval; recognised by content unless given.")
    ] = None,
    language: Language = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a run that is there.")] = False,
    as_json: Json = False,
) -> None:
    """Turn predictions made elsewhere into a run, which `report` and `compare` take like any other.

    A table has the columns item_id and choice, or item_id, score_0, score_1 and so on.

    Example: winoglot runs import mine.csv --collection winoglot-pt --model mine -o runs/mine
    """
    from winoglot.loading import load
    from winoglot.runs.importing import import_predictions
    from winoglot.runs.store import save_run
    from winoglot.schemas.text import counted

    imported = import_predictions(file, load(source, language=language), model, format_name)
    save_run(imported.run, output, force=force)
    if as_json:
        typer.echo(json.dumps(_described(imported), ensure_ascii=False))
        return
    run = imported.run
    typer.echo(
        f"{run.settings.model} on {run.collection.name}: {counted(len(run.predictions), 'prediction')}, "
        f"accuracy {run.accuracy():.1%}; written to {output}"
    )
    _print_remarks("Unknown to the collection", imported.unknown)
    _print_remarks("Repeated, so that only the first counts", imported.repeated)
    if imported.missing:
        typer.echo(f"Items without an answer: {len(imported.missing)}: {_shown(imported.missing)}")


@_runs.command("list")
def list_(
    folder: Annotated[Path, typer.Argument(help="A run, or a folder of runs.")],
    as_json: Json = False,
) -> None:
    """List the runs in a folder, as far as each has got.

    Example: winoglot runs list runs
    """
    from winoglot.errors import InputError
    from winoglot.runs.store import find_runs, load_run

    rows, broken = [], []
    for path in find_runs(folder):
        try:
            rows.append(_row(path, load_run(path)))
        except InputError as error:
            broken.append(f"{path.name}: {error}")
    if as_json:
        typer.echo(json.dumps(rows, ensure_ascii=False))
    elif rows:
        from winoglot.cli.pretty import print_rows

        print_rows([{key: value for key, value in row.items() if key != "signature"} for row in rows])
    for line in broken:
        typer.echo(line, err=True)
    if broken:
        raise typer.Exit(1)


def _row(path: Path, run: Run) -> dict[str, object]:
    items = len(run.collection.items) + sum(len(run.collection.variants(kind)) for kind in run.settings.kinds)
    accuracy = run.accuracy().value
    return {
        "run": path.name,
        "collection": run.collection.name,
        "model": run.settings.model,
        "scoring": run.settings.scoring,
        "readings": run.settings.readings,
        "kinds": ", ".join(run.settings.kinds),
        "answered": len(run.predictions),
        "items": items,
        "accuracy": None if accuracy is None else round(accuracy, 4),
        "signature": run.signature,
    }


def _described(imported: Imported) -> dict[str, object]:
    from dataclasses import asdict

    run = imported.run
    return {
        "model": run.settings.model,
        "collection": run.collection.name,
        "signature": run.signature,
        "predictions": len(run.predictions),
        "accuracy": asdict(run.accuracy()),
        "unknown": [asdict(remark) for remark in imported.unknown],
        "repeated": [asdict(remark) for remark in imported.repeated],
        "missing": imported.missing,
    }


def _print_remarks(title: str, remarks: list[Remark]) -> None:
    if remarks:
        typer.echo(f"{title}: {len(remarks)}")
    for remark in remarks[:_MOST_SHOWN]:
        typer.echo(f"  line {remark.line}: {remark.what}: {remark.why}")
    if len(remarks) > _MOST_SHOWN:
        typer.echo("  …")


def _shown(names: list[str]) -> str:
    return ", ".join(names[:_MOST_SHOWN]) + (", …" if len(names) > _MOST_SHOWN else "")
