"""`train`, `perplexity`, `generate` and `context`: train language models on a corpus, and use them."""

from __future__ import annotations

import math
import os
import time
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from winoglot.cli.completion import listed, one_of, words
from winoglot.cli.console import print_json, print_rows
from winoglot.cli.options import Device, Force, Json
from winoglot.errors import InputError
from winoglot.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from winoglot.training.estimate import DryRun
    from winoglot.training.loop import TrainingResult
    from winoglot.training.trained import TrainedModel

CorpusFolder = Annotated[Path, typer.Option("--corpus", help="Folder of a corpus.", metavar="DIR")]
MaxMinutes = Annotated[float, typer.Option(help="Stop after N minutes and keep the best model.")]
Resume = Annotated[bool, typer.Option("--resume", help="Resume from the last checkpoint, if there is one.")]
TrainingPrecision = Annotated[
    str,
    typer.Option(
        help="float32, bfloat16 or auto (bfloat16 on a GPU).",
        autocompletion=one_of(words("auto", "float32", "bfloat16")),
    ),
]
CheckpointMinutes = Annotated[float, typer.Option(help="Minutes between checkpoints, besides one per epoch.")]
Model = Annotated[str, typer.Argument(help="Folder of a trained model, or lm:DIR.", metavar="MODEL")]
_RECIPES = (
    "lstm-small, gru-small, rnn-small, lstm-improved, lstm-french, awd-lstm-small, awd-lstm-medium, awd-lstm-large, "
    "transformer-small or context2vec."
)
_LARGE = 1e9  # perplexities from here on are printed in scientific notation


def train(
    recipe: Annotated[str, typer.Argument(help=_RECIPES, metavar="RECIPE", autocompletion=one_of(listed("recipes")))],
    corpus: CorpusFolder,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Folder for the model.")] = None,
    epochs: Annotated[int | None, typer.Option(help="Number of epochs; the recipe's by default.")] = None,
    max_minutes: MaxMinutes = math.inf,
    resume: Resume = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print parameters, memory and time needed; write nothing.")
    ] = False,
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the recipe: batch=40; may be repeated.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed for weights, dropout and sequence lengths.")] = 0,
    precision: TrainingPrecision = "auto",
    device: Device = "auto",
    checkpoint_minutes: CheckpointMinutes = 10.0,
    log_every: Annotated[int, typer.Option(help="Number of steps between lines of the log.")] = 50,
    force: Force = False,
    as_json: Json = False,
) -> None:
    """Train a language model on a corpus. --resume continues an interrupted training.

    Example: winoglot train awd-lstm-medium --corpus ptwiki -o models/pt
    """
    from winoglot.corpus.reading import open_corpus
    from winoglot.training import need_training
    from winoglot.training.recipes import find_recipe

    more = [*(changes or ()), *([f"epochs={epochs}"] if epochs is not None else [])]
    chosen = find_recipe(recipe, more)
    check_start(resume=resume, force=force)
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
        raise InputError("no folder for the model was given", remedy="Name one: -o MODEL.")
    with training_bar(chosen.name, lambda loss: _loss(loss, chosen.kind)) as progress:
        ended = run_training(chosen, opened, output, settings, resume=resume, force=force, progress=progress)
    if _is_main():
        _draw_curves(output, chosen.name)
    if not is_reported(ended.why, ended.state.step, ended.config, as_json=as_json):
        _print_ended(ended, output)


