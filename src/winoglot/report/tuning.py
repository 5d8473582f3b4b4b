"""Fine-tuned models as a page: learning curves, a transfer matrix, changes, seeds, constructions, contamination.

`finetune/seeds.py` has the estimates over seeds; here they become figures and tables like those of a report.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from scipy.stats import binomtest

from winoglot._version import __version__
from winoglot.analysis.contamination import BETWEEN, fires
from winoglot.files import as_csv
from winoglot.finetune.seeds import Condition, Configuration, ConstructionShares
from winoglot.metrics.base import metric
from winoglot.report.drawing import figure_files
from winoglot.report.figure import Axis, Cell, Figure, Group, Row, Scale, axis_of, interval, number
from winoglot.report.findings import rendered
from winoglot.report.plots import Panel, Plot, spread_labels
from winoglot.report.tables import Table, Value, figure_tables
from winoglot.runs.run import Run
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from winoglot.finetune.seeds import TunedSeed

_SHARES = ("accuracy", "pair-accuracy", "consistency", "stability")
_CURVES = ("accuracy", "stability")
_LEFT = 12.0  # percent of a curve's width: where the smallest size is; the untuned model is at 0
_STYLES = 4  # of lines; controls are grey
_APART = 1.15  # sizes that are nearer to each other have one label
_ASIDE = 0.7  # percent by which each line is moved to the left of the next
_WIDTHS = (45.0, 70.0)  # percent of a panel that the curves take: the fewer, the longer their labels are
_LETTER = 1.3  # percent that a letter of a label takes
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
    """What a page about fine-tuned models shows."""

    configurations: tuple[Configuration, ...]
    untuned: tuple[Run, ...] = ()  # models that were only evaluated
    constructions: Mapping[str, ConstructionShares] = field(default_factory=dict)  # by training collection
    analysed: Sequence[Mapping[str, Any]] = ()  # what `winoglot analyse` measured, one estimate each
    exposed: Mapping[str, set[str]] = field(default_factory=dict)  # by model, the collections it was fine-tuned on

    @cached_property
    def columns(self) -> tuple[Condition, ...]:
        """What was asked, in order."""
        asked = [one for each in self.configurations for one in each.asked_on()]
        return tuple(dict.fromkeys((*asked, *map(Condition.of, self.untuned))))

    def label(self, column: Condition) -> str:
        """The name of a collection, with scoring and readings if there are several."""
        parts = [("scoring", column.scoring), ("readings", column.readings)]
        varied = [value for name, value in parts if len({getattr(one, name) for one in self.columns}) > 1]
        return ", ".join((column.collection, *varied))

    def chance(self, measure: str, column: Condition) -> float | None:
        """What guessing gives there."""
        return self._chances[column].get(measure)

    @cached_property
    def _chances(self) -> dict[Condition, dict[str, float | None]]:
        runs = [run for one in self.configurations for seed in one.seeds for run in seed.runs]
        first = {Condition.of(run): run for run in reversed((*runs, *self.untuned))}
        found = {}
        for column, run in first.items():
            examples = [one.example for one in run.outcomes()]
            found[column] = {name: metric(name).chance_on(examples) for name in _SHARES}
        return found

    # Figures

    @cached_property
    def figures(self) -> list[Figure]:
        """Those that have something to show."""
        made = [self._shares(), self._shares(is_without_failed=True), self._changes(), self._deltas()]
        return [one for one in made if one is not None]

    def _shares(self, *, is_without_failed: bool = False) -> Figure | None:
        """Every measure by configuration and collection; the models that were only evaluated are the last rows."""
        shown = self.configurations
        if is_without_failed:
            shown = tuple(one.without_failed for one in shown if one.failed and one.without_failed.seeds)
        if not shown:
            return None
        groups = []
        for measure in _SHARES:
            rows = [Row((one.name, _seeds(one)), self._cells(measure, one.estimate), "model") for one in shown]
            if not is_without_failed:
                rows += self._untuned_rows(measure)
            rows = [row for row in rows if any(cell and cell.estimate.value is not None for cell in row.cells)]
            if rows:
                groups.append(Group(tuple(rows), metric(measure).label, _axis(rows)))
        name, title = ("without-failed", "Without failed seeds") if is_without_failed else ("seeds", "Over all seeds")
        caption = (
            "Mean over seeds and items. Intervals are over seeds and schemas, or over schemas if there is one seed."
        )
        return self._figure(name, title, "%, with 95% interval", groups, caption=caption)

    def _untuned_rows(self, measure: str) -> Iterator[Row]:
        for name in dict.fromkeys(run.settings.model for run in self.untuned):
            runs = tuple(run for run in self.untuned if run.settings.model == name)
            one = Configuration(name, name, (), (), base=runs)
            yield Row((name, "not tuned"), self._cells(measure, partial(_of_base, one)), "baseline")

    def _changes(self) -> Figure | None:
        """Each configuration minus the model that it started from."""
        groups = []
        for measure in _SHARES:
            rows = tuple(
                Row((one.name, _seeds(one)), self._cells(measure, one.change, zero=True), "model")
                for one in self.configurations
                if one.base
            )
            if any(cell and cell.estimate.value is not None for row in rows for cell in row.cells):
                groups.append(Group(rows, metric(measure).label, _axis(rows, "points")))
        unit, title = "points, on the same items, with 95% interval", "Change against the untuned model"
        return self._figure("changes", title, unit, groups, scale="points", is_exploratory=True) if groups else None

    def _deltas(self) -> Figure | None:
        """From the originals to each kind of variant: how accuracy changes, of the untuned model too."""
        kinds = dict.fromkeys(kind for one in self.configurations for on in self.columns for kind in one.kinds(on))
        groups = []
        for kind in kinds:
            made = [(one.name, _seeds(one), one.estimate) for one in self.configurations]
            for name in dict.fromkeys(run.settings.model for run in self.untuned):
                runs = tuple(run for run in self.untuned if run.settings.model == name)
                made.append((name, "not tuned", partial(_of_base, Configuration(name, name, (), (), base=runs))))
            rows = [
                Row((name, seeds), self._cells("delta-accuracy", make, kind, zero=True), "model")
                for name, seeds, make in made
            ]
            rows = [row for row in rows if any(cell and cell.estimate.value is not None for cell in row.cells)]
            if rows:
                groups.append(Group(tuple(rows), kind, _axis(rows, "points")))
        unit = "points, variant minus original, with 95% interval"
        title = "Change of accuracy by kind of variant"
        return self._figure("deltas", title, unit, groups, scale="points", is_exploratory=True) if groups else None

    def _cells(
        self, measure: str, make: Callable[..., Estimate], kind: str | None = None, *, zero: bool = False
    ) -> tuple[Cell | None, ...]:
        cells = []
        for column in self.columns:
            found = make(measure, column, kind)
            level = 0.0 if zero else self.chance(measure, column)
            cells.append(Cell(found, level) if found.value is not None else None)
        return tuple(cells)

    def _figure(self, name: str, title: str, unit: str, groups: Sequence[Group], **more: Any) -> Figure:
        """Only the collections that have a value: most have no variants of most kinds."""
        used = [at for at in range(len(self.columns)) if any(row.cells[at] for group in groups for row in group.rows)]
        shown = tuple(
            replace(group, rows=tuple(replace(row, cells=tuple(row.cells[at] for at in used)) for row in group.rows))
            for group in groups
        )
        columns = tuple(self.label(self.columns[at]) for at in used)
        return Figure(name, title, unit, ("Model", "Seeds"), columns, shown, **more)

    # Drawings

    def estimate(self, one: Configuration, measure: str, column: Condition) -> Estimate:
        """A measure of a configuration there, as the tables have it."""
        return one.estimate(measure, column)

    @cached_property
    def _curved(self) -> list[Configuration]:
        """What curves show: entries with several sizes, and controls unless they are of an entry with one size."""
        own: dict[str, set[int | None]] = {}
        for one in self.configurations:
            if not one.control:
                own.setdefault(one.entry, set()).add(one.size)
        single = {entry for entry, sizes in own.items() if len(sizes) == 1}
        return [one for one in self.configurations if one.entry not in single]

    @cached_property
    def curves(self) -> Plot | None:
        """Accuracy and stability against the number of items; one panel for each collection and measure."""
        sizes = sorted({one.items for one in self._curved if one.items})
        sizes = [one for one, larger in pairwise([*sizes, 2**62]) if larger > _APART * one]
        if len(sizes) < 2:
            return None
        panels = [
            panel
            for column in self.columns
            for measure in _CURVES
            if (panel := self._panel(measure, column, sizes)) is not None
        ]
        unit = "%, by items learnt from (logarithmic), with 95% interval over seeds and schemas"
        caption = "Grey: controls. Dashed: what guessing gives. The table below has every number."
        return Plot.of("curves", "learning", "Learning curves", unit, panels, caption=caption)

    def _panel(self, measure: str, column: Condition, sizes: Sequence[int]) -> Panel | None:
        lines: dict[str, list[tuple[float, Estimate]]] = {}
        styles: dict[str, str] = {}
        entries = list(dict.fromkeys(one.entry for one in self._curved if not one.control))
        span = math.log(sizes[-1] / sizes[0])

        def across(items: int) -> float:
            return round(_LEFT + (100 - _LEFT) * math.log(items / sizes[0]) / span, 1)

        for one in sorted(self._curved, key=lambda one: one.items):
            found = self.estimate(one, measure, column)
            if found.value is not None and one.items:
                label = f"{one.entry}, {one.control}" if one.control else one.entry
                lines.setdefault(label, []).append((across(one.items), found))
                styles[label] = "control" if one.control else f"line{entries.index(one.entry) % _STYLES}"
        if all(len(points) == 1 for points in lines.values()):
            return None
        bases = {id(one.base): one for one in self.configurations if one.base}.values()
        before = [found for one in bases if (found := _of_base(one, measure, column)).value is not None][:1]
        every = [found for points in lines.values() for _, found in points] + before
        chance = self.chance(measure, column)
        limits = [(one.low or 0.0, one.high or 0.0) for one in every]
        axis = Axis.around(limits, [chance] if chance is not None else [])

        def point(place: float, found: Estimate) -> dict[str, float]:
            low, value, high = (100 - axis.clipped(end or 0.0) for end in (found.low, found.value, found.high))
            return {"x": round(place, 1), "y": value, "low": low, "high": high}

        drawn: list[dict[str, Any]] = [
            {
                "label": label,
                "style": styles[label],
                "points": [point(place - _ASIDE * at, found) for place, found in lines[label]],
            }
            for at, label in enumerate(reversed(lines))  # intervals side by side; no point is right of its size
        ]
        for line, place in zip(drawn, spread_labels([line["points"][-1]["y"] for line in drawn]), strict=True):
            line["place"] = place
        title = f"{self.label(column)}: {metric(measure).label.lower()}"
        told = [
            f"{label} {', '.join(number(found.value or 0.0, 'percent') for _, found in points)}"
            for label, points in lines.items()
        ]
        told += [f"untuned {number(before[0].value or 0.0, 'percent')}"] if before else []
        room = 88 - _LETTER * max(map(len, lines))
        content = {
            "width": min(max(_WIDTHS[0], room), _WIDTHS[1]),
            "lines": drawn,
            "untuned": point(0.0, before[0]) if before else None,
            "sizes": [(across(one), one) for one in sizes],
            "ticks": [(100 - axis.place(tick), f"{100 * tick:.0f}") for tick in axis.ticks],
            "chance": None if chance is None else 100 - axis.clipped(chance),
        }
        return Panel(title, f"{title} at {', '.join(map(str, sizes))} items: {'; '.join(told)}", content)

    @cached_property
    def matrix(self) -> list[tuple[Configuration, list[tuple[Estimate, Estimate]]]]:
        """What was trained, one row each, and its accuracy and change on every collection; the largest size only."""
        largest: dict[tuple[str, str], Configuration] = {}
        for one in sorted(self.configurations, key=lambda one: one.items):
            largest[one.entry, one.control] = one
        return [
            (one, [(one.estimate("accuracy", on), one.change("accuracy", on)) for on in self.columns])
            for one in self.configurations
            if one in largest.values()
        ]

    # Tables

    @cached_property
    def tables(self) -> list[Table]:
        """Seeds, constructions in the training data, tests for contamination."""
        made = [
            Table.of("seeds-list", "Every seed", [_seed_row(one, seed) for one, seed in self._all_seeds()]),
            Table.of(
                "constructions", "Constructions in the training data, % of items", list(self._construction_rows())
            ),
            Table.of("power", "Tests for contamination that fire, % of models", list(self._power_rows())),
        ]
        return [one for one in made if one is not None]

    def _all_seeds(self) -> Iterator[tuple[Configuration, TunedSeed]]:
        return ((one, seed) for one in self.configurations for seed in one.seeds)

    def _construction_rows(self) -> Iterator[dict[str, Value]]:
        for name, found in self.constructions.items():
            yield {"collection": name, "items read": found.items, **{one: Cell(e) for one, e in found.shares.items()}}

    def _power_rows(self) -> Iterator[dict[str, Value]]:
        """Each test: how often it fires by configuration, and for all models that have not learnt the collection."""
        found: dict[tuple[str, str], dict[str, bool]] = {}
        for row in self.analysed:
            if (fired := fires(row)) is not None:
                key = row["quantity"].removesuffix(BETWEEN), row["collection"]
                found.setdefault(key, {})[row["model"]] = fired
        groups = {one.name: [seed.name for seed in one.seeds] for one in self.configurations}
        groups |= {run.settings.model: [run.settings.model] for run in self.untuned}
        for (test, collection), own in found.items():
            innocent = [name for name in own if collection not in self.exposed.get(name, ())]
            for name, models in (*groups.items(), ("all that have not learnt it", innocent)):
                known = [own[model] for model in models if model in own]
                if known:
                    learnt = "no" if set(models) <= set(innocent) else "yes"
                    about = {"test": test, "collection": collection, "model": name, "learnt it": learnt}
                    yield {**about, "models": len(known), "fires": Cell(_exact_share(sum(known), len(known)))}

    def seeds_csv(self) -> str:
        """One line per seed, with its accuracy on each collection."""
        rows = []
        for one, seed in self._all_seeds():
            row = _seed_row(one, seed)
            for column in self.columns:
                run = seed.run_on(column)
                row[f"accuracy on {self.label(column)}"] = run.accuracy().value if run else None
            rows.append(row)
        return as_csv(rows, list(dict.fromkeys(name for row in rows for name in row)))


def _axis(rows: Sequence[Row], scale: Scale = "percent") -> Axis:
    """For what is based on enough items; the rest may lie beyond it."""
    enough = [replace(row, cells=tuple(cell and (None if cell.is_few else cell) for cell in row.cells)) for row in rows]
    return axis_of(enough if any(cell for row in enough for cell in row.cells) else rows, scale)


def _exact_share(count: int, n: int) -> Estimate:
    limits = binomtest(count, n).proportion_ci(0.95, method="exact")
    return Estimate(count / n, float(limits.low), float(limits.high), n, f"exact (Clopper-Pearson) over {n} models")


def _of_base(one: Configuration, measure: str, column: Condition, kind: str | None = None) -> Estimate:
    """The measure of the model that was not tuned, with an interval over schemas."""
    run = one.base_run(column)
    found = metric(measure).over_seeds([run] if run else [], kind)
    return replace(found, method=found.method.removesuffix(", one seed"))


def _seeds(one: Configuration) -> str:
    return f"{len(one.seeds)}, {len(one.failed)} failed" if one.failed else str(len(one.seeds))


def _seed_row(one: Configuration, seed: TunedSeed) -> dict[str, Any]:
    values = (seed.items, seed.held_out, seed.accuracy, seed.steps, seed.best_step, seed.tokens, round(seed.seconds))
    known = [None] * len(values) if seed.accuracy is None else values
    return dict(zip(_SEEDS, (one.name, str(seed.seed), *known, seed.failure), strict=True))


def verdict(shown: TuningReport) -> str:
    """What came out, in a few words: on how many collections the best configuration without a control is better."""
    best = _best(shown)
    if best is None:
        return "What fine-tuned models answer"
    changes = [best.change("accuracy", column) for column in shown.columns]
    known = [one for one in changes if one.low is not None and one.high is not None]
    better = sum((one.low or 0.0) > 0 for one in known)
    if not known:
        return "What fine-tuned models answer"
    if not better:
        return "Fine-tuning shows no gain on any collection"
    many = "on every collection" if better == len(known) else f"on {better} of {len(known)} collections"
    return f"Fine-tuning helps {many}"


def evidence(shown: TuningReport) -> str:
    """The best configuration, by its held-out schemas: its largest gain, if one is clear, and its smallest change."""
    best = _best(shown)
    if best is None:
        return ""
    found = [(best.change("accuracy", column), shown.label(column)) for column in shown.columns]
    known = [one for one in found if one[0].value is not None]
    known = [one for one in known if not Cell(one[0]).is_few] or known
    known.sort(key=lambda one: one[0].value or 0.0)
    clear = [one for one in known if (one[0].low or 0.0) > 0] or known
    told = [
        f"{number(one.value or 0.0, 'points')} points on {label} ({interval(one, 'points')})"
        for one, label in dict.fromkeys((clear[-1], known[0]) if known else ())
    ]
    held_out = _held_out(best)
    chosen = f"{best.name}, the best on held-out schemas ({100 * held_out:.1f}%)" if held_out else best.name
    if len(best.seeds) == 1:
        chosen += ", with a single seed"
    return f"{chosen}: {', '.join(told)}." if told else ""


def _held_out(one: Configuration) -> float:
    known = [seed.accuracy for seed in one.seeds if seed.accuracy is not None and seed.held_out]
    return sum(known) / len(known) if known else 0.0


def _best(shown: TuningReport) -> Configuration | None:
    """By the held-out schemas: test sets select nothing."""
    able = [one for one in shown.configurations if not one.control and one.base]
    return max(able, key=_held_out, default=None)


def tuning_page(shown: TuningReport, title: str | None = None) -> str:
    """One self-contained page."""
    return rendered(
        "tuning.html",
        shown=shown,
        title=title,
        verdict=verdict(shown),
        evidence=evidence(shown),
        figures={one.name: one for one in shown.figures},
        tables={one.name: one for one in shown.tables},
        summary={"columns": shown.columns},
        data_file="",
        version=__version__,
    )


def tuning_files(
    shown: TuningReport, page: Path, title: str | None, tables: Sequence[str], figures: Sequence[str]
) -> dict[Path, Callable[[], str | bytes]]:
    """By path, what makes the page, and the tables and figures that are asked for."""
    files: dict[Path, Callable[[], str | bytes]] = {page: partial(tuning_page, shown, title)}
    every = [*(table for figure in shown.figures for table in figure_tables(figure)), *shown.tables]
    for wanted, suffix in (("latex", "tex"), ("markdown", "md")):
        if wanted in tables:
            files |= {
                page.with_name(f"{page.stem}-tables") / f"{one.name}.{suffix}": getattr(one, wanted) for one in every
            }
    plots = [shown.curves] if shown.curves else []
    drawn = figure_files(shown.figures, plots, figures)
    return files | {page.with_name(f"{page.stem}-figures") / name: make for name, make in drawn.items()}
