"""Whether a run does better than one that knows nothing of the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.metrics._counting import labelled, two_way
from winoglot.metrics._permutation import against_chance
from winoglot.metrics.success import credit

if TYPE_CHECKING:
    from winoglot.metrics._p_value import PValue
    from winoglot.metrics._permutation import Alternative
    from winoglot.metrics.base import Outcomes


def chance_test(run: Outcomes, kind: str | None = None, *, alternative: Alternative = "two-sided") -> PValue:
    """Test that a solver picks one of two candidates without knowing the answer, by turning round whole schemas.

    Labelled items of two candidates; an abstention counts one half.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> collection = wg.load("winoglot-en")
    >>> print(chance_test(Answers(collection, {item.id: item.answer for item in collection.items[:12]})))
    p=0.031, n=6, exact flips of 6 schemas
    """
    counted = two_way(labelled(run, kind))
    schemas = [outcome.item.schema_id for outcome in counted.cases]
    made = against_chance([credit(outcome) for outcome in counted.cases], schemas, alternative=alternative)
    if not counted.left_out:
        return made
    return replace(made, method=f"{made.method}; left out: {', '.join(counted.left_out)}")
