"""The page about fine-tuned models: learning curves, transfer, changes, variants, contamination, seeds.

`finetune/seeds.py` has the estimates over seeds; here they become figures and tables like those of a report.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from scipy.stats import binomtest

from winoglot.analysis.contamination import BETWEEN, fires
from winoglot.files import as_csv
from winoglot.finetune.seeds import Condition, Configuration, ConstructionShares
from winoglot.metrics.base import metric
from winoglot.report.figure import Axis, Cell, Figure, Group, Matrix, MatrixCell, Row, axis_of, figure_of
from winoglot.report.items import count_right, twin_example
from winoglot.report.page import Page, Section, sections_of
from winoglot.report.plots import Line, Panel, Plot, learning_panel
from winoglot.report.rendering import said
from winoglot.report.solvers import Role
from winoglot.report.summary import FEW
from winoglot.report.tables import Table, Value
from winoglot.runs.run import Run
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import Scale, interval, number, percent
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.finetune.seeds import TunedSeed

_SHARES = ("accuracy", "pair-accuracy", "consistency", "stability")
_CURVES = ("accuracy", "stability")
_APART = 1.15  # sizes that are nearer to each other have one label
_MOST_SEEDS = 3  # in an example
_STYLES = 4  # of lines; controls are grey
_INTERVALS = "Intervals are over seeds and schemas, or over schemas if there is one seed."
_SEEDS = (
    "configuration",
    "seed",
    "items",
    "held out",
    "held-out accuracy",
    "steps",
    "best step",
    "tokens",
    "seconds",
    "failed",
)


@dataclass(frozen=True)
class TuningReport:
    """What a page about fine-tuned models is made from."""

    configurations: tuple[Configuration, ...]
    untuned: tuple[Run, ...] = ()  # models that were only evaluated
    constructions: Mapping[str, ConstructionShares] = field(default_factory=dict)  # by training collection
    analysed: Sequence[Mapping[str, Any]] = ()  # what `winoglot analyse` measured, one estimate each
    exposed: Mapping[str, set[str]] = field(default_factory=dict)  # by model, the collections it was fine-tuned on

    @cached_property
    def columns(self) -> tuple[Condition, ...]:
        """What was asked, in order."""
        asked = [column for configuration in self.configurations for column in configuration.asked_on()]
        return tuple(dict.fromkeys((*asked, *map(Condition.of, self.untuned))))

    @property
    def seeds(self) -> list[tuple[Configuration, TunedSeed]]:
        """Every seed with its configuration."""
        return [(configuration, seed) for configuration in self.configurations for seed in configuration.seeds]

    @cached_property
    def untuned_models(self) -> dict[str, Configuration]:
        """The models that were only evaluated, by name, as configurations without seeds."""
        names = dict.fromkeys(run.settings.model for run in self.untuned)
        runs = {name: tuple(run for run in self.untuned if run.settings.model == name) for name in names}
        return {name: Configuration(name, name, (), (), base=runs[name]) for name in names}

    def label(self, column: Condition) -> str:
        """The name of a collection, with scoring and readings if there are several."""
        settings = [("scoring", column.scoring), ("readings", column.readings)]
        varied = [value for name, value in settings if len({getattr(other, name) for other in self.columns}) > 1]
        return ", ".join((column.collection, *varied))

    def chance(self, measure: str, column: Condition) -> float | None:
        """What guessing gives there."""
        return self._chances[column].get(measure)

    @cached_property
    def _chances(self) -> dict[Condition, dict[str, float | None]]:
        runs = [run for _, seed in self.seeds for run in seed.runs]
        first = {Condition.of(run): run for run in reversed((*runs, *self.untuned))}
        chances = {}
        for column, run in first.items():
            examples = [outcome.example for outcome in run.outcomes()]
            chances[column] = {name: metric(name).chance_on(examples) for name in _SHARES}
        return chances

    def estimate(self, configuration: Configuration, measure: str, column: Condition) -> Estimate:
        """A measure of a configuration there, as the tables have it."""
        return configuration.estimate(measure, column)

    def seeds_csv(self) -> str:
        """One line per seed, with its accuracy on each collection."""
        rows = []
        for row, (_, seed) in zip(_seed_rows(self), self.seeds, strict=True):
            accuracies = {}
            for column in self.columns:
                run = seed.run_on(column)
                accuracies[f"accuracy on {self.label(column)}"] = run.accuracy().value if run else None
            rows.append(row | accuracies)
        return as_csv(rows, list(dict.fromkeys(name for row in rows for name in row)))


def tuning_page(report: TuningReport, title: str | None = None) -> Page:
    """The page about these models."""
    numbers = evidence(report)
    return Page(
        template="tuning.html",
        subject=report,
        brand="Winoglot fine-tuning",
        tab=f"{title or 'Fine-tuned models'} – Winoglot",
        result=Section("top", "Result", verdict(report), (), {"example": example(report)}),
        sections=sections_of(report, SECTIONS),
        title=title,
        evidence=(numbers,) if numbers else (),
        facts=said("tuning_facts", report, [seed for _, seed in report.seeds if seed.failure]),
    )


def example(report: TuningReport) -> Mapping[str, Any] | None:
    """A schema with what the untuned model and the best configuration's seeds chose: one that shows the verdict."""
    best = _best(report)
    changed = [(Cell(best.change("accuracy", column), 0.0), column) for column in report.columns] if best else []
    enough = [(cell, column) for cell, column in changed if not cell.is_few] or changed
    clear = [(cell, column) for cell, column in enough if cell.is_clear]
    if best is None or not changed:
        return None
    cell, column = (clear or enough)[0]
    change, base = (cell.estimate.value or 0.0) * cell.is_clear, best.base_run(column)
    seeds = [(f"seed {seed.seed}", run) for seed in best.seeds if (run := seed.run_on(column))][:_MOST_SEEDS]
    if base is None or not seeds:
        return None

    def rank(answers: list[list[tuple[int | None, int | None]]]) -> float:
        before, *after = map(count_right, answers)
        gains = [right - before for right in after]
        return sum(gains) * (-1 if change > 0 else 1) if change else sum(map(abs, gains))

    shown = twin_example([("untuned", base), *seeds], rank)
    return shown and {**shown, "collection": report.label(column), "model": best.name, "change": change}


