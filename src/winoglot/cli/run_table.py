"""How runs look in a table and as JSON, and how metrics are listed: all from the rows of results."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

import typer

from winoglot.cli.console import emit, print_json, print_rows
from winoglot.metrics.base import failure, metric, metrics
from winoglot.metrics.renaming import name_spread
from winoglot.metrics.robustness import SWITCHED
from winoglot.metrics.subsets import subsets
from winoglot.models.base import ANSWER, UNFIT
from winoglot.runs.pairing import names
from winoglot.runs.results import abstentions, cell, cell_with_n, identity, results_of, subset_results
from winoglot.schemas.model import ORIGINAL
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from winoglot.metrics.base import Metric
    from winoglot.runs.results import Result
    from winoglot.runs.run import Run
    from winoglot.statistics.intervals import Estimate

_DISTINGUISHING = ("scoring", "readings")  # settings that are stated once, below the table, if all runs share them


def print_runs(runs: Sequence[Run], interval: str = "bootstrap", *, notes: bool = True) -> None:
    """One row per run with its metrics; below it what all runs share and, with `notes`, what each row leaves unsaid."""
    columns = [named for named in metrics() if named.shown == "everywhere"]
    results = [results_of(run, interval=interval) for run in runs]
    originals = [[row for row in rows if row.kind == ORIGINAL] for rows in results]
    extra = [_without_abstentions(run, interval) if notes else [] for run in runs]
    table = [_table_row(run, columns, rows) for run, rows in zip(runs, originals, strict=True)]
    shared = {name: table[0][name] for name in _DISTINGUISHING if len({row[name] for row in table}) == 1}
    optional = {named.title for named in columns if named.name != "accuracy"} | {"fallback", "items/s"}
    empty = {name for name in optional if not any(row[name] for row in table)}
    hidden = {*shared, *empty}
    shown = [{name: cell for name, cell in row.items() if name not in hidden} for row in table]
    print_rows(shown, keys=len(identifying(runs[0]).keys() - hidden))
    said = "".join(f"{name.capitalize()}: {value}. " for name, value in shared.items())
    emit(f"{said}{_legend(columns, chain(*originals), chain(*extra))}".rstrip())
    _warn_of_failures(chain(*originals))
    _print_unlabelled(runs)
    _print_fallbacks(runs)
    if notes:
        for run, rows in zip(runs, extra, strict=True):
            _print_notes(run, rows, [name for name in _DISTINGUISHING if name not in shared])
    _print_prompt_spreads(runs)
    _print_name_spreads(runs)
    _print_spent(runs)
    if any(kind != SWITCHED for run in runs for kind in run.settings.kinds):
        _print_kinds(runs, results)


def print_subsets(runs: Sequence[Run]) -> None:
    """The accuracy on each subset of the items: one table per collection, one column per run, each cell with its n."""
    for source in dict.fromkeys(run.source.name for run in runs):
        asked = [run for run in runs if run.source.name == source]
        labels = names(asked) if len(asked) > 1 else [asked[0].settings.model]
        cells: dict[str, dict[str, object]] = {}
        for label, run in zip(labels, asked, strict=True):
            for row in subset_results(run, subsets(run)):
                cells.setdefault(row.subset, {"subset": row.subset, **dict.fromkeys(labels, "")})
                cells[row.subset][label] = f"{cell(row)}, n = {row.n}"
        emit("")
        emit(f"{source}: accuracy by subset", style="bold")
        print_rows(list(cells.values()))


def _print_unlabelled(runs: Sequence[Run]) -> None:
    unlabelled = {run.source.name: sum(outcome.right is None for outcome in run.outcomes()) for run in runs}
    unconfirmed = {
        run.source.name: sum(outcome.example.effect == "unknown" for outcome in run.outcomes(SWITCHED)) for run in runs
    }
    for name, count in unlabelled.items():
        if count:
            emit(f"Unlabelled items in {name}, left out: {count}")
        if unconfirmed[name]:
            emit(
                f"Switched items of {name} whose answer nobody has confirmed, left out: {unconfirmed[name]}. "
                "To see them: winoglot switch COLLECTION --suggest"
            )


def _print_fallbacks(runs: Sequence[Run]) -> None:
    """What was done about items without a grammatical reading for each candidate."""
    done = {"naive": "naive readings only (to leave them unanswered: --fallback abstain)", "abstain": "not asked"}
    lines = {
        f"Items of {run.source.name} for which the grammar cannot derive every reading: {count}, "
        f"{done[run.settings.fallback]}": None
        for run in runs
        if (count := sum(outcome.fallback for outcome in run.outcomes()))
    }
    for line in lines:
        emit(line)


def identifying(run: Run) -> dict[str, object]:
    """The columns that say which run it is."""
    return {name: identity(run)[name] for name in ("collection", "model", "scoring", "readings")}


def _table_row(run: Run, columns: Sequence[Metric], results: Sequence[Result]) -> dict[str, object]:
    by_metric = {result.metric: result for result in results}
    row = identifying(run)
    n = by_metric["accuracy"].n if "accuracy" in by_metric else 0
    for named in columns:
        result = by_metric.get(named.name)
        row[named.title] = cell_with_n(result, n) if result else ""
        if named.name == "accuracy":
            row["n"] = n
    return row | {
        "abstained": abstentions(run),
        "fallback": sum(outcome.fallback for outcome in run.outcomes()),
        "items/s": f"{run.scored / run.seconds:.1f}" if run.seconds >= 1 and not run.is_baseline else "",
    }


def _legend(columns: Sequence[Metric], results: Iterable[Result], extra: Iterable[Result] = ()) -> str:
    """How the figures are to be read, with the method of each column, or once if all have the same."""
    titles = {named.name: named.title for named in columns}
    extra = list(extra)
    methods: dict[str, set[str]] = {}
    for result in (*results, *extra):
        if result.value is not None:
            method = result.method.partition(";")[0].partition(" over ")[0]  # without the numbers of one run
            methods.setdefault(titles.get(result.metric) or metric(result.metric).title, set()).add(method)
    spelt = {name: " or ".join(sorted(used)) for name, used in methods.items()}
    if not spelt:
        return ""
    by_method: dict[str, list[str]] = {}
    for name, method in spelt.items():
        by_method.setdefault(method, []).append(name)
    described = [f"{', '.join(names)}: {method}" for method, names in by_method.items()]
    how = "; ".join(described) if len(by_method) > 1 else next(iter(by_method))
    silent = "quality and delta quality leave" if "delta quality" in spelt else "quality leaves"
    abstaining = f"; {silent} abstentions out, success counts them as one half." if extra else "."
    others = {named.title for named in columns if named.unit != "%"}
    unit = "Percent unless a unit is given" if others & spelt.keys() else "Percent"
    return f"{unit}, with 95% intervals ({how}). An abstention counts as wrong{abstaining}"


def _warn_of_failures(results: Iterable[Result]) -> None:
    """Name the metrics of other packages that failed, once for each reason."""
    for reason in dict.fromkeys(failure(result.estimate) for result in results):
        if reason:
            typer.echo(f"Warning: {reason}", err=True)


def _without_abstentions(run: Run, interval: str) -> list[Result]:
    """What accuracy and its changes hide if a run abstains on labelled items; nothing for a run that does not."""
    kinds = [kind for kind in run.settings.kinds if set(run.settings.kinds) != {SWITCHED}]  # alone it has no table
    silent = {
        kind or ORIGINAL
        for kind in (None, *kinds)
        if any(outcome.choice is None and outcome.right is not None for outcome in run.outcomes(kind))
    }
    if not silent:
        return []
    rows = results_of(run, kinds=kinds, metrics=("quality", "success", "delta-quality"), interval=interval)
    return [row for row in rows if silent & {ORIGINAL, row.kind}]


def _print_notes(run: Run, results: Sequence[Result], apart: Sequence[str]) -> None:
    """One line on what a run's row does not say, if there is anything."""
    facts = []
    notes = run.notes()
    if notes:
        facts.append(f"abstained ({', '.join(f'{note} {count}' for note, count in notes.items())})")
    for result in results:
        of_kind = "" if result.kind == ORIGINAL else f" on {result.kind}"
        facts.append(f"{metric(result.metric).title}{of_kind} {cell(result) or 'undefined'}, n = {result.n}")
    unknown = run.unknown_tokens()
    if unknown:
        facts.append(f"unknown tokens {percent(unknown)}%" if unknown >= 0.001 else "unknown tokens below 0.1%")
    skipped = run.skipped()
    if skipped:
        where = counted(len(skipped), "item")
        facts.append(f"{sum(skipped.values())} characters skipped at the start of the window in {where}")
    if facts:
        name = " ".join([run.settings.model, *(getattr(run.settings, setting) for setting in apart)])
        emit(f"{name}, {run.source.name}: {'; '.join(facts)}")


