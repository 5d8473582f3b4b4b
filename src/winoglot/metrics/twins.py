"""Twins: two examples that differ in one fact, and in the answer because of it.

A solver that answers by anything but that fact gives both the same answer, so it has at most one of them right.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.examples import Example, Outcome
from winoglot.metrics.base import Cases, Metric, labelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcomes
    from winoglot.statistics.intervals import Estimate


@dataclass(frozen=True)
class _Twins:
    """The outcomes of an example and of its twin."""

    first: Outcome
    second: Outcome

    @property
    def example(self) -> Example:
        return self.first.example


def twins(run: Outcomes, kind: str | None = None) -> Cases[_Twins]:
    """The twins that the run has both outcomes of and whose answers differ, each two once."""
    known = {outcome.example.id: outcome for outcome in labelled(run, kind).cases}
    found = [
        _Twins(one, known[other])
        for name, one in known.items()
        if (other := one.example.features.get("twin")) in known and name < other
    ]
    return Cases(tuple(found)).where(
        lambda two: two.first.example.answer != two.second.example.answer, "with the same answer"
    )


def twin_accuracy(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """Twins that are both right over twins with different answers; `n` counts twins.

    >>> from winoglot.examples import Answers, ExampleSet
    >>> def example(name, twin, answer):
    ...     return Example(name, "g", ("1", "0"), answer, unit="twin group", features={"twin": twin})
    >>> source = ExampleSet("pairs", (example("a", "b", 0), example("b", "a", 1)))
    >>> twin_accuracy(Answers(source, {"a": 0, "b": 0})).value, twin_accuracy(Answers(source, {"a": 0, "b": 1})).value
    (0.0, 1.0)
    """
    return twins(run, kind).share(
        lambda two: bool(two.first.right and two.second.right), interval=interval, undefined="no twins"
    )


def _guessing(examples: Sequence[Example]) -> float | None:
    known = {one.id: one for one in examples}
    shares = [
        1 / (len(one.options) * len(known[other].options))
        for one in examples
        if (other := one.features.get("twin")) in known and one.id < other and one.answer != known[other].answer
    ]
    return sum(shares) / len(shares) if shares else None


PLUGINS = {
    "twin-accuracy": Metric(
        "twin-accuracy",
        "Share of twins (examples that differ in one fact and in the answer) that are both answered correctly.",
        twin_accuracy,
        chance=_guessing,
        needs=("labels", "feature:twin"),
        heading="twins",
    )
}
