"""Which models differ: a triangle of differences, each row's accuracy minus each column's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winoglot.report._figure import drawing, finished
from winoglot.report._labels import all_different, pixels
from winoglot.report._theme import SIZE, SMALL, colours
from winoglot.report.table import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.rows import Contrast

_ROOMY = 6  # the most models for which a cell has room for the interval
_CELL = {True: (84, 36), False: (30, 24)}
_SMALL_CELL = 24  # on a phone
_NARROW = 300  # pixels
_LINE = 14


def matrix(
    contrasts: Sequence[Contrast], group: str, order: Sequence[str] = (), *, narrow: bool = False
) -> dict[str, Any]:
    """The specification of one collection's matrix; models are numbered, so that headings stay short.

    On a phone, all names are above it, and each cell has only its difference.
    """
    alt = drawing()
    models = ordered(contrasts, order)
    roomy = len(models) <= _ROOMY and not narrow
    width, height = (_SMALL_CELL, _SMALL_CELL) if narrow else _CELL[roomy]
    ink, line = colours()["ink"], colours()["line"]
    short = all_different(models, 44) if narrow else all_different(models)
    named = {name: [f"{at} · {short[name][0]}", *short[name][1:]] for at, name in enumerate(models, 1)}
    heads = {name: [str(at)] for at, name in enumerate(models, 1)} if narrow else named
    place = {name: at for at, name in enumerate(models)}
    labels: list[dict[str, Any]] = []
    tops: list[float] = []
    tall = [float(max(height, _LINE * len(heads[name]) + 4)) for name in models[1:]]
    top = 0.0
    for at, name in enumerate(models[1:]):
        labels.append({"y": top + (tall[at] - _LINE * (len(heads[name]) - 1)) / 2, "text": heads[name]})
        tops.append(top)
        top += tall[at]
    headings = [{"x": (at + 0.5) * width, "text": str(at + 1)} for at in range(len(models) - 1)]
    cells = [_cell(one, place, tops, tall, width, roomy=roomy) for one in contrasts]
    margin = max(pixels(text) for row in labels for text in row["text"]) + 12
    x, y = alt.X("x:Q", scale=None, axis=None), alt.Y("y:Q", scale=None, axis=None)
    over = [line for name in models for line in named[name]] if narrow else [" ".join(named[models[0]])]
    base = alt.Chart(alt.InlineData(cells))
    layers = [
        base.mark_rect(strokeWidth=1, stroke=line).encode(
            x=alt.X("left:Q", scale=None, axis=None),
            x2=alt.X2("right:Q"),
            y=alt.Y("upper:Q", scale=None, axis=None),
            y2=alt.Y2("lower:Q"),
            fill=alt.Fill("fill:N", scale=None),
        )
    ]
    for bold in (True, False):
        rows = [cell for cell in cells if cell["told"] == bold]
        if rows:
            layers.append(
                alt.Chart(alt.InlineData(rows))
                .mark_text(baseline="middle", fontWeight="bold" if bold else "normal", lineHeight=14)
                .encode(x=x, y=y, text=alt.Text("text:N"), color=alt.Color("ink:N", scale=None))
            )
    layers += [
        alt.Chart(alt.InlineData(labels))
        .mark_text(align="right", baseline="middle", color=ink, lineHeight=14)
        .encode(x=alt.XValue(-8), y=y, text=alt.Text("text:N")),
        alt.Chart(alt.InlineData(headings))
        .mark_text(baseline="bottom", color=ink)
        .encode(x=x, y=alt.YValue(-5), text=alt.Text("text:N")),
        alt.Chart(alt.InlineData([{"text": over}]))
        .mark_text(align="left", baseline="bottom", color=ink, lineHeight=_LINE)
        .encode(x=alt.XValue(-margin), y=alt.YValue(-24 - _LINE * (len(over) - 1)), text=alt.Text("text:N")),
        alt.Chart(alt.InlineData([{"text": group}]))
        .mark_text(
            align="left",
            baseline="bottom",
            color=ink,
            fontSize=SIZE,
            fontWeight="bold",
            limit=_NARROW if narrow else 600,
        )
        .encode(x=alt.XValue(-margin), y=alt.YValue(-42 - _LINE * (len(over) - 1)), text=alt.Text("text:N")),
    ]
    grid = alt.layer(*layers, width=width * (len(models) - 1), height=top)
    return finished(alt.vconcat(grid, _key(contrasts, margin, narrow=narrow), bounds="flush", spacing=22))


def ordered(contrasts: Sequence[Contrast], order: Sequence[str] = ()) -> list[str]:
    """The models, in the order given or else in the order in which they appear."""
    found = dict.fromkeys(name for one in contrasts for name in (one.first, one.second))
    return [name for name in dict.fromkeys((*order, *found)) if name in found]


def _cell(
    one: Contrast, place: dict[str, int], tops: list[float], tall: list[float], width: float, *, roomy: bool
) -> dict[str, Any]:
    row, column = place[one.first], place[one.second]
    sign = 1.0
    if row < column:
        row, column, sign = column, row, -1.0
    at = row - 1
    told = one.is_told_apart
    better = sign * (one.difference.value or 0.0) > 0
    fill = colours()[("line" if one.weakness else "better" if better else "worse") if told else "page"]
    lines = _texts(one, sign, roomy=roomy)
    return {
        "left": column * width,
        "right": (column + 1) * width,
        "upper": tops[at],
        "lower": tops[at] + tall[at],
        "x": (column + 0.5) * width,
        "y": tops[at] + (tall[at] - 14 * (len(lines) - 1)) / 2,
        "fill": fill,
        "text": lines,
        "told": told,
        "ink": colours()["ink" if told else "soft"],
    }


def _texts(one: Contrast, sign: float, *, roomy: bool) -> list[str]:
    difference = one.difference
    if difference.value is None or difference.low is None or difference.high is None:
        return ["–"]
    value = 100 * sign * difference.value
    if not roomy:
        return [signed(value, 0)]
    low, high = sorted((100 * sign * difference.low, 100 * sign * difference.high))
    return [signed(value), f"[{signed(low)}, {signed(high)}]"]


def _key(contrasts: Sequence[Contrast], margin: float, *, narrow: bool) -> Any:
    alt = drawing()
    weaknesses = dict.fromkeys(one.weakness for one in contrasts if one.weakness)
    entries = [
        ("row better", colours()["better"]),
        ("column better", colours()["worse"]),
        ("no difference found", colours()["page"]),
        *[(f"different, but {' or '.join(weaknesses)}", colours()["line"])] * bool(weaknesses),
    ]
    rows, x, y = [], -margin, 0
    for text, fill in entries:
        if narrow and x + 18 + pixels(text) > _NARROW:
            x, y = -margin, y + 18
        rows.append({"x": x + 6, "y": y, "text": text, "fill": fill})
        x += 30 + pixels(text)
    base = alt.Chart(alt.InlineData(rows), width=10, height=10)
    across, at = alt.X("x:Q", scale=None, axis=None), alt.Y("y:Q", scale=None, axis=None)
    marks = base.mark_point(shape="square", size=130, opacity=1, stroke=colours()["soft"], strokeWidth=1).encode(
        x=across, y=at, fill=alt.Fill("fill:N", scale=None)
    )
    words = base.mark_text(align="left", baseline="middle", dx=11, color=colours()["ink"]).encode(
        x=across, y=at, text=alt.Text("text:N")
    )
    sizes = sorted({one.difference.n for one in contrasts if one.difference.value is not None})
    rests = f"; n = {sizes[0]}" + (f" to {sizes[-1]}" if len(sizes) > 1 else "") if sizes else ""
    models = len(ordered(contrasts))
    notes = [f"differences in points{rests}", "different: p ≤ 0.05 after Holm's correction"]
    if models > _ROOMY or narrow:
        notes.append("intervals are in the table")
    if any(one.difference.value is None for one in contrasts):
        notes.append("–: not compared")
    if len(contrasts) < models * (models - 1) / 2:
        notes.append("empty: the two differ in several respects")
    below = (
        alt.Chart(alt.InlineData([{"text": notes}]))
        .mark_text(align="left", baseline="top", color=colours()["soft"], fontSize=SMALL, lineHeight=14)
        .encode(x=alt.XValue(-margin), y=alt.YValue(12 + y), text=alt.Text("text:N"))
    )
    return marks + words + below
