"""`logic train`, `logic evaluate`, `logic search` and `logic run`: models for pairs."""

from __future__ import annotations

import math
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from winoglot.cli import completion
from winoglot.cli.completion import one_of, words
from winoglot.cli.console import emit, print_json, print_rows, resumable
from winoglot.cli.corpus import Cluster, WorkerCount
from winoglot.cli.evaluate import Prompts, Yes, confirm_requests, model_options, print_prompts
from winoglot.cli.experiment import run
from winoglot.cli.logic import AsLabels, group, is_cd
from winoglot.cli.options import Device, Force, Json, split
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
from winoglot.progress import show_progress
from winoglot.statistics.formatting import percent

__all__ = ["evaluate", "group", "run", "search", "train"]
_FAMILIES = words("bag", "rnn", "gru", "lstm", "birnn", "bigru", "bilstm", "transformer")
_CONTROLS = words("shuffled-labels", "premise-only", "hypothesis-only")
Data = Annotated[Path, typer.Option("--data", help="Folder of a data set, or a file of pairs.", metavar="PATH")]
Tasks = Annotated[list[str] | None, typer.Option("--task", help="Only this task of the folder; may be repeated.")]
Languages = Annotated[
    list[str] | None, typer.Option("--language", help="Only this language of the folder; may be repeated.")
]
Depths = Annotated[str, typer.Option("--depth", help="Only pairs of these depths: 2, 1-2 or 1,3.")]
Validation = Annotated[Path | None, typer.Option(help="File of validation pairs, if --data is a file.")]
Size = Annotated[int | None, typer.Option(help="Sample N training pairs per task and language, twins together.")]
Balanced = Annotated[bool, typer.Option("--balanced", help="Sample as many pairs of each label as of every other.")]


