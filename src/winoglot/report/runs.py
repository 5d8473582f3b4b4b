"""The report on runs: its first screen, the list of its sections, and those with estimates by solver and column."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot.metrics.base import Metric, metrics
from winoglot.metrics.robustness import SWITCHED
from winoglot.report import details, findings
from winoglot.report.figure import Cell, Figure, Group, Row, axis_of, figure_of
from winoglot.report.findings import best_solver, clear_cells, contrasts
from winoglot.report.items import items_data, packed, reading_example
from winoglot.report.page import Page, Section, sections_of
from winoglot.report.plots import choices, slopes
from winoglot.report.rendering import said
from winoglot.report.solvers import STYLES
from winoglot.report.tables import summary_csv
from winoglot.schemas.statistics import tag_groups
from winoglot.statistics.formatting import Scale, p_value, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import RunSummary, Summary

    MakeCell = Callable[[RunSummary], Cell | None]

_ROBUSTNESS = ("pair-accuracy", "consistency", "stability", "robust-accuracy")
_CHANGE, _PREFERENCE = "delta-accuracy", "position-preference"
_RIGHT, _SHARE = "% of items right, with 95% interval", "%, with 95% interval"
_MOST_FACETS = 12  # solvers that a figure lets the reader choose from; the tables have all
_OTHER = "Other tags"
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


def runs_page(summary: Summary, title: str | None = None) -> Page:
    """The report of these runs."""
    verdict = findings.verdict(summary)
    return Page(
        template="runs.html",
        subject=summary,
        brand="Winoglot report",
        tab=f"{title or verdict} – Winoglot report",
        result=Section("top", "Result", verdict, (leaderboard(summary),), {"cautions": findings.cautions(summary)}),
        sections=sections_of(summary, SECTIONS),
        title=title,
        evidence=(findings.evidence(summary),),
        facts=findings.facts(summary),
        sources=tuple(
            dict.fromkeys(f"{column.source.name} {column.source.version}".strip() for column in summary.columns)
        ),
        data=packed(items_data(summary)),
        csv=summary_csv(summary),
    )


def leaderboard(summary: Summary) -> Figure | None:
    """Accuracy by solver and collection."""
    return _by_solver(summary, "accuracy", "Accuracy", _RIGHT, [_Part("", _accuracy)], is_board=True)


def accuracy(summary: Summary) -> Section | None:
    """The accuracy of what was tested against guessing, with the corrected p-values."""
    if not summary.tested:
        return None
    title = "Accuracy and tests against chance"
    figure = _by_solver(summary, "tests", title, _RIGHT, [_Part("", _test)], has_facets=False)
    headline = said("title_accuracy", summary=summary)
    return Section("accuracy", "Accuracy", headline, (figure,), {"rivals": findings.headline(summary)["rivals"]})


def robustness(summary: Summary) -> Section | None:
    """Pair accuracy, consistency, stability and robust accuracy, each against its chance level; choices of the best."""
    figure = _by_solver(summary, "robustness", "Robustness", _SHARE, _measures(summary, _ROBUSTNESS))
    plot = choices(summary)
    if figure is None and plot is None:
        return None
    best = best_solver(summary)
    runs = [run for run in summary.runs if run.solver == best and run.choices]
    percentages = {
        outcome: sorted(round(100 * run.choices[outcome] / run.choices.total()) for run in runs)
        for outcome in ("same", "right")
    }
    headline = said("title_robustness", **percentages, solver=best, clusters=contrasts(runs) or summary.units)
    return Section("robustness", "Pairs and consistency", headline, (plot, figure))


def other_metrics(summary: Summary) -> Section | None:
    """Metrics that no other section shows: one figure for each unit."""
    units: dict[str, list[str]] = {}
    for metric in metrics():
        if metric.name not in {"accuracy", *_ROBUSTNESS, _CHANGE, _PREFERENCE}:
            units.setdefault(metric.unit, []).append(metric.name)
    figures: list[Figure] = []
    for unit, names in units.items():
        name = f"metrics-{len(figures) + 1}" if figures else "metrics"
        scale: Scale = "percent" if unit == "%" else "plain"
        words = f"{unit}, with 95% interval"
        figure = _by_solver(summary, name, "Other metrics", words, _measures(summary, names), scale=scale)
        figures += [figure] if figure else []
    return Section("metrics", "Other metrics", said("title_metrics"), tuple(figures)) if figures else None


def perturbations(summary: Summary) -> Section | None:
    """How accuracy changes from the originals to each kind of variant."""
    unit, parts = "points, variant minus original, with 95% interval", _measures(summary, [_CHANGE])
    figure = _one_at_a_time(summary, "perturbations", "Change of accuracy", unit, "Kind", parts, "points")
    return _exploratory("perturbations", "Perturbations", figure)


def preference(summary: Summary) -> Section | None:
    """How often the candidate mentioned first is chosen if nothing shows which is meant."""
    parts = _measures(summary, [_PREFERENCE])
    figure = _one_at_a_time(summary, "preference", "First mention chosen", _SHARE, "Kind", parts)
    return _exploratory("preference", "Preference for a mention", figure)


def subsets(summary: Summary) -> Section | None:
    """Accuracy on parts of the items."""
    names = dict.fromkeys(name for run in summary.runs for name in run.subsets)
    parts = [_Part(name, partial(_subset, name), group=_group_of(name)) for name in names]
    return _exploratory(
        "subsets", "Subsets", _one_at_a_time(summary, "subsets", "Accuracy by subset", _RIGHT, "Subset", parts)
    )


def readings(summary: Summary) -> Section | None:
    """Accuracy with grammatical readings minus that with naive ones, all else equal."""
    cells_of: dict[tuple[str, ...], dict[str, Cell]] = {}
    for pair in summary.compared:
        if pair.is_of_readings:
            solver, comparison = pair.first.solver, pair.comparison
            note = p_value(comparison.corrected_p)
            cell = Cell(comparison.difference, 0.0, note, is_significant=comparison.is_distinguishable)
            labels = (solver.name, solver.scoring or pair.first.settings.scoring)
            cells_of.setdefault(labels, {})[pair.first.column.key] = cell
    rows = [
        Row(labels, tuple(cells.get(column.key) for column in summary.columns), "model")
        for labels, cells in cells_of.items()
    ]
    title, unit, headings = "Grammatical minus naive", "points, with 95% interval", ("Solver", "Scoring")
    figure = _figure(summary, "readings", title, unit, headings, [Group(tuple(rows))], "points")
    if figure is None:
        return None
    cells = list(figure.cells)
    largest = max(abs(cell.estimate.value or 0.0) for cell in cells)
    apart = sum(cell.is_significant for cell in cells)
    headline = said("title_readings", apart=apart, total=len(cells), largest=percent(largest))
    values = {"example": reading_example(summary), "fallbacks": said("fallbacks", summary)}
    return Section("readings", "Readings", headline, (slopes(summary), figure), values)


def people(summary: Summary) -> Section | None:
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
    figure = _figure(summary, "people", "Accuracy of people and models", _RIGHT, ("Who answers",), groups)
    shares = {
        who: [
            cell.estimate.value
            for solver in solvers
            for cell in _cells(summary, solver, _accuracy)
            if cell is not None and cell.estimate.value is not None
        ]
        for who, solvers in (("people", humans), ("models", models))
    }
    return Section("people", "People and models", said("title_people", **shares), (figure,))


SECTIONS = (
    accuracy,
    robustness,
    other_metrics,
    perturbations,
    preference,
    subsets,
    readings,
    people,
    details.differences,
    details.margins,
    details.training,
    details.items,
    details.reproduce,
)


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
    kinds = dict.fromkeys(kind for run in summary.runs for kind in run.kinds)
    parts = []
    for metric in (metric for metric in metrics() if metric.name in names):
        name = metric.name.replace("-", " ").capitalize()
        for kind in kinds if metric.is_by_kind else (None,):
            label = f"{name}, {kind}" if kind else name
            part = _Part(label, partial(_measure, metric, kind), note=f"{name}: {metric.description}", kind=kind)
            parts += [part] if any(part.cell(run) for run in summary.runs) else []
    return parts


def _exploratory(name: str, topic: str, figure: Figure | None) -> Section | None:
    """A section with one figure, whose title counts the intervals that exclude chance or no change."""
    if figure is None:
        return None
    clear = clear_cells(figure)
    return Section(name, topic, said(f"title_{name}", clear=clear), (figure,), {"clear_few": clear[2]})


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
) -> Figure | None:
    """A row per solver, in a group with an axis of its own for each part; of one part, in a group for each role."""
    solvers = summary.solvers
    facets = _readings_facets(solvers) if has_facets else ()
    settings = {"Scoring": "scoring", "Readings": "readings", "Settings": "more"}
    settings = {heading: name for heading, name in settings.items() if any(getattr(row, name) for row in solvers)}
    if facets:
        del settings["Readings"]
    groups: list[Group] = []
    for part in parts:
        rows = [
            Row(
                (solver.name, *(getattr(solver, setting) for setting in settings.values())),
                _cells(summary, solver, part.cell),
                solver.role,
                facets.index(solver.readings) if solver.readings in facets else None,
            )
            for solver in solvers
        ]
        if part.label:
            note = "" if any(group.note == part.note for group in groups) else part.note
            groups.append(Group(tuple(rows), part.label, note=note))
        else:
            for role in ("people", "model", "baseline"):
                groups.append(Group(tuple(row for row in rows if row.role == role)))
    has_axes = any(part.label for part in parts)
    more = {"facets": facets, "facet": "Readings", "is_board": is_board, "group_axis": axis_of if has_axes else None}
    return _figure(summary, name, title, unit, ("Solver", *settings), groups, scale, **more)


def _one_at_a_time(
    summary: Summary, name: str, title: str, unit: str, heading: str, parts: Sequence[_Part], scale: Scale = "percent"
) -> Figure | None:
    """A row per part, of one solver at a time: the best first, and models only if there are any."""
    solvers = dict.fromkeys(
        run.solver for run in summary.runs if run.solver.role != "people" and any(part.cell(run) for part in parts)
    )
    best = best_solver(summary)
    models = [solver for solver in solvers if solver.role == "model"] or list(solvers)
    shown = sorted(models, key=lambda solver: solver != best)[:_MOST_FACETS]
    groups = [
        Group(tuple(_part_rows(summary, [part for part in parts if part.group == group], shown)), group)
        for group in sorted(dict.fromkeys(part.group for part in parts), key=lambda group: group == _OTHER)
    ]
    facets = tuple(solver.label for solver in shown) if len(shown) > 1 else ()
    left_out = f"The first {len(shown)} of {len(models)} solvers." if len(shown) < len(models) else ""
    more = {"facets": facets, "facet": "Solver", "is_exploratory": True, "caption": left_out}
    return _figure(summary, name, title, unit, (heading,), groups, scale, **more)


def _part_rows(summary: Summary, parts: Sequence[_Part], solvers: Sequence[SolverRow]) -> Iterator[Row]:
    """The rows of a group, for each choice of a solver."""
    for part in parts:
        for number, solver in enumerate(solvers):
            cells = _cells(summary, solver, part.cell)
            if any(cells):
                facet = number if len(solvers) > 1 else None
                yield Row((part.kind or part.label,), cells, "", facet, _gloss(part, cells))


def _figure(
    summary: Summary,
    name: str,
    title: str,
    unit: str,
    headings: tuple[str, ...],
    groups: Sequence[Group],
    scale: Scale = "percent",
    **more: Any,
) -> Figure | None:
    """A figure with the report's columns."""
    columns, short = zip(*((column.label, column.short) for column in summary.columns), strict=True)
    return figure_of(name, title, unit, headings, columns, groups, scale, short=short, **more)


