"""How much other wordings change the answers: accuracy, Δ accuracy, stability, pairs, robust accuracy.

The primary figure is the mean Δ: for each kind the accuracy on its variants minus that on their originals, averaged
over the kinds, with an interval from resampling schemas. Single kinds are secondary, and their p-values are corrected
with Holm's method. Since `gender` and `number` change names too, they are also compared with the same items under other
names of the same gender and number; how far accuracy moves from one draw of names to the next is the noise floor.

Pair accuracy is set beside that of random pairs, two items of different schemas: nothing links these, so what pairs of
twins have more than random ones is due to answers that follow the segment, and what they have less to answers that
ignore it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.analysis.base import ALL, AnalysisMeasure, Measurement, QuantityInfo, not_possible
from winoglot.metrics.accuracy import accuracy, pair_accuracy
from winoglot.metrics.base import labelled
from winoglot.metrics.renaming import name_spread, renamed_sd
from winoglot.metrics.robustness import (
    Change,
    delta_accuracy,
    delta_quality,
    labelled_changes,
    robust_accuracy,
    stability,
)
from winoglot.metrics.subsets import subsets
from winoglot.perturb.renamed.draws import draw_kind
from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.intervals import Estimate, cluster_bootstrap, cluster_sums, counted
from winoglot.statistics.power import MeanDesign, minimum_detectable_difference, paired_design
from winoglot.statistics.significance import between_solvers, flip_test, holm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from winoglot.analysis.base import Subject
    from winoglot.examples import Outcomes
    from winoglot.statistics.resampling import Floats

RENAMED = "renamed"
_RENAMING = ("gender", "number")  # kinds that change the names of people
_FEWEST = 3  # schemas: one is left out to correct the interval, and two must remain to pair
_ASSOCIATIVE = ("associative", "not associative")


def sensitivity(subject: Subject) -> Iterator[Measurement]:
    """All quantities, for the originals, each kind, and the kinds together."""
    run = subject.run
    for kind in (ORIGINAL, *subject.kinds):
        if kind == ORIGINAL or any(outcome.right is not None for outcome in subject.outcomes(kind)):
            asked_kind = None if kind == ORIGINAL else kind
            yield Measurement("accuracy", accuracy.of(run, asked_kind), kind)
            yield Measurement("pair-accuracy", pair_accuracy.of(run, asked_kind), kind)
            yield from _random_pairs(run, kind)
            yield from _by_association(run, kind)
    if not subject.perturbations:
        yield from not_possible(("mean-delta", "robust-accuracy"), "no variants that keep the answer were asked", ALL)
        return
    yield mean_delta(run, subject.perturbations)
    yield Measurement("robust-accuracy", robust_accuracy.of(run), ALL)
    yield from _single_kinds(run, subject.perturbations)
    yield from _renaming(run, subject.perturbations)


def _random_pairs(run: Outcomes, kind: str) -> Iterator[Measurement]:
    """Pair accuracy if items were paired at random across schemas, exactly, and how far pairs of twins are above it."""
    schemas: dict[str, list[bool]] = {}
    items = labelled(run, None if kind == ORIGINAL else kind)
    for outcome in items.cases:
        schemas.setdefault(outcome.example.cluster, []).append(bool(outcome.right))
    rows = np.array([(sum(pair), all(pair), 1) for pair in schemas.values() if len(pair) == 2], dtype=np.float64)
    if len(rows) < _FEWEST:
        reason = f"{counted(len(rows), items.unit)} with two labelled items, expected at least {_FEWEST}"
        yield from not_possible(("random-pair-accuracy", "pair-gain"), reason, kind)
        return
    about: dict[str, Any] = {"n": len(rows), "unit": items.unit}
    yield Measurement("random-pair-accuracy", cluster_bootstrap(rows, _random_pair_accuracy, rows[:, 0], **about), kind)
    gain = cluster_bootstrap(
        rows,
        lambda totals: totals[..., 1] / totals[..., 2] - _random_pair_accuracy(totals),
        rows[:, 0],
        bounds=(-1.0, 1.0),
        **about,
    )
    yield Measurement("pair-gain", gain, kind)


def _random_pair_accuracy(totals: Floats) -> Floats:
    """Of all pairs of items from different schemas, the share with both right; (Σr)² − Σr² counts them in order.

    A schema with r of two items right has r² = r + 2 if both are right, and r² = r if one or none is.
    """
    right, both, schemas = totals[..., 0], totals[..., 1], totals[..., 2]
    return np.asarray((right**2 - right - 2 * both) / (4 * schemas * (schemas - 1)))


def _by_association(run: Outcomes, kind: str) -> Iterator[Measurement]:
    """Accuracy on items whose segment suggests the answer by association, and on the others."""
    asked_kind = None if kind == ORIGINAL else kind
    parts = subsets(run, asked_kind)
    if kind == ORIGINAL and _ASSOCIATIVE[0] not in parts:
        reason = "no item has the tag 'associative'"
        yield Measurement("accuracy", Estimate.undefined(reason), kind, {"subset": _ASSOCIATIVE[0]})
    for name in _ASSOCIATIVE:
        if name in parts:
            yield Measurement("accuracy", accuracy.of(parts[name], asked_kind), kind, {"subset": name})


# The mean over kinds, and each of them


def mean_delta(run: Outcomes, kinds: Sequence[str]) -> Measurement:
    """The mean of Δ accuracy over kinds, with interval, p-value and the smallest mean that would be detected."""
    cases_by_kind = {kind: cases for kind in kinds if (cases := labelled_changes(run, kind)).cases}
    if not cases_by_kind:
        return next(not_possible(["mean-delta"], "no labelled items with variants", ALL))
    unit = next(iter(cases_by_kind.values())).unit
    clusters = [cluster for cases in cases_by_kind.values() for cluster in cases.clusters]
    gains = [np.array([_gain(case) for case in cases.cases]) for cases in cases_by_kind.values()]
    columns = []  # for each kind the gain and the number of items; 0 for the items of other kinds
    for place, kind_gains in enumerate(gains):
        for values in (kind_gains, np.ones(len(kind_gains))):
            columns.append(
                np.concatenate([values if index == place else np.zeros(len(g)) for index, g in enumerate(gains)])
            )
    rows = cluster_sums(clusters, *columns)
    is_changed = float(rows[:, 0::2].any())  # a schema that loses one item and gains the other has changed nothing
    estimate = cluster_bootstrap(
        rows,
        _mean_of_ratios,
        is_changed * np.arange(len(rows), dtype=np.float64),
        n=len({case.original.example.id for cases in cases_by_kind.values() for case in cases.cases}),
        bounds=(-1.0, 1.0),
        unit=unit,
    )
    weights = [kind_gains / (len(gains) * len(kind_gains)) for kind_gains in gains]
    numbers = {
        "p": flip_test(np.concatenate(weights), clusters, unit=unit).value,
        "detectable": _detectable_mean(rows),
        "kinds": float(len(gains)),
    }
    return Measurement("mean-delta", estimate, ALL, numbers=numbers)


def _mean_of_ratios(totals: Floats) -> Floats:
    with np.errstate(invalid="ignore", divide="ignore"):  # a sample may have no schema with some kind
        return np.asarray((totals[..., 0::2] / totals[..., 1::2]).mean(axis=-1))


def _detectable_mean(rows: Floats) -> float | None:
    """The smallest mean that would be detected, by the spread of the schemas' parts in the mean of ratios."""
    gains, counts = rows[:, 0::2], rows[:, 1::2]
    ratios = gains.sum(axis=0) / counts.sum(axis=0)
    parts = ((gains - ratios * counts) / counts.mean(axis=0)).mean(axis=1)
    spread = float(parts.var(ddof=1)) if len(parts) > 1 else 0.0
    return minimum_detectable_difference(MeanDesign(spread), len(rows)) if spread else None


