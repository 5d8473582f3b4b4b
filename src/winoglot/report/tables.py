"""The numbers of a report for papers and programs: booktabs and Markdown tables, and CSV with one row per estimate."""

from __future__ import annotations

import csv
import io
import itertools
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from winoglot.report.figure import Cell, Figure, Scale, interval, number
from winoglot.report.findings import shortened
from winoglot.report.plots import margins_of
from winoglot.schemas.text import counted
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from winoglot.report.summary import Compared, RunSummary, Summary

FORMATS = ("latex", "markdown", "csv")
_SUFFIXES = {"latex": "tex", "markdown": "md"}
_COLUMN_WIDTH = 7.7  # centimetres: a column of a two-column paper
_LETTER_WIDTH, _SMALL_WIDTH, _GAP = 0.15, 0.126, 0.14  # of a letter in footnote and script type, between columns
_LONGEST_NAMES = (22, 17, 12)  # letters: fewer if the table then fits a column
_LONGEST_SLUG = 80  # letters of a part of a file's name
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
    "–": "--",
    "±": r"$\pm$",
    "…": r"\dots{}",
    "“": "``",
    "”": "''",
}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&#])")
_WINDOWS = {"empty": "undefined window", "punctuation": "punctuation window", "segment before": "segment before window"}
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)


@dataclass(frozen=True)
class Number:
    """What a program reads and what people read: 0.25, "25.0"."""

    value: float
    text: str


@dataclass(frozen=True)
class StarredEstimate(Estimate):
    """An estimate with a star: a test shows that it differs from chance, or from 0."""


Value = str | int | Number | Estimate | None


