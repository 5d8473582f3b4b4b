"""What is behind the choices: what could not be asked as intended, score margins, calibration."""

from __future__ import annotations

from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING

from winoglot.report import figures
from winoglot.report.rows import Coefficient, Margins, Reliability
from winoglot.report.section import Section
from winoglot.report.table import Cell, Number, Table, percent
from winoglot.report.tables import margin_table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.summary import RunSummary, Summary

_MOST_PANELS = 24  # of figures with one panel per run; the tables have all runs
_ALWAYS = ("solver", "collection", "items", "abstained")
_OF_READINGS = ("fallback", "undefined window")


def gaps(summary: Summary) -> Section:
    """Abstentions, fallbacks and windows, counted; columns with only zeros are left out, except the main ones."""
    rows: list[tuple[Cell, ...]] = [
        (
            one.solver,
            one.column.label,
            one.gaps.items,
            one.gaps.missing,
            one.gaps.abstained,
            "; ".join(f"{why}: {count}" for why, count in one.gaps.reasons.items()),
            one.gaps.fallback,
            one.gaps.undefined_window,
            one.gaps.punctuation_window,
            one.gaps.segment_before,
            one.gaps.late_window,
            one.gaps.skipped,
            percent(one.gaps.unknown_tokens),
        )
        for one in summary.runs
    ]
    head = (
        "solver",
        "collection",
        "items",
        "not asked",
        "abstained",
        "why",
        "fallback",
        "undefined window",
        "punctuation window",
        "segment before window",
        "window begins late",
        "characters skipped",
        "unknown tokens, percent",
    )
    always = (*_ALWAYS, *_OF_READINGS) if summary.has_schemas else _ALWAYS
    shown = [place for place, name in enumerate(head) if name in always or any(_holds(row[place]) for row in rows)]
    table = Table(
        "gaps",
        "What could not be asked as intended, number of items",
        tuple(head[place] for place in shown),
        tuple(tuple(row[place] for place in shown) for row in rows),
    )
    if not summary.has_schemas:
        silent = any(one.gaps.abstained or one.gaps.missing for one in summary.runs)
        lead = "How many items each solver did not answer, and why. Variants are not counted."
        return Section("gaps", "Abstentions", (lead,) if silent else (), tables=[table])
    lead = (
        "Partial scoring compares the text after the candidate in both readings, the window. If nothing follows, the "
        "score is undefined and the solver abstains; if only punctuation follows, or the deciding words come before "
        "it, the score is weak evidence. Counts are of original items."
    )
    if any(one.gaps.late_window for one in summary.runs):
        lead += (
            " A window begins late if no token boundary shared by both readings is at its start: the characters before "
            "the first shared boundary are skipped."
        )
    if any(one.gaps.unknown_tokens for one in summary.runs):
        lead += " To the model, all unknown tokens are the same."
    return Section("gaps", "Fallbacks and undefined windows", (lead,), tables=[table])


def _holds(cell: Cell) -> bool:
    return bool(cell.value if isinstance(cell, Number) else cell)


def calibration(summary: Summary) -> Section:
    """For runs whose scores are log probabilities; for others only the margins, in the unit of their scores."""
    runs = [(one, one.calibration) for one in summary.runs if one.calibration is not None]
    others = [one for one in summary.runs if one.calibration is None and not one.is_baseline and not one.is_human]
    lead, tables = _uncalibrated(others) if others else ([], [])
    if not runs:
        return Section("calibration", "Score margins and calibration", tuple(lead), tables=tables)
    rows = []
    for one, found in runs:
        slope = found.fit.slope
        rows.append(
            (
                one.solver,
                one.column.label,
                found.error,
                percent(found.noise),
                found.overconfidence,
                Coefficient(slope.value, slope.low, slope.high, slope.n, slope.method),
            )
        )
    margins = [Margins(one.solver, one.column.label, values) for one, _ in runs if (values := _margins(one))]
    reliable = [
        Reliability(
            one.solver,
            one.column.label,
            tuple((part.confidence, part.accuracy) for part in found.bins),
            found.error,
            found.noise,
        )
        for one, found in runs
        if found.error.value is not None
    ]
    lead = [
        "The margin is the score of the answer minus that of the other candidate; the confidence is the chosen "
        "share of the two probabilities. A calibrated model is right as often as it is confident. The calibration "
        "error is above 0 by chance alone: compare it with its noise. A slope of 1 means that margins can be taken at "
        "face value, 0 that they say nothing.",
        *lead,
    ]
    if len(runs) > _MOST_PANELS:
        lead.append(f"The figures show the first {_MOST_PANELS} of {len(runs)} runs; the table has them all.")
    drawn = [*figures.margins(margins[:_MOST_PANELS])] if margins else []
    drawn += figures.reliability(reliable[:_MOST_PANELS]) if reliable else ()
    head = ("solver", "collection", "calibration error", "noise", "overconfidence", "slope")
    return Section(
        "calibration",
        "Score margins and calibration",
        tuple(lead),
        figures=drawn,
        tables=[
            Table("calibration", "Calibration in percent [95% interval]; slope of the log odds", head, tuple(rows)),
            *tables,
        ],
    )


def _uncalibrated(runs: Sequence[RunSummary]) -> tuple[list[str], list[Table]]:
    """Why these runs have no calibration, and their margins as far as they have any."""
    found = [Margins(one.solver, one.column.label, _margins(one)) for one in runs]
    known = [row for row in found if row.values]
    lead = []
    if known:
        names = ", ".join(dict.fromkeys(row.label for row in known))
        lead.append(
            f"The scores of {names} are not known to be log probabilities of whole readings, so they give no "
            "confidence to compare with accuracy. A table has their margins, the score of the answer minus that of the "
            "other candidate, each in the unit of its scores."
        )
    without = dict.fromkeys(row.label for row in found if not row.values)
    if without:
        lead.append(f"No margins, because there are no scores for two candidates: {', '.join(without)}.")
    caption = "Score of the answer minus that of the other candidate, in the unit of the scores"
    return lead, [replace(margin_table(known), name="margins-uncalibrated", caption=caption)] if known else []


def _margins(one: RunSummary) -> tuple[float, ...]:
    found = []
    for outcome in one.run.outcomes():
        scores = [score for score in outcome.scores if score is not None and isfinite(score)]
        if len(scores) == len(outcome.scores) == 2 and outcome.example.answer is not None:
            found.append(scores[outcome.example.answer] - scores[1 - outcome.example.answer])
    return tuple(found)
