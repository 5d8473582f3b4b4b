"""Representations: how far do other wordings move the states of a model's last layer?

The representation of a text is a vector: for each unit of the last layer, the maximum over the text's tokens
(max-pooling). Two are compared by their correlation distance, 1 − Pearson's r over the units: 0 if one is a positive
multiple of the other plus a constant, 1 if they are uncorrelated, at most 2.

A masked model represents the item with one mask in the pronoun's place. A causal model would see only the beginning of
such a text, so it represents what it reads anyway: each reading, with a candidate in the pronoun's place. Readings with
the same candidate are compared, and the distance of an item is the mean over its candidates, so that it does not depend
on which of them is right.

The items are those of the measure `distribution`; states depend on the whole text in every model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo, not_possible
from winoglot.analysis.distribution import COMMON, NOT_SHOWN, NOTHING, OWN, common_items, probed_changes
from winoglot.schemas.model import ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.analysis.base import Subject
    from winoglot.models.scoring.probes import Probe

DISTANCE = "correlation-distance"


def representation(subject: Subject) -> Iterator[Measurement]:
    """The distance of each kind from its originals."""
    probes = subject.run.probes
    if not any(map(_has_states, probes.values())):
        for kind in subject.perturbations or (ORIGINAL,):
            yield from not_possible((DISTANCE,), NOT_SHOWN, kind)
        return
    shared = common_items(subject, _has_states)
    for kind in subject.perturbations:
        for items_name, originals in ((COMMON, shared), (OWN, None)):
            cases = probed_changes(subject, kind, _has_states, originals)
            estimate = cases.share(
                lambda case: distance(probes[case.original.example.id].pooled, probes[case.example.id].pooled),
                bounds=(0.0, 2.0),
                undefined=NOTHING,
            )
            yield Measurement(DISTANCE, estimate, kind, {"items": items_name})


def _has_states(probe: Probe) -> bool:
    return probe.pooled.size > 0


def distance(first: np.ndarray, second: np.ndarray) -> float:
    """The mean correlation distance between the rows of two tables, row by row.

    >>> round(distance(np.array([[1.0, 2.0, 3.0]]), np.array([[10.0, 30.0, 20.0]])), 6)  # r = ½
    0.5
    >>> distance(np.array([[1.0, 2.0], [0.0, 1.0]]), np.array([[10.0, 20.0], [1.0, 0.0]]))
    1.0
    """
    rows = [
        table - table.mean(axis=1, keepdims=True) for table in (first.astype(np.float64), second.astype(np.float64))
    ]
    lengths = [np.sqrt((table**2).sum(axis=1)) for table in rows]
    correlations = (rows[0] * rows[1]).sum(axis=1) / np.maximum(lengths[0] * lengths[1], np.finfo(np.float64).tiny)
    return float(np.mean(np.clip(1.0 - correlations, 0.0, 2.0)))


PLUGINS = {
    "representation": AnalysisMeasure(
        "Representation of the text",
        "Correlation distance between the max-pooled last layers of an original and its variants.",
        representation,
        {DISTANCE: QuantityInfo("correlation distance", "plain", 0.0)},
        uses_probes=True,
    )
}