@dataclass(frozen=True)
class Table:
    """Rows of texts, numbers and estimates under headings.

    >>> table = Table("accuracy", "Accuracy in percent", ("model", "en"),
    ...               (("gemma_3", Estimate(0.5627, 0.5012, 0.6218, 263, "BCa over 131 schemas")),))
    >>> print(table.markdown())
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

    def texts(self) -> list[list[str]]:
        """The cells as they are read."""
        return [[self._text(cell) for cell in row] for row in self.rows]

    def is_number(self, place: int) -> bool:
        """Whether a column holds numbers."""
        return any(not isinstance(row[place], str) and row[place] is not None for row in self.rows)

    def markdown(self) -> str:
        """A table in GitHub's Markdown, with the caption below it."""
        lines = [list(map(_markdown, self.headings)), ["---"] * len(self.headings)]
        body = [
            [text if isinstance(cell, Estimate) else _markdown(text) for cell, text in zip(row, texts, strict=True)]
            for row, texts in zip(self.rows, self.texts(), strict=True)
        ]
        return "\n".join([*(f"| {' | '.join(row)} |" for row in (*lines, *body)), "", _markdown(self._caption()), ""])

    def latex(self) -> str:
        """A table of the booktabs package: intervals below their values, n once; as wide as a column if it fits."""
        labels, longest = self._labels, self._longest_name
        places = [0, *range(labels, len(self.headings))]
        body: list[str] = []
        for place, row in enumerate(self.rows):
            same = place and row[0] == self.rows[place - 1][0]
            names = [shortened(cell, longest) if isinstance(cell, str) else cell for cell in row]
            below = self._below(row)
            if place in self.breaks:
                body.append(r"\midrule")
            has_two = any(below)
            line = " & ".join("" if same and not at else _latex(self._value(names[at])) for at in places)
            body.append(line + (r" \\[-2pt]" if has_two else r" \\"))
            if has_two:
                small = (rf"{{\scriptsize {_latex(below[at])}}}" if below[at] else "" for at in places)
                body.append(" & ".join(small) + r" \\")
        kinds = "".join("r" if self.is_number(at) else "l" for at in places)
        kind = "table" if self.width() <= _COLUMN_WIDTH else "table*"
        return "\n".join(
            [
                r"% needs \usepackage{booktabs}; non-Latin scripts need LuaLaTeX and a suitable font",
                rf"\begin{{{kind}}}[t]",
                r"\centering\footnotesize\setlength{\tabcolsep}{2pt}",
                rf"\begin{{tabular}}{{@{{}}{kinds}@{{}}}}",
                r"\toprule",
                " & ".join(_latex(self.headings[at]) for at in places) + r" \\",
                r"\midrule",
                *body,
                r"\bottomrule",
                r"\end{tabular}",
                rf"\caption{{{_latex(self._caption())}}}",
                rf"\label{{tab:{self.name}}}",
                rf"\end{{{kind}}}",
                "",
            ]
        )

    @property
    def _labels(self) -> int:
        """How many columns name a row; in LaTeX they share one if there are estimates, whose rows have two lines."""
        if not any(isinstance(cell, Estimate) for row in self.rows for cell in row):
            return 1
        return next((at for at in range(len(self.headings)) if self.is_number(at)), 1) or 1

    @property
    def _longest_name(self) -> int:
        """As many letters of a name as fit a column, unless two names would look the same."""
        names = {row[0] for row in self.rows if isinstance(row[0], str)}
        for longest in _LONGEST_NAMES:
            if self.width(longest) <= _COLUMN_WIDTH and len({shortened(name, longest) for name in names}) == len(names):
                return longest
        return _LONGEST_NAMES[0]

    def width(self, longest: int | None = None) -> float:
        """The approximate width of the LaTeX table in centimetres, with names cut to `longest` letters."""
        most = self._longest_name if longest is None else longest
        found = 0.0
        places = [0, *range(self._labels, len(self.headings))]
        for place in places:
            cells = [row[place] for row in self.rows]
            letters = max([len(self.headings[place]), *(min(most, len(self._value(cell))) for cell in cells)])
            small = max((len(self._below(row)[place]) for row in self.rows), default=0)
            found += max(_LETTER_WIDTH * letters, _SMALL_WIDTH * small)
        return found + _GAP * (len(places) - 1)

    def _below(self, row: Sequence[Value]) -> list[str]:
        """What is written in small type below the cells of a row: intervals, and below the name the other labels."""
        labels = [str(cell).replace("grammatical", "gramm.") for cell in row[1 : self._labels] if cell]
        intervals = [interval(cell, self.scale) if isinstance(cell, Estimate) else "" for cell in row[1:]]
        return [", ".join(labels), *(text.replace(" to ", ", ").replace("+", "") for text in intervals)]

    def _caption(self) -> str:
        estimates = [cell for row in self.rows for cell in row if isinstance(cell, Estimate) and cell.value is not None]
        if not estimates:
            return self.caption
        methods = dict.fromkeys(one.method.partition(" over ")[0].partition(";")[0] for one in estimates)
        sizes = sorted({one.n for one in estimates})
        n = f"n = {sizes[0]:,}" if len(sizes) == 1 else f"n = {sizes[0]:,} to {sizes[-1]:,}"
        return f"{self.caption.rstrip('.')}. {n}. 95% intervals: {', '.join(methods)}."

    def _text(self, cell: Value) -> str:
        if isinstance(cell, Estimate) and cell.value is not None:
            low, high = (number(end or 0.0, self.scale) for end in (cell.low, cell.high))
            return f"{self._value(cell)} [{low}, {high}]"
        return self._value(cell)

    def _value(self, cell: Value) -> str:
        if isinstance(cell, Estimate):
            star = "*" if isinstance(cell, StarredEstimate) else ""
            return "–" if cell.value is None else number(cell.value, self.scale) + star
        if isinstance(cell, Number):
            return cell.text
        return "" if cell is None else f"{cell:,}" if isinstance(cell, int) else cell


