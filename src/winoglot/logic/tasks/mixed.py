"""Mixed: pairs of the six tasks of the published corpus in about equal parts."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.logic.tasks import comparison, coordination, counting, description, negation, quantification

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.pair import Pair, TaskSettings

_TASKS = (negation, coordination, quantification, description, comparison, counting)


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs; the template names the task they come from."""
    sources = [task.generate(rng, settings) for task in _TASKS]
    while True:
        pair = next(rng.choice(sources))
        yield replace(pair, task="mixed", template=f"{pair.task}/{pair.template}")
