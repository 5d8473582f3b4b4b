"""What commands that let a model draft share: the model is loaded, and asked only after a word."""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING

from winoglot.cli.console import resumable
from winoglot.cli.evaluate import confirm_requests, model_options
from winoglot.progress import show_progress

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.models.base import Solver
    from winoglot.runs.session import BeforeSending
    from winoglot.schemas.model import Collection
    from winoglot.writing.drafting import Drafter


@contextmanager
def drafting(
    model: str, collection: Collection, more: list[str], device: str, seed: int, *, yes: bool
) -> Iterator[Drafter]:
    """A model that drafts for a collection; what it has written when the block is interrupted is kept."""
    from winoglot.models.base import load_model
    from winoglot.writing.drafting import ROOM, Drafter

    options = model_options("float32", device, 0, seed, [f"answer-tokens={ROOM}", *more])
    kept = "The replies so far are kept: repeat the command to go on."
    with resumable(kept), show_progress("drafts") as begin:
        begin(f"loading {model}")
        solver = load_model(model, options)
        yield Drafter(solver, seed, confirming(solver, collection, yes=yes), begin(f"{model} drafts"))


def confirming(solver: Solver, collection: Collection, *, yes: bool) -> BeforeSending:
    """Ask before requests are sent; if they leave this machine, nothing is sent without a word."""
    away = f"the texts of {collection.name}" if solver.sends_away else ""
    return partial(confirm_requests, yes=yes, away=away)
