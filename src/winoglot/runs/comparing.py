"""Comparing runs: whether one is better, how certain that is, and what difference these items could detect.

Runs are compared by accuracy or by any metric that is a mean over items, on the items that count in both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from math import ceil
from types import NoneType
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from winoglot.errors import InputError, check_argument
from winoglot.examples import Outcome
from winoglot.metrics.base import as_metric
from winoglot.notebook import data_frame
from winoglot.runs.pairing import Pairs, comparable_pairs, direct_pairs, names, paired
from winoglot.runs.run import Run
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import percent, points, probability, signed_limits
from winoglot.statistics.intervals import Estimate, bootstrap_ratio
from winoglot.statistics.power import (
    PairedDesign,
    fewest_schemas,
    minimum_detectable_difference,
    paired_design,
    schemas_needed,
)
from winoglot.statistics.significance import PValue, between_solvers, exact_mcnemar, holm

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas

    from winoglot.metrics.base import Metric

ALPHA = 0.05  # significance level
DIFFERENCE = 0.05  # the difference to plan for, by default
_ESTIMATES = ("estimate_first", "estimate_second")


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two runs on the items that count in both. Differences are first minus second, as fractions of 1."""

    first: str
    second: str
    signatures: tuple[str, str]
    metric: str  # what the runs are compared by: accuracy, unless another metric was named
    kind: str | None  # of the items; None for the originals
    paired_by: str  # items, parallel ids or content
    items: int
    schemas: int
    left_out: tuple[str, ...]
    estimate_first: Estimate  # of the metric, on these items; as JSON and in frames `accuracy_first`
    estimate_second: Estimate
    difference: Estimate
    only_first: int  # items for which the first run counts more: those that only it answered correctly
    only_second: int
    test: PValue  # permutation test over whole schemas
    mcnemar: PValue | None  # treats items as independent; None for a metric between right (1) and wrong (0)
    corrected_p: float  # of `test`, with Holm's correction for several comparisons
    comparisons: int  # the number of comparisons corrected for
    detectable: float | None  # the smallest true difference detected with a power of 80%
    wanted: float  # the difference to plan for
    schemas_needed: int | None  # schemas like these that would detect it
    unit: str = "schema"  # what is resampled and permuted as a whole
    case: str = "item"  # what `items` counts; for pair accuracy whole schemas

    @property
    def is_distinguishable(self) -> bool:
        """Whether the difference is significant after correction."""
        return self.corrected_p <= ALPHA

    @property
    def sentence(self) -> str:
        """The outcome in words: whether the runs differ, by how much, and what this number of items can detect."""
        return _difference_sentence(self) if self.is_distinguishable else _not_distinguishable(self)

    @property
    def disagreement(self) -> str:
        """Why the test and the interval say different things, with the sample's size; empty if they agree."""
        low, high = _limits(self)
        is_found, is_excluded = self.test.value <= ALPHA, low > 0 or high < 0
        if is_found == is_excluded:
            return ""
        sample = f"{counted(self.items, self.case)} in {counted(self.schemas, self.unit)}"
        few = f"of {sample}, only {self.only_first + self.only_second:,} distinguish the runs"
        if is_excluded:
            return f"the interval excludes 0, but {few}: with so few it is too narrow, and the test decides"
        return f"the interval includes 0; {few}, and the test decides"

    @property
    def pairing(self) -> str:
        """How items were paired and what was left out, in words."""
        how = "matched by content" if self.paired_by == "content" else f"paired by {self.paired_by.removesuffix('s')}"
        return f"{how}; left out: {', '.join(self.left_out)}" if self.left_out else how

    @property
    def planning(self) -> str:
        """How many schemas would detect the wanted difference, in words; empty if that is unknown."""
        count, difference, units = self.schemas_needed, points(self.wanted), f"{self.unit}s"
        if count is None:
            return ""
        if count <= self.schemas:
            return f"{self.schemas:,} {units} are enough to detect {difference}: about {count:,} like these suffice."
        return f"To detect {difference}, about {count:,} {units} like these are needed; there are {self.schemas:,}."

    def as_json(self) -> dict[str, Any]:
        """The comparison with its outcome in words, as JSON for other programs."""
        estimates = {side: self.metric.replace("-", "_") + side.removeprefix("estimate") for side in _ESTIMATES}
        values = asdict(self)
        return {estimates.get(field.name, field.name): values[field.name] for field in fields(self)} | {
            "distinguishable": self.is_distinguishable,
            "sentence": self.sentence,
        }

    def __str__(self) -> str:
        """The names and the outcome."""
        return f"{self.first} and {self.second}: {self.sentence}"

    def __repr__(self) -> str:
        """The names and the outcome, with what it is."""
        return f"<Comparison of {self}>"

    def _repr_html_(self) -> str:
        from winoglot.runs.display import comparisons_html

        return comparisons_html([self])

    def to_frame(self) -> pandas.DataFrame:
        """A pandas data frame with one row: values of the metric, difference, interval, p-values."""
        return Comparisons((self,)).to_frame()


