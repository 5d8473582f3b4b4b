"""An analysis as a page: what other wordings change, an example, and a section for each measure.

`analysis/` measures and knows nothing of pages; here its rows become `Figure`s like those of a report, so that they
look, print and export alike.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from winoglot.analysis.base import ALL, AnalysisMeasure, QuantityInfo, Subject, named_measure
from winoglot.analysis.contamination import (
    BETWEEN,
    CONTAMINATION,
    FRESH,
    FRESH_REWRITE,
    PUBLISHED,
    QUANTITIES,
    REWRITE,
    SHOWS,
    fires,
)
from winoglot.files import as_csv, write_all
from winoglot.metrics.robustness import labelled_changes
from winoglot.report.figure import Cell, Figure, Group, Row, axis_of, figure_of
from winoglot.report.items import chosen_example
from winoglot.report.page import Page, Section, page_files, sections_of
from winoglot.report.paper import Paper
from winoglot.report.rendering import has_sentence, said, shortened
from winoglot.report.tables import Table
from winoglot.runs.results import Result, described, identity
from winoglot.schemas.model import ORIGINAL
from winoglot.schemas.text import capital
from winoglot.statistics.formatting import number, p_value, percent, percent_interval
from winoglot.statistics.significance import holm

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from winoglot.analysis.analyse import Analysis
    from winoglot.runs.run import Run
    from winoglot.statistics.formatting import Scale
    from winoglot.statistics.intervals import Estimate

PAGE = "analysis.html"
_ROWS = "estimates.csv"
_SCALES = {"points": "points", "percent": "%", "plain": "values"}
_KINDS = {ORIGINAL: "originals", ALL: "all kinds"}
_COLLECTION = "corpus counts"  # the column of a measure that needs no model
_ALPHA = 0.05  # of corrected p-values
_MOST_SHOWN = 4  # solvers of an example
_MOST_REASONS = 3  # in a caption; the tables have all
_AT_THE_TOP = ("mean-delta", "robust-accuracy")


@dataclass(frozen=True)
class Finding:
    """What the title of a page or a section may say: which estimates lie clearly above or below their level."""

    rows: Sequence[Result]  # with a value
    above: list[str] = field(default_factory=list)  # solvers, or kinds of variants
    below: list[str] = field(default_factory=list)
    solvers: list[str] = field(default_factory=list)  # those with a value
    word: str = "solver"  # what a row is about; "result" if a solver has several
    p_values: Sequence[float] = ()  # of the rows, corrected for their number


def write_analysis(analysis: Analysis, folder: str | Path, paper: Paper | None = None, *, force: bool = False) -> None:
    """Write the page of an analysis (`analysis.html`), its tables and its figures, drawn for a paper, into a folder.

    Existing files are kept unless `force` is set.
    """
    page = analysis_page(analysis)
    files = page_files(page, Path(folder) / PAGE, ("latex", "markdown", "csv"), ("svg",), paper or Paper(), prefix="")
    write_all(files, force=force)


def analysis_page(analysis: Analysis) -> Page:
    """The change over all kinds first, then each measure that has a number."""
    measured = dict.fromkeys(row.measure for row in analysis.rows if row.estimate.value is not None)
    sections = sections_of(analysis, [*(partial(measure_section, name) for name in measured), not_measured, reproduce])
    mean = mean_finding(analysis)
    primary = analysis.where(quantity="mean-delta")
    verdict = said("analysis_verdict", mean, bool(measured))
    if measured and not primary:
        verdict = sections[0].title
    robust = [row for row in analysis.where(quantity="robust-accuracy") if row.estimate.value is not None]
    noise = [row for row in analysis.where(quantity="noise-floor") if row.estimate.value is not None]
    missing = reasons(primary)
    numbers = said("analysis_evidence", mean, robust, missing[:_MOST_REASONS], len(missing))
    items = {run.source.name: len(run.outcomes()) for run in analysis.runs}
    figures = tuple(_top_figures(analysis, mean))
    return Page(
        template="analysis.html",
        subject=analysis,
        brand="Winoglot analysis",
        tab=f"{verdict} – Winoglot analysis",
        result=Section("top", "Result", verdict, figures, {"example": wording_example(analysis)}),
        sections=sections,
        evidence=(numbers,) if numbers else (),
        facts=said("analysis_facts", items, mean, noise),
        csv={_ROWS: partial(_csv, analysis)}
        | {
            f"{name}-items.csv": partial(as_csv, rows, list(rows[0]))
            for name in measured
            if (rows := listed_items(name, analysis))
        },
    )


def mean_finding(analysis: Analysis) -> Finding:
    """Whose accuracy other wordings change on average, by p-values that are corrected for their number."""
    rows = [row for row in analysis.where(quantity="mean-delta") if row.estimate.value is not None]
    p_values = holm([row.numbers["p"] or 0.0 for row in rows]) if rows else []
    solvers = _who(rows)
    clear = [(row, name) for row, name, p in zip(rows, solvers, p_values, strict=True) if p < _ALPHA]
    return Finding(
        rows,
        above=[name for row, name in clear if (row.estimate.value or 0.0) > 0],
        below=[name for row, name in clear if (row.estimate.value or 0.0) < 0],
        solvers=solvers,
        word=_word(rows),
        p_values=p_values,
    )


def finding(measure: AnalysisMeasure, rows: Sequence[Result]) -> Finding:
    """What the main rows of a measure show: of the originals, if they have a value, otherwise of each kind.

    Estimates are clear by their corrected p-value or, without a test, by an interval that excludes their level; without
    a test, those of few items say nothing.
    """
    defined = [row for row in rows if "corrected_p" in row.numbers or not Cell(row.estimate).is_few]
    defined = [row for row in defined if row.estimate.value is not None]
    originals = [row for row in defined if row.kind == ORIGINAL and measure.name != CONTAMINATION]
    shown = originals or defined
    names = _who(shown)
    solvers = list(dict.fromkeys(names))
    sides: dict[bool, list[str]] = {True: [], False: []}
    for row, name in zip(shown, names, strict=True):
        cell = _cell(row, measure.quantities.get(row.quantity, QuantityInfo(row.quantity)))
        if cell and (cell.is_significant if "corrected_p" in row.numbers else cell.is_clear):
            kind = row.kind + f" ({shortened(name)})" * (len(solvers) > 1)
            sides[(row.estimate.value or 0.0) > (cell.chance or 0.0)].append(name if originals else kind)
    return Finding(shown, sides[True], sides[False], solvers, _word(shown))


def wording_example(analysis: Analysis) -> Mapping[str, Any] | None:
    """An original and a variant with what solvers chose: one of those that make the finding, or that change nothing."""
    deltas = [row for row in analysis.where(quantity="delta") if row.estimate.value is not None]
    clear = [row for row in deltas if (row.numbers.get("corrected_p") or 1.0) < _ALPHA]
    largest = min(clear, key=lambda row: row.numbers["corrected_p"] or 0.0, default=None)
    sign = 0 if largest is None else 1 if (largest.estimate.value or 0.0) > 0 else -1
    kinds = [largest.kind] if largest else list(dict.fromkeys(row.kind for row in deltas))

    def rank(answers: list[list[tuple[int | None, int | None]]]) -> float | None:
        agreeing = [_moves(answered, sign) for answered in answers]
        return -sum(agreeing) if agreeing[0] else None

    for run in analysis.runs:
        if largest is not None and not _is_of(largest, run):
            continue
        others = [other for other in analysis.runs if other is not run and other.source.name == run.source.name]
        runs = [(asked.settings.model, asked) for asked in [run, *others][:_MOST_SHOWN]]
        for kind in kinds:
            pairs = [(change.original.example, change.example) for change in labelled_changes(run, kind).cases]
            shown = chosen_example(runs, pairs, rank)
            if shown is not None:
                agreeing = sum(_moves(answered, sign) for _, answered in shown["solvers"])
                why = said("example_of_wording", sign, run.settings.model, agreeing, len(runs))
                label = run.source.name if len({run.source.name for run in analysis.runs}) > 1 else ""
                return {**shown, "kind": kind, "number": len(pairs), "label": label, "why": why}
    return None


def _moves(answered: Sequence[tuple[int | None, int | None]], sign: int) -> bool:
    """Whether the choice becomes right (1) or wrong (-1) in the variant, or stays the same (0)."""
    (before, answer), (after, answer_after) = answered
    return (after == answer_after) - (before == answer) == sign if sign else before == after is not None


def measure_section(name: str, analysis: Analysis) -> Section:
    """What a measure found: its main quantity as a figure, and the others folded."""
    measure = named_measure(name)
    rows = [row for row in analysis.where(measure=name) if row.quantity not in _AT_THE_TOP]
    main = _main_rows(measure, rows)
    figures = tuple(_figures(measure, main))
    others = tuple(_figures(measure, [row for row in rows if row not in main], "more"))
    of_originals = [row for row in listed_items(name, analysis) if row["kind"] == ORIGINAL]
    listed = Table.of(f"{name}-items", f"{measure.title}: the originals, by margin", of_originals, "plain")
    tests = [has_fired for row in main if (has_fired := fires(described(row))) is not None]
    title, shown = measure.title, finding(measure, main)
    if tests:
        title = said("found_contamination", shown, tests)
    elif any(row.quantity == _headline_quantity(measure) for row in main):
        title = said(f"found_{name.replace('-', '_')}" if shown.rows else "found_few", shown)
    titles = dict.fromkeys(group.title or figure.title for figure in others for group in figure.groups)
    quantities = "; ".join(title.lower() for title in titles)
    values = {
        "measure": measure,
        "shows": SHOWS,
        "main": figures,
        "others": others,
        "quantities": quantities,
        "items": listed,
    }
    return Section(name, measure.title, title, (*figures, *others, listed), values, block="measure")


def listed_items(name: str, analysis: Analysis) -> list[dict[str, Any]]:
    """The items that a measure lists, of each run and kind for which it has a number."""
    list_items, rows = named_measure(name).items, analysis.where(measure=name)
    if list_items is None:
        return []
    return [
        {"collection": run.source.name, "model": run.settings.model, "kind": row.kind, **item}
        for row in rows
        for run in analysis.runs
        if row.estimate.value is not None and _is_of(row, run)
        for item in list_items(Subject(run), row.kind)
    ]


def not_measured(analysis: Analysis) -> Section | None:
    """The measures without any number, and each reason once."""
    names = dict.fromkeys(row.measure for row in analysis.rows)
    by_reasons: dict[tuple[str, ...], list[AnalysisMeasure]] = {}
    for name in names:
        rows = analysis.where(measure=name)
        if all(row.estimate.value is None for row in rows):
            by_reasons.setdefault(tuple(reasons(rows)), []).append(named_measure(name))
    missing = [measure for measures in by_reasons.values() for measure in measures]
    title = said("found_nothing", [measure.title for measure in missing])
    return Section("not-measured", "Not measured", title, (), {"reasons": by_reasons}) if missing else None


def reproduce(analysis: Analysis) -> Section:
    """The signatures of the runs."""
    values = {"signatures": [run.signature for run in analysis.runs]}
    return Section("reproduce", "How to quote", "Quote these lines with the numbers", (), values)


def reasons(rows: Sequence[Result]) -> list[str]:
    """Why numbers are missing, each reason once, with the models that it is about unless it is about all."""
    models = dict.fromkeys(row.model for row in rows)
    by_reason: dict[tuple[str, bool], dict[str, None]] = {}
    for row in rows:
        if row.estimate.value is None:
            reason = row.estimate.method.removeprefix(f"{row.model} ") if row.model else row.estimate.method
            by_reason.setdefault((reason, reason != row.estimate.method), {})[row.model] = None
    sentences = []
    for (reason, is_about), named in by_reason.items():
        if is_about and len(named) == 1:
            sentences.append(f"{next(iter(named))} {reason}")
        elif is_about or len(named) < len(models):
            sentences.append(f"{', '.join(named)}: {reason}")
        else:
            sentences.append(reason)
    return sentences


def _csv(analysis: Analysis) -> str:
    rows = [described(row) for row in analysis.rows]
    return as_csv(rows, list(dict.fromkeys(name for row in rows for name in row)))


def _top_figures(analysis: Analysis, mean: Finding) -> Iterator[Figure]:
    """What the headline is about: a row per solver, a column per collection."""
    for quantity in _AT_THE_TOP:
        rows = [row for row in analysis.where(quantity=quantity) if row.estimate.value is not None]
        info, is_mean = named_measure("sensitivity").quantities[quantity], quantity == "mean-delta"
        collections, solvers = list(dict.fromkeys(row.collection for row in rows)), _solvers(rows)
        cells: dict[str, dict[str, Cell | None]] = {}
        for place, row in enumerate(rows):
            cell = Cell(row.estimate, info.level)
            if is_mean:
                p = mean.p_values[place]
                cell = replace(cell, note=p_value(p), p=p, is_significant=p < _ALPHA)
            cells.setdefault(solvers[_way(row)], {})[row.collection] = cell
        groups = [Group(tuple(Row((name,), tuple(map(by.get, collections)), "model") for name, by in cells.items()))]
        figure = figure_of(
            quantity,
            capital(info.title),
            f"{_SCALES[info.scale]}, with 95% interval",
            ("Solver",),
            collections,
            groups,
            info.scale,
            caption=said(f"caption_{quantity.replace('-', '_')}", len(rows)),
            is_tested=is_mean,
        )
        if figure is not None:
            yield figure


def _main_rows(measure: AnalysisMeasure, rows: Sequence[Result]) -> list[Result]:
    """What is shown unfolded: the first quantity with a value, for its first parts; of contamination, the tests."""
    if measure.name == CONTAMINATION:
        of_file = [row for row in rows if row.quantity == "order" and row.parts.get("texts") == PUBLISHED]
        return [row for row in rows if row.quantity.endswith(BETWEEN)] + of_file
    defined = [row for row in rows if row.estimate.value is not None]
    first = min(defined, key=lambda row: _places(measure, rows).index(row.quantity), default=None)
    if first is None:
        return []
    return [row for row in rows if row.quantity == first.quantity and row.parts == first.parts]


def _headline_quantity(measure: AnalysisMeasure) -> str | None:
    """The quantity that the sentence about a measure is about; None if there is no such sentence."""
    shown = (name for name in measure.quantities if name not in _AT_THE_TOP)
    return next(shown, None) if has_sentence(f"found_{measure.name.replace('-', '_')}") else None


def _places(measure: AnalysisMeasure, rows: Sequence[Result]) -> list[str]:
    """The quantities in the order of the measure, then those that it does not describe."""
    return list(dict.fromkeys((*measure.quantities, *(row.quantity for row in rows))))


def _figures(measure: AnalysisMeasure, rows: Sequence[Result], ending: str = "") -> Iterator[Figure]:
    """One figure for each scale of the quantities: rows are kinds, columns are models."""
    quantities = [name for name in _places(measure, rows) if any(row.quantity == name for row in rows)]
    infos = {name: measure.quantities.get(name, QuantityInfo(name)) for name in quantities}
    collections = list(dict.fromkeys(row.collection for row in rows))
    solvers = _solvers(rows)
    columns = list(solvers.values())
    for scale in dict.fromkeys(info.scale for info in infos.values()):
        shown = [row for row in rows if infos[row.quantity].scale == scale]
        parts = tuple(dict.fromkeys(name for row in shown for name in row.parts)) if ending else ()
        groups = []
        for quantity, info in infos.items():
            of_quantity = [row for row in shown if row.quantity == quantity]
            unit = f" ({info.unit})" if info.unit else ""
            title = f"{capital(info.title)}{unit}"
            groups.append(Group(tuple(_rows(of_quantity, info, solvers, parts, collections)), title))
        groups = [group for group in groups if group.rows]
        missing = reasons(shown)
        figure = figure_of(
            "-".join(filter(None, (measure.name, ending, scale if scale != infos[quantities[0]].scale else ""))),
            groups[0].title if len(groups) == 1 else measure.title,
            f"{_SCALES[scale]}, with 95% interval",
            ("Kind", *(part.capitalize() for part in parts)),
            columns,
            [Group(groups[0].rows)] if len(groups) == 1 else groups,
            scale,
            group_axis=axis_of if len(groups) > 1 else None,
            facets=tuple(collections) if len(collections) > 1 else (),
            facet="Collection" if len(collections) > 1 else "",
            caption=said("missing_numbers", missing[:_MOST_REASONS], len(missing)),
            is_tested=True,  # where p-values are corrected
            is_exploratory=True,
        )
        if figure is not None:
            yield figure


def _rows(
    rows: Sequence[Result],
    info: QuantityInfo,
    solvers: Mapping[tuple[str, ...], str],
    parts: Sequence[str],
    collections: Sequence[str],
) -> Iterator[Row]:
    """One row per kind and part, with a cell for each column."""
    by_labels: dict[tuple[str, ...], dict[tuple[str, ...], Cell | None]] = {}
    for row in rows:
        labels = (_KINDS.get(row.kind, row.kind), *(row.parts.get(part, "") for part in parts))
        by_labels.setdefault((row.collection, *labels), {})[_way(row)] = _cell(row, info)
    for (collection, *label), cells in by_labels.items():
        facet = collections.index(collection) if len(collections) > 1 else None
        yield Row(tuple(label), tuple(map(cells.get, solvers)), "", facet)


def _cell(row: Result, info: QuantityInfo) -> Cell | None:
    corrected = row.numbers.get("corrected_p")
    p = row.numbers.get("p") if corrected is None else corrected
    is_clear = p is not None and p < _ALPHA
    return Cell.of(row.estimate, info.level, note=p_value(p), p=corrected, is_significant=is_clear)


def _is_of(row: Result, run: Run) -> bool:
    return all(getattr(row, name) == value for name, value in identity(run).items())


def _solvers(rows: Sequence[Result]) -> dict[tuple[str, ...], str]:
    """By model, scoring and readings, what a solver is called: its model, unless that was asked in several ways."""
    ways = dict.fromkeys(map(_way, rows))
    counts = Counter(model for model, *_ in ways)
    return {way: (way[0] if counts[way[0]] == 1 else ", ".join(way)) or _COLLECTION for way in ways}


def _way(row: Result) -> tuple[str, ...]:
    return row.model, row.scoring, row.readings


def _who(rows: Sequence[Result]) -> list[str]:
    """The solver of each row, with the collection if there are several."""
    solvers, is_several = _solvers(rows), len({row.collection for row in rows}) > 1
    return [solvers[_way(row)] + f" on {row.collection}" * is_several for row in rows]


def _word(rows: Sequence[Result]) -> str:
    """What a number is about: a solver or, if a solver has several, a result."""
    asked = {(row.model, row.collection, row.scoring, row.readings) for row in rows}
    return "solver" if len({row.model for row in rows}) == len(asked) else "result"


def mean_change(analysis: Analysis) -> list[dict[str, object]]:
    """The primary figure with what belongs to it, for a terminal: one row per model and collection."""
    lines: list[dict[str, object]] = []
    for row in analysis.where(quantity="mean-delta"):
        about = {"collection": row.collection, "model": row.model}
        (robust,) = analysis.where(quantity="robust-accuracy", **about, scoring=row.scoring, readings=row.readings)
        detectable, p = row.numbers.get("detectable"), row.numbers.get("p")
        lines.append(
            {
                **about,
                "mean Δ (points)": _limited(row.estimate, "points"),
                "p": p_value(p, is_named=False),
                "detectable": "–" if detectable is None else percent(detectable),
                "kinds": int(row.numbers.get("kinds") or 0),
                "robust (%)": percent_interval(robust.estimate, missing=robust.estimate.method),
            }
        )
    return lines


def contamination_tests(analysis: Analysis) -> list[dict[str, object]]:
    """What the tests for contamination found, for a terminal: one row per model, collection and test."""
    lines: list[dict[str, object]] = []
    every = analysis.where(measure=CONTAMINATION)
    tests = dict.fromkeys((row.model, row.collection, row.quantity.removesuffix(BETWEEN)) for row in every)
    for model, source, name in tests:
        rows = [row for row in every if (row.model, row.collection) == (model, source)]
        levels = {row.parts.get("texts"): row for row in rows if row.quantity == name}
        last = next((row for row in rows if row.quantity == name + BETWEEN), None)
        last = last or next(iter(levels.values()))  # order and style are differences themselves
        about = {"collection": source, "model": model, "test": name}
        columns = {texts: _level(levels.get(texts)) for texts in (PUBLISHED, REWRITE, FRESH, FRESH_REWRITE)}
        lines.append({**about, **columns, "difference": _limited(last.estimate, QUANTITIES[last.quantity].scale)})
    return lines


def _level(row: Result | None) -> str:
    """A value without its limits, with its p-value if it has one; a dash if there is none."""
    if row is None or row.estimate.value is None:
        return "–"
    p = row.numbers.get("p")
    value = number(row.estimate.value, QUANTITIES[row.quantity].scale)
    return value if p is None else f"{value} ({p_value(p)})"


def _limited(estimate: Estimate, scale: Scale) -> str:
    """A value with its limits, or why there is none."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate.method
    return f"{number(estimate.value, scale)} [{number(estimate.low, scale)}, {number(estimate.high, scale)}]"
