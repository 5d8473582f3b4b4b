"""`context`: the words that fit a place in a sentence best."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from winoglot.cli.collections import Json


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(context)


def context(
    text: Annotated[str, typer.Argument(help="A sentence with ___ in the place of one word.")],
    model: Annotated[str, typer.Option("--model", help="The folder of a context2vec model.")],
    count: Annotated[int, typer.Option("--count", "-k", help="So many words.")] = 10,
    device: Annotated[str, typer.Option("--device", help="auto, cpu or cuda.")] = "auto",
    as_json: Json = False,
) -> None:
    """Name the words nearest to the context of a place, by a model that `winoglot train context2vec` made.

    Example: winoglot context "O gato ___ na caixa." --model ptwiki-context2vec -k 5
    """
    from winoglot.models._trained import load_folder
    from winoglot.models.base import Options
    from winoglot.training.context2vec import nearest_words

    trained = load_folder(model.removeprefix("context2vec:"), Options(device=device), "context2vec")
    found = nearest_words(trained, text, count)
    if as_json:
        typer.echo(json.dumps([asdict(near) for near in found], ensure_ascii=False))
        return
    from winoglot.cli.pretty import print_rows

    print_rows([{"word": near.word, "cosine": f"{near.cosine:.3f}"} for near in found])
