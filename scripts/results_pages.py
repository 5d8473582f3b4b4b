"""Make docs/results from what was measured: `python scripts/results_pages.py`.

Read are the files in `results/`, published figures in `replicate/`, and the reference runs in the package. Sentences
are filled from rows, so that no digit of a result is typed; words and templates are in `scripts/results/`.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

import winoglot as wg
from winoglot.files import as_csv
from winoglot.metrics.base import guessing
from winoglot.report.columns import Column, columns, language_name
from winoglot.report.figure import Cell, Figure, Group, Row, axis_of
from winoglot.report.ranking import Gap, every_gap, ranking
from winoglot.report.rendering import environment, listed
from winoglot.report.solvers import Role, SolverRow, solvers_of
from winoglot.report.summary import Accuracy, RunSummary
from winoglot.runs.comparing import ALPHA
from winoglot.runs.references import references_beside, stored_references
from winoglot.statistics.formatting import Scale, interval, number, points
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[1]
RESULTS, REPLICATE, PAGES = ROOT / "results", ROOT / "replicate", ROOT / "docs" / "results"
HERE = Path(__file__).parent / "results"
SCALES: dict[str, Scale] = {"%": "percent", "points": "points"}
MOST_ON_A_CARD = 5  # rows
NUMBERS = {"value", "low", "high", "n", "method", "p", "p_holm", "unit"}
NOT_SHOWN = NUMBERS | {"finding", "role", "experiment"}  # columns of findings.csv that a folded table leaves out
BOARD = ("model", "kind", "rank", "collection", "accuracy", "low", "high", "n", "abstained", "date")


@dataclass(frozen=True)
class Finding:
    """A row of findings.csv, or of another file whose rows have a value: its columns, and its numbers."""

    columns: Mapping[str, str]
    estimate: Estimate
    p: float | None = None
    p_holm: float | None = None

    def __getattr__(self, name: str) -> str:
        """A column."""
        try:
            return self.columns[name]
        except KeyError as error:
            raise AttributeError(name) from error

    @property
    def scale(self) -> Scale:
        """How its value is written."""
        return SCALES.get(self.columns["unit"], "plain")

    @property
    def is_published(self) -> bool:
        """Whether it is a number from a paper, which has no interval here."""
        return not self.columns["low"]

    @property
    def is_significant(self) -> bool:
        """Whether its test is significant after correction."""
        return self.p_holm is not None and self.p_holm <= ALPHA

    @property
    def value(self) -> str:
        """Its value, as it is read."""
        return number(self.estimate.value or 0.0, self.scale)

    @property
    def size(self) -> str:
        """How large a difference is, in words."""
        value = self.estimate.value or 0.0
        return points(abs(value)) if self.scale == "points" else number(abs(value), self.scale)

    @property
    def limits(self) -> str:
        """Its interval, as it is read."""
        return interval(self.estimate, self.scale)

    @property
    def size_limits(self) -> str:
        """The interval of its size, whatever the direction of the difference."""
        value, low, high = ((number or 0.0) for number in (self.estimate.value, self.estimate.low, self.estimate.high))
        limits = (low, high) if value >= 0 else (-high, -low)
        scale: Scale = "plain" if self.scale == "plain" else "percent"
        return interval(replace(self.estimate, low=limits[0], high=limits[1]), scale)


Labelled = tuple[str, str, Finding]  # the title of a group in a figure, what the row is called there, and the row


def read_rows(path: Path, **fixed: str) -> list[Finding]:
    """The rows of a CSV file that have a value; lines that begin with `#` say how the file came about."""
    if not path.exists():
        return []
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    rows = []
    for columns_of in csv.DictReader(lines):
        if columns_of["value"]:
            value = float(columns_of["value"])
            low, high = (float(columns_of[name] or value) for name in ("low", "high"))  # a published value has none
            estimate = Estimate(value, low, high, int(columns_of.get("n") or 0), columns_of.get("method") or "")
            p, p_holm = (float(columns_of[name]) if columns_of.get(name) else None for name in ("p", "p_holm"))
            rows.append(Finding(fixed | columns_of, estimate, p, p_holm))
    return rows


@cache
def words() -> Any:
    """What is written by hand: pages.yaml."""
    return yaml.safe_load((HERE / "pages.yaml").read_text(encoding="utf-8"))


def rendered(template: str, **values: Any) -> str:
    """A template of `scripts/results`, filled in."""
    made = environment(HERE, is_html=True).get_template(template).render(**values, without=NOT_SHOWN)
    return made.replace("&#39;", "'").replace("&#34;", '"').strip() + "\n"


def said(finding: str, row: Finding) -> str:
    """The sentence of a finding, filled from its primary row."""
    module = environment(HERE, is_html=False).get_template("sentences.txt").module
    return " ".join(getattr(module, finding)(row).split())


# Findings


def label_of(row: Finding, names: Sequence[str], before: str = "") -> str:
    """What a row is called in a figure: the values of these columns, languages by name."""
    values = [_languages(row.columns[name]) if name == "language" else _named(row.columns[name]) for name in names]
    return before + ", ".join(dict.fromkeys(filter(None, values)))


def _named(value: str) -> str:
    plain = _without_regions(value)
    for pattern, name in words()["rewritten"].items():
        if match := re.fullmatch(pattern, plain):
            return match.expand(name)
    return words()["names"].get(plain, plain)


def _without_regions(text: str) -> str:
    """Tags of languages as pages.yaml has them: `pt` for `pt-BR`."""
    return re.sub(r"(?<=\b[a-z]{2})-[A-Z]{2}\b", "", text)


def _languages(tags: str) -> str:
    return " and ".join(map(language_name, _without_regions(tags).split("+")))


def matches(row: Finding, where: Mapping[str, Any]) -> bool:
    """Whether a row has these values, each a pattern or one of several."""
    return all(
        any(
            fnmatchcase(_without_regions(row.columns[name]), pattern)
            for pattern in ([value] if isinstance(value, str) else value)
        )
        for name, value in where.items()
    )


def role_of(row: Finding) -> Role:
    """How a row is coloured: published figures as people are."""
    if row.is_published:
        return "people"
    return "baseline" if row.columns["model"] in words()["baselines"] else "model"


def level_of(row: Finding) -> float | None:
    """What guessing gives, or no difference."""
    return words()["levels"].get(row.columns["metric"]) if row.scale == "percent" else 0.0


def selected(rows: Sequence[Finding], figure: Mapping[str, Any]) -> list[Labelled]:
    """The rows that a figure of pages.yaml selects, with the title of their group and a label, in the file's order."""
    return [
        (group.get("title", ""), label_of(row, group["label"], group.get("before", "")), row)
        for group in figure["groups"]
        for row in rows
        if matches(row, group["where"])
    ]


