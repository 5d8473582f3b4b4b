"""The page's figures as pictures for papers: SVG of a physical width, and PDF and PNG made from it.

Here everything gets its place; `templates/plots.svg` draws what pages draw too, `templates/picture.svg` all around it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from winoglot.errors import InputError
from winoglot.report.figure import in_parts
from winoglot.report.paper import MILLIMETRE, PAGE, SMALL, TEXT, Paper
from winoglot.report.plots import READ, Panel, Plot, training_panel
from winoglot.report.rendering import rendered, shortened
from winoglot.report.summary import FEW
from winoglot.statistics.formatting import MISSING, number, tick_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from winoglot.report.figure import Axis, Cell, Figure, Group, Row

FORMATS = ("svg", "pdf", "png")
_DOTS = 300  # per inch, of a PNG
_POINT = 0.75  # of a pixel; the converter takes pixels for points
_LENGTH = re.compile(r'="([\d.]+)mm"')
_LINE = 13.0  # the height of a line
_ASCENT = 9.8  # from its top to where letters stand
_GUTTER = 12.0  # between columns
_LEAST_AXIS = 48.0
_ARROW = 8.0
_ROW = 19.0  # the height of a row with one line
_LABELS, _LABELS_ALONE = 0.46, 0.54  # the share of the width that labels may take beside several columns, beside one
_RADIUS = 3.3
_LEAST_LABEL = 70.0  # below which labels are rather written below one another
_LONGEST = 90  # letters of a label
_BETWEEN_TICKS = 5.0
_SAMPLES = {"sample": 20.0, "level": 8.0, "arrows": 16.0, "swatch": 10.0, "": 0.0}  # widths in a key, by shape
_ROLES = {"people": ("h", "people"), "model": ("", "model"), "baseline": ("b", "baseline")}  # class and name


class _Frame(NamedTuple):
    """How large the panels of a kind are, and what stands around them."""

    least: float  # width
    most: float
    height: float  # 0: as high as wide
    left: float = 0.0  # room for ticks
    below: float = 8.0


_FRAMES = {
    "slope": _Frame(300, 440, 220),
    "square": _Frame(100, 190, 0, left=34, below=20),
    "histogram": _Frame(190, 330, 96),
    "curve": _Frame(300, 660, 200, left=10),
    "learning": _Frame(300, 660, 220, left=10, below=6),
}


def figure_files(
    figures: Iterable[Figure], plots: Iterable[Plot], formats: Sequence[str], paper: Paper = PAGE
) -> dict[str, Callable[[], str | bytes]]:
    """By file name, what draws each figure in each format."""
    drawings: dict[str, Callable[[], str]] = {}
    for figure in figures:
        for facet, ending in enumerate(figure.endings):
            name = f"{figure.name}-{ending}" if ending else figure.name
            drawings[name] = partial(figure_svg, figure, facet, paper)
    for plot in plots:
        drawings[f"{plot.name}-plot" if plot.name in drawings else plot.name] = partial(plot_svg, plot, paper)
    files: dict[str, Callable[[], str | bytes]] = {}
    for name, draw in drawings.items():
        files |= {f"{name}.{kind}": partial(_as, kind, draw) for kind in formats}
    return files


def figure_svg(figure: Figure, facet: int = 0, paper: Paper = PAGE) -> str:
    """A figure with one choice of its facets, on white; columns that do not fit stand in further blocks."""
    chosen = f"{figure.facet.lower()}: {figure.facets[facet]}" if figure.facets else ""
    picture = _Picture(paper, figure.title, "; ".join(filter(None, (figure.about, chosen))))
    table = _FigureTable(figure, facet, picture)
    for part in table.parts:
        table.draw(part)
    picture.key(_key(figure, [row for _, rows in table.groups for row in rows]))
    return picture.svg()


def plot_svg(plot: Plot, paper: Paper = PAGE) -> str:
    """A plot with all its panels, on white."""
    picture = _Picture(paper, plot.title, plot.unit)
    picture.key([("swatch", f"s-{name}", words) for name, words in plot.key.items()])
    picture.y += 4
    if plot.kind == "stack":
        _draw_stacks(picture, plot.panels)
    else:
        _draw_panels(picture, plot.kind, plot.panels)
    return picture.svg()


def training_svg(log: Sequence[Mapping[str, Any]], name: str) -> str:
    """The curves of one training, from its log."""
    panel = training_panel(log, name)
    return plot_svg(Plot("training", "curve", "Training", f"loss in nats, {READ}", (panel,)))


def _as(kind: str, draw: Callable[[], str]) -> str | bytes:
    drawn = draw()
    if kind == "svg":
        return drawn
    try:
        import vl_convert
    except ImportError as error:
        remedy = "Install it: pip install 'winoglot[report]'. SVG needs nothing more."
        raise InputError(f"figures as {kind.upper()} need vl-convert", remedy=remedy) from error
    if kind == "pdf":
        converted: bytes = vl_convert.svg_to_pdf(_LENGTH.sub(_in_points, drawn, count=2))
    else:
        converted = vl_convert.svg_to_png(drawn, scale=_POINT, ppi=_DOTS)
    return converted


def _in_points(length: re.Match[str]) -> str:
    return f'="{float(length[1]) / 25.4 * 72:.4f}"'


class _Text(NamedTuple):
    """A line of text, and where its letters stand."""

    x: float
    y: float
    content: str
    style: str = ""  # `strong`, `soft`, `small`
    anchor: str = "start"


class _Drawing(NamedTuple):
    """A rectangle, and the macro of `plots.svg` that draws its inside."""

    x: float
    y: float
    width: float
    height: float
    shape: str
    arguments: tuple[Any, ...] = ()
    style: str = ""


@dataclass
class _Picture:
    """What is drawn, and how far down the paper it has come."""

    paper: Paper
    title: str
    about: str
    y: float = 0.0
    texts: list[_Text] = field(default_factory=list)
    rules: list[float] = field(default_factory=list)  # lines across the paper
    drawings: list[_Drawing] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Write the title."""
        for content, style in ((self.title, "strong"), (self.about, "soft")):
            lines = [(line, style) for line in self.paper.wrapped(content, self.room, style)]
            self.write(lines, 0, self.y)
            self.y += _LINE * len(lines)

    @property
    def room(self) -> float:
        """The width of the paper within its margins."""
        return self.paper.width - 2

    def write(self, lines: Sequence[tuple[str, str]], x: float, top: float, anchor: str = "start") -> None:
        """Write lines, each with its style, below one another."""
        for at, (content, style) in enumerate(lines):
            self.texts.append(_Text(round(x, 1), round(top + at * _LINE + _ASCENT, 1), content, style, anchor))

    def draw(self, *drawing: Any) -> None:
        """Add a drawing."""
        x, y, width, height, *others = drawing
        self.drawings.append(_Drawing(round(x, 1), round(y, 1), round(width, 1), round(height, 1), *others))

    def key(self, entries: Sequence[tuple[str, str, str]]) -> None:
        """Write samples (shape and style) with their meanings, on as many lines as they need."""
        x, self.y = 0.0, self.y + 7 * bool(entries)
        for shape, style, words in entries:
            sample = _SAMPLES[shape] + 4 * bool(shape)
            length = sample + self.paper.length(words, "small")
            if x and x + length > self.room:
                x, self.y = 0.0, self.y + _LINE
            lines = self.paper.wrapped(words, self.room - sample, "small")
            if shape:
                self.draw(x, self.y + 1, _SAMPLES[shape], _LINE - 3, shape, (), style)
            self.write([(line, "soft small") for line in lines], x + sample, self.y - 0.5)
            self.y += _LINE * (len(lines) - 1)
            x += length + 14
        self.y += _LINE * bool(entries)

    def svg(self) -> str:
        """The picture as the text of a file."""
        height = math.ceil(self.y + 3)
        return rendered("picture.svg", picture=self, height=height, millimetre=MILLIMETRE, size=TEXT, small=SMALL)


