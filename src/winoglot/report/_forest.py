"""Estimates as points with intervals, one per line, in panels over a common axis, each with its numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from winoglot.report._figure import drawing, finished
from winoglot.report._forest_key import GUESSED, key
from winoglot.report._labels import LONGEST, all_different, pixels, shortened, wrapped
from winoglot.report._theme import SIZE, SMALL, colours, series_colour, series_shape
from winoglot.report.table import estimate_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.report.rows import Bar

MOST_LINES = 44  # in one figure, so that it fits on a printed page
_STEP = 18  # from one line to the next
_LINE = SMALL + 3  # of a label that takes several
_GAP = 8  # added between labels if a label has several lines
_HEADING = 2.0  # lines that the name of a panel and its axis take


@dataclass(frozen=True)
class ForestLayout:
    """The layout of a figure: names left of the axis and numbers right of it; on phones, both above each interval."""

    plot: int  # width of the axis, in pixels
    longest: int  # columns of a name
    beside: int  # pixels for the numbers
    undefined: int  # columns of the reason
    is_stacked: bool


WIDE = ForestLayout(plot=230, longest=LONGEST, beside=160, undefined=60, is_stacked=False)
NARROW = ForestLayout(plot=296, longest=44, beside=0, undefined=44, is_stacked=True)


@dataclass(frozen=True)
class Axis:
    """What the horizontal axis covers."""

    title: str
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass
class _Lines:
    """The data of one panel."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    labels: list[dict[str, Any]] = field(default_factory=list)
    height: float = 0.0


def split(bars: Sequence[Bar], most: int = MOST_LINES) -> Iterator[list[Bar]]:
    """The bars of each figure: whole panels, as many as fit; a panel that is too long is cut between labels."""
    short = all_different([bar.label for bar in bars])
    page: list[Bar] = []
    used = 0.0
    for group in dict.fromkeys(bar.group for bar in bars):
        panel = [bar for bar in bars if bar.group == group]
        blocks = [[bar for bar in panel if bar.label == label] for label in dict.fromkeys(bar.label for bar in panel)]
        heights = [_height(block, short[block[0].label]) / _STEP for block in blocks]
        if page and used + _HEADING + sum(heights) > most:
            yield page
            page, used = [], 0.0
        used += _HEADING
        for block, height in zip(blocks, heights, strict=True):
            if page and used + height > most:
                yield page
                page, used = [], _HEADING
            page += block
            used += height
    if page:
        yield page


def forest(bars: Sequence[Bar], axis: Axis, series: Sequence[str], layout: ForestLayout = WIDE) -> dict[str, Any]:
    """The specification of a figure with one panel per group; `series` gives each name its colour and shape."""
    alt = drawing()
    short = all_different([bar.label for bar in bars], layout.longest)
    titles = {bar.group: wrapped(bar.group, layout.longest) if layout.is_stacked else [bar.group] for bar in bars}
    widest = max(pixels(line) for lines in short.values() for line in lines)
    margin = 0.0 if layout.is_stacked else widest + 12
    above = key(bars, series, margin, layout.plot + layout.beside)
    panels = [] if above is None else [above]
    for group, title in titles.items():
        lines = _lines([bar for bar in bars if bar.group == group], short, series, axis, layout)
        panels.append(_panel(title, lines, axis, margin, layout, is_last=group == bars[-1].group))
    spacing = (48 if layout.is_stacked else 40) + (SIZE + 3) * (max(map(len, titles.values())) - 1)
    return finished(alt.vconcat(*panels, bounds="flush", spacing=spacing))


def _lines(
    bars: Sequence[Bar], short: dict[str, list[str]], series: Sequence[str], axis: Axis, layout: ForestLayout
) -> _Lines:
    made = _Lines()
    gap = _GAP if layout.is_stacked or len({bar.series for bar in bars}) > 1 else 0
    top = 0.0
    for label in dict.fromkeys(bar.label for bar in bars):
        block = [_row(bar, series, axis, layout) for bar in bars if bar.label == label]
        place = _stacked if layout.is_stacked else _beside
        height, at = place(block, short[label], top, layout)
        made.labels.append({"y": at, "label": short[label]})
        made.rows += block
        top += height + gap
    made.height = top - gap
    return made


def _height(block: Sequence[object], name: Sequence[str]) -> float:
    return max(_STEP * len(block), _LINE * len(name) + 4)


def _beside(block: list[dict[str, Any]], name: list[str], top: float, _: ForestLayout) -> tuple[float, float]:
    """Give the rows their places below `top`; return their total height, and where the name begins."""
    height = _height(block, name)
    step = height / len(block)
    for number, row in enumerate(block):
        y = top + step * (number + 0.5)
        row |= {"y": y, "told": y, "upper": y - step / 2, "lower": y + step / 2}
    return height, top + (height - _LINE * (len(name) - 1)) / 2


def _stacked(block: list[dict[str, Any]], name: list[str], top: float, layout: ForestLayout) -> tuple[float, float]:
    """The same with numbers above their interval, the first of them in the last line of the name if it fits."""
    fits = pixels(name[-1]) + pixels(block[0]["text"]) + 16 <= layout.plot
    at = top + 4 + _LINE * (len(name) - fits)
    for row in block:
        y = at + _LINE + _STEP / 2
        row |= {"y": y, "told": at + _LINE / 2, "upper": y - _STEP / 2, "lower": y + _STEP / 2}
        at = y + _STEP / 2
    return at - top, top + 4 + _LINE / 2