def alike(some: Sequence[Labelled], others: Sequence[Labelled]) -> bool:
    """Whether one figure can show both: their unit is the same."""
    return {row.scale for _, _, row in some} <= {row.scale for _, _, row in others}


def drawn(rows: Sequence[Labelled], name: str) -> Figure:
    """A figure of rows of one unit, each with the title of its group and its label."""
    if not rows or not alike(rows, rows[:1]):
        raise ValueError(f"the figure {name} needs rows of one unit: change what pages.yaml selects")
    groups: dict[str, list[Row]] = {}
    for group, label, row in rows:
        cell = Cell(row.estimate, level_of(row), p=row.p_holm, is_significant=row.is_significant)
        groups.setdefault(group, []).append(Row((label,), (cell,), role_of(row)))
    parts = tuple(Group(tuple(of_group), group) for group, of_group in groups.items())
    every, scale = [row for part in parts for row in part.rows], rows[0][2].scale
    return Figure(name, "", "", ("",), ("",), parts, axis_of(every, scale), scale, is_tested=True)


def question_pages(plan: Mapping[str, Any], rows: Sequence[Finding]) -> tuple[dict[str, str], list[dict[str, Any]]]:
    """A page for each finding of the plan, and what their cards need."""
    pages, cards = {}, []
    for declared in plan["findings"]:
        name, text = declared["id"], words()["findings"][declared["id"]]
        own = [row for row in rows if row.columns["finding"] == name]
        primary = [row for row in own if row.columns["role"] == "primary"]
        if len(primary) > 1:
            raise ValueError(f"results/findings.csv: {name} has {len(primary)} primary rows with a value; expected one")
        page: dict[str, Any] = {"declared": declared, "text": text, "row": None, "rows": own, "name": name}
        others = [row for row in own if row.columns["role"] != "primary"]
        if not primary:
            page["figures"] = question_figures(name, [], others, text["figures"]) if others else []
        else:
            first = ("", label_of(primary[0], text.get("label", ["label"])), primary[0])
            few = selected(others, text["card"])[:MOST_ON_A_CARD]
            leads = alike(few, [first])  # if not, the sentence alone has the primary value
            page |= {
                "row": primary[0],
                "sentence": said(name, primary[0]),
                "figures": question_figures(name, [first], others, text["figures"]),
                "leads": leads,
                "card": drawn([first, *few] if leads else few, f"{name}-card"),
            }
        cards.append(page)
        pages[f"{name}.md"] = rendered("finding.md", **page)
    return pages, cards


