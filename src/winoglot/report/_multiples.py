"""Small figures side by side, one per model and collection: confidence against accuracy, and the spread of margins."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from winoglot.report._figure import drawing, finished
from winoglot.report._labels import lines, shortened
from winoglot.report._theme import SMALL, colours
from winoglot.report.rows import FEW, Margins, Reliability
from winoglot.report.table import estimate_text

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_PANELS = 6  # in one figure, so that it fits on a printed page
_WIDTH, _WIDTH_ALONE = 190, 250  # of a panel: two side by side; one below the other, on a phone
_TITLE = 34  # columns
_LINE = SMALL + 3
_BELOW = 56  # pixels for the axis below a panel, and some space
_BESIDE = 74
_BINS = 20


def reliability_panels(rows: Sequence[Reliability], *, narrow: bool = False) -> dict[str, Any]:
    """Accuracy with its interval over mean confidence; on the diagonal, a model is right as often as confident."""
    return _grid([_reliability(row, _width(narrow)) for row in rows], rows, narrow=narrow)


def margin_panels(rows: Sequence[Margins], limit: float, *, narrow: bool = False) -> dict[str, Any]:
    """How many items have which margin; all panels share the axis, whose outermost bars include everything beyond."""
    return _grid([_margins(row, limit, _width(narrow)) for row in rows], rows, narrow=narrow)


def margin_limit(rows: Sequence[Margins]) -> float:
    """The whole number that at most two in a hundred margins exceed, on either side of 0."""
    sizes = sorted(abs(value) for row in rows for value in row.values)
    if not sizes:
        return 1.0
    return max(1.0, float(ceil(sizes[int(0.98 * (len(sizes) - 1))])))


def counts(values: Sequence[float], limit: float, bins: int = _BINS) -> list[int]:
    """How many values are in each bin from −limit to limit, those beyond in the outermost; 0 is left out.

    >>> counts([-9.0, -0.1, 0.0, 0.1, 0.2, 3.0], 2.0, bins=4)
    [1, 1, 2, 1]
    """
    found = [0] * bins
    for value in values:
        if value:
            at = int(min(max((value + limit) / (2 * limit) * bins, 0), bins - 1))
            # Rounding must not carry a margin over the line between right and wrong.
            found[max(at, bins // 2) if value > 0 else min(at, bins // 2 - 1)] += 1
    return found


def _width(narrow: bool) -> int:
    return _WIDTH_ALONE if narrow else _WIDTH


def _heading(label: str, group: str, below: str) -> Any:
    """Names and numbers above a panel, all ending on the same line."""
    alt = drawing()
    over = _names(label, group)
    base = alt.Chart(alt.InlineData([{"names": over, "below": below}]))
    names = base.mark_text(
        align="left", baseline="bottom", color=colours()["ink"], fontWeight="bold", lineHeight=_LINE
    ).encode(x=alt.XValue(0), y=alt.YValue(-9 - _LINE * len(over)), text=alt.Text("names:N"))
    numbers = base.mark_text(align="left", baseline="bottom", color=colours()["soft"]).encode(
        x=alt.XValue(0), y=alt.YValue(-8), text=alt.Text("below:N")
    )
    return names + numbers


def _names(label: str, group: str) -> list[str]:
    return [*lines(group, _TITLE), *lines(label, _TITLE)]


def _grid(panels: Sequence[Any], rows: Sequence[Margins] | Sequence[Reliability], *, narrow: bool) -> dict[str, Any]:
    alt = drawing()
    tallest = max(len(_names(row.label, row.group)) for row in rows)
    spacing = {"row": _BELOW + _LINE * (tallest + 1), "column": _BESIDE}
    return finished(alt.concat(*panels, columns=1 if narrow else 2, bounds="flush", spacing=spacing))


def _axis(title: str, values: Sequence[float], expression: str) -> Any:
    alt = drawing()
    return alt.Axis(
        title=title,
        values=list(values),
        labelExpr=expression,
        domain=False,
        tickSize=0,
        labelPadding=5,
        labelFlush=False,
    )


def ticks(most: int) -> list[int]:
    """Two to five round numbers from 0 to the first that is not below the highest bar.

    >>> ticks(1), ticks(7), ticks(38)
    ([0, 1], [0, 2, 4, 6, 8], [0, 10, 20, 30, 40])
    """
    step = next(factor * 10**power for power in range(12) for factor in (1, 2, 5) if 4 * factor * 10**power >= most)
    return list(range(0, step * max(1, ceil(most / step)) + 1, step))


def _reliability(row: Reliability, width: int) -> Any:
    alt = drawing()
    ink, soft, page, blue, line = (colours()[name] for name in ("ink", "soft", "page", "1", "line"))
    points = [
        {
            "confidence": confidence,
            "value": estimate.value,
            "low": estimate.low,
            "high": estimate.high,
            "colour": soft if estimate.n < FEW else blue,
            "fill": page if estimate.n < FEW else blue,
        }
        for confidence, estimate in row.points
        if estimate.value is not None
    ]
    percent = "format(100 * datum.value, 'd')"
    x_scale, y_scale = alt.Scale(domain=[0.5, 1.0]), alt.Scale(domain=[0.0, 1.0])
    x_axis = _axis("mean confidence, percent", [0.5, 0.75, 1.0], percent)
    y_axis = _axis("accuracy, percent", [0.0, 0.5, 1.0], percent)
    diagonal = (
        alt.Chart(alt.InlineData([{"confidence": 0.5, "value": 0.5}, {"confidence": 1.0, "value": 1.0}]))
        .mark_line(color=ink, strokeDash=[3, 3], strokeWidth=1)
        .encode(x=alt.X("confidence:Q", scale=x_scale, axis=x_axis), y=alt.Y("value:Q", scale=y_scale, axis=y_axis))
    )
    layers = [diagonal]
    if points:
        base = alt.Chart(alt.InlineData(points)).encode(
            x=alt.X("confidence:Q", scale=x_scale, axis=x_axis), stroke=alt.Stroke("colour:N", scale=None)
        )
        layers += [
            base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("low:Q", scale=y_scale, axis=y_axis), y2=alt.Y2("high:Q")),
            base.mark_point(size=40, strokeWidth=1.5, opacity=1).encode(
                y=alt.Y("value:Q", scale=y_scale, axis=y_axis), fill=alt.Fill("fill:N", scale=None)
            ),
        ]
    error = estimate_text(row.error)
    below = shortened(error, 44) if row.error.value is None else f"error {error}"
    noise = "" if row.noise is None else f"; noise {100 * row.noise:.1f}"
    layers.append(_heading(row.label, row.group, below + noise))
    return alt.layer(*layers, width=width, height=140, view=alt.ViewConfig(stroke=line))


def _margins(row: Margins, limit: float, width: int) -> Any:
    alt = drawing()
    ink, soft, line = (colours()[name] for name in ("ink", "soft", "line"))
    values = row.values
    few = len(values) < FEW
    step = 2 * limit / _BINS
    bars = [
        {
            "left": -limit + at * step,
            "right": -limit + (at + 1) * step,
            "zero": 0,
            "items": number,
            "colour": soft if few else colours()["1" if at >= _BINS // 2 else "2"],
        }
        for at, number in enumerate(counts(values, limit))
    ]
    ends = (
        f"datum.value <= {-limit} ? '≤ −' + format({limit}, 'd') : "
        f"datum.value >= {limit} ? '≥ ' + format({limit}, 'd') : format(datum.value, 'd')"
    )
    scale = alt.Scale(domain=[-limit, limit], nice=False)
    x_axis = _axis("wrong  ←  margin  →  right", [-limit, 0.0, limit], ends)
    marked = ticks(max(counts(values, limit)))
    y = alt.Y(
        "items:Q",
        scale=alt.Scale(domain=[0, marked[-1]], nice=False),
        axis=_axis("items", marked, "format(datum.value, 'd')"),
    )
    drawn = (
        alt.Chart(alt.InlineData(bars))
        .mark_rect(stroke=colours()["page"], strokeWidth=1)
        .encode(
            x=alt.X("left:Q", scale=scale, axis=x_axis),
            x2=alt.X2("right:Q"),
            y=y,
            y2=alt.Y2("zero:Q"),
            fill=alt.Fill("colour:N", scale=None),
        )
    )
    zero = (
        alt.Chart(alt.InlineData([{"left": 0}]))
        .mark_rule(color=ink)
        .encode(x=alt.X("left:Q", scale=scale, axis=x_axis))
    )
    ties = sum(value == 0 for value in values)
    below = f"n = {len(values)}" + (f", fewer than {FEW}" if few else "") + (f"; {ties} at 0 not drawn" if ties else "")
    heading = _heading(row.label, row.group, below)
    return alt.layer(drawn, zero, heading, width=width, height=90, view=alt.ViewConfig(stroke=line))
