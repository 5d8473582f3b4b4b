"""The report on runs: its first screen, the list of its sections, and those with estimates by solver and column."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot.metrics.base import Metric, metrics
from winoglot.metrics.robustness import SWITCHED
from winoglot.report import details, findings
from winoglot.report.figure import Cell, Figure, Group, Row, axis_of, figure_of
from winoglot.report.findings import best_solver, clear_cells, contrasts, is_beyond, settings_shown
from winoglot.report.items import packed_items, reading_example, schema_example
from winoglot.report.page import Page, Section, sections_of
from winoglot.report.parallel import languages
from winoglot.report.plots import choices, slopes
from winoglot.report.rendering import said, shortened
from winoglot.report.solvers import STYLES
from winoglot.report.summary import Accuracy
from winoglot.report.tables import figure_tables, summary_csv
from winoglot.schemas.statistics import tag_groups
from winoglot.statistics.formatting import Scale, p_value, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.report.ranking import Place
    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import RunSummary, Summary
    from winoglot.statistics.intervals import Estimate

    MakeCell = Callable[[RunSummary], Cell | None]

_ROBUSTNESS = ("pair-accuracy", "consistency", "stability", "robust-accuracy")
_CHANGE, _PREFERENCE = "delta-accuracy", "position-preference"
_RIGHT, _SHARE = "% of items right, with 95% interval", "%, with 95% interval"
_MOST_FACETS = 12  # solvers that a figure lets the reader choose from; the tables have all
_MOST_SOURCES = 12  # collections that are named below the contents
_MOST_DRAWN = 4  # collections whose accuracies a leaderboard draws
_MOST_NUMBERS = 12  # collections whose numbers fit a leaderboard
_MOST_ROWS = 12  # solvers in all their settings; of more, a figure shows those of the leaderboard
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
        result=result(summary, verdict),
        sections=sections_of(summary, SECTIONS),
        title=title,
        evidence=(findings.evidence(summary),),
        facts=findings.facts(summary),
        sources=_sources(summary),
        data=packed_items(summary),
        csv=summary_csv(summary),
    )


def _sources(summary: Summary) -> tuple[str, ...]:
    names = [*dict.fromkeys(f"{column.source.name} {column.source.version}".strip() for column in summary.columns)]
    more = len(names) - _MOST_SOURCES
    return (*names[:_MOST_SOURCES], f"and {more} more") if more > 0 else tuple(names)


def result(summary: Summary, verdict: str) -> Section:
    """The first screen: an example, the leaderboard, and what to know before comparing."""
    board = leaderboard(summary)
    has_mean, many = len(summary.ranking.columns) > 1, len(summary.columns) > _MOST_DRAWN
    rows = list(board.rows) if board else []
    drawn = [replace(row, cells=row.cells[: int(has_mean)]) for row in rows] if many else rows
    values = {
        "axis": axis_of(drawn),
        "drawn": [cell for row in drawn for cell in row.cells if cell is not None and cell.estimate.value is not None],
        "most_drawn": _MOST_DRAWN,
        "cautions": findings.cautions(summary),
        "example": schema_example(summary),
        "each": figure_tables(board)[0] if board and len(summary.columns) > _MOST_NUMBERS else None,
    }
    return Section("top", "Result", verdict, (board,), values)


def leaderboard(summary: Summary) -> Figure | None:
    """The mean and the accuracy in each collection, in groups that say what the tests found."""
    ranking = summary.ranking
    shown = [*ranking.places, *ranking.others]
    means = {place.solver: place for place in shown if len(ranking.columns) > 1}
    settings, common = settings_shown(summary)
    has_ranks = len(ranking.places) > 1
    headings = ("Solver", *["Rank"] * has_ranks, *["Settings"] * any(settings.values()))
    ranks = {place.solver: place.rank for place in shown}

    def row(solver: SolverRow) -> Row:
        labels = (solver.name, *[ranks.get(solver, "")] * has_ranks, *[settings[solver]] * ("Settings" in headings))
        place = means.get(solver)
        mean: tuple[Cell | None, ...] = ()
        if means:
            mean = (None,) if place is None else (_mean(place, is_top=place.best > 0 and solver not in ranking.behind),)
        return Row(labels, (*mean, *_cells(summary, solver, partial(_accuracy, tops=ranking.tops))), solver.role)

    groups = [Group(tuple(map(row, solvers)), title) for title, solvers in findings.groups(summary).items()]
    columns, short = zip(*((column.label, column.short) for column in summary.columns), strict=True)
    columns, short = (("Mean",) * bool(means) + names for names in (columns, short))
    caption = said("board", summary, common)
    return figure_of(
        "accuracy", "Accuracy", _RIGHT, headings, columns, groups, short=short, caption=caption, is_tested=True
    )


def chance(summary: Summary) -> Section | None:
    """Every run that was tested against guessing, in every setting, as a table."""
    if not summary.tested:
        return None
    return Section("chance", "Against chance", said("title_chance", summary=summary), (details.tests_table(summary),))


def robustness(summary: Summary) -> Section | None:
    """Pair accuracy, consistency, stability and robust accuracy, each against its chance level; choices of the best."""
    parts = _measures(summary, _ROBUSTNESS)
    figure = _by_solver(summary, "robustness", "Robustness", _SHARE, [part for part in parts if part.kind is None])
    stability = _by_solver(summary, "stability", "Stability", _SHARE, [part for part in parts if part.kind])
    plot = choices(summary)
    if figure is None and plot is None:
        return None
    best = best_solver(summary)
    runs = [run for run in summary.runs if run.solver == best and run.choices]
    percentages = {
        outcome: sorted(round(100 * run.choices[outcome] / run.choices.total()) for run in runs)
        for outcome in ("same", "right")
    }
    headline = said(
        "title_robustness",
        **percentages,
        solver=summary.short_name(best.name) if best else "",
        clusters=contrasts(runs) or summary.units,
    )
    return Section("robustness", "Pairs and consistency", headline, (plot, figure, stability))


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
    return _exploratory(summary, "Perturbations", figure, parts)


def preference(summary: Summary) -> Section | None:
    """How often the candidate mentioned first is chosen if nothing shows which is meant."""
    parts = _measures(summary, [_PREFERENCE])
    figure = _one_at_a_time(summary, "preference", "First mention chosen", _SHARE, "Kind", parts)
    return _exploratory(summary, "Preference for a mention", figure, parts)


def subsets(summary: Summary) -> Section | None:
    """Accuracy on parts of the items; those with few items are folded away."""
    names = dict.fromkeys(name for run in summary.runs for name in run.subsets)
    parts_of = {
        are_few: [_Part(subset, partial(_subset, subset, are_few), group=_group_of(subset)) for subset in names]
        for are_few in (False, True)
    }
    large, few = (
        _one_at_a_time(summary, name, "Accuracy by subset", _RIGHT, "Subset", parts_of[are_few])
        for name, are_few in (("subsets", False), ("subsets-few", True))
    )
    if large is None and few is None:
        return None
    solvers = _one_by_one(summary, parts_of[False])
    hardest = _hardest(summary, solvers[0], parts_of[False]) if solvers else None
    headline = said("title_subsets", hardest=hardest, are_few=large is None, solver=_name_of_first(summary, solvers))
    return Section("subsets", "Subsets", headline, (large, few))


def _hardest(summary: Summary, solver: SolverRow, parts: Sequence[_Part]) -> tuple[str, RunSummary, Estimate] | None:
    """Of the subsets that are clearly harder than all items together, the one with the lowest accuracy."""
    runs = [run for run in summary.runs if run.solver == solver]
    shown = [(part.label, run, cell.estimate) for run in runs for part in parts if (cell := part.cell(run))]
    lower = [subset for subset in shown if (subset[2].value or 0.0) < (subset[1].accuracy.value or 0.0)]
    clear = [subset for subset in lower if is_beyond(subset[2], subset[1].accuracy.value, len(shown))]
    return min(clear, key=lambda subset: subset[2].value or 0.0, default=None)


def readings(summary: Summary) -> Section | None:
    """Accuracy with grammatical readings minus that with naive ones, all else equal."""
    cells_of: dict[tuple[str, ...], dict[str, Cell]] = {}
    for pair in summary.compared:
        if pair.is_of_readings:
            solver, comparison = pair.first.solver, pair.comparison
            note = p_value(comparison.corrected_p)
            is_clear = comparison.is_distinguishable
            cell = Cell(comparison.difference, 0.0, note, p=comparison.corrected_p, is_significant=is_clear)
            labels = (summary.short_name(solver.name), solver.scoring or pair.first.settings.scoring)
            cells_of.setdefault(labels, {})[pair.first.column.key] = cell
    rows = [
        Row(labels, tuple(cells.get(column.key) for column in summary.columns), "model")
        for labels, cells in cells_of.items()
    ]
    title, unit, headings = "Grammatical minus naive", "points, with 95% interval", ("Solver", "Scoring")
    figure = _figure(summary, "readings", title, unit, headings, [Group(tuple(rows))], "points", is_tested=True)
    if figure is None:
        return None
    cells = list(figure.cells)
    largest = max(abs(cell.estimate.value or 0.0) for cell in cells)
    apart = sum(cell.is_significant for cell in cells)
    headline = said("title_readings", apart=apart, total=len(cells), largest=percent(largest))
    values = {"example": reading_example(summary), "fallbacks": said("fallbacks", summary)}
    return Section("readings", "Readings", headline, (slopes(summary), figure), values)


SECTIONS = (
    details.differences,
    chance,
    robustness,
    languages,
    other_metrics,
    perturbations,
    preference,
    subsets,
    readings,
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


def _exploratory(summary: Summary, topic: str, figure: Figure | None, parts: Sequence[_Part]) -> Section | None:
    """A section with one figure, whose title names the kinds whose intervals exclude chance or no change."""
    if figure is None:
        return None
    solver = _name_of_first(summary, _one_by_one(summary, parts))
    headline = said(f"title_{figure.name}", found=clear_cells(figure), solver=solver)
    return Section(figure.name, topic, headline, (figure,))


def _name_of_first(summary: Summary, solvers: Sequence[SolverRow]) -> str:
    """The solver that a figure about one at a time begins with; nothing if there is only one."""
    if len(solvers) < 2:
        return ""
    solver = solvers[0]
    is_enough = not solver.settings or _called(summary, solver) == summary.main_name(solver)
    return shortened(summary.short_name(solver.name)) + ("" if is_enough else f" ({solver.settings})")


def _one_by_one(summary: Summary, parts: Sequence[_Part]) -> list[SolverRow]:
    """The solvers of a figure that shows one at a time: the best first, and models only if there are any."""
    able = {run.solver for run in summary.runs if run.solver.role != "people" and any(part.cell(run) for part in parts)}
    solvers = [solver for solver in _shown_solvers(summary) if solver in able]
    solvers = solvers or [solver for solver in summary.solvers if solver in able]
    return [solver for solver in solvers if solver.role == "model"] or solvers


def _shown_solvers(summary: Summary) -> tuple[SolverRow, ...]:
    """Solvers in all their settings or, if these are many, as in the leaderboard."""
    return summary.solvers if len(summary.solvers) <= _MOST_ROWS else summary.main_solvers


def _called(summary: Summary, solver: SolverRow) -> str:
    """The name of a solver in a figure with the solvers shown."""
    return summary.brief(solver) if len(summary.solvers) <= _MOST_ROWS else summary.main_name(solver)


def _by_solver(
    summary: Summary, name: str, title: str, unit: str, parts: Sequence[_Part], *, scale: Scale = "percent"
) -> Figure | None:
    """A row per solver, in a group with an axis of its own for each part."""
    solvers = _shown_solvers(summary)
    facets = _readings_facets(solvers)
    has_settings = len(solvers) > len(summary.main_solvers) and any(_settings(solver, facets) for solver in solvers)
    groups: list[Group] = []
    for part in parts:
        rows = tuple(
            Row(
                (summary.short_name(solver.name), *[_settings(solver, facets)] * has_settings),
                _cells(summary, solver, part.cell),
                solver.role,
                facets.index(solver.readings) if solver.readings in facets else None,
            )
            for solver in solvers
        )
        note = "" if any(group.note == part.note for group in groups) else part.note
        groups.append(Group(rows, part.label, note=note))
    headings = ("Solver", *["Settings"] * has_settings)
    more = {"facets": facets, "facet": "Readings", "group_axis": axis_of, "is_exploratory": True}
    return _figure(summary, name, title, unit, headings, groups, scale, **more)


def _settings(solver: SolverRow, facets: Sequence[str]) -> str:
    """What distinguishes a row, without what a switch chooses."""
    return ", ".join(filter(None, (solver.scoring, "" if facets else solver.readings, solver.more)))


def _one_at_a_time(
    summary: Summary, name: str, title: str, unit: str, heading: str, parts: Sequence[_Part], scale: Scale = "percent"
) -> Figure | None:
    """A row per part, of one solver at a time."""
    models = _one_by_one(summary, parts)
    shown = models[:_MOST_FACETS]
    groups = [
        Group(tuple(_part_rows(summary, [part for part in parts if part.group == group], shown)), group)
        for group in sorted(dict.fromkeys(part.group for part in parts), key=lambda group: group == _OTHER)
    ]
    facets = tuple(_called(summary, solver) for solver in shown) if len(shown) > 1 else ()
    names, facet = {solver.name for solver in shown}, "Solver"
    if len(names) == 1:  # which the facets may leave out
        unit, facet = f"{unit}; {shown[0].name if facets else shown[0].label}", "Setting"
    left_out = f"The first {len(shown)} of {len(models)} solvers." if len(shown) < len(models) else ""
    more = {"facets": facets, "facet": facet, "is_exploratory": True, "caption": left_out}
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


def _accuracy(run: RunSummary, tops: frozenset[tuple[SolverRow, str]] = frozenset()) -> Cell:
    return Cell(
        run.accuracy,
        run.guess,
        guesses=run.guesses,
        p=run.corrected_p,
        is_significant=run.beats_chance is not None,
        is_top=(run.solver, run.column.key) in tops,
    )


def _mean(place: Place, *, is_top: bool) -> Cell:
    return Cell(
        Accuracy(**vars(place.mean), abstained=place.abstained),
        place.chance,
        guesses=place.guesses,
        p=place.corrected_p,
        is_significant=place.is_tested_apart,
        is_top=is_top,
    )


def _subset(name: str, are_few: bool, run: RunSummary) -> Cell | None:
    """The accuracy on a subset; None if it has few items and should not, or the other way round."""
    cell = Cell.of(run.subsets.get(name), run.column.chance)
    return cell if cell is not None and cell.is_few == are_few else None


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