def learning(report: TuningReport) -> Section | None:
    """Accuracy and stability against the number of items."""
    unit = "%, by items learnt from (logarithmic), with 95% interval over seeds and schemas"
    caption = "Grey: controls. Dashed: what guessing gives. “All figures” has every number."
    plot = learning_curves(report, unit, caption)
    return Section("learning", "Learning curves", learning_title(report, "item"), (plot,)) if plot else None


def transfer(report: TuningReport) -> Section:
    """What was trained, one row each, and its accuracy and change on every collection; the largest size only."""
    largest: dict[tuple[str, str], Configuration] = {}
    for configuration in sorted(report.configurations, key=lambda configuration: configuration.items):
        largest[configuration.entry, configuration.control] = configuration
    rows = []
    for configuration in report.configurations:
        if configuration in largest.values():
            gloss = f"{', '.join(configuration.data)}; {counted(len(configuration.seeds), 'seed')}"
            rows.append((configuration.name, gloss, tuple(_change_cells(report, configuration))))
    matrix = Matrix(
        name="transfer",
        title="Accuracy",
        unit="%, and change against the untuned model in points; largest size of each",
        label="Accuracy by training data and collection",
        heading="Trained on",
        columns=tuple(map(report.label, report.columns)),
        rows=tuple(rows),
        key={
            "no-difference": f"the interval of the change includes 0, fewer than {FEW} items, or no untuned model",
            "yes": "better than untuned",
            "down": "worse",
        },
        caption=(
            "Changes are on the same items, with intervals over seeds and schemas (over schemas if there is one seed), "
            "not corrected for their number; “Changes” below has them. The title leaves controls out."
        ),
        table_caption="Accuracy by training data and collection, in percent; largest size of each",
    )
    controls = {configuration.name for configuration in report.configurations if configuration.control}
    cells = [cell for name, _, cells in rows if name not in controls for cell in cells if cell and cell.below]
    tones = Counter(cell.tone for cell in cells)
    return Section("transfer", "Transfer", said("tuning_transfer", tones["yes"], tones["down"], len(cells)), (matrix,))