def figure_tables(figure: Figure) -> list[Table]:
    """A figure as tables: one for each choice of a facet, each titled group, and for accuracies with guesses."""
    has_titles = any(group.title and group.axis for group in figure.groups)
    made = []
    endings = facet_names(figure)
    for groups in [(group,) for group in figure.groups] if has_titles else [figure.groups]:
        title = f"{figure.title}: {groups[0].title}" if has_titles else figure.title
        for facet, told in enumerate(figure.facets or ("",)):
            note = (
                f"; {told} {figure.facet.lower()}"
                if told and figure.facet == "Readings"
                else f"; {told}"
                if told
                else ""
            )
            own = [[row for row in group.rows if row.facet in {None, facet}] for group in groups]
            rows = [row for group in own for row in group]
            kept = [place for place in range(len(figure.headings)) if not place or any(r.labels[place] for r in rows)]
            breaks = tuple(itertools.accumulate(len(group) for group in own if group))[:-1]
            ways: list[tuple[str, str, Callable[[Cell], Estimate | None]]] = [("", "", _estimate)]
            if figure.has_guesses:
                ways.append(("with guesses", ", a guess for each abstention", lambda cell: cell.guesses))
            for way, said, value in ways:
                parts = (figure.name, groups[0].title if has_titles else "", endings[facet], way)
                name = "-".join(_slug(part) for part in parts if part)
                body = tuple(
                    (*(row.labels[place] for place in kept), *(value(cell) if cell else None for cell in row.cells))
                    for row in rows
                )
                headings = (*(figure.headings[place] for place in kept), *(figure.short or figure.columns))
                stars = "; *: significant after Holm's correction" if figure.has_notes and not way else ""
                caption = f"{title}, {figure.unit.partition(', with')[0]}{said}{note}{stars}"
                made.append(Table(name, caption, headings, body, figure.scale, breaks))
    return made


def _estimate(cell: Cell) -> Estimate:
    found = cell.estimate
    return StarredEstimate(found.value, found.low, found.high, found.n, found.method) if cell.is_significant else found


def facet_names(figure: Figure) -> list[str]:
    """What a file is called after for each choice of a figure's facets: nothing for the first, never the same twice.

    >>> facet_names(Figure("subsets", "", "", (), (), (), facets=("a", "org/b", "模型", "org:b")))
    ['', 'org-b-2', '3', 'org-b-4']
    """
    slugs = [_slug(told) for told in figure.facets] or [""]
    made = [one if one and slugs.count(one) == 1 else f"{one}-{at}" for at, one in enumerate(slugs, 1)]
    return ["", *(one.strip("-") for one in made[1:])]


def _slug(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_LONGEST_SLUG].rstrip("-")


def calibration_table(summary: Summary) -> Table | None:
    """Error, noise, overconfidence and slope of every run whose scores are log probabilities."""
    rows: list[tuple[Value, ...]] = []
    for one in summary.runs:
        found = one.calibration
        if found is not None and found.error.value is not None:
            slope = found.fit.slope
            told = (
                f"{number(slope.value, 'plain')} [{interval(slope, 'plain')}]"
                if slope.value is not None
                else slope.method
            )
            rows.append(
                (
                    summary.brief(one.solver),
                    one.column.label,
                    found.error,
                    _percent(found.noise),
                    found.overconfidence,
                    told,
                )
            )
    heads = ("solver", "collection", "calibration error", "noise", "overconfidence", "slope")
    return (
        Table("calibration", "Calibration in percent [95% interval]; slope of the log odds", heads, tuple(rows))
        if rows
        else None
    )


def uncalibrated_table(summary: Summary) -> Table | None:
    """Five points of the margins of models whose scores are not log probabilities."""
    rows: list[tuple[Value, ...]] = []
    for one in summary.runs:
        values = sorted(margins_of(one)) if one.calibration is None and one.solver.role == "model" else []
        if values:
            points = [values[round(share * (len(values) - 1))] for share in _SHARES]
            above = sum(value > 0 for value in values)
            rows.append(
                (summary.brief(one.solver), one.column.label, len(values), above, *(_plain(point) for point in points))
            )
    heads = ("solver", "collection", "n", "above 0", "lowest", "lower quarter", "median", "upper quarter", "highest")
    return (
        Table("margins", "Score of the answer minus that of the other candidate", heads, tuple(rows)) if rows else None
    )


