"""What fine-tuned models answer, over the seeds of a configuration.

A configuration is all that was declared about a fine-tuning except the seed. Its figures are means over its seeds and
the items, with intervals over seeds and schemas (`Metric.over_seeds`): both are samples. With one seed they are
intervals over schemas, as everywhere.

A seed has failed if its loss became no number, so that there is no model, or if its held-out accuracy is not above
chance. Figures include failed seeds that have a model; `without_failed` is the same without them, to be shown beside.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from winoglot.examples import text_of
from winoglot.languages.rewriting import CONSTRUCTIONS, constructions
from winoglot.metrics.base import metric
from winoglot.runs.results import Result, abstentions, identity
from winoglot.runs.run import Run
from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.formatting import percent
from winoglot.statistics.intervals import Estimate, bootstrap_ratio

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from winoglot.schemas.model import Collection


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
        return "" if self.accuracy > self.chance else f"held-out accuracy {percent(self.accuracy)}%, not above chance"

    def run_on(self, column: Condition) -> Run | None:
        """The run of this seed under a condition; None if there is none."""
        return next((run for run in self.runs if Condition.of(run) == column), None)


@dataclass(frozen=True)
class Condition:
    """A collection, and the scoring and readings with which it was asked."""

    collection: str
    scoring: str
    readings: str

    @classmethod
    def of(cls, run: Run) -> Condition:
        """The condition of a run."""
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
    _estimates: dict[tuple[Any, ...], Estimate] = field(default_factory=dict, init=False, repr=False, compare=False)

    @property
    def failed(self) -> tuple[TunedSeed, ...]:
        """The seeds that count as failed."""
        return tuple(seed for seed in self.seeds if seed.failure)

    @property
    def without_failed(self) -> Configuration:
        """The configuration without its failed seeds."""
        return replace(self, seeds=tuple(seed for seed in self.seeds if not seed.failure))

    @cached_property
    def items(self) -> int:
        """How many items were learnt from, on average."""
        counts = [seed.items for seed in self.seeds if seed.items]
        return round(sum(counts) / len(counts)) if counts else self.size or 0

    def asked_on(self) -> list[Condition]:
        """The conditions under which its seeds were asked."""
        return list(dict.fromkeys(Condition.of(run) for seed in self.seeds for run in seed.runs))

    def runs(self, column: Condition) -> list[Run]:
        """The run on a collection of each seed that has a model."""
        return [run for seed in self.seeds if (run := seed.run_on(column)) is not None]

    def kinds(self, column: Condition) -> tuple[str, ...]:
        """The kinds of variants that were asked."""
        return tuple(dict.fromkeys(kind for run in self.runs(column) for kind in run.kinds))

    def estimate(self, name: str, on: Condition, kind: str | None = None) -> Estimate:
        """A metric over seeds and schemas; undefined for one that is not a mean over cases."""
        return self._cached_estimate(name, on, kind, is_change=False)

    def change(self, name: str, on: Condition, kind: str | None = None) -> Estimate:
        """The metric minus that of the model it started from, on the same items."""
        return self._cached_estimate(name, on, kind, is_change=True)

    def results(self, names: Sequence[str]) -> Iterator[Result]:
        """A row per metric and condition, over seeds and schemas: of the originals, then of each kind of variants."""
        for condition in self.asked_on():
            runs = self.runs(condition)
            for kind in (None, *self.kinds(condition)):
                abstained = round(sum(abstentions(run, kind) for run in runs) / len(runs))
                for name in (metric(name).name for name in names):
                    if name == "accuracy" or metric(name).is_by_kind == (kind is not None):
                        estimate = self.estimate(name, condition, kind)
                        columns = identity(runs[0]) | {"model": self.name}
                        yield Result(
                            **columns, metric=name, estimate=estimate, kind=kind or ORIGINAL, abstained=abstained
                        )

    def base_run(self, on: Condition) -> Run | None:
        """The run of the model that it started from."""
        return next((run for run in self.base if Condition.of(run) == on), None)

    def _cached_estimate(self, name: str, on: Condition, kind: str | None, *, is_change: bool) -> Estimate:
        key = (name, on, kind, is_change)
        if key not in self._estimates:  # tables, figures and curves show the same numbers
            base = self.base_run(on) if is_change else None
            if is_change and base is None:
                self._estimates[key] = Estimate.undefined("the model that it started from was not asked")
            else:
                self._estimates[key] = metric(name).over_seeds(self.runs(on), kind, base)
        return self._estimates[key]


@dataclass(frozen=True)
class ConstructionShares:
    """How often passives and relative clauses occur in the items of a collection, by name."""

    items: int
    shares: Mapping[str, Estimate]


def construction_shares(collection: Collection) -> ConstructionShares | None:
    """The shares of passives and relative clauses in a collection; None if its language has no rules for them.

    docs/experiments.md says how often the rules are right.
    """
    texts = [(item.schema_id, text) for item in collection.items if (text := text_of(item))]
    constructions_by_text = [(schema, constructions(text, collection.language)) for schema, text in texts]
    if not constructions_by_text or constructions_by_text[0][1] is None:
        return None
    schemas, ones = [schema for schema, _ in constructions_by_text], [1.0] * len(constructions_by_text)
    shares = {
        name: bootstrap_ratio([float(name in (names or ())) for _, names in constructions_by_text], ones, schemas)
        for name in CONSTRUCTIONS
    }
    return ConstructionShares(len(constructions_by_text), shares)
