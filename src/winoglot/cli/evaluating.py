"""`evaluate`: how well models resolve schemas."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot.cli.collections import Language

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.models.base import Options
    from winoglot.runs.run import Run
    from winoglot.statistics.intervals import Estimate

_SHOWN = 5  # items that a warning names


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(evaluate)


def evaluate(
    sources: Annotated[list[str], typer.Argument(help="Bundled names, paths, or format:path.")],
    models: Annotated[list[str], typer.Option("--model", help="family:location, or a family alone; repeat for more.")],
    language: Language = None,
    scoring: Annotated[
        str | None, typer.Option("--scoring", help="With commas: partial,full. The model's own first unless given.")
    ] = None,
    readings: Annotated[
        str, typer.Option("--readings", help="naive or grammatical; with a comma both.")
    ] = "grammatical",
    kinds: Annotated[str, typer.Option("--kinds", help="Variants to ask too, with commas: switched.")] = "",
    limit: Annotated[int | None, typer.Option("--limit", help="So many schemas of each collection, drawn.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of drawing and of models that guess.")] = 0,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The folder for the runs; one that is under way goes on.")
    ] = None,
    precision: Annotated[str, typer.Option("--precision", help="float32, bfloat16 or int8.")] = "float32",
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
    batch_tokens: Annotated[int, typer.Option("--batch-tokens", help="Tokens at once; 0: as it fits.")] = 0,
    more: Annotated[
        list[str] | None, typer.Option("--option", help="A setting of a model's family, name=value; repeat for more.")
    ] = None,
    interval: Annotated[
        str, typer.Option("--interval", help="bootstrap over schemas, or wilson (items taken as independent).")
    ] = "bootstrap",
    as_json: Annotated[bool, typer.Option("--json", help="Print the runs as JSON.")] = False,
) -> None:
    """Ask models to resolve schemas, and say how well they do, with intervals.

    Example: winoglot evaluate winoglot-pt --model first --model chance
    """
    from winoglot.loading import load_several
    from winoglot.metrics._counting import check_interval
    from winoglot.runs.evaluate import Request
    from winoglot.runs.many import evaluate_many

    check_interval(interval)
    options = _options(precision, device, batch_tokens, seed, more or [])
    styles = _parts(readings, "--readings")
    scorings = tuple(_parts(scoring, "--scoring")) if scoring is not None else ()
    request = Request(scorings, styles[0], tuple(_parts(kinds)), limit, seed, options=options.more)
    with progress_bar() as begin:
        collections = load_several(sources, language)
        made = evaluate_many(collections, models, styles, request, options, output=output, begin=begin)
    for run in made.runs:
        _warn_of_no_numbers(run)
    if made.runs:
        _print(made.runs, interval, as_json=as_json)
    for name, error in made.failures:
        typer.echo(f"Error: {name}: {error}", err=True)
    if made.bug:
        raise made.bug
    if made.failures:
        raise typer.Exit(2)


def _print(runs: Sequence[Run], interval: str, *, as_json: bool) -> None:
    if as_json:
        from dataclasses import asdict

        from winoglot.runs.spread import prompt_spreads

        spreads = [spread and asdict(spread) for spread in prompt_spreads(runs)]
        rows = [described(run, interval) | {"prompts": one} for run, one in zip(runs, spreads, strict=True)]
        typer.echo(json.dumps(rows, ensure_ascii=False, indent=1))
        return
    from winoglot.cli.run_table import print_runs

    print_runs(runs, interval)


def _warn_of_no_numbers(run: Run) -> None:
    """Say on standard error which items a model failed on, since in the figures they look like abstentions."""
    from winoglot.schemas.text import counted

    found = run.not_numbers()
    if found:
        shown = ", ".join(found[:_SHOWN]) + (f" and {len(found) - _SHOWN} more" if len(found) > _SHOWN else "")
        settings = run.settings
        typer.echo(
            f"Warning: {settings.model} on {run.collection.name} ({settings.scoring}, {settings.readings}): "
            f"no numbers as scores of {len(found)} of {counted(len(run.predictions), 'item')}: {shown}. "
            "They count as abstentions. Check the model's weights, or try --precision float32.",
            err=True,
        )


def _options(precision: str, device: str, batch_tokens: int, seed: int, more: list[str]) -> Options:
    from winoglot.errors import InputError
    from winoglot.models.base import Options

    given = dict(part.partition("=")[::2] for part in more)
    for part in more:
        if "=" not in part:
            raise InputError(f"the option {part!r} has no value", remedy="Write --option name=value.")
    return Options(precision, device, batch_tokens, seed, given)


@contextmanager
def progress_bar() -> Iterator[Callable[[str], Callable[[int, int], None]]]:
    """On a terminal, a bar a pass, with rate and time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, Task, TextColumn, TimeRemainingColumn
    from rich.text import Text

    from winoglot.cli.pretty import make_console

    class Rate(TextColumn):
        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:.1f} items/s" if task.speed else "")

    console = make_console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Rate(""), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:

        def begin(name: str) -> Callable[[int, int], None]:
            task = bar.add_task(name, total=None)
            return lambda done, total: bar.update(task, completed=done, total=total)

        yield begin


def _parts(given: str, option: str = "") -> list[str]:
    """What stands between commas; an option that must name something is an input error where it does not."""
    from winoglot.errors import InputError

    parts = [part.strip() for part in given.split(",") if part.strip()]
    if option and not parts:
        raise InputError(f"{option} names nothing", remedy=f"Write {option} with a name, or leave it out.")
    return parts


def described(run: Run, interval: str = "bootstrap") -> dict[str, Any]:
    """The run as other programs read it."""
    from dataclasses import asdict

    outcomes = run.outcomes()
    return {
        "collection": run.collection.name,
        "language": run.collection.language,
        "model": run.settings.model,
        "scoring": run.settings.scoring,
        "readings": run.settings.readings,
        "signature": run.signature,
        "seconds": round(run.seconds, 3),
        "items_per_second": round(run.scored / run.seconds, 3) if run.seconds else None,
        "accuracy": asdict(run.accuracy(interval=interval)),
        "quality": _or_null(run.quality(interval=interval)),
        "success": _or_null(run.success()),
        "pair_accuracy": _or_null(run.pair_accuracy(interval=interval)),
        "consistency": _or_null(run.consistency(interval=interval)),
        "kinds": _kinds(run, interval),
        "abstained": sum(outcome.choice is None for outcome in outcomes),
        "notes": run.notes(),
        "spent": run.spent or None,
        "fallback": sum(outcome.fallback for outcome in outcomes),
        "undefined_window": sum(outcome.window == "empty" for outcome in outcomes),
        "punctuation_window": sum(outcome.window == "punctuation" for outcome in outcomes),
        "unknown_tokens": run.unknown_tokens(),
        "skipped_characters": sum(run.skipped().values()),
        "skipped_items": len(run.skipped()),
    }


def _kinds(run: Run, interval: str) -> dict[str, dict[str, Any]]:
    from winoglot.runs.by_kind import by_kind

    return {
        one.kind: {
            "accuracy": _or_null(one.accuracy),
            "position_preference": _or_null(one.position_preference),
            "abstained": one.abstained,
        }
        for one in by_kind(run, interval=interval)
    }


def _or_null(estimate: Estimate | None) -> dict[str, Any] | None:
    from dataclasses import asdict

    return asdict(estimate) if estimate is not None and estimate.value is not None else None