def perplexity(
    model: Model,
    corpus: CorpusFolder,
    split: Annotated[
        str, typer.Option(help="train, valid or test.", autocompletion=one_of(words("train", "valid", "test")))
    ] = "test",
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """Measure the perplexity of a language model per token, including <eos> and <unk>.

    Example: winoglot perplexity models/pt --corpus ptwiki --split test
    """
    from winoglot.corpus.reading import open_corpus
    from winoglot.training import need_training

    need_training()
    from winoglot.training.perplexity import measure

    opened = open_corpus(corpus)
    with show_progress("tokens") as begin:
        measured = measure(_open(model, device, "be measured"), opened, split, begin("tokens"))
    if as_json:
        print_json(asdict(measured))
        return
    share = f"{100 * measured.unknown_share:.2f}%"
    typer.echo(
        f"perplexity {_perplexity(measured.perplexity)} over {measured.tokens} tokens; {share} of the words are <unk>"
    )


def generate(
    model: Model,
    tokens: Annotated[int, typer.Option(help="Number of words.")] = 50,
    prompt: Annotated[str, typer.Option(help="Start of the text.")] = "",
    temperature: Annotated[float, typer.Option(help="Sampling temperature; 0: always the most likely word.")] = 1.0,
    top_k: Annotated[int, typer.Option(help="Sample from the N most likely words; 0: from all.")] = 0,
    seed: Annotated[int, typer.Option(help="Random seed.")] = 0,
    device: Device = "cpu",
    as_json: Json = False,
) -> None:
    """Generate text with a language model: one sentence per line, spaces between tokens.

    Example: winoglot generate models/pt --prompt "O gato" --tokens 30 --seed 1
    """
    from winoglot.training import need_training

    need_training()
    from winoglot.training.generate import generate as write

    words = write(
        _open(model, device, "generate text"), tokens, prompt=prompt, temperature=temperature, top_k=top_k, seed=seed
    )
    if as_json:
        print_json({"prompt": prompt, "tokens": words})
        return
    text = " ".join([prompt, *words] if prompt else words)
    typer.echo("\n".join(line.strip() for line in text.split("<eos>")).rstrip("\n"))


def context(
    text: Annotated[str, typer.Argument(help="A sentence with ___ in place of one word.")],
    model: Annotated[str, typer.Option(help="Folder of a context2vec model.")],
    count: Annotated[int, typer.Option("--count", "-k", help="Number of words.")] = 10,
    device: Device = "auto",
    as_json: Json = False,
) -> None:
    """List the words that fit a place in a sentence best, according to a context2vec model.

    Example: winoglot context "O gato ___ na caixa." --model ptwiki-context2vec -k 5
    """
    from winoglot.models.base import Options
    from winoglot.models.scoring.words import load_folder
    from winoglot.training.context2vec import nearest_words

    trained = load_folder(model.removeprefix("context2vec:"), Options(device=device), "context2vec")
    neighbours = nearest_words(trained, text, count)
    if as_json:
        print_json([asdict(near) for near in neighbours])
        return
    print_rows([{"word": near.word, "cosine": f"{near.cosine:.3f}"} for near in neighbours])


def _open(model: str, device: str, purpose: str) -> TrainedModel:
    from winoglot.training.distributed import choose_device
    from winoglot.training.trained import load_trained

    location = model.removeprefix("lm:")
    if not location or not Path(location).is_dir():
        remedy = f"Only language models trained with `winoglot train`, given as DIR or lm:DIR, can {purpose}."
        raise InputError("not the folder of a language model", remedy=remedy, file=model)
    return load_trained(location, choose_device(device))


def _loss(loss: float, kind: str) -> str:
    """A loss and, for a language model, its perplexity; context2vec, which learns from sampled words, has none."""
    from winoglot.training.perplexity import perplexity_of
    from winoglot.training.recipes import LANGUAGE_MODELS

    more = f", perplexity {_perplexity(perplexity_of(loss))}" if kind in LANGUAGE_MODELS else ""
    return f"loss {loss:.3f}{more}"


def _perplexity(perplexity: float | None) -> str:
    if perplexity is None:
        return "infinite"
    return f"{perplexity:.2f}" if perplexity < _LARGE else f"{perplexity:.2e}"


def check_start(*, resume: bool, force: bool) -> None:
    """Raise an input error if a training is to be both continued and started afresh."""
    if resume and force:
        raise InputError("--resume needs what --force removes", remedy="Give only one of them.")


def is_reported(why: str, step: int, config: dict[str, Any], *, as_json: bool) -> bool:
    """Whether nothing is left to print after a training: it is printed here as JSON, or another process prints it.

    After a signal, the command fails.
    """
    if not _is_main():
        return True
    if why == "signal":
        typer.echo(f"Stopped at step {step}; continue with --resume.", err=True)
        raise typer.Exit(1)
    if as_json:
        print_json(config, indent=1)
    return as_json


def _is_main() -> bool:
    """Whether this is the process that prints, if several train together."""
    return not int(os.environ.get("RANK", "0"))


def _print_ended(ended: TrainingResult, output: Path) -> None:
    why = {
        "epochs": "all epochs done",
        "patience": "the validation loss stopped falling",
        "minutes": "time limit reached",
    }[ended.why]
    config = ended.config
    best = f"validation {_loss(config['losses']['valid'], config['kind'])}, at step {config['best_step']}"
    typer.echo(f"{config['parameters']} parameters, {config['steps']} steps, {config['tokens']} tokens: {why}")
    typer.echo(f"{best}; model: {output}")


def _print_dry_run(plan: DryRun, *, as_json: bool) -> None:
    from winoglot.training.estimate import spelled

    if as_json:
        print_json(asdict(plan))
        return
    parts = ", ".join(f"{name} {spelled(size)}" for name, size in plan.parts.items())
    minutes = plan.minutes_an_epoch
    typer.echo(f"{plan.parameters} parameters")
    free = "unknown" if plan.free is None else spelled(plan.free)
    typer.echo(f"about {spelled(plan.memory)} of memory ({parts}); {free} free on {plan.device}")
    typer.echo(f"{plan.steps_an_epoch} steps per epoch, {plan.tokens_per_second:.0f} tokens/s in {plan.precision}")
    typer.echo(f"about {minutes:.1f} minutes per epoch, {minutes * plan.epochs:.0f} for {plan.epochs} epochs")


def _draw_curves(folder: Path, name: str) -> None:
    """Draw the training curves beside the model, if the templates' library is installed."""
    from winoglot.files import write_whole
    from winoglot.report.drawing import training_svg
    from winoglot.training.checkpoint import CURVES, TrainingFolder, read_log

    log = TrainingFolder(folder).log
    if not log.exists():
        return
    try:
        write_whole(folder / CURVES, training_svg(read_log(log), name), force=True)
    except InputError as error:
        typer.echo(f"{CURVES} was not drawn: {error}", err=True)


@contextmanager
def training_bar(name: str, shown: Callable[..., str]) -> Iterator[Callable[..., None]]:
    """The progress of a training, with tokens per second and what `shown` says about the last loss.

    It is advanced with the steps done, the steps in all, the tokens, the loss or None, and what else is known.
    """
    with show_progress("steps") as begin:
        report = begin(name)
        status = ""
        started: tuple[float, int] | None = None

        def advance(step: int, steps: int, tokens: int, loss: float | None, *more: float | None) -> None:
            nonlocal status, started
            started = started or (time.monotonic(), tokens)  # a training that is resumed has tokens already
            since, before = started
            rate = f"{(tokens - before) / (time.monotonic() - since):,.0f} tokens/s" if tokens > before else ""
            status = shown(loss, *more) if loss is not None else status
            report(step, steps, ", ".join(filter(None, (rate, status))))

        yield advance
