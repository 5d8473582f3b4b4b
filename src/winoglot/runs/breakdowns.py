"""Runs broken down: the figures of each kind of variant, and the range of accuracies over prompts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.metrics.base import estimates
from winoglot.models.base import ANSWER, UNFIT
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.runs.run import Run


@dataclass(frozen=True)
class KindFigures:
    """The figures of one kind: by name, accuracy and every metric that needs variants, as far as they apply."""

    kind: str
    estimates: Mapping[str, Estimate]
    abstained: int


def by_kind(run: Run, *, interval: str = "bootstrap") -> list[KindFigures]:
    """The figures of every kind in the run, in the order in which the kinds were named.

    >>> import winoglot as wg
    >>> run = wg.evaluate(wg.load("winoglot-en"), "first", kinds=["after-only", "segment-masked"])
    >>> after, masked = by_kind(run)
    >>> list(after.estimates), after.estimates["accuracy"].n
    (['accuracy', 'delta-accuracy', 'stability'], 276)
    >>> print(masked.estimates["position-preference"])
    1.000 [0.977, 1.000], n=316, exact (Clopper-Pearson) over 158 schemas, all alike
    """
    return [
        KindFigures(
            kind,
            estimates(run, kind, interval=interval),
            sum(outcome.choice is None for outcome in run.outcomes(kind)),
        )
        for kind in run.settings.kinds
    ]


@dataclass(frozen=True)
class PromptSpread:
    """The lowest and the highest accuracy over a number of prompts."""

    low: float
    high: float
    prompts: int


def prompt_spreads(runs: Sequence[Run]) -> list[PromptSpread | None]:
    """For each run, how much the wording of the question matters: the range of accuracies over the model's prompts.

    None if the model was not prompted, or with one prompt only. Prompts that do not fit all items do not count.
    """
    groups: dict[tuple[str, ...], list[float]] = {}
    for run in runs:
        value = run.accuracy().value
        if _is_answer(run) and value is not None:
            groups.setdefault(_key(run), []).append(value)
    found = ((groups.get(_key(run), []) if _is_answer(run) else []) for run in runs)
    return [PromptSpread(min(values), max(values), len(values)) if len(values) > 1 else None for values in found]


def _is_answer(run: Run) -> bool:
    return run.settings.scoring.partition("-")[0] == ANSWER and UNFIT not in run.notes()


def _key(run: Run) -> tuple[str, ...]:
    settings = run.settings
    return (settings.model, settings.fingerprint, run.source.name, run.source.hash, settings.readings)
