"""Shared by the commands that let a model draft: load it, and ask before texts are sent to a server."""

from __future__ import annotations

from collections import Counter
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from winoglot.cli.console import resumable
from winoglot.cli.evaluate import confirm_requests, model_options
from winoglot.errors import InputError
from winoglot.progress import show_progress
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from winoglot.models.base import Solver
    from winoglot.runs.session import BeforeSending
    from winoglot.schemas.model import Collection, Made
    from winoglot.writing.drafting import Drafter

_REASONS = 3  # that are shown, the most frequent ones

Reader = Annotated[
    str | None,
    typer.Option("--read-by", help="With --with: another model, which answers the drafts blind."),
]


def check_reader(model: str | None, reader: str | None, remedy: str) -> None:
    """Refuse a reader of drafts where no model drafts."""
    if reader and not model:
        raise InputError("--read-by needs --with", remedy=remedy)


@contextmanager
def drafting(
    model: str, collection: Collection, more: list[str], device: str, seed: int, *, yes: bool
) -> Iterator[Drafter]:
    """A model that drafts for a collection; what it has written when the block is interrupted is kept."""
    from winoglot.models.base import load_model
    from winoglot.writing.drafting import ROOM, Drafter

    options = model_options("float32", device, 0, seed, [f"answer-tokens={ROOM}", *more])
    kept = "The replies so far are kept: repeat the command to continue."
    with resumable(kept), show_progress("drafts") as begin:
        begin(f"loading {model}")
        solver = load_model(model, options)
        yield Drafter(solver, seed, confirming(solver, collection, yes=yes), begin(f"{model} drafts"))


def load_reader(
    name: str, collection: Collection, device: str, seed: int, *, yes: bool
) -> tuple[Solver, BeforeSending]:
    """A model that reads drafts blind, and what to call before it is sent any."""
    from winoglot.models.base import load_model

    solver = load_model(name, model_options("float32", device, 0, seed, []))
    return solver, confirming(solver, collection, yes=yes)


def confirming(solver: Solver, collection: Collection, *, yes: bool) -> BeforeSending:
    """What asks before requests are sent; if they leave this machine, nothing is sent without a confirmation."""
    away = f"the texts of {collection.name}" if solver.sends_away else ""
    return partial(confirm_requests, yes=yes, away=away)


def print_reasons(reasons: Iterable[str], label: str) -> None:
    """Print the most frequent reasons, each with how often it occurs."""
    for reason, count in Counter(reasons).most_common(_REASONS):
        typer.echo(f"    {count} {label}: {reason}")


def print_doubts(drafts: Iterable[Made | None]) -> None:
    """Print how many drafts a model that read them blind answers differently."""
    answers = [answer for made in drafts if made for answer in made.read_by]
    if answers:
        differing = sum(not answer.agrees for answer in answers)
        typer.echo(f"{answers[0].model} answers {differing} of {counted(len(answers), 'draft')} differently")
