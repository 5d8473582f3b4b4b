"""How runs look in a table and as JSON, and how metrics are listed: all from the one table of metrics."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from winoglot.cli.console import emit, percent, print_json, print_rows
from winoglot.metrics.base import estimates, failure, metric, metrics
from winoglot.metrics.renaming import name_spread
from winoglot.metrics.robustness import SWITCHED
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.metrics.base import Metric
    from winoglot.runs.run import Run
    from winoglot.statistics.intervals import Estimate

_DISTINGUISHING = ("scoring", "readings")  # settings that are stated once, below the table, if all runs share them


def print_runs(runs: Sequence[Run], interval: str = "bootstrap", *, notes: bool = True) -> None:
    """One row per run with its metrics; below it what all runs share and, with `notes`, what each row leaves unsaid."""
    columns = [one for one in metrics() if one.shown == "everywhere"]
    found = [estimates(run, interval=interval) for run in runs]
    extra = [_without_abstentions(run, interval) if notes else {} for run in runs]
    rows = [_row(run, columns, own) for run, own in zip(runs, found, strict=True)]
    shared = {name: rows[0][name] for name in _DISTINGUISHING if len({row[name] for row in rows}) == 1}
    optional = {one.title for one in columns if one.name != "accuracy"} | {"items/s"}
    empty = {name for name in optional if not any(row[name] for row in rows)}
    print_rows([{name: cell for name, cell in row.items() if name not in {*shared, *empty}} for row in rows])
    said = "".join(f"{name.capitalize()}: {value}. " for name, value in shared.items())
    emit(f"{said}{_legend(columns, found, extra)}".rstrip())
    _warn_of_failures(found)
    unlabelled = {run.source.name: sum(one.right is None for one in run.outcomes()) for run in runs}
    for name, count in unlabelled.items():
        if count:
            emit(f"Unlabelled items in {name}, left out: {count}")
    if notes:
        for run, figures in zip(runs, extra, strict=True):
            _print_notes(run, figures, [name for name in _DISTINGUISHING if name not in shared])
    _print_prompt_spreads(runs)
    _print_name_spreads(runs)
    _print_spent(runs)
    if any(kind != SWITCHED for run in runs for kind in run.settings.kinds):
        _print_kinds(runs, shared, interval)


def identity(run: Run) -> dict[str, object]:
    """The columns that say which run it is."""
    settings = run.settings
    return {
        "collection": run.source.name,
        "model": settings.model,
        "scoring": settings.scoring,
        "readings": settings.readings,
    }


def _row(run: Run, columns: Sequence[Metric], found: Mapping[str, Estimate]) -> dict[str, object]:
    row = identity(run)
    for one in columns:
        row[one.title] = _cell(one, found.get(one.name))
        if one.name == "accuracy":
            row["n"] = found[one.name].n if one.name in found else 0
    outcomes = run.outcomes()
    return row | {
        "abstained": sum(outcome.choice is None for outcome in outcomes),
        "fallback": sum(outcome.fallback for outcome in outcomes),
        "items/s": f"{run.scored / run.seconds:.1f}" if run.seconds >= 1 and not run.is_baseline else "",
    }


def _cell(one: Metric, estimate: Estimate | None) -> str:
    if estimate is None or estimate.value is None:
        return ""
    if one.unit == "%":
        return percent(estimate)
    digits = 1 if one.unit == "points" else 3
    return f"{estimate.value:.{digits}f} [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"


def _legend(
    columns: Sequence[Metric], found: Sequence[Mapping[str, Estimate]], extra: Sequence[Mapping[str, Estimate]] = ()
) -> str:
    """How the figures are to be read, with the method of each column, or once if all have the same."""
    titles = {one.name: one.title for one in columns}
    methods: dict[str, set[str]] = {}
    for name, estimate in (pair for own in (*found, *extra) for pair in own.items()):
        if estimate.value is not None:
            method = estimate.method.partition(";")[0].partition(" over ")[0]  # without the numbers of one run
            methods.setdefault(titles.get(name, name), set()).add(method)
    spelt = {name: " or ".join(sorted(used)) for name, used in methods.items()}
    if not spelt:
        return ""
    named: dict[str, list[str]] = {}
    for name, method in spelt.items():
        named.setdefault(method, []).append(name)
    described = [f"{', '.join(names)}: {method}" for method, names in named.items()]
    how = "; ".join(described) if len(named) > 1 else next(iter(named))
    abstaining = "; quality leaves abstentions out, success counts them as one half." if any(extra) else "."
    others = {one.title for one in columns if one.unit != "%"}
    unit = "Percent unless a unit is given" if others & spelt.keys() else "Percent"
    return f"{unit}, with 95% intervals ({how}). An abstention counts as wrong{abstaining}"


def _warn_of_failures(found: Iterable[Mapping[str, Estimate]]) -> None:
    """Name the metrics of other packages that failed, once for each reason."""
    for reason in dict.fromkeys(failure(estimate) for own in found for estimate in own.values()):
        if reason:
            typer.echo(f"Warning: {reason}", err=True)


def _without_abstentions(run: Run, interval: str) -> dict[str, Estimate]:
    """What accuracy hides if a run abstains on labelled items; nothing for a run that does not."""
    if not any(outcome.choice is None and outcome.right is not None for outcome in run.outcomes()):
        return {}
    return {name: run.estimate(name, interval=interval) for name in ("quality", "success")}


def _print_notes(run: Run, figures: Mapping[str, Estimate], apart: Sequence[str]) -> None:
    """One line on what a run's row does not say, if there is anything."""
    facts = []
    notes = run.notes()
    if notes:
        facts.append(f"abstained ({', '.join(f'{note} {count}' for note, count in notes.items())})")
    facts += [f"{name} {_cell(metric(name), one) or 'undefined'}, n = {one.n}" for name, one in figures.items()]
    unknown = run.unknown_tokens()
    if unknown:
        facts.append(f"unknown tokens {100 * unknown:.1f}%" if unknown >= 0.001 else "unknown tokens below 0.1%")
    skipped = run.skipped()
    if skipped:
        where = counted(len(skipped), "item")
        facts.append(f"{sum(skipped.values())} characters skipped at the start of the window in {where}")
    if facts:
        name = " ".join([run.settings.model, *(getattr(run.settings, setting) for setting in apart)])
        emit(f"{name}, {run.source.name}: {'; '.join(facts)}")


