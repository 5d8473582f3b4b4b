"""Sections of the report on runs below its estimates: differences, margins, training, items, how to reproduce."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot.metrics.subsets import WINDOWS
from winoglot.report.figure import Cell
from winoglot.report.findings import significant
from winoglot.report.page import Section
from winoglot.report.plots import calibration_plot, margins_plot, training_plot
from winoglot.report.rendering import said
from winoglot.report.reproduce import commands, unbundled
from winoglot.report.tables import Table, Value
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import interval, number, p_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.summary import RunSummary, Summary

_POINTS = {"lowest": 0.0, "lower quarter": 0.25, "median": 0.5, "upper quarter": 0.75, "highest": 1.0}
_MOST_ROWS = 20  # of a matrix of differences: more cannot be read


def differences(summary: Summary) -> Section | None:
    """Which solvers differ: a triangle of differences per collection, and comparisons between collections."""
    if len(summary.runs) < 2:
        return None
    apart, silent = significant(summary.compared)
    headline = said("title_differences", apart=apart, silent=silent, total=len(summary.compared))
    values = {"apart": apart, "silent": silent, "panels": _differences(summary)}
    return Section("differences", "Which solvers differ", headline, (across_table(summary),), values)


def margins(summary: Summary) -> Section | None:
    """How far apart the scores are, whether they say how sure a model may be, and what could not be asked."""
    drawn = (calibration_plot(summary), margins_plot(summary))
    parts = (*drawn, calibration_table(summary), uncalibrated_table(summary), gaps_table(summary))
    if not any(parts):
        return None
    slopes = [run.calibration.fit.slope.low for run in summary.runs if run.calibration is not None]
    lows = [low for low in slopes if low is not None]
    headline = said("title_margins", clear=sum(low > 0 for low in lows), total=len(lows))
    return Section("margins", "Margins and calibration", headline, parts)


def training(summary: Summary) -> Section | None:
    """The losses of the models that were trained here."""
    plot = training_plot(summary)
    return Section("training", "Training", said("title_training"), (plot,)) if plot else None


def items(_summary: Summary) -> Section:
    """Every item with what each solver did, for the reader to browse; the page's script draws it."""
    return Section("items", "Items", said("title_items"))


def reproduce(summary: Summary) -> Section:
    """Commands, sources, versions, signatures and citations."""
    named = (*summary.named, *summary.human)
    versions = Counter(
        ", ".join(f"{package} {version}" for package, version in run.run.made_with.items()) for run in summary.runs
    )
    values = {
        "commands": partial(commands, summary.named, summary.human),
        "unbundled": unbundled(named),
        "versions": versions,
        "statistics": said("statistics", summary),
    }
    return Section("reproduce", "How to reproduce", said("title_reproduce"), (sources_table(summary),), values)


def _differences(summary: Summary) -> list[dict[str, Any]]:
    """For each column of the report, its solvers, and what is known of every two of them."""
    panels: list[dict[str, Any]] = []
    for column in summary.columns:
        compared = {
            (pair.first.solver, pair.second.solver): pair
            for pair in summary.compared
            if pair.first.column is pair.second.column is column
        }
        why = {(first.solver, second.solver): why for first, second, why in summary.refused if first.column is column}
        shown = {solver for pair in (*compared, *why) for solver in pair}
        solvers = [solver for solver in summary.solvers if solver in shown][:_MOST_ROWS]
        if len(solvers) > 1:
            left_out = len(shown) - len(solvers)
            panel = {"label": column.label, "solvers": solvers, "compared": compared, "why": why, "left_out": left_out}
            panels.append(panel)
    return panels


def calibration_table(summary: Summary) -> Table | None:
    """Error, noise, overconfidence and slope of every run whose scores are log probabilities."""
    rows: list[dict[str, Value]] = []
    for run in summary.runs:
        fitted = run.calibration
        if fitted is not None and fitted.error.value is not None:
            slope = fitted.fit.slope
            words = f"{number(slope.value, 'plain')} [{interval(slope, 'plain')}]" if slope.value is not None else ""
            errors: dict[str, Value] = {"calibration error": Cell(fitted.error), "noise": fitted.noise}
            others: dict[str, Value] = {"overconfidence": Cell(fitted.overconfidence), "slope": words or slope.method}
            rows.append(_where(summary, run) | errors | others)
    return Table.of("calibration", "Calibration in percent [95% interval]; slope of the log odds", rows)


