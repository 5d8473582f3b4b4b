"""A table of texts, numbers and estimates, in the notations that papers, repositories and programs read."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.report.rows import Accuracy, Coefficient
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Number:
    """What a program reads and what people read: 0.25, "25.0"."""

    value: float
    text: str


_PARTS = ("", "low", "high", "n", "method", "abstained")  # of an estimate, one column each for programs
Cell = str | int | Number | Estimate | None

_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",  # after the end of a row it would open an argument
    "|": r"\textbar{}",
    "−": "$-$",
    "±": r"$\pm$",
    "…": r"\dots{}",
}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&#])")


@dataclass(frozen=True)
class Table:
    """Rows under headings; an estimate is written in percent or points, with its interval and n.

    >>> table = Table("accuracy", "Accuracy in percent", ("model", "accuracy"),
    ...               (("gemma_3", Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas")),))
    >>> print(table.markdown())
    | model | accuracy |
    | --- | --- |
    | gemma\\_3 | 56.3 [50.1, 62.2], n = 263 |
    <BLANKLINE>
    Accuracy in percent. Intervals: BCa.
    <BLANKLINE>
    """

    name: str
    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_signed: bool = False  # its estimates are differences, shown with their sign

    def __post_init__(self) -> None:
        """Refuse a row that does not fit the headings."""
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ValueError(f"{len(row)} cells under {len(self.columns)} headings: {row}")

    @property
    def full_caption(self) -> str:
        """The caption and how the intervals were made."""
        estimates = [cell for row in self.rows for cell in row if isinstance(cell, Estimate) and cell.value is not None]
        methods = dict.fromkeys(estimate.method.partition(" over ")[0] for estimate in estimates)
        return f"{self.caption.rstrip('.')}. Intervals: {', '.join(methods)}." if methods else self.caption

    def texts(self) -> list[list[str]]:
        """The cells as they are read."""
        return [[self._text(cell) for cell in row] for row in self.rows]

    def markdown(self) -> str:
        """A table in GitHub's Markdown, with the caption below it."""
        lines = [self.columns, ["---"] * len(self.columns)]
        body = [[self._written(cell, _markdown) for cell in row] for row in self.rows]
        drawn = [f"| {' | '.join(row)} |" for row in (*lines, *body)]
        return "\n".join([*drawn, "", _markdown(self.full_caption), ""])

    def latex(self) -> str:
        """A table of the booktabs package, with caption and label; texts are escaped."""
        kinds = "".join("r" if self._is_number(place) else "l" for place in range(len(self.columns)))
        body = [" & ".join(self._written(cell, _latex) for cell in row) + r" \\" for row in self.rows]
        return "\n".join(
            [
                r"% needs \usepackage{booktabs}; non-Latin scripts need LuaLaTeX and a suitable font",
                r"\begin{table}",
                r"\centering",
                rf"\caption{{{_latex(self.full_caption)}}}",
                rf"\label{{tab:{self.name}}}",
                rf"\begin{{tabular}}{{{kinds}}}",
                r"\toprule",
                " & ".join(_latex(name) for name in self.columns) + r" \\",
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                r"\end{table}",
                "",
            ]
        )

    def csv(self) -> str:
        """Comma-separated, numbers in full: an estimate takes five columns, its value and limits as shares of 1.

        An accuracy takes a sixth, the number of its items that were abstained on.
        """
        widths = [max((len(_raw(row[place])) for row in self.rows), default=1) for place in range(len(self.columns))]
        head: list[str] = []
        for name, width in zip(self.columns, widths, strict=True):
            head += [f"{name} {part}".strip() for part in _PARTS[:width]]
        file = io.StringIO()
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(head)
        for row in self.rows:
            written: list[str | int | float | None] = []
            for cell, width in zip(row, widths, strict=True):
                raw = _raw(cell)
                written += raw + [None] * (width - len(raw))
            writer.writerow(written)
        return file.getvalue()

    def _text(self, cell: Cell) -> str:
        if isinstance(cell, Estimate):
            return estimate_text(cell, is_signed=self.is_signed)
        if isinstance(cell, Number):
            return cell.text
        return "" if cell is None else str(cell)

    def _written(self, cell: Cell, escape: Callable[[str], str]) -> str:
        """Only what others wrote is escaped in full: the brackets of an interval do not open a link."""
        if isinstance(cell, Estimate) and cell.value is not None:
            return self._text(cell).replace("−", "$-$") if escape is _latex else self._text(cell)
        return escape(self._text(cell))

    def _is_number(self, place: int) -> bool:
        cells = [row[place] for row in self.rows]
        return any(not isinstance(cell, str) and cell is not None for cell in cells)


def estimate_text(estimate: Estimate, *, is_signed: bool = False) -> str:
    """An estimate in percent (in points if it is a difference) with interval and n, or why there is none.

    >>> estimate_text(Estimate(0.02, -0.041, 0.063, 277, "BCa"), is_signed=True)
    '+2.0 [−4.1, +6.3], n = 277'
    >>> estimate_text(Estimate.undefined("no switchable items"))
    'undefined: no switchable items'
    >>> estimate_text(Accuracy(0.07, 0.043, 0.107, 229, "BCa", abstained=197))
    '7.0 [4.3, 10.7], n = 229, 197 abstained'
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return f"undefined: {estimate.method}"
    decimals, factor = (2, 1) if isinstance(estimate, Coefficient) else (1, 100)
    value, low, high = (
        signed(factor * number) if is_signed else f"{factor * number:z.{decimals}f}".replace("-", "−")
        for number in (estimate.value, estimate.low, estimate.high)
    )
    silent = isinstance(estimate, Accuracy) and estimate.abstained
    return f"{value} [{low}, {high}], n = {estimate.n}" + (f", {silent} abstained" if silent else "")


def signed(points: float, decimals: int = 1) -> str:
    """A difference with its sign; zero after rounding has none.

    >>> signed(2.04), signed(-0.01), signed(-12.3, 0)
    ('+2.0', '0.0', '−12')
    """
    text = f"{points:+z.{decimals}f}"
    return text.replace("-", "−") if float(text) else text.lstrip("+")


def percent(share: float | None) -> Number | None:
    """A share of 1, shown in percent."""
    return None if share is None else Number(share, f"{100 * share:.1f}")


def p_value(p: float | None) -> Number | None:
    """A p-value, which programs get in full.

    >>> p_value(0.0312).text, p_value(2.4e-7).text
    ('0.031', '< 0.001')
    """
    return None if p is None else Number(p, "< 0.001" if p < 0.001 else f"{p:.3f}")


def _raw(cell: Cell) -> list[str | int | float | None]:
    """What a program reads, in as many columns as it needs."""
    if isinstance(cell, Estimate):
        more = [cell.abstained] if isinstance(cell, Accuracy) else []
        return [cell.value, cell.low, cell.high, cell.n, cell.method, *more]
    return [cell.value if isinstance(cell, Number) else cell]


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))