def _change_cells(report: TuningReport, configuration: Configuration) -> Iterator[MatrixCell | None]:
    for column in report.columns:
        accuracy, change = configuration.estimate("accuracy", column), configuration.change("accuracy", column)
        if accuracy.value is None:
            yield None
        elif change.value is None:
            yield MatrixCell(accuracy, "no-difference")
        else:
            is_clear = Cell(change, 0.0).is_clear and not Cell(change).is_few
            points = number(change.value, "points")
            tooltip = f"; change {points}, {interval(change, 'points')}"
            yield MatrixCell(accuracy, _tone(change.value, is_clear=is_clear), points, tooltip)


def _tone(change: float, *, is_clear: bool) -> Any:
    return ("yes" if change > 0 else "down") if is_clear else "no-difference"


def shares(report: TuningReport) -> Section:
    """Every measure by configuration and collection; then without failed seeds, if there are any."""
    caption = f"Mean over seeds and items. {_INTERVALS}"
    tuned, unit = _tuned_models(report.configurations), "%, with 95% interval"
    shown: dict[str, Any] = {"caption": caption, "is_exploratory": True}
    every = _by_model(report, "seeds", "Over all seeds", unit, [*tuned, *_untuned_models(report, "baseline")], **shown)
    failing = [configuration for configuration in report.configurations if configuration.failed]
    kept = [configuration.without_failed for configuration in failing if configuration.without_failed.seeds]
    without = _by_model(report, "without-failed", "Without failed seeds", unit, _tuned_models(kept), **shown)
    title = "Accuracy, pairs, consistency and stability of every model"
    return Section("figures", "All figures", title, (every, without))


def changes(report: TuningReport) -> Section | None:
    """Each configuration minus the model that it started from."""
    unit, title = "points, on the same items, with 95% interval", "Change against the untuned model"
    models = [
        _Model(configuration.name, _seeds(configuration), "model", configuration.change)
        for configuration in report.configurations
        if configuration.base
    ]
    shown: dict[str, Any] = {"scale": "points", "is_exploratory": True}
    measures = {metric(measure).label: (measure, None) for measure in _SHARES}
    accuracy = dict([next(iter(measures.items()))])
    first = _by_model(report, "changes", title, unit, models, accuracy, **shown)
    rest = {label: measure for label, measure in measures.items() if label not in accuracy}
    others = _by_model(report, "changes-more", title, unit, models, rest, **shown)
    counts = {group.title: _clear_rows(group.rows) for figure in (first, others) if figure for group in figure.groups}
    return Section("changes", "Changes", said("tuning_changes", counts), (first, others)) if first else None


def variants(report: TuningReport) -> Section | None:
    """From the originals to each kind of variant: how accuracy changes, of the untuned model too."""
    kinds = dict.fromkeys(
        kind
        for configuration in report.configurations
        for column in report.columns
        for kind in configuration.kinds(column)
    )
    models = [*_tuned_models(report.configurations), *_untuned_models(report, "model")]
    unit, title = "points, variant minus original, with 95% interval", "Change of accuracy by kind of variant"
    measures = {kind: ("delta-accuracy", kind) for kind in kinds}
    figure = _by_model(report, "deltas", title, unit, models, measures, scale="points", is_exploratory=True)
    if figure is None:
        return None
    rows: list[dict[str, Value]] = [
        {"collection": name, "items read": counts.items, **{kind: Cell(share) for kind, share in counts.shares.items()}}
        for name, counts in report.constructions.items()
    ]
    table = Table.of("constructions", "Constructions in the training data, % of items", rows)
    clear = [group.title for group in figure.groups if _clear_rows(group.rows)]
    title = said("title_perturbations", {"clear": clear, "total": len(figure.groups)})
    return Section("variants", "Variants", title, (table, figure))


