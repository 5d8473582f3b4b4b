"""How much the wording of a question matters: the accuracies of one model by prompt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.models._asking import SCORING, UNFIT

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.runs.run import Run


@dataclass(frozen=True)
class Spread:
    """The lowest and the highest accuracy over so many prompts."""

    low: float
    high: float
    prompts: int


def prompt_spreads(runs: Sequence[Run]) -> list[Spread | None]:
    """Of each run the spread that it is a part of; None where a model was not asked in words, or with one prompt.

    A prompt that does not fit all items was asked of others, so it is not counted.
    """
    groups: dict[tuple[str, ...], list[float]] = {}
    for run in runs:
        value = run.accuracy().value
        if _is_answer(run) and value is not None:
            groups.setdefault(_key(run), []).append(value)
    found = ((groups.get(_key(run), []) if _is_answer(run) else []) for run in runs)
    return [Spread(min(values), max(values), len(values)) if len(values) > 1 else None for values in found]


def _is_answer(run: Run) -> bool:
    return run.settings.scoring.partition("-")[0] == SCORING and UNFIT not in run.notes()


def _key(run: Run) -> tuple[str, ...]:
    settings = run.settings
    return (settings.model, settings.fingerprint, run.source.name, run.source.hash, settings.readings)
