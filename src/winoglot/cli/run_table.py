"""How runs look on a terminal: a table of their figures, and below it what a table cannot say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from winoglot.cli.console import emit, percent, print_rows
from winoglot.metrics import consistency
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.runs.run import Run
    from winoglot.statistics.intervals import Estimate


def print_runs(runs: Sequence[Run], interval: str = "bootstrap", *, notes: bool = True) -> None:
    """A row a run: each figure with its interval and n. What all runs share is said once, below.

    Without `notes` nothing is said of single runs there.
    """
    rows: list[dict[str, object]] = []
    methods: dict[str, set[str]] = {}
    answered: list[dict[str, Estimate]] = []
    unlabelled: dict[str, int] = {}
    for run in runs:
        outcomes = run.outcomes()
        estimates = {
            "accuracy": run.accuracy(interval=interval),
            "pairs": run.pair_accuracy(interval=interval),
            "consistency": run.consistency(interval=interval),
        }
        answered.append(_without_abstentions(run, interval) if notes else {})
        for name, estimate in (estimates | answered[-1]).items():
            methods.setdefault(name, set()).update({_method(estimate)} if estimate.value is not None else ())
        if len(outcomes) > estimates["accuracy"].n:
            unlabelled[run.collection.name] = len(outcomes) - estimates["accuracy"].n
        rows.append(
            {
                "collection": run.collection.name,
                "model": run.settings.model,
                "scoring": run.settings.scoring,
                "readings": run.settings.readings,
                "accuracy": percent(estimates["accuracy"]),
                "n": estimates["accuracy"].n,
                "pairs": percent(estimates["pairs"]),
                "consistency": percent(estimates["consistency"]),
                "abstained": sum(outcome.choice is None for outcome in outcomes),
                "fallback": sum(outcome.fallback for outcome in outcomes),
                "items/s": f"{run.scored / run.seconds:.1f}" if run.seconds >= 1 else "",
            }
        )
    shared = {name: rows[0][name] for name in ("scoring", "readings") if len({row[name] for row in rows}) == 1}
    empty = {name for name in ("consistency", "items/s") if not any(row[name] for row in rows)}
    print_rows([{name: cell for name, cell in row.items() if name not in {*shared, *empty}} for row in rows])
    said = "".join(f"{name.capitalize()}: {value}. " for name, value in shared.items())
    spelt = _spell_methods(methods)
    figures = f"Percent, with 95% intervals ({spelt}). An abstention is not right" if spelt else ""
    if figures:
        figures += "; quality leaves abstentions out, success counts them one half." if any(answered) else "."
    emit(Text(f"{said}{figures}".rstrip()))
    for name, count in unlabelled.items():
        emit(Text(f"Items of {name} without an answer, so neither right nor wrong: {count}"))
    if notes:
        _print_notes(runs, shared, answered)
    _print_spread(runs)
    _print_spent(runs)
    if any(kind != consistency.KIND for run in runs for kind in run.settings.kinds):
        _print_kinds(runs, shared, interval)


def _method(estimate: Estimate) -> str:
    """How an interval was made, without the numbers of one run."""
    return estimate.method.partition(";")[0].partition(" over ")[0]


def _spell_methods(methods: Mapping[str, set[str]]) -> str:
    """Each column's, or once where all have the same: `accuracy BCa; pairs exact (Clopper-Pearson)`."""
    spelt = {name: " or ".join(sorted(found)) for name, found in methods.items() if found}
    alike = set(spelt.values())
    return next(iter(alike)) if len(alike) == 1 else "; ".join(f"{name} {method}" for name, method in spelt.items())


def _print_notes(runs: Sequence[Run], shared: Mapping[str, object], answered: Sequence[Mapping[str, Estimate]]) -> None:
    """What the figures do not tell of each run, a line each where there is something."""
    for run, figures in zip(runs, answered, strict=True):
        apart = [getattr(run.settings, name) for name in ("scoring", "readings") if name not in shared]
        name = f"{' '.join([run.settings.model, *apart])} on {run.collection.name}"
        notes = run.notes()
        if notes:
            counts = ", ".join(f"{note} {count}" for note, count in notes.items())
            emit(Text(f"Abstentions of {name}: {counts}"))
        if figures:
            spelt = (f"{figure} {percent(one) or 'undefined'} of {one.n}" for figure, one in figures.items())
            emit(Text(f"Of {name}: {', '.join(spelt)}"))
        unknown = run.unknown_tokens()
        if unknown:
            emit(Text(f"Tokens unknown to {name}: {_small_percent(unknown)}"))
        skipped = run.skipped()
        if skipped:
            where = counted(len(skipped), "item")
            emit(Text(f"Characters skipped at the window's start by {name}: {sum(skipped.values())}, in {where}"))


def _without_abstentions(run: Run, interval: str) -> dict[str, Estimate]:
    """What accuracy hides of a run that abstains on some labelled items; nothing of one that does not."""
    if not any(outcome.choice is None and outcome.item.answer is not None for outcome in run.outcomes()):
        return {}
    return {"quality": run.quality(interval=interval), "success": run.success()}


def _print_kinds(runs: Sequence[Run], shared: Mapping[str, object], interval: str) -> None:
    """A row for each run and kind: its accuracy or, where no answer is right, which mention is preferred."""
    from winoglot.runs.by_kind import by_kind

    rows: list[dict[str, object]] = []
    for run in runs:
        for one in by_kind(run, interval=interval):
            estimate = one.position_preference or one.accuracy
            rows.append(
                {
                    "collection": run.collection.name,
                    "model": run.settings.model,
                    "scoring": run.settings.scoring,
                    "readings": run.settings.readings,
                    "kind": one.kind,
                    "figure": "accuracy" if one.position_preference is None else "first mention",
                    "percent": percent(estimate),
                    "n": estimate.n,
                    "abstained": one.abstained,
                    "method": _method(estimate),
                }
            )
    emit(Text())
    print_rows([{name: cell for name, cell in row.items() if name not in shared} for row in rows])
    if any(row["figure"] == "first mention" for row in rows):
        emit(Text("First mention: the share of answers that are the candidate mentioned first; 50 is no preference."))


def _print_spent(runs: Sequence[Run]) -> None:
    """What servers were asked for, over all runs of a model."""
    from winoglot.runs.store import added

    totals: dict[str, dict[str, float]] = {}
    for run in runs:
        if run.spent:
            totals[run.settings.model] = added(totals.get(run.settings.model, {}), run.spent)
    for model, counts in totals.items():
        spelt = (f"{name.replace('_', ' ')} {count:,.4f}".removesuffix(".0000") for name, count in counts.items())
        emit(Text(f"Spent by {model}: {', '.join(spelt)}"))


def _small_percent(share: float) -> str:
    return f"{100 * share:.1f}%" if share >= 0.001 else "less than 0.1%"


def _print_spread(runs: Sequence[Run]) -> None:
    """How far the accuracies of one model lie apart by prompt."""
    from winoglot.runs.spread import prompt_spreads

    said = {
        f"Accuracy of {run.settings.model} on {run.collection.name} by prompt: {100 * spread.low:.1f} to "
        f"{100 * spread.high:.1f} over {spread.prompts} prompts": None
        for run, spread in zip(runs, prompt_spreads(runs), strict=True)
        if spread is not None
    }
    for line in said:
        emit(Text(line))