def _print_kinds(runs: Sequence[Run], shared: Mapping[str, object], interval: str) -> None:
    """One row per run, kind and figure: accuracy and every metric that needs variants, as far as they are defined."""
    from winoglot.runs.breakdowns import by_kind

    known = {one.name: one for one in metrics()}
    rows: list[dict[str, object]] = []
    found = []
    for run in runs:
        for own in by_kind(run, interval=interval):
            found.append(own.estimates)
            cells = [
                (known[name].title, _cell(known[name], estimate), estimate.n)
                for name, estimate in own.estimates.items()
                if estimate.value is not None
            ]
            for figure, cell, n in cells or [("none", "", 0)]:
                row = identity(run) | {"kind": own.kind, "figure": figure, "percent": cell, "n": n}
                rows.append(row | {"abstained": own.abstained})
    emit("")
    print_rows([{name: cell for name, cell in row.items() if name not in shared} for row in rows])
    emit(_legend(list(known.values()), found))
    if any("position-preference" in own for own in found):
        emit("First mention: the share of answers that are the candidate mentioned first; 50 is no preference.")
    _warn_of_failures(found)


def _print_spent(runs: Sequence[Run]) -> None:
    """What servers were asked for, over all runs of a model."""
    from winoglot.runs.store import added

    totals: dict[str, dict[str, float]] = {}
    for run in runs:
        if run.spent:
            totals[run.settings.model] = added(totals.get(run.settings.model, {}), run.spent)
    for model, counts in totals.items():
        spelt = (f"{name.replace('_', ' ')} {count:,.4f}".removesuffix(".0000") for name, count in counts.items())
        emit(f"Spent by {model}: {', '.join(spelt)}")