def question_figures(
    name: str, primary: Sequence[Labelled], others: Sequence[Finding], declared: Sequence[Mapping[str, Any]]
) -> list[tuple[str, Figure]]:
    """Figures with their titles. The first has the primary row, if any, and, with the same unit, the first others."""
    figures = [("", [row]) for row in primary]
    for figure in declared:
        title, chosen = figure["title"], selected(others, figure)
        if not chosen:
            print(f"{name}: no row of findings.csv belongs to the figure {title!r}", file=sys.stderr)
        elif primary and len(figures) == len(figures[0][1]) == 1 and alike(chosen, primary):
            figures[0][1].extend((f"{group or title} (exploratory)", label, row) for group, label, row in chosen)
        else:
            figures.append((title, chosen))
    return [(title, drawn(chosen, f"{name}-{title}")) for title, chosen in figures]


# The leaderboard


def board_runs() -> list[RunSummary]:
    """Every reference run on originals, without what only a report of one model needs.

    They are asked for beside runs that guess, which have no variants: deriving these would take most of the time.
    Guessing itself has no row, but a line.
    """
    names = sorted({stored["collection"] for stored in stored_references()})
    guesses = [wg.evaluate(wg.load(name), "chance", progress=False) for name in names]
    runs = references_beside(guesses)
    places_of, places = columns(runs)
    solvers = solvers_of(runs, [False] * len(runs), places)
    return [
        RunSummary(
            run=run,
            solver=solver,
            column=places_of[place],
            accuracy=Accuracy.of(run),
            guesses=Accuracy.of(run),
            metrics={},
            kinds={},
            subsets={},
            calibration=None,
            guess=guessing([outcome.example for outcome in run.outcomes()]),
        )
        for run, solver, place in zip(runs, solvers, places, strict=True)
    ]


@dataclass(frozen=True)
class Line:
    """A row of the leaderboard: who, the rank, the mean and each language, None where it was not asked."""

    solver: SolverRow
    rank: str
    cells: tuple[Cell | None, ...]
    date: str


