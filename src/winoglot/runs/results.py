"""Results: every number about runs is one row, which tables, files, data frames and pages render.

`results_of` gives the rows of a run; `finetune/seeds.py` those of a fine-tuned model over its seeds, `analysis/base.py`
those of a measure. A published number is a row too, so that it can stand beside what was measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any

from winoglot import notebook
from winoglot.examples import unanswered
from winoglot.metrics.accuracy import accuracy
from winoglot.metrics.base import INTERVALS, estimates, metric
from winoglot.metrics.subsets import subsets
from winoglot.schemas.model import ORIGINAL
from winoglot.statistics.formatting import percent, percent_interval, plain_interval
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pandas

    from winoglot.examples import Outcomes
    from winoglot.runs.run import Run

MEASURED = "measured"
_IDENTITY = ("measure", "collection", "language", "model", "scoring", "readings", "kind", "quantity")
_SHOWN = 12  # rows that a notebook shows


@dataclass(frozen=True, repr=False)
class PublishedValue(Estimate):
    """A number from a paper, of which neither the interval nor the number of items is known.

    >>> published_value(0.48)
    <Estimate 0.480, published>
    """

    def __post_init__(self) -> None:
        """Take a value without limits, which is no estimate of ours."""

    def __format__(self, spec: str) -> str:
        """The value alone."""
        return f"{self.value:{spec or 'z.3f'}}, published"


def published_value(value: float) -> PublishedValue:
    """A published value in place of an estimate."""
    return PublishedValue(value, None, None, 0, "")


@dataclass(frozen=True)
class Result:
    """A number about what a model answered, or about a collection: an estimate or a published value.

    The rows of an analysis also say which `measure` of several they are of, what distinguishes rows of one quantity
    (`parts`, as in `{"order": "switched"}`), and what belongs to the estimate (`numbers`, as in `{"p": 0.03}`).
    """

    model: str  # empty: it is about the collection alone
    collection: str
    language: str
    scoring: str
    readings: str
    metric: str  # its name, or that of a quantity of the measure
    estimate: Estimate
    kind: str = ORIGINAL  # of the items
    subset: str = ""  # of the items; empty for all
    seed: int | None = None  # of a training; None if there was none, and for an estimate over several
    abstained: int | None = None  # on how many of the items
    source: str = MEASURED  # or where a value was published
    measure: str = ""
    parts: Mapping[str, str] = field(default_factory=dict)
    numbers: Mapping[str, float | None] = field(default_factory=dict)

    @property
    def quantity(self) -> str:
        """What an analysis calls its metric."""
        return self.metric

    @property
    def unit(self) -> str:
        """The unit of the metric; a quantity of a measure has none here."""
        return metric(self.metric).unit

    @property
    def value(self) -> float | None:
        """The estimated or published value; None if it is undefined."""
        return self.estimate.value

    @property
    def low(self) -> float | None:
        """The lower limit of the interval."""
        return self.estimate.low

    @property
    def high(self) -> float | None:
        """The upper limit of the interval."""
        return self.estimate.high

    @property
    def n(self) -> int | None:
        """What the value is an average over; None if it is published."""
        return None if isinstance(self.estimate, PublishedValue) else self.estimate.n

    @property
    def method(self) -> str:
        """How it was estimated, or why it is undefined."""
        return self.estimate.method


def described(row: Result) -> dict[str, Any]:
    """A row of several measures as JSON: a flat object, with the reason in place of numbers if there are none."""
    return {
        **{name: getattr(row, name) for name in _IDENTITY},
        **row.parts,
        **{name: getattr(row, name) for name in ("value", "low", "high", "n")},
        "reason" if row.value is None else "method": row.method,
        **row.numbers,
    }


@dataclass(frozen=True, repr=False)
class Results:
    """Rows of what was measured, as an analysis and a parallel evaluation give them."""

    rows: tuple[Result, ...]

    def __repr__(self) -> str:
        """What was measured, of which models."""
        models, quantities = (dict.fromkeys(getattr(row, name) for row in self.rows) for name in ("model", "quantity"))
        return f"<Results of {', '.join(models) or 'no model'}: {len(self.rows)} estimates of {', '.join(quantities)}>"

    def _repr_html_(self) -> str:
        rows = [_html_row(row) for row in self.rows[:_SHOWN]]
        more = f"… {len(self.rows)} estimates; to_frame() has them all." if len(self.rows) > _SHOWN else ""
        return notebook.card(
            notebook.html_table(rows, numbers=("estimate", "n")), notebook.line(escape(more), quiet=True)
        )

    def __len__(self) -> int:
        """The number of estimates."""
        return len(self.rows)

    def __iter__(self) -> Iterator[Result]:
        """The rows."""
        return iter(self.rows)

    def where(self, **values: str) -> list[Result]:
        """The rows with these values: `where(measure="sensitivity", quantity="delta", kind="tense")`."""
        return [row for row in self.rows if values.items() <= described(row).items()]

    def to_frame(self) -> pandas.DataFrame:
        """The rows as a pandas data frame."""
        return notebook.data_frame([described(row) for row in self.rows])


def _html_row(row: Result) -> dict[str, str]:
    estimate = row.estimate
    cells = {
        "measure": row.measure,
        "model": row.model,
        "kind": " ".join((row.kind, *row.parts.values())),
        "quantity": row.quantity,
        "estimate": plain_interval(estimate),
        "n": str(estimate.n),
        "": estimate.method if estimate.value is None else "",
    }
    return {name: escape(text) for name, text in cells.items()}


def cell(result: Result) -> str:
    """The value and interval as a table shows them, in the unit of the metric; empty if undefined.

    >>> cell(Result("LSTM", "wsc", "en", "full", "", "accuracy", published_value(0.4801), source="a paper"))
    '48.0'
    """
    if result.estimate is not None and result.estimate.value is None:
        return ""  # before its unit is looked up: the metric may be of a package that does not work
    spec = ".1f" if result.unit == "points" else ".3f"
    if isinstance(result.estimate, PublishedValue):
        value = result.value or 0.0
        return percent(value) if result.unit == "%" else f"{value:{spec}}"
    return percent_interval(result.estimate) if result.unit == "%" else plain_interval(result.estimate, spec)


def cell_with_n(result: Result, n: int | None) -> str:
    """A cell beside a column with this n; it has its own n if that is another.

    >>> figures = Result("LSTM", "wsc", "en", "full", "", "consistency", Estimate(0.25, 0.2, 0.3, 105, "BCa"))
    >>> cell_with_n(figures, 105), cell_with_n(figures, 135)
    ('25.0 [20, 30]', '25.0 [20, 30] n=105')
    """
    text = cell(result)
    return f"{text} n={result.n:,}" if text and result.n is not None and result.n != n else text


def identity(run: Run) -> dict[str, Any]:
    """What distinguishes a run from others, by the names of columns."""
    return {
        "model": run.solver_name,
        "collection": run.source.name,
        "language": run.source.language,
        "scoring": run.settings.scoring,
        "readings": run.settings.readings,
    }


def abstentions(run: Outcomes, kind: str | None = None) -> int:
    """The number of originals, or of variants of a kind, that were not answered; unlabelled ones are left out."""
    return len(unanswered(run.outcomes(kind)))


def results_of(
    run: Run,
    *,
    kinds: Sequence[str] | None = None,
    metrics: Sequence[str] = (),
    interval: str = INTERVALS[0],
    shown: Sequence[str] = ("everywhere",),
) -> list[Result]:
    """Every estimate of a run: of the originals, then of each kind of variants, in the order in which they were named.

    With `kinds`, only those kinds. The estimates are those of the named `metrics` or, without names, of all metrics
    whose `Metric.shown` is one of `shown`, as far as the run has what they need. `interval` is `bootstrap` or `wilson`.

    >>> import winoglot as wg
    >>> run = wg.evaluate(wg.load("winoglot-en"), "first", kinds=["after-only", "segment-masked"])
    >>> [(row.kind, row.metric, row.n) for row in results_of(run, metrics=["accuracy"])]
    [('original', 'accuracy', 320), ('after-only', 'accuracy', 276)]
    """
    rows = []
    names = [metric(name).name for name in metrics]
    for kind in (None, *(run.settings.kinds if kinds is None else kinds)):
        abstained = abstentions(run, kind)
        if names and kind is None:
            chosen_metrics = [
                chosen_metric
                for chosen_metric in map(metric, names)
                if not chosen_metric.is_by_kind and not chosen_metric.lacks(run)
            ]
            estimated = {
                chosen_metric.name: chosen_metric.of(run, interval=interval) for chosen_metric in chosen_metrics
            }
        else:
            estimated = estimates(run, kind, interval=interval, shown=("everywhere", "json") if names else shown)
        rows += [
            Result(**identity(run), metric=name, estimate=estimated[name], kind=kind or ORIGINAL, abstained=abstained)
            for name in names or estimated
            if name in estimated
        ]
    return rows


def subset_results(run: Run, names: Iterable[str]) -> Iterator[Result]:
    """The accuracy on those of the named subsets of the originals that the run has."""
    parts = subsets(run)
    for name in names:
        if name in parts:
            part = parts[name]
            about: dict[str, Any] = {"subset": name, "abstained": abstentions(part)}
            yield Result(**identity(run), metric=accuracy.name, estimate=accuracy.of(part), **about)
