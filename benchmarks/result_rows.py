"""Rows of `results/findings.csv`: a label, what it is about, an estimate and, if something is tested, a p-value.

A row is made of tallies, one per seed of a training or a single one. Tests exchange the signs of whole schemas; the
translations of a schema have its id, so that those of several languages move together. Of several seeds the mean of
each item is tested, and the interval is over seeds and schemas.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any

import numpy as np

from winoglot.statistics.intervals import Estimate, group_totals, mean_of_means
from winoglot.statistics.significance import flip_test, holm
from winoglot.statistics.tally import Tally, over_schemas, over_seeds

COLUMNS = (
    *("finding", "role", "label", "model", "collection", "language", "scoring", "readings", "kind", "subset"),
    *("metric", "unit", "value", "low", "high", "n", "method", "p", "p_holm", "experiment"),
)
PRIMARY, EXPLORATORY = "primary", "exploratory"
EXCHANGES = 9_999  # of signs, or between groups, where not all are counted
SHARE, POINTS = "%", "points"  # units; values are fractions of 1 in both

About = Mapping[str, str]  # columns by name
Seeds = Sequence[Tally]  # one tally per seed of a training; a single one if there was none

_NOTHING: About = MappingProxyType({})


@dataclass(frozen=True)
class Row:
    """A number of a finding; `about` has the other columns that it fills."""

    label: str
    metric: str
    estimate: Estimate
    p: float | None = None
    unit: str = SHARE
    role: str = EXPLORATORY
    about: About = field(default_factory=dict)


def mean_row(
    label: str,
    metric: str,
    seeds: Seeds,
    *,
    level: float | None = None,
    unit: str = SHARE,
    about: About = _NOTHING,
) -> Row:
    """The mean over all cases and seeds, tested against `level` if there is one."""
    estimate = over_schemas(seeds[0]) if len(seeds) == 1 else over_seeds(seeds)
    p = None if level is None or estimate.value is None else sign_test(seeds, level)
    return Row(label, metric, estimate, p, unit, about=about)


def change_row(label: str, metric: str, after: Seeds, before: Seeds, *, about: About = _NOTHING) -> Row:
    """The mean change on the same cases, tested against 0."""
    return mean_row(label, f"{metric}-difference", minus(after, before), level=0.0, unit=POINTS, about=about)


def minus(after: Seeds, before: Seeds) -> list[Tally]:
    """Seed by seed, or every seed minus the only one that there is before.

    If one side has more seeds, as when a training has failed, the last of them do not count; the method says how many
    did.
    """
    if len(before) == 1:
        return [tally.minus(before[0]) for tally in after]
    return [first.minus(second) for first, second in zip(after, before, strict=False)]


def mean_tally(seeds: Seeds) -> Tally:
    """For each case the mean of the seeds that count it."""
    cases: dict[str, list[Any]] = {}
    for tally in seeds:
        for row in tally.rows:
            if row.denominator:
                cases.setdefault(row.id, []).append(row)
    rows = [rows[0]._replace(numerator=sum(row.numerator for row in rows) / len(rows)) for rows in cases.values()]
    return replace(seeds[0], rows=tuple(rows))


def sign_test(seeds: Seeds, level: float = 0.0) -> float:
    """The two-sided p-value for a mean of `level`: signs of whole schemas are exchanged."""
    rows = mean_tally(seeds).rows
    values = [row.numerator - level * row.denominator for row in rows]
    return flip_test(values, [row.cluster for row in rows], flips=EXCHANGES).value


def strata_row(label: str, metric: str, strata: Sequence[Tally], *, unit: str = POINTS, about: About = _NOTHING) -> Row:
    """The mean over strata, such as kinds of variants, of the mean over their cases, tested against 0."""
    strata = [tally for tally in strata if tally.rows]
    if not strata:
        return Row(label, metric, Estimate.undefined("no such items"), None, unit, about=about)
    clusters = np.unique([row.cluster for tally in strata for row in tally.rows])
    groups = [np.searchsorted(clusters, [row.cluster for row in tally.rows]).astype(np.int64) for tally in strata]
    values = [np.array([row.numerator / row.denominator for row in tally.rows]) for tally in strata]
    estimate = mean_of_means(values, groups, bounds=strata[0].bounds, unit=strata[0].unit)
    totals = group_totals(values, groups)
    p = flip_test(totals, np.arange(len(totals)), flips=EXCHANGES, unit=strata[0].unit).value
    return Row(label, metric, estimate, p, unit, about=about)


def pooled(tallies: Mapping[str, Tally]) -> Tally:
    """The cases of several collections as one; schemas of the same id are translations and stay together."""
    first = next(iter(tallies.values()))
    rows = (row._replace(id=f"{name}/{row.id}") for name, tally in tallies.items() for row in tally.rows)
    return replace(first, rows=tuple(rows), notes=())


def described(finding: str, experiment: str, row: Row) -> dict[str, Any]:
    """A row as the file has it, without the corrected p-value."""
    estimate = row.estimate
    numbers = {name: getattr(estimate, name) for name in ("value", "low", "high", "n", "method")}
    heads = {"finding": finding, "role": row.role, "label": row.label, "metric": row.metric, "unit": row.unit}
    return dict.fromkeys(COLUMNS, "") | heads | dict(row.about) | numbers | {"p": row.p, "experiment": experiment}


def corrected(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows with p-values corrected by Holm's method: over all primary rows, and over the others of each finding."""
    families: dict[str, list[int]] = {}
    for place, row in enumerate(rows):
        if row["p"] is not None:
            family = PRIMARY if row["role"] == PRIMARY else row["finding"]
            families.setdefault(family, []).append(place)
    adjusted = {
        place: p
        for places in families.values()
        for place, p in zip(places, holm([rows[place]["p"] for place in places]), strict=True)
    }
    return [{**row, "p_holm": adjusted.get(place)} for place, row in enumerate(rows)]
