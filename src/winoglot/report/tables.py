"""The tables of a report, from rows of numbers: every number an estimate with its interval and n."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.report.table import Cell, Number, Table, estimate_text, p_value, percent

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from winoglot.report.rows import Bar, Contrast, Margins, Reliability

__all__ = ["Table", "comparisons", "estimate_text", "subsets", "summary", "table_files"]

_PERCENT = "In percent, with 95% intervals"


def summary(bars: Sequence[Bar]) -> Table:
    """A row for each model and collection; `series` names the columns (accuracy, pair accuracy, consistency …).

    >>> from winoglot.statistics.intervals import Estimate
    >>> from winoglot.report.rows import Bar
    >>> pairs = Estimate(0.3, 0.2, 0.4, 50, "BCa over 50 schemas")
    >>> table = summary([Bar("gemma-3-270m", "English", pairs, series="pair accuracy", chance=0.25)])
    >>> table.columns, table.texts()
    (('collection', 'model', 'pair accuracy'), [['English', 'gemma-3-270m', '30.0 [20.0, 40.0], n = 50']])
    """
    series = list(dict.fromkeys(bar.series for bar in bars))
    found = {(bar.group, bar.label, bar.series): bar.estimate for bar in bars}
    rows = dict.fromkeys((bar.group, bar.label) for bar in bars)
    levels = dict.fromkeys((bar.series, bar.group, bar.chance) for bar in bars if bar.chance is not None)
    caption = f"{_PERCENT}. An abstention counts as not right.{_levels(list(levels))}"
    body = tuple((*row, *(found.get((*row, name)) for name in series)) for row in rows)
    return Table("summary", caption, ("collection", "model", *(name or "estimate" for name in series)), body)


def subsets(bars: Sequence[Bar]) -> Table:
    """Accuracy by subset; `series` is the subset."""
    caption = f"Accuracy by subset. {_PERCENT}. Subsets overlap, and there is no correction for multiple comparisons."
    return bar_table("subsets", caption, bars, ("collection", "model", "subset"), "accuracy")


def comparisons(contrasts: Sequence[Contrast]) -> Table:
    """The differences between models, the corrected p, and what such a collection could have shown."""
    return contrast_table(contrasts)


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
    return Table("calibration", f"Calibration. {_PERCENT}", columns, tuple(body))


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


def _levels(levels: Sequence[tuple[str, str, float]]) -> str:
    """The chance level of each column, given once if it is the same in all collections."""
    said = []
    for series in dict.fromkeys(name for name, _, _ in levels):
        own = [(group, level) for name, group, level in levels if name == series]
        values = list(dict.fromkeys(f"{100 * level:.1f}" for _, level in own))
        where = values[0] if len(values) == 1 else ", ".join(f"{100 * level:.1f} ({group})" for group, level in own)
        said.append(f"{series or 'estimate'} {where}")
    return f" Chance: {'; '.join(said)}." if said else ""
