"""The sections of a report in their order: what each says, its figures, its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.report import figures
from winoglot.report.cautions import cautions
from winoglot.report.comparing import comparisons
from winoglot.report.curves import training
from winoglot.report.finding import best_solver
from winoglot.report.robustness import other_metrics, preference, robustness
from winoglot.report.rows import Bar
from winoglot.report.scoring import calibration, gaps
from winoglot.report.section import Section, bar, cells
from winoglot.report.table import Table, p_value, percent

if TYPE_CHECKING:
    from winoglot.report.columns import Column
    from winoglot.report.summary import Summary

_MOST_COLUMNS = 5  # solvers side by side, so that a table fits on paper


def sections(summary: Summary) -> list[Section]:
    """All sections except the items and how the report was made; those with nothing to say are left out."""
    made = [
        _accuracy(summary),
        robustness(summary),
        other_metrics(summary),
        preference(summary),
        _subsets(summary),
        _readings(summary),
        gaps(summary),
        calibration(summary),
        _comparisons(summary),
        training(summary),
        Section("cautions", "What cannot be compared", points=tuple(cautions(summary))),
    ]
    return [one for one in made if one.lead or one.points]


def _accuracy(summary: Summary) -> Section:
    guesses = [percent(column.chance) for column in summary.columns]
    rows = [cells(summary, solver, lambda one: one.accuracy) for solver in summary.solvers]
    lead = (
        f"The share of items answered correctly, with 95% intervals over whole {summary.units}; an abstention is not "
        "right. "
        "Guessing gives one half if an item has two candidates, one third if it has three. An interval that reaches "
        "the chance line is not evidence of understanding."
    )
    if summary.shown_once:
        once = ", ".join(summary.shown_once)
        lead += f" Shown once: {once}, whose choices are the same with naive and grammatical readings."
    return Section(
        "accuracy",
        "Accuracy",
        (lead,),
        figures=figures.accuracy([bar(one, one.accuracy, chance=one.column.chance) for one in summary.runs]),
        tables=[
            Table(
                "accuracy",
                "Accuracy in percent [95% interval] by solver and collection; an abstention is not right",
                ("solver", *(column.label for column in summary.columns)),
                (*rows, ("chance", *guesses)),
            )
        ],
        more=_chance_tests(summary),
    )


def _chance_tests(summary: Summary) -> list[Table]:
    rows = tuple(
        (
            one.solver,
            one.column.label,
            one.success,
            p_value(one.chance.value),
            p_value(one.corrected_p),
            {True: "better than chance", False: "worse than chance", None: "not distinguishable from chance"}[
                one.beats_chance
            ],
        )
        for one in summary.runs
        if one.chance is not None
    )
    caption = (
        f"Tests against chance: the answers of whole {summary.units} are flipped to the other candidates; an "
        "abstention counts as a guess, one half if an item has two candidates; p corrected "
        f"by Holm’s method for {summary.tests} {'test' if summary.tests == 1 else 'tests'}"
    )
    head = ("solver", "collection", "accuracy, abstentions guessed", "p", "corrected p", "outcome")
    return [Table("against-guessing", caption, head, rows)] if rows else []


def _subsets(summary: Summary) -> Section:
    if not any(one.subsets for one in summary.runs):
        return Section("subsets", "Subsets")
    best = best_solver(summary)
    bars = [
        bar(one, estimate, series=name, chance=one.column.chance)
        for one in summary.runs
        if one.solver == best
        for name, estimate in one.subsets.items()
    ]
    parts = "the author's tags, by the type of pronoun, by what there was to score" if summary.has_schemas else "tag"
    lead = (
        f"Accuracy on parts of the items: by {parts}. An item may belong to several subsets, and among many subsets "
        "some differences are due to chance."
    )
    which = (f"The figure shows {best}; the tables have every solver.",) if len(summary.solvers) > 1 and bars else ()
    return Section(
        "subsets",
        "Subsets",
        (lead, *which),
        figures=figures.subsets(bars) if bars else (),
        more=[table for column in summary.columns for table in _subset_tables(summary, column)],
    )


def _subset_tables(summary: Summary, column: Column) -> list[Table]:
    """As many tables as are needed for each to fit on paper."""
    runs = summary.of(column)
    number = summary.columns.index(column) + 1
    parts = [runs[start : start + _MOST_COLUMNS] for start in range(0, len(runs), _MOST_COLUMNS)]
    made = []
    for place, part in enumerate(parts, 1):
        names = dict.fromkeys(name for one in part for name in one.subsets)
        rows = tuple((name, *(one.subsets.get(name) for one in part)) for name in names)
        which = f", part {place} of {len(parts)}" if len(parts) > 1 else ""
        caption = f"Subsets in {column.label}{which}: accuracy in percent [95% interval]"
        name = f"subsets-{number}-{place}" if which else f"subsets-{number}"
        made.append(Table(name, caption, ("subset", *(one.solver for one in part)), rows))
    return made


def _readings(summary: Summary) -> Section:
    pairs = summary.readings_compared
    if not pairs:
        return Section("readings", "Naive and grammatical readings")
    rows = tuple(
        (
            f"{one.first.run.settings.model}, {one.first.run.settings.scoring}",
            one.first.column.label,
            one.comparison.difference,
            one.first.gaps.fallback,
            p_value(one.comparison.corrected_p),
        )
        for one in pairs
    )
    bars = [
        Bar(
            f"{one.run.settings.model}, {one.run.settings.scoring}",
            one.column.label,
            one.accuracy,
            series=one.run.settings.readings,
            chance=one.column.chance,
        )
        for pair in pairs
        for one in (pair.second, pair.first)
    ]
    lead = (
        "A naive reading puts the candidate’s citation form in the pronoun’s place; a grammatical one contracts, "
        "elides, declines and orders the words as the language requires. If no grammatical reading can be derived, the "
        "naive one is used (fallback). The difference is paired by item; above 0, grammar helps."
    )
    return Section(
        "readings",
        "Naive and grammatical readings",
        (lead,),
        figures=figures.readings(bars),
        tables=[
            Table(
                "readings",
                "Accuracy with grammatical readings minus that with naive ones, in points [95% interval]",
                ("model", "collection", "difference", "fallbacks", "corrected p"),
                rows,
                is_signed=True,
            )
        ],
    )


def _comparisons(summary: Summary) -> Section:
    lead, contrasts, tables = comparisons(summary)
    return Section(
        "comparisons",
        "Which models differ",
        lead,
        figures=figures.comparisons(contrasts, summary.solvers) if contrasts else (),
        more=tables,
    )
