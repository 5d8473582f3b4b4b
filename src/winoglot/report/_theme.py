"""Colours, shapes and letters of the figures: one table of colours, shared with the page through its style sheet."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

# Metric-compatible with each other, so that widths measured for one are right for the others; every system has one of
# them.
FONT = "Arial, Helvetica, Liberation Sans, DejaVu Sans, sans-serif"
SIZE = 12
SMALL = 11
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down")
SERIES = len(SHAPES)
_VARIABLE = re.compile(r"--figure-([\w-]+):\s*(#[0-9a-f]{6})")


def style() -> str:
    """The style sheet that gives a page's figures their colours, light and dark."""
    return files("winoglot.report").joinpath("figures.css").read_text(encoding="utf-8")


@cache
def colours() -> dict[str, str]:
    """The colours on a light page, by name.

    >>> colours()["1"], colours()["page"]
    ('#0072b2', '#ffffff')
    """
    light = style().partition("@media")[0]
    return dict(_VARIABLE.findall(light))


def series_colour(place: int) -> str:
    """The colour of a series; after the last one, colours start again from the first."""
    return colours()[str(place % SERIES + 1)]


def series_shape(place: int) -> str:
    """The shape of a series, so that no one has to distinguish colours."""
    return SHAPES[place % SERIES]


def themed(svg: str) -> str:
    """The drawing with the page's colours in place of fixed ones; the fixed ones remain as fallbacks."""
    for name, colour in colours().items():
        svg = svg.replace(f'"{colour}"', f'"var(--figure-{name}, {colour})"')
    return svg


def config() -> dict[str, Any]:
    """What all figures share; `aria` is off because the figure as a whole has its text alternative."""
    ink, soft, line = colours()["ink"], colours()["soft"], colours()["line"]
    return {
        "aria": False,
        "background": None,
        "font": FONT,
        "padding": 6,
        "view": {"stroke": None},
        "axis": {
            "labelColor": soft,
            "labelFontSize": SMALL,
            "titleColor": ink,
            "titleFontSize": SMALL,
            "titleFontWeight": "normal",
            "gridColor": line,
            "domainColor": line,
            "tickColor": line,
        },
        "title": {"color": ink, "fontSize": SIZE, "fontWeight": "bold", "anchor": "start"},
        "text": {"color": ink, "fontSize": SMALL},
    }
