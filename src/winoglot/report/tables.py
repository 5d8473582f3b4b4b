"""The tables of a report, from rows of numbers: every number an estimate with its interval and n."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.report.table import Cell, Number, Table, p_value, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from winoglot.report.rows import Bar, Contrast, Margins, Reliability


def table_files(tables: Sequence[Table], folder: Path) -> dict[Path, Callable[[], str | bytes]]:
    """Each table as Markdown, LaTeX and CSV: the files and the functions that make their content."""
    files: dict[Path, Callable[[], str | bytes]] = {}
    for table in tables:
        made = {"md": table.markdown, "tex": table.latex, "csv": table.csv}
        files |= {folder / f"{table.name}.{suffix}": make for suffix, make in made.items()}
    return files


def bar_table(name: str, caption: str, bars: Sequence[Bar], headings: tuple[str, str, str], figure: str) -> Table:
    """The bars of a figure, one row each; the heading of the series is empty if there is none."""
    group, label, series = headings
    has_chance = any(bar.chance is not None for bar in bars)
    has_note = any(bar.reason for bar in bars)
    columns = (group, label, *[series] * bool(series), figure, *["guessing"] * has_chance, *["note"] * has_note)
    rows: list[tuple[Cell, ...]] = []
    for bar in bars:
        note = bar.reason if bar.estimate.value is not None else bar.note
        names = [bar.group, bar.label, *[bar.series] * bool(series)]
        rows.append((*names, bar.estimate, *[percent(bar.chance)] * has_chance, *[note] * has_note))
    return Table(name, caption, columns, tuple(rows))


def contrast_table(contrasts: Sequence[Contrast]) -> Table:
    """The comparisons of a figure, one row each."""
    rows: list[tuple[Cell, ...]] = []
    for one in contrasts:
        told = ", ".join(filter(None, ("yes", one.weakness))) if one.is_told_apart else "no"
        rows.append(
            (
                one.group,
                one.first,
                one.second,
                one.difference,
                p_value(one.corrected_p),
                f"not compared: {one.refused}" if one.refused else told,
                percent(one.detectable),
            )
        )
    columns = ("collection", "first", "second", "difference", "adjusted p", "different", "least detectable")
    caption = (
        "Accuracy of the first model minus that of the second, in points, with 95% intervals; an abstention is not "
        "right; p after Holm's correction; the smallest true difference that four out of five such collections would "
        "show."
    )
    return Table("comparisons", caption, columns, tuple(rows), is_signed=True)


def reliability_table(rows: Sequence[Reliability]) -> Table:
    """The bins of a calibration figure, one row each, after the overall error."""
    body: list[tuple[Cell, ...]] = []
    for row in rows:
        body.append((row.group, row.label, "calibration error", None, row.error, percent(row.noise)))
        body += [
            (row.group, row.label, "accuracy", percent(confidence), estimate, None)
            for confidence, estimate in row.points
        ]
    columns = ("collection", "model", "what", "mean confidence", "estimate", "noise")
    return Table("calibration", "Calibration. In percent, with 95% intervals", columns, tuple(body))


def margin_table(rows: Sequence[Margins]) -> Table:
    """Five points of each distribution of margins."""
    body: list[tuple[Cell, ...]] = []
    for row in rows:
        values = sorted(row.values)
        found = [values[round(share * (len(values) - 1))] for share in _POINTS] if values else []
        points: list[Cell] = [Number(value, f"{value:z.2f}".replace("-", "−")) for value in found]
        right = sum(value > 0 for value in values)
        body.append((row.group, row.label, len(values), right, *(points or [None] * len(_POINTS))))
    columns = ("collection", "model", "n", "above 0", "lowest", "lower quarter", "median", "upper quarter", "highest")
    return Table("margins", "Score of the answer minus that of the other candidate", columns, tuple(body))


_POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)
