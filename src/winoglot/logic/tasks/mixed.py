"""Equal parts of negation, coordination, quantification, description, comparison and counting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.tasks import comparison, coordination, counting, description, negation, quantification

if TYPE_CHECKING:
    from random import Random

    from winoglot.logic.situation import Situation

_TASKS = {
    "negation": negation,
    "coordination": coordination,
    "quantification": quantification,
    "description": description,
    "comparison": comparison,
    "counting": counting,
}
FAMILIES = {
    name: tuple(sorted({depth for depths in task.FAMILIES.values() for depth in depths}))
    for name, task in _TASKS.items()
}


def draw(rng: Random, family: str, depth: int) -> Situation:
    """A situation of one of the tasks."""
    task = _TASKS[family]
    family_of_task = rng.choice([name for name, depths in task.FAMILIES.items() if depth in depths])
    situation: Situation = task.draw(rng, family_of_task, depth)
    return situation
