"""The results of an experiment: every estimate of its runs, published numbers, comparisons, seeds of tuned models."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from winoglot.analysis.analyse import RESULT
from winoglot.errors import InputError
from winoglot.experiment.collection_jobs import analysis_folder
from winoglot.files import as_csv, parse_json
from winoglot.finetune.seeds import Configuration, TunedSeed, construction_shares
from winoglot.metrics.base import metric
from winoglot.report.tuning import TuningReport
from winoglot.runs.comparing import compare_all
from winoglot.runs.display import comparison_row
from winoglot.runs.results import MEASURED, Result, cell_with_n, published_value, results_of, subset_results
from winoglot.schemas.model import ORIGINAL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from winoglot.experiment.collection_jobs import CollectionJob
    from winoglot.experiment.file import Experiment, Published
    from winoglot.experiment.plan import Plan
    from winoglot.runs.comparing import Comparisons
    from winoglot.runs.run import Run

_SHOWN = ("accuracy", "pair-accuracy", "consistency")  # of fine-tuned models, if no metrics are asked for
_WHO = ("model", "scoring", "readings")  # what a row of the table is about, on a collection
_COLUMNS = (
    *("collection", "model", "scoring", "readings", "kind", "subset", "metric", "unit"),
    *("value", "low", "high", "n", "abstained", "method", "source"),
)


def results_of_experiment(
    experiment: Experiment, runs: Iterable[Run], configurations: Iterable[Configuration] = ()
) -> list[Result]:
    """The estimates that the experiment asks for, run by run, of fine-tuned models over seeds; then published ones.

    If it names no metrics, they are those that `winoglot evaluate` prints, and of variants the accuracy.
    """
    rows: list[Result] = []
    for run in runs:
        rows += results_of(run, metrics=experiment.metrics)
        rows += subset_results(run, experiment.subsets)
    for configuration in configurations:
        rows += configuration.results(experiment.metrics or _SHOWN)
    if not experiment.metrics:
        rows = [row for row in rows if row.kind == ORIGINAL or row.metric == "accuracy"]
    return [*(row for row in rows if row.value is not None), *map(_published, experiment.published)]


def _published(number: Published) -> Result:
    about = asdict(number) | {"kind": number.kind or ORIGINAL}
    label, value = about.pop("label"), about.pop("value")
    return Result(model=label, language="", estimate=published_value(value), **about)


def described(result: Result) -> dict[str, Any]:
    """A result as the files and the JSON of an experiment have it: flat, and without a kind for the originals.

    Percentages are fractions of 1, as everywhere but in tables for people.
    """
    kind = "" if result.kind == ORIGINAL else result.kind
    return {name: kind if name == "kind" else getattr(result, name) for name in _COLUMNS}


def figure_title(result: Result) -> str:
    """The column of the table that a result belongs to; one that names no metric is accuracy.

    >>> figure_title(Result("first", "pt", "pt", "", "", "accuracy", published_value(0.5), "switched"))
    'on switched'
    """
    part = ", ".join(name for name in (result.kind, result.subset) if name not in ("", ORIGINAL))
    title = "" if part and result.metric == "accuracy" else metric(result.metric).title
    return " on ".join((title, part)).strip() if part else title


def table(results: Sequence[Result]) -> list[dict[str, str]]:
    """One row per collection and solver, published ones after the measured, and one column per figure.

    `n` and `abstained` are those of the accuracy on all originals; a figure with another n has it in its cell.
    """
    figures = dict.fromkeys(map(figure_title, results))
    places = list(dict.fromkeys(result.collection for result in results))
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    sizes = {_row_key(result): result.n for result in results if _is_accuracy(result)}
    for result in sorted(results, key=lambda result: (places.index(result.collection), result.source != MEASURED)):
        head = {"collection": result.collection, **{name: getattr(result, name) for name in _WHO}}
        empty = dict.fromkeys(("n", "abstained", *figures), "")
        row = rows.setdefault(_row_key(result), {**head, **empty, "source": result.source})
        row[figure_title(result)] = cell_with_n(result, sizes.get(_row_key(result)))
        if result.n is not None and _is_accuracy(result):
            row |= {"n": str(result.n), "abstained": str(result.abstained)}
    used = {name for row in rows.values() for name, cell in row.items() if cell}
    return [{name: cell for name, cell in row.items() if name in used} for row in rows.values()]


def _row_key(result: Result) -> tuple[str, ...]:
    return (result.collection, *(getattr(result, name) for name in _WHO), result.source)


def _is_accuracy(result: Result) -> bool:
    """Whether it is the accuracy on all originals."""
    return (result.metric, result.kind, result.subset) == ("accuracy", ORIGINAL, "")


def results_csv(results: Sequence[Result]) -> str:
    """The results as CSV, one line per number."""
    return as_csv([described(result) for result in results], _COLUMNS)


def as_markdown(rows: Sequence[Mapping[str, str]]) -> str:
    """A Markdown table.

    >>> print(as_markdown([{"model": "first", "accuracy": "50.0"}]))
    | model | accuracy |
    | --- | --- |
    | first | 50.0 |
    """
    lines = [list(rows[0]), ["---"] * len(rows[0]), *(list(row.values()) for row in rows)] if rows else []
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def compared(runs: Sequence[Run]) -> Comparisons | str:
    """Every two runs that differ in one respect, compared; or, in words, why none can be."""
    try:
        return compare_all(runs)
    except InputError as error:
        return str(error)


def comparisons_csv(comparisons: Comparisons) -> str:
    """The comparisons as CSV, one line per comparison."""
    rows = [comparison_row(comparison) | {"sentence": comparison.sentence} for comparison in comparisons.made]
    return as_csv(rows, list(rows[0]))


# Fine-tuned models


def tuning_report(plan: Plan, runs: Mapping[str, Run]) -> TuningReport:
    """Everything that the report of fine-tuned models shows; `runs` are all runs of the experiment."""
    tunings = plan.tunings
    untuned = tuple(run for run in runs.values() if run.settings.model not in tunings)
    groups: dict[str, list[CollectionJob]] = {}
    for tuning in tunings.values():
        groups.setdefault(tuning.tuning.configuration, []).append(tuning)
    data = {collection.name: collection for collections in plan.learnt.values() for collection in collections}
    shares = {
        name: share for name, collection in data.items() if (share := construction_shares(collection)) is not None
    }
    return TuningReport(
        tuple(_configuration(plan, members, runs, untuned) for members in groups.values()),
        untuned,
        shares,
        list(_analysed(plan)),
        {name: _learnt_from(tuning, tunings) for name, tuning in tunings.items()},
    )


def _configuration(
    plan: Plan, members: list[CollectionJob], runs: Mapping[str, Run], untuned: tuple[Run, ...]
) -> Configuration:
    first = members[0]
    base = next(model.name.address for model in plan.models if model.name.name == first.name)
    return Configuration(
        name=first.tuning.configuration,
        entry=first.tuning.entry,
        data=tuple(collection.name for collection in first.data),
        seeds=tuple(_seed(member, runs) for member in members),
        size=first.tuning.size,
        control=first.tuning.control,
        base=tuple(run for run in untuned if run.settings.asked_model.address == base),
    )


def _seed(tuning: CollectionJob, runs: Mapping[str, Run]) -> TunedSeed:
    record = tuning.record()
    tuned_runs = tuple(run for run in runs.values() if run.settings.model == tuning.name)
    if "ended" not in record:
        missing = f"no model: {record['diverged']}" if "diverged" in record else "no model yet"
        return TunedSeed(tuning.name, tuning.tuning.seed, tuned_runs, missing=missing)
    ended: dict[str, Any] = record["ended"]
    return TunedSeed(
        name=tuning.name,
        seed=tuning.tuning.seed,
        runs=tuned_runs,
        items=ended["learnt"]["items"],
        held_out=ended["learnt"]["held_out"],
        accuracy=ended["accuracy"],
        chance=_guessing_on(tuning),
        steps=ended["steps"],
        best_step=ended["best_step"],
        tokens=ended["tokens"],
        seconds=ended["seconds"],
        missing="" if tuned_runs else "no answers yet",
    )


def _guessing_on(tuning: CollectionJob) -> float:
    """The accuracy of guessing on the held-out items, if they are like the others."""
    items = [item for collection in tuning.data for item in collection.items if item.answer is not None]
    return sum(1 / len(item.candidates) for item in items) / len(items) if items else 0.5


def _learnt_from(tuning: CollectionJob, tunings: Mapping[str, CollectionJob]) -> set[str]:
    """The names of the collections that a model, or one that it started from, was fine-tuned on."""
    before = _learnt_from(tunings[tuning.tuning.after], tunings) if tuning.tuning.after else set()
    return {collection.name for collection in tuning.data} | before


def _analysed(plan: Plan) -> Iterator[dict[str, Any]]:
    """Every estimate of the measures that were taken of the models."""
    for model in plan.models:
        file = analysis_folder(plan.output, model.name.name) / RESULT
        if plan.experiment.measures and file.is_file():
            try:
                groups = parse_json(file.read_bytes())["results"]
                rows = [
                    {name: value for name, value in {**group, **row}.items() if name != "estimates"}
                    for group in groups
                    for row in group["estimates"]
                ]
            except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
                remedy = "Remove the file and run the experiment again: the model is measured anew."
                raise InputError(f"cannot be read: {error}", remedy=remedy, file=str(file)) from error
            yield from rows
