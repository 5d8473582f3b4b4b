"""An analysis as a page, with figures and tables for each measure.

`analysis/` measures and knows nothing of pages; here its rows become `Figure`s like those of a report, so that they
look, print and export alike.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot._version import __version__
from winoglot.analysis.base import ALL, AnalysisMeasure, Measurement, QuantityInfo, named_measure
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
from winoglot.report.drawing import figure_files
from winoglot.report.figure import Cell, Figure, Group, Row, axis_of, number, p_value
from winoglot.report.findings import rendered
from winoglot.report.tables import figure_tables
from winoglot.schemas.model import ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from winoglot.analysis.analyse import Analysis

PAGE = "analysis.html"
_TABLES, _FIGURES, _ROWS = "tables", "figures", "estimates.csv"
_SCALES = {"points": "points", "percent": "%", "plain": "values"}
_KINDS = {ORIGINAL: "originals", ALL: "all kinds"}
_COLLECTION = "corpus counts"  # the column of a measure that needs no model


def write_analysis(analysis: Analysis, folder: str | Path, *, force: bool = False) -> None:
    """Write the page of an analysis (`analysis.html`), its tables and its figures into a folder.

    Existing files are kept unless `force` is set.
    """
    write_all(analysis_files(analysis, Path(folder)), force=force)


def analysis_files(analysis: Analysis, folder: Path) -> dict[Path, Callable[[], str | bytes]]:
    """By path, what makes the page, the tables (LaTeX, Markdown, CSV) and the figures (SVG)."""
    figures = [figure for own in analysis_figures(analysis).values() for figure in own]
    tables = [table for figure in figures for table in figure_tables(figure)]
    files: dict[Path, Callable[[], str | bytes]] = {folder / PAGE: partial(analysis_page, analysis)}
    for table in tables:
        files[folder / _TABLES / f"{table.name}.tex"] = table.latex
        files[folder / _TABLES / f"{table.name}.md"] = table.markdown
    files[folder / _TABLES / _ROWS] = partial(_csv, analysis)
    files |= {folder / _FIGURES / name: draw for name, draw in figure_files(figures, (), ("svg",)).items()}
    return files


def _reasons(analysis: Analysis, measure: str) -> list[tuple[str, str]]:
    """Why a measure has no number at all, model by model; empty if it has one."""
    rows = analysis.where(measure=measure)
    if any(row.estimate.value is not None for row in rows):
        return []
    return list(dict.fromkeys((row.model, row.estimate.method) for row in rows))


def analysis_page(analysis: Analysis) -> str:
    """One self-contained page: the change over all kinds first, then each measure."""
    found = analysis_figures(analysis)
    primary = [row for row in analysis.rows if row.quantity == "mean-delta"]
    return rendered(
        "analysis.html",
        summary={"columns": max((figure.columns for own in found.values() for figure in own), key=len, default=())},
        sections=[(named_measure(name), own, _reasons(analysis, name)) for name, own in found.items()],
        primary=primary,
        is_several=len({row.collection for row in analysis.rows}) > 1,
        robust={(row.model, row.scoring, row.collection): row for row in analysis.where(quantity="robust-accuracy")},
        noise=[row for row in analysis.where(quantity="noise-floor") if row.estimate.value is not None],
        shows=SHOWS,
        signatures=[run.signature for run in analysis.runs],
        data_file="",  # all is in the page
        version=__version__,
    )


def _csv(analysis: Analysis) -> str:
    rows = [row.described() for row in analysis.rows]
    return as_csv(rows, list(dict.fromkeys(name for row in rows for name in row)))


def analysis_figures(analysis: Analysis) -> dict[str, list[Figure]]:
    """The figures of each measure, one for each scale of its quantities: rows are kinds, columns are models."""
    made: dict[str, list[Figure]] = {}
    for name in dict.fromkeys(row.measure for row in analysis.rows):
        about, rows = named_measure(name), [row for row in analysis.rows if row.measure == name]
        made[name] = list(_figures(about, rows))
    return made


def _figures(about: AnalysisMeasure, rows: Sequence[Measurement]) -> Iterator[Figure]:
    read = {row.quantity: about.quantities.get(row.quantity, QuantityInfo(row.quantity)) for row in rows}
    ordered = [name for name in (*about.quantities, *read) if name in read]
    collections, columns = ([*dict.fromkeys(names)] for names in (map(_source, rows), map(_column, rows)))
    for scale in dict.fromkeys(read[name].scale for name in ordered):
        parts = tuple(dict.fromkeys(name for row in rows if read[row.quantity].scale == scale for name in row.parts))
        groups = []
        for quantity in (name for name in dict.fromkeys(ordered) if read[name].scale == scale):
            own = [row for row in rows if row.quantity == quantity]
            drawn = tuple(_rows(own, read[quantity], columns, parts, collections))
            unit = f" ({read[quantity].unit})" if read[quantity].unit else ""
            axis = axis_of(drawn, scale)
            groups.append(Group(drawn, f"{read[quantity].title[:1].upper()}{read[quantity].title[1:]}{unit}", axis))
        unit = ", ".join(filter(None, (_SCALES[scale], "with 95% interval")))
        yield Figure(
            about.name if scale == read[ordered[0]].scale else f"{about.name}-{scale}",
            about.title,
            unit,
            ("Kind", *(part.capitalize() for part in parts)),
            tuple(columns),
            tuple(groups),
            scale=scale,
            facets=tuple(collections) if len(collections) > 1 else (),
            facet="Collection" if len(collections) > 1 else "",
            is_exploratory=True,
        )


def _rows(
    rows: Sequence[Measurement],
    info: QuantityInfo,
    columns: Sequence[str],
    parts: Sequence[str],
    collections: Sequence[str],
) -> Iterator[Row]:
    """One row per kind and part, with a cell for each column."""
    found: dict[tuple[str, ...], dict[str, Measurement]] = {}
    for row in rows:
        labels = (_KINDS.get(row.kind, row.kind), *(row.parts.get(part, "") for part in parts))
        found.setdefault((_source(row), *labels), {})[_column(row)] = row
    for (source, *named), own in found.items():
        cells = tuple(_cell(own.get(column), info) for column in columns)
        yield Row(tuple(named), cells, "model", collections.index(source) if len(collections) > 1 else None)


def _cell(row: Measurement | None, info: QuantityInfo) -> Cell | None:
    if row is None:
        return None
    p = row.numbers.get("corrected_p", row.numbers.get("p"))
    return Cell(row.estimate, info.level, p_value(p), is_significant=p is not None and p < 0.05)


def _source(row: Measurement) -> str:
    return row.collection


def _column(row: Measurement) -> str:
    """The model with its scoring; a rule, which only chooses, without."""
    if not row.model:
        return _COLLECTION
    return row.model if row.scoring in ("", "choice") else f"{row.model}, {row.scoring}"


def mean_change(analysis: Analysis) -> list[dict[str, object]]:
    """The primary figure with what belongs to it, for a terminal: one row per model and collection."""
    made: list[dict[str, object]] = []
    for row in analysis.where(quantity="mean-delta"):
        about = {"collection": row.collection, "model": row.model}
        (robust,) = analysis.where(quantity="robust-accuracy", **about, scoring=row.scoring, readings=row.readings)
        detectable, p = row.numbers.get("detectable"), row.numbers.get("p")
        made.append(
            {
                **about,
                "mean Δ (points)": _points(row),
                "p": p_value(p).removeprefix("p = ").removeprefix("p "),
                "detectable": "–" if detectable is None else f"{100 * detectable:.1f}",
                "kinds": int(row.numbers.get("kinds") or 0),
                "robust (%)": _share(robust),
            }
        )
    return made


def contamination_tests(analysis: Analysis) -> list[dict[str, object]]:
    """What the tests for contamination found, for a terminal: one row per model, collection and test."""
    made: list[dict[str, object]] = []
    own = analysis.where(measure=CONTAMINATION)
    for model, source, name in dict.fromkeys((r.model, r.collection, r.quantity.removesuffix(BETWEEN)) for r in own):
        rows = [row for row in own if (row.model, row.collection) == (model, source)]
        levels = {row.parts.get("texts"): row for row in rows if row.quantity == name}
        last = next((row for row in rows if row.quantity == name + BETWEEN), None)
        last = last or next(iter(levels.values()))  # order and style are differences themselves
        about = {"collection": source, "model": model, "test": name}
        columns = {texts: _level(levels.get(texts)) for texts in (PUBLISHED, REWRITE, FRESH, FRESH_REWRITE)}
        made.append({**about, **columns, "difference": _limited(last) if last else ""})
    return made


def _level(row: Measurement | None) -> str:
    """A value without its limits, with its p-value if it has one; a dash if there is none."""
    if row is None or row.estimate.value is None:
        return "–"
    p = row.numbers.get("p")
    value = number(row.estimate.value, QUANTITIES[row.quantity].scale)
    return value if p is None else f"{value} ({p_value(p)})"


def _limited(row: Measurement) -> str:
    """A value with its limits, or why there is none."""
    scale, made = QUANTITIES[row.quantity].scale, row.estimate
    if made.value is None or made.low is None or made.high is None:
        return made.method
    return f"{number(made.value, scale)} [{number(made.low, scale)}, {number(made.high, scale)}]"


def _points(row: Measurement) -> str:
    made = row.estimate
    if made.value is None or made.low is None or made.high is None:
        return made.method
    return f"{100 * made.value:+z.1f} [{100 * made.low:+z.1f}, {100 * made.high:+z.1f}]".replace("-", "−")


def _share(row: Measurement) -> str:
    made = row.estimate
    if made.value is None or made.low is None or made.high is None:
        return made.method
    return f"{100 * made.value:.1f} [{100 * made.low:.0f}, {100 * made.high:.0f}]"
