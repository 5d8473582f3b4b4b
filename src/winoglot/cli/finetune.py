"""`finetune`: teach a model schemas."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

from winoglot.cli import completion
from winoglot.cli.completion import one_of, plugins, several_of, words
from winoglot.cli.evaluate import AllowOverlap
from winoglot.cli.options import Device, Force, Json, Language, split
from winoglot.cli.train import (
    CheckpointMinutes,
    MaxMinutes,
    Resume,
    TrainingPrecision,
    check_start,
    is_reported,
    training_bar,
)
from winoglot.errors import InputError
from winoglot.statistics.formatting import percent


def finetune(
    model: Annotated[
        str,
        typer.Argument(
            help="causal:…, masked:… or choice:…, or another name of such a model.",
            metavar="MODEL",
            autocompletion=completion.models,
        ),
    ],
    data: Annotated[
        list[str] | None,
        typer.Option(
            "--data", help="Collection to learn from; may be repeated.", autocompletion=completion.collections
        ),
    ] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder for the model.")] = None,
    evaluate: Annotated[
        list[str] | None,
        typer.Option(
            "--evaluate",
            help="Collection for the result to answer; may be repeated.",
            autocompletion=completion.collections,
        ),
    ] = None,
    allow_overlap: AllowOverlap = False,
    language: Language = None,
    lora: Annotated[bool, typer.Option("--lora", help="Train a small adapter; the other weights stay.")] = False,
    kinds: Annotated[
        list[str] | None,
        typer.Option(
            help="Learn from these variants too: switched.", autocompletion=several_of(plugins("perturbations"))
        ),
    ] = None,
    size: Annotated[
        int | None, typer.Option(help="Learn from at most N items (160, 640, 2558, 10234 …), drawn by schema.")
    ] = None,
    control: Annotated[
        str | None,
        typer.Option(
            help="shuffled-labels (random answers) or no-contrast (right readings only).",
            autocompletion=one_of(words("shuffled-labels", "no-contrast")),
        ),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed for the draw, the held-out part, the order and dropout.")] = 0,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the recipe: rate=1e-5; may be repeated.")
    ] = None,
    max_minutes: MaxMinutes = math.inf,
    resume: Resume = False,
    precision: TrainingPrecision = "auto",
    device: Device = "auto",
    checkpoint_minutes: CheckpointMinutes = 10.0,
    log_every: Annotated[int, typer.Option(help="Number of steps between lines of the log.")] = 10,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Teach a model the schemas of collections. --resume continues an interrupted fine-tuning.

    Example: winoglot finetune gemma-3-270m --data train_l.jsonl --lora --evaluate winoglot-pt -o models/tuned
    """
    from winoglot.finetune import finetune as teach
    from winoglot.loading import load_several

    if not data:
        raise InputError("there is nothing to learn from", remedy="Name a collection: --data COLLECTION.")
    if output is None:
        raise InputError("no folder for the model was given", remedy="Name one: -o MODEL.")
    check_start(resume=resume, force=force)
    learnt, tested = load_several(data, language), load_several(evaluate or [])
    with training_bar("finetune", _shown) as progress:
        tuned = teach(
            model,
            learnt,
            output,
            evaluate=tested,
            allow_overlap=allow_overlap,
            lora=lora,
            kinds=split(*kinds or ()),
            size=size,
            control=control,
            seed=seed,
            settings=changes or (),
            precision=precision,
            device=device,
            max_minutes=max_minutes,
            checkpoint_minutes=checkpoint_minutes,
            log_every=log_every,
            resume=resume,
            force=force,
            progress=progress,
            note=lambda text: typer.echo(text, err=True),
        )
    if is_reported(tuned.why, tuned.steps, tuned.config, as_json=as_json):
        return
    why = {"epochs": "all epochs done", "patience": "no better on held-out schemas", "minutes": "time limit reached"}
    config = tuned.config
    about = config["data"]
    typer.echo(
        f"{config['parameters']} parameters trained, {config['steps']} steps on {about['items']} items: "
        f"{why[tuned.why]}"
    )
    where = f"{about['held_out']} held-out items" if about["held_out"] else "the items learnt from"
    accuracy = "unknown" if tuned.accuracy is None else f"{percent(tuned.accuracy)}%"
    typer.echo(f"accuracy {accuracy} on {where}, at step {config['best_step']}; model: {tuned.address}")
    if tuned.runs:
        from winoglot.cli.run_table import print_runs

        print_runs(list(tuned.runs), "bootstrap")


def _shown(loss: float, accuracy: float | None) -> str:
    return f"loss {loss:.3f}" + (f", held-out accuracy {percent(accuracy)}%" if accuracy is not None else "")
