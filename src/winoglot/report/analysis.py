"""An analysis as a page, with figures and tables for each measure.

`analysis/` measures and knows nothing of pages; here its rows become `Figure`s like those of a report, so that they
look, print and export alike.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.analysis.base import ALL, AnalysisMeasure, QuantityInfo, described, named_measure
from winoglot.analysis.contamination import (
    BETWEEN,
    CONTAMINATION,
    FRESH,
    FRESH_REWRITE,
    PUBLISHED,
    QUANTITIES,
    REWRITE,
    SHOWS,
)
from winoglot.files import as_csv, write_all
from winoglot.report.figure import Cell, Figure, Group, Row, axis_of, figure_of
from winoglot.report.page import Page, Section, page_files, sections_of
from winoglot.report.rendering import said
from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.formatting import number, p_value, percent, percent_interval, signed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.analysis.analyse import Analysis
    from winoglot.runs.results import Result

PAGE = "analysis.html"
_ROWS = "estimates.csv"
_SCALES = {"points": "points", "percent": "%", "plain": "values"}
_KINDS = {ORIGINAL: "originals", ALL: "all kinds"}
_COLLECTION = "corpus counts"  # the column of a measure that needs no model


def write_analysis(analysis: Analysis, folder: str | Path, *, force: bool = False) -> None:
    """Write the page of an analysis (`analysis.html`), its tables and its figures into a folder.

    Existing files are kept unless `force` is set.
    """
    page = analysis_page(analysis)
    files = page_files(page, Path(folder) / PAGE, ("latex", "markdown", "csv"), ("svg",), prefix="")
    write_all(files, force=force)


def analysis_page(analysis: Analysis) -> Page:
    """The change over all kinds first, then each measure."""
    primary = analysis.where(quantity="mean-delta")
    defined = [row for row in primary if row.estimate.value is not None]
    robust = {(row.model, row.scoring, row.collection): row for row in analysis.where(quantity="robust-accuracy")}
    noise = [row for row in analysis.where(quantity="noise-floor") if row.estimate.value is not None]
    is_several = len({row.collection for row in analysis.rows}) > 1

    def who(row: Result) -> str:
        return f"{row.model} on {row.collection}" if is_several else row.model

    measures = dict.fromkeys(row.measure for row in analysis.rows)
    return Page(
        template="analysis.html",
        subject=analysis,
        brand="Winoglot analysis",
        tab="Analysis – Winoglot",
        result=Section("top", "Result", said("analysis_verdict", defined)),
        sections=sections_of(analysis, [*(partial(measure_section, name) for name in measures), reproduce]),
        evidence=tuple(
            said("analysis_evidence", row, who, robust.get((row.model, row.scoring, row.collection))) for row in primary
        ),
        facts=said("analysis_facts", defined, noise, who),
        csv={_ROWS: partial(_csv, analysis)},
    )


def measure_section(name: str, analysis: Analysis) -> Section:
    """What a measure found: a figure for each scale of its quantities, or why it has no number at all."""
    measure, rows = named_measure(name), analysis.where(measure=name)
    has_values = any(row.estimate.value is not None for row in rows)
    reasons = [] if has_values else list(dict.fromkeys((row.model, row.estimate.method) for row in rows))
    values = {"measure": measure, "reasons": reasons, "shows": SHOWS}
    return Section(name, measure.title, measure.title, tuple(_figures(measure, rows)), values, block="measure")


def reproduce(analysis: Analysis) -> Section:
    """The signatures of the runs."""
    values = {"signatures": [run.signature for run in analysis.runs]}
    return Section("reproduce", "How to quote", "How to quote", (), values)


def _csv(analysis: Analysis) -> str:
    rows = [described(row) for row in analysis.rows]
    return as_csv(rows, list(dict.fromkeys(name for row in rows for name in row)))


def _figures(measure: AnalysisMeasure, rows: Sequence[Result]) -> Iterator[Figure]:
    """One figure for each scale of the quantities: rows are kinds, columns are models."""
    infos = {row.quantity: measure.quantities.get(row.quantity, QuantityInfo(row.quantity)) for row in rows}
    ordered = list(dict.fromkeys(name for name in (*measure.quantities, *infos) if name in infos))
    collections = list(dict.fromkeys(row.collection for row in rows))
    columns = list(dict.fromkeys(map(_column, rows)))
    for scale in dict.fromkeys(infos[name].scale for name in ordered):
        quantities = [name for name in ordered if infos[name].scale == scale]
        parts = tuple(dict.fromkeys(name for row in rows if row.quantity in quantities for name in row.parts))
        groups = []
        for quantity in quantities:
            info = infos[quantity]
            own_rows = [row for row in rows if row.quantity == quantity]
            unit = f" ({info.unit})" if info.unit else ""
            title = f"{info.title[:1].upper()}{info.title[1:]}{unit}"
            groups.append(Group(tuple(_rows(own_rows, info, columns, parts, collections)), title))
        figure = figure_of(
            measure.name if scale == infos[ordered[0]].scale else f"{measure.name}-{scale}",
            measure.title,
            f"{_SCALES[scale]}, with 95% interval",
            ("Kind", *(part.capitalize() for part in parts)),
            columns,
            groups,
            scale,
            group_axis=axis_of,
            facets=tuple(collections) if len(collections) > 1 else (),
            facet="Collection" if len(collections) > 1 else "",
            is_exploratory=True,
        )
        if figure is not None:
            yield figure


def _rows(
    rows: Sequence[Result],
    info: QuantityInfo,
    columns: Sequence[str],
    parts: Sequence[str],
    collections: Sequence[str],
) -> Iterator[Row]:
    """One row per kind and part, with a cell for each column."""
    by_labels: dict[tuple[str, ...], dict[str, Result]] = {}
    for row in rows:
        labels = (_KINDS.get(row.kind, row.kind), *(row.parts.get(part, "") for part in parts))
        by_labels.setdefault((row.collection, *labels), {})[_column(row)] = row
    for (collection, *label), measured in by_labels.items():
        cells = tuple(_cell(measured.get(column), info) for column in columns)
        yield Row(tuple(label), cells, "model", collections.index(collection) if len(collections) > 1 else None)


def _cell(row: Result | None, info: QuantityInfo) -> Cell | None:
    if row is None:
        return None
    p = row.numbers.get("corrected_p", row.numbers.get("p"))
    return Cell(row.estimate, info.level, p_value(p), is_significant=p is not None and p < 0.05)


def _column(row: Result) -> str:
    """The model with its scoring; a rule, which only chooses, without."""
    if not row.model:
        return _COLLECTION
    return row.model if row.scoring in ("", "choice") else f"{row.model}, {row.scoring}"


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
                "mean Δ (points)": _points(row),
                "p": p_value(p).removeprefix("p = ").removeprefix("p "),
                "detectable": "–" if detectable is None else percent(detectable),
                "kinds": int(row.numbers.get("kinds") or 0),
                "robust (%)": _share(robust),
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
        lines.append({**about, **columns, "difference": _limited(last) if last else ""})
    return lines


def _level(row: Result | None) -> str:
    """A value without its limits, with its p-value if it has one; a dash if there is none."""
    if row is None or row.estimate.value is None:
        return "–"
    p = row.numbers.get("p")
    value = number(row.estimate.value, QUANTITIES[row.quantity].scale)
    return value if p is None else f"{value} ({p_value(p)})"


def _limited(row: Result) -> str:
    """A value with its limits, or why there is none."""
    scale, estimate = QUANTITIES[row.quantity].scale, row.estimate
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate.method
    return f"{number(estimate.value, scale)} [{number(estimate.low, scale)}, {number(estimate.high, scale)}]"


def _points(row: Result) -> str:
    """A change in points with its limits, always with their signs; or why there is none."""
    estimate = row.estimate
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return estimate.method
    return f"{signed(estimate.value)} [{signed(estimate.low)}, {signed(estimate.high)}]"


def _share(row: Result) -> str:
    """A share in percent with its limits; or why there is none."""
    return percent_interval(row.estimate, missing=row.estimate.method)
