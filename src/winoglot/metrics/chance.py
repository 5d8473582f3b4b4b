"""Whether a run does better than one that knows nothing of the answers."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.metrics.accuracy import credit
from winoglot.metrics.base import labelled
from winoglot.statistics.significance import against_chance, turn_test

if TYPE_CHECKING:
    from winoglot.examples import Outcomes
    from winoglot.statistics.intervals import Estimate
    from winoglot.statistics.significance import Alternative, PValue


def chance_test(run: Outcomes, kind: str | None = None, *, alternative: Alternative = "two-sided") -> PValue:
    """Test that a solver picks options without knowing the answers, by turning the key of whole schemas.

    All labelled items count: of k options guessing is right once in k, and an abstention counts the same.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> collection = wg.load("winoglot-en")
    >>> print(chance_test(Answers(collection, {item.id: item.answer for item in collection.items[:12]})))
    p=0.031, n=6, exact flips of 6 schemas
    """
    found = labelled(run, kind)
    options = [len(outcome.example.options) for outcome in found.cases]
    if all(number == 2 for number in options):
        worth = [credit(outcome) for outcome in found.cases]
        made = against_chance(worth, found.clusters, alternative=alternative, unit=found.unit)
    else:
        choices = [outcome.choice for outcome in found.cases]
        answers = [outcome.example.answer or 0 for outcome in found.cases]
        made = turn_test(choices, answers, options, found.clusters, alternative=alternative, unit=found.unit)
    return replace(made, method=found.note(made.method))


def with_guesses(run: Outcomes, kind: str | None = None) -> Estimate:
    """The expected accuracy if the solver guessed where it abstained: what the test compares with guessing."""
    return labelled(run, kind).share(credit, undefined="no labelled items")
