"""Which figures and tables a report has: each from the summary, None if there is nothing to show."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot.metrics.base import Metric, metrics
from winoglot.metrics.robustness import SWITCHED
from winoglot.metrics.subsets import WINDOWS
from winoglot.report.figure import Cell, Figure, Group, Row, Scale, axis_of, interval, number, p_value
from winoglot.report.findings import best_solver
from winoglot.report.solvers import STYLES
from winoglot.report.tables import Table, Value
from winoglot.schemas.statistics import tag_groups
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import RunSummary, Summary

    MakeCell = Callable[[RunSummary], Cell | None]

_ROBUSTNESS = ("pair-accuracy", "consistency", "stability", "robust-accuracy")
_CHANGE, _PREFERENCE = "delta-accuracy", "position-preference"
_RIGHT, _SHARE = "% of items right, with 95% interval", "%, with 95% interval"
_MOST_FACETS = 12  # solvers that a figure lets the reader choose from; the tables have all
_OTHER = "Other tags"
_POINTS = {"lowest": 0.0, "lower quarter": 0.25, "median": 0.5, "upper quarter": 0.75, "highest": 1.0}
_GROUPS = {
    "social": "Social knowledge",
    "things": "Knowledge of things",
    "order": "Order, comparison, transfer",
    "candidates!": "Candidates",
    "position": "Candidates",
    "subset": "Design",
}
_NAMED_GROUPS = {  # a word in the name of a subset that is not a tag, and its group
    "pronoun": "Pronoun",
    "text": "Length",
    "readers": "Readers",
    "window": "What partial scoring sees",
    "readings": "What partial scoring sees",
}


def leaderboard(summary: Summary) -> Figure:
    """Accuracy by solver and collection."""
    return _by_solver(summary, "accuracy", "Accuracy", _RIGHT, [_Part("", _accuracy)], is_board=True)


def chance_tests(summary: Summary) -> Figure | None:
    """The accuracy of what was tested against guessing, with the corrected p-values."""
    title = "Accuracy and tests against chance"
    made = _by_solver(summary, "tests", title, _RIGHT, [_Part("", _test)], has_facets=False)
    return made if summary.tested else None


def robustness(summary: Summary) -> Figure | None:
    """Pair accuracy, consistency, stability and robust accuracy, each against its chance level."""
    parts = _measures(summary, _ROBUSTNESS)
    return _by_solver(summary, "robustness", "Robustness", _SHARE, parts) if parts else None


def other_metrics(summary: Summary) -> list[Figure]:
    """Metrics that no other section shows: one figure for each unit."""
    units: dict[str, list[str]] = {}
    for metric in metrics():
        if metric.name not in {"accuracy", *_ROBUSTNESS, _CHANGE, _PREFERENCE}:
            units.setdefault(metric.unit, []).append(metric.name)
    made: list[Figure] = []
    for unit, names in units.items():
        if parts := _measures(summary, names):
            name = f"metrics-{len(made) + 1}" if made else "metrics"
            scale: Scale = "percent" if unit == "%" else "plain"
            made.append(_by_solver(summary, name, "Other metrics", f"{unit}, with 95% interval", parts, scale=scale))
    return made


def perturbations(summary: Summary) -> Figure | None:
    """How accuracy changes from the originals to each kind of variant."""
    unit, parts = "points, variant minus original, with 95% interval", _measures(summary, [_CHANGE])
    return _one_at_a_time(summary, "perturbations", "Change of accuracy", unit, "Kind", parts, "points")


def preference(summary: Summary) -> Figure | None:
    """How often the candidate mentioned first is chosen if nothing shows which is meant."""
    parts = _measures(summary, [_PREFERENCE])
    return _one_at_a_time(summary, "preference", "First mention chosen", _SHARE, "Kind", parts)


def subset_figure(summary: Summary) -> Figure | None:
    """Accuracy on parts of the items."""
    names = dict.fromkeys(name for one in summary.runs for name in one.subsets)
    parts = [_Part(name, partial(_subset, name), group=_group_of(name)) for name in names]
    return _one_at_a_time(summary, "subsets", "Accuracy by subset", _RIGHT, "Subset", parts)


def readings(summary: Summary) -> Figure | None:
    """Accuracy with grammatical readings minus that with naive ones, all else equal."""
    found: dict[tuple[str, ...], dict[str, Cell]] = {}
    for one in summary.compared:
        if one.is_of_readings:
            solver, made = one.first.solver, one.comparison
            cell = Cell(made.difference, 0.0, p_value(made.corrected_p), is_significant=made.is_distinguishable)
            labels = (solver.name, solver.scoring or one.first.settings.scoring)
            found.setdefault(labels, {})[one.first.column.key] = cell
    rows = [Row(labels, tuple(own.get(one.key) for one in summary.columns), "model") for labels, own in found.items()]
    title, unit, headings = "Grammatical minus naive", "points, with 95% interval", ("Solver", "Scoring")
    return _figure(summary, "readings", title, unit, headings, [Group(tuple(rows))], "points") if rows else None


def people(summary: Summary) -> Figure | None:
    """People beside the best setting of each model."""
    humans = [solver for solver in summary.solvers if solver.role == "people"]
    names = dict.fromkeys(solver.name for solver in summary.solvers if solver.role == "model")
    models = [best for name in names if (best := best_solver(summary, name)) is not None]
    if not humans or not models:
        return None
    groups = [
        Group(tuple(Row((solver.label,), _cells(summary, solver, _accuracy), solver.role) for solver in solvers))
        for solvers in (humans, models)
    ]
    return _figure(summary, "people", "Accuracy of people and models", _RIGHT, ("Who answers",), groups)


@dataclass(frozen=True)
class _Part:
    """What a row or a group of rows is about, and the cell that a run has there."""

    label: str
    cell: MakeCell
    group: str = ""
    note: str = ""  # what is measured
    kind: str | None = None


def _measures(summary: Summary, names: Sequence[str]) -> list[_Part]:
    """Those of the metrics that have a value in some run; those that need variants once for each kind of them."""
    kinds = dict.fromkeys(kind for one in summary.runs for kind in one.kinds)
    found = []
    for metric in (one for one in metrics() if one.name in names):
        name = metric.name.replace("-", " ").capitalize()
        for kind in kinds if metric.is_by_kind else (None,):
            label = f"{name}, {kind}" if kind else name
            part = _Part(label, partial(_measure, metric, kind), note=f"{name}: {metric.description}", kind=kind)
            found += [part] if any(part.cell(run) for run in summary.runs) else []
    return found


def _by_solver(
    summary: Summary,
    name: str,
    title: str,
    unit: str,
    parts: Sequence[_Part],
    *,
    scale: Scale = "percent",
    has_facets: bool = True,
    is_board: bool = False,
) -> Figure:
    """A row per solver, in a group with an axis of its own for each part; of one part, in a group for each role."""
    solvers = summary.solvers
    facets = _readings_facets(solvers) if has_facets else ()
    told = {"Scoring": "scoring", "Readings": "readings", "Settings": "more"}
    told = {heading: name for heading, name in told.items() if any(getattr(one, name) for one in solvers)}
    if facets:
        del told["Readings"]
    groups: list[Group] = []
    for part in parts:
        rows = [
            Row(
                (solver.name, *(getattr(solver, one) for one in told.values())),
                cells,
                solver.role,
                facets.index(solver.readings) if solver.readings in facets else None,
            )
            for solver in solvers
            if any(cells := _cells(summary, solver, part.cell))
        ]
        if part.label:
            note = "" if any(group.note == part.note for group in groups) else part.note
            groups += [Group(tuple(rows), part.label, axis_of(rows, scale), note)] if rows else []
        else:
            own = ([row for row in rows if row.role == role] for role in ("people", "model", "baseline"))
            groups += [Group(tuple(some)) for some in own if some]
    more = {"facets": facets, "facet": "Readings", "is_board": is_board}
    return _figure(summary, name, title, unit, ("Solver", *told), groups, scale, **more)


def _one_at_a_time(
    summary: Summary, name: str, title: str, unit: str, heading: str, parts: Sequence[_Part], scale: Scale = "percent"
) -> Figure | None:
    """A row per part, of one solver at a time: the best first, and models only if there are any."""
    found = dict.fromkeys(
        one.solver for one in summary.runs if one.solver.role != "people" and any(part.cell(one) for part in parts)
    )
    best = best_solver(summary)
    models = [one for one in found if one.role == "model"] or list(found)
    shown = sorted(models, key=lambda one: one != best)[:_MOST_FACETS]
    groups = []
    for group in sorted(dict.fromkeys(part.group for part in parts), key=lambda one: one == _OTHER):
        rows = [
            Row((part.kind or part.label,), cells, "", number if len(shown) > 1 else None, _gloss(part, cells))
            for part in parts
            if part.group == group
            for number, solver in enumerate(shown)
            if any(cells := _cells(summary, solver, part.cell))
        ]
        groups += [Group(tuple(rows), group)] if rows else []
    if not groups:
        return None
    facets = tuple(one.label for one in shown) if len(shown) > 1 else ()
    left_out = f"The first {len(shown)} of {len(models)} solvers." if len(shown) < len(models) else ""
    more = {"facets": facets, "facet": "Solver", "is_exploratory": True, "caption": left_out}
    return _figure(summary, name, title, unit, (heading,), groups, scale, **more)


def _figure(
    summary: Summary,
    name: str,
    title: str,
    unit: str,
    headings: tuple[str, ...],
    groups: Sequence[Group],
    scale: Scale = "percent",
    **more: Any,
) -> Figure:
    """With the report's columns and, unless the groups have their own, one axis for all."""
    rows = [row for group in groups for row in group.rows if not group.axis]
    axis = axis_of(rows, scale) if rows else None
    columns, short = zip(*((column.label, column.short) for column in summary.columns), strict=True)
    return Figure(name, title, unit, headings, columns, tuple(groups), axis, scale, short=short, **more)


