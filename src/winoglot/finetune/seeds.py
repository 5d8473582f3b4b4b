"""What fine-tuned models answer, over the seeds of a configuration.

A configuration is all that was declared about a fine-tuning except the seed. Its figures are means over its seeds and
the items, with intervals over seeds and schemas (`statistics/crossed.py`): both are samples. With one seed they are
intervals over schemas, as everywhere.

A seed has failed if its loss became no number, so that there is no model, or if its held-out accuracy is not above
chance. Figures include failed seeds that have a model; `without_failed` is the same without them, to be shown beside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from winoglot.examples import Outcomes
from winoglot.languages.readings import naive_readings
from winoglot.languages.rewriting import CONSTRUCTIONS, constructions
from winoglot.metrics.accuracy import pairs
from winoglot.metrics.base import labelled, wordings
from winoglot.metrics.robustness import SWITCHED, changes
from winoglot.metrics.twins import twins
from winoglot.runs.run import Run
from winoglot.statistics.crossed import crossed_mean
from winoglot.statistics.intervals import Estimate, bootstrap_ratio

if TYPE_CHECKING:
    from winoglot.schemas.model import Collection, Item

    Cases = Mapping[str, tuple[str, float]]  # by id, the schema and the value


@dataclass(frozen=True)
class TunedSeed:
    """One fine-tuning of a configuration: what it held out, and its runs."""

    name: str
    seed: int
    runs: tuple[Run, ...] = ()
    items: int = 0  # learnt from
    held_out: int = 0
    accuracy: float | None = None  # on what was held out
    chance: float = 0.5  # there
    steps: int = 0
    best_step: int = 0  # whose weights were kept
    tokens: int = 0
    seconds: float = 0.0
    missing: str = ""  # why there is no model

    @property
    def failure(self) -> str:
        """Why it counts as failed; empty if it does not."""
        if self.missing or not self.held_out or self.accuracy is None:
            return self.missing
        return "" if self.accuracy > self.chance else f"held-out accuracy {100 * self.accuracy:.1f}%, not above chance"

    def run_on(self, column: TestCell) -> Run | None:
        """Its run on a collection."""
        return next((run for run in self.runs if TestCell.of(run) == column), None)


@dataclass(frozen=True)
class TestCell:
    """A collection as it was asked."""

    collection: str
    scoring: str
    readings: str

    @classmethod
    def of(cls, run: Run) -> TestCell:
        """That of a run."""
        return cls(run.source.name, run.settings.scoring, run.settings.readings)


@dataclass(frozen=True)
class Configuration:
    """A fine-tuning as it was declared, with its seeds; `base` are the runs of the model that it started from."""

    name: str
    entry: str  # the same for all sizes and controls
    data: tuple[str, ...]
    seeds: tuple[TunedSeed, ...]
    size: int | None = None
    control: str = ""
    base: tuple[Run, ...] = ()
    _known: dict[tuple[Any, ...], Estimate] = field(default_factory=dict, repr=False, compare=False)

    @property
    def failed(self) -> tuple[TunedSeed, ...]:
        """The seeds that count as failed."""
        return tuple(one for one in self.seeds if one.failure)

    @property
    def without_failed(self) -> Configuration:
        """The same without failed seeds."""
        return replace(self, seeds=tuple(one for one in self.seeds if not one.failure), _known={})

    @cached_property
    def items(self) -> int:
        """How many items were learnt from, on average."""
        known = [one.items for one in self.seeds if one.items]
        return round(sum(known) / len(known)) if known else self.size or 0

    def asked_on(self) -> list[TestCell]:
        """What its seeds were asked."""
        return list(dict.fromkeys(TestCell.of(run) for one in self.seeds for run in one.runs))

    def runs(self, column: TestCell) -> list[Run]:
        """Of each seed with a model, the run on a collection."""
        return [run for one in self.seeds if (run := one.run_on(column)) is not None]

    def kinds(self, column: TestCell) -> tuple[str, ...]:
        """The kinds of variants that were asked."""
        return tuple(dict.fromkeys(kind for run in self.runs(column) for kind in run.kinds))

    def estimate(self, measure: str, on: TestCell, kind: str | None = None) -> Estimate:
        """A measure of `MEASURES` over seeds and schemas."""
        return self._once(False, measure, on, kind)

    def change(self, measure: str, on: TestCell, kind: str | None = None) -> Estimate:
        """The measure minus that of the model it started from, on the same items."""
        return self._once(True, measure, on, kind)

    def _once(self, is_change: bool, measure: str, on: TestCell, kind: str | None) -> Estimate:
        key = (is_change, measure, on, kind)
        if key not in self._known:  # tables, figures and curves show the same numbers
            self._known[key] = (self._changed if is_change else self._estimated)(MEASURES[measure], on, kind)
        return self._known[key]

    def _estimated(self, measure: SeedMeasure, on: TestCell, kind: str | None) -> Estimate:
        return over_seeds([measure.cases(run, kind) for run in self.runs(on)], measure.bounds)

    def _changed(self, measure: SeedMeasure, on: TestCell, kind: str | None) -> Estimate:
        base = next((run for run in self.base if TestCell.of(run) == on), None)
        if base is None:
            return Estimate.undefined("the model that it started from was not asked")
        before = measure.cases(base, kind)
        found = []
        for run in self.runs(on):
            after = measure.cases(run, kind)
            common = [name for name in after if name in before]
            found.append({name: (after[name][0], after[name][1] - before[name][1]) for name in common})
        low, high = measure.bounds
        return over_seeds(found, (low - high, high - low))


def over_seeds(found: Sequence[Cases], bounds: tuple[float, float] = (0.0, 1.0)) -> Estimate:
    """The mean over seeds and items; `n` counts the items.

    >>> print(over_seeds([{"a.0": ("a", 1.0), "b.0": ("b", 0.0), "c.0": ("c", 1.0)}]))
    0.667 [0.000, 1.000], n=3, BCa over 3 schemas, one seed
    """
    rows = [(seed, *case) for seed, cases in enumerate(found) for case in cases.values()]
    n = len({name for cases in found for name in cases})
    if not rows:
        return Estimate.undefined("no model, or no such items")
    seeds, schemas, values = zip(*rows, strict=True)
    if len(found) == 1:
        made = bootstrap_ratio(values, [1.0] * len(values), schemas, bounds=bounds)
        return replace(made, method=f"{made.method}, one seed")
    return replace(crossed_mean(values, seeds, schemas, unit="seed", bounds=bounds), n=n)


@dataclass(frozen=True)
class SeedMeasure:
    """A figure that is a mean over cases: what the cases of a run are, and between what their values lie."""

    title: str
    cases: Callable[[Outcomes, str | None], Cases]
    bounds: tuple[float, float] = (0.0, 1.0)
    by_kind: bool = False


def _cases(found: Iterable[Any], value: Callable[[Any], Any]) -> Cases:
    return {case.example.id: (case.example.cluster, float(value(case))) for case in found}


def _accuracy(run: Outcomes, kind: str | None) -> Cases:
    return _cases(labelled(run, kind).cases, lambda one: bool(one.right))


def _pairs(run: Outcomes, kind: str | None) -> Cases:
    return _cases(pairs(run, kind).cases, lambda one: all(outcome.right for outcome in one.outcomes))


def _twins(run: Outcomes, kind: str | None) -> Cases:
    return _cases(twins(run, kind).cases, lambda one: one.first.right and one.second.right)


def _consistency(run: Outcomes, kind: str | None) -> Cases:
    return _cases(changes(run, kind or SWITCHED, "flips").two_way().cases, lambda one: not one.is_same)


def _stability(run: Outcomes, kind: str | None) -> Cases:
    """Of one kind or, pooled, of all that keep the answer."""
    kinds = [kind] if kind else wordings(run)
    return _cases((case for each in kinds for case in changes(run, each, "keeps").cases), lambda one: one.is_same)


def _delta(run: Outcomes, kind: str | None) -> Cases:
    both = [one for one in changes(run, kind).cases if None not in (one.original.right, one.variant.right)]
    return _cases(both, lambda one: bool(one.variant.right) - bool(one.original.right))


MEASURES = {
    "accuracy": SeedMeasure("Accuracy", _accuracy),
    "pair-accuracy": SeedMeasure("Pair accuracy", _pairs),
    "twin-accuracy": SeedMeasure("Twin accuracy", _twins),
    "consistency": SeedMeasure("Consistency", _consistency),
    "stability": SeedMeasure("Stability", _stability),
    "delta-accuracy": SeedMeasure("Change of accuracy", _delta, (-1.0, 1.0), by_kind=True),
}


@dataclass(frozen=True)
class ConstructionShares:
    """How often passives and relative clauses occur in the items of a collection, by name."""

    items: int
    shares: Mapping[str, Estimate]


def construction_shares(collection: Collection) -> ConstructionShares | None:
    """By the rules of the language, in texts with the right candidate in place of a gap; None if it has no rules.

    docs/experiments.md says how often the rules are right.
    """
    found = [(item.schema_id, text) for item in collection.items if (text := _filled(item))]
    made = [(schema, constructions(text, collection.language)) for schema, text in found]
    if not made or made[0][1] is None:
        return None
    schemas, ones = [schema for schema, _ in made], [1.0] * len(made)
    shares = {
        name: bootstrap_ratio([float(name in (own or ())) for _, own in made], ones, schemas) for name in CONSTRUCTIONS
    }
    return ConstructionShares(len(made), shares)


def _filled(item: Item) -> str:
    if item.text is not None and item.pronoun_form != "blank":
        return item.text
    readings = naive_readings(item)
    return readings[item.answer].text if item.answer is not None and item.answer < len(readings) else ""