def _print_kinds(runs: Sequence[Run], results: Sequence[Sequence[Result]]) -> None:
    """One row per kind: with one run of a collection its figures are the columns, with several the runs, by figure."""
    for source in dict.fromkeys(run.source.name for run in runs if run.settings.kinds):
        asked = [(run, rows) for run, rows in zip(runs, results, strict=True) if run.source.name == source]
        labels = names([run for run, _ in asked]) if len(asked) > 1 else [asked[0][0].settings.model]
        kinds = dict.fromkeys(kind for run, _ in asked for kind in run.settings.kinds)
        sizes = {kind: max(len(run.outcomes(kind)) for run, _ in asked) for kind in (None, *kinds)}
        figures = _figures_by_kind(dict(zip(labels, asked, strict=True)), sizes)
        tables = figures
        if len(asked) == 1:
            tables = {labels[0]: {figure: columns[labels[0]] for figure, columns in figures.items()}}
        for title, columns in tables.items():
            emit("")
            emit(f"{source}: {title} by kind of variant", style="bold")
            table: list[dict[str, object]] = [
                {"kind": kind or ORIGINAL, "n": n} | {name: cells.get(kind, "") for name, cells in columns.items()}
                for kind, n in sizes.items()
                if any(kind in cells for cells in columns.values())
            ]
            print_rows(table, keys=2)
        missing = [str(kind) for kind, n in sizes.items() if not n]
        if missing:
            emit(f"No items: {', '.join(missing)}")
    variants = [row for rows in results for row in rows if row.kind != ORIGINAL]
    emit(_legend(metrics(), variants))
    estimated = {row.metric for rows in results for row in rows if row.value is not None}
    for named in metrics():
        if named.name in estimated and any(need.startswith(("variants", "wordings")) for need in named.needs):
            emit(f"{named.title.capitalize()}: {named.description[:1].lower()}{named.description[1:]}")
    _warn_of_failures(variants)


