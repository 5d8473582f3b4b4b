"""What a metric is, the table of all metrics, and what metrics are written with.

A metric says what it counts, in a `Tally` of cases, and has a name and what needs to be known about it:

    from winoglot.metrics.base import Metric, labelled

    def coverage(run, kind=None):
        return labelled(run, kind).tally(lambda outcome: outcome.choice is not None)

    PLUGINS = {"coverage": Metric("coverage", "Share of labelled items that are answered.", cases=coverage)}

Its estimates follow: those of a run, over schemas, and those of several seeds of a training, over seeds and schemas.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, Literal, Protocol, TypeVar

from winoglot import registry
from winoglot.errors import InputError, describe
from winoglot.examples import Example, Outcome, Outcomes
from winoglot.perturb.controls import is_control
from winoglot.statistics.intervals import Estimate
from winoglot.statistics.tally import Tally, TallyRow, over_schemas, over_seeds

INTERVALS = ("bootstrap", "wilson")
_FIRST = ("accuracy", "pair-accuracy", "consistency", "quality", "success")  # in tables, before all others
_NEEDS = ("labels", "scores", "clusters", "feature", "variants", "wordings", "no answer")
_FAILURE = "not computed: "  # how the reason begins if an outside metric fails
_NAMED = 3  # ids that a message lists


@dataclass(frozen=True)
class Metric:
    """A named estimate of a run.

    `cases` takes the run and, if it can use it, `kind` (variants of that kind instead of the originals), and returns
    the `Tally` that the metric is a share or mean of. A metric that is none (a calibration error, a standard deviation)
    has a function `estimate` instead, which may also take an `interval` (one of `INTERVALS`); there is no estimate of
    it over several seeds. `needs` says what a run must have for the metric to be computed:

        labels          examples with a known answer
        scores          a score per option
        clusters        clusters of several examples, as pairs are
        feature:NAME    examples that have this feature
        variants        a kind of variant: the metric is estimated and shown for each kind that a run has
        variants:KIND   outcomes of this kind of variant
        wordings        variants that say the same in other words: they keep the answer and are no controls
        no answer       variants that remove the answer, so that no choice is right
    """

    name: str
    description: str  # one line for `winoglot list metrics`
    estimate: Callable[..., Estimate] | None = None
    unit: str = "%"  # "%": a share, shown in percent; anything else is shown as it is, with the unit in the heading
    chance: float | Callable[[Sequence[Example]], float | None] | None = None  # what guessing gives on the examples
    needs: tuple[str, ...] = ()
    heading: str = ""  # of its column, unless that is its name
    shown: Literal["everywhere", "json", "by name"] = "everywhere"  # json: in the data but not in tables
    cases: Callable[..., Tally] | None = None

    def __post_init__(self) -> None:
        """Refuse a need that no run can be asked about, and a metric with two definitions or none."""
        if (self.estimate is None) == (self.cases is None):
            raise ValueError(f"the metric {self.name} needs cases or estimate, one of them")
        for need in self.needs:
            if need.partition(":")[0] not in _NEEDS:
                raise ValueError(f"the metric {self.name} needs {need!r}; known needs: {', '.join(_NEEDS)}")

    @property
    def key(self) -> str:
        """Its name in JSON."""
        return self.name.replace("-", "_")

    @property
    def title(self) -> str:
        """The heading of its column."""
        name = self.heading or self.name.replace("-", " ")
        return name if self.unit == "%" else f"{name} ({self.unit})"

    @property
    def label(self) -> str:
        """Its name as the title of a figure."""
        return self.name.replace("-", " ").capitalize()

    @property
    def is_by_kind(self) -> bool:
        """Whether it has an estimate for each kind of variant and none for the originals."""
        return "variants" in self.needs

    @property
    def default_kind(self) -> str | None:
        """The kind of variants that it counts unless another is named; None for the originals."""
        kind = inspect.signature(self.cases or self.estimate or len).parameters.get("kind")
        return None if kind is None or kind.default is kind.empty else kind.default

    def chance_on(self, examples: Sequence[Example]) -> float | None:
        """What guessing gives on these examples; None if the metric has no chance level."""
        return self.chance(examples) if callable(self.chance) else self.chance

    def lacks(self, run: Outcomes, kind: str | None = None) -> str:
        """The first of its needs that the run, or a kind of its variants, does not meet; "" if it meets them all."""
        return next((need for need in self.needs if not _has(run, kind, need)), "")

    def of(self, run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
        """Estimate it for a run, with the default interval if it cannot use the one asked for."""
        check_interval(interval)
        if self.estimate is None:
            return over_schemas(self.tally(run, kind), interval)
        options = {} if interval == INTERVALS[0] else {"interval": interval}
        result: Estimate | Tally = self._call(
            "estimate", (Estimate, Tally), "an Estimate or a Tally", run, kind, options
        )
        return over_schemas(result, interval) if isinstance(result, Tally) else result

    def tally(self, run: Outcomes, kind: str | None = None) -> Tally:
        """What it counts in a run; only for a metric that has `cases`."""
        tally: Tally = self._call("cases", Tally, "a Tally", run, kind, {})
        return tally

    def tally_of_seed(self, run: Outcomes, kind: str | None = None) -> Tally:
        """What it counts in one of several runs that differ in the seed.

        A metric of variants has no estimate for the originals; without a kind, all other wordings are pooled.
        """
        if kind is not None or not self.is_by_kind:
            return self.tally(run, kind)
        tallies = [self.tally(run, wording) for wording in wordings(run)]
        rows = tuple(row for tally in tallies for row in tally.rows)
        return replace(tallies[0], rows=rows) if tallies else Tally(())

    def over_seeds(self, runs: Sequence[Outcomes], kind: str | None = None, base: Outcomes | None = None) -> Estimate:
        """Estimate it over seeds and schemas, for runs that differ in the seed.

        With `base`, the run of a model that they started from, it is the change from there, on the same cases.
        """
        if self.cases is None:
            return Estimate.undefined(f"{self.name} is not a mean over cases, so it has no estimate over seeds")
        tallies = [self.tally_of_seed(run, kind) for run in runs]
        if base is not None:
            base_tally = self.tally_of_seed(base, kind)
            tallies = [tally.minus(base_tally) for tally in tallies]
        return over_seeds(tallies)

    def _call(
        self,
        role: str,
        returns: type | tuple[type, ...],
        expected: str,
        run: Outcomes,
        kind: str | None,
        options: dict[str, Any],
    ) -> Any:
        """Call one of its functions with the arguments that it takes; what goes wrong there names the metric."""
        function = getattr(self, role)
        takes = inspect.signature(function).parameters
        if kind is not None and "kind" not in takes:
            raise InputError(f"the metric {self.name} cannot be restricted to a kind", remedy="Leave the kind out.")
        arguments = {name: value for name, value in options.items() if name in takes}
        if kind is not None:
            arguments["kind"] = kind
        return registry.call_plugin(
            f"the metric {self.name}",
            function,
            run,
            returns=returns,
            expected=expected,
            remedy="Correct its function, which returns something like labelled(run).share(…): see docs/extend.md.",
            **arguments,
        )


def _has(run: Outcomes, kind: str | None, need: str) -> bool:
    outcomes = run.outcomes(kind)
    match need.split(":"):
        case ["labels"]:
            return any(outcome.right is not None for outcome in outcomes)
        case ["scores"]:
            return any(outcome.scores for outcome in outcomes)
        case ["clusters"]:
            return len({outcome.example.cluster for outcome in outcomes}) < len(outcomes)
        case ["feature", named]:
            return any(outcome.example.features.get(named) for outcome in outcomes)
        case ["no answer"]:
            return {outcome.example.effect for outcome in outcomes} == {"removes"}
        case ["wordings"]:
            return bool(wordings(run))
        case ["variants", named]:
            return bool(run.outcomes(named))
        case _:
            return kind is not None and bool(outcomes)


def metric(name: str) -> Metric:
    """The metric of this name, with `-` or `_`; an unknown name is an input error.

    >>> metric("pair_accuracy").description
    'Share of schemas (or other clusters) whose items are all answered correctly.'
    """
    if "_" in name and name not in registry.names("metrics"):
        name = name.replace("_", "-")
    if name not in registry.names("metrics"):
        for other in metrics():
            if name == other.heading:
                message = f"there is no metric {name!r}: that column is {other.name}"
                raise InputError(message, remedy=f"Write {other.name}.")
    plugin = registry.load("metrics", name)
    if isinstance(plugin, Metric):
        return replace(plugin, name=name)
    roles = {role: function for role in ("estimate", "cases") if (function := getattr(plugin, role, None)) is not None}
    texts = (inspect.getdoc(documented) for documented in (*roles.values(), plugin))
    description = next(filter(None, texts), "").partition("\n")[0]
    return Metric(name, description, **roles)  # a module with no more than the function


def as_metric(given: object) -> Metric:
    """A metric by its name, a `Metric`, or a function that takes a run; anything else is an input error.

    >>> as_metric("accuracy").name, as_metric(lambda run: Estimate.undefined("no cats")).description
    ('accuracy', 'a metric of your own')
    """
    if isinstance(given, Metric):
        return given
    if isinstance(given, str):
        return metric(given)
    try:
        takes = inspect.signature(given) if callable(given) and not inspect.isclass(given) else None
    except ValueError:  # some built-in functions have none
        takes = None
    if not callable(given) or takes is None or not takes.parameters:
        raise InputError(
            f"expected a metric, found {describe(given)}",
            remedy='Give its name ("accuracy"; winoglot list metrics), a Metric, or a function that takes a run.',
        )
    return Metric(getattr(given, "__name__", type(given).__name__), "a metric of your own", given)


def metrics() -> list[Metric]:
    """All metrics, built-in and from other packages, in the order in which tables show them.

    One that cannot be loaded is undefined for every run, with the reason as its description.
    """
    names = registry.names("metrics")
    return [_metric_or_reason(name) for name in (*_FIRST, *(name for name in names if name not in _FIRST))]


def estimates(
    run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap", shown: Sequence[str] = ("everywhere",)
) -> dict[str, Estimate]:
    """The estimates of all metrics that are to be shown, by name, as far as the run has what they need.

    For a kind of variant these are accuracy and the metrics that need variants. An outside metric that fails is
    undefined, with the reason (see `failure`).
    """
    check_interval(interval)
    chosen = [metric for metric in metrics() if metric.shown in shown]
    if kind is not None:
        chosen = [metric for metric in chosen if metric.is_by_kind or metric.name == "accuracy"]
    available = [metric for metric in chosen if not metric.lacks(run, kind)]
    return {metric.name: _estimate_or_reason(metric, run, kind, interval) for metric in available}


def _estimate_or_reason(metric: Metric, run: Outcomes, kind: str | None, interval: str) -> Estimate:
    try:
        return metric.of(run, kind, interval=interval)
    except InputError as error:
        if registry.is_built_in("metrics", metric.name):
            raise
        return Estimate.undefined(f"{_FAILURE}{error.message}")


def failure(estimate: Estimate) -> str:
    """Why the metric failed, if it did; "" for a value, and for a metric that is rightly undefined."""
    is_failure = estimate.value is None and estimate.method.startswith(_FAILURE)
    return estimate.method.removeprefix(_FAILURE) if is_failure else ""


def _metric_or_reason(name: str) -> Metric:
    try:
        return metric(name)
    except InputError as error:
        reason = f"not available: {error.message}"
        return Metric(name, reason, lambda _: Estimate.undefined(reason))


def check_interval(interval: str) -> None:
    """Refuse an unknown interval."""
    if interval not in INTERVALS:
        raise InputError(f"there is no interval {interval!r}", remedy=f"Known: {', '.join(INTERVALS)}.")


class Case(Protocol):
    """What a metric counts: an outcome, or several of them that belong to one example or cluster."""

    @property
    def example(self) -> Example:
        """The example, or the first of several."""
        ...


CaseT = TypeVar("CaseT", bound=Case)


@dataclass(frozen=True)
class Cases(Generic[CaseT]):
    """The cases that a metric counts, and how many it left out for which reason."""

    cases: tuple[CaseT, ...]
    left_out: tuple[str, ...] = ()

    @property
    def clusters(self) -> list[str]:
        """The cluster of each case."""
        return [case.example.cluster for case in self.cases]

    @property
    def unit(self) -> str:
        """What a cluster is called."""
        return self.cases[0].example.unit if self.cases else "schema"

    def where(self, counts: Callable[[CaseT], bool], otherwise: str, *, by_name: bool = False) -> Cases[CaseT]:
        """Only the cases that count; `otherwise` says what the others are, and `by_name` lists some of them."""
        excluded = [case.example.id for case in self.cases if not counts(case)]
        if not excluded:
            return self
        more = ", …" if len(excluded) > _NAMED else ""
        names = f" ({', '.join(excluded[:_NAMED])}{more})" if by_name else ""
        kept = tuple(case for case in self.cases if counts(case))
        return Cases(kept, (*self.left_out, f"{len(excluded)} {otherwise}{names}"))

    def two_way(self) -> Cases[CaseT]:
        """Only the examples with two options, for metrics that assume two."""
        return self.where(lambda case: len(case.example.options) == 2, "without exactly two candidates", by_name=True)

    def tally(
        self,
        part: Callable[[CaseT], float | None],
        whole: Callable[[CaseT], float] | None = None,
        *,
        bounds: tuple[float, float] = (0.0, 1.0),
        undefined: str = "no items",
        notes: tuple[str, ...] = (),
        wilson: Literal["items", "clusters", "never"] = "items",
    ) -> Tally:
        """Count `part` of each case (1 if it has the property, 0 if not) out of `whole`, which is 1 unless given.

        `bounds` are those of part / whole, and `wilson` says what Wilson's interval may take as independent trials.
        """
        rows = tuple(
            TallyRow(
                case.example.id, case.example.cluster, float(part(case) or 0), 1.0 if whole is None else whole(case)
            )
            for case in self.cases
        )
        left_out = (f"left out: {', '.join(self.left_out)}",) if self.left_out else ()
        return Tally(rows, self.unit, bounds, undefined, (*left_out, *notes), wilson)

    def share(
        self,
        part: Callable[[CaseT], float | None],
        *,
        interval: str = "bootstrap",
        bounds: tuple[float, float] = (0.0, 1.0),
        undefined: str = "no items",
    ) -> Estimate:
        """Estimate the mean of `part` (1 for a case that has the property, 0 for one that does not)."""
        check_interval(interval)
        return over_schemas(self.tally(part, bounds=bounds, undefined=undefined), interval)

    def mean(self, value: Callable[[CaseT], float | None], *, undefined: str = "no items") -> Estimate:
        """Estimate the mean of a quantity without limits of its own, such as a change of log probability."""
        furthest = max((abs(value(case) or 0.0) for case in self.cases), default=0.0)
        limit = max(1.0, furthest)  # needed only if all schemas agree
        return self.share(value, bounds=(-limit, limit), undefined=undefined)

    def noted(self, estimate: Estimate) -> Estimate:
        """The estimate, whose method also says what was left out."""
        return replace(estimate, method=self.note(estimate.method))

    def note(self, method: str) -> str:
        """The name of a method, with what was left out."""
        return f"{method}; left out: {', '.join(self.left_out)}" if self.left_out else method


Counted = Cases  # its name in earlier versions, which metrics of other packages may use


def selected(run: Outcomes, kind: str | None = None) -> Cases[Outcome]:
    """All outcomes of the originals, or of the variants of a kind."""
    return Cases(tuple(run.outcomes(kind)))


def labelled(run: Outcomes, kind: str | None = None) -> Cases[Outcome]:
    """The outcomes that are right or wrong: those of examples with an answer."""
    return selected(run, kind).where(lambda outcome: outcome.right is not None, "unlabelled")


def wordings(run: Outcomes) -> list[str]:
    """The kinds of variants that keep the answer and are no controls: the same in other words."""
    kinds = [kind for kind in run.kinds if not is_control(kind)]
    return [kind for kind in kinds if {outcome.example.effect for outcome in run.outcomes(kind)} == {"keeps"}]


def guessing(examples: Sequence[Example]) -> float | None:
    """The accuracy of guessing: the mean of 1 / options over the examples with an answer; None if there are none."""
    shares = [1 / len(example.options) for example in examples if example.answer is not None]
    return sum(shares) / len(shares) if shares else None