def _cells(summary: Summary, solver: SolverRow, make: MakeCell) -> tuple[Cell | None, ...]:
    runs = (summary.cells.get((solver, column.key)) for column in summary.columns)
    return tuple(make(run) if run is not None else None for run in runs)


def _accuracy(run: RunSummary) -> Cell:
    return Cell(run.accuracy, run.column.chance, guesses=run.guesses)


def _test(run: RunSummary) -> Cell | None:
    if run.chance is None:
        return None
    return Cell(run.accuracy, run.guess, p_value(run.corrected_p), run.guesses, run.beats_chance is not None)


def _subset(name: str, run: RunSummary) -> Cell | None:
    return Cell.of(run.subsets.get(name), run.column.chance)


def _measure(metric: Metric, kind: str | None, run: RunSummary) -> Cell | None:
    estimate = (run.metrics if kind is None else run.kinds.get(kind, {})).get(metric.name)
    return Cell.of(estimate, metric.chance_on(run.column.of_kind(kind))) if estimate else None


def _readings_facets(solvers: Sequence[SolverRow]) -> tuple[str, ...]:
    """The styles of readings, if every row exists in both, so that a switch hides nothing."""
    styles: dict[tuple[str, ...], set[str]] = {}
    for solver in solvers:
        if solver.readings:
            styles.setdefault((solver.name, solver.scoring, solver.more), set()).add(solver.readings)
    return STYLES if styles and all(shown == {*STYLES} for shown in styles.values()) else ()


def _group_of(subset: str) -> str:
    named = next((title for word, title in _NAMED_GROUPS.items() if " " in subset and word in subset.split()), None)
    tag = subset.removeprefix("not ")
    return named or next((_GROUPS.get(group, _OTHER) for group, tags in tag_groups().items() if tag in tags), _OTHER)


def _gloss(part: _Part, cells: Sequence[Cell | None]) -> str:
    """How many items the cells of a row are based on, and what a kind does to the answer."""
    sizes = sorted({cell.estimate.n for cell in cells if cell is not None})
    n = f"n = {sizes[0]:,}" if len(sizes) == 1 else f"n = {sizes[0]:,}–{sizes[-1]:,}"
    return f"{n}; the answer moves to the other candidate" if part.kind == SWITCHED else n