def uncalibrated_table(summary: Summary) -> Table | None:
    """Five points of the margins of models whose scores are not log probabilities."""
    rows: list[dict[str, Value]] = []
    for run in summary.runs:
        values = sorted(run.margins) if run.calibration is None and run.solver.role == "model" else []
        if values:
            points = {name: values[round(share * (len(values) - 1))] for name, share in _POINTS.items()}
            counts = {"n": len(values), "above 0": sum(value > 0 for value in values)}
            rows.append({**_where(summary, run), **counts, **points})
    return Table.of("margins", "Score of the right answer minus that of the wrong one", rows, "plain")


def gaps_table(summary: Summary) -> Table | None:
    """Abstentions, fallbacks and windows, counted; columns with only zeros are left out."""
    rows: list[dict[str, Value]] = []
    for run in summary.runs:
        outcomes, is_partial = run.run.outcomes(), run.settings.scoring == "partial"
        why = Counter(outcome.note.partition(":")[0] or "not said" for outcome in outcomes if outcome.choice is None)
        windows = Counter(outcome.window for outcome in outcomes if is_partial)
        skipped = run.run.skipped() if is_partial else {}
        rows.append(
            {
                **_where(summary, run),
                "items": len(outcomes),
                "not asked": run.missing,
                "abstained": why.total(),
                "why": "; ".join(f"{reason}: {count}" for reason, count in why.most_common()),
                "fallback": sum(outcome.fallback for outcome in outcomes),
                **{name: windows[window] for window, name in WINDOWS.items()},
                "window begins late": len(skipped),
                "characters skipped": sum(skipped.values()),
                "unknown tokens, %": run.run.unknown_tokens(),
            }
        )
    filled = _filled(rows)
    return Table.of("gaps", "What could not be asked as intended, items", filled) if len(filled[0]) > 3 else None


def across_table(summary: Summary) -> Table | None:
    """Comparisons between collections, paired by translation or by shared items."""
    rows: list[dict[str, Value]] = []
    for pair in summary.compared:
        if pair.first.column is not pair.second.column:
            solvers = dict.fromkeys(summary.brief(side.solver) for side in (pair.first, pair.second))
            comparison = pair.comparison
            rows.append(
                {
                    "solver": " against ".join(solvers),
                    "first": pair.first.column.label,
                    "second": pair.second.column.label,
                    "difference": Cell(comparison.difference),
                    "pairs": comparison.items,
                    "corrected p": p_value(comparison.corrected_p, is_named=False),
                    "outcome": pair.outcome,
                }
            )
    caption = "Between two collections: difference in points, paired by translation or by shared items"
    return Table.of("across", caption, rows, "points")


def sources_table(summary: Summary) -> Table | None:
    """What was evaluated, with hashes."""
    rows: list[dict[str, Value]] = []
    for column in summary.columns:
        source = column.source
        kinds = dict.fromkeys(variant.kind for variant in column.variants)
        rows.append(
            {
                "collection": f"{source.name} {source.version}".strip(),
                "language" if summary.columns[0].is_language else "column": column.label,
                "originals": source.hash[:8],
                "variants": "; ".join(f"{kind} {source.kind_hash(kind)[:8]}" for kind in kinds),
                "items": len(column.examples),
                "licence": getattr(source, "licence", "") or "",
            }
        )
    return Table.of("sources", f"What was evaluated: {counted(len(rows), 'collection')}", _filled(rows))


def _where(summary: Summary, run: RunSummary) -> dict[str, Value]:
    return {"solver": summary.brief(run.solver), "collection": run.column.label}


def _filled(rows: Sequence[dict[str, Value]]) -> list[dict[str, Value]]:
    """The rows without columns in which there is nothing."""
    kept = [name for name in rows[0] if any(row[name] for row in rows)]
    return [{name: row[name] for name in kept} for row in rows]
