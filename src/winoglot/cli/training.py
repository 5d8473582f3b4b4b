"""`train`, `perplexity`, `generate`: language models made from a corpus, measured, and let speak."""

from __future__ import annotations

import json
import math
import os
import sys
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.collections import Json
from winoglot.cli.files import Force

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.training.estimate import DryRun
    from winoglot.training.loop import TrainingResult
    from winoglot.training.recipes import Recipe
    from winoglot.training.trained import TrainedModel

CorpusFolder = Annotated[Path, typer.Option("--corpus", help="The folder of a corpus.", metavar="DIR")]
Model = Annotated[str, typer.Argument(help="The folder of a trained model, or lm:DIR.", metavar="MODEL")]
_RECIPES = "lstm-small, -improved, -french, awd-lstm-small, -medium, -large, transformer-small or context2vec."
_MANY = 1e9  # a perplexity from which on all its digits would only fill the line
Device = Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(train)
    app.command()(perplexity)
    app.command()(generate)


def train(
    recipe: Annotated[str, typer.Argument(help=_RECIPES, metavar="RECIPE")],
    corpus: CorpusFolder,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="The folder for the model.")] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="At most so many; the recipe's unless given.")] = None,
    max_minutes: Annotated[float, typer.Option("--max-minutes", help="Stop after so many, with a model.")] = math.inf,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last checkpoint, if there is one.")] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what it would take: parameters, memory, time; write nothing.")
    ] = False,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Another number in the recipe: batch=40; repeat for more.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Of weights, dropout and lengths.")] = 0,
    precision: Annotated[
        str, typer.Option("--precision", help="float32, bfloat16, or auto: bfloat16 on a GPU.")
    ] = "auto",
    device: Device = "auto",
    checkpoint_minutes: Annotated[
        float, typer.Option("--checkpoint-minutes", help="Minutes between checkpoints; there is one each epoch.")
    ] = 10.0,
    log_every: Annotated[int, typer.Option("--log-every", help="Steps a line of the log stands for.")] = 50,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Train a model on a corpus. A training that was ended goes on with --resume as if nothing had happened.

    Example: winoglot train awd-lstm-medium --corpus ptwiki -o models/pt
    """
    from winoglot.corpus.reading import open_corpus
    from winoglot.errors import InputError
    from winoglot.training import need_training
    from winoglot.training.recipes import find_recipe

    more = [*(changes or ()), *([f"epochs={epochs}"] if epochs is not None else [])]
    chosen = find_recipe(recipe, more)
    if resume and force:
        raise InputError("--resume goes on with what --force removes", remedy="Give one of the two.")
    need_training()
    from winoglot.training.loop import TrainingSettings
    from winoglot.training.loop import train as run_training

    settings = TrainingSettings(seed, precision, device, max_minutes, checkpoint_minutes, log_every)
    opened = open_corpus(corpus)
    if dry_run:
        from winoglot.training.estimate import dry_run as try_out

        _print_dry_run(try_out(chosen, opened, settings), as_json=as_json)
        return
    if output is None:
        raise InputError("there is no folder for the model", remedy="Name one: -o MODEL.")
    with _training_bar(chosen) as progress:
        ended = run_training(chosen, opened, output, settings, resume=resume, force=force, progress=progress)
    if int(os.environ.get("RANK", "0")):  # of several processes one speaks
        return
    _draw_curves(output, chosen.name)
    _print_ended(ended, output, as_json=as_json)
    if ended.why == "signal":
        raise typer.Exit(1)


def perplexity(
    model: Model,
    corpus: CorpusFolder,
    split: Annotated[str, typer.Option("--split", help="train, valid or test.")] = "test",
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Measure how well a language model foresees a text: per token, over all tokens, <eos> and <unk> among them.

    Example: winoglot perplexity models/pt --corpus ptwiki --split test
    """
    from winoglot.cli.evaluating import progress_bar
    from winoglot.corpus.reading import open_corpus
    from winoglot.training import need_training

    need_training()
    from winoglot.training.perplexity import measure

    opened = open_corpus(corpus)
    with progress_bar() as begin:
        found = measure(_open(model, device, "be measured"), opened, split, begin("tokens"))
    if as_json:
        typer.echo(json.dumps(asdict(found)))
        return
    share = f"{100 * found.unknown_share:.2f}%"
    typer.echo(f"perplexity {_spelled(found.perplexity)} over {found.tokens} tokens; {share} of the words are <unk>")


