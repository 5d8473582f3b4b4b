"""What a share or mean counts, case by case, and its estimate: over schemas, or over seeds and schemas.

A metric says only what it counts. Because the cases are known by id, the same tally gives the estimate of one run
(`over_schemas`), that of several seeds (`over_seeds`), and the change from one run to another on the cases of both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from winoglot.statistics.crossed import crossed_mean
from winoglot.statistics.intervals import Estimate, bootstrap_ratio, counted, wilson

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class TallyRow(NamedTuple):
    """A case, and what it adds to the numerator and to the denominator of a share; with denominator 0, nothing."""

    id: str
    cluster: str
    numerator: float
    denominator: float = 1.0


@dataclass(frozen=True)
class Tally:
    """The cases of a share or mean, Σ numerators / Σ denominators. Cases of one cluster depend on each other.

    >>> tally = Tally((TallyRow("a.0", "a", 1.0), TallyRow("a.1", "a", 1.0), TallyRow("b.0", "b", 0.0)))
    >>> print(over_schemas(tally, "wilson"))
    0.667 [0.208, 0.939], n=3, Wilson, items taken as independent
    """

    rows: tuple[TallyRow, ...]
    unit: str = "schema"  # what a cluster is called
    bounds: tuple[float, float] = (0.0, 1.0)  # between which the value of every case lies
    undefined: str = "no items"  # why there is no estimate if there are no cases
    notes: tuple[str, ...] = ()  # what the method of the estimate says besides, such as what was left out
    wilson: Literal["items", "clusters", "never"] = "items"  # what Wilson's interval takes as independent trials

    def where(self, counts: Callable[[TallyRow], bool]) -> Tally:
        """The tally of only the cases that count."""
        return replace(self, rows=tuple(row for row in self.rows if counts(row)))

    def minus(self, other: Tally) -> Tally:
        """The change from the other tally, over the cases that both have with the same denominator."""
        other_numerators = {(row.id, row.denominator): row.numerator for row in other.rows}
        pairs = [(row, other_numerators.get((row.id, row.denominator))) for row in self.rows]
        rows = tuple(row._replace(numerator=row.numerator - old) for row, old in pairs if old is not None)
        low, high = self.bounds
        return replace(self, rows=rows, bounds=(low - high, high - low))


def over_schemas(tally: Tally, interval: str = "bootstrap") -> Estimate:
    """Estimate with an interval that resamples whole schemas or, with `wilson`, Wilson's if the tally allows it."""
    if interval == "wilson" and tally.wilson != "never":
        right, n = round(sum(row.numerator for row in tally.rows)), len(tally.rows)
        estimate = wilson(right, n, undefined=tally.undefined)
        if tally.wilson == "clusters" and estimate.value is not None:
            estimate = replace(estimate, method=f"Wilson over {counted(n, tally.unit)}")
    else:
        estimate = bootstrap_ratio(
            [row.numerator for row in tally.rows],
            [row.denominator for row in tally.rows],
            [row.cluster for row in tally.rows],
            bounds=tally.bounds,
            undefined=tally.undefined,
            unit=tally.unit,
        )
    return replace(estimate, method="; ".join((estimate.method, *tally.notes))) if tally.notes else estimate


def over_seeds(tallies: Sequence[Tally]) -> Estimate:
    """Estimate from one tally per seed, with an interval over seeds and schemas; `n` counts each case once.

    With one seed, the interval is over schemas. The method does not say what was left out, which may differ by seed.

    >>> print(over_seeds([Tally((TallyRow("a.0", "a", 1.0), TallyRow("b.0", "b", 0.0), TallyRow("c.0", "c", 1.0)))]))
    0.667 [0.000, 1.000], n=3, BCa over 3 schemas, one seed
    """
    rows = [(seed, row) for seed, tally in enumerate(tallies) for row in tally.rows]
    if not rows:
        return Estimate.undefined("no model, or no such items")
    first = tallies[0]
    if len(tallies) == 1:
        estimate = over_schemas(replace(first, notes=()))
        return replace(estimate, method=f"{estimate.method}, one seed")
    estimate = crossed_mean(
        [row.numerator for _, row in rows],
        [seed for seed, _ in rows],
        [row.cluster for _, row in rows],
        denominators=[row.denominator for _, row in rows],
        unit="seed",
        cluster_unit=first.unit,
        bounds=first.bounds,
    )
    return replace(estimate, n=len({row.id for _, row in rows if row.denominator}))