def _single_kinds(run: Outcomes, kinds: Sequence[str]) -> Iterator[Measurement]:
    """Δ accuracy and stability of each kind, with p-values corrected for the number of kinds."""
    numbers_by_kind: dict[str, dict[str, float | None]] = {}
    for kind in kinds:
        cases = labelled_changes(run, kind)
        if len(cases.cases) > 1:
            after = [float(bool(case.variant.right)) for case in cases.cases]
            original_right = [float(bool(case.original.right)) for case in cases.cases]
            design, schemas = paired_design(after, original_right, cases.clusters), len(set(cases.clusters))
            numbers_by_kind[kind] = {
                "p": between_solvers(after, original_right, cases.clusters, unit=cases.unit).value,
                "detectable": minimum_detectable_difference(design, schemas) if design.design_effect else None,
            }
    corrected_p = holm([numbers["p"] or 0.0 for numbers in numbers_by_kind.values()]) if numbers_by_kind else []
    for (kind, numbers), p in zip(numbers_by_kind.items(), corrected_p, strict=True):
        numbers_by_kind[kind] = {"p": numbers["p"], "corrected_p": p, "detectable": numbers["detectable"]}
    for kind in kinds:
        delta, of_answers = delta_accuracy.of(run, kind), delta_quality.of(run, kind)
        yield Measurement("delta", delta, kind, numbers=numbers_by_kind.get(kind, {}))
        if of_answers.n < delta.n:  # the solver abstained
            yield Measurement("delta-quality", of_answers, kind)
        yield Measurement("stability", stability.of(run, kind), kind)


