"""`evaluate`: how well models resolve schemas."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot.cli import completion
from winoglot.cli.completion import one_of, words
from winoglot.cli.console import emit, first_few, print_error, print_json, resumable
from winoglot.cli.options import Device, Json, Language, Sources, run_options, run_settings
from winoglot.errors import InputError
from winoglot.progress import show_progress
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.models.base import Options
    from winoglot.runs.run import Run
    from winoglot.runs.session import Session

_MOST_UNASKED = 1000  # requests to a server that are sent without a question where nobody can answer it
_MOST_NAMED = 5  # items in a warning

# What `analyse`, which evaluates too, asks in the same way.
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help="Required: family:location, a family (winoglot list models), NAME=family:location; may be repeated.",
        autocompletion=completion.models,
    ),
]
Precision = Annotated[
    str,
    typer.Option(help="float32, bfloat16 or int8.", autocompletion=one_of(words("float32", "bfloat16", "int8"))),
]
BatchTokens = Annotated[int, typer.Option(help="Tokens per batch; 0: as memory allows.")]
MoreOptions = Annotated[
    list[str] | None, typer.Option("--option", help="Setting of the model's family, name=value; may be repeated.")
]


AllowOverlap = Annotated[
    bool,
    typer.Option("--allow-overlap", help="Evaluate a model on what it was trained on, too; the report will say so."),
]


Prompts = Annotated[
    int | None,
    typer.Option(min=1, help="Print the first N texts that each model would be shown, without asking any."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Send a server's requests without asking first.")]


@run_options()
def evaluate(
    sources: Sources,
    models: Models = None,
    language: Language = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Folder for the runs; unfinished runs there are resumed.")
    ] = None,
    precision: Precision = "float32",
    device: Device = "auto",
    batch_tokens: BatchTokens = 0,
    more: MoreOptions = None,
    interval: Annotated[
        str,
        typer.Option(
            help="bootstrap (over schemas) or wilson (treats items as independent).",
            autocompletion=one_of(words("bootstrap", "wilson")),
        ),
    ] = "bootstrap",
    by: Annotated[
        str | None,
        typer.Option(
            help="subset: also show the accuracy on each subset (associative, switchable, …) and tag.",
            autocompletion=one_of(words("subset")),
        ),
    ] = None,
    prompts: Prompts = None,
    yes: Yes = False,
    as_json: Json = False,
    **settings: Any,
) -> None:
    """Ask models to resolve schemas, and print their accuracy with confidence intervals.

    Example: winoglot evaluate winoglot-pt --model first --model chance
    """
    from winoglot import registry
    from winoglot.cli.run_table import print_runs, print_subsets, runs_as_json
    from winoglot.loading import load_several
    from winoglot.metrics.base import check_interval
    from winoglot.runs.session import Session, places_in
    from winoglot.runs.spec import ModelSpec, RunSpec

    if not models:
        meant = [name for name in sources if name.partition(":")[0] in registry.names("models")]
        remedy = "Add one, such as --model first or --model gemma-3-270m; winoglot list models lists them all."
        remedy = f"Write --model {meant[0]}." if meant else remedy
        raise InputError("no model is named", remedy=remedy)
    check_interval(interval)
    if by not in (None, "subset"):
        raise InputError(f"results cannot be broken down by {by!r}", remedy="Write --by subset.")
    asked = run_settings(settings)
    options = model_options(precision, device, batch_tokens, asked["seed"], more or [])
    kept = "Repeat the command to continue where it stopped." if output else "With -o DIR, runs are kept and continued."
    with resumable(kept), show_progress("items") as begin:
        collections = load_several(sources, language)
        spec = RunSpec.checked(
            collections=tuple(c for place, c in enumerate(collections) if c not in collections[:place]),
            models=tuple(ModelSpec.of(model, options) for model in dict.fromkeys(models)),
            **asked,
        )
        session = Session(spec, places_in(output), partial(confirm_requests, yes=yes))
        if prompts is not None:
            print_prompts(session, prompts)
            return
        made = session.results(begin)
    for run in made.runs:
        _warn_of_nan(run)
    if made.runs and as_json:
        print_json(runs_as_json(made.runs, interval), indent=1)
    elif made.runs:
        print_runs(made.runs, interval)
        if by is not None:
            print_subsets(made.runs)
        _print_next(output, several=len(made.runs) > 1)
    for failure in made.failures:
        print_error(failure.error, f"{failure.name}: ")
    if made.bug:
        raise made.bug
    if made.failures:
        raise typer.Exit(2)


def confirm_requests(model: str, requests: int, *, yes: bool, away: str = "") -> None:
    """Say how many requests a server gets; on a terminal ask, elsewhere refuse many, unless `--yes` was given.

    `away` says what leaves this machine with them: then none is sent without a confirmation.
    """
    what = f"{model} gets {counted(requests, 'request')}" + (f", and {away} leave this machine" if away else "")
    if yes or requests == 0:
        typer.echo(f"{what}.", err=True)
    elif sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty():
        if not typer.confirm(f"{what}. Send them?", default=True, err=True):
            raise InputError("nothing was sent", remedy="Sample schemas with --limit N; --prompts 1 shows a prompt.")
    elif away:
        raise InputError(f"{what}: please confirm this", remedy="Add --yes.")
    elif requests > _MOST_UNASKED:
        message = f"{what}, more than the {_MOST_UNASKED:,} that are sent without asking you"
        raise InputError(message, remedy="Add --yes, or take a sample: --limit N, in an experiment file limit: N.")
    else:
        typer.echo(f"{what}.", err=True)


def print_prompts(session: Session, most: int) -> None:
    """The first texts that each model would be shown."""
    for name, texts in session.prompts(most):
        emit(name, style="bold")
        for text in texts:
            emit(text, indent=2)
            emit("")


def _print_next(output: Path | None, *, several: bool) -> None:
    """What to type next, to be pasted."""
    if output is None:
        emit("\nNext: repeat the command with -o runs to keep the answers, then winoglot report runs -o report.html")
        return
    runs = quote(str(output))
    emit(f"\nNext: winoglot report {runs} -o report.html")
    if several:
        emit(f"      winoglot compare {runs}")


def model_options(precision: str, device: str, batch_tokens: int, seed: int, more: list[str]) -> Options:
    """The options of models, from those of a command."""
    from winoglot.models.base import Options

    for part in more:
        if "=" not in part:
            raise InputError(f"the option {part!r} has no value", remedy="Write --option name=value.")
    return Options(precision, device, batch_tokens, seed, dict(part.partition("=")[::2] for part in more))


def _warn_of_nan(run: Run) -> None:
    """Name the items for which a model's scores are not numbers; in the table they look like abstentions."""
    items = run.not_numbers()
    if items:
        settings = run.settings
        typer.echo(
            f"Warning: {settings.model} on {run.source.name} ({settings.scoring}, {settings.readings}): "
            f"the scores of {len(items)} of {counted(len(run.predictions), 'item')} are not numbers: "
            f"{first_few(items, _MOST_NAMED)}. "
            "They count as abstentions. Check the model's weights, or try --precision float32.",
            err=True,
        )
