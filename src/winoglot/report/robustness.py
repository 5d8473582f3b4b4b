"""Sections made from the table of metrics: robustness, preference for a mention, and metrics of other packages."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.metrics.base import Metric, metrics
from winoglot.report import figures
from winoglot.report.rows import Coefficient
from winoglot.report.section import Section, bar, cells
from winoglot.report.table import Table, percent

if TYPE_CHECKING:
    from winoglot.report.columns import Column
    from winoglot.report.summary import RunSummary, Summary
    from winoglot.statistics.intervals import Estimate

_DRAWN = ("pair-accuracy", "consistency", "stability")
_CHANGE, _PREFERENCE = "delta-accuracy", "position-preference"
_MISSING = {
    "pair-accuracy": "No schema has two or more labelled items, so pair accuracy is undefined.",
    "consistency": "No switched variants were evaluated, so consistency is undefined (add --kinds switched).",
}


@dataclass(frozen=True)
class _Measure:
    """A metric, of the originals or of a kind of variant."""

    metric: Metric
    kind: str | None = None

    @property
    def label(self) -> str:
        return f"{_name(self.metric)}, {self.kind}" if self.kind else _name(self.metric)

    def of(self, run: RunSummary) -> Estimate | None:
        found = run.metrics if self.kind is None else run.kinds.get(self.kind, {})
        estimate = found.get(self.metric.name)
        if estimate is None or self.metric.unit == "%":
            return estimate
        return Coefficient(estimate.value, estimate.low, estimate.high, estimate.n, estimate.method)

    def chance(self, column: Column) -> float | None:
        return self.metric.chance_on(column.of_kind(self.kind))


def _name(metric: Metric) -> str:
    return metric.name.replace("-", " ")


def _measures(summary: Summary, *names: str, but: tuple[str, ...] = ()) -> list[_Measure]:
    """What has a value in some run, of the metrics named or of all but some."""
    kinds = dict.fromkeys(kind for one in summary.runs for kind in one.kinds)
    wanted = [one for one in metrics() if (one.name in names if names else one.name not in but)]
    known = [_Measure(one, kind) for one in wanted for kind in (kinds if one.is_by_kind else (None,))]
    return [one for one in known if any(_has(one.of(run)) for run in summary.runs)]


def _has(estimate: Estimate | None) -> bool:
    return estimate is not None and estimate.value is not None


def robustness(summary: Summary) -> Section:
    """Pair accuracy, consistency and stability, each against its chance level, and changes of accuracy."""
    shown = _measures(summary, *_DRAWN)
    bars = [
        bar(one, estimate, series=measure.label, chance=measure.chance(one.column))
        for one in summary.runs
        for measure in shown
        if (estimate := measure.of(one)) is not None and estimate.value is not None
    ]
    tables = [
        Table(
            f"robustness-{number}",
            f"Robustness in {column.label}, percent [95% interval]",
            ("solver", *(measure.label for measure in shown)),
            tuple((one.solver, *(measure.of(one) for measure in shown)) for one in summary.of(column)),
        )
        for number, column in enumerate(summary.columns, 1)
        if shown
    ]
    changes = [
        _table(
            summary,
            measure,
            f"change-{measure.kind}",
            f"Change of accuracy from the originals to their {measure.kind} variants, in points [95% interval]",
            is_signed=True,
        )
        for measure in _measures(summary, _CHANGE)
    ]
    return Section(
        "robustness",
        "Robustness",
        _lead(summary, shown) if summary.has_schemas or shown or changes else (),
        figures=figures.robustness(bars) if bars else (),
        tables=tables,
        more=changes,
    )


def _lead(summary: Summary, shown: list[_Measure]) -> tuple[str, ...]:
    if not summary.has_schemas:
        return tuple(dict.fromkeys(f"{_name(one.metric).capitalize()}: {one.metric.description}" for one in shown))
    lead = (
        "Pair accuracy is the share of schemas whose items are all right: always taking the same candidate gives 0%, "
        "guessing 25%. Consistency is how often the choice follows the candidates when they are switched; stability, "
        "how often it stays the same when a change of the text keeps the answer; guessing gives 50% for both. Neither "
        "says that a choice is right: always taking the candidate mentioned first is perfectly consistent. A schema "
        "with an abstention is not right as a whole; consistency and stability leave abstentions out, so their "
        "n may be small."
    )
    found = {measure.metric.name for measure in shown}
    return (lead, *(reason for name, reason in _MISSING.items() if name not in found))


def preference(summary: Summary) -> Section:
    """Which mention a solver chooses if nothing shows which is meant: one table per kind that removes the answer."""
    tables = [
        _table(
            summary,
            measure,
            f"preference-{measure.kind}",
            "Share of answers that are the candidate mentioned first, in percent [95% interval], "
            f"{measure.kind} variants",
        )
        for measure in _measures(summary, _PREFERENCE)
    ]
    lead = (
        "When the deciding words are masked, nothing shows which candidate is meant, so no answer is right or wrong; "
        "what remains is a preference. 100 means always the candidate mentioned first, 0 always the second, 50 no "
        "preference. Abstentions are left out."
    )
    return Section("preference", "Preference for a mention", (lead,) if tables else (), tables=tables)


def other_metrics(summary: Summary) -> Section:
    """Metrics from other packages: one table each, or one per kind of variant."""
    found = _measures(summary, but=("accuracy", *_DRAWN, _CHANGE, _PREFERENCE))
    tables = []
    for measure in found:
        unit = ", percent" if measure.metric.unit == "%" else ""
        kind = f", {measure.kind} variants" if measure.kind else ""
        name = f"metric-{measure.metric.name}{f'-{measure.kind}' if measure.kind else ''}"
        caption = f"{measure.metric.title.capitalize()}{kind}{unit} [95% interval]"
        tables.append(_table(summary, measure, name, caption, has_chance=True))
    lead = tuple(dict.fromkeys(f"{one.metric.title.capitalize()}: {one.metric.description}" for one in found))
    return Section("metrics", "Other metrics", lead, tables=tables)


def _table(
    summary: Summary, measure: _Measure, name: str, caption: str, *, is_signed: bool = False, has_chance: bool = False
) -> Table:
    """The estimates by solver and column and, with `has_chance`, what guessing gives."""
    rows = [cells(summary, solver, measure.of) for solver in summary.solvers]
    levels = [measure.chance(column) for column in summary.columns]
    if has_chance and any(level is not None for level in levels):
        is_share = measure.metric.unit == "%"
        rows.append(
            ("guessing", *(percent(one) if is_share else None if one is None else f"{one:g}" for one in levels))
        )
    head = ("solver", *(column.label for column in summary.columns))
    return Table(name, caption, head, tuple(rows), is_signed=is_signed)