def _cells(summary: Summary, solver: SolverRow, make: MakeCell) -> tuple[Cell | None, ...]:
    runs = (summary.cells.get((solver, column.key)) for column in summary.columns)
    return tuple(make(run) if run is not None else None for run in runs)


def _accuracy(one: RunSummary) -> Cell:
    return Cell(one.accuracy, one.column.chance, guesses=one.guesses)


def _test(one: RunSummary) -> Cell | None:
    if one.chance is None:
        return None
    return Cell(one.accuracy, one.guess, p_value(one.corrected_p), one.guesses, one.beats_chance is not None)


def _subset(name: str, one: RunSummary) -> Cell | None:
    found = one.subsets.get(name)
    return Cell(found, one.column.chance) if found is not None and found.value is not None else None


def _measure(metric: Metric, kind: str | None, one: RunSummary) -> Cell | None:
    found = (one.metrics if kind is None else one.kinds.get(kind, {})).get(metric.name)
    if found is None or found.value is None:
        return None
    return Cell(found, metric.chance_on(one.column.of_kind(kind)))


def _readings_facets(solvers: Sequence[SolverRow]) -> tuple[str, ...]:
    """The styles of readings, if every row exists in both, so that a switch hides nothing."""
    styles: dict[tuple[str, ...], set[str]] = {}
    for one in solvers:
        if one.readings:
            styles.setdefault((one.name, one.scoring, one.more), set()).add(one.readings)
    return STYLES if styles and all(own == {*STYLES} for own in styles.values()) else ()