@dataclass(frozen=True, repr=False)
class Comparisons:
    """Several runs compared pair by pair, and the pairs that were not, with the reason."""

    made: tuple[Comparison, ...]
    refused: tuple[tuple[str, str, str], ...] = ()  # two names and the reason
    passed_over: int = 0  # pairs that another run lies between: see `direct_pairs`

    def __len__(self) -> int:
        """The number of comparisons made."""
        return len(self.made)

    def __iter__(self) -> Iterator[Comparison]:
        """The comparisons made."""
        return iter(self.made)

    def __getitem__(self, place: int) -> Comparison:
        """The comparison at a place."""
        return self.made[place]

    def __repr__(self) -> str:
        """How many there are, and how many differences are significant."""
        significant = sum(comparison.is_distinguishable for comparison in self.made)
        counts = counted(len(self.made), "comparison"), counted(significant, "significant difference")
        return f"<Comparisons: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        from winoglot.runs.display import comparisons_html

        return comparisons_html(self.made, self.refused)

    def to_frame(self) -> pandas.DataFrame:
        """A pandas data frame with one row per comparison: values of the metric, difference, interval, p-values."""
        from winoglot.runs.display import comparison_row

        return data_frame([comparison_row(comparison) for comparison in self.made])


@overload
def compare(
    first: Run, second: Run, *, kind: str | None = ..., metric: str | Metric = ..., difference: float = ...
) -> Comparison: ...
@overload
def compare(
    first: Run,
    second: Run,
    /,
    *others: Run,
    kind: str | None = ...,
    metric: str | Metric = ...,
    difference: float = ...,
) -> Comparison | Comparisons: ...
def compare(
    first: Run,
    second: Run,
    *others: Run,
    kind: str | None = None,
    metric: str | Metric = "accuracy",
    difference: float = DIFFERENCE,
) -> Comparison | Comparisons:
    """Compare two runs on the same items, or on items that are translations of each other (by `parallel_id`).

    Runs on two files with the same sentences are compared on those, matched by content; `pairing` says so.
    The test permutes the two runs' answers by schema, the interval resamples schemas; an abstention is not correct.
    `metric` is any that is a mean over items, which are compared if they count in both runs: for `quality`, those that
    both answered. `kind` compares variants instead of originals; `difference` is the difference to plan for. Runs that
    share no items, or that saw them in different versions, are an input error. With more than two runs, such as
    `wg.compare(run, *wg.references("winoglot-pt"))`, this is `compare_all`.
    """
    if others:
        return compare_all((first, second, *others), kind=kind, metric=metric, difference=difference)
    _checked_runs((first, second), kind, difference)
    cases = _paired_cases(first, second, kind, as_metric(metric))
    return _compare_paired((first, second), names((first, second)), cases, difference, 1)


def compare_all(
    runs: Iterable[Run],
    *,
    kind: str | None = None,
    metric: str | Metric = "accuracy",
    difference: float = DIFFERENCE,
) -> Comparisons:
    """Compare runs pair by pair, with Holm's correction over all tests.

    Pairs with another run between them are skipped: of two models with two scorings each, models are compared within a
    scoring and scorings within a model. Pairs that cannot be compared are listed with the reason; if no pair can be
    compared, the first reason is the error. The options are those of `compare`.
    """
    runs, metric = _checked_runs(runs, kind, difference), as_metric(metric)
    if len(runs) < 2:
        raise InputError("there is only one run" if runs else "there are no runs", remedy="Name at least two.")
    run_names = names(runs)
    pairs_to_compare = direct_pairs(runs)
    shared: dict[tuple[int, int], _PairedCases] = {}
    refused: dict[tuple[int, int], InputError] = {}
    for i, j in pairs_to_compare:
        try:
            shared[i, j] = _paired_cases(runs[i], runs[j], kind, metric)
        except InputError as error:
            refused[i, j] = error
    if not shared:
        raise next(iter(refused.values()))
    comparisons = [
        _compare_paired((runs[i], runs[j]), (run_names[i], run_names[j]), cases, difference, len(shared))
        for (i, j), cases in shared.items()
    ]
    corrected_p_values = holm([comparison.test.value for comparison in comparisons])
    return Comparisons(
        made=tuple(
            replace(comparison, corrected_p=p) for comparison, p in zip(comparisons, corrected_p_values, strict=True)
        ),
        refused=tuple((run_names[i], run_names[j], error.message) for (i, j), error in refused.items()),
        passed_over=len(comparable_pairs(runs)) - len(pairs_to_compare),
    )


