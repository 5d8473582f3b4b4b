"""Temporal order: who arrived before whom. Not arriving before means arriving later or at the same time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.logic.formulas import Before, Not
from winoglot.logic.tasks._choice import pairs, refuse_published
from winoglot.logic.tasks._orders import Wordings, chains

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from winoglot.logic.pair import Pair, TaskSettings

_WORDINGS = Wordings(strict=(Before,), weak=(lambda x, y: Not(Before(y, x)),))


def generate(rng: Random, settings: TaskSettings) -> Iterator[Pair]:
    """An endless stream of pairs."""
    refuse_published("temporal", settings)
    return pairs("temporal", lambda: chains(rng, settings, _WORDINGS))
