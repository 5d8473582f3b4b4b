"""One self-contained HTML page from a summary: styles, script, figures and items inside, nothing fetched."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.report import findings, plots, sections
from winoglot.report.findings import rendered
from winoglot.report.items import items_data, packed, reading_example
from winoglot.report.reproduce import commands, unbundled
from winoglot.report.summary import Summary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.figure import Figure
    from winoglot.report.plots import Plot
    from winoglot.report.tables import Table
    from winoglot.runs.run import Run

_LARGEST = 2_000_000  # characters of items inside the page; more go into a file beside it
_LONGEST_LINE = 96  # of a command
_MOST_ROWS = 20  # of a matrix: more cannot be read
_SECTIONS = {  # by id: the topic, and what is shown, of which something must be there
    "accuracy": ("Accuracy", {"tests"}),
    "robustness": ("Pairs and consistency", {"robustness", "choices"}),
    "metrics": ("Other metrics", {"metrics"}),
    "perturbations": ("Perturbations", {"perturbations"}),
    "preference": ("Preference for a mention", {"preference"}),
    "subsets": ("Subsets", {"subsets"}),
    "readings": ("Readings", {"readings"}),
    "people": ("People and models", {"people"}),
    "differences": ("Which solvers differ", {"differences"}),
    "margins": ("Margins and calibration", {"calibration", "margins", "gaps"}),
    "training": ("Training", {"training"}),
    "items": ("Items", {"sources"}),
    "reproduce": ("How to reproduce", {"sources"}),
}


@dataclass(frozen=True)
class Contents:
    """What a report shows, by name: figures, drawings and tables, made when they are first asked for."""

    summary: Summary

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """Those that are tables of estimates."""
        made = [make(self.summary) for make in sections.FIGURES]
        return {one.name: one for one in (*made, *sections.other_metrics(self.summary)) if one is not None}

    @cached_property
    def plots(self) -> dict[str, Plot]:
        """The drawings that are not tables."""
        return {one.name: one for make in plots.PLOTS if (one := make(self.summary)) is not None}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """What has no figure."""
        return {one.name: one for make in sections.TABLES if (one := make(self.summary)) is not None}

    @cached_property
    def sections(self) -> list[tuple[str, str]]:
        """Id and topic of each section that has something to say, in order."""
        shown = {*self.figures, *self.plots, *self.tables, *["differences"] * (len(self.summary.runs) > 1)}
        return [(name, topic) for name, (topic, parts) in _SECTIONS.items() if parts & shown]


def pages(
    contents: Contents, name: str, *, title: str | None = None, runs: Sequence[Run] = (), human: Sequence[Run] = ()
) -> dict[str, str]:
    """The page and, if its items are too many for it, the file with them, by file name.

    `name` is that of the page; `runs` and `human` are what it is about, for the commands that reproduce it.
    """
    summary = contents.summary
    data = packed(items_data(summary))
    beside = f"{name.removesuffix('.html')}-items.js" if len(data) > _LARGEST else ""
    html = rendered(
        "page.html",
        contents=contents,
        summary=summary,
        title=title,
        findings=findings,
        found=findings.headline(summary),
        matrices=_matrices(summary),
        reading_example=reading_example,
        data=data,
        data_file=beside,
        commands=[_wrapped(line) for line in commands(runs, human, title, name)],
        unbundled=unbundled((*runs, *human)),
        versions=Counter(", ".join(f"{of} {n}" for of, n in one.run.made_with.items()) for one in summary.runs),
        version=__version__,
    )
    return {name: html} | ({beside: f'window.WINOGLOT_ITEMS="{data}"\n'} if beside else {})


def _matrices(summary: Summary) -> list[dict[str, Any]]:
    """For each column of the report, its solvers, and what is known of every two of them."""
    made: list[dict[str, Any]] = []
    for column in summary.columns:
        own = {
            (one.first.solver, one.second.solver): one
            for one in summary.compared
            if one.first.column is one.second.column is column
        }
        why = {(first.solver, second.solver): why for first, second, why in summary.refused if first.column is column}
        shown = {solver for pair in (*own, *why) for solver in pair}
        solvers = [one for one in summary.solvers if one in shown][:_MOST_ROWS]
        left_out = len(shown) - len(solvers)
        if len(solvers) > 1:
            made.append({"label": column.label, "solvers": solvers, "own": own, "why": why, "left_out": left_out})
    return made


def _wrapped(command: str) -> str:
    """A command on several lines, each short enough to be read, which can still be pasted as it is."""
    lines = [""]
    for part in re.split(r" (?=--|-o )", command):
        if lines[-1] and len(lines[-1]) + len(part) > _LONGEST_LINE:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1] else part
    return " \\\n  ".join(lines)