def contamination(report: TuningReport) -> Section | None:
    """How often each test for contamination fires, by configuration."""
    table = Table.of("power", "Tests for contamination that fire, % of models", list(_power_rows(report)))
    fired: dict[bool, list[bool]] = {True: [], False: []}
    for row in report.analysed:
        if (has_fired := fires(row)) is not None:
            fired[row["collection"] in report.exposed.get(row["model"], ())].append(has_fired)
    title = said("tuning_contamination", fired[True], fired[False])
    return Section("contamination", "Contamination", title, (table,)) if table else None


def seeds(report: TuningReport) -> Section:
    """Every seed: what it learnt from, its held-out accuracy, its steps."""
    table = Table.of("seeds-list", "Every seed", list(_seed_rows(report)))
    failed = [seed for _, seed in report.seeds if seed.failure]
    return Section("all-seeds", "Seeds", said("title_seeds", len(failed), len(report.seeds)), (table,))


SECTIONS = (learning, transfer, shares, changes, variants, contamination, seeds)


@dataclass(frozen=True)
class _Model:
    """A row of a figure: a configuration or an untuned model, and its estimate of a measure, by column and kind."""

    name: str
    seeds: str
    role: Role
    estimate: Callable[[str, Condition, str | None], Estimate]


def _tuned_models(configurations: Sequence[Configuration]) -> list[_Model]:
    return [
        _Model(configuration.name, _seeds(configuration), "model", configuration.estimate)
        for configuration in configurations
    ]


def _untuned_models(report: TuningReport, role: Role) -> list[_Model]:
    return [_Model(name, "not tuned", role, partial(_of_base, model)) for name, model in report.untuned_models.items()]


def _by_model(
    report: TuningReport,
    name: str,
    title: str,
    unit: str,
    models: Sequence[_Model],
    measures: Mapping[str, tuple[str, str | None]] | None = None,
    *,
    scale: Scale = "percent",
    **more: Any,
) -> Figure | None:
    """A group per measure (by title: its name, and a kind of variant), a row per model; no column without a value."""
    if measures is None:
        measures = {metric(measure).label: (measure, None) for measure in _SHARES}
    groups = []
    for heading, (measure, kind) in measures.items():
        rows = []
        for model in models:
            cells = []
            for column in report.columns:
                level = 0.0 if scale == "points" else report.chance(measure, column)
                cells.append(Cell.of(model.estimate(measure, column, kind), level))
            rows.append(Row((model.name, model.seeds), tuple(cells), model.role))
        groups.append(Group(tuple(rows), heading))
    used = [at for at in range(len(report.columns)) if any(row.cells[at] for group in groups for row in group.rows)]
    shown = [
        replace(group, rows=tuple(replace(row, cells=tuple(row.cells[at] for at in used)) for row in group.rows))
        for group in groups
    ]
    columns = [report.label(report.columns[at]) for at in used]
    return figure_of(name, title, unit, ("Model", "Seeds"), columns, shown, scale, group_axis=_axis, **more)


def _axis(rows: Sequence[Row], scale: Scale = "percent") -> Axis:
    """For what is based on enough items; the rest may lie beyond it."""
    enough = [replace(row, cells=tuple(cell and (None if cell.is_few else cell) for cell in row.cells)) for row in rows]
    return axis_of(enough if any(cell for row in enough for cell in row.cells) else rows, scale)