def generate(
    model: Model,
    tokens: Annotated[int, typer.Option("--tokens", help="How many words.")] = 50,
    prompt: Annotated[str, typer.Option("--prompt", help="What the text begins with.")] = "",
    temperature: Annotated[float, typer.Option("--temperature", help="0: always the likeliest word.")] = 1.0,
    top_k: Annotated[int, typer.Option("--top-k", help="Draw from so many likeliest words; 0: from all.")] = 0,
    seed: Annotated[int, typer.Option("--seed", help="Of drawing.")] = 0,
    device: Device = "cpu",
    as_json: Json = False,
) -> None:
    """Let a language model write: a sentence a line, blanks between tokens.

    Example: winoglot generate models/pt --prompt "O gato" --tokens 30 --seed 1
    """
    from winoglot.training import need_training

    need_training()
    from winoglot.training.generate import generate as write

    made = write(_open(model, device, "write"), tokens, prompt=prompt, temperature=temperature, top_k=top_k, seed=seed)
    if as_json:
        typer.echo(json.dumps({"prompt": prompt, "tokens": made}, ensure_ascii=False))
        return
    text = " ".join([prompt, *made] if prompt else made)
    typer.echo("\n".join(line.strip() for line in text.split("<eos>")).rstrip("\n"))


def _open(model: str, device: str, deed: str) -> TrainedModel:
    from winoglot.errors import InputError
    from winoglot.training.distributed import choose_device
    from winoglot.training.trained import load_trained

    location = model.removeprefix("lm:")
    if not location or not Path(location).is_dir():
        remedy = f"Only language models trained here, given as DIR or lm:DIR, can {deed}."
        raise InputError("is no folder of a language model", remedy=remedy, file=model)
    return load_trained(location, choose_device(device))


def _told(loss: float, kind: str) -> str:
    """A loss, and for a language model the perplexity: with words drawn, as by context2vec, there is none."""
    from winoglot.training.perplexity import perplexity_of
    from winoglot.training.recipes import LANGUAGE_MODELS

    more = f", perplexity {_spelled(perplexity_of(loss))}" if kind in LANGUAGE_MODELS else ""
    return f"loss {loss:.3f}{more}"


def _spelled(perplexity: float | None) -> str:
    if perplexity is None:
        return "infinite"
    return f"{perplexity:.2f}" if perplexity < _MANY else f"{perplexity:.2e}"


def _print_ended(ended: TrainingResult, output: Path, *, as_json: bool) -> None:
    if ended.why == "signal":
        typer.echo(f"Stopped at step {ended.state.step}; go on with --resume.", err=True)
        return
    if as_json:
        typer.echo(json.dumps(ended.config, ensure_ascii=False, indent=1))
        return
    why = {
        "epochs": "all epochs are done",
        "patience": "the validation loss no longer falls",
        "minutes": "time is up",
    }[ended.why]
    config = ended.config
    best = f"validation {_told(config['losses']['valid'], config['kind'])}, at step {config['best_step']}"
    typer.echo(f"{config['parameters']} parameters, {config['steps']} steps, {config['tokens']} tokens: {why}")
    typer.echo(f"{best}; model: {output}")


def _print_dry_run(found: DryRun, *, as_json: bool) -> None:
    from winoglot.training.estimate import spelled

    if as_json:
        typer.echo(json.dumps(found.to_json()))
        return
    parts = ", ".join(f"{name} {spelled(size)}" for name, size in found.parts.items())
    minutes = found.minutes_an_epoch
    typer.echo(f"{found.parameters} parameters")
    typer.echo(f"about {spelled(found.memory)} of memory ({parts}); {spelled(found.free)} free on {found.device}")
    typer.echo(f"{found.steps_an_epoch} steps an epoch, {found.tokens_per_second:.0f} tokens/s in {found.precision}")
    typer.echo(f"about {minutes:.1f} minutes an epoch, {minutes * found.epochs:.0f} for {found.epochs} epochs")


def _draw_curves(folder: Path, name: str) -> None:
    """Beside the model, where what draws is installed."""
    from winoglot.errors import InputError
    from winoglot.files import write_whole
    from winoglot.report.curves import training_figure
    from winoglot.training.checkpoint import CURVES, TrainingFolder, read_log

    log = TrainingFolder(folder).log
    if not log.exists():
        return
    try:
        write_whole(folder / CURVES, training_figure(read_log(log), name).svg(inline=False), force=True)
    except InputError as error:
        typer.echo(f"Without {CURVES}: {error}", err=True)


@contextmanager
def _training_bar(recipe: Recipe) -> Iterator[Callable[[int, int, int, float | None], None]]:
    """On a terminal, a bar with tokens a second, loss, perplexity where there is one, and time left."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from winoglot.cli.pretty import make_console

    console = make_console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}"),
        TimeRemainingColumn(elapsed_when_finished=True),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(recipe.name, total=None, told="")
        told = ""
        begun: tuple[int, int] | None = None

        def progress(step: int, steps: int, tokens: int, loss: float | None) -> None:
            nonlocal told, begun
            begun = begun or (step, tokens)
            speed = bar.tasks[task].speed
            if loss is not None:
                told = f", {_told(loss, recipe.kind)}"
            known = speed and step > begun[0]
            rate = f"{(speed or 0) * (tokens - begun[1]) / (step - begun[0]):,.0f} tokens/s" if known else ""
            bar.update(task, completed=step, total=steps, told=rate + told)

        yield progress
    sys.stderr.flush()
