"""The report on models for pairs: tables by task, depth, family and language, transfer, learning curves, tests.

The configurations are those of fine-tuning (`finetune/seeds.py`), whose estimates are over seeds and twins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.examples import Example
from winoglot.finetune.seeds import MEASURES, AskedOn, Configuration, over_seeds
from winoglot.metrics.base import labelled, metric
from winoglot.report.figure import Cell, Figure, Group, Row, axis_of, number, p_value
from winoglot.report.findings import rendered
from winoglot.report.tables import Table, Value, as_csv, figure_tables
from winoglot.report.tuning import TuningReport
from winoglot.runs.run import Run
from winoglot.statistics.significance import holm, turn_test

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from winoglot.examples import Outcome
    from winoglot.report.plots import Plot
    from winoglot.statistics.intervals import Estimate

_SURE = 0.05
_MEASURED = ("accuracy", "twin-accuracy")


@dataclass(frozen=True)
class _Part:
    """The outcomes of a run on some of its examples."""

    run: Run
    holds: Callable[[Example], bool]
    kinds: Sequence[str] = ()

    def outcomes(self, kind: str | None = None) -> list[Outcome]:
        return [one for one in self.run.outcomes(kind) if self.holds(one.example)]


@dataclass(frozen=True)
class LogicReport(TuningReport):
    """The content of a report on models for pairs; `published` has labels, sets and percentages of a paper."""

    published: tuple[tuple[str, str, float], ...] = ()
    source: str = ""

    @cached_property
    def _examples(self) -> dict[AskedOn, Sequence[Example]]:
        runs = [run for one in self.configurations for seed in one.seeds for run in seed.runs]
        return {AskedOn.of(run): [one.example for one in run.outcomes()] for run in reversed(runs)}

    def _feature(self, column: AskedOn, name: str) -> Any:
        return self._examples[column][0].features.get(name)

    @cached_property
    def languages(self) -> list[str]:
        """Those of the sets, in order."""
        return list(dict.fromkeys(self._feature(one, "language") for one in self.columns))

    def _columns(self, language: str) -> list[AskedOn]:
        return [one for one in self.columns if self._feature(one, "language") == language]

    @property
    def plain(self) -> list[Configuration]:
        """Configurations without a control; of several sizes, only the largest."""
        sizes = [one.size or 2**62 for one in self.configurations]
        largest = {
            entry: max(s for s, o in zip(sizes, self.configurations, strict=True) if o.entry == entry)
            for entry in {one.entry for one in self.configurations}
        }
        return [one for one in self.configurations if not one.control and (one.size or 2**62) == largest[one.entry]]

    def part(self, one: Configuration, columns: Sequence[AskedOn], measure: str, **features: Any) -> Cell | None:
        """A measure of a configuration on the pairs with these features, several sets together."""

        def holds(example: Example) -> bool:
            return all(example.features.get(name) == value for name, value in features.items())

        cases: list[dict[str, tuple[str, float]]] = []
        for seed in one.seeds:
            runs = [(column, run) for column in columns if (run := seed.run_on(column)) is not None]
            cases.append(
                {  # pairs with the same id in several languages have the same formulas
                    f"{run.source.name} {name}": (f"{self._feature(column, 'task')} {cluster}", value)
                    for column, run in runs
                    for name, (cluster, value) in MEASURES[measure].cases(_Part(run, holds), None).items()
                }
            )
        known = [own for own in cases if own]
        found = over_seeds(known)
        if len(known) > 1 and all(own == known[0] for own in known):  # as with one seed: they have no variance
            found = over_seeds(known[:1])
            found = replace(found, method=found.method.replace("one seed", f"{len(known)} identical seeds"))
        found = replace(found, method=found.method.replace("schema", "twin group"))
        asked = [example for column in columns for example in self._examples[column] if holds(example)]
        return Cell(found, metric(measure).chance_on(asked)) if found.value is not None else None

    def p_value(self, one: Configuration, columns: Sequence[AskedOn], **features: Any) -> float:
        """For the hypothesis that a configuration guesses on the pairs with these features, over all its seeds.

        The labels of a twin group are turned together for all seeds; with two labels, that is a flip.
        """
        cases = [
            (case, f"{column.collection} {case.example.cluster}")
            for column in columns
            for run in one.runs(column)
            for case in labelled(run).cases
            if all(case.example.features.get(name) == value for name, value in features.items())
        ]
        return turn_test(
            [case.choice for case, _ in cases],
            [case.example.answer or 0 for case, _ in cases],
            [len(case.example.options) for case, _ in cases],
            [cluster for _, cluster in cases],
        ).value

    # Figures and tables

    @cached_property
    def depths(self) -> list[int]:
        """The depths of the pairs; published pairs all have the same one."""
        return sorted({one.features["depth"] for own in self._examples.values() for one in own})

    @cached_property
    def by_depth(self) -> list[Figure]:
        """Accuracy and twin accuracy against depth, all tasks of a language together, baselines among the models."""
        many = len(self.depths) > 1
        parts: list[dict[str, Any]] = [{"depth": depth} for depth in self.depths] if many else [{}]
        made = []
        for measure in _MEASURED:
            found = {
                (language, one.name): [self.part(one, self._columns(language), measure, **part) for part in parts]
                for language in self.languages
                for one in self.configurations
            }
            if measure == "accuracy":
                found = self._tested(found, parts)
            groups = []
            for language in self.languages:
                rows = [
                    Row((one.name,), tuple(cells), _role(one))
                    for one in self.configurations
                    if any(cells := found[language, one.name])
                ]
                if rows:  # the axis holds the baselines too: whether they are better is the question
                    axis = axis_of([replace(row, role="model") for row in rows])
                    groups.append(Group(tuple(rows), language, axis))
            caption = "All tasks of a language together; intervals over seeds and twin groups. Grey: baselines. "
            caption += "Dashed: chance. "
            if measure == "accuracy":
                caption += "*: differs from chance, after Holm's correction over all rows and columns."
            if groups:
                made.append(
                    Figure(
                        f"{measure}-by-depth",
                        MEASURES[measure].title + (" by depth" if many else ""),
                        "%, with 95% interval",
                        ("Model",),
                        tuple(f"depth {depth}" for depth in self.depths) if many else ("all pairs",),
                        tuple(groups),
                        caption=caption.strip(),
                    )
                )
        return made

    def _tested(
        self, found: dict[tuple[str, str], list[Cell | None]], parts: Sequence[dict[str, Any]]
    ) -> dict[tuple[str, str], list[Cell | None]]:
        """The same cells, with a star if they differ from chance after Holm's correction over all of them."""
        named = {one.name: one for one in self.configurations}
        places = [(key, at) for key, cells in found.items() for at, cell in enumerate(cells) if cell is not None]
        corrected = holm([self.p_value(named[key[1]], self._columns(key[0]), **parts[at]) for key, at in places])
        for (key, at), p in zip(places, corrected, strict=True):
            cell = found[key][at]
            if cell is not None and p < _SURE:
                found[key][at] = replace(cell, note="*", is_significant=True)
        return found

    @cached_property
    def curves(self) -> Plot | None:
        """Accuracy against the number of training pairs."""
        made = super().curves
        unit = "%, by training pairs (logarithmic), with 95% interval over seeds and twin groups"
        return made and replace(made, unit=unit, caption="Dashed: chance. The tables by task have every number.")

    @cached_property
    def tables(self) -> list[Table]:
        """By task and language, by task and depth, by family, tests, transfer, seeds."""
        made: list[Table | None] = []
        for measure in _MEASURED:
            for language in self.languages:
                rows = list(self._task_rows(measure, language))
                caption = f"{MEASURES[measure].title} by task, {language}, in percent"
                made.append(Table.of(f"{measure}-{language}", caption, rows))
        if len(self.depths) > 1:
            made.append(Table.of("depths", "Accuracy by task and depth, in percent", list(self._depth_rows())))
        together = ", all languages together" if len(self.languages) > 1 else ""
        made += [
            Table.of("families", f"Accuracy by family of pairs{together}, in percent", list(self._family_rows())),
            Table.of(
                "tests",
                "Against chance: p-values by turning labels of twin groups, with Holm's correction",
                self._tests,
            ),
        ]
        crossed: list[dict[str, Value]] = [
            {"model": one.name, **dict(zip(self.languages, cells, strict=True))} for one, cells in self.transfers
        ]
        made += [
            Table.of("transfer", "Accuracy in each test language, all tasks together, in percent", crossed),
            Table.of("seeds-list", "Every seed: steps, tokens and seconds of all its models together", self._seeds),
        ]
        return [one for one in made if one is not None]

    def _task_rows(self, measure: str, language: str) -> Iterator[dict[str, Value]]:
        columns = self._columns(language)
        names = {column: str(self._feature(column, "task")) for column in columns}
        is_several = len(columns) > 1
        for one in self.configurations:
            cells = {names[column]: self.part(one, [column], measure) for column in columns}
            if any(cells.values()):
                total: dict[str, Value] = {"all": self.part(one, columns, measure)} if is_several else {}
                yield {"model": one.name, **total, **cells}
        labels = dict.fromkeys(label for label, _, _ in self.published) if measure == "accuracy" else ()
        sets = {column.collection: name for column, name in names.items()}
        for label in labels:
            own = {sets[name]: f"{value:.1f}" for who, name, value in self.published if who == label and name in sets}
            if own:
                total = {"all": None} if is_several else {}
                yield {"model": label, **total, **{name: own.get(name) for name in names.values()}}

    def _depth_rows(self) -> Iterator[dict[str, Value]]:
        for column in self.columns:
            for one in self.plain:
                cells = {f"depth {d}": self.part(one, [column], "accuracy", depth=d) for d in self.depths}
                if any(cells.values()):
                    yield {"set": column.collection, "model": one.name, **cells}

    def _family_rows(self) -> Iterator[dict[str, Value]]:
        tasks = dict.fromkeys(
            (self._feature(column, "task"), one.features["family"])
            for column in self.columns
            for one in self._examples[column]
        )
        if len({family for _, family in tasks}) < 2:  # published pairs
            return
        for task, family in tasks:
            columns = [column for column in self.columns if self._feature(column, "task") == task]
            cells = {one.name: self.part(one, columns, "accuracy", family=family) for one in self.plain}
            if family and any(cells.values()):
                yield {"task": task, "family": family, **cells}

    @cached_property
    def _tests(self) -> list[dict[str, Value]]:
        found = []
        for one in self.configurations:
            for column in self.columns:
                if one.runs(column):
                    found.append((one, column, self.p_value(one, [column])))
        corrected = holm([p for *_, p in found])
        return [
            {
                "model": one.name,
                "set": column.collection,
                "accuracy": self.part(one, [column], "accuracy"),
                "p": p_value(p, is_named=False),
                "above chance": "yes" if p < _SURE and self._is_above(one, column) else "no",
            }
            for (one, column, _), p in zip(found, corrected, strict=True)
        ]

    def _is_above(self, one: Configuration, column: AskedOn) -> bool:
        return (one.estimate("accuracy", column).value or 0.0) > (self.chance("accuracy", column) or 0.0)

    @cached_property
    def transfers(self) -> list[tuple[Configuration, list[Cell | None]]]:
        """The configurations that were tested in several languages, and their accuracy in each."""
        made = []
        for one in self.configurations:
            asked = {self._feature(column, "language") for column in one.asked_on()}
            if len(asked) > 1 and len(one.data) == 1:
                made.append((one, [self.part(one, self._columns(name), "accuracy") for name in self.languages]))
        return made

    @cached_property
    def _seeds(self) -> list[dict[str, Value]]:
        """Every seed; what a model without steps does not have is left empty."""
        made: list[dict[str, Value]] = []
        for one in self.configurations:
            for seed in one.seeds:
                known = seed.accuracy is not None
                steps = (seed.steps, seed.best_step, seed.tokens, round(seed.seconds)) if seed.steps else (None,) * 4
                names = ("steps", "best steps", "tokens", "seconds")
                made.append(
                    {
                        "model": one.name,
                        "seed": str(seed.seed),
                        "training pairs per model": seed.items if known else None,
                        "validation pairs": seed.held_out if known else None,
                        "validation accuracy": f"{100 * seed.accuracy:.1f}" if seed.accuracy is not None else "",
                        **dict(zip(names, steps, strict=True)),
                        "failed": seed.missing or ("" if one.control or not seed.failure else "not above chance"),
                    }
                )
        return made

    @cached_property
    def verdict(self) -> str:
        """On how many sets the model with the best validation accuracy is above chance."""
        best = max(self.plain, key=_validated, default=None)
        if best is None:
            return "Models on logic pairs"
        own = [row for row in self._tests if row["model"] == best.name]
        above = sum(row["above chance"] == "yes" for row in own)
        if len(own) == 1:
            return f"{best.name} is {'above' if above else 'not above'} chance"
        if not above:
            return f"{best.name} is not above chance on any of {len(own)} sets"
        return f"{best.name} is above chance on {'all' if above == len(own) else f'{above} of'} {len(own)} sets"

    @cached_property
    def evidence(self) -> str:
        """All configurations on all their sets together."""
        told = []
        for one in self.plain:
            cell = self.part(one, self.columns, "accuracy")
            if cell is not None:
                value, count = cell.estimate.value or 0.0, len(one.asked_on())
                less = f" ({count} of {len(self.columns)} sets)" if count < len(self.columns) else ""
                told.append((value, f"{one.name} {number(value, 'percent')}%{less}"))
        return "Accuracy over all sets: " + ", ".join(text for _, text in sorted(told, reverse=True)) + "."

    def csv(self) -> str:
        """One line per configuration, set, depth and measure."""
        rows = []
        for one in self.configurations:
            for column in self.columns:
                for depth in (None, *sorted({example.features["depth"] for example in self._examples[column]})):
                    for measure in _MEASURED:
                        cell = self.part(one, [column], measure, **({} if depth is None else {"depth": depth}))
                        if cell is not None:
                            found: Estimate = cell.estimate
                            rows.append(
                                {
                                    "model": one.name,
                                    "seeds": len(one.seeds),
                                    "set": column.collection,
                                    "depth": "" if depth is None else depth,
                                    "metric": measure,
                                    "value": found.value,
                                    "low": found.low,
                                    "high": found.high,
                                    "n": found.n,
                                    "chance": cell.chance,
                                    "method": found.method,
                                }
                            )
        return as_csv(rows, tuple(rows[0]))

    def markdown(self, title: str) -> str:
        """All tables."""
        parts = [f"# {title}", f"{self.verdict}. {self.evidence}"]
        drawn = [table for figure in self.by_depth for table in figure_tables(figure)]
        for one in (*drawn, *self.tables):
            parts.append(f"## {one.caption}\n\n{one.markdown().strip()}")
        if self.published:
            parts.append(f"Rows without intervals: {self.source}.")
        return "\n\n".join(parts) + "\n"


def _role(one: Configuration) -> Any:
    return "baseline" if one.control or any(run.is_baseline for seed in one.seeds for run in seed.runs) else "model"


def _validated(one: Configuration) -> float:
    known = [seed.accuracy for seed in one.seeds if seed.accuracy is not None]
    return sum(known) / len(known) if known else 0.0


def logic_page(shown: LogicReport, title: str | None = None) -> str:
    """One self-contained page."""
    return rendered(
        "logic.html",
        shown=shown,
        title=title,
        tables={one.name: one for one in shown.tables},
        summary={"columns": shown.columns},
        data_file="",
        version=__version__,
    )


def logic_files(shown: LogicReport, folder: Path, title: str) -> dict[Path, Callable[[], str | bytes]]:
    """The files to write, by path: the report, and the tables in Markdown and CSV."""
    return {
        folder / "results.md": partial(shown.markdown, title),
        folder / "results.csv": shown.csv,
        folder / "report.html": partial(logic_page, shown, title),
    }