def learning_curves(report: TuningReport, unit: str, caption: str) -> Plot | None:
    """Measures against the number of items learnt from; one panel for each collection and measure."""
    curved = curved_configurations(report)
    sizes = sorted({configuration.items for configuration in curved if configuration.items})
    sizes = [size for size, larger in pairwise([*sizes, 2**62]) if larger > _APART * size]
    if len(sizes) < 2:
        return None
    panels = [
        panel
        for column in report.columns
        for measure in _CURVES
        if (panel := _learning_panel(report, curved, measure, column, sizes)) is not None
    ]
    return Plot.of("curves", "learning", "Learning curves", unit, panels, caption=caption)


def learning_title(report: TuningReport, word: str) -> str:
    """How right the first model of the first curve is with the fewest and the most items."""
    for column in report.columns:
        points: dict[str, list[tuple[int, Estimate]]] = {}
        for configuration in sorted(curved_configurations(report), key=lambda configuration: configuration.items):
            estimate = report.estimate(configuration, "accuracy", column)
            if not configuration.control and configuration.items and estimate.value is not None:
                points.setdefault(configuration.entry, []).append((configuration.items, estimate))
        for entry in dict.fromkeys(configuration.entry for configuration in report.configurations):
            if len(points.get(entry, ())) > 1:
                where = report.label(column) if len(report.columns) > 1 else ""
                return said("title_learning", entry, points[entry][0], points[entry][-1], where, word)
    return "Accuracy with more data"


def curved_configurations(report: TuningReport) -> list[Configuration]:
    """What curves show: entries with several sizes, and controls unless they are of an entry with one size."""
    sizes: dict[str, set[int | None]] = {}
    for configuration in report.configurations:
        if not configuration.control:
            sizes.setdefault(configuration.entry, set()).add(configuration.size)
    single = {entry for entry, learnt in sizes.items() if len(learnt) == 1}
    return [configuration for configuration in report.configurations if configuration.entry not in single]


def _learning_panel(
    report: TuningReport, curved: Sequence[Configuration], measure: str, column: Condition, sizes: Sequence[int]
) -> Panel | None:
    lines: dict[str, Line] = {}
    entries = list(dict.fromkeys(configuration.entry for configuration in curved if not configuration.control))
    for configuration in sorted(curved, key=lambda configuration: configuration.items):
        estimate = report.estimate(configuration, measure, column)
        if estimate.value is not None and configuration.items:
            entry, control = configuration.entry, configuration.control
            style = "control" if control else f"line{entries.index(entry) % _STYLES}"
            line = lines.setdefault(f"{entry}, {control}" if control else entry, Line(style))
            line.points.append((configuration.items, estimate))
    if all(len(line.points) == 1 for line in lines.values()):
        return None
    bases = {
        id(configuration.base): configuration for configuration in report.configurations if configuration.base
    }.values()
    before = [
        estimate for configuration in bases if (estimate := _of_base(configuration, measure, column)).value is not None
    ]
    title = f"{report.label(column)}: {metric(measure).label.lower()}"
    return learning_panel(title, lines, sizes, before[0] if before else None, report.chance(measure, column))


def _power_rows(report: TuningReport) -> Iterator[dict[str, Value]]:
    """Each test: how often it fires by configuration, and for all models that have not learnt the collection."""
    fired: dict[tuple[str, str], dict[str, bool]] = {}
    for row in report.analysed:
        if (has_fired := fires(row)) is not None:
            key = row["quantity"].removesuffix(BETWEEN), row["collection"]
            fired.setdefault(key, {})[row["model"]] = has_fired
    groups = {
        configuration.name: [seed.name for seed in configuration.seeds] for configuration in report.configurations
    }
    groups |= {name: [name] for name in report.untuned_models}
    for (test, collection), by_model in fired.items():
        innocent = [name for name in by_model if collection not in report.exposed.get(name, ())]
        for name, models in (*groups.items(), ("all that have not learnt it", innocent)):
            outcomes = [by_model[model] for model in models if model in by_model]
            if outcomes:
                learnt = "no" if set(models) <= set(innocent) else "yes"
                about = {"test": test, "collection": collection, "model": name, "learnt it": learnt}
                share = Cell(_exact_share(sum(outcomes), len(outcomes)))
                yield {**about, "models": len(outcomes), "fires": share}


