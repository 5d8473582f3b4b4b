"""The test against chance for any number of candidates: whole schemas are turned, as two candidates are flipped.

To turn a schema by one is to move the answer of each of its items to the next candidate, and that of the last to the
first. A solver that knows nothing of the answers does as well after any number of turns, and an item of k candidates is
right after one turn in k. With two candidates a turn is a flip. The items of a schema turn together, so that the
dependence between them is kept.
"""

from __future__ import annotations

from math import lcm
from typing import TYPE_CHECKING

import numpy as np

from winoglot.metrics._clusters import counted
from winoglot.metrics._p_value import PValue
from winoglot.metrics._permutation import MEASURES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.metrics._clusters import Floats
    from winoglot.metrics._permutation import Alternative
    from winoglot.metrics.base import Outcome

_ROUNDING = 1e-9


def turn_test(outcomes: Iterable[Outcome], *, alternative: Alternative = "two-sided") -> PValue:
    """Test that a solver picks candidates without knowing the answers; the statistic is how many items are right.

    The distribution over all turns of all schemas is computed exactly. Two-sided, numbers as far from what guessing
    gives, above or below, are as extreme. All outcomes must be labelled; abstentions tell nothing, however they turn.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> collection = wg.load("winoglot-en")
    >>> print(turn_test(Answers(collection, {item.id: item.answer for item in collection.items[:12]}).outcomes()))
    p=0.031, n=6, exact turns of 6 schemas
    """
    schemas: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        schemas.setdefault(outcome.item.schema_id, []).append(outcome)
    right, guessed, informative = 0, 0.0, 0
    chances = np.ones(1)
    for own in schemas.values():
        answered = [outcome for outcome in own if outcome.choice is not None]
        right += sum(bool(outcome.right) for outcome in answered)
        guessed += sum(1 / outcome.item.candidate_count for outcome in answered)
        here = _turned(answered)
        informative += int(np.count_nonzero(here) > 1)
        chances = np.convolve(chances, here)
    measure = MEASURES[alternative]
    extreme = measure(np.arange(len(chances)) - guessed) >= measure(right - guessed) - _ROUNDING
    return PValue(min(1.0, float(chances[extreme].sum())), 0.0, informative, f"exact turns of {counted(len(schemas))}")


def _turned(answered: Sequence[Outcome]) -> Floats:
    """How probable each number of right answers is among the turns of one schema."""
    turns = lcm(*(outcome.item.candidate_count for outcome in answered))
    right = [sum(_is_right(outcome, turn) for outcome in answered) for turn in range(turns)]
    return np.bincount(right) / turns


def _is_right(outcome: Outcome, turn: int) -> bool:
    return outcome.choice == ((outcome.item.answer or 0) + turn) % outcome.item.candidate_count
