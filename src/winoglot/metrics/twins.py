"""Twins: two examples that differ in one fact, and in the answer because of it.

A solver that answers by anything but that fact gives both the same answer, so it has at most one of them right.

>>> from winoglot.examples import Answers, ExampleSet
>>> def example(name, twin, answer):
...     return Example(name, "g", ("1", "0"), answer, unit="twin group", features={"twin": twin})
>>> source = ExampleSet("pairs", (example("a", "b", 0), example("b", "a", 1)))
>>> [twin_accuracy.of(Answers(source, {"a": 0, "b": choice})).value for choice in (0, 1)]
[0.0, 1.0]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.examples import Example, Outcome
from winoglot.metrics.base import Cases, Metric, labelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcomes
    from winoglot.statistics.tally import Tally


@dataclass(frozen=True)
class _Twins:
    """The outcomes of an example and of its twin."""

    first: Outcome
    second: Outcome

    @property
    def example(self) -> Example:
        return self.first.example


def _twins(run: Outcomes, kind: str | None = None) -> Tally:
    """The twins that the run has both outcomes of and whose answers differ, each two once."""
    outcomes = {outcome.example.id: outcome for outcome in labelled(run, kind).cases}
    twins = [
        _Twins(outcome, outcomes[twin])
        for name, outcome in outcomes.items()
        if (twin := outcome.example.features.get("twin")) in outcomes and name < twin
    ]
    contrasting_twins = Cases(tuple(twins)).where(
        lambda twin_pair: twin_pair.first.example.answer != twin_pair.second.example.answer, "with the same answer"
    )
    return contrasting_twins.tally(
        lambda twin_pair: bool(twin_pair.first.right and twin_pair.second.right), undefined="no twins"
    )


def _guessing(examples: Sequence[Example]) -> float | None:
    by_id = {example.id: example for example in examples}
    shares = [
        1 / (len(example.options) * len(by_id[twin].options))
        for example in examples
        if (twin := example.features.get("twin")) in by_id
        and example.id < twin
        and example.answer != by_id[twin].answer
    ]
    return sum(shares) / len(shares) if shares else None


twin_accuracy = Metric(
    "twin-accuracy",
    "Share of twins (examples that differ in one fact and in the answer) that are both answered correctly.",
    cases=_twins,
    chance=_guessing,
    needs=("labels", "feature:twin"),
    heading="twins",
)
PLUGINS = {"twin-accuracy": twin_accuracy}