def _key(figure: Figure, rows: Sequence[Row]) -> list[tuple[str, str, str]]:
    """What the marks in these rows mean."""
    roles = [role for role in _ROLES if any(row.role == role for row in rows)]
    cells = [cell for row in rows for cell in row.cells if cell is not None and cell.estimate.value is not None]
    marks = {figure.mark_of(cell) for cell in cells}
    levels = {cell.chance for cell in cells}
    level = "chance" if figure.scale == "percent" else "zero" if levels == {0.0} else "the line"
    entries = [("sample", *_ROLES[role]) for role in roles if len(roles) > 1]
    words = {
        "hollow": f"not significantly different from {level}",
        "quiet": f"interval includes {level}",
        "few": f"fewer than {FEW} items",
    }
    entries += [("sample", mark, meaning) for mark, meaning in words.items() if mark in marks]
    if level == "chance" and levels - {None}:
        entries.append(("level", "", "chance"))
    if any(cell.is_top for cell in cells):
        entries.append(("", "", "bold: not significantly below the highest"))
    axes = [(figure.axis_of(group), row) for group in figure.groups for row in group.rows if row in rows]
    if any(axis and cell and axis.cuts(cell.estimate) for axis, row in axes for cell in row.cells):
        entries.append(("arrows", "", "beyond the axis"))
    return entries


