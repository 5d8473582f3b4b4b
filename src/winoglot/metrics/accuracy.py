"""How many items are right: accuracy, quality and success, which differ in how they treat abstentions, and pairs.

With n labelled items, h right answers and θ abstentions, accuracy (also called exactness) is h / n, quality h / (n − θ)
and success (h + θ/2) / n. Whatever of success exceeds one half is what the solver knows, so solvers that abstain at
different rates can be compared by it: its knowledge p is 2 · success − 1, 0 for guessing and 1 for knowing all.
The F1 of Emami et al. (2018) is the harmonic mean of exactness and quality, which they call recall and precision.
Seminck et al. (2019) object that nothing is retrieved here: the two are not independent, exactness cannot rise without
quality, so that their mean says nothing that success does not say better. F1 is there to set beside published figures.

>>> import winoglot as wg
>>> from winoglot.examples import Answers
>>> collection = wg.load("winoglot-en")
>>> run = Answers(collection, {"piano-sale.0": 1, "piano-sale.1": None})
>>> accuracy.of(run).value, success.of(run).value
(0.5, 0.75)
>>> print(quality.of(run))
1.000 [0.025, 1.000], n=1, exact (Clopper-Pearson) over 1 schema; left out: 1 abstained

Pair accuracy counts schemas with two or more items, and those whose items are all right. A solver that picks the same
candidate whatever the segment says has an accuracy of one half and a pair accuracy of 0; two coin tosses give one
quarter.

>>> always_first = Answers(collection, {item.id: 0 for item in collection.items[:12]})
>>> print(accuracy.of(always_first, interval="wilson"))
0.500 [0.254, 0.746], n=12, Wilson, items taken as independent
>>> print(pair_accuracy.of(always_first))
0.000 [0.000, 0.459], n=6, exact (Clopper-Pearson) over 6 schemas, all alike

`chance_test` compares with a solver that knows nothing of the answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from winoglot.examples import Example, Outcome
from winoglot.metrics.base import Cases, Metric, guessing, labelled
from winoglot.statistics.significance import against_chance, turn_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcomes
    from winoglot.statistics.intervals import Estimate
    from winoglot.statistics.significance import Alternative, PValue
    from winoglot.statistics.tally import Tally


def _labelled_items(run: Outcomes, kind: str | None = None) -> Tally:
    return labelled(run, kind).tally(lambda outcome: outcome.right, undefined="no labelled items")


def _answered_items(run: Outcomes, kind: str | None = None) -> Tally:
    answered = labelled(run, kind).where(lambda outcome: outcome.choice is not None, "abstained")
    return answered.tally(lambda outcome: outcome.right, undefined="no answered items")


def _two_way_items(run: Outcomes, kind: str | None = None) -> Tally:
    # Half a right answer is no trial that succeeds or fails, so Wilson's interval does not apply.
    two_way = labelled(run, kind).two_way()
    return two_way.tally(credit, undefined="no labelled items with two candidates", wilson="never")


def _knowledge(run: Outcomes, kind: str | None = None) -> Tally:
    two_way = labelled(run, kind).two_way()
    undefined = "no labelled items with two candidates"
    return two_way.tally(
        lambda outcome: 2 * credit(outcome) - 1, bounds=(-1.0, 1.0), undefined=undefined, wilson="never"
    )


def _f1(run: Outcomes, kind: str | None = None) -> Tally:
    # 2h / (n + answered) is the harmonic mean of h / n and h / answered.
    return labelled(run, kind).tally(
        lambda outcome: 2 * bool(outcome.right),
        lambda outcome: 1 + (outcome.choice is not None),
        undefined="no labelled items",
        wilson="never",
    )


def credit(outcome: Outcome) -> float:
    """1 for a right answer, 0 for a wrong one, and for an abstention what guessing gives."""
    return 1 / len(outcome.example.options) if outcome.choice is None else float(bool(outcome.right))


def chance_test(run: Outcomes, kind: str | None = None, *, alternative: Alternative = "two-sided") -> PValue:
    """Test that a solver picks options without knowing the answers, by turning the key of whole schemas.

    All labelled items count: of k options guessing is right once in k, and an abstention counts the same.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> collection = wg.load("winoglot-en")
    >>> print(chance_test(Answers(collection, {item.id: item.answer for item in collection.items[:12]})))
    p=0.031, n=6, exact flips of 6 schemas
    """
    items = labelled(run, kind)
    options = [len(outcome.example.options) for outcome in items.cases]
    if all(number == 2 for number in options):
        scores = [credit(outcome) for outcome in items.cases]
        test = against_chance(scores, items.clusters, alternative=alternative, unit=items.unit)
    else:
        choices = [outcome.choice for outcome in items.cases]
        answers = [outcome.example.answer or 0 for outcome in items.cases]
        test = turn_test(choices, answers, options, items.clusters, alternative=alternative, unit=items.unit)
    return replace(test, method=items.note(test.method))


def with_guesses(run: Outcomes, kind: str | None = None) -> Estimate:
    """The expected accuracy if the solver guessed where it abstained: what the test compares with guessing."""
    return labelled(run, kind).share(credit, undefined="no labelled items")


@dataclass(frozen=True)
class _Cluster:
    """The outcomes of the labelled items of one schema."""

    outcomes: tuple[Outcome, ...]

    @property
    def example(self) -> Example:
        return self.outcomes[0].example


def _pairs(run: Outcomes, kind: str | None = None) -> Tally:
    items = labelled(run, kind)
    clusters: dict[str, list[Outcome]] = {}
    for outcome in items.cases:
        clusters.setdefault(outcome.example.cluster, []).append(outcome)
    all_clusters = Cases(tuple(_Cluster(tuple(outcomes)) for outcomes in clusters.values()), items.left_out)
    pairs = all_clusters.where(lambda cluster: len(cluster.outcomes) > 1, "with a single item")
    return pairs.tally(
        lambda cluster: all(outcome.right for outcome in cluster.outcomes),
        undefined=f"no {pairs.unit}s with two or more labelled items",
        wilson="clusters",
    )


def pair_guessing(examples: Sequence[Example]) -> float | None:
    """The share of clusters of several examples that guessing gets right as a whole."""
    clusters: dict[str, list[float]] = {}
    for example in examples:
        if example.answer is not None:
            clusters.setdefault(example.cluster, []).append(1 / len(example.options))
    shares = [prod(chances) for chances in clusters.values() if len(chances) > 1]
    return sum(shares) / len(shares) if shares else None


accuracy = Metric(
    "accuracy",
    "Share of labelled items answered correctly; an abstention is not correct.",
    cases=_labelled_items,
    chance=guessing,
    needs=("labels",),
)
quality = Metric(
    "quality",
    "Share of correct answers among the answers, abstentions left out.",
    cases=_answered_items,
    chance=guessing,
    needs=("labels",),
    shown="json",
)
success = Metric(
    "success",
    "Accuracy with every abstention counted as one half; items of two candidates only.",
    cases=_two_way_items,
    chance=1 / 2,
    needs=("labels",),
    shown="json",
)
knowledge = Metric(
    "knowledge",
    "2 · success − 1: what exceeds guessing, 0 for a solver that knows nothing and 1 for one that knows all.",
    cases=_knowledge,
    chance=0.0,
    needs=("labels",),
    shown="json",
)
f1 = Metric(
    "f1",
    "Harmonic mean of exactness and quality (Emami et al. 2018); success is the better summary.",
    cases=_f1,
    needs=("labels",),
    shown="by name",
)
pair_accuracy = Metric(
    "pair-accuracy",
    "Share of schemas (or other clusters) whose items are all answered correctly.",
    cases=_pairs,
    chance=pair_guessing,
    needs=("labels", "clusters"),
    heading="pairs",
)
PLUGINS = {
    "accuracy": accuracy,
    "exactness": replace(accuracy, description="Another name for accuracy.", shown="by name"),
    "quality": quality,
    "success": success,
    "knowledge": knowledge,
    "f1": f1,
    "pair-accuracy": pair_accuracy,
}
