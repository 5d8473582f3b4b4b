"""Whether one run is better than another, how sure that is, and what these items could have shown at all."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from itertools import combinations
from math import ceil
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.runs.naming import between, names
from winoglot.runs.pairing import Pairs, paired
from winoglot.runs.run import Run
from winoglot.runs.sentences import planning, verdict
from winoglot.statistics.intervals import Estimate, bootstrap_ratio
from winoglot.statistics.power import fewest_schemas, minimum_detectable_difference, paired_design, schemas_needed
from winoglot.statistics.significance import PValue, between_solvers, exact_mcnemar, holm

if TYPE_CHECKING:
    from collections.abc import Sequence

ALPHA = 0.05  # differences that chance shows more often than once in twenty are not told apart
DIFFERENCE = 0.05  # the difference that planning asks for unless told otherwise


@dataclass(frozen=True)
class Comparison:
    """Two runs on the items they share; differences are those of accuracy, first less second, as shares of 1."""

    first: str
    second: str
    signatures: tuple[str, str]
    kind: str | None  # of the items compared; None: the originals
    paired_by: str
    items: int
    schemas: int
    left_out: tuple[str, ...]
    accuracy_first: Estimate
    accuracy_second: Estimate
    difference: Estimate
    only_first: int  # items that only the first run has right
    only_second: int
    test: PValue  # flips whole schemas
    mcnemar: PValue  # takes items as independent
    corrected_p: float  # of `test`, after Holm where there are several comparisons
    comparisons: int  # how many were made together
    detectable: float | None  # the smallest true difference that four of five such collections would show
    wanted: float  # the difference that planning asks for
    schemas_needed: int | None  # how many schemas like these would show it
    unit: str = "schema"  # what is resampled and flipped as a whole

    @property
    def is_distinguishable(self) -> bool:
        """Whether the test tells the two runs apart."""
        return self.corrected_p <= ALPHA

    @property
    def sentence(self) -> str:
        """The outcome in words."""
        return verdict(self)

    @property
    def planning(self) -> str:
        """In words, how many schemas would show the difference asked for."""
        return planning(self)

    def as_json(self) -> dict[str, Any]:
        """Everything, for another program."""
        return asdict(self) | {"distinguishable": self.is_distinguishable, "sentence": self.sentence}

    def __str__(self) -> str:
        """Who, and the outcome."""
        return f"{self.first} and {self.second}: {self.sentence}"


@dataclass(frozen=True)
class Comparisons:
    """Several runs compared pair by pair, with the pairs that were not and why."""

    made: tuple[Comparison, ...]
    refused: tuple[tuple[str, str, str], ...] = ()  # two names and the reason
    passed_over: int = 0  # pairs between which another of the runs stands


def compare(first: Run, second: Run, *, kind: str | None = None, difference: float = DIFFERENCE) -> Comparison:
    """Compare two runs on the same items, or on items that are translations of each other (by `parallel_id`).

    The test swaps the two runs' answers in whole schemas; the interval draws whole schemas; an abstention is not right.
    `kind` compares variants instead of originals; `difference` is what planning asks for. Runs that share no items, or
    that saw them in different versions, are an input error.
    """
    for one in (first, second):
        if not isinstance(one, Run):
            remedy = "Give what winoglot.evaluate() returned; winoglot.runs.store.load_run(Path) reads one from disk."
            raise InputError(f"{one!r} is no run", remedy=remedy)
    return _compared((first, second), paired(first, second, kind), kind, difference, 1)


def compare_all(runs: Sequence[Run], *, kind: str | None = None, difference: float = DIFFERENCE) -> Comparisons:
    """Compare runs pair by pair, with Holm's correction over all the tests made.

    Two runs between which a third one stands are passed over: of two models with two scorings each, models are compared
    within a scoring and scorings within a model. What may not be compared is listed with the reason; where nothing may,
    the first reason is the error.
    """
    if len(runs) < 2:
        raise InputError("there is only one run" if runs else "there are no runs", remedy="Name at least two.")
    called = names(runs)
    all_pairs = list(combinations(range(len(runs)), 2))
    chosen = [(i, j) for i, j in all_pairs if not any(between(run, runs[i], runs[j]) for run in runs)]
    shared: dict[tuple[int, int], Pairs] = {}
    refused: dict[tuple[int, int], InputError] = {}
    for i, j in chosen:
        try:
            shared[i, j] = paired(runs[i], runs[j], kind)
        except InputError as error:
            refused[i, j] = error
    if not shared:
        raise next(iter(refused.values()))
    made = [
        replace(_compared((runs[i], runs[j]), pairs, kind, difference, len(shared)), first=called[i], second=called[j])
        for (i, j), pairs in shared.items()
    ]
    corrected = holm([one.test.value for one in made])
    return Comparisons(
        made=tuple(replace(one, corrected_p=p) for one, p in zip(made, corrected, strict=True)),
        refused=tuple((called[i], called[j], error.message) for (i, j), error in refused.items()),
        passed_over=len(all_pairs) - len(chosen),
    )


def _compared(runs: tuple[Run, Run], pairs: Pairs, kind: str | None, difference: float, comparisons: int) -> Comparison:
    if not 0 < difference <= 1:
        raise InputError(
            f"no two runs can differ by {100 * difference:g} points", remedy="Ask for a difference between 0 and 100."
        )
    first, second = pairs.right
    ones = [1.0] * len(first)
    differences = [a - b for a, b in zip(first, second, strict=True)]
    test = between_solvers(first, second, pairs.schemas, unit=pairs.unit)
    called = names(runs)
    detectable, needed = _power(pairs, difference, 1 - ALPHA / comparisons)
    return Comparison(
        first=called[0],
        second=called[1],
        signatures=(runs[0].signature, runs[1].signature),
        kind=kind,
        paired_by=pairs.by,
        items=len(first),
        schemas=len(set(pairs.schemas)),
        left_out=pairs.left_out,
        accuracy_first=bootstrap_ratio(first, ones, pairs.schemas, unit=pairs.unit),
        accuracy_second=bootstrap_ratio(second, ones, pairs.schemas, unit=pairs.unit),
        difference=bootstrap_ratio(differences, ones, pairs.schemas, bounds=(-1.0, 1.0), unit=pairs.unit),
        only_first=sum(one > 0 for one in differences),
        only_second=sum(one < 0 for one in differences),
        test=test,
        mcnemar=exact_mcnemar(first, second),
        corrected_p=test.value,
        comparisons=comparisons,
        detectable=detectable,
        wanted=difference,
        schemas_needed=needed,
        unit=pairs.unit,
    )


def _power(pairs: Pairs, difference: float, level: float) -> tuple[float | None, int | None]:
    """The minimum detectable difference, and the schemas that the difference asked for needs.

    Of several comparisons each gets its part of the error rate, which is cautious: Holm gives most of them more.
    However alike the schemas come out, a test needs so many of them to tip the same way, each by an item at least.
    """
    if len(pairs.first) < 2:
        return None, None
    design = paired_design(*pairs.right, pairs.schemas)
    detectable = minimum_detectable_difference(design, len(set(pairs.schemas)), level=level)
    fewest = fewest_schemas(level)
    if detectable is not None:
        detectable = min(1.0, max(detectable, fewest / len(pairs.first)))
    tipping = ceil(fewest / (difference * design.items_per_schema) - 1e-9)
    return detectable, max(schemas_needed(design, difference, level=level), tipping)