def gaps_table(summary: Summary) -> Table | None:
    """Abstentions, fallbacks and windows, counted; columns with only zeros are left out."""
    rows: list[tuple[Value, ...]] = []
    for one in summary.runs:
        gaps = one.gaps
        why = "; ".join(f"{reason}: {count}" for reason, count in gaps.reasons.items())
        windows = [gaps.windows.get(name, 0) for name in _WINDOWS]
        counts: list[Value] = [
            gaps.items,
            gaps.missing,
            gaps.abstained,
            why,
            gaps.fallback,
            *windows,
            gaps.late_windows,
            gaps.skipped,
        ]
        rows.append((summary.brief(one.solver), one.column.label, *counts, _percent(gaps.unknown_tokens)))
    heads = ("solver", "collection", "items", "not asked", "abstained", "why", "fallback", *_WINDOWS.values())
    heads += ("window begins late", "characters skipped", "unknown tokens, %")
    kept = [at for at in range(len(heads)) if at < 3 or any(_holds(row[at]) for row in rows)]
    if len(kept) == 3:
        return None
    body = tuple(tuple(row[at] for at in kept) for row in rows)
    return Table("gaps", "What could not be asked as intended, items", tuple(heads[at] for at in kept), body)


def across_table(summary: Summary) -> Table | None:
    """Comparisons between collections, paired by translation or by shared items."""
    rows = tuple(
        (
            " against ".join(dict.fromkeys(summary.brief(side.solver) for side in (one.first, one.second))),
            one.first.column.label,
            one.second.column.label,
            one.comparison.difference,
            one.comparison.items,
            _p(one.comparison.corrected_p),
            _outcome(one),
        )
        for one in summary.compared
        if one.first.column is not one.second.column
    )
    heads = ("solver", "first", "second", "difference", "pairs", "corrected p", "outcome")
    caption = "Between two collections: difference in points, paired by translation or by shared items"
    return Table("across", caption, heads, rows, "points") if rows else None


def table_files(
    summary: Summary, figures: Sequence[Figure], tables: Sequence[Table], formats: Sequence[str]
) -> dict[str, Callable[[], str]]:
    """By file name, what writes each table in each format; CSV is one file of estimates and one of comparisons."""
    made: dict[str, Callable[[], str]] = {}
    every = [*(table for figure in figures for table in figure_tables(figure)), *tables]
    for table in every:
        for wanted in formats:
            if wanted in _SUFFIXES:
                made[f"{table.name}.{_SUFFIXES[wanted]}"] = getattr(table, wanted)
    if "csv" in formats:
        made["estimates.csv"] = lambda: _csv(estimate_rows(summary))
        made["comparisons.csv"] = lambda: _csv(comparison_rows(summary))
    return made


def estimate_rows(summary: Summary) -> Iterator[dict[str, Any]]:
    """Every estimate of the report in long form: one row each, values as shares of 1."""
    for one in summary.runs:
        yield _estimate_row(
            one, "accuracy", one.accuracy, chance=one.guess, abstained=one.accuracy.abstained, **_tests(one)
        )
        if one.accuracy.abstained:
            yield _estimate_row(one, "accuracy-with-guesses", one.guesses, chance=one.guess, **_tests(one))
        for name, found in one.metrics.items():
            yield _estimate_row(one, name, found)
        for kind, measures in one.kinds.items():
            for name, found in measures.items():
                yield _estimate_row(one, name, found, kind=kind)
        for subset, part in one.subsets.items():
            yield _estimate_row(
                one, "accuracy", part, subset=subset, chance=one.column.chance, abstained=part.abstained
            )
        if one.calibration is not None:
            measures = {"error": one.calibration.error, "overconfidence": one.calibration.overconfidence}
            for name, found in {**measures, "slope": one.calibration.fit.slope}.items():
                yield _estimate_row(one, f"calibration-{name}", found)