@group.command()
def train(
    model: Annotated[
        str,
        typer.Argument(
            help="bag, rnn, gru, lstm, birnn, bigru, bilstm, transformer; or to fine-tune: causal:…, masked:…, nli:….",
            metavar="MODEL",
            autocompletion=one_of(_FAMILIES),
        ),
    ],
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the model.")],
    validation: Validation = None,
    tasks: Tasks = None,
    languages: Languages = None,
    depths: Depths = "",
    size: Size = None,
    balanced: Balanced = False,
    as_labels: AsLabels = None,
    control: Annotated[
        str | None,
        typer.Option(
            help="shuffled-labels, premise-only or hypothesis-only.",
            autocompletion=one_of(_CONTROLS),
        ),
    ] = None,
    start: Annotated[
        Path | None,
        typer.Option(help="Start from word vectors (a context2vec, or GloVe's text), or a transformer."),
    ] = None,
    lora: Annotated[bool, typer.Option("--lora", help="Fine-tune a small adapter and no other weights.")] = False,
    seed: Annotated[int, typer.Option(help="Random seed for sampling, weights, order and dropout.")] = 0,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the recipe: hidden=64; may be repeated.")
    ] = None,
    max_minutes: MaxMinutes = math.inf,
    resume: Resume = False,
    precision: TrainingPrecision = "auto",
    device: Device = "auto",
    checkpoint_minutes: CheckpointMinutes = 10.0,
    log_every: Annotated[int, typer.Option(help="Number of steps between lines of the log.")] = 50,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Train a model on pairs; validation pairs decide when to stop. --resume continues an interrupted training.

    Example: winoglot logic train bilstm --data logic --task comparison --language en -o models/comparison
    """
    from winoglot.logic.solvers import train as teach
    from winoglot.logic.solvers.data import read_depths

    check_start(resume=resume, force=force)
    if model == "bag" and max_minutes != math.inf:
        remedy = "Leave out --max-minutes; --size N trains on fewer pairs."
        raise InputError("a bag of words is trained in one step, without a time limit", remedy=remedy)
    with training_bar(model, lambda loss, *_more: f"loss {loss:.3f}") as progress:
        trained = teach(
            model,
            data,
            output,
            validation=validation,
            tasks=split(*tasks or ()),
            languages=split(*languages or ()),
            depths=read_depths(depths) if depths else (),
            size=size,
            balanced=balanced,
            as_cd=is_cd(as_labels),
            control=control,
            start=start,
            lora=lora,
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
    if is_reported(trained.why, trained.steps, trained.config, as_json=as_json):
        return
    about = trained.config["data"]
    why = {"epochs": "all epochs done", "patience": "validation stopped improving", "minutes": "time limit reached"}
    steps = f", {trained.steps} steps: {why[trained.why]}" if trained.steps else ""
    typer.echo(f"{about['pairs']} pairs of {', '.join(about['tasks'])}{steps}")
    accuracy = "unknown" if trained.accuracy is None else f"{percent(trained.accuracy)}%"
    typer.echo(f"accuracy {accuracy} on {about['validation']} validation pairs; model: {trained.address}")


@group.command()
def evaluate(
    models: Annotated[
        list[str],
        typer.Argument(
            help="logic:DIR, or any model of `winoglot evaluate`: causal:…, nli:…, chat:…, remote:…; NAME=….",
            metavar="MODEL…",
            autocompletion=completion.models,
        ),
    ],
    data: Data,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder to store runs in.")] = None,
    part: Annotated[
        str,
        typer.Option(
            "--split", help="train, validation or test.", autocompletion=one_of(words("train", "validation", "test"))
        ),
    ] = "test",
    tasks: Tasks = None,
    languages: Languages = None,
    depths: Depths = "",
    limit: Annotated[int | None, typer.Option(help="Sample N pairs per file, twins together.")] = None,
    balanced: Balanced = False,
    as_labels: AsLabels = None,
    scoring: Annotated[
        str | None,
        typer.Option(
            help="label (likelihood of its word), therefore (of the hypothesis), answer (in words) or entailment.",
            autocompletion=one_of(words("label", "therefore", "answer", "entailment")),
        ),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option("--option", help="An option of the model family: name=value; may be repeated.")
    ] = None,
    precision: Annotated[str, typer.Option(help="float32, bfloat16 or int8.")] = "float32",
    device: Device = "auto",
    batch_tokens: Annotated[int, typer.Option(help="Maximum number of tokens per batch; 0: as many as fit.")] = 0,
    prompts: Prompts = None,
    yes: Yes = False,
    as_json: Json = False,
) -> None:
    """Ask models about pairs: one run per model, task and language. Repeat the command to continue.

    Example: winoglot logic evaluate logic:models/comparison gemma-3-270m --data logic --task comparison -o runs
    """
    from winoglot.cli.run_table import print_runs, runs_as_json
    from winoglot.logic.solvers import pair_session
    from winoglot.logic.solvers.data import PairChoice, read_depths

    given_depths = read_depths(depths) if depths else ()
    chosen = tuple(split(*tasks or ())), tuple(split(*languages or ())), tuple(given_depths)
    choice = PairChoice(*chosen, limit, balanced, is_cd(as_labels))
    options = model_options(precision, device, batch_tokens, 0, option or [])
    with resumable(), show_progress("pairs") as begin:
        session = pair_session(models, data, part, choice, scoring, output, options, partial(confirm_requests, yes=yes))
        if prompts is not None:
            print_prompts(session, prompts)
            return
        runs = session.runs(begin)
    if as_json:
        print_json(runs_as_json(runs), indent=1)
        return
    print_runs(runs)
    if output is not None:
        emit(f"Runs: {output}")


@group.command()
def search(
    model: Annotated[
        str,
        typer.Argument(
            help="A model family; or to fine-tune: causal:…, masked:…, nli:….",
            metavar="MODEL",
            autocompletion=one_of(_FAMILIES),
        ),
    ],
    data: Data,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder for the trials.")],
    space: Annotated[
        list[str] | None,
        typer.Option(
            "--space",
            help="A setting and its values: hidden=64,128 or rate=1e-4..1e-2; may be repeated. Default: the paper's, "
            "or the usual rates, batches and epochs of fine-tuning.",
        ),
    ] = None,
    trials: Annotated[int, typer.Option(help="Number of trials.")] = 20,
    validation: Validation = None,
    tasks: Tasks = None,
    languages: Languages = None,
    depths: Depths = "",
    size: Size = None,
    balanced: Balanced = False,
    as_labels: AsLabels = None,
    lora: Annotated[bool, typer.Option("--lora", help="Fine-tune a small adapter and no other weights.")] = False,
    seed: Annotated[int, typer.Option(help="Random seed for the settings and the models.")] = 0,
    epochs: Annotated[int | None, typer.Option(help="Maximum epochs per trial; by default the recipe's.")] = None,
    device: Device = "auto",
    workers: WorkerCount = 1,
    cluster: Cluster = None,
    as_json: Json = False,
) -> None:
    """Random search over settings; lists the best on validation pairs first. Repeat the command to continue.

    Example: winoglot logic search gru --data logic --task negation --language en --trials 20 --workers 4 -o search
    """
    from winoglot.logic.solvers.data import read_depths
    from winoglot.logic.solvers.search import default_space, trial_address
    from winoglot.logic.solvers.search import search as try_all

    flags = {"lora": lora, "balanced": balanced, "as_cd": is_cd(as_labels)}
    chosen = list(space or default_space(model, lora=lora))
    if epochs is not None:
        default = [] if space else [setting for setting in chosen if setting.startswith("epochs=")]
        chosen = [*(setting for setting in chosen if setting not in default), f"epochs={epochs}"]
    with resumable(), show_progress("trials") as begin:
        tried = try_all(
            model,
            data,
            output,
            validation=validation,
            space=chosen,
            trials=trials,
            seed=seed,
            worker_count=workers,
            cluster=cluster,
            progress=begin("trials"),
            tasks=split(*tasks or ()),
            languages=split(*languages or ()),
            depths=read_depths(depths) if depths else (),
            size=size,
            device=device,
            **{name: True for name, is_set in flags.items() if is_set},  # earlier searches have no such entries
        )
    if as_json:
        print_json(tried, indent=1)
        return
    print_rows(
        [
            {
                "trial": trial["trial"],
                "accuracy": "diverged" if trial["accuracy"] is None else percent(trial["accuracy"]),
                "settings": " ".join(trial["settings"]),
            }
            for trial in tried
        ]
    )
    best = trial_address(model, output, tried[0]["trial"]) if tried[0]["accuracy"] is not None else "none"
    emit(f"Accuracy on validation pairs, in percent. Best model: {best}")


# An experiment file may declare pairs, collections or both.
group.command(help=(run.__doc__ or "").replace("run experiment.yaml", "logic run replicate/logic-tasks.yaml"))(run)