def _row(bar: Bar, series: Sequence[str], axis: Axis, layout: ForestLayout) -> dict[str, Any]:
    number = series.index(bar.series)
    estimate = bar.estimate
    soft = colours()["soft"]
    colour = soft if bar.is_weak else colours()["2"] if bar.is_people else series_colour(number)
    text = estimate_text(estimate)
    return {
        "value": estimate.value,
        "low": None if estimate.low is None else max(axis.low, estimate.low),
        "high": None if estimate.high is None else min(axis.high, estimate.high),
        "chance": bar.chance,
        "guessing": bar.guessing,
        "colour": colour,
        "fill": colours()["page"] if bar.is_weak else colour,
        "shape": "diamond" if bar.is_people else series_shape(number),
        "weak": bar.is_weak,
        "text": shortened(text, layout.undefined) if estimate.value is None else text,
        "ink": soft if bar.is_weak else colours()["ink"],
    }


def _panel(title: list[str], lines: _Lines, axis: Axis, margin: float, layout: ForestLayout, *, is_last: bool) -> Any:
    alt = drawing()
    soft, line, ink = colours()["soft"], colours()["line"], colours()["ink"]
    x_axis = alt.Axis(
        values=list(axis.ticks),
        labelExpr="format(100 * datum.value, 'd')",
        title=axis.title if is_last else None,
        domain=False,
        grid=not layout.is_stacked,  # there it would run through names and numbers
        tickSize=0,
        labelFlush=False,
        labelPadding=6,
        titlePadding=8,
    )
    scale = alt.Scale(domain=[axis.low, axis.high], nice=False, zero=False)

    def x(name: str) -> Any:
        return alt.X(f"{name}:Q", scale=scale, axis=x_axis)

    def rows_with(name: str) -> Any:
        """The rows that have it, as a chart; a chart without marks if none has it."""
        rows = [row for row in lines.rows if row["value"] is not None and row[name] is not None]
        return alt.Chart(alt.InlineData(rows))

    y, colour = alt.Y("y:Q", scale=None, axis=None), alt.Stroke("colour:N", scale=None)
    upper = alt.Y("upper:Q", scale=None)
    if layout.is_stacked:
        marks = [row | {"tick": tick} for row in lines.rows for tick in axis.ticks]
        grid = alt.Chart(alt.InlineData([{name: mark[name] for name in ("tick", "upper", "lower")} for mark in marks]))
        layers = [grid.mark_rule(color=line).encode(x=x("tick"), y=upper, y2=alt.Y2("lower:Q"))]
    else:  # an axis is drawn even if nothing else is
        layers = [alt.Chart(alt.InlineData([{"low": axis.low}])).mark_rule(opacity=0).encode(x=x("low"))]
    layers += [
        rows_with("chance")
        .mark_rule(color=ink, strokeDash=[3, 3])
        .encode(x=x("chance"), y=upper, y2=alt.Y2("lower:Q")),
        rows_with("guessing")
        .mark_rule(strokeDash=[1, 3], strokeWidth=1.5)
        .encode(x=x("value"), x2=alt.X2("guessing:Q"), y=y, stroke=colour),
        rows_with("guessing").mark_point(size=45, opacity=1, shape=GUESSED).encode(x=x("guessing"), y=y, stroke=colour),
    ]
    for weak in (False, True):
        rows = [row for row in lines.rows if row["weak"] == weak and row["value"] is not None]
        base = alt.Chart(alt.InlineData(rows))
        numbers = {"align": "right"} if layout.is_stacked else {"align": "left"}
        layers += [
            base.mark_rule(strokeWidth=1.5 if weak else 2.5, strokeDash=[4, 2] if weak else [1, 0]).encode(
                x=x("low"), x2=alt.X2("high:Q"), y=y, stroke=colour
            ),
            base.mark_point(size=55, strokeWidth=1.5, opacity=1).encode(
                x=x("value"),
                y=y,
                stroke=colour,
                fill=alt.Fill("fill:N", scale=None),
                shape=alt.Shape("shape:N", scale=None),
            ),
            base.mark_text(baseline="middle", **numbers).encode(
                x=alt.XValue(layout.plot + (-4 if layout.is_stacked else 12)),
                y=alt.Y("told:Q", scale=None),
                text=alt.Text("text:N"),
                color=alt.Color("ink:N", scale=None),
            ),
        ]
    undefined = [row for row in lines.rows if row["value"] is None]
    layers += [
        alt.Chart(alt.InlineData(undefined))
        .mark_text(align="left", baseline="middle", color=soft, fontStyle="italic")
        .encode(x=alt.XValue(4), y=y, text=alt.Text("text:N")),
        alt.Chart(alt.InlineData(lines.labels))
        .mark_text(align="left" if layout.is_stacked else "right", baseline="middle", color=ink, lineHeight=_LINE)
        .encode(x=alt.XValue(4 if layout.is_stacked else -8), y=y, text=alt.Text("label:N")),
        alt.Chart(alt.InlineData([{"title": title}]))
        .mark_text(
            align="left",
            baseline="bottom",
            color=ink,
            fontSize=SIZE,
            fontWeight="bold",
            lineHeight=SIZE + 3,
            limit=margin + layout.plot + layout.beside,
        )
        .encode(x=alt.XValue(-margin), y=alt.YValue(-5 - (SIZE + 3) * (len(title) - 1)), text=alt.Text("title:N")),
    ]
    drawn = [layer for layer in layers if layer.data.values]
    return alt.layer(*drawn, width=layout.plot, height=lines.height, view=alt.ViewConfig(stroke=line))
