"""Whether a run does better than one that knows nothing of the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.metrics._counting import labelled
from winoglot.statistics.significance import against_chance, turn_test

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcome, Outcomes
    from winoglot.statistics.intervals import Estimate
    from winoglot.statistics.significance import Alternative, PValue


def chance_test(run: Outcomes, kind: str | None = None, *, alternative: Alternative = "two-sided") -> PValue:
    """Test that a solver picks a candidate without knowing the answer, by turning round whole schemas.

    All labelled items count; of k candidates guessing is right once in k, and an abstention counts as much.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> collection = wg.load("winoglot-en")
    >>> print(chance_test(Answers(collection, {item.id: item.answer for item in collection.items[:12]})))
    p=0.031, n=6, exact flips of 6 schemas
    """
    counted = labelled(run, kind)
    schemas = [outcome.item.schema_id for outcome in counted.cases]
    if all(outcome.item.candidate_count == 2 for outcome in counted.cases):
        made = against_chance([_credit(outcome) for outcome in counted.cases], schemas, alternative=alternative)
    else:
        made = turn_test(
            [outcome.choice for outcome in counted.cases],
            [outcome.item.answer or 0 for outcome in counted.cases],
            [outcome.item.candidate_count for outcome in counted.cases],
            schemas,
            alternative=alternative,
        )
    if not counted.left_out:
        return made
    return replace(made, method=f"{made.method}; left out: {', '.join(counted.left_out)}")


def with_guesses(run: Outcomes, kind: str | None = None) -> Estimate:
    """The accuracy on average, had the solver guessed where it abstained: what the test sets beside `guessing`."""
    return labelled(run, kind).share(_credit, undefined="no labelled items")


def guessing(run: Outcomes, kind: str | None = None) -> float | None:
    """What guessing gives on the labelled items of the run; None where there are none."""
    shares = [1 / outcome.item.candidate_count for outcome in labelled(run, kind).cases]
    return sum(shares) / len(shares) if shares else None


def _credit(outcome: Outcome) -> float:
    """1 for a right answer, 0 for a wrong one, for none what guessing gives."""
    return 1 / outcome.item.candidate_count if outcome.choice is None else float(bool(outcome.right))
