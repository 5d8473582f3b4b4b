"""The page's figures as pictures for papers: SVG from a template, and PDF and PNG made from it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.report.plots import Plot, training_panel
from winoglot.report.rendering import rendered, shortened

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from winoglot.report.figure import Figure

FORMATS = ("svg", "pdf", "png")
_PNG_SCALE = 3.0
_LETTER = 6.0  # about how wide a letter is, in pixels
_WIDE = 11.0  # a Chinese one
_LONGEST = 34
_SIZES = {
    "stack": (640, 26),
    "slope": (300, 230),
    "square": (170, 170),
    "histogram": (210, 110),
    "curve": (420, 220),
    "learning": (420, 240),
}


def figure_files(
    figures: Iterable[Figure], plots: Iterable[Plot], formats: Sequence[str]
) -> dict[str, Callable[[], str | bytes]]:
    """By file name, what draws each figure in each format."""
    drawings: dict[str, Callable[[], str]] = {}
    for figure in figures:
        for facet, ending in enumerate(figure.endings):
            name = f"{figure.name}-{ending}" if ending else figure.name
            drawings[name] = partial(figure_svg, figure, facet)
    for plot in plots:
        drawings[f"{plot.name}-plot" if plot.name in drawings else plot.name] = partial(plot_svg, plot)
    files: dict[str, Callable[[], str | bytes]] = {}
    for name, draw in drawings.items():
        files |= {f"{name}.{kind}": partial(_as, kind, draw) for kind in formats}
    return files


def figure_svg(figure: Figure, facet: int = 0) -> str:
    """A figure with one choice of its facets, on white, in pixels."""
    groups = [(group, [row for row in group.rows if row.facet in {None, facet}]) for group in figure.groups]
    rows = [row for _, rows_of_group in groups for row in rows_of_group]
    widths = [
        max([_width(heading), *(_width(shortened(row.labels[place], _LONGEST)) for row in rows)]) + 14
        for place, heading in enumerate(figure.headings)
    ]
    return rendered(
        "figure.svg",
        figure=figure,
        told=figure.facets[facet] if figure.facets else "",
        groups=groups,
        label_x=[sum(widths[:place]) for place in range(len(widths))],
        labels=sum(widths),
        longest=_LONGEST,
    )


def plot_svg(plot: Plot) -> str:
    """A plot with all its panels, on white, in pixels."""
    width, height = _SIZES[plot.kind]
    columns = 1 if plot.kind == "stack" else min(len(plot.panels), 4 if plot.kind in {"square", "histogram"} else 2)
    return rendered("plot.svg", plot=plot, width=width, height=height, columns=columns)


def training_svg(log: Sequence[Mapping[str, Any]], name: str) -> str:
    """The curves of one training, from its log."""
    panel = training_panel(log, name)
    return plot_svg(Plot("training", "curve", "Training", "loss in nats, over tokens read", (panel,)))


def _as(kind: str, draw: Callable[[], str]) -> str | bytes:
    drawn = draw()
    if kind == "svg":
        return drawn
    try:
        import vl_convert
    except ImportError as error:
        remedy = "Install it: pip install 'winoglot[report]'. SVG needs nothing more."
        raise InputError(f"figures as {kind.upper()} need vl-convert", remedy=remedy) from error
    converted: bytes = vl_convert.svg_to_pdf(drawn) if kind == "pdf" else vl_convert.svg_to_png(drawn, scale=_PNG_SCALE)
    return converted


def _width(text: str) -> float:
    return sum(_WIDE if "\u2e80" <= letter <= "\uffef" else _LETTER for letter in text)