def _clear_rows(rows: Sequence[Row]) -> int:
    """How many cells of enough items have an interval that excludes no change."""
    return sum(cell.is_clear and not cell.is_few for row in rows for cell in row.cells if cell)


def _exact_share(count: int, n: int) -> Estimate:
    limits = binomtest(count, n).proportion_ci(0.95, method="exact")
    return Estimate(count / n, float(limits.low), float(limits.high), n, f"exact (Clopper-Pearson) over {n} models")


def _of_base(configuration: Configuration, measure: str, column: Condition, kind: str | None = None) -> Estimate:
    """The measure of the model that was not tuned, with an interval over schemas."""
    run = configuration.base_run(column)
    estimate = metric(measure).over_seeds([run] if run else [], kind)
    return replace(estimate, method=estimate.method.removesuffix(", one seed"))


def _seeds(configuration: Configuration) -> str:
    failed, count = len(configuration.failed), len(configuration.seeds)
    return f"{count}, {failed} failed" if failed else str(count)


def _seed_rows(report: TuningReport) -> Iterator[dict[str, Any]]:
    for configuration, seed in report.seeds:
        values = (
            seed.items,
            seed.held_out,
            seed.accuracy,
            seed.steps,
            seed.best_step,
            seed.tokens,
            round(seed.seconds),
        )
        trained = [None] * len(values) if seed.accuracy is None else values
        yield dict(zip(_SEEDS, (configuration.name, str(seed.seed), *trained, seed.failure), strict=True))


def verdict(report: TuningReport) -> str:
    """What came out, in a few words: on how many collections the best configuration without a control is better."""
    best = _best(report)
    changed = [(best.change("accuracy", column), report.label(column)) for column in report.columns] if best else []
    changed = [(change, label) for change, label in changed if change.low is not None and change.high is not None]
    enough = [(change, label) for change, label in changed if not Cell(change).is_few]
    clear = [(change.value or 0.0) > 0 for change, _ in enough if Cell(change, 0.0).is_clear]
    places = [label for _, label in enough]
    return said("tuning_verdict", sum(clear), clear.count(False), places, len(changed) - len(enough))


def evidence(report: TuningReport) -> str:
    """The best configuration, by its held-out schemas: its largest gain, if one is clear, and its smallest change."""
    best = _best(report)
    if best is None:
        return ""
    every = [(best.change("accuracy", column), report.label(column)) for column in report.columns]
    defined = [(change, label) for change, label in every if change.value is not None]
    enough = [(change, label) for change, label in defined if not Cell(change).is_few] or defined
    enough.sort(key=lambda pair: pair[0].value or 0.0)
    clear = [(change, label) for change, label in enough if (change.low or 0.0) > 0] or enough
    parts = [
        f"{number(change.value or 0.0, 'points')} points on {label} ({interval(change, 'points')})"
        for change, label in dict.fromkeys((clear[-1], enough[0]) if enough else ())
    ]
    held_out = held_out_accuracy(best)
    chosen = f"{best.name}, the best on held-out schemas ({percent(held_out)}%)" if held_out else best.name
    if len(best.seeds) == 1:
        chosen += ", with a single seed"
    return f"{chosen}: {', '.join(parts)}." if parts else ""


def held_out_accuracy(configuration: Configuration) -> float:
    """The mean over its seeds; 0 if nothing was held out."""
    accuracies = [seed.accuracy for seed in configuration.seeds if seed.accuracy is not None and seed.held_out]
    return sum(accuracies) / len(accuracies) if accuracies else 0.0


def _best(report: TuningReport) -> Configuration | None:
    """By the held-out schemas: test sets select nothing."""
    able = [
        configuration for configuration in report.configurations if not configuration.control and configuration.base
    ]
    return max(able, key=held_out_accuracy, default=None)
