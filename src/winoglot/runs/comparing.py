"""Comparing runs: whether one is better, how certain that is, and what difference these items could detect."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from math import ceil, comb
from types import NoneType
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.errors import InputError, check_argument
from winoglot.notebook import data_frame
from winoglot.runs.pairing import Pairs, direct_pairs, names, paired
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
    from collections.abc import Iterator, Sequence

    import pandas

ALPHA = 0.05  # significance level
DIFFERENCE = 0.05  # the difference to plan for, by default


@dataclass(frozen=True, repr=False)
class Comparison:
    """Two runs on the items they share. Differences are in accuracy, first minus second, as fractions of 1."""

    first: str
    second: str
    signatures: tuple[str, str]
    kind: str | None  # of the items; None for the originals
    paired_by: str  # items, parallel ids or content
    items: int
    schemas: int
    left_out: tuple[str, ...]
    accuracy_first: Estimate
    accuracy_second: Estimate
    difference: Estimate
    only_first: int  # items that only the first run answered correctly
    only_second: int
    test: PValue  # permutation test over whole schemas
    mcnemar: PValue  # treats items as independent
    corrected_p: float  # of `test`, with Holm's correction for several comparisons
    comparisons: int  # the number of comparisons corrected for
    detectable: float | None  # the smallest true difference detected with a power of 80%
    wanted: float  # the difference to plan for
    schemas_needed: int | None  # schemas like these that would detect it
    unit: str = "schema"  # what is resampled and permuted as a whole

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
        sample = f"{counted(self.items, 'item')} in {counted(self.schemas, self.unit)}"
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
        return asdict(self) | {"distinguishable": self.is_distinguishable, "sentence": self.sentence}

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
        """A pandas data frame with one row: accuracies, difference, interval, p-values."""
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
        """A pandas data frame with one row per comparison: accuracies, difference, interval, p-values."""
        from winoglot.runs.display import comparison_row

        return data_frame([comparison_row(comparison) for comparison in self.made])


def compare(first: Run, second: Run, *, kind: str | None = None, difference: float = DIFFERENCE) -> Comparison:
    """Compare two runs on the same items, or on items that are translations of each other (by `parallel_id`).

    Runs on two files with the same sentences are compared on those, matched by content; `pairing` says so.
    The test permutes the two runs' answers by schema, the interval resamples schemas; an abstention is not correct.
    `kind` compares variants instead of originals; `difference` is the difference to plan for. Runs that share no items,
    or that saw them in different versions, are an input error.
    """
    _checked_runs((first, second), kind, difference)
    pairs = paired(first, second, kind)
    return _compare_paired((first, second), names((first, second)), pairs, kind, difference, 1)


def compare_all(runs: Iterable[Run], *, kind: str | None = None, difference: float = DIFFERENCE) -> Comparisons:
    """Compare runs pair by pair, with Holm's correction over all tests.

    Pairs with another run between them are skipped: of two models with two scorings each, models are compared within a
    scoring and scorings within a model. Pairs that cannot be compared are listed with the reason; if no pair can be
    compared, the first reason is the error.
    """
    runs = _checked_runs(runs, kind, difference)
    if len(runs) < 2:
        raise InputError("there is only one run" if runs else "there are no runs", remedy="Name at least two.")
    run_names = names(runs)
    pairs_to_compare = direct_pairs(runs)
    shared: dict[tuple[int, int], Pairs] = {}
    refused: dict[tuple[int, int], InputError] = {}
    for i, j in pairs_to_compare:
        try:
            shared[i, j] = paired(runs[i], runs[j], kind)
        except InputError as error:
            refused[i, j] = error
    if not shared:
        raise next(iter(refused.values()))
    comparisons = [
        _compare_paired((runs[i], runs[j]), (run_names[i], run_names[j]), pairs, kind, difference, len(shared))
        for (i, j), pairs in shared.items()
    ]
    corrected_p_values = holm([comparison.test.value for comparison in comparisons])
    return Comparisons(
        made=tuple(
            replace(comparison, corrected_p=p) for comparison, p in zip(comparisons, corrected_p_values, strict=True)
        ),
        refused=tuple((run_names[i], run_names[j], error.message) for (i, j), error in refused.items()),
        passed_over=comb(len(runs), 2) - len(pairs_to_compare),
    )


def _checked_runs(runs: Iterable[Run], kind: str | None, difference: float) -> list[Run]:
    check_argument(kind, (str, NoneType), "a kind of variants", "Leave it out for the originals.")
    check_argument(difference, (int, float), "a difference in accuracy", "Give a fraction, such as 0.05 for 5 points.")
    remedy = (
        "Give what winoglot.evaluate() returned, or load one from its folder with winoglot.load_run(); "
        "for more than two there is winoglot.compare_all(runs)."
    )
    checked: list[Any] = list(runs) if isinstance(runs, Iterable) and not isinstance(runs, Run | str) else [runs]
    for run in checked:
        check_argument(run, Run, "a run", remedy)
    return checked


def _compare_paired(
    runs: tuple[Run, Run],
    run_names: Sequence[str],
    pairs: Pairs,
    kind: str | None,
    difference: float,
    comparisons: int,
) -> Comparison:
    if not 0 < difference <= 1:
        message = f"runs cannot differ by {100 * difference:g} points"
        raise InputError(message, remedy="Ask for a difference between 0 and 100.")
    first, second = map(np.asarray, pairs.right)
    clusters, ones, differences = np.asarray(pairs.schemas), np.ones(len(first)), first - second
    test = between_solvers(first, second, clusters, unit=pairs.unit)
    design = paired_design(first, second, clusters) if len(first) > 1 else None
    schemas = len(set(pairs.schemas))
    detectable, needed = _power(design, schemas, difference, 1 - ALPHA / comparisons) if design else (None, None)
    return Comparison(
        first=run_names[0],
        second=run_names[1],
        signatures=(runs[0].signature, runs[1].signature),
        kind=kind,
        paired_by=pairs.by,
        items=len(first),
        schemas=schemas,
        left_out=pairs.left_out,
        accuracy_first=bootstrap_ratio(first, ones, clusters, unit=pairs.unit),
        accuracy_second=bootstrap_ratio(second, ones, clusters, unit=pairs.unit),
        difference=bootstrap_ratio(differences, ones, clusters, bounds=(-1.0, 1.0), unit=pairs.unit),
        only_first=int((differences > 0).sum()),
        only_second=int((differences < 0).sum()),
        test=test,
        mcnemar=exact_mcnemar(first, second),
        corrected_p=test.value,
        comparisons=comparisons,
        detectable=detectable,
        wanted=difference,
        schemas_needed=needed,
        unit=pairs.unit,
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
    return (
        f"{winner} is better than {loser} by {points(abs(value))}: 95% interval {signed_limits(low, high)}, "
        f"{_p(comparison)}{but}"
    )


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
    return f"with {comparison.items:,} items only differences over {size} points can be detected"


def _p(comparison: Comparison) -> str:
    if comparison.comparisons == 1:
        return f"p = {probability(comparison.test.value)}"
    return f"p = {probability(comparison.test.value)}, corrected {probability(comparison.corrected_p)}"