def _figures_by_kind(
    asked: Mapping[str, tuple[Run, Sequence[Result]]], sizes: Mapping[str | None, int]
) -> dict[str, dict[str, dict[str | None, str | int]]]:
    """By figure, run and kind, what a table shows: every metric that is defined for variants, and abstentions.

    `sizes` are the items of each kind; a cell whose n is another says so.
    """
    figures: dict[str, dict[str, dict[str | None, str | int]]] = {}
    for label, (_, rows) in asked.items():
        for row in rows:
            if row.value is not None and (row.kind != ORIGINAL or row.metric == "accuracy"):
                cells = figures.setdefault(metric(row.metric).title, {}).setdefault(label, {})
                kind = None if row.kind == ORIGINAL else row.kind
                cells[kind] = cell_with_n(row, sizes[kind])
    if any(abstentions(run, kind) for run, _ in asked.values() for kind in (None, *run.settings.kinds)):
        figures["abstained"] = {
            label: {kind: abstentions(run, kind) for kind in (None, *run.settings.kinds)}
            for label, (run, _) in asked.items()
        }
    return figures


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


@dataclass(frozen=True)
class PromptSpread:
    """The lowest and the highest accuracy over a number of prompts."""

    low: float
    high: float
    prompts: int


def prompt_spreads(runs: Sequence[Run]) -> list[PromptSpread | None]:
    """For each run, how much the wording of the question matters: the range of accuracies over the model's prompts.

    None if the model was not prompted, or with one prompt only. Prompts that do not fit all items do not count.
    """

    def key(run: Run) -> tuple[str, ...] | None:
        settings = run.settings
        if settings.scoring.partition("-")[0] != ANSWER or UNFIT in run.notes():
            return None
        return (settings.model, settings.fingerprint, run.source.name, run.source.hash, settings.readings)

    keys = [key(run) for run in runs]
    accuracies: dict[tuple[str, ...] | None, list[float]] = {}
    for run, prompted in zip(runs, keys, strict=True):
        value = run.accuracy().value
        if prompted and value is not None:
            accuracies.setdefault(prompted, []).append(value)
    groups = [accuracies.get(prompted, []) for prompted in keys]
    return [PromptSpread(min(values), max(values), len(values)) if len(values) > 1 else None for values in groups]


