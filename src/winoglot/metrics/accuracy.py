"""How many items are right: accuracy, quality and success, which differ in how they treat abstentions, and pairs.

With n labelled items, h right answers and θ abstentions, accuracy (also called exactness) is h / n, quality h / (n − θ)
and success (h + θ/2) / n. `chance_test` compares with a solver that knows nothing of the answers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING

from winoglot.examples import Example, Outcome
from winoglot.metrics.base import Cases, Metric, guessing, labelled
from winoglot.statistics.intervals import counted
from winoglot.statistics.significance import against_chance, turn_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcomes
    from winoglot.statistics.intervals import Estimate
    from winoglot.statistics.significance import Alternative, PValue


def accuracy(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """h / n: right answers over labelled items; an abstention does not count as right.

    Of the originals or, if a kind is named, of its variants. `interval` is `bootstrap`, over whole schemas, or
    `wilson`, which takes items as independent.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> collection = wg.load("winoglot-en")
    >>> always_first = Answers(collection, {item.id: 0 for item in collection.items[:12]})
    >>> print(accuracy(always_first, interval="wilson"))
    0.500 [0.254, 0.746], n=12, Wilson, items taken as independent
    """
    return labelled(run, kind).share(lambda outcome: outcome.right, interval=interval, undefined="no labelled items")


def quality(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """h / (n − θ): right answers over answers; the θ abstentions are left out and counted.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> run = Answers(wg.load("winoglot-en"), {"piano-sale.0": 1, "piano-sale.1": None})
    >>> print(quality(run))
    1.000 [0.025, 1.000], n=1, exact (Clopper-Pearson) over 1 schema; left out: 1 abstained
    """
    answered = labelled(run, kind).where(lambda outcome: outcome.choice is not None, "abstained")
    return answered.share(lambda outcome: outcome.right, interval=interval, undefined="no answered items")


def success(run: Outcomes, kind: str | None = None) -> Estimate:
    """(h + θ/2) / n: each of the θ abstentions counts one half; only items with two candidates are included.

    Whatever exceeds one half is what the solver knows, so solvers that abstain at different rates can be compared. The
    interval is always the bootstrap's: Wilson's is for right and wrong only.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> success(Answers(wg.load("winoglot-en"), {"piano-sale.0": 1, "piano-sale.1": None})).value
    0.75
    """
    return labelled(run, kind).two_way().share(credit, undefined="no labelled items with two candidates")


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


@dataclass(frozen=True)
class _Cluster:
    """The outcomes of the labelled items of one schema."""

    outcomes: tuple[Outcome, ...]

    @property
    def example(self) -> Example:
        return self.outcomes[0].example


def pairs(run: Outcomes, kind: str | None = None) -> Cases[_Cluster]:
    """The schemas with two or more labelled items."""
    items = labelled(run, kind)
    clusters: dict[str, list[Outcome]] = {}
    for outcome in items.cases:
        clusters.setdefault(outcome.example.cluster, []).append(outcome)
    found = Cases(tuple(_Cluster(tuple(outcomes)) for outcomes in clusters.values()), items.left_out)
    return found.where(lambda cluster: len(cluster.outcomes) > 1, "with a single item")


def pair_accuracy(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """Schemas whose items are all right over schemas with two or more items; `n` counts schemas.

    A solver that picks the same candidate whatever the segment says has an accuracy of one half and a pair accuracy of
    0; two coin tosses give one quarter. Only labelled items for which the run has an outcome are considered.

    >>> import winoglot as wg
    >>> from winoglot.examples import Answers
    >>> collection = wg.load("winoglot-en")
    >>> print(pair_accuracy(Answers(collection, {item.id: 0 for item in collection.items[:12]})))
    0.000 [0.000, 0.459], n=6, exact (Clopper-Pearson) over 6 schemas, all alike
    """
    found = pairs(run, kind)
    nothing = f"no {found.unit}s with two or more labelled items"
    made = found.share(
        lambda cluster: all(outcome.right for outcome in cluster.outcomes), interval=interval, undefined=nothing
    )
    if interval == "wilson" and made.value is not None:
        return found.noted(replace(made, method=f"Wilson over {counted(made.n, found.unit)}"))
    return made


def pair_guessing(examples: Sequence[Example]) -> float | None:
    """The share of clusters of several examples that guessing gets right as a whole."""
    clusters: dict[str, list[float]] = {}
    for one in examples:
        if one.answer is not None:
            clusters.setdefault(one.cluster, []).append(1 / len(one.options))
    shares = [prod(one) for one in clusters.values() if len(one) > 1]
    return sum(shares) / len(shares) if shares else None


_ACCURACY = Metric(
    "accuracy",
    "Share of labelled items answered correctly; an abstention is not correct.",
    accuracy,
    chance=guessing,
    needs=("labels",),
)
PLUGINS = {
    "accuracy": _ACCURACY,
    "exactness": replace(_ACCURACY, description="Another name for accuracy.", shown="by name"),
    "quality": Metric(
        "quality",
        "Share of correct answers among the answers, abstentions left out.",
        quality,
        chance=guessing,
        needs=("labels",),
        shown="json",
    ),
    "success": Metric(
        "success",
        "Accuracy with every abstention counted as one half; items of two candidates only.",
        success,
        chance=1 / 2,
        needs=("labels",),
        shown="json",
    ),
    "pair-accuracy": Metric(
        "pair-accuracy",
        "Share of schemas (or other clusters) whose items are all answered correctly.",
        pair_accuracy,
        chance=pair_guessing,
        needs=("labels", "clusters"),
        heading="pairs",
    ),
}
