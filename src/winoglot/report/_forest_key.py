"""What the marks of estimates with intervals mean: lines above the panels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from winoglot.report._figure import drawing
from winoglot.report._labels import pixels
from winoglot.report._theme import colours, series_colour, series_shape
from winoglot.report.rows import FEW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.rows import Bar

GUESSED = "M-0.8,-0.8L0.8,0.8M-0.8,0.8L0.8,-0.8"  # a cross
_CHANCE = "M0,-1.6V-0.6M0,-0.3V0.7M0,1V1.6"  # a dashed line
_STEP = 18


def key(bars: Sequence[Bar], series: Sequence[str], margin: float, width: float) -> Any:
    """From `margin` left of the axis to `width`, what colours, dashes and hollow points mean; None for plain points."""
    alt = drawing()
    entries = list(_entries(bars, series).items())
    if not entries:
        return None
    x, y, rows = 6.0 - margin, 6.0, []
    for text, look in entries:
        if x > 6 - margin and x + 18 + pixels(text) > width:
            x, y = 6.0 - margin, y + _STEP
        rows.append({"x": x, "y": y, "text": text} | look)
        x += 18 + pixels(text) + 12
    base = alt.Chart(alt.InlineData(rows), width=10, height=y)
    at = {"x": alt.X("x:Q", scale=None, axis=None), "y": alt.Y("y:Q", scale=None, axis=None)}
    points = base.mark_point(size=55, strokeWidth=1.5, opacity=1).encode(
        **at,
        stroke=alt.Stroke("colour:N", scale=None),
        fill=alt.Fill("fill:N", scale=None),
        shape=alt.Shape("shape:N", scale=None),
    )
    return points + base.mark_text(align="left", baseline="middle", dx=9, color=colours()["ink"]).encode(
        **at, text=alt.Text("text:N")
    )


def _entries(bars: Sequence[Bar], series: Sequence[str]) -> dict[str, dict[str, str]]:
    """What the key says about each mark, with its appearance."""
    ink, soft, people = colours()["ink"], colours()["soft"], colours()["2"]
    shown = [bar for bar in bars if bar.estimate.value is not None]
    weak = [bar for bar in shown if bar.is_weak]
    made: dict[str, dict[str, str]] = {}
    for number, name in enumerate(series):
        if name and any(bar.series == name for bar in bars):
            made[name] = _look(series_shape(number), series_colour(number))
    if any(bar.is_people for bar in bars):
        made["people"] = _look("diamond", people)
    if weak:
        few = all(bar.estimate.n < FEW for bar in weak)
        made[f"n below {FEW}" if few else "few items"] = _look("circle", soft, colours()["page"])
    if any(bar.chance is not None for bar in shown):
        made["guessing"] = _look(_CHANCE, ink)
    if any(bar.guessing is not None for bar in shown):
        made["if it had guessed instead of abstaining"] = _look(GUESSED, soft)
    return made


def _look(shape: str, colour: str, fill: str = "") -> dict[str, str]:
    return {"shape": shape, "colour": colour, "fill": fill or colour}
