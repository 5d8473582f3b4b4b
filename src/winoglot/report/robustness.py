"""The section on robustness: whether what a solver gets right is more than luck and habit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.metrics.base import metrics
from winoglot.report import figures
from winoglot.report.rows import Coefficient
from winoglot.report.section import Section, bar, cells
from winoglot.report.table import Table, percent

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.metrics.base import Metric
    from winoglot.report.columns import Column
    from winoglot.report.summary import RunSummary, Summary
    from winoglot.statistics.intervals import Estimate


_HERE = ("accuracy", "pair-accuracy", "consistency")  # metrics that have a section of their own


def robustness(summary: Summary) -> Section:
    """Pair accuracy, consistency and stability, each against its chance level, and changes of accuracy."""
    measures: dict[str, Callable[[RunSummary], Estimate | None]] = {
        "pair accuracy": lambda one: one.metrics.get("pair-accuracy"),
        "consistency": lambda one: one.metrics.get("consistency"),
    }
    chances: dict[str, Callable[[Column], float | None]] = {
        "pair accuracy": lambda column: column.pair_chance,
        "consistency": lambda _: 1 / 2,  # which takes only items with two candidates
    }
    for kind in dict.fromkeys(kind for one in summary.runs for kind in one.stability):
        measures[f"stability, {kind}"] = lambda one, kind=kind: one.stability.get(kind)  # type: ignore[misc]
        chances[f"stability, {kind}"] = lambda column, kind=kind: column.variant_chance(kind)  # type: ignore[misc]
    missing = [name for name, measure in measures.items() if not any(_has(measure(one)) for one in summary.runs)]
    shown = {name: measure for name, measure in measures.items() if name not in missing}
    kinds = dict.fromkeys(kind for one in summary.runs for kind in one.delta)
    bars = [
        bar(one, estimate, series=name, chance=chances[name](one.column))
        for one in summary.runs
        for name, measure in shown.items()
        if (estimate := measure(one)) is not None and estimate.value is not None
    ]
    tables = [
        _by_solver(summary, column, f"robustness-{number}", f"Robustness in {column.label}, percent", shown)
        for number, column in enumerate(summary.columns, 1)
        if shown
    ]
    changes = [
        Table(
            f"change-{kind}",
            f"Change of accuracy from the originals to their {kind} variants, in points [95% interval]",
            ("solver", *(column.label for column in summary.columns)),
            tuple(cells(summary, s, lambda one, kind=kind: one.delta.get(kind)) for s in summary.solvers),  # type: ignore[misc]
            is_signed=True,
        )
        for kind in kinds
    ]
    lead = (
        "Pair accuracy is the share of schemas whose items are all right: always taking the same candidate gives 0%, "
        "guessing 25%. Consistency is how often the choice follows the candidates when they are switched; stability, "
        "how often it stays the same when a change of the text keeps the answer; guessing gives 50% for both. Neither "
        "says that a choice is right: always taking the candidate mentioned first is perfectly consistent. A schema "
        "with an abstention is not right as a whole; consistency and stability leave abstentions out, so their "
        "n may be small."
    )
    reasons = {
        "pair accuracy": "No schema has two or more labelled items, so pair accuracy is undefined.",
        "consistency": "No switched variants were evaluated, so consistency is undefined (add --kinds switched).",
    }
    return Section(
        "robustness",
        "Robustness",
        (lead, *(reasons[name] for name in missing)),
        figures=figures.robustness(bars) if bars else (),
        tables=tables,
        more=changes,
    )


def other_metrics(summary: Summary) -> Section:
    """Metrics from other packages: one table each."""
    measured = {name for one in summary.runs for name, estimate in one.metrics.items() if estimate.value is not None}
    found = [one for one in metrics() if one.name in measured and one.name not in _HERE]
    tables = []
    for one in found:
        rows = [cells(summary, solver, lambda run, one=one: _in_unit(one, run)) for solver in summary.solvers]  # type: ignore[misc]
        levels = [one.chance_on(column.examples) for column in summary.columns]
        if any(level is not None for level in levels):
            shown = [percent(level) if one.unit == "%" else None if level is None else f"{level:g}" for level in levels]
            rows.append(("guessing", *shown))
        caption = f"{one.title.capitalize()}{', percent' * (one.unit == '%')} [95% interval]"
        head = ("solver", *(column.label for column in summary.columns))
        tables.append(Table(f"metric-{one.name}", caption, head, tuple(rows)))
    lead = tuple(f"{one.title.capitalize()}: {one.description}" for one in found)
    return Section("metrics", "Other metrics", lead, tables=tables)


def _in_unit(one: Metric, run: RunSummary) -> Estimate | None:
    estimate = run.metrics.get(one.name)
    if estimate is None or one.unit == "%":
        return estimate
    return Coefficient(estimate.value, estimate.low, estimate.high, estimate.n, estimate.method)


def _by_solver(
    summary: Summary,
    column: Column,
    name: str,
    caption: str,
    measures: dict[str, Callable[[RunSummary], Estimate | None]],
) -> Table:
    rows = tuple((one.solver, *(measure(one) for measure in measures.values())) for one in summary.of(column))
    return Table(name, f"{caption} [95% interval]", ("solver", *measures), rows)


def _has(estimate: Estimate | None) -> bool:
    return estimate is not None and estimate.value is not None