def _print_prompt_spreads(runs: Sequence[Run]) -> None:
    """How much the accuracy of one model varies with the prompt."""
    from winoglot.runs.breakdowns import prompt_spreads

    said = {
        f"Accuracy of {run.settings.model} on {run.source.name} by prompt: {100 * spread.low:.1f} to "
        f"{100 * spread.high:.1f} over {spread.prompts} prompts": None
        for run, spread in zip(runs, prompt_spreads(runs), strict=True)
        if spread is not None
    }
    for line in said:
        emit(line)


def _print_name_spreads(runs: Sequence[Run]) -> None:
    """How much the accuracy of each run varies with the names of people."""
    for run in runs:
        found = name_spread(run)
        if found is not None:
            sd = "" if found.sd is None else f", SD {100 * found.sd:.1f}"
            emit(
                f"{run.settings.model}, {run.source.name}: over {counted(found.draws, 'draw')} of names, accuracy is "
                f"{100 * found.mean:.1f} on average{sd}, range {100 * found.lowest:.1f} to {100 * found.highest:.1f}; "
                f"{found.renamed} of {counted(found.items, 'item')} renamed"
            )
        elif run.settings.renamed:
            emit(f"{run.settings.model}, {run.source.name}: nobody could be renamed")


def runs_as_json(runs: Sequence[Run], interval: str = "bootstrap") -> list[dict[str, Any]]:
    """Runs as other programs read them: each metric under its name, null if it is undefined."""
    from winoglot.runs.breakdowns import prompt_spreads

    spreads = [spread and asdict(spread) for spread in prompt_spreads(runs)]
    return [_as_json(run, interval) | {"prompts": one} for run, one in zip(runs, spreads, strict=True)]


def _as_json(run: Run, interval: str) -> dict[str, Any]:
    from winoglot.runs.breakdowns import by_kind

    shown = ("everywhere", "json")
    found = estimates(run, interval=interval, shown=shown)
    outcomes, skipped, spread = run.outcomes(), run.skipped(), name_spread(run)
    head = {
        "collection": run.source.name,
        "language": run.source.language,
        **identity(run),
        "signature": run.signature,
        "seconds": round(run.seconds, 3),
        "items_per_second": round(run.scored / run.seconds, 3) if run.seconds else None,
        "accuracy": asdict(found.get("accuracy") or run.accuracy()),  # an undefined accuracy says why
    }
    known = [one for one in metrics() if one.shown in shown]
    others = {one.key: _or_null(found.get(one.name)) for one in known if not one.is_by_kind and one.key not in head}
    by_variant = [one for one in known if one.is_by_kind or one.name == "accuracy"]
    kinds = by_kind(run, interval=interval)
    _warn_of_failures([found, *(one.estimates for one in kinds)])
    return {
        **head,
        **others,
        "kinds": {
            one.kind: {each.key: _or_null(one.estimates.get(each.name)) for each in by_variant}
            | {"abstained": one.abstained}
            for one in kinds
        },
        "abstained": sum(outcome.choice is None for outcome in outcomes),
        "names": spread and asdict(spread),
        "notes": run.notes(),
        "spent": run.spent or None,
        "fallback": sum(outcome.fallback for outcome in outcomes),
        "undefined_window": sum(outcome.window == "empty" for outcome in outcomes),
        "punctuation_window": sum(outcome.window == "punctuation" for outcome in outcomes),
        "unknown_tokens": run.unknown_tokens(),
        "skipped_characters": sum(skipped.values()),
        "skipped_items": len(skipped),
    }


def _or_null(estimate: Estimate | None) -> dict[str, Any] | None:
    return asdict(estimate) if estimate is not None and estimate.value is not None else None


def print_metrics(*, as_json: bool) -> None:
    """What `winoglot list metrics` prints: name, unit, chance level and description of every metric."""
    rows = []
    for one in metrics():
        scale = 100 if one.unit == "%" else 1
        level = "by options" if callable(one.chance) else "" if one.chance is None else f"{scale * one.chance:g}"
        row = {"name": one.name, "unit": one.unit, "chance": level, "description": one.description}
        rows.append(row | {"needs": list(one.needs)} if as_json else row)
    if as_json:
        print_json(rows)
    else:
        print_rows(rows)