def _group_of(subset: str) -> str:
    named = next((title for word, title in _NAMED_GROUPS.items() if " " in subset and word in subset.split()), None)
    tag = subset.removeprefix("not ")
    return named or next((_GROUPS.get(group, _OTHER) for group, tags in tag_groups().items() if tag in tags), _OTHER)


def _gloss(part: _Part, cells: Sequence[Cell | None]) -> str:
    """How many items the cells of a row are based on, and what a kind does to the answer."""
    sizes = sorted({cell.estimate.n for cell in cells if cell is not None})
    n = f"n = {sizes[0]:,}" if len(sizes) == 1 else f"n = {sizes[0]:,}–{sizes[-1]:,}"
    return f"{n}; the answer moves to the other candidate" if part.kind == SWITCHED else n


def calibration_table(summary: Summary) -> Table | None:
    """Error, noise, overconfidence and slope of every run whose scores are log probabilities."""
    rows: list[dict[str, Value]] = []
    for one in summary.runs:
        found = one.calibration
        if found is not None and found.error.value is not None:
            slope = found.fit.slope
            told = f"{number(slope.value, 'plain')} [{interval(slope, 'plain')}]" if slope.value is not None else ""
            errors: dict[str, Value] = {"calibration error": Cell(found.error), "noise": found.noise}
            others: dict[str, Value] = {"overconfidence": Cell(found.overconfidence), "slope": told or slope.method}
            rows.append(_where(summary, one) | errors | others)
    return Table.of("calibration", "Calibration in percent [95% interval]; slope of the log odds", rows)