def _checked_runs(runs: Iterable[Run], kind: str | None, difference: float) -> list[Run]:
    check_argument(kind, (str, NoneType), "a kind of variants", "Leave it out for the originals.")
    check_argument(difference, (int, float), "a difference in accuracy", "Give a fraction, such as 0.05 for 5 points.")
    if not 0 < difference <= 1:
        message = f"runs cannot differ by {100 * difference:g} points"
        raise InputError(message, remedy="Ask for a difference between 0 and 100.")
    remedy = (
        "Give what winoglot.evaluate() returned, or load one from its folder with winoglot.load_run(); "
        "for more than two there is winoglot.compare_all(runs)."
    )
    checked: list[Any] = list(runs) if isinstance(runs, Iterable) and not isinstance(runs, Run | str) else [runs]
    for run in checked:
        check_argument(run, Run, "a run", remedy)
    return checked


@dataclass(frozen=True)
class _Side:
    """One of two runs with only the outcomes that are paired; a metric takes it like a run."""

    run: Run
    kind: str | None  # of the paired outcomes
    paired_outcomes: Sequence[Outcome]
    kinds: Sequence[str]

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        return self.paired_outcomes if kind == self.kind else self.run.outcomes(kind)


@dataclass(frozen=True)
class _PairedCases:
    """What a metric counts for each case in two runs, with the number of the case's cluster."""

    metric: str
    kind: str | None
    pairs: Pairs
    first: np.ndarray
    second: np.ndarray
    clusters: np.ndarray
    bounds: tuple[float, float]
    left_out: tuple[str, ...]
    case: str


def _paired_cases(first: Run, second: Run, kind: str | None, metric: Metric) -> _PairedCases:
    """The cases that count in both runs; an input error if there are none, or the metric is not a mean over items."""
    kind = kind or metric.default_kind
    if metric.cases is None:
        raise _not_by_item(metric, "it is not a mean over items")
    if metric.unit != "%":
        raise _not_by_item(metric, f"it is measured in {metric.unit}, not a share")
    if kind is None and metric.is_by_kind:
        raise InputError(f"{metric.name} is about variants", remedy="Name their kind, as in --kind relative.")
    pairs = paired(first, second, kind, labelled="labels" in metric.needs)
    kinds = [name for name in first.kinds if name in second.kinds]
    sides = [_Side(first, kind, pairs.first, kinds), _Side(second, kind, pairs.second, kinds)]
    tallies = [metric.tally(side, kind) for side in sides]
    if any(row.denominator != 1 for tally in tallies for row in tally.rows):
        raise _not_by_item(metric, "some items weigh more than others, so that none has a value of its own")
    values = [{row.id: row.numerator for row in tally.rows} for tally in tallies]
    rows = [
        (values[0][first.example.id], values[1][second.example.id], cluster)
        for first, second, cluster in zip(pairs.first, pairs.second, pairs.schemas, strict=True)
        if first.example.id in values[0] and second.example.id in values[1]
    ]
    if not rows:
        message = f"nothing counts for {metric.name} in both runs: {tallies[0].undefined}"
        raise InputError(message, remedy="Compare another metric, or runs that answered the same items.")
    in_one = sum(map(len, values)) - 2 * len(rows)
    left_out = (*pairs.left_out, f"{in_one} that count in one run only") if in_one else pairs.left_out
    case = pairs.unit if tallies[0].wilson == "clusters" else "item"
    firsts, seconds, clusters = np.array(rows, dtype=float).T
    return _PairedCases(metric.name, kind, pairs, firsts, seconds, clusters, tallies[0].bounds, left_out, case)


def _not_by_item(metric: Metric, why: str) -> InputError:
    return InputError(
        f"runs cannot be compared by {metric.name}: {why}",
        remedy="Name a metric with a value for each item, such as accuracy, quality, success or consistency.",
    )


