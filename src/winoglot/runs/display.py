"""Runs and comparisons as notebooks show them, and as the rows of a data frame: all from the one table of metrics."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from winoglot.metrics.base import estimates, metrics
from winoglot.notebook import card, html_table, interval_svg, line
from winoglot.runs.breakdowns import by_kind
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.examples import Outcome
    from winoglot.metrics.base import Metric
    from winoglot.runs.comparing import Comparison
    from winoglot.runs.run import Run
    from winoglot.statistics.intervals import Estimate

_RUNS = 60  # rows of a table
_DIFFERENCES = ("delta-accuracy",)  # metrics that may be negative, so that a line from 0 to 1 says nothing


def identity(run: Run) -> dict[str, object]:
    """What distinguishes a run from others, by column."""
    settings = run.settings
    return {
        "model": settings.model,
        "collection": run.source.name,
        "language": run.source.language,
        "scoring": settings.scoring,
        "readings": settings.readings,
    }


# Rows of data frames


def outcome_row(run: Run, outcome: Outcome) -> dict[str, object]:
    """What the solver did with one item; `right` is missing if the item has no answer."""
    example, scores = outcome.example, outcome.scores
    known = sorted((value for value in scores if value is not None), reverse=True)
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
        "margin": known[0] - known[1] if len(known) > 1 else None,
        "note": outcome.note,
        "fallback": outcome.fallback,
    }


def run_row(run: Run) -> dict[str, object]:
    """All figures of a run: each metric with the limits of its interval."""
    row = identity(run) | {"items": len(run.outcomes()), "abstained": _abstained(run)}
    for name, estimate in estimates(run).items():
        key = name.replace("-", "_")
        row |= {key: estimate.value, f"{key}_low": estimate.low, f"{key}_high": estimate.high}
    return row


def comparison_row(one: Comparison) -> dict[str, object]:
    """A comparison with its accuracies, difference, interval and p-values; differences are fractions of 1."""
    return {
        "first": one.first,
        "second": one.second,
        "kind": one.kind or "original",
        "items": one.items,
        "schemas": one.schemas,
        "accuracy_first": one.accuracy_first.value,
        "accuracy_second": one.accuracy_second.value,
        "difference": one.difference.value,
        "low": one.difference.low,
        "high": one.difference.high,
        "p": one.test.value,
        "corrected_p": one.corrected_p,
        "distinguishable": one.is_distinguishable,
        "detectable": one.detectable,
        "schemas_needed": one.schemas_needed,
    }


# HTML


def run_html(run: Run) -> str:
    """The run and its metrics, with those of each kind of variant."""
    known = {one.name: one for one in metrics()}
    about = [run.source.name, run.source.language, run.settings.scoring, f"{run.settings.readings} readings"]
    rows = _metric_rows("original", estimates(run), known)
    for figures in by_kind(run):
        rows += _metric_rows(figures.kind, figures.estimates, known)
    if not run.settings.kinds:
        rows = [{name: cell for name, cell in row.items() if name != "kind"} for row in rows]
    abstained = _abstained(run)
    return card(
        line(f"<b>{escape(run.settings.model)}</b>"),
        line(escape(" · ".join(filter(None, about))), quiet=True),
        html_table(rows, numbers=["value", "n"]) if rows else line("nothing was answered yet"),
        line(f"{counted(abstained, 'abstention')}{_why(run)}", quiet=True) if abstained else "",
    )


def runs_html(runs: Sequence[Run]) -> str:
    """One row per run, with its accuracy."""
    if not runs:
        return card(line("no runs"))
    rows = []
    for run in runs[:_RUNS]:
        found = run.accuracy()
        row = {name: escape(str(value)) for name, value in identity(run).items() if name != "language"}
        rows.append(
            row | {"accuracy": _percent(found), "": _drawn(found), "n": str(found.n), "abstained": str(_abstained(run))}
        )
    more = line(f"… and {len(runs) - _RUNS} more", quiet=True) if len(runs) > _RUNS else ""
    return card(html_table(rows, numbers=["accuracy", "n", "abstained"]), more)


def comparisons_html(compared: Iterable[Comparison], refused: Sequence[tuple[str, str, str]] = ()) -> str:
    """The outcome of each comparison in words, and its numbers."""
    from winoglot.runs.comparing import probability

    made = list(compared)
    rows = [
        {
            "first": escape(one.first),
            "second": escape(one.second),
            "accuracy": f"{_percent(one.accuracy_first)}<br>{_percent(one.accuracy_second)}",
            "difference": _points(one.difference),
            "": _drawn(one.difference, (-1.0, 1.0)),
            "p": probability(one.test.value),
            **({"corrected p": probability(one.corrected_p)} if one.comparisons > 1 else {}),
            "items": str(one.items),
        }
        for one in made
    ]
    said = line(f"<b>{escape(str(made[0]))}</b>") if len(made) == 1 else ""
    planning = line(escape(made[0].planning), quiet=True) if len(made) == 1 and made[0].planning else ""
    left = "".join(line(escape(f"{a} and {b}: {why}"), quiet=True) for a, b, why in refused)
    return card(said, html_table(rows, numbers=["accuracy", "difference", "p", "corrected p", "items"]), planning, left)


def _metric_rows(kind: str, found: Mapping[str, Estimate], known: Mapping[str, Metric]) -> list[dict[str, str]]:
    rows = []
    for name, estimate in found.items():
        if estimate.value is None:
            continue
        is_share = known[name].unit == "%"
        shown = _percent(estimate) if is_share else _plain(estimate)
        drawn = _drawn(estimate) if is_share and name not in _DIFFERENCES else ""
        title = escape(known[name].title)
        rows.append({"metric": title, "kind": escape(kind), "value": shown, "": drawn, "n": str(estimate.n)})
    return rows


def _abstained(run: Run) -> int:
    return sum(outcome.choice is None for outcome in run.outcomes())


def _why(run: Run) -> str:
    notes = ", ".join(f"{count} {note}" for note, count in list(run.notes().items())[:3])
    return escape(f": {notes}") if notes else ""


def _percent(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{100 * found.value:.1f}% [{100 * found.low:.0f}, {100 * found.high:.0f}]"


def _points(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{100 * found.value:+.1f} [{100 * found.low:+.0f}, {100 * found.high:+.0f}]".replace("-", "−")


def _plain(found: Estimate) -> str:
    if found.value is None or found.low is None or found.high is None:
        return "–"
    return f"{found.value:.3g} [{found.low:.3g}, {found.high:.3g}]"


def _drawn(found: Estimate, bounds: tuple[float, float] = (0.0, 1.0)) -> str:
    if found.value is None or found.low is None or found.high is None:
        return ""
    inside = all(bounds[0] <= number <= bounds[1] for number in (found.value, found.low, found.high))
    return interval_svg(found.value, found.low, found.high, bounds) if inside else ""