def board() -> dict[str, Any]:
    """What the leaderboard shows."""
    runs = board_runs()
    every: list[Column] = list({run.column.key: run.column for run in runs}.values())
    order = words()["languages"]
    every.sort(key=lambda column: order.index(column.source.language.partition("-")[0]))
    places = ranking(runs, every)
    gaps = every_gap(runs, every)
    cells = {(run.solver, run.column.key): run for run in runs}
    dates = {run.solver: run.run.reference.date for run in runs if run.run.reference}
    ranked = {place.solver: place for place in (*places.places, *places.others)}
    behind = places.behind if places.places else frozenset()
    lines = []
    for solver in [*ranked, *places.unranked]:
        place = ranked.get(solver)
        mean = place and Cell(place.mean, place.chance, is_top=bool(place.best) and solver not in behind)
        own = [cells.get((solver, column.key)) for column in every]
        shown = [run and Cell(run.accuracy, run.guess, is_top=(solver, run.column.key) in places.tops) for run in own]
        lines.append(Line(solver, place.rank if place else "", (mean, *shown), dates[solver]))
    rows = [Row((line.solver.name,), line.cells, line.solver.role) for line in lines]
    names = [language_name(column.source.language.partition("-")[0]) for column in every]
    return {
        "lines": lines,
        "columns": ["Mean", *names],
        "axis": axis_of(rows),
        "ranking": places,
        "best": list(_best(lines, names)),
        "pairs": _pairs(gaps, every, lines),
        "missing": max((run.run.reference.missing for run in runs if run.run.reference), default=0),
        "csv": _board_csv(lines, ["mean", *(column.source.name for column in every)]),
    }


def _best(lines: Sequence[Line], names: Sequence[str]) -> Iterator[dict[str, Any]]:
    """In each language the highest ranked model, and those not significantly below it."""
    ranked = [line for line in lines if line.rank]
    for at, name in enumerate(names, 1):
        shown = [line for line in ranked if (cell := line.cells[at]) is not None and cell.estimate.value is not None]
        shown.sort(key=lambda line: -((line.cells[at] or _nothing()).estimate.value or 0.0))
        if shown:
            tied = [line.solver.name for line in shown[1:] if (cell := line.cells[at]) and cell.is_top]
            yield {"language": name, "first": shown[0].solver.name, "cell": shown[0].cells[at], "tied": listed(tied)}


def _nothing() -> Cell:
    return Cell(Estimate.undefined("not asked"))


def _pairs(
    gaps: Mapping[str, Sequence[Gap]], every: Sequence[Column], lines: Sequence[Line]
) -> list[tuple[int, int, list[Gap | None]]]:
    """For every two lines the difference of the first minus the second: of the mean, then in each language."""
    found = {(key, gap.first, gap.second): gap for key, of_column in gaps.items() for gap in of_column}
    found |= {(key, second, first): gap.turned for (key, first, second), gap in list(found.items())}
    keys = ["", *(column.key for column in every)]
    pairs = []
    for first, line in enumerate(lines):
        for second in range(first + 1, len(lines)):
            pairs.append((first, second, [found.get((key, line.solver, lines[second].solver)) for key in keys]))
    return pairs


def _board_csv(lines: Sequence[Line], names: Sequence[str]) -> str:
    rows: list[dict[str, object]] = []
    for line in lines:
        for name, cell in zip(names, line.cells, strict=True):
            if cell is not None:
                estimate = cell.estimate
                numbers = (estimate.value, estimate.low, estimate.high, estimate.n, cell.abstained)
                about = (line.solver.name, line.solver.role, line.rank, name, *numbers, line.date)
                rows.append(dict(zip(BOARD, about, strict=True)))
    return as_csv(rows, BOARD)


def public_tables() -> list[dict[str, Any]]:
    """For each public collection the accuracies on its originals, and what people are published to have answered."""
    accuracy = {"metric": "accuracy", "kind": "", "subset": "", "source": "measured"}
    measured = [row for row in read_rows(RESULTS / "reference.csv") if matches(row, accuracy)]
    tables = []
    for name in dict.fromkeys(row.columns["collection"] for row in measured):
        if name.startswith("winoglot-"):
            continue
        rows = [row for row in measured if row.columns["collection"] == name]
        rows.sort(key=lambda row: -(row.estimate.value or 0.0))
        people = {figure["label"]: figure for figure in published() if _is_of_people(figure, name)}
        tables.append({"name": words()["names"].get(name, name), "rows": rows, "people": list(people.values())})
    return tables


