"""Sections of the report on runs below its estimates: differences, margins, training, items, how to reproduce."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

from winoglot.examples import unanswered
from winoglot.metrics.subsets import WINDOWS
from winoglot.report.figure import MOST_COLUMNS, Cell, Figure, Group, Matrix, MatrixCell, Row, figure_of
from winoglot.report.findings import is_beyond
from winoglot.report.page import Section
from winoglot.report.plots import calibration_plot, margins_plot, training_plot
from winoglot.report.rendering import said
from winoglot.report.reproduce import commands, unbundled
from winoglot.report.tables import Table, Value
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import interval, number, p_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.figure import Tone
    from winoglot.report.ranking import Gap
    from winoglot.report.summary import Compared, RunSummary, Summary

_MOST_ACROSS = 30  # differences between collections that are listed; comparisons.csv has all
_POINTS = {"lowest": 0.0, "lower quarter": 0.25, "median": 0.5, "upper quarter": 0.75, "highest": 1.0}


def differences(summary: Summary) -> Section | None:
    """How far every other solver is from the best; all pairs, and comparisons between collections, are folded."""
    from_best, best = summary.ranking.from_best, summary.ranking.best
    gaps = [gap for (_, key), gap in from_best.items() if not key]
    between = _between(summary)
    if not gaps and not between:
        return None
    of_rivals = [gap for gap in gaps if best is not None and gap.first.role == best.solver.role]
    clear = [gap.difference.value or 0.0 for gap in of_rivals or gaps if gap.is_clear]
    within = [pair.comparison.detectable for pair in summary.compared if pair.first.column is pair.second.column]
    detectable = [points for points in within if points is not None]
    values = {
        "silent": sum(gap.is_clear and gap.is_by_abstaining for gap in gaps),
        "between": len(between),
        "apart": len(_apart(summary)),
        "detectable": (min(detectable), max(detectable)) if detectable else None,
    }
    headline = said(
        "title_differences",
        below=sum(value < 0 for value in clear),
        above=sum(value > 0 for value in clear),
        total=len(of_rivals or gaps),
        what=best.solver.role if best is not None and of_rivals else "",
        best=summary.main_name(best.solver) if best is not None else "",
    )
    parts = (*_from_best(summary), all_pairs(summary), across_table(summary))
    return Section("differences", "Difference from the best", headline, parts, values)


def margins(summary: Summary) -> Section | None:
    """How far apart the scores are, whether they say how sure a model may be, and what could not be asked."""
    drawn = (calibration_plot(summary), margins_plot(summary))
    parts = (*drawn, calibration_table(summary), uncalibrated_table(summary), gaps_table(summary))
    if not any(parts):
        return None
    slopes = [run.calibration.fit.slope for run in summary.runs if run.calibration is not None]
    known = [slope for slope in slopes if slope.low is not None]
    clear = sum((slope.value or 0.0) > 0 and is_beyond(slope, 0.0, len(known)) for slope in known)
    headline = said("title_margins", clear=clear, total=len(known))
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
        "commands": partial(commands, summary.named, summary.human, references=summary.has_references),
        "unbundled": unbundled(named),
        "versions": versions,
        "statistics": said("statistics", summary),
    }
    return Section("reproduce", "How to reproduce", said("title_reproduce"), (sources_table(summary),), values)


def _from_best(summary: Summary) -> list[Figure | None]:
    """Every other solver minus the best: the mean and few columns in one figure, more columns in another."""
    ranking = summary.ranking
    keys = {"": "Mean"} | {column.key: column.label for column in ranking.columns}
    if len(ranking.columns) == 1:
        keys = {"": ranking.columns[0].label}
    parts = [list(keys)] if len(keys) <= MOST_COLUMNS else [[""], list(keys)[1:]]
    unit = f"points from {ranking.best.solver.label}, paired by item, with 95% interval" if ranking.best else ""
    figures = []
    for name, shown in zip(("from-best", "from-best-each"), parts, strict=False):
        rows = [
            Row((summary.main_name(place.solver),), cells, place.solver.role)
            for place in (*ranking.places[1:], *ranking.others)
            if any(cells := tuple(_gap(ranking.from_best.get((place.solver, key))) for key in shown))
        ]
        groups = [Group(tuple(row for row in rows if row.role == role)) for role in ("people", "model", "baseline")]
        labels = [keys[key] for key in shown]
        title = "Difference from the best"
        figures.append(figure_of(name, title, unit, ("Solver",), labels, groups, "points", is_tested=True))
    return figures


def _gap(gap: Gap | None) -> Cell | None:
    return None if gap is None else Cell.of(gap.difference, 0.0, p=gap.corrected_p, is_significant=gap.is_clear)


def all_pairs(summary: Summary) -> Matrix | None:
    """The mean difference of every two ranked solvers, row minus column: the better ones come first."""
    places, gaps = summary.ranking.places, {(gap.first, gap.second): gap for gap in summary.ranking.gaps}
    if len(places) < 3:
        return None
    rows = []
    for number_of_row, row in enumerate(places[1:], 2):
        cells: list[MatrixCell | None] = []
        for column in places[:-1]:
            gap = gaps.get((column.solver, row.solver))
            if gap is None:
                cells.append(None)
                continue
            tooltip = f", corrected {p_value(gap.corrected_p)}"
            significant: Tone = "abs" if gap.is_by_abstaining else "yes"
            cells.append(MatrixCell(gap.turned.difference, significant if gap.is_clear else "", tooltip=tooltip))
        rows.append((f"{number_of_row} {summary.main_name(row.solver)}", "", tuple(cells)))
    return Matrix(
        name="all-pairs",
        title="Difference of every two",
        unit="points, row minus column, on average",
        label="Difference of every two solvers",
        heading=f"1 {summary.main_name(places[0].solver)}",
        columns=tuple(map(str, range(1, len(places)))),
        rows=tuple(rows),
        key={"": "no significant difference", "yes": "significant", "abs": "significant, mostly because one abstains"},
        caption=said("all_pairs", summary.ranking.gaps, summary.units),
        table_caption="Difference of every two solvers in points, row minus column; columns are numbered by rows",
        scale="points",
        is_compact=True,
    )


def tests_table(summary: Summary) -> Table | None:
    """Accuracy in every setting, with the test against guessing."""
    rows: list[dict[str, Value]] = [
        {
            **_where(summary, run),
            "accuracy": Cell(run.accuracy, is_significant=run.beats_chance is not None),
            "n": run.accuracy.n,
            "abstained": run.accuracy.abstained,
            "with guesses": run.guesses.value if run.accuracy.abstained else None,
            "chance": run.guess,
            "corrected p": p_value(run.corrected_p, is_named=False),
        }
        for run in summary.tested
    ]
    return Table.of("tests", "Accuracy in percent, tested against guessing", _filled(rows)) if rows else None


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
        why = Counter(outcome.note.partition(":")[0] or "not said" for outcome in unanswered(outcomes))
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


def _between(summary: Summary) -> list[Compared]:
    return [pair for pair in summary.compared if pair.first.column is not pair.second.column]


def _apart(summary: Summary) -> list[Compared]:
    """Significant differences between collections, the largest first."""
    clear = [pair for pair in _between(summary) if pair.comparison.is_distinguishable]
    return sorted(clear, key=lambda pair: -abs(pair.comparison.difference.value or 0.0))


def across_table(summary: Summary) -> Table | None:
    """The largest significant differences between collections, paired by translation or by shared items."""
    rows: list[dict[str, Value]] = [
        {
            "solver": " against ".join(dict.fromkeys(summary.brief(side.solver) for side in (pair.first, pair.second))),
            "first": pair.first.column.label,
            "second": pair.second.column.label,
            "difference": Cell(pair.comparison.difference),
            "pairs": pair.comparison.items,
            "corrected p": p_value(pair.comparison.corrected_p, is_named=False),
            "outcome": pair.outcome,
        }
        for pair in _apart(summary)[:_MOST_ACROSS]
    ]
    caption = "Significant differences between collections, first minus second, in points, paired by item"
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
