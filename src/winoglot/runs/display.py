"""Runs and comparisons as notebooks show them, and as the rows of a data frame: all from the one table of metrics."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from winoglot.metrics.base import metric
from winoglot.notebook import card, html_table, interval_svg, line
from winoglot.runs.results import abstentions, identity, results_of
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import MISSING, percent_interval, plain_interval, points_interval, probability

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from winoglot.examples import Outcome
    from winoglot.runs.comparing import Comparison
    from winoglot.runs.results import Result
    from winoglot.runs.run import Run
    from winoglot.statistics.intervals import Estimate

_RUNS = 60  # rows of a table
_DIFFERENCES = (
    "delta-accuracy",
    "delta-quality",
)  # metrics that may be negative, so that a line from 0 to 1 says nothing


# Rows of data frames


def outcome_row(run: Run, outcome: Outcome) -> dict[str, object]:
    """What the solver did with one item; `right` is missing if the item has no answer."""
    example, scores = outcome.example, outcome.scores
    best_first = sorted((value for value in scores if value is not None), reverse=True)
    return {
        "id": example.id,
        **identity(run),
        "schema": example.cluster,
        "kind": example.kind,
        "answer": example.answer,
        "choice": outcome.choice,
        "chosen": None if outcome.choice is None else example.options[outcome.choice],
        "right": outcome.right,
        **{f"score_{index}": value for index, value in enumerate(scores)},
        "margin": best_first[0] - best_first[1] if len(best_first) > 1 else None,
        "note": outcome.note,
        "fallback": outcome.fallback,
    }


def run_row(run: Run) -> dict[str, object]:
    """All figures of a run: each metric with the limits of its interval."""
    row: dict[str, object] = {**identity(run), "items": len(run.outcomes()), "abstained": abstentions(run)}
    for result in results_of(run, kinds=()):
        key = metric(result.metric).key
        row |= {key: result.value, f"{key}_low": result.low, f"{key}_high": result.high}
    return row


def comparison_row(comparison: Comparison) -> dict[str, object]:
    """A comparison with the values of its metric, difference, interval and p-values; they are fractions of 1."""
    key = comparison.metric.replace("-", "_")
    return {
        "first": comparison.first,
        "second": comparison.second,
        "kind": comparison.kind or "original",
        "items": comparison.items,
        "schemas": comparison.schemas,
        f"{key}_first": comparison.estimate_first.value,
        f"{key}_second": comparison.estimate_second.value,
        "difference": comparison.difference.value,
        "low": comparison.difference.low,
        "high": comparison.difference.high,
        "p": comparison.test.value,
        "corrected_p": comparison.corrected_p,
        "distinguishable": comparison.is_distinguishable,
        "detectable": comparison.detectable,
        "schemas_needed": comparison.schemas_needed,
    }


# HTML


def run_html(run: Run) -> str:
    """The run and its metrics, with those of each kind of variant."""
    heading = [run.source.name, run.source.language, run.settings.scoring, f"{run.settings.readings} readings"]
    rows = [_metric_row(result) for result in results_of(run) if result.value is not None]
    if not run.settings.kinds:
        rows = [{name: cell for name, cell in row.items() if name != "kind"} for row in rows]
    abstained = abstentions(run)
    return card(
        line(f"<b>{escape(run.settings.model)}</b>"),
        line(escape(" · ".join(filter(None, heading))), quiet=True),
        html_table(rows, numbers=["value", "n"]) if rows else line("nothing was answered yet"),
        line(f"{counted(abstained, 'abstention')}{_reasons_for_abstaining(run)}", quiet=True) if abstained else "",
    )


def runs_html(runs: Sequence[Run]) -> str:
    """The runs as a table with one row per run and its accuracy."""
    if not runs:
        return card(line("no runs"))
    rows = []
    for run in runs[:_RUNS]:
        accuracy = run.accuracy()
        row = {name: escape(str(value)) for name, value in identity(run).items() if name != "language"}
        rows.append(
            row
            | {
                "accuracy": _percent(accuracy),
                "": _interval_picture(accuracy),
                "n": str(accuracy.n),
                "abstained": str(abstentions(run)),
            }
        )
    more = line(f"… and {len(runs) - _RUNS} more", quiet=True) if len(runs) > _RUNS else ""
    return card(html_table(rows, numbers=["accuracy", "n", "abstained"]), more)


def comparisons_html(compared: Iterable[Comparison], refused: Sequence[tuple[str, str, str]] = ()) -> str:
    """The outcome of each comparison in words, and its numbers."""
    comparisons = list(compared)
    rows = [
        {
            "first": escape(comparison.first),
            "second": escape(comparison.second),
            comparison.metric.replace("-", " "): "<br>".join(
                map(_percent, (comparison.estimate_first, comparison.estimate_second))
            ),
            "difference": points_interval(comparison.difference),
            "": _interval_picture(comparison.difference, (-1.0, 1.0)),
            "p": probability(comparison.test.value),
            **({"corrected p": probability(comparison.corrected_p)} if comparison.comparisons > 1 else {}),
            "items": str(comparison.items),
        }
        for comparison in comparisons
    ]
    headline = line(f"<b>{escape(str(comparisons[0]))}</b>") if len(comparisons) == 1 else ""
    planning = (
        line(escape(comparisons[0].planning), quiet=True) if len(comparisons) == 1 and comparisons[0].planning else ""
    )
    refusals = "".join(line(escape(f"{first} and {second}: {reason}"), quiet=True) for first, second, reason in refused)
    numbers = [comparison.metric.replace("-", " ") for comparison in comparisons[:1]]
    return card(
        headline,
        html_table(rows, numbers=[*numbers, "difference", "p", "corrected p", "items"]),
        planning,
        refusals,
    )


def _metric_row(result: Result) -> dict[str, str]:
    row_metric, estimate = metric(result.metric), result.estimate
    is_share = row_metric.unit == "%"
    return {
        "metric": escape(row_metric.title),
        "kind": escape(result.kind),
        "value": _percent(estimate) if is_share else plain_interval(estimate, ".3g", MISSING),
        "": _interval_picture(estimate) if is_share and result.metric not in _DIFFERENCES else "",
        "n": str(estimate.n),
    }


def _reasons_for_abstaining(run: Run) -> str:
    notes = ", ".join(f"{count} {note}" for note, count in list(run.notes().items())[:3])
    return escape(f": {notes}") if notes else ""


def _percent(estimate: Estimate) -> str:
    return percent_interval(estimate, MISSING, sign="%")


def _interval_picture(estimate: Estimate, bounds: tuple[float, float] = (0.0, 1.0)) -> str:
    """The interval as a small picture; nothing if it does not lie within the bounds."""
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return ""
    is_inside = all(bounds[0] <= number <= bounds[1] for number in (estimate.value, estimate.low, estimate.high))
    return interval_svg(estimate.value, estimate.low, estimate.high, bounds) if is_inside else ""