def _is_of_people(figure: Mapping[str, Any], collection: str) -> bool:
    is_accuracy = figure.get("metric", "accuracy") == "accuracy" and not figure.get("kind")
    return is_accuracy and figure.get("collection") == collection and figure["label"].startswith("People")


# What was published


@cache
def published() -> list[dict[str, Any]]:
    """Every published figure that a file in `replicate/` names."""
    figures: dict[str, dict[str, Any]] = {}  # a figure that two files name is listed once
    for path in sorted(REPLICATE.glob("*.yaml")):
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
        for figure in content.get("published") or ():
            complete = {"source": content.get("source", "")} | figure
            figures.setdefault(str(sorted(complete.items(), key=str)), complete)
    return list(figures.values())


def published_page() -> str:
    """The index of published tables and figures."""
    papers = yaml.safe_load((RESULTS / "published.yaml").read_text(encoding="utf-8"))["papers"]
    for paper in papers:
        paper["figures"] = [figure for figure in published() if figure["source"].startswith(paper["source"])]
    return rendered("published.md", papers=papers)


# What was measured earlier


def earlier_page(name: str) -> str:
    """A page about rows that are not made again: a figure of some, all in a folded table."""
    text = words()["earlier"][name]
    rows = read_rows(RESULTS / f"{name}.csv", unit="%")
    figures = [
        (figure["title"], drawn(selected(rows, figure), f"{name}, {figure['title']}")) for figure in text["figures"]
    ]
    parts: dict[str, list[Finding]] = {}
    for row in rows:
        parts.setdefault(row.columns["part"], []).append(row)
    counts = {key: _above(rows, where) for key, where in text["counts"].items()}
    return rendered("earlier.md", text=text, figures=figures, parts=parts, counts=counts, name=name)


def _above(rows: Sequence[Finding], where: Mapping[str, Any]) -> dict[str, Any]:
    """Of the measured rows selected, how many intervals exclude one half, and the lowest and highest value."""
    chosen = [row.estimate for row in rows if matches(row, where) and row.columns["source"] == "measured"]
    values = [estimate.value or 0.0 for estimate in chosen]
    return {
        "all": len(chosen),
        "above": sum((estimate.low or 0.0) > 0.5 for estimate in chosen),
        "below": sum((estimate.high or 1.0) < 0.5 for estimate in chosen),
        "lowest": number(min(values), "percent"),
        "highest": number(max(values), "percent"),
    }


# All


def colours() -> dict[str, str]:
    """The colours of reports, light and dark, as declarations."""
    style = (ROOT / "src" / "winoglot" / "report" / "templates" / "style.css").read_text(encoding="utf-8")
    light, dark = style.split("@media screen and (prefers-color-scheme: dark)", 1)
    declared = {"light": light, "dark": dark.partition("@media")[0]}
    return {name: " ".join(re.findall(r"--[\w-]+: #[^;]+;", part)) for name, part in declared.items()}


def files() -> dict[Path, str]:
    """Every file of docs/results, by path."""
    plan = yaml.safe_load((RESULTS / "plan.yaml").read_text(encoding="utf-8"))
    pages, cards = question_pages(plan, read_rows(RESULTS / "findings.csv"))
    shown = board()
    tested = [card for card in cards if card["row"]]
    missing = [card for card in cards if not card["row"]]
    pages["index.md"] = rendered("index.md", cards=tested, missing=missing)
    pages["leaderboard.md"] = rendered("leaderboard.md", **shown, public=public_tables())
    pages["leaderboard.csv"] = shown["csv"]
    pages["published.md"] = published_page()
    pages |= {f"{name}.md": earlier_page(name) for name in words()["earlier"]}
    pages["results.css"] = environment(HERE, is_html=False).get_template("results.css").render(**colours())
    pages["leaderboard.js"] = (HERE / "leaderboard.js").read_text(encoding="utf-8")
    return {PAGES / name: text for name, text in pages.items()}


def main() -> None:
    """Write them, and remove what is no longer made."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    made = files()
    PAGES.mkdir(exist_ok=True)
    for path in PAGES.iterdir():
        if path not in made:
            path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
