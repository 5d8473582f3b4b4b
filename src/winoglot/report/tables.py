"""Numbers for papers and programs: booktabs and Markdown tables, and CSV with one row per estimate."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from winoglot.files import as_csv
from winoglot.report.figure import Cell, Figure, Matrix, based_on, slug
from winoglot.report.rendering import rendered, shortened
from winoglot.statistics.formatting import Scale, interval, number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from winoglot.report.summary import RunSummary, Summary
    from winoglot.statistics.intervals import Estimate

FORMATS = ("latex", "markdown", "csv")
_SUFFIXES = {"latex": "tex", "markdown": "md"}
_COLUMN_WIDTH = 7.7  # centimetres: a column of a two-column paper
_LETTER_WIDTH, _SMALL_WIDTH, _GAP = 0.15, 0.126, 0.14  # of a letter in footnote and script type, between columns
_LONGEST_NAMES = (22, 17, 12)  # letters: fewer if the table then fits a column
LATEX = {letter: f"\\{letter}" for letter in "{}$&%#_"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",  # after the end of a row it would open an argument
    "|": r"\textbar{}",
    "−": "$-$",
    "–": "--",
    "±": r"$\pm$",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
}
_LETTER = re.compile(r"[^\W\d_]")
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&#])")
_RUN = ("collection", "version", "language", "solver", "role", "scoring", "readings", "settings")  # columns of CSV
_MEASURED = ("metric", "kind", "subset", "value", "low", "high", "n", "method", "chance", "abstained")
_TEST = ("p", "corrected_p")
_SIDES = ("first", "first_collection", "second", "second_collection")
_COMPARISON = ("difference", "low", "high", "n", "method", *_TEST, "detectable", "outcome")

Value = str | float | Cell | None  # a whole number is a count; another one is shown like an estimate


@dataclass(frozen=True)
class Table:
    """Rows of texts, numbers and estimates under headings.

    >>> from winoglot.statistics.intervals import Estimate
    >>> share = Cell(Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas"))
    >>> print(Table("accuracy", "Accuracy in percent", ("model", "en"), (("gemma_3", share),)).markdown())
    | model | en |
    | --- | --- |
    | gemma\\_3 | 56.3 [50.1, 62.2] |
    <BLANKLINE>
    Accuracy in percent. n = 263. 95% intervals: BCa.
    <BLANKLINE>
    """

    name: str
    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[Value, ...], ...]
    scale: Scale = "percent"
    breaks: tuple[int, ...] = ()  # rows before which a line is drawn

    @classmethod
    def of(cls, name: str, caption: str, rows: Sequence[Mapping[str, Value]], scale: Scale = "percent") -> Table | None:
        """A table of rows by heading; None if there are no rows."""
        return cls(name, caption, tuple(rows[0]), tuple(tuple(row.values()) for row in rows), scale) if rows else None

    def texts(self) -> list[list[str]]:
        """The cells as they are read."""
        return [[self._text(cell) for cell in row] for row in self.rows]

    def is_number(self, place: int) -> bool:
        """Whether a column holds numbers."""
        return any(not isinstance(row[place], str) and row[place] is not None for row in self.rows)

    def markdown(self) -> str:
        """A table in GitHub's Markdown, with the caption below it."""
        lines = [map(_markdown, self.headings), ["---"] * len(self.headings)]
        lines += [
            [
                self._text(cell) + self._n(cell) if isinstance(cell, Cell) else _markdown(self._text(cell))
                for cell in row
            ]
            for row in self.rows
        ]
        return "\n".join([*(f"| {' | '.join(row)} |" for row in lines), "", _markdown(self.full_caption), ""])

    def latex(self) -> str:
        """A table of the booktabs package: intervals below their values; as wide as a column if it fits."""
        kind = "table" if self.width() <= _COLUMN_WIDTH else "table*"
        return rendered("table.tex", table=self, kind=kind, longest=self._longest_name, latex=_latex)

    def width(self, longest: int | None = None) -> float:
        """The approximate width of the LaTeX table in centimetres, with names cut to `longest` letters."""
        most = self._longest_name if longest is None else longest
        total = -_GAP
        for place in self.places:
            letters = [len(self.headings[place]), *(min(most, len(self.value(row[place]))) for row in self.rows)]
            small = max((len(self.below(row)[place]) for row in self.rows), default=0)
            total += max(_LETTER_WIDTH * max(letters), _SMALL_WIDTH * small) + _GAP
        return total

    @property
    def places(self) -> list[int]:
        """The columns of the LaTeX table: labels share the first if there are estimates, whose rows have two lines."""
        return [0, *range(self._labels, len(self.headings))]

    @property
    def _estimates(self) -> list[Estimate]:
        return [cell.estimate for row in self.rows for cell in row if isinstance(cell, Cell)]

    @property
    def _labels(self) -> int:
        """How many columns name a row, if there are estimates."""
        numbers = (at for at in range(len(self.headings)) if self.is_number(at))
        return max(1, next(numbers, 1)) if self._estimates else 1

    @property
    def _longest_name(self) -> int:
        """As many letters of a name as fit a column, unless two names would look the same."""
        names = {row[0] for row in self.rows if isinstance(row[0], str)}
        for longest in _LONGEST_NAMES:
            if self.width(longest) <= _COLUMN_WIDTH and len({shortened(name, longest) for name in names}) == len(names):
                return longest
        return _LONGEST_NAMES[0]

    @property
    def full_caption(self) -> str:
        """The caption, with n (cells have their own if they differ) and how the intervals were made."""
        estimates = [estimate for estimate in self._estimates if estimate.value is not None]
        return f"{self.caption.rstrip('.')}. {based_on(estimates)}" if estimates else self.caption

    def below(self, row: Sequence[Value]) -> list[str]:
        """What is written in small type below the cells of a row: intervals, and below the name the other labels."""
        named = zip(self.headings[1 : self._labels], row[1 : self._labels], strict=True)
        # A label without letters, such as a rank, says nothing without its heading.
        said = [f"{name.lower()} {cell}" if cell and not _LETTER.search(str(cell)) else cell for name, cell in named]
        labels = [str(cell).replace("grammatical", "gramm.") for cell in said if cell]
        intervals = [interval(cell.estimate, self.scale) if isinstance(cell, Cell) else "" for cell in row[1:]]
        shown = (text.replace(" to ", ", ").replace("+", "") for text in intervals)
        return [", ".join(labels), *(text + self._n(cell) for text, cell in zip(shown, row[1:], strict=True))]

    def _n(self, cell: Value) -> str:
        """The n of an estimate, if not all have the same."""
        if isinstance(cell, Cell) and cell.estimate.value is not None and self._sizes_differ:
            return f" n={cell.estimate.n:,}"
        return ""

    @cached_property
    def _sizes_differ(self) -> bool:
        return len({estimate.n for estimate in self._estimates if estimate.value is not None}) > 1

    def _text(self, cell: Value) -> str:
        if isinstance(cell, Cell) and cell.estimate.value is not None:
            low, high = (number(end or 0.0, self.scale) for end in (cell.estimate.low, cell.estimate.high))
            return f"{self.value(cell)} [{low}, {high}]"
        return self.value(cell)

    def value(self, cell: Value, longest: int | None = None) -> str:
        """A cell without its interval, texts cut to `longest` letters; a star if a test shows a difference."""
        if isinstance(cell, Cell):
            share = cell.estimate.value
            return "–" if share is None else number(share, self.scale) + "*" * cell.is_significant
        if isinstance(cell, float):
            return number(cell, self.scale)
        if isinstance(cell, int):
            return f"{cell:,}"
        return "" if cell is None else cell if longest is None else shortened(cell, longest)


def figure_tables(figure: Figure) -> list[Table]:
    """A figure as tables: one for each choice of a facet, each group with its own axis, with guesses if it has them."""
    tables = []
    has_axes = any(group.axis for group in figure.groups)
    for title, groups in [(group.title, (group,)) for group in figure.groups] if has_axes else [("", figure.groups)]:
        for facet, ending in enumerate(figure.endings):
            choice = f"; {figure.facets[facet]}" if figure.facets else ""
            choice += " readings" if choice and figure.facet == "Readings" else ""
            rows_of_groups = [[row for row in group.rows if row.facet in {None, facet}] for group in groups]
            rows = [row for group in rows_of_groups for row in group]
            kept = [at for at in range(len(figure.headings)) if not at or any(row.labels[at] for row in rows)]
            headings = (*(figure.headings[at] for at in kept), *(figure.short or figure.columns))
            breaks = tuple(itertools.accumulate(len(group) for group in rows_of_groups if group))[:-1]
            about = f"{figure.title}: {title}" if title else figure.title
            about += f", {figure.unit.partition(', with')[0]}"
            for way in ("", "with guesses") if figure.has_guesses else ("",):
                body = ((*(row.labels[at] for at in kept), *(_shown(cell, way) for cell in row.cells)) for row in rows)
                name = "-".join(filter(None, (figure.name, slug(title), ending, slug(way))))
                stars = "; *: significant after Holm's correction" if figure.has_stars and not way else ""
                caption = f"{about}{', a guess for each abstention' if way else ''}{choice}{stars}"
                tables.append(Table(name, caption, headings, tuple(body), figure.scale, breaks))
    return tables


def _shown(cell: Cell | None, way: str) -> Cell | None:
    if cell is None or not way:
        return cell
    return None if cell.guesses is None else Cell(cell.guesses)


def matrix_table(matrix: Matrix) -> Table:
    """A matrix as a table of estimates."""
    rows = ((name, *(Cell(cell.estimate) if cell else None for cell in cells)) for name, _, cells in matrix.rows)
    headings = (matrix.heading.lower(), *matrix.columns)
    return Table(matrix.name, matrix.table_caption, headings, tuple(rows), matrix.scale)


def table_files(tables: Iterable[Table], formats: Sequence[str]) -> dict[str, Callable[[], str]]:
    """By file name, what writes each table as LaTeX or Markdown, if these formats are wanted."""
    return {
        f"{table.name}.{suffix}": getattr(table, wanted)
        for table in tables
        for wanted, suffix in _SUFFIXES.items()
        if wanted in formats
    }


def summary_csv(summary: Summary) -> dict[str, Callable[[], str]]:
    """By file name, what writes every estimate and every comparison of a report, one per line."""
    return {
        "estimates.csv": lambda: as_csv(estimate_rows(summary), (*_RUN, *_MEASURED, *_TEST)),
        "comparisons.csv": lambda: as_csv(comparison_rows(summary), (*_SIDES, *_COMPARISON)),
    }


def estimate_rows(summary: Summary) -> Iterator[dict[str, Any]]:
    """Every estimate of the report in long form: one row each, values as shares of 1."""
    for run in summary.runs:
        source, solver, settings = run.column.source, run.solver, run.settings
        shared = (source.name, source.version, source.language, solver.name, solver.role)
        about = dict(zip(_RUN, (*shared, settings.scoring, settings.readings, solver.more), strict=True))
        test = {"chance": run.guess, "p": run.chance.value if run.chance else None, "corrected_p": run.corrected_p}
        yield {**about, "metric": "accuracy", **vars(run.accuracy), **test}
        if run.accuracy.abstained:
            yield {**about, "metric": "accuracy-with-guesses", **vars(run.guesses), **test}
        for name, estimate in run.metrics.items():
            yield {**about, "metric": name, **vars(estimate)}
        for kind, measures in run.kinds.items():
            for name, estimate in measures.items():
                yield {**about, "metric": name, "kind": kind, **vars(estimate)}
        for subset, part in run.subsets.items():
            yield {**about, "metric": "accuracy", "subset": subset, **vars(part), "chance": run.column.chance}
        if run.calibration is not None:
            measures = {"error": run.calibration.error, "overconfidence": run.calibration.overconfidence}
            for name, estimate in (measures | {"slope": run.calibration.fit.slope}).items():
                yield {**about, "metric": f"calibration-{name}", **vars(estimate)}


def comparison_rows(summary: Summary) -> Iterator[dict[str, Any]]:
    """Every comparison, and every pair that could not be compared, with the reason."""
    for pair in summary.compared:
        comparison = pair.comparison
        tests = {"p": comparison.test.value, "corrected_p": comparison.corrected_p, "detectable": comparison.detectable}
        about = _sides(pair.first, pair.second) | {"difference": comparison.difference.value, "outcome": pair.outcome}
        yield vars(comparison.difference) | about | tests | {"n": comparison.items}
    for first, second, why in summary.refused:
        yield _sides(first, second) | {"outcome": f"not compared: {why}"}


def _sides(first: RunSummary, second: RunSummary) -> dict[str, Any]:
    labels = (first.solver.label, first.column.label, second.solver.label, second.column.label)
    return dict(zip(_SIDES, labels, strict=True))


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _latex(text: str) -> str:
    return "".join(LATEX.get(character, character) for character in " ".join(text.split()))
