"""What figures are made of. A figure is a table: its cells hold estimates, drawn on an axis that the figure shares.

The page draws it (`templates/figures.html`), `drawing` makes it a picture for a paper, `tables` writes its numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from winoglot.report.solvers import Role
from winoglot.report.summary import FEW, Accuracy
from winoglot.statistics.formatting import Scale
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

MOST_COLUMNS = 5  # side by side, so that figures fit a screen and a page
_STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250)
_MOST_TICKS = 4
_LONGEST_SLUG = 80  # letters
_SILENT = 0.25  # a solver that abstains on more may lie beyond the axis
_STRETCH = 1.7  # how much longer an axis may become for a baseline or for people


Mark = Literal["few", "hollow", "quiet", ""]  # how an estimate is drawn: a class of the style sheet
Tone = Literal["yes", "down", "abs", "no-difference", ""]  # of a cell of a matrix: a class of the style sheet


@dataclass(frozen=True)
class Cell:
    """An estimate, what guessing gives there, and what is written beside it."""

    estimate: Estimate
    chance: float | None = None
    note: str = ""  # beside the drawing: a p-value
    guesses: Estimate | None = None  # the accuracy if the solver had guessed instead of abstaining
    p: float | None = None  # of a test, corrected
    is_significant: bool = False  # by that test
    is_top: bool = False  # not significantly below the best of its column

    @classmethod
    def of(cls, estimate: Estimate | None, chance: float | None = None, **more: Any) -> Cell | None:
        """A cell, unless there is no value to show."""
        return None if estimate is None or estimate.value is None else cls(estimate, chance, **more)

    @property
    def abstained(self) -> int:
        """How many items of an accuracy were abstained on."""
        return self.estimate.abstained if isinstance(self.estimate, Accuracy) else 0

    @property
    def is_silent(self) -> bool:
        """Whether so many items were abstained on that it must be said."""
        return bool(self.abstained) and 20 * self.abstained >= self.estimate.n

    @property
    def is_few(self) -> bool:
        """Whether it is based on too little to be ranked."""
        return self.estimate.n < FEW

    @property
    def is_clear(self) -> bool:
        """Whether the interval excludes what guessing gives (for a change: 0)."""
        low, high, level = self.estimate.low, self.estimate.high, self.chance
        return low is not None and high is not None and level is not None and not low <= level <= high


@dataclass(frozen=True)
class Row:
    """A row: one label per heading, one cell per column (None: nothing there)."""

    labels: tuple[str, ...]
    cells: tuple[Cell | None, ...]
    role: Role | Literal[""] = ""
    facet: int | None = None  # the choice with which it is shown; None: with all of them
    gloss: str = ""  # a few words below the first label


@dataclass(frozen=True)
class Axis:
    """What the figure shows of its scale, with ticks; what lies beyond is an arrow.

    >>> axis = Axis.around([(0.52, 0.61), (0.48, 0.55)], (0.5,))
    >>> axis.low, axis.high, axis.labels, axis.place(0.5)
    (0.45, 0.65, (0.5, 0.6), 25.0)
    """

    low: float
    high: float
    ticks: tuple[float, ...]
    level: float | None = None  # what guessing gives, which is labelled if it is a tick

    @classmethod
    def around(
        cls, intervals: Sequence[tuple[float, float]], levels: Sequence[float], scale: Scale = "percent"
    ) -> Axis:
        """An axis on which every interval and level has its place, zoomed to them, with round ends."""
        ends = [end for interval in intervals for end in interval] + list(levels)
        low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
        unit = 1.0 if scale == "plain" else 0.01
        size = max((high - low) / unit, 1.0 if scale == "plain" else 4.0)
        factor = 10.0 ** math.floor(math.log10(size / 100)) if size > 250 or size < 4 else 1.0
        step = factor * next((step for step in _STEPS if size / (step * factor) <= _MOST_TICKS), _STEPS[-1])
        level = levels[0] if len(levels) == 1 else None
        start = level / unit if level is not None and round(level / unit, 6) % 5 == 0 else 0.0  # a tick, if it is round
        first, last = (math.floor((low / unit - start) / step + 1e-9), math.ceil((high / unit - start) / step - 1e-9))
        if first == last:
            first, last = first - 1, last + 1
        ticks = tuple(round((start + at * step) * unit, 10) for at in range(first, last + 1))
        if scale == "percent":  # there is nothing below 0 or above 100
            return cls(max(0.0, ticks[0]), min(1.0, ticks[-1]), tuple(tick for tick in ticks if 0 <= tick <= 1), level)
        return cls(ticks[0], ticks[-1], ticks, level)

    @property
    def labels(self) -> tuple[float, ...]:
        """The ticks that have room for a number."""
        if len(self.ticks) <= _MOST_TICKS:
            return self.ticks
        return self.ticks[self.ticks.index(self.level) % 2 if self.level in self.ticks else 0 :: 2]

    def place(self, value: float) -> float:
        """Where a value is, in percent of the width."""
        return round(100 * (value - self.low) / (self.high - self.low), 1)

    def clipped(self, value: float) -> float:
        """The place of a value, or the end beyond which it lies."""
        return min(100.0, max(0.0, self.place(value)))

    def holds(self, value: float) -> bool:
        """Whether the value is on the axis."""
        return self.low - 1e-9 <= value <= self.high + 1e-9

    def cuts(self, estimate: Estimate) -> bool:
        """Whether the estimate or a part of its interval is not on the axis."""
        ends = (estimate.low, estimate.value, estimate.high)
        return not all(self.holds(end) for end in ends if end is not None)


@dataclass(frozen=True)
class Group:
    """Rows under a common title, with an axis of their own if the figure has none for all."""

    rows: tuple[Row, ...]
    title: str = ""
    axis: Axis | None = None
    note: str = ""  # what the group measures


@dataclass(frozen=True)
class Figure:
    """Groups of rows under the headings of their labels and the columns of their cells."""

    name: str
    title: str
    unit: str  # after the title, in plain words
    headings: tuple[str, ...]
    columns: tuple[str, ...]
    groups: tuple[Group, ...]
    axis: Axis | None = None
    scale: Scale = "percent"
    facets: tuple[str, ...] = ()  # what `Row.facet` chooses from
    facet: str = ""  # what the choice is of
    caption: str = ""
    is_tested: bool = False  # what no test shows to differ from chance or zero is hollow
    is_exploratory: bool = False  # intervals that include chance are drawn pale
    short: tuple[str, ...] = field(default=())  # the columns, as a narrow table calls them

    @property
    def rows(self) -> Iterator[Row]:
        """All rows."""
        return (row for group in self.groups for row in group.rows)

    @property
    def cells(self) -> Iterator[Cell]:
        """All cells with a value."""
        cells = (cell for row in self.rows for cell in row.cells)
        return (cell for cell in cells if cell is not None and cell.estimate.value is not None)

    @cached_property
    def has_guesses(self) -> bool:
        """Whether a solver abstained, so that a column says what guesses would have given."""
        return any(cell.guesses is not None and cell.abstained for cell in self.cells)

    @cached_property
    def has_notes(self) -> bool:
        """Whether something is written beside the drawings."""
        return any(cell.note for cell in self.cells)

    @property
    def has_stars(self) -> bool:
        """Whether its cells come with corrected tests, so that a table marks what is significant."""
        return self.has_notes or any(cell.p is not None for cell in self.cells)

    @property
    def basis(self) -> str:
        """What its values are based on: n and the methods of the intervals; nothing if the caption says it."""
        values = [cell.estimate for cell in self.cells]
        return based_on(values) if values and "95% intervals:" not in self.caption else ""

    @property
    def n(self) -> tuple[int, int] | None:
        """The smallest and the largest number that a value is based on."""
        sizes = [cell.estimate.n for cell in self.cells]
        return (min(sizes), max(sizes)) if sizes else None

    @property
    def endings(self) -> list[str]:
        """What a file is called after for each choice of the facets: nothing for the first, never the same twice.

        >>> Figure("subsets", "", "", (), (), (), facets=("a", "org/b", "模型", "org:b")).endings
        ['', 'org-b-2', '3', 'org-b-4']
        """
        slugs = [slug(facet) for facet in self.facets] or [""]
        numbered = [part if part and slugs.count(part) == 1 else f"{part}-{at}" for at, part in enumerate(slugs, 1)]
        return ["", *(part.strip("-") for part in numbered[1:])]

    @property
    def about(self) -> str:
        """Its unit, and n if all values have the same."""
        return f"{self.unit}; n = {self.n[0]:,}" if self.n and self.n[0] == self.n[1] else self.unit

    def mark_of(self, cell: Cell) -> Mark:
        """How an estimate is drawn: hollow if it has few items or no test shows a difference, or pale."""
        if cell.is_few:
            return "few"
        if self.is_tested and cell.p is not None and not cell.is_significant:
            return "hollow"
        return "quiet" if self.is_exploratory and cell.chance is not None and not cell.is_clear else ""

    def axis_of(self, group: Group) -> Axis | None:
        """The group's axis, or the figure's."""
        return group.axis or self.axis

    def groups_in(self, part: Sequence[int]) -> list[Group]:
        """The groups that have something to show in these columns."""
        return [
            group for group in self.groups if any(row.cells[place] is not None for row in group.rows for place in part)
        ]

    def parts(self) -> list[tuple[int, ...]]:
        """The places of the columns, in as many parts as are needed for each to fit a screen."""
        return in_parts(range(len(self.columns)), MOST_COLUMNS)


def in_parts(places: Sequence[int], most: int) -> list[tuple[int, ...]]:
    """Places of columns in parts of about equal size, so many at most.

    >>> in_parts(range(7), 3)
    [(0, 1, 2), (3, 4, 5), (6,)]
    """
    size = math.ceil(len(places) / max(1, math.ceil(len(places) / most)))
    return [tuple(places[at : at + size]) for at in range(0, len(places), size or 1)]


@dataclass(frozen=True)
class MatrixCell:
    """A number in a matrix, how it is coloured, and what is written below it and added to its tooltip."""

    estimate: Estimate
    tone: Tone = ""
    below: str = ""
    tooltip: str = ""


@dataclass(frozen=True)
class Matrix:
    """A table of percentages whose colours say what is clear: what was trained by what was asked."""

    name: str
    title: str
    unit: str
    label: str  # what it is, for those who cannot see it
    heading: str  # of the first column
    columns: tuple[str, ...]
    rows: tuple[tuple[str, str, tuple[MatrixCell | None, ...]], ...]  # a name, a few words below it, the cells
    key: Mapping[str, str]  # by tone, what it means
    caption: str
    table_caption: str  # of the table that is exported
    scale: Scale = "percent"
    is_compact: bool = False  # whole numbers in small squares


def figure_of(
    name: str,
    title: str,
    unit: str,
    headings: tuple[str, ...],
    columns: Sequence[str],
    groups: Iterable[Group],
    scale: Scale = "percent",
    *,
    group_axis: Callable[[Sequence[Row], Scale], Axis] | None = None,
    **more: Any,
) -> Figure | None:
    """A figure of the groups that have rows and the rows that have cells; None if there are none.

    All groups share one axis, unless `group_axis` makes one for each.
    """
    filled = [replace(group, rows=tuple(row for row in group.rows if any(row.cells))) for group in groups]
    kept = [group for group in filled if group.rows]
    if not kept:
        return None
    if group_axis is None:
        more["axis"] = axis_of([row for group in kept for row in group.rows], scale)
    else:
        kept = [replace(group, axis=group_axis(group.rows, scale)) for group in kept]
    return Figure(name, title, unit, headings, tuple(columns), tuple(kept), scale=scale, **more)


def axis_of(rows: Iterable[Row], scale: Scale = "percent") -> Axis:
    """An axis for the models; others lie beyond it if they would stretch it too much, or if they abstain often."""
    cells = [(row.role, cell) for row in rows for cell in row.cells if cell is not None]
    main = [cell for role, cell in cells if role == "model" or (not role and not cell.is_few)]
    others = [cell for _, cell in cells if cell.abstained <= _SILENT * cell.estimate.n]
    levels = sorted({cell.chance for cell in main or others if cell.chance is not None})
    drawn = _limits(main) or _limits(others)
    ends = [end for limits in drawn for end in limits] + levels
    span = max(max(ends) - min(ends), 0.1) if ends else 1.0
    near = [pair for pair in _limits(others) if max(*ends, *pair) - min(*ends, *pair) <= _STRETCH * span]
    return Axis.around([*drawn, *near], levels, scale)


def _limits(cells: Sequence[Cell]) -> list[tuple[float, float]]:
    limits = ((cell.estimate.low, cell.estimate.high) for cell in cells)
    return [(low, high) for low, high in limits if low is not None and high is not None]


def based_on(estimates: Iterable[Estimate]) -> str:
    """What estimates with values are based on: n, and each method of their intervals once.

    >>> from winoglot.statistics.intervals import Estimate
    >>> crossed = [Estimate(0.5, 0.4, 0.6, 90, f"over 3 seeds and {groups} twin groups") for groups in (45, 1_000)]
    >>> based_on([*crossed, Estimate(1.0, 0.9, 1.0, 200, "BCa over 90 twin groups, one seed")])
    'n = 90 to 200. 95% intervals: over seeds and twin groups, BCa.'
    """
    values = list(estimates)
    sizes = sorted({estimate.n for estimate in values})
    n = f"{sizes[0]:,}" if len(sizes) == 1 else f"{sizes[0]:,} to {sizes[-1]:,}"
    return f"n = {n}. 95% intervals: {', '.join(dict.fromkeys(_method(estimate.method) for estimate in values))}."


def _method(method: str) -> str:
    """The name of a method; one without a name is called after what it is over, whatever their number."""
    name, _, units = method.partition(";")[0].partition("over ")
    return name.strip() or f"over {re.sub(r'[0-9,]+ ', '', units.partition(', ')[0])}"


def slug(text: str) -> str:
    """A text as part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_LONGEST_SLUG].rstrip("-")
