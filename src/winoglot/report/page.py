"""One self-contained HTML page from a summary: styles, script, figures and items inside, nothing fetched."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.report import plots, sections, tables
from winoglot.report.again import commands, unbundled
from winoglot.report.figure import Figure, number, p_value
from winoglot.report.findings import (
    best_solver,
    clear_cells,
    environment,
    evidence,
    facts,
    headline,
    said,
    significant,
    template_text,
    title,
    verdict,
)
from winoglot.report.items import items_data, packed, reading_example
from winoglot.report.summary import FEW, Summary
from winoglot.schemas.model import Collection
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.columns import Column
    from winoglot.report.plots import Plot
    from winoglot.report.summary import Compared
    from winoglot.report.tables import Table
    from winoglot.runs.run import Run

_BREAKS = re.compile(r"([/:_])")
_LARGEST = 2_000_000  # characters of items inside the page; more go into a file beside it
_CITATION = "The Winoglot developers. Winoglot: Winograd schemas in any language, version {version}."
_REASONS = 6  # how many a reader still reads
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LONGEST_LINE = 96  # of a command
_MOST_ROWS = 20  # of a matrix: more cannot be read


@dataclass(frozen=True)
class Contents:
    """The sections of a report: its figures, drawings and tables, made when they are first asked for."""

    summary: Summary

    @cached_property
    def figures(self) -> dict[str, Figure]:
        """By name, those that have something to show."""
        summary = self.summary
        made = {
            "board": sections.leaderboard(summary),
            "tests": sections.chance_tests(summary),
            "robustness": sections.robustness(summary),
            "perturbations": sections.perturbations(summary),
            "preference": sections.preference(summary),
            "subsets": sections.subset_figure(summary),
            "readings": sections.reading_differences(summary),
            "people": sections.people(summary),
        }
        return {name: figure for name, figure in made.items() if figure is not None}

    @cached_property
    def metrics(self) -> list[Figure]:
        """Of metrics that no other section shows."""
        return sections.other_metrics(self.summary)

    @cached_property
    def plots(self) -> dict[str, Plot]:
        """By name, the drawings that are not tables."""
        makers = {"choices": plots.choices, "slopes": plots.slopes, "calibration": plots.calibration}
        makers |= {"margins": plots.margins, "training": plots.training}
        return {name: made for name, make in makers.items() if (made := make(self.summary)) is not None}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """By name, what has no figure."""
        makers = {"calibration": tables.calibration_table, "uncalibrated": tables.uncalibrated_table}
        makers |= {"across": tables.across_table, "gaps": tables.gaps_table, "sources": tables.sources_table}
        made = {name: make(self.summary) for name, make in makers.items()}
        return {name: table for name, table in made.items() if table is not None}

    @property
    def every_figure(self) -> list[Figure]:
        """All figures that are tables."""
        return [*self.figures.values(), *self.metrics]

    @cached_property
    def sections(self) -> list[tuple[str, str]]:
        """Id and topic of each section that has something to say, in order."""
        has = {
            "accuracy": "tests" in self.figures,
            "robustness": "robustness" in self.figures or "choices" in self.plots,
            "metrics": bool(self.metrics),
            "perturbations": "perturbations" in self.figures,
            "preference": "preference" in self.figures,
            "subsets": "subsets" in self.figures,
            "readings": "readings" in self.figures,
            "people": "people" in self.figures,
            "differences": len(self.summary.runs) > 1,
            "margins": bool({"calibration", "uncalibrated", "gaps"} & self.tables.keys()),
            "training": "training" in self.plots,
            "items": True,
            "reproduce": True,
        }
        return [(name, topic) for name, topic in _TOPICS.items() if has[name]]


_TOPICS = {
    "accuracy": "Accuracy",
    "robustness": "Pairs and consistency",
    "metrics": "Other metrics",
    "perturbations": "Perturbations",
    "preference": "Preference for a mention",
    "subsets": "Subsets",
    "readings": "Readings",
    "people": "People and models",
    "differences": "Which solvers differ",
    "margins": "Margins and calibration",
    "training": "Training",
    "items": "Items",
    "reproduce": "How to reproduce",
}


@dataclass(frozen=True)
class ReportPage:
    """The page, and the content of the file with its items if that is too large for the page."""

    html: str
    items: str | None


def render(
    contents: Contents,
    name: str,
    *,
    headline_above: str | None = None,
    runs: Sequence[Run] = (),
    human: Sequence[Run] = (),
) -> ReportPage:
    """The page; `name` is that of its file, `runs` and `human` what it is about, for the commands that reproduce it."""
    summary = contents.summary
    data = packed(items_data(summary))
    is_beside = len(data) > _LARGEST
    beside = f"{name.removesuffix('.html')}-items.js"
    pairs = [one for one in summary.compared if one.first.column is one.second.column]
    apart, silent = significant(summary.compared)
    sizes = [100 * one.comparison.detectable for one in summary.compared if one.comparison.detectable is not None]
    html: str = (
        environment(is_html=True)
        .get_template("page.html")
        .render(
            summary=summary,
            title=headline_above,
            verdict=verdict(summary),
            evidence=evidence(summary),
            facts=facts(summary),
            contents=contents.sections,
            titles={name: _title(name, contents) for name, _ in contents.sections},
            board=contents.figures["board"],
            figures=_Named(contents.figures | {"metrics": contents.metrics}),
            plots=_Named(contents.plots),
            tables=_Named(contents.tables),
            roles=_Named({one.role: True for one in summary.solvers}),
            chance=_chance(summary),
            has_few=any(cell.is_few for cell in contents.figures["board"].cells),
            few=FEW,
            cautions=cautions(summary),
            rivals=headline(summary).rivals,
            detectable=f"{min(sizes):.0f} to {max(sizes):.0f}" if sizes else "",
            clear_few=clear_cells(contents.figures["subsets"])[2] if "subsets" in contents.figures else 0,
            example=reading_example(summary) if "readings" in contents.figures else None,
            fallbacks=_fallbacks(summary),
            has_windows=any(one.run.settings.scoring == "partial" for one in summary.runs),
            matrix=_matrix(summary, pairs),
            compared=len(summary.compared),
            apart=apart,
            silent=silent,
            data=data,
            data_file=beside if is_beside else "",
            commands=[_wrapped(line) for line in commands(runs, human, headline_above, name)],
            unbundled=unbundled((*runs, *human)),
            signatures=list(dict.fromkeys(one.run.signature for one in summary.runs)),
            prints=_prints(summary),
            versions=_versions(summary),
            statistics=_statistics(summary),
            citations=_citations(summary),
            made_of=list(
                dict.fromkeys(f"{column.source.name} {column.source.version}".strip() for column in summary.columns)
            ),
            version=__version__,
            style=environment(is_html=False).get_template("style.css").render(columns=len(summary.columns)),
            script=template_text("script.js"),
            breakable=_breakable,
        )
    )
    return ReportPage(html, f'window.WINOGLOT_ITEMS="{data}"\n' if is_beside else None)


class _Named(dict[str, Any]):
    """A mapping whose missing names are None, so that a template can ask for what is not there."""

    def __missing__(self, name: str) -> None:
        return None


def _title(section: str, contents: Contents) -> str:
    summary, figures = contents.summary, contents.figures
    if section in {"perturbations", "preference", "subsets"}:
        return title(section, summary, clear=clear_cells(figures[section]))
    if section == "robustness":
        best = best_solver(summary)
        own = [one.choices for one in summary.runs if one.solver == best and one.choices.n]
        shares, right = (sorted(round(100 * getattr(one, part) / one.n) for one in own) for part in ("same", "right"))
        return title(section, summary, solver=best, shares=shares, right=right)
    if section == "readings":
        pairs = [one for one in summary.compared if one.is_of_readings]
        largest = max(abs(one.comparison.difference.value or 0.0) for one in pairs)
        return title(section, summary, apart=significant(pairs)[0], total=len(pairs), largest=f"{100 * largest:.1f}")
    if section == "people":
        people = [one for one in summary.runs if one.is_human and one.accuracy.value is not None]
        names = dict.fromkeys(one.name for one in summary.solvers if one.role == "model")
        best_of = {best_solver(summary, name) for name in names}
        models = [one for one in summary.runs if one.solver in best_of and one.accuracy.value is not None]
        return title(section, summary, people=people, models=models)
    if section == "differences":
        apart, silent = significant(summary.compared)
        return title(section, summary, apart=apart, silent=silent, total=len(summary.compared))
    if section == "margins":
        fits = [one.calibration.fit.slope for one in summary.runs if one.calibration is not None]
        known = [one for one in fits if one.low is not None]
        return title(section, summary, clear=sum((one.low or 0.0) > 0 for one in known), total=len(known))
    if section == "accuracy":
        return title(section, summary)
    return {
        "metrics": "Further measures of the same answers",
        "training": "How the models were trained",
        "items": "Every item, every solver",
        "reproduce": "These commands rebuild this page",
    }[section]


def cautions(summary: Summary) -> list[str]:
    """What the reader must know before comparing rows or columns, the most serious first; often nothing."""
    found = []
    versions: dict[tuple[str, str], list[Column]] = defaultdict(list)
    for column in summary.columns:
        versions[column.source.name, column.source.language].append(column)
    for (name, _), own in versions.items():
        if len(own) > 1:
            found.append(said("caution_versions", name, [column.label for column in own]))
    for column in summary.columns:
        short = [one for one in summary.of(column) if one.gaps.missing]
        if short:
            found.append(said("caution_coverage", column, short))
    asked = [one for one in summary.runs if one.solver.role == "model"]
    if len({one.run.settings.model for one in asked}) > 1:
        ways = {
            "scoring": dict.fromkeys(one.run.settings.scoring for one in asked),
            "readings": dict.fromkeys(one.run.settings.readings for one in asked if one.column.items),
        }
        found += [said("caution_ways", what, list(names)) for what, names in ways.items() if len(names) > 1]
    ties = sorted({one.run.settings.tolerance for one in summary.runs})
    if len(ties) > 1:
        found.append(said("caution_ties", [f"{tie:g}" for tie in ties]))
    made_with = sorted({one.run.made_with.get("winoglot", "unknown") for one in summary.runs})
    if len(made_with) > 1:
        found.append(said("caution_software", made_with))
    reasons = Counter(why for _, _, why in summary.refused)
    if reasons:
        shown = [why for why, _ in reasons.most_common(_REASONS)]
        found.append(said("caution_refused", sum(reasons.values()), shown, len(reasons) - len(shown)))
    few = [column.label for column in summary.columns if len(column.examples) < FEW]
    if few:
        found.append(said("caution_few", few, FEW))
    return found


@dataclass(frozen=True)
class _Matrix:
    panels: list[dict[str, Any]]
    has_few: bool
    left_out: int  # solvers that no longer fit


def _matrix(summary: Summary, pairs: Sequence[Compared]) -> _Matrix:
    """For each column of the report, every solver against every one above it."""
    panels: list[dict[str, Any]] = []
    left_out = 0
    for column in summary.columns:
        own = {(one.first.solver, one.second.solver): one for one in pairs if one.first.column is column}
        why = {(first.solver, second.solver): why for first, second, why in summary.refused if first.column is column}
        shown = {solver for pair in (*own, *why) for solver in pair}
        solvers = [one for one in summary.solvers if one in shown][:_MOST_ROWS]
        left_out = max(left_out, len(shown) - len(solvers))
        if len(solvers) < 2:
            continue
        rows = []
        for place, row in enumerate(solvers):
            cells = []
            for other_place, other in enumerate(solvers[:-1]):
                if other_place >= place:
                    cells.append({"kind": "e", "text": ""})
                    continue
                cells.append(
                    _difference(
                        own.get((row, other)), own.get((other, row)), why.get((row, other)) or why.get((other, row))
                    )
                )
            rows.append({"letter": _LETTERS[place], "label": summary.brief(row), "cells": cells})
        panels.append({"label": column.label, "rows": rows})
    has_few = any("little" in cell["kind"] for panel in panels for row in panel["rows"] for cell in row["cells"])
    return _Matrix(panels, has_few, left_out)


def _difference(own: Compared | None, turned: Compared | None, refused: str | None) -> dict[str, Any]:
    one = own or turned
    if one is None or one.comparison.difference.value is None:
        return {"kind": "no", "text": "–", "title": refused or "not compared: they differ in several respects"}
    made, sign = one.comparison.difference, 1 if own else -1
    value, low, high = made.value or 0.0, made.low or 0.0, made.high or 0.0
    low, high = (low, high) if own else (-high, -low)
    kind = "no-difference"
    if one.comparison.is_distinguishable:
        kind = "little" if made.n < FEW else "abs" if one.is_by_abstaining else "yes"
    text = number(sign * value, "points")
    told = f"{text} points, 95% interval {number(low, 'points')} to {number(high, 'points')}, n = {made.n}"
    return {
        "kind": kind,
        "text": text,
        "low": f"{100 * low:.1f}",
        "high": f"{100 * high:.1f}",
        "title": f"{told}, corrected {p_value(one.comparison.corrected_p)}",
    }


def _chance(summary: Summary) -> str:
    levels = sorted({round(100 * column.chance, 1) for column in summary.columns if column.chance is not None})
    told = [f"{level:g}%" for level in levels]
    return told[0] if len(told) == 1 else f"{told[0]} to {told[-1]}" if told else ""


def _fallbacks(summary: Summary) -> str:
    used = [one for one in summary.runs if one.gaps.fallback and one.run.settings.readings == "grammatical"]
    most = max((one.gaps.fallback for one in used), default=0)
    return said("fallbacks", most)


def _prints(summary: Summary) -> list[tuple[str, str, str]]:
    found: dict[tuple[str, str, str], None] = {}
    for one in summary.runs:
        settings = one.run.settings
        told = ", ".join(f"{name} {value}" for name, value in settings.model_settings.items())
        found[settings.model, settings.fingerprint[:8], told] = None
    return list(found)


def _versions(summary: Summary) -> list[str]:
    made = Counter(", ".join(f"{name} {value}" for name, value in one.run.made_with.items()) for one in summary.runs)
    return [f"{versions or 'not recorded'} ({counted(count, 'run')})" for versions, count in made.items()]


def _statistics(summary: Summary) -> str:
    methods = dict.fromkeys(
        one.accuracy.method.partition(";")[0] for one in summary.runs if one.accuracy.value is not None
    )
    shown = list(methods)[:_REASONS]
    return said("statistics", shown, len(methods) - len(shown), summary)


def _citations(summary: Summary) -> list[str]:
    found = [_CITATION.format(version=__version__)]
    for column in summary.columns:
        one = column.source
        parts = [f"{one.name} {one.version}".rstrip() + (f" ({one.language})" if one.language else "")]
        if isinstance(one, Collection):
            parts += [one.citation or "", one.licence or ""]
        found.append(". ".join(part.rstrip(".") for part in parts if part) + ".")
    return found


def _wrapped(command: str) -> str:
    """A command on several lines, each short enough to be read, which can still be pasted as it is."""
    lines = [""]
    for part in re.split(r" (?=--|-o )", command):
        if lines[-1] and len(lines[-1]) + len(part) > _LONGEST_LINE:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1] else part
    return " \\\n  ".join(lines)


def _breakable(name: object) -> Any:
    """A name that a narrow column may break after a slash, a colon or an underscore."""
    from markupsafe import Markup, escape

    return Markup(_BREAKS.sub(r"\1<wbr>", str(escape(name))))