class _FigureTable:
    """The table that a figure is: how wide its columns are, and its blocks drawn into a picture."""

    def __init__(self, figure: Figure, facet: int, picture: _Picture) -> None:
        """Measure everything that is written."""
        self.figure, self.picture, self.paper = figure, picture, picture.paper
        chosen = [(group, [row for row in group.rows if row.facet in {None, facet}]) for group in figure.groups]
        self.groups = [(group, rows) for group, rows in chosen if rows]
        rows = [row for _, rows in self.groups for row in rows]
        cells = [cell for row in rows for cell in row.cells if cell is not None and cell.estimate.value is not None]
        axes = [axis for group, _ in self.groups if (axis := figure.axis_of(group))]
        written = [self.paper.length(number(cell.estimate.value or 0.0, figure.scale), "strong") for cell in cells]
        ends = [self.paper.length(tick_text(tick, figure.scale), "small") / 2 for axis in axes for tick in axis.labels]
        notes = [self.paper.length(cell.note, "small") for cell in cells if cell.note]
        self.lead = max(written, default=0.0) + _ARROW + 2
        self.tail = max([_ARROW, *ends]) + 1
        self.note = max(notes, default=-4.0) + 4
        beside = self.lead + self.tail + self.note
        used = [place for place in range(len(figure.columns)) if any(row.cells[place] for row in rows)]

        def parts(widths: Sequence[float]) -> list[tuple[int, ...]]:
            return in_parts(used, max(1, int(self._room(widths) // (beside + _LEAST_AXIS + _GUTTER))))

        share = (_LABELS if len(used) > 1 else _LABELS_ALONE) * picture.room
        bare = [self._label_width(place, rows) for place in range(len(figure.headings))]
        glossed = [self._label_width(0, rows, with_gloss=True), *bare[1:]]
        stacked = [max(bare[0], self.paper.length(", ".join(figure.headings), "strong") + 10)]
        is_crowded = sum(min(width, _LEAST_LABEL) for width in bare) > share
        ways = [_limited(widths, share) for widths in ((stacked,) if is_crowded else (glossed, bare, stacked))]
        self.label_widths = min(
            ways, key=lambda widths: len(parts(widths))
        )  # the first of those with the fewest blocks
        self.is_stacked = len(self.label_widths) < len(bare)
        self.labels = sum(self.label_widths)
        self.parts = parts(self.label_widths)
        self.column = self._room(self.label_widths) / len(self.parts[0] if self.parts else [0]) - _GUTTER
        self.axis = max(self.column - beside, 20.0)

    def _room(self, label_widths: Sequence[float]) -> float:
        """The width that labels leave to the columns, each of which has a gutter."""
        return self.picture.room - sum(label_widths) + _GUTTER

    def _label_width(self, place: int, rows: Sequence[Row], *, with_gloss: bool = False) -> float:
        """The width that a column of labels needs to avoid wrapping."""
        labels = [self.paper.length(_label(row, place)) for row in rows]
        if with_gloss:
            glosses = [self.paper.length(row.gloss, "small") + 6 * bool(row.gloss) for row in rows]
            labels = [label + gloss for label, gloss in zip(labels, glosses, strict=True)]
        return max([*labels, self.paper.length(self.figure.headings[place], "strong")]) + 10

    def draw(self, part: Sequence[int]) -> None:
        """Draw the block with these columns."""
        picture, figure = self.picture, self.figure
        picture.y += 8
        names = [self.paper.wrapped(figure.columns[place], self.column, "strong") for place in part]
        headings = [", ".join(figure.headings)] if self.is_stacked else list(figure.headings)
        labels = [
            self.paper.wrapped(heading, width - 4, "strong")
            for heading, width in zip(headings, self.label_widths, strict=True)
        ]
        columns = [(sum(self.label_widths[:at]), lines) for at, lines in enumerate(labels)]
        columns += [(self._left(at), lines) for at, lines in enumerate(names)]
        bottom = picture.y + _LINE * max(len(lines) for _, lines in columns)
        for x, lines in columns:
            picture.write([(line, "strong") for line in lines], x, bottom - _LINE * len(lines))
        picture.y = bottom
        if figure.axis:
            self._draw_ticks(figure.axis, len(part))
        for group, rows in self.groups:
            if filled := [row for row in rows if any(row.cells[place] for place in part)]:
                self._draw_group(group, filled, part)

    def _left(self, at: int) -> float:
        """Where a column begins."""
        return self.labels + at * (self.column + _GUTTER)

    def _draw_ticks(self, axis: Axis, columns: int) -> None:
        """Draw the numbers of an axis above each column."""
        for at in range(columns):
            for place, text in self._ticks(axis):
                x = self._left(at) + self.lead + place * self.axis / 100
                self.picture.write([(text, "soft small")], x, self.picture.y, "middle")
        self.picture.y += _LINE

    def _ticks(self, axis: Axis) -> list[tuple[float, str]]:
        """As many ticks as fit: all, or every second, third, …, with chance or zero among them."""
        middle = next((axis.labels.index(tick) for tick in (axis.level, 0.0) if tick in axis.labels), 0)
        for step in range(1, len(axis.labels) + 1):
            shown = [tick for at, tick in enumerate(axis.labels) if not (at - middle) % step]
            places = [(axis.place(tick), tick_text(tick, self.figure.scale)) for tick in shown]
            if _are_apart([(place * self.axis / 100, text) for place, text in places], self.paper):
                break
        return places

    def _draw_group(self, group: Group, rows: Sequence[Row], part: Sequence[int]) -> None:
        """Draw a group: title and ticks, on one line if they fit, then its rows."""
        picture, axis = self.picture, self.figure.axis_of(group)
        if group.title:
            picture.y += 6
            is_beside = bool(group.axis) and self.paper.length(group.title, "strong") <= self.labels
            lines = self.paper.wrapped(group.title, picture.room, "strong")
            picture.write([(line, "strong") for line in lines], 0, picture.y)
            picture.y += 0 if is_beside else _LINE * len(lines)
        if group.axis:
            self._draw_ticks(group.axis, len(part))
        picture.y += 2
        picture.rules.append(round(picture.y, 1))
        for before, row in zip((None, *rows), rows, strict=False):
            is_repeated = before is not None and row.role == "model" and before.labels[0] == row.labels[0]
            self._draw_row(row, axis, part, is_repeated=is_repeated and len(row.labels) > 1)

    def _draw_row(self, row: Row, axis: Axis | None, part: Sequence[int], *, is_repeated: bool) -> None:
        """Draw the labels and the cells of a row."""
        picture, tone = self.picture, "soft" if row.role == "baseline" else ""
        labels, gloss = [_label(row, place) for place in range(len(row.labels))], row.gloss
        if self.is_stacked:
            others = [
                f"{name.lower()} {label}" for name, label in zip(self.figure.headings, labels, strict=True) if label
            ]
            gloss = ", ".join(filter(None, (*others[1:], gloss)))
        written: list[list[tuple[str, str]]] = []
        for place, width in enumerate(self.label_widths):
            lines = [] if is_repeated and not place else self.paper.wrapped(labels[place], width - 6)
            written.append([(line, tone) for line in lines])
        is_inline = len(written[0]) == 1 and (
            self.paper.length(labels[0]) + 6 + self.paper.length(gloss, "small") <= self.label_widths[0] - 4
        )
        if gloss and not is_inline:
            lines = self.paper.wrapped(gloss, self.label_widths[0] - 6, "small")
            written[0] += [(line, "soft small") for line in lines]
        height = max(_ROW, 5 + _LINE * max(map(len, written)))
        top = picture.y
        for place, shown in enumerate(written):
            x = sum(self.label_widths[:place])
            picture.write(shown, x, top + (height - _LINE * len(shown)) / 2)
        if gloss and is_inline:
            picture.write([(gloss, "soft small")], self.paper.length(labels[0]) + 6, top + (height - _LINE) / 2)
        for at, place in enumerate(part):
            self._draw_cell(row.cells[place], row, axis, self._left(at), height)
        picture.y += height

    def _draw_cell(self, cell: Cell | None, row: Row, axis: Axis | None, x: float, height: float) -> None:
        """Draw a number, its mark, and the notes beside it."""
        picture, figure, top = self.picture, self.figure, self.picture.y + (height - _LINE) / 2
        if cell is None:
            picture.write([(MISSING, "soft")], x, top)
            return
        value = cell.estimate.value
        if value is None or axis is None:
            return
        mark = figure.mark_of(cell)
        tones = {"soft": row.role == "baseline" or mark == "few", "strong": cell.is_top}
        style = " ".join(tone for tone, is_so in tones.items() if is_so)
        picture.write([(number(value, figure.scale), style)], x, top)
        role = _ROLES[row.role][0] if row.role else ""
        left = x + self.lead
        arguments = (cell, axis, figure.scale == "points", _RADIUS)
        picture.draw(left, picture.y, self.axis, height, "mark", arguments, f"{role} {mark}".strip())
        if cell.note:
            picture.write([(cell.note, "soft small")], x + self.column, top, "end")
        if cell.abstained and not axis.holds(value):
            is_low = value < axis.low
            level = axis.clipped(cell.chance) if cell.chance is not None else 50.0
            room = self.axis / 100 * (level if is_low else 100 - level) - 14
            words = (f"{cell.abstained:,} abstained", f"{cell.abstained:,} abst.")
            fitting = [(text, "soft small") for text in words if self.paper.length(text, "small") <= room]
            place = left + _ARROW + 2 if is_low else left + self.axis - _ARROW - 2
            picture.write(fitting[:1], place, top, "start" if is_low else "end")


def _limited(widths: Sequence[float], room: float) -> list[float]:
    """The widths, the largest reduced until all fit."""
    limits = range(math.ceil(room), 0, -1)
    limit = next(limit for limit in limits if sum(min(limit, width) for width in widths) <= room)
    return [min(limit, width) for width in widths]


def _label(row: Row, place: int) -> str:
    return shortened(row.labels[place], _LONGEST)


def _are_apart(labels: Sequence[tuple[float, str]], paper: Paper) -> bool:
    """Whether small labels, centred at their places, do not touch."""
    ends = [(place, paper.length(text, "small") / 2) for place, text in labels]
    return all(x - half - before - size >= _BETWEEN_TICKS for (before, size), (x, half) in pairwise(ends))


def _draw_stacks(picture: _Picture, panels: Sequence[Panel]) -> None:
    """Draw bars below one another, each beside its title."""
    widest = max(picture.paper.length(panel.title) for panel in panels)
    labels = min(widest, 0.34 * picture.room) + 10
    width = picture.room - labels
    least = (picture.paper.length("100") + 9) / width  # of a bar that has room for its number
    for panel in panels:
        lines = [(line, "") for line in picture.paper.wrapped(panel.title, labels - 8)]
        height = max(22.0, _LINE * len(lines) + 4)
        picture.write(lines, 0, picture.y + (height - _LINE * len(lines)) / 2)
        bar = {**panel.drawn, "least": least}
        picture.draw(labels, picture.y + (height - 20) / 2, width, 20, "stack", (bar,))
        picture.y += height + 4


def _draw_panels(picture: _Picture, kind: str, panels: Sequence[Panel]) -> None:
    """Draw panels side by side, in as many rows as they need."""
    frame, gap = _FRAMES[kind], 18.0
    columns = max(1, min(len(panels), int((picture.room + gap) // (frame.least + frame.left + gap))))
    whole = min((picture.room + gap) / columns - gap, frame.most + frame.left)
    width = whole - frame.left
    height = frame.height or width
    for start in range(0, len(panels), columns):
        row = panels[start : start + columns]
        titles = [picture.paper.wrapped(panel.title, whole, "strong") for panel in row]
        picture.y += 4 + _LINE * max(map(len, titles))
        for at, (panel, lines) in enumerate(zip(row, titles, strict=True)):
            x = at * (whole + gap)
            picture.write([(line, "strong") for line in lines], x, picture.y - _LINE * len(lines))
            drawn = _FITTING.get(kind, _as_it_is)(panel.drawn, width, picture.paper)
            picture.draw(x + frame.left, picture.y + 6, width, height, kind, (drawn,))
        picture.y += 6 + height + frame.below


def _as_it_is(drawn: Mapping[str, Any], _width: float, _paper: Paper) -> Mapping[str, Any]:
    return drawn


def _fitted_slope(drawn: Mapping[str, Any], width: float, paper: Paper) -> Mapping[str, Any]:
    """A drawing of slopes with labels that fit beside the lines."""
    lines = [
        {**line, "right": (line["right"][0], paper.fitted(line["right"][1], 0.42 * width - 11))}
        for line in drawn["lines"]
    ]
    return {**drawn, "lines": lines}


def _fitted_learning(drawn: Mapping[str, Any], width: float, paper: Paper) -> Mapping[str, Any]:
    """A drawing of learning curves with labels that fit beside them, and sizes that do not touch."""
    room = 0.92 * width
    longest = max(paper.length(line["label"]) for line in drawn["lines"])
    curves = max(room - longest - 12, 0.5 * room)
    lines = [{**line, "label": paper.fitted(line["label"], room - curves - 12)} for line in drawn["lines"]]
    sizes = [drawn["sizes"][-1]]
    for x, size in reversed(drawn["sizes"][:-1]):
        near = [(0.0, "0"), (x, f"{size:,}"), (sizes[0][0], f"{sizes[0][1]:,}")]
        if _are_apart([(place * curves / 100, text) for place, text in near], paper):
            sizes.insert(0, (x, size))
    return {**drawn, "width": 100 * curves / width, "lines": lines, "sizes": sizes}


_FITTING: dict[str, Callable[[Mapping[str, Any], float, Paper], Mapping[str, Any]]] = {
    "slope": _fitted_slope,
    "learning": _fitted_learning,
}