def uncalibrated_table(summary: Summary) -> Table | None:
    """Five points of the margins of models whose scores are not log probabilities."""
    rows: list[dict[str, Value]] = []
    for one in summary.runs:
        values = sorted(one.margins) if one.calibration is None and one.solver.role == "model" else []
        if values:
            points = {name: values[round(share * (len(values) - 1))] for name, share in _POINTS.items()}
            counts = {"n": len(values), "above 0": sum(value > 0 for value in values)}
            rows.append({**_where(summary, one), **counts, **points})
    return Table.of("margins", "Score of the right answer minus that of the wrong one", rows, "plain")


def gaps_table(summary: Summary) -> Table | None:
    """Abstentions, fallbacks and windows, counted; columns with only zeros are left out."""
    rows: list[dict[str, Value]] = []
    for one in summary.runs:
        outcomes, is_partial = one.run.outcomes(), one.settings.scoring == "partial"
        why = Counter(outcome.note.partition(":")[0] or "not said" for outcome in outcomes if outcome.choice is None)
        windows = Counter(outcome.window for outcome in outcomes if is_partial)
        skipped = one.run.skipped() if is_partial else {}
        rows.append(
            {
                **_where(summary, one),
                "items": len(outcomes),
                "not asked": one.missing,
                "abstained": why.total(),
                "why": "; ".join(f"{reason}: {count}" for reason, count in why.most_common()),
                "fallback": sum(outcome.fallback for outcome in outcomes),
                **{name: windows[window] for window, name in WINDOWS.items()},
                "window begins late": len(skipped),
                "characters skipped": sum(skipped.values()),
                "unknown tokens, %": one.run.unknown_tokens(),
            }
        )
    filled = _filled(rows)
    return Table.of("gaps", "What could not be asked as intended, items", filled) if len(filled[0]) > 3 else None


def across_table(summary: Summary) -> Table | None:
    """Comparisons between collections, paired by translation or by shared items."""
    rows: list[dict[str, Value]] = []
    for one in summary.compared:
        if one.first.column is not one.second.column:
            solvers = dict.fromkeys(summary.brief(side.solver) for side in (one.first, one.second))
            made = one.comparison
            rows.append(
                {
                    "solver": " against ".join(solvers),
                    "first": one.first.column.label,
                    "second": one.second.column.label,
                    "difference": Cell(made.difference),
                    "pairs": made.items,
                    "corrected p": p_value(made.corrected_p, is_named=False),
                    "outcome": one.outcome,
                }
            )
    caption = "Between two collections: difference in points, paired by translation or by shared items"
    return Table.of("across", caption, rows, "points")


def sources_table(summary: Summary) -> Table | None:
    """What was evaluated, with hashes."""
    rows: list[dict[str, Value]] = []
    for column in summary.columns:
        source = column.source
        kinds = dict.fromkeys(one.kind for one in column.variants)
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


def _where(summary: Summary, one: RunSummary) -> dict[str, Value]:
    return {"solver": summary.brief(one.solver), "collection": one.column.label}


def _filled(rows: Sequence[dict[str, Value]]) -> list[dict[str, Value]]:
    """The rows without columns in which there is nothing."""
    kept = [name for name in rows[0] if any(row[name] for row in rows)]
    return [{name: row[name] for name in kept} for row in rows]


FIGURES = (leaderboard, chance_tests, robustness, perturbations, preference, subset_figure, readings, people)
TABLES = (calibration_table, uncalibrated_table, across_table, gaps_table, sources_table)