def _gain(change: Change) -> float:
    return float(bool(change.variant.right)) - float(bool(change.original.right))


# Compared with other names


def _renaming(run: Outcomes, kinds: Sequence[str]) -> Iterator[Measurement]:
    redrawn = _right_when_renamed(run)
    if not redrawn:
        reason = "names were not redrawn"
        yield from not_possible(["noise-floor"], reason, RENAMED)
        for kind in _RENAMING:
            if kind in kinds:
                yield from not_possible(["delta-to-renamed"], reason, kind)
        return
    floor = renamed_sd(run)
    if floor.value is not None and floor.low is not None and floor.high is not None:
        floor = Estimate(floor.value / 100, floor.low / 100, floor.high / 100, floor.n, floor.method)
    spread = name_spread(run)
    numbers: dict[str, float | None] = {}
    if spread is not None:
        numbers = {"draws": float(spread.draws), "lowest": spread.lowest, "highest": spread.highest}
    yield Measurement("noise-floor", floor, RENAMED, numbers=numbers)
    for kind in (name for name in _RENAMING if name in kinds):
        cases = labelled_changes(run, kind).where(
            lambda change: change.original.example.id in redrawn, "in which nobody can be renamed"
        )
        yield Measurement(
            "delta-to-renamed",
            cases.share(
                lambda change: bool(change.variant.right) - redrawn[change.original.example.id],
                bounds=(-1.0, 1.0),
                undefined="no labelled items in which people can be renamed",
            ),
            kind,
        )


def _right_when_renamed(run: Outcomes) -> Mapping[str, float]:
    """The share of draws of names in which each original is right; without draws, whether its `renamed` variant is."""
    rights: dict[str, list[float]] = {}
    kinds, number = [], 1
    while run.outcomes(draw_kind(number)):
        kinds.append(draw_kind(number))
        number += 1
    for kind in kinds or [RENAMED]:
        for outcome in run.outcomes(kind):
            if outcome.right is not None:
                rights.setdefault(outcome.example.variant_of or "", []).append(float(outcome.right))
    return {original: sum(right) / len(right) for original, right in rights.items()}


PLUGINS = {
    "sensitivity": AnalysisMeasure(
        "Sensitivity to other wordings",
        "Accuracy, its change on the same items with the mean over kinds, stability, pair and robust accuracy.",
        sensitivity,
        {
            "mean-delta": QuantityInfo("mean change of accuracy over kinds", "points", 0.0),
            "robust-accuracy": QuantityInfo("robust accuracy", "percent"),
            "delta": QuantityInfo("change of accuracy", "points", 0.0),
            "delta-quality": QuantityInfo("change of accuracy on items answered in both", "points", 0.0),
            "accuracy": QuantityInfo("accuracy", "percent", 0.5),
            "stability": QuantityInfo("stability", "percent"),
            "pair-accuracy": QuantityInfo("pair accuracy", "percent", 0.25),
            "random-pair-accuracy": QuantityInfo("pair accuracy of items paired at random", "percent", 0.25),
            "pair-gain": QuantityInfo("pair accuracy above that of random pairs", "points", 0.0),
            "delta-to-renamed": QuantityInfo("change of accuracy compared with other names", "points", 0.0),
            "noise-floor": QuantityInfo("standard deviation over draws of names, in points", "percent"),
        },
        uses_draws=True,
    )
}
