"""Which figures a report has: each from the summary, None or left out if there is nothing to show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.metrics.base import Metric, metrics
from winoglot.metrics.robustness import SWITCHED
from winoglot.report.figure import Axis, Cell, Figure, Group, Row, Scale, axis_of, p_value
from winoglot.report.findings import best_solver
from winoglot.schemas.statistics import tag_groups

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from winoglot.report.columns import Column
    from winoglot.report.solvers import Solver
    from winoglot.report.summary import RunSummary, Summary

_ROBUSTNESS = ("pair-accuracy", "consistency", "stability")
_CHANGE, _PREFERENCE = "delta-accuracy", "position-preference"
_MOST_FACETS = 12  # rows that a figure lets the reader choose from; the tables have all
_SILENT = 0.25  # a baseline that abstains more often may lie beyond the axis
_GROUPS = {
    "social": "Social knowledge",
    "things": "Knowledge of things",
    "order": "Order, comparison, transfer",
    "candidates!": "Candidates",
    "position": "Candidates",
    "subset": "Design",
}
_NAMED_GROUPS = (  # what a subset's name ends or begins with, and its group
    ("pronoun", "Pronoun"),
    ("text", "Length"),
    ("readers", "Readers"),
    ("window", "What partial scoring sees"),
    ("readings", "What partial scoring sees"),
)


def leaderboard(summary: Summary) -> Figure:
    """Accuracy by solver and collection."""
    return _board(
        summary,
        "accuracy",
        "Accuracy",
        lambda one: Cell(one.accuracy, one.column.chance, guesses=one.guesses),
        is_board=True,
    )


def chance_tests(summary: Summary) -> Figure | None:
    """The accuracy of what was tested against guessing, with the corrected p-values."""
    if not summary.tests:
        return None
    return _board(
        summary,
        "tests",
        "Accuracy and tests against chance",
        lambda one: (
            Cell(one.accuracy, one.guess, p_value(one.corrected_p), one.guesses, one.beats_chance is not None)
            if one.chance
            else None
        ),
        has_facets=False,
    )


def robustness(summary: Summary) -> Figure | None:
    """Pair accuracy, consistency and stability, each against its chance level."""
    measures = _measures(summary, *_ROBUSTNESS)
    return _measured(summary, "robustness", "Robustness", measures) if measures else None


def other_metrics(summary: Summary) -> list[Figure]:
    """Metrics that no other section shows: one figure for each unit."""
    known = ("accuracy", *_ROBUSTNESS, _CHANGE, _PREFERENCE)
    found = [one for one in _measures(summary) if one.metric.name not in known]
    made = []
    for number, unit in enumerate(dict.fromkeys(one.metric.unit for one in found)):
        own = [one for one in found if one.metric.unit == unit]
        made.append(_measured(summary, f"metrics-{number + 1}" if number else "metrics", "Other metrics", own))
    return made


def perturbations(summary: Summary) -> Figure | None:
    """How accuracy changes from the originals to each kind of variant."""
    measures = _measures(summary, _CHANGE)
    return _by_kind(summary, "perturbations", "Change of accuracy", measures, "points")


def preference(summary: Summary) -> Figure | None:
    """How often the candidate mentioned first is chosen if nothing shows which is meant."""
    return _by_kind(summary, "preference", "First mention chosen", _measures(summary, _PREFERENCE), "percent")


def subset_figure(summary: Summary) -> Figure | None:
    """Accuracy on parts of the items, one solver at a time."""
    shown = _chosen(summary, lambda one: bool(one.subsets))
    names = dict.fromkeys(name for one in summary.runs for name in one.subsets)
    if not shown or not names:
        return None
    titles = {name: _group_of(name) for name in names}
    order = dict.fromkeys(titles.values())
    groups = []
    for title in sorted(order, key=lambda one: one == "Other tags"):
        rows = []
        for name in names:
            for facet, solver in enumerate(shown):
                cells = tuple(_subset_cell(summary, solver, column, name) for column in summary.columns)
                if titles[name] == title and any(cells):
                    rows.append(Row((name,), cells, facet=_facet(facet, shown), gloss=_sizes(cells)))
        if rows:
            groups.append(Group(tuple(rows), title))
    if not groups:
        return None
    return _figure(
        "subsets",
        "Accuracy by subset",
        "% of items right, with 95% interval",
        ("Subset",),
        summary,
        tuple(groups),
        axis=axis_of(
            [cell for group in groups for row in group.rows for cell in row.cells if cell and not cell.is_few]
        ),
        facets=tuple(one.label for one in shown) if len(shown) > 1 else (),
        facet="Solver",
        is_exploratory=True,
    )


def reading_differences(summary: Summary) -> Figure | None:
    """Accuracy with grammatical readings minus that with naive ones, all else equal."""
    pairs = [one for one in summary.compared if one.is_of_readings]
    if not pairs:
        return None
    rows: dict[tuple[str, ...], dict[str, Cell]] = {}
    for one in pairs:
        solver, made = one.first.solver, one.comparison
        labels = (solver.name, solver.scoring or one.first.run.settings.scoring)
        cell = Cell(made.difference, 0.0, p_value(made.corrected_p), is_significant=made.is_distinguishable)
        rows.setdefault(labels, {})[one.first.column.key] = cell
    made_rows = tuple(
        Row(labels, tuple(own.get(column.key) for column in summary.columns), "model") for labels, own in rows.items()
    )
    return _figure(
        "readings",
        "Grammatical minus naive",
        "points, with 95% interval",
        ("Solver", "Scoring"),
        summary,
        (Group(made_rows),),
        axis=axis_of([cell for row in made_rows for cell in row.cells], "points"),
        scale="points",
    )


def people(summary: Summary) -> Figure | None:
    """People beside the best setting of each model."""
    humans = [solver for solver in summary.solvers if solver.role == "people"]
    names = dict.fromkeys(solver.name for solver in summary.solvers if solver.role == "model")
    models = [best for name in names if (best := best_solver(summary, name)) is not None]
    if not humans or not models:
        return None
    groups = tuple(
        Group(
            tuple(
                Row(
                    (solver.label,), tuple(_accuracy_cell(summary, solver, one) for one in summary.columns), solver.role
                )
                for solver in solvers
            )
        )
        for solvers in (humans, models)
    )
    return _figure(
        "people",
        "Accuracy of people and models",
        "% of items right, with 95% interval",
        ("Who answers",),
        summary,
        groups,
        axis=axis_of([cell for group in groups for row in group.rows for cell in row.cells]),
    )


@dataclass(frozen=True)
class _Measure:
    """A metric, of the originals or of a kind of variant."""

    metric: Metric
    kind: str | None = None

    @property
    def name(self) -> str:
        return self.metric.name.replace("-", " ").capitalize()

    @property
    def label(self) -> str:
        return f"{self.name}, {self.kind}" if self.kind else self.name

    def cell(self, run: RunSummary | None) -> Cell | None:
        if run is None:
            return None
        found = run.metrics if self.kind is None else run.kinds.get(self.kind, {})
        estimate = found.get(self.metric.name)
        if estimate is None or estimate.value is None:
            return None
        return Cell(estimate, self.metric.chance_on(run.column.of_kind(self.kind)))


def _measures(summary: Summary, *names: str) -> list[_Measure]:
    """What has a value in some run, of the metrics named or of all."""
    kinds = dict.fromkeys(kind for one in summary.runs for kind in one.kinds)
    wanted = [one for one in metrics() if not names or one.name in names]
    known = [_Measure(one, kind) for one in wanted for kind in (kinds if one.is_by_kind else (None,))]
    return [one for one in known if any(one.cell(run) for run in summary.runs)]


def _measured(summary: Summary, name: str, title: str, measures: Sequence[_Measure]) -> Figure:
    """A group of rows for each measure."""
    scale: Scale = "percent" if measures[0].metric.unit == "%" else "plain"
    facets, _ = _readings_facets(summary)
    groups: list[Group] = []
    for measure in measures:
        rows = [row for row in _solver_rows(summary, measure.cell, facets) if any(row.cells)]
        if rows:
            said = f"{measure.name}: {measure.metric.description}"
            note = "" if any(group.note == said for group in groups) else said
            groups.append(Group(tuple(rows), measure.label, _axis(rows, scale), note))
    unit = (
        "% , with 95% interval".replace(" ,", ",")
        if scale == "percent"
        else f"{measures[0].metric.unit}, with 95% interval"
    )
    return _figure(
        name,
        title,
        unit,
        _headings(summary, facets),
        summary,
        tuple(groups),
        scale=scale,
        facets=facets,
        facet="Readings",
    )


def _by_kind(summary: Summary, name: str, title: str, measures: Sequence[_Measure], scale: Scale) -> Figure | None:
    """A row for each kind of variant, one solver at a time."""
    shown = _chosen(summary, lambda one: any(measure.cell(one) for measure in measures))
    if not measures or not shown:
        return None
    rows = []
    for measure in measures:
        for facet, solver in enumerate(shown):
            cells = tuple(measure.cell(summary.cell(solver, column)) for column in summary.columns)
            if any(cells):
                gloss = "the answer moves to the other candidate" if measure.kind == SWITCHED else ""
                sizes = _sizes(cells)
                rows.append(
                    Row(
                        (measure.kind or "",),
                        cells,
                        facet=_facet(facet, shown),
                        gloss="; ".join(filter(None, (sizes, gloss))),
                    )
                )
    return _figure(
        name,
        title,
        "points, reworded minus original, with 95% interval" if scale == "points" else "%, with 95% interval",
        ("Kind",),
        summary,
        (Group(tuple(rows)),),
        axis=axis_of([cell for row in rows for cell in row.cells], scale),
        scale=scale,
        facets=tuple(one.label for one in shown) if len(shown) > 1 else (),
        facet="Solver",
        is_exploratory=True,
    )


def _board(
    summary: Summary,
    name: str,
    title: str,
    cell: Callable[[RunSummary], Cell | None],
    *,
    is_board: bool = False,
    has_facets: bool = True,
) -> Figure:
    """A row per solver: people, models and baselines in groups of their own."""
    facets, _ = _readings_facets(summary) if has_facets else ((), "")
    rows = _solver_rows(summary, lambda one: cell(one) if one else None, facets)
    rows = [row for row in rows if any(row.cells)]
    groups = [
        Group(own) for role in ("people", "model", "baseline") if (own := tuple(r for r in rows if r.role == role))
    ]
    return _figure(
        name,
        title,
        "% of items right, with 95% interval",
        _headings(summary, facets),
        summary,
        tuple(groups),
        axis=_axis(rows, "percent"),
        facets=facets,
        facet="Readings",
        is_board=is_board,
    )


def _figure(
    name: str,
    title: str,
    unit: str,
    headings: tuple[str, ...],
    summary: Summary,
    groups: tuple[Group, ...],
    **more: object,
) -> Figure:
    return Figure(
        name,
        title,
        unit,
        headings,
        tuple(column.label for column in summary.columns),
        groups,
        short=tuple(column.short for column in summary.columns),
        **more,  # type: ignore[arg-type]  # the rest of the figure's own arguments
    )


def _solver_rows(
    summary: Summary, cell: Callable[[RunSummary | None], Cell | None], facets: tuple[str, ...]
) -> list[Row]:
    has_scoring, has_readings, has_more = _label_columns(summary, facets)
    rows = []
    for solver in summary.solvers:
        labels = [solver.name]
        labels += [solver.scoring] * has_scoring + [solver.readings] * has_readings + [solver.more] * has_more
        facet = facets.index(solver.readings) if solver.readings in facets else None
        cells = tuple(cell(summary.cell(solver, column)) for column in summary.columns)
        rows.append(Row(tuple(labels), cells, solver.role, facet))
    return rows


def _headings(summary: Summary, facets: tuple[str, ...]) -> tuple[str, ...]:
    shown = zip(_label_columns(summary, facets), ("Scoring", "Readings", "Settings"), strict=True)
    return ("Solver", *(name for is_shown, name in shown if is_shown))


def _label_columns(summary: Summary, facets: tuple[str, ...]) -> tuple[bool, bool, bool]:
    solvers = summary.solvers
    return (
        any(one.scoring for one in solvers),
        not facets and any(one.readings for one in solvers),
        any(one.more for one in solvers),
    )


def _readings_facets(summary: Summary) -> tuple[tuple[str, ...], str]:
    """The styles of readings, if every row exists in both, so that a switch hides nothing."""
    styles: dict[tuple[str, ...], set[str]] = {}
    for one in summary.solvers:
        if one.readings:
            styles.setdefault((one.name, one.scoring, one.more), set()).add(one.readings)
    known = list(styles.values())
    if known and all(own == {"grammatical", "naive"} for own in known):
        return ("grammatical", "naive"), "Readings"
    return (), ""


def _axis(rows: Sequence[Row], scale: Scale) -> Axis:
    """An axis for the models; baselines that abstain often, and people, may lie beyond it."""
    models = [cell for row in rows if row.role == "model" for cell in row.cells]
    others = [cell for row in rows for cell in row.cells if cell and cell.abstained <= _SILENT * cell.estimate.n]
    return axis_of(models if any(models) else others, scale, outliers=others)


def _chosen(summary: Summary, has: Callable[[RunSummary], bool]) -> list[Solver]:
    """The solvers that a figure shows one at a time: the best first."""
    found = dict.fromkeys(one.solver for one in summary.runs if has(one) and not one.is_human)
    models = [one for one in found if one.role == "model"] or list(found)
    best = best_solver(summary)
    return sorted(models, key=lambda one: one != best)[:_MOST_FACETS]


def _facet(number: int, shown: Sequence[Solver]) -> int | None:
    return number if len(shown) > 1 else None


def _subset_cell(summary: Summary, solver: Solver, column: Column, name: str) -> Cell | None:
    run = summary.cell(solver, column)
    found = run.subsets.get(name) if run else None
    return Cell(found, column.chance) if found is not None and found.value is not None else None


def _accuracy_cell(summary: Summary, solver: Solver, column: Column) -> Cell | None:
    run = summary.cell(solver, column)
    return Cell(run.accuracy, column.chance, guesses=run.guesses) if run and run.accuracy.value is not None else None


def _group_of(subset: str) -> str:
    for ending, title in _NAMED_GROUPS:
        if subset.endswith(f" {ending}") or subset.startswith(f"{ending} ") or f" the {ending}" in subset:
            return title
    name = subset.removeprefix("not ")
    return next(
        (_GROUPS.get(group, "Other tags") for group, tags in tag_groups().items() if name in tags), "Other tags"
    )


def _sizes(cells: Sequence[Cell | None]) -> str:
    """How many items the cells of a row are based on.

    >>> from winoglot.statistics.intervals import Estimate
    >>> _sizes([Cell(Estimate(0.5, 0.4, 0.6, 116, "BCa")), None, Cell(Estimate(0.5, 0.4, 0.6, 126, "BCa"))])
    'n = 116–126'
    """
    found = sorted({cell.estimate.n for cell in cells if cell is not None})
    if not found:
        return ""
    return f"n = {found[0]:,}" if len(found) == 1 else f"n = {found[0]:,}–{found[-1]:,}"
