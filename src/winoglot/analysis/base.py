"""What a measure of an analysis is: a function of a `Subject`, one model's run, that gives `Measurement`s.

A measure is one module of this package, found by its name, or an entry point in the group `winoglot.analysis`:

    from winoglot.analysis.base import AnalysisMeasure, Measurement, QuantityInfo

    def answered(subject):
        for kind in (ORIGINAL, *subject.kinds):
            yield Measurement("answered", subject.run.estimate("coverage", kind), kind)

    PLUGINS = {
        "coverage": AnalysisMeasure(
            "Coverage", "How many items are answered.", answered, {"answered": QuantityInfo("answered", "percent")}
        )
    }

A measure never fails because a model cannot give what it needs: it gives a measurement whose estimate is undefined and
says why. `measured_rows` calls a measure and writes down which model, collection and scoring each result is about.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from winoglot import registry
from winoglot.corpus.association import Association
from winoglot.metrics.base import wordings
from winoglot.models.base import Solver
from winoglot.perturb.base import COMPOSED
from winoglot.perturb.renamed.draws import is_draw
from winoglot.runs.results import Result, identity
from winoglot.runs.run import Run
from winoglot.runs.session import Begin, silent
from winoglot.schemas.model import ORIGINAL, Collection
from winoglot.statistics.formatting import Scale
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.examples import Outcome

ALL = "all"  # the kind of a quantity over all kinds
_FIRST = ("sensitivity", "preference", "marginal", "probability", "distribution", "representation")  # in this order


@dataclass(frozen=True, eq=False)
class Subject:
    """What is analysed: the answers of one model, or of people, to a collection and its variants."""

    run: Run
    association: Association | None = None  # by the counts of a corpus, if there are any
    is_people: bool = False
    seed: int = 0
    solver: Solver | None = None  # the model itself, unless only its answers are given
    fresh: Collection | None = None  # a collection that it cannot have read, if a measure compares with one
    begin: Begin = silent  # a measure that takes long reports its progress there

    @property
    def collection(self) -> Collection:
        """The collection, with the variants that were asked."""
        return self.run.collection

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of variants that were asked, without draws of names and without combinations of kinds."""
        return tuple(kind for kind in self.run.settings.kinds if not is_draw(kind) and COMPOSED not in kind)

    @cached_property
    def perturbations(self) -> tuple[str, ...]:
        """The kinds that keep the answer and are no controls: other wordings, which should change nothing."""
        return tuple(kind for kind in wordings(self.run) if kind in self.kinds)

    def outcomes(self, kind: str = ORIGINAL) -> Sequence[Outcome]:
        """The outcomes of the originals or of a kind of variant."""
        return self.run.outcomes(None if kind == ORIGINAL else kind)


@dataclass(frozen=True)
class Measurement:
    """One quantity of one model, for the originals or one kind, as a measure gives it.

    `parts` says which of several rows of the same quantity and kind it is (`{"order": "switched"}`); `numbers` has what
    belongs to the estimate (`{"p": 0.03}`). Where the model does not allow the measure, the estimate is undefined and
    its `method` is the reason. `measured_rows` adds what it is about, so that it becomes a `Result`.
    """

    quantity: str
    estimate: Estimate
    kind: str = ORIGINAL  # ALL: over all kinds
    parts: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, float | None] = field(default_factory=dict)


Asked: TypeAlias = "tuple[Collection, tuple[str, ...]]"  # a collection with variants, and the kinds to ask


@dataclass(frozen=True)
class QuantityInfo:
    """How a quantity is read: its name in tables, its scale, and the value at which there is nothing to see."""

    title: str
    scale: Scale = "plain"  # percent: a share; points: a difference of shares; plain: as it is
    level: float | None = None  # the value if a model guesses, or if there is no effect
    unit: str = ""  # of a plain quantity: bits, nats


@dataclass(frozen=True)
class AnalysisMeasure:
    """A measure: its title, what it says, the function, and how its quantities are read."""

    title: str
    description: str  # one line for `winoglot list measures`
    measure: Callable[[Subject], Iterable[Measurement]]
    quantities: Mapping[str, QuantityInfo] = field(default_factory=dict)
    of: Literal["model", "collection"] = "model"  # collection: it is the same for every model, and given once
    asks: Callable[[Collection, Sequence[str]], Asked] | None = None  # what to ask besides a collection's kinds
    uses_draws: bool = False  # whether it uses the items with other names
    uses_probes: bool = False  # whether it uses `run.probes`, which are collected while a model answers
    by_default: bool = True  # False: only taken if it is named; needs no kinds but those that it asks for
    compares_fresh: bool = False  # whether it needs a collection that no model has read
    items: Callable[[Subject, str], Iterable[Mapping[str, Any]]] | None = None  # of a kind, listed beside its numbers
    name: str = ""


def measures() -> list[AnalysisMeasure]:
    """All measures, built-in and from other packages, in the order of tables."""
    names = registry.names("measures")
    return [named_measure(name) for name in sorted(names, key=lambda name: (*_FIRST, name).index(name))]


def named_measure(name: str) -> AnalysisMeasure:
    """The measure of this name; an unknown name is an input error."""
    plugin = registry.load("measures", name)
    if isinstance(plugin, AnalysisMeasure):
        return replace(plugin, name=name)
    description = (plugin.__doc__ or "").strip().partition("\n")[0]
    return AnalysisMeasure(
        name.replace("-", " ").capitalize(), description, plugin.measure, name=name
    )  # only a function


def measured_rows(measure: AnalysisMeasure, subject: Subject) -> list[Result]:
    """What a measure finds about a subject, one row per quantity, kind and part."""
    subject_fields = identity(subject.run)
    if measure.of == "collection":
        subject_fields |= dict.fromkeys(("model", "scoring", "readings"), "")
    measurements: list[Measurement] = registry.call_plugin(
        f"the measure {measure.name}",
        measure.measure,
        subject,
        items=Measurement,
        expected="Measurements",
        remedy="Correct its function, or leave it out with --measures.",
    )
    return [Result(metric=row.quantity, measure=measure.name, **subject_fields, **_fields(row)) for row in measurements]


def _fields(row: Measurement) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("estimate", "kind", "parts", "numbers")}


def not_possible(
    quantities: Iterable[str], reason: str, kind: str = ORIGINAL, parts: Mapping[str, str] | None = None
) -> Iterator[Measurement]:
    """Measurements that say why there is no number."""
    for quantity in quantities:
        yield Measurement(quantity, Estimate.undefined(reason), kind, parts or {})


def no_scores(subject: Subject, kind: str = ORIGINAL) -> str:
    """Why a model's scores cannot be compared, if they cannot; "" if they can."""
    outcomes = subject.outcomes(kind)
    if not outcomes:
        return "no items of this kind were asked"
    if subject.is_people or subject.run.is_baseline:
        return f"{subject.run.settings.model} gave choices, not scores"
    if not any(outcome.scores and None not in outcome.scores for outcome in outcomes):
        return f"{subject.run.settings.model} gave no scores for both candidates"
    return ""
