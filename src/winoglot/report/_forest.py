"""Estimates as points with intervals, one a line, in panels over a common axis; each with its numbers beside it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from winoglot.report._figure import drawing, finished
from winoglot.report._labels import all_different, pixels, shortened
from winoglot.report._table import estimate_text
from winoglot.report._theme import SIZE, SMALL, colours, series_colour, series_shape
from winoglot.report.rows import FEW, Bar

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_LINES = 44  # in one figure, so that it fits on a printed page
_PLOT = 230  # pixels
_STEP = 18  # from one line to the next
_LINE = SMALL + 3  # of a label that takes several
_GAP = 8  # more of it between labels, where a label has several lines
_HEADING = 2.0  # lines that the name of a panel and its axis take
_UNDEFINED = 60  # columns of the reason


@dataclass(frozen=True)
class Axis:
    """What the horizontal axis runs over."""

    title: str
    low: float = 0.0
    high: float = 1.0
    ticks: tuple[float, ...] = (0.0, 0.25, 0.5, 0.75, 1.0)
    is_signed: bool = False  # a difference: zero is marked, numbers have signs


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
        heights = [_height(block, short) / _STEP for block in blocks]
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


def forest(bars: Sequence[Bar], axis: Axis, series: Sequence[str]) -> dict[str, Any]:
    """The specification of a figure with a panel a group; `series` gives each name its colour and shape."""
    alt = drawing()
    short = all_different([bar.label for bar in bars])
    groups = list(dict.fromkeys(bar.group for bar in bars))
    margin = max(pixels(line) for lines in short.values() for line in lines) + 12
    key = _key(bars, series, margin)
    panels = [] if key is None else [key]
    for group in groups:
        lines = _lines([bar for bar in bars if bar.group == group], short, series, axis)
        panels.append(_panel(group, lines, axis, margin, is_last=group == groups[-1]))
    return finished(alt.vconcat(*panels, bounds="flush", spacing=40))


def _lines(bars: Sequence[Bar], short: dict[str, list[str]], series: Sequence[str], axis: Axis) -> _Lines:
    made = _Lines()
    several = len({bar.series for bar in bars}) > 1
    top = 0.0
    for label in dict.fromkeys(bar.label for bar in bars):
        block = [bar for bar in bars if bar.label == label]
        height = _height(block, short)
        step = height / len(block)
        made.labels.append({"y": top + (height - _LINE * (len(short[label]) - 1)) / 2, "label": short[label]})
        for place, bar in enumerate(block):
            made.rows.append(_row(bar, top + step * (place + 0.5), step, series, axis))
        top += height + (_GAP if several else 0)
    made.height = top - (_GAP if several else 0)
    return made


def _height(block: Sequence[Bar], short: dict[str, list[str]]) -> float:
    return max(_STEP * len(block), _LINE * len(short[block[0].label]) + 4)


def _row(bar: Bar, y: float, step: float, series: Sequence[str], axis: Axis) -> dict[str, Any]:
    number = series.index(bar.series)
    estimate = bar.estimate
    soft = colours()["soft"]
    colour = soft if bar.is_weak else colours()["2"] if bar.is_people else series_colour(number)
    text = estimate_text(estimate, is_signed=axis.is_signed)
    return {
        "y": y,
        "upper": y - step / 2,
        "lower": y + step / 2,
        "value": estimate.value,
        "low": None if estimate.low is None else max(axis.low, estimate.low),
        "high": None if estimate.high is None else min(axis.high, estimate.high),
        "chance": bar.chance,
        "colour": colour,
        "fill": colours()["page"] if bar.is_weak else colour,
        "shape": "diamond" if bar.is_people else series_shape(number),
        "weak": bar.is_weak,
        "text": shortened(text, _UNDEFINED) if estimate.value is None else text,
        "ink": soft if bar.is_weak else colours()["ink"],
    }


def _panel(title: str, lines: _Lines, axis: Axis, margin: float, *, is_last: bool) -> Any:
    alt = drawing()
    soft, line, ink = colours()["soft"], colours()["line"], colours()["ink"]
    defined = [row for row in lines.rows if row["value"] is not None]
    undefined = [row for row in lines.rows if row["value"] is None]
    guessed = [row for row in defined if row["chance"] is not None]
    expression = "format(100 * datum.value, '+d')" if axis.is_signed else "format(100 * datum.value, 'd')"
    x_axis = alt.Axis(
        values=list(axis.ticks),
        labelExpr=expression,
        title=axis.title if is_last else None,
        domain=False,
        tickSize=0,
        labelFlush=False,
        labelPadding=6,
        titlePadding=8,
    )
    scale = alt.Scale(domain=[axis.low, axis.high], nice=False, zero=False)
    x = alt.X("low:Q", scale=scale, axis=x_axis)
    y = alt.Y("y:Q", scale=None, axis=None)
    layers = []
    if axis.is_signed:
        layers.append(alt.Chart(alt.InlineData([{"low": 0}])).mark_rule(color=ink).encode(x=x))
    if guessed:
        layers.append(
            alt.Chart(alt.InlineData(guessed))
            .mark_rule(color=ink, strokeDash=[3, 3])
            .encode(x=alt.X("chance:Q", scale=scale, axis=x_axis), y=alt.Y("upper:Q", scale=None), y2="lower:Q")
        )
    for weak in (False, True):
        rows = [row for row in defined if row["weak"] == weak]
        if not rows:
            continue
        base = alt.Chart(alt.InlineData(rows))
        colour = alt.Stroke("colour:N", scale=None)
        layers += [
            base.mark_rule(strokeWidth=1.5 if weak else 2.5, strokeDash=[4, 2] if weak else [1, 0]).encode(
                x=x, x2="high:Q", y=y, stroke=colour
            ),
            base.mark_point(size=55, strokeWidth=1.5, opacity=1).encode(
                x=alt.X("value:Q", scale=scale, axis=x_axis),
                y=y,
                stroke=colour,
                fill=alt.Fill("fill:N", scale=None),
                shape=alt.Shape("shape:N", scale=None),
            ),
            base.mark_text(align="left", baseline="middle").encode(
                x=alt.value(_PLOT + 12), y=y, text="text:N", color=alt.Color("ink:N", scale=None)
            ),
        ]
    if undefined:
        layers.append(
            alt.Chart(alt.InlineData(undefined))
            .mark_text(align="left", baseline="middle", color=soft, fontStyle="italic")
            .encode(x=alt.value(4), y=y, text="text:N")
        )
    if not defined:  # the axis is drawn all the same
        layers.insert(0, alt.Chart(alt.InlineData([{"low": axis.low}])).mark_rule(opacity=0).encode(x=x))
    layers.append(
        alt.Chart(alt.InlineData(lines.labels))
        .mark_text(align="right", baseline="middle", color=ink, lineHeight=_LINE)
        .encode(x=alt.value(-8), y=y, text="label:N")
    )
    layers.append(
        alt.Chart(alt.InlineData([{"title": title}]))
        .mark_text(
            align="left", baseline="bottom", color=ink, fontSize=SIZE, fontWeight="bold", limit=margin + _PLOT + 160
        )
        .encode(x=alt.value(-margin), y=alt.value(-5), text="title:N")
    )
    return alt.layer(*layers, width=_PLOT, height=lines.height, view=alt.ViewConfig(stroke=line))


def _key(bars: Sequence[Bar], series: Sequence[str], margin: float) -> Any:
    """What colours, dashes and hollow points mean, in one line above the panels; none where nothing needs it."""
    alt = drawing()
    entries: list[tuple[str, dict[str, Any]]] = []
    used = [name for name in series if name and any(bar.series == name for bar in bars)]
    for name in used:
        colour = series_colour(series.index(name))
        entries.append((name, {"shape": series_shape(series.index(name)), "colour": colour, "fill": colour}))
    if any(bar.is_people for bar in bars):
        entries.append(("people", {"shape": "diamond", "colour": colours()["2"], "fill": colours()["2"]}))
    if any(bar.is_weak and bar.estimate.value is not None for bar in bars):
        few = f"n below {FEW}" if all(bar.estimate.n < FEW for bar in bars if bar.is_weak) else "rests on little"
        entries.append((few, {"shape": "circle", "colour": colours()["soft"], "fill": colours()["page"]}))
    if any(bar.chance is not None and bar.estimate.value is not None for bar in bars):
        ink = colours()["ink"]
        entries.append(("guessing", {"shape": "M0,-1.6V-0.6M0,-0.3V0.7M0,1V1.6", "colour": ink, "fill": ink}))
    if not entries:
        return None
    x, y, rows = 6.0 - margin, 6.0, []
    for text, look in entries:
        if x > 6 - margin and x + 18 + pixels(text) > _PLOT + 160:
            x, y = 6.0 - margin, y + 18
        rows.append({"x": x, "y": y, "text": text, **look})
        x += 18 + pixels(text) + 12
    base = alt.Chart(alt.InlineData(rows), width=_PLOT, height=y)
    at = {"x": alt.X("x:Q", scale=None, axis=None), "y": alt.Y("y:Q", scale=None, axis=None)}
    points = base.mark_point(size=55, strokeWidth=1.5, opacity=1).encode(
        **at,
        stroke=alt.Stroke("colour:N", scale=None),
        fill=alt.Fill("fill:N", scale=None),
        shape=alt.Shape("shape:N", scale=None),
    )
    return points + base.mark_text(align="left", baseline="middle", dx=9, color=colours()["ink"]).encode(
        **at, text="text:N"
    )
