"""The figures of a report, from rows of numbers; each has as many parts as it needs to fit on printed pages.

A part has `svg()` for a page, `pdf()` and `png()`, its text alternative `alt`, and its numbers as `table`. Rows are
defined in `winoglot.report.rows`; a page that shows the drawings needs `style()` for their colours.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from math import isfinite
from typing import TYPE_CHECKING, TypeVar

from winoglot.report._figure import Figure
from winoglot.report._forest import NARROW, Axis, forest, split
from winoglot.report._matrix import matrix
from winoglot.report._multiples import MOST_PANELS, margin_limit, margin_panels, reliability_panels
from winoglot.report._telling import told_bars, told_contrasts, told_margins, told_reliability
from winoglot.report._theme import style
from winoglot.report.rows import FEW, Bar, Contrast, Margins, Reliability
from winoglot.report.tables import bar_table, contrast_table, margin_table, reliability_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

_Row = TypeVar("_Row")

__all__ = [
    "Figure",
    "accuracy",
    "comparisons",
    "figure_files",
    "margins",
    "readings",
    "reliability",
    "robustness",
    "style",
    "subsets",
]

_CAPTION = (
    "Points are estimates, lines 95% intervals, n the number of items. "
    f"Grey and hollow: n below {FEW}, too few to rank, or another reason given in the table."
)
_ABSTAINED = (
    "An abstention is not right, so a solver that abstains can be below chance without being worse than chance: a "
    "cross shows the expected accuracy if the solver had guessed instead."
)


def accuracy(bars: Sequence[Bar]) -> tuple[Figure, ...]:
    """Accuracy by model and language against chance; people, if there are any, as diamonds.

    >>> from winoglot.statistics.intervals import Estimate
    >>> bar = Bar("gemma-3-270m", "English", Estimate(0.56, 0.5, 0.62, 263, "BCa over 131 schemas"), chance=0.5)
    >>> (figure,) = accuracy([bar])
    >>> print(figure.alt)
    Accuracy, percent, with 95% intervals. English: gemma-3-270m 56.0 [50.0, 62.0], n = 263, chance 50.0.
    """
    return _forests("accuracy", "Accuracy", _CAPTION, bars, "accuracy, percent")


def robustness(bars: Sequence[Bar]) -> tuple[Figure, ...]:
    """Pair accuracy, consistency and stability of each model; `series` is the measure."""
    caption = f"{_CAPTION} n counts schemas for pair accuracy, items otherwise."
    return _forests("robustness", "Robustness", caption, bars, "share, percent", series="measure")


def readings(bars: Sequence[Bar]) -> tuple[Figure, ...]:
    """Accuracy of each model by the style of the readings; `series` is the style."""
    return _forests("readings", "Accuracy by style of readings", _CAPTION, bars, "accuracy, percent", series="readings")


def subsets(bars: Sequence[Bar]) -> tuple[Figure, ...]:
    """Accuracy on parts of the items; `series` is the subset. Each model in each language has a panel of its own."""
    turned = [replace(bar, label=bar.series, group=f"{bar.group} · {bar.label}", series="") for bar in bars]
    caption = f"{_CAPTION} Subsets overlap, and there is no correction for multiple comparisons."
    return _forests(
        "subsets",
        "Accuracy by subset",
        caption,
        turned,
        "accuracy, percent",
        group="collection and model",
        label="subset",
    )


def reliability(rows: Sequence[Reliability]) -> tuple[Figure, ...]:
    """Calibration: accuracy over confidence."""
    caption = (
        "Items grouped by confidence: the share answered correctly, with 95% intervals. On the dashed line, a model is "
        f"right as often as it is confident. Grey and hollow: fewer than {FEW} items. The error is the mean distance "
        "from that line, in percent. Chance alone makes it greater than 0; noise is the error that a perfectly "
        "calibrated model would show."
    )
    return _numbered(
        Figure(
            "calibration",
            "Calibration",
            caption,
            told_reliability(part),
            reliability_table(part),
            reliability_panels(part),
            reliability_panels(part, narrow=True),
        )
        for part in _parts(rows)
    )


def margins(rows: Sequence[Margins]) -> tuple[Figure, ...]:
    """How the scores of the two readings differ: to the right of 0, the answer has the higher score."""
    finite = [replace(row, values=tuple(value for value in row.values if isfinite(value))) for row in rows]
    limit = margin_limit(finite)
    caption = (
        "Items by the score of the answer minus that of the other candidate, in natural logarithms: above 0 the model "
        f"is right. The outermost bars include everything beyond. Grey: fewer than {FEW} items."
    )
    return _numbered(
        Figure(
            "margins",
            "Score margins",
            caption,
            told_margins(part),
            margin_table(part),
            margin_panels(part, limit),
            margin_panels(part, limit, narrow=True),
        )
        for part in _parts(finite)
    )


def comparisons(contrasts: Sequence[Contrast], order: Sequence[str] = ()) -> tuple[Figure, ...]:
    """Which models differ, one matrix per collection; the models are in the given order."""
    caption = (
        "Accuracy of the row's model minus that of the column's, in points, with 95% intervals if there is room; an "
        "abstention is not right. "
        f"Bold: different at the 5% level after Holm's correction; grey: n below {FEW}, or most of the difference is "
        "due to abstentions. No difference found does not prove that two models are equal: the table has the smallest "
        "difference that this many items can show."
    )
    made = []
    for group in dict.fromkeys(one.group for one in contrasts):
        part = [one for one in contrasts if one.group == group]
        made.append(
            Figure(
                "comparisons",
                "Which models differ",
                caption,
                told_contrasts(part),
                contrast_table(part),
                matrix(part, group, order),
                matrix(part, group, order, narrow=True),
            )
        )
    return _numbered(made)


def figure_files(figures: Sequence[Figure], folder: Path) -> dict[Path, Callable[[], str | bytes]]:
    """Each figure as SVG, PDF and PNG: the files and the functions that make their content."""
    files: dict[Path, Callable[[], str | bytes]] = {}
    for figure in figures:
        files[folder / f"{figure.name}.svg"] = partial(figure.svg, inline=False)
        files[folder / f"{figure.name}.pdf"] = figure.pdf
        files[folder / f"{figure.name}.png"] = figure.png
    return files


def _forests(
    name: str,
    title: str,
    caption: str,
    bars: Sequence[Bar],
    axis: str,
    *,
    group: str = "collection",
    label: str = "model",
    series: str = "",
) -> tuple[Figure, ...]:
    """One figure, or several if the lines do not fit on a page; a series looks the same in all of them."""
    known = list(dict.fromkeys(bar.series for bar in bars))
    if any(bar.guessing is not None for bar in bars):
        caption = f"{caption} {_ABSTAINED}"
    return _numbered(
        Figure(
            name,
            title,
            caption,
            told_bars(part, f"{title}, percent"),
            bar_table(name, f"{title} in percent, with 95% intervals", part, (group, label, series), title.lower()),
            forest(part, Axis(axis), known),
            forest(part, Axis(axis), known, NARROW),
        )
        for part in split(bars)
    )


def _parts(rows: Sequence[_Row]) -> Iterator[Sequence[_Row]]:
    for start in range(0, len(rows), MOST_PANELS):
        yield rows[start : start + MOST_PANELS]


def _numbered(figures: Iterable[Figure]) -> tuple[Figure, ...]:
    """Give the parts of a figure names and titles of their own."""
    made = list(figures)
    if len(made) < 2:
        return tuple(made)
    return tuple(
        replace(
            figure,
            name=f"{figure.name}-{number}",
            title=f"{figure.title} ({number} of {len(made)})",
            table=replace(figure.table, name=f"{figure.name}-{number}"),
        )
        for number, figure in enumerate(made, start=1)
    )