def _compare_paired(
    runs: tuple[Run, Run], run_names: Sequence[str], cases: _PairedCases, difference: float, comparisons: int
) -> Comparison:
    first, second, clusters, unit = cases.first, cases.second, cases.clusters, cases.pairs.unit
    ones, differences = np.ones(len(first)), first - second
    low, high = cases.bounds
    span = high - low
    test = between_solvers(first, second, clusters, unit=unit)
    design = paired_design(first / span, second / span, clusters) if len(first) > 1 else None
    schemas = len(np.unique(clusters))
    detectable, needed = _power(design, schemas, difference / span, 1 - ALPHA / comparisons) if design else (None, None)
    is_right_or_wrong = cases.bounds == (0, 1) and np.isin([first, second], (0, 1)).all()
    return Comparison(
        first=run_names[0],
        second=run_names[1],
        signatures=(runs[0].signature, runs[1].signature),
        metric=cases.metric,
        kind=cases.kind,
        paired_by=cases.pairs.by,
        items=len(first),
        schemas=schemas,
        left_out=cases.left_out,
        estimate_first=bootstrap_ratio(first, ones, clusters, bounds=cases.bounds, unit=unit),
        estimate_second=bootstrap_ratio(second, ones, clusters, bounds=cases.bounds, unit=unit),
        difference=bootstrap_ratio(differences, ones, clusters, bounds=(-span, span), unit=unit),
        only_first=int((differences > 0).sum()),
        only_second=int((differences < 0).sum()),
        test=test,
        mcnemar=exact_mcnemar(first, second) if is_right_or_wrong else None,
        corrected_p=test.value,
        comparisons=comparisons,
        detectable=None if detectable is None else detectable * span,
        wanted=difference,
        schemas_needed=needed,
        unit=unit,
        case=cases.case,
    )


def _power(design: PairedDesign, schemas: int, difference: float, level: float) -> tuple[float | None, int]:
    """The minimum detectable difference, and the number of schemas needed for the wanted difference.

    Each of several comparisons gets an equal part of the error rate, which is cautious: Holm's method gives most of
    them more. Even if all schemas come out alike, the test needs `fewest_schemas` that differ by an item each.
    """
    detectable = minimum_detectable_difference(design, schemas, level=level)
    fewest = fewest_schemas(level)
    if detectable is not None:
        detectable = min(1.0, max(detectable, fewest / (schemas * design.items_per_schema)))
    fewest_needed = ceil(fewest / (difference * design.items_per_schema) - 1e-9)
    return detectable, max(schemas_needed(design, difference, level=level), fewest_needed)


def _limits(comparison: Comparison) -> tuple[float, float]:
    return comparison.difference.low or 0.0, comparison.difference.high or 0.0


def _difference_sentence(comparison: Comparison) -> str:
    (low, high), value = _limits(comparison), comparison.difference.value or 0.0
    winner, loser = comparison.first, comparison.second
    if value < 0:
        winner, loser, low, high = loser, winner, -high, -low
    but = f" ({comparison.disagreement})" if comparison.disagreement else ""
    if comparison.metric == "accuracy":
        better = f"{winner} is better than {loser}"
    else:
        better = f"{comparison.metric.replace('-', ' ')} is higher for {winner} than for {loser}"
    return f"{better} by {points(abs(value))}: 95% interval {signed_limits(low, high)}, {_p(comparison)}{but}"


def _not_distinguishable(comparison: Comparison) -> str:
    low, high = _limits(comparison)
    why = ""
    if comparison.test.value <= 0.05:
        why = f" after correction for {comparison.comparisons} comparisons ({_p(comparison)})"
    elif comparison.disagreement:
        why = f" ({_p(comparison)}; {comparison.disagreement})"
    return f"not distinguishable{why}: 95% interval {signed_limits(low, high)} points; {_showable(comparison)}"


def _showable(comparison: Comparison) -> str:
    if comparison.detectable is None:
        return f"with {counted(comparison.schemas, comparison.unit)} no difference can be detected"
    size = percent(comparison.detectable, 0 if comparison.detectable >= 0.02 else 1)
    return f"with {counted(comparison.items, comparison.case)} only differences over {size} points can be detected"


def _p(comparison: Comparison) -> str:
    if comparison.comparisons == 1:
        return f"p = {probability(comparison.test.value)}"
    return f"p = {probability(comparison.test.value)}, corrected {probability(comparison.corrected_p)}"