def comparison_rows(summary: Summary) -> Iterator[dict[str, Any]]:
    """Every comparison, and every pair that could not be compared, with the reason."""
    for one in summary.compared:
        made = one.comparison
        yield {
            **_sides(one.first, one.second),
            "difference": made.difference.value,
            "low": made.difference.low,
            "high": made.difference.high,
            "n": made.items,
            "method": made.difference.method,
            "p": made.test.value,
            "corrected_p": made.corrected_p,
            "detectable": made.detectable,
            "outcome": _outcome(one),
        }
    for first, second, why in summary.refused:
        yield {**_sides(first, second), **dict.fromkeys(("difference", "low", "high", "n", "method")), "p": None} | {
            "corrected_p": None,
            "detectable": None,
            "outcome": f"not compared: {why}",
        }


def _estimate_row(one: RunSummary, metric: str, found: Estimate, **more: Any) -> dict[str, Any]:
    settings = one.run.settings
    row = {
        "collection": one.column.source.name,
        "version": one.column.source.version,
        "language": one.column.source.language,
        "solver": one.solver.name,
        "role": one.solver.role,
        "scoring": settings.scoring,
        "readings": settings.readings,
        "settings": one.solver.more,
        "metric": metric,
        "kind": "",
        "subset": "",
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "n": found.n,
        "method": found.method,
        "chance": None,
        "abstained": None,
        "p": None,
        "corrected_p": None,
    }
    return row | more


def _tests(one: RunSummary) -> dict[str, float | None]:
    return {"p": one.chance.value if one.chance else None, "corrected_p": one.corrected_p}


def _sides(first: RunSummary, second: RunSummary) -> dict[str, str]:
    return {
        "first": first.solver.label,
        "first_collection": first.column.label,
        "second": second.solver.label,
        "second_collection": second.column.label,
    }


def _outcome(one: Compared) -> str:
    if not one.comparison.is_distinguishable:
        return "no significant difference"
    return "significant, mostly by abstaining" if one.is_by_abstaining else "significant"


def as_csv(rows: Sequence[Mapping[str, Any]], columns: Sequence[str]) -> str:
    """A CSV file with these columns, one line per row."""
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return file.getvalue()


def _csv(rows: Iterator[Mapping[str, Any]]) -> str:
    found = list(rows)
    return as_csv(found, list(found[0]) if found else ["first", "second"])


def _percent(share: float | None) -> Number | None:
    return None if share is None else Number(share, f"{100 * share:.1f}")


def _plain(value: float) -> Number:
    return Number(value, number(value, "plain"))


def _p(p: float) -> Number:
    return Number(p, "< 0.001" if p < 0.001 else f"{p:.3f}")


def _holds(cell: Value) -> bool:
    return bool(cell.value if isinstance(cell, Number) else cell)


def _markdown(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _latex(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in " ".join(text.split()))


def sources_table(summary: Summary) -> Table:
    """What was evaluated, with hashes."""
    rows = []
    for column in summary.columns:
        source = column.source
        kinds = dict.fromkeys(one.kind for one in column.variants)
        hashes = "; ".join(f"{kind} {source.kind_hash(kind)[:8]}" for kind in kinds)
        licence = getattr(source, "licence", "") or ""
        rows.append(
            (
                f"{source.name} {source.version}".strip(),
                column.label,
                source.hash[:8],
                hashes,
                len(column.examples),
                licence,
            )
        )
    heads = (
        "collection",
        "language" if summary.columns[0].is_language else "column",
        "originals",
        "variants",
        "items",
        "licence",
    )
    kept = [at for at in range(len(heads)) if at in {0, 2, 4} or any(row[at] for row in rows)]
    body = tuple(tuple(row[at] for at in kept) for row in rows)
    return Table(
        "sources", f"What was evaluated: {counted(len(rows), 'collection')}", tuple(heads[at] for at in kept), body
    )