def _print_prompt_spreads(runs: Sequence[Run]) -> None:
    """How much the accuracy of one model varies with the prompt."""
    lines = {
        f"Accuracy of {run.settings.model} on {run.source.name} by prompt: {percent(spread.low)} to "
        f"{percent(spread.high)} over {spread.prompts} prompts": None
        for run, spread in zip(runs, prompt_spreads(runs), strict=True)
        if spread is not None
    }
    for line in lines:
        emit(line)


def _print_name_spreads(runs: Sequence[Run]) -> None:
    """How much the accuracy of each run varies with the names of people."""
    for run in runs:
        spread = name_spread(run)
        if spread is not None:
            sd = "" if spread.sd is None else f", SD {percent(spread.sd)}"
            emit(
                f"{run.settings.model}, {run.source.name}: over {counted(spread.draws, 'draw')} of names, accuracy is "
                f"{percent(spread.mean)} on average{sd}, range {percent(spread.lowest)} to {percent(spread.highest)}; "
                f"{spread.renamed} of {counted(spread.items, 'item')} renamed"
            )
        elif run.settings.renamed:
            emit(f"{run.settings.model}, {run.source.name}: nobody could be renamed")


def runs_as_json(runs: Sequence[Run], interval: str = "bootstrap") -> list[dict[str, Any]]:
    """Runs as other programs read them: each metric under its name, null if it is undefined."""
    spreads = [spread and asdict(spread) for spread in prompt_spreads(runs)]
    return [_as_json(run, interval) | {"prompts": spread} for run, spread in zip(runs, spreads, strict=True)]


def _as_json(run: Run, interval: str) -> dict[str, Any]:
    shown = ("everywhere", "json")
    results = results_of(run, interval=interval, shown=shown)
    _warn_of_failures(results)
    estimates = {(result.kind, result.metric): result.estimate for result in results}
    outcomes, skipped, spread = run.outcomes(), run.skipped(), name_spread(run)
    head = {
        "collection": run.source.name,
        "language": run.source.language,
        **identifying(run),
        "signature": run.signature,
        "seconds": round(run.seconds, 3),
        "items_per_second": round(run.scored / run.seconds, 3) if run.seconds else None,
        "accuracy": asdict(estimates.get((ORIGINAL, "accuracy")) or run.accuracy()),  # if undefined, it says why
    }
    known = [named for named in metrics() if named.shown in shown]
    by_variant = [named for named in known if named.is_by_kind or named.name == "accuracy"]
    return {
        **head,
        **{
            named.key: _or_null(estimates.get((ORIGINAL, named.name)))
            for named in known
            if not named.is_by_kind and named.key not in head
        },
        "kinds": {
            kind: {named.key: _or_null(estimates.get((kind, named.name))) for named in by_variant}
            | {"abstained": abstentions(run, kind)}
            for kind in run.settings.kinds
        },
        "subsets": {row.subset: asdict(row.estimate) for row in subset_results(run, subsets(run))},
        "abstained": abstentions(run),
        "unlabelled": sum(outcome.right is None for outcome in outcomes),
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
    for named in metrics():
        scale = 100 if named.unit == "%" else 1
        level = "by options" if callable(named.chance) else "" if named.chance is None else f"{scale * named.chance:g}"
        row = {"name": named.name, "unit": named.unit, "chance": level, "description": named.description}
        rows.append(row | {"needs": list(named.needs)} if as_json else row)
    if as_json:
        print_json(rows)
    else:
        print_rows(rows)
