"""Marginal examples: when a model is most clearly right about an item, is it most clearly wrong about its twin?

The items are sorted by how far the right candidate is ahead. The measure is the share of the top 15% whose twin, the
schema's other item, is among the bottom 15%. If twins were unrelated, that would be 15%; if a model prefers one
candidate whatever the segment says, it is 100%.
"""

from __future__ import annotations

from math import floor, isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo, no_scores
from winoglot.metrics.base import labelled
from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.intervals import Estimate, bootstrap_statistic, counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from winoglot.analysis.base import Subject
    from winoglot.examples import Outcome
    from winoglot.statistics.resampling import Floats

SHARE = 0.15
_FEWEST = 4  # pairs: of fewer items, 15% is not even one
_QUANTITY = "twin-in-bottom"


def marginal(subject: Subject) -> Iterator[Measurement]:
    """The share of the originals, and of each kind."""
    for kind in (ORIGINAL, *subject.perturbations):
        reason = no_scores(subject, kind)
        yield Measurement(_QUANTITY, Estimate.undefined(reason) if reason else _twins_in_bottom(subject, kind), kind)


def _twins_in_bottom(subject: Subject, kind: str) -> Estimate:
    margins = np.array([[margin(outcome) for outcome in pair] for pair in pairs(subject, kind)], dtype=float)
    if len(margins) < _FEWEST:
        count = counted(len(margins), "pair")
        return Estimate.undefined(f"{count} with scores, expected at least {_FEWEST}", margins.size)
    unit = subject.outcomes(kind)[0].example.unit
    return bootstrap_statistic(
        len(margins),
        lambda samples: twins_in_bottom(margins[samples]),
        n=_marginal_count(margins.size),
        seed=subject.seed,
        unit=unit,
    )


def pairs(subject: Subject, kind: str) -> list[tuple[Outcome, Outcome]]:
    """The items of each schema that has two, both with scores, whose answers are its two candidates."""
    schemas: dict[str, list[Outcome]] = {}
    for outcome in labelled(subject.run, None if kind == ORIGINAL else kind).two_way().cases:
        if margin(outcome) is not None:
            schemas.setdefault(outcome.example.cluster, []).append(outcome)
    return [
        (pair[0], pair[1])
        for pair in schemas.values()
        if len(pair) == 2 and {outcome.example.answer for outcome in pair} == {0, 1}
    ]


def marginal_items(subject: Subject, kind: str) -> Iterator[dict[str, Any]]:
    """The items with the largest and the smallest margins, and where their twins are: at the top, bottom or between."""
    items = [(outcome, pair[1 - place]) for pair in pairs(subject, kind) for place, outcome in enumerate(pair)]
    items.sort(key=lambda item: -(margin(item[0]) or 0.0))
    number = _marginal_count(len(items)) if len(items) >= 2 * _FEWEST else 0
    ends = {outcome.example.id: "top" for outcome, _ in items[:number]}
    ends |= {outcome.example.id: "bottom" for outcome, _ in items[len(items) - number :]}
    for outcome, twin in items:
        if end := ends.get(outcome.example.id):
            yield {
                "item": outcome.example.id,
                "end": end,
                "margin": margin(outcome),
                "twin": ends.get(twin.example.id, "between"),
                "twin's margin": margin(twin),
                "text": outcome.example.item.text if outcome.example.item else "",
            }


def margin(outcome: Outcome) -> float | None:
    """How far the right one of two candidates is ahead of the wrong one; None without two finite scores."""
    scores, answer = outcome.scores, outcome.example.answer
    if answer is None or len(scores) != 2 or not all(score is not None and isfinite(score) for score in scores):
        return None
    return (scores[answer] or 0.0) - (scores[1 - answer] or 0.0)


def _marginal_count(items: int) -> int:
    """How many items are 15% of them, to the nearest whole number."""
    return floor(SHARE * items + 0.5)


def twins_in_bottom(margins: NDArray[np.float64]) -> Floats:
    """The share of the top items whose twin is in the bottom, of each sample of pairs (samples × schemas × 2).

    >>> pairs = np.array([[5.0, -6.0], [4.0, 1.0], [0.5, -0.5], [0.2, 0.1], [2.0, -5.0], [0.3, 0.4], [0.6, 0.7]])
    >>> twins_in_bottom(pairs[np.newaxis])  # top: 5.0 and 4.0; bottom: -6.0 and -5.0
    array([0.5])
    """
    items = margins.reshape(len(margins), -1)
    number = _marginal_count(items.shape[1])
    partitioned = np.partition(items, (number - 1, items.shape[1] - number), axis=1)
    low, high = partitioned[:, number - 1], partitioned[:, items.shape[1] - number]
    top = margins >= high[:, np.newaxis, np.newaxis]
    bottom = margins <= low[:, np.newaxis, np.newaxis]
    top_with_low_twin = top & bottom[:, :, ::-1]
    return np.asarray(top_with_low_twin.sum(axis=(1, 2)) / top.sum(axis=(1, 2)))


PLUGINS = {
    "marginal": AnalysisMeasure(
        "Marginal examples",
        "How many of the 15% of items with the largest margins have their twin among the 15% with the smallest.",
        marginal,
        {_QUANTITY: QuantityInfo("top items whose twin is in the bottom", "percent", SHARE)},
        items=marginal_items,
    )
}
