"""The results of an experiment: every estimate of its runs, published numbers, comparisons, seeds of tuned models."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any

from winoglot.analysis.analyse import RESULT
from winoglot.errors import InputError
from winoglot.experiment.plan import analysis_folder
from winoglot.files import as_csv, parse_json
from winoglot.finetune.seeds import Configuration, TunedSeed, construction_shares
from winoglot.metrics.base import estimates, metric
from winoglot.metrics.subsets import subsets
from winoglot.report.tuning import TuningReport
from winoglot.runs.comparing import compare_all
from winoglot.runs.display import comparison_row

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from winoglot.examples import Outcomes
    from winoglot.experiment.file import Experiment, Published
    from winoglot.experiment.plan import Plan
    from winoglot.experiment.tuning import PlannedTuning
    from winoglot.runs.comparing import Comparisons
    from winoglot.runs.run import Run
    from winoglot.statistics.intervals import Estimate

MEASURED = "measured"
_SHOWN = ("accuracy", "pair-accuracy", "consistency")  # of fine-tuned models, if no metrics are asked for
_WHO = ("model", "scoring", "readings")  # what a row of the table is about, on a collection


@dataclass(frozen=True)
class Result:
    """A number: an estimate of a run, or a published one, which has no more than its value and source."""

    collection: str
    model: str
    scoring: str
    readings: str
    kind: str  # of variants; empty for the originals
    subset: str  # empty for all items
    metric: str
    unit: str
    value: float
    low: float | None = None
    high: float | None = None
    n: int | None = None
    abstained: int | None = None
    method: str = ""
    source: str = MEASURED

    @property
    def figure(self) -> str:
        """The column of the table that it belongs to; one that names no metric is accuracy.

        >>> Result("pt", "first", "", "", "switched", "", "accuracy", "%", 0.5).figure
        'on switched'
        """
        part = ", ".join(filter(None, (self.kind, self.subset)))
        title = "" if part and self.metric == "accuracy" else metric(self.metric).title
        return " on ".join((title, part)).strip() if part else title

    @property
    def text(self) -> str:
        """The number with its interval, in the metric's unit.

        >>> Result("pt", "LSTM", "full", "", "", "", "accuracy", "%", 0.4801, source="a paper").text
        '48.0'
        """
        scale, digits = (100, 1) if self.unit == "%" else (1, 3)
        if self.low is None or self.high is None:
            return f"{scale * self.value:.{digits}f}"
        limits = (f"{scale * limit:.{digits - 1 if scale == 100 else digits}f}" for limit in (self.low, self.high))
        return f"{scale * self.value:.{digits}f} [{', '.join(limits)}]"


def results_of(
    experiment: Experiment, runs: Iterable[Run], configurations: Iterable[Configuration] = ()
) -> list[Result]:
    """The estimates that the experiment asks for, run by run, of fine-tuned models over seeds; then published ones."""
    measured = [one for run in runs for one in _measured(experiment, run)]
    tuned = [one for each in configurations for one in _over_seeds(experiment, each)]
    return [*measured, *tuned, *map(_published, experiment.published)]


def _over_seeds(experiment: Experiment, one: Configuration) -> Iterator[Result]:
    """Those of the wanted metrics that are means over items, of the originals and of each kind of variant."""
    wanted = [name for name in experiment.metrics or _SHOWN if metric(name).cases is not None]
    for column in one.asked_on():
        runs = one.runs(column)
        for kind in (None, *one.kinds(column)):
            for name in wanted if kind is None or experiment.metrics else ("accuracy",):
                if name != "accuracy" and metric(name).is_by_kind != (kind is not None):
                    continue
                made = _result(runs[0], runs[0], name, one.estimate(name, column, kind), kind=kind or "")
                if made is not None:
                    abstained = sum(outcome.choice is None for run in runs for outcome in run.outcomes(kind))
                    # `n` counts items, whatever the number of seeds
                    yield replace(made, model=one.name, abstained=round(abstained / len(runs)))


def _measured(experiment: Experiment, run: Run) -> list[Result]:
    """The estimates of the originals, of each kind of variant, and of the subsets of the originals."""
    found = [_result(run, run, name, estimate) for name, estimate in _estimates(run, experiment.metrics).items()]
    for kind in run.settings.kinds:
        own = estimates(run, kind, shown=("everywhere", "report", "json"))
        wanted = experiment.metrics or ("accuracy",)
        found += [_result(run, run, name, own[name], kind=kind) for name in wanted if name in own]
    parts = subsets(run)
    for name in experiment.subsets:
        if name in parts:
            found.append(_result(run, parts[name], "accuracy", metric("accuracy").of(parts[name]), subset=name))
    return [one for one in found if one is not None]


def _result(
    run: Run, part: Outcomes, name: str, estimate: Estimate, *, kind: str = "", subset: str = ""
) -> Result | None:
    """An estimate of a part of a run; None if it is undefined."""
    if estimate.value is None:
        return None
    settings = run.settings
    return Result(
        collection=run.source.name,
        model=settings.model,
        scoring=settings.scoring,
        readings=settings.readings,
        kind=kind,
        subset=subset,
        metric=name,
        unit=metric(name).unit,
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        n=estimate.n,
        abstained=sum(one.choice is None for one in part.outcomes(kind or None)),
        method=estimate.method,
    )


def _estimates(run: Run, wanted: Sequence[str]) -> Mapping[str, Estimate]:
    """The metrics asked for or, if none is, those of the table that `winoglot evaluate` prints."""
    if not wanted:
        return estimates(run)
    chosen = [one for one in map(metric, wanted) if not one.is_by_kind]
    return {one.name: one.of(run) for one in chosen if not one.lacks(run)}


def _published(one: Published) -> Result:
    given = {name: value for name, value in asdict(one).items() if name != "label"}
    return Result(model=one.label, unit=metric(one.metric).unit, **given)


def table(results: Sequence[Result]) -> list[dict[str, str]]:
    """One row per collection and solver, published ones after the measured, and one column per figure.

    `n` and `abstained` are those of the accuracy on all originals.
    """
    figures = dict.fromkeys(one.figure for one in results)
    places = list(dict.fromkeys(one.collection for one in results))
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    for one in sorted(results, key=lambda one: (places.index(one.collection), one.source != MEASURED)):
        head = {"collection": one.collection, **{name: getattr(one, name) for name in _WHO}}
        empty = dict.fromkeys(("n", "abstained", *figures), "")
        row = rows.setdefault((*head.values(), one.source), {**head, **empty, "source": one.source})
        row[one.figure] = one.text
        if one.n is not None and (one.metric, one.kind, one.subset) == ("accuracy", "", ""):
            row |= {"n": str(one.n), "abstained": str(one.abstained)}
    used = {name for row in rows.values() for name, cell in row.items() if cell}
    return [{name: cell for name, cell in row.items() if name in used} for row in rows.values()]


def results_csv(results: Sequence[Result]) -> str:
    """One line per number. Percentages are fractions of 1, as everywhere but in tables for people."""
    return as_csv([asdict(one) for one in results], [one.name for one in fields(Result)])


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
    """One line per comparison."""
    rows = [comparison_row(one) | {"sentence": one.sentence} for one in comparisons.made]
    return as_csv(rows, list(rows[0]))


# Fine-tuned models


def tuning_report(plan: Plan, runs: Mapping[str, Run]) -> TuningReport:
    """Everything that the report of fine-tuned models shows; `runs` are all runs of the experiment."""
    tunings = plan.tunings
    untuned = tuple(run for run in runs.values() if run.settings.model not in tunings)
    groups: dict[str, list[PlannedTuning]] = {}
    for one in tunings.values():
        groups.setdefault(one.asked.configuration, []).append(one)
    data = {one.name: one for own in plan.learnt.values() for one in own}
    shares = {name: found for name, one in data.items() if (found := construction_shares(one)) is not None}
    return TuningReport(
        tuple(_configuration(plan, own, runs, untuned) for own in groups.values()),
        untuned,
        shares,
        list(_analysed(plan)),
        {name: _learnt_from(one, tunings) for name, one in tunings.items()},
    )


def _configuration(
    plan: Plan, own: list[PlannedTuning], runs: Mapping[str, Run], untuned: tuple[Run, ...]
) -> Configuration:
    first = own[0]
    base = next(one.name.address for one in plan.models if one.name.name == first.name)
    return Configuration(
        name=first.asked.configuration,
        entry=first.asked.entry,
        data=tuple(one.name for one in first.data),
        seeds=tuple(_seed(one, runs) for one in own),
        size=first.asked.size,
        control=first.asked.control,
        base=tuple(run for run in untuned if run.settings.asked_model.address == base),
    )


def _seed(one: PlannedTuning, runs: Mapping[str, Run]) -> TunedSeed:
    known = one.record()
    own = tuple(run for run in runs.values() if run.settings.model == one.name)
    if "ended" not in known:
        missing = f"no model: {known['diverged']}" if "diverged" in known else "no model yet"
        return TunedSeed(one.name, one.asked.seed, own, missing=missing)
    ended: dict[str, Any] = known["ended"]
    return TunedSeed(
        name=one.name,
        seed=one.asked.seed,
        runs=own,
        items=ended["learnt"]["items"],
        held_out=ended["learnt"]["held_out"],
        accuracy=ended["accuracy"],
        chance=_guessing_on(one),
        steps=ended["steps"],
        best_step=ended["best_step"],
        tokens=ended["tokens"],
        seconds=ended["seconds"],
        missing="" if own else "no answers yet",
    )


def _guessing_on(one: PlannedTuning) -> float:
    """The accuracy of guessing on the held-out items, if they are like the others."""
    items = [item for collection in one.data for item in collection.items if item.answer is not None]
    return sum(1 / len(item.candidates) for item in items) / len(items) if items else 0.5


def _learnt_from(one: PlannedTuning, tunings: Mapping[str, PlannedTuning]) -> set[str]:
    """The names of the collections that a model, or one that it started from, was fine-tuned on."""
    before = _learnt_from(tunings[one.asked.after], tunings) if one.asked.after else set()
    return {collection.name for collection in one.data} | before


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
