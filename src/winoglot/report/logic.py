"""The report on models for pairs: tables by task, depth, family and language, transfer, learning curves, tests.

The configurations are those of fine-tuning (`finetune/seeds.py`), whose estimates are over seeds and twins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__
from winoglot.examples import Example
from winoglot.files import as_csv
from winoglot.finetune.seeds import Condition, Configuration
from winoglot.metrics.base import labelled, metric
from winoglot.report.figure import Cell, Figure, Group, Row, axis_of, p_value
from winoglot.report.findings import rendered
from winoglot.report.tables import Table, Value, based_on, figure_tables
from winoglot.report.tuning import TuningReport
from winoglot.runs.run import Run
from winoglot.statistics.intervals import Estimate
from winoglot.statistics.significance import holm, turn_test
from winoglot.statistics.tally import Tally, over_seeds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from winoglot.examples import Outcome
    from winoglot.report.plots import Plot

_ALPHA = 0.05  # of p-values, after Holm's correction
_NO_BREAK = "\u00a0"  # a space at which no line ends
_MEASURED = ("accuracy", "twin-accuracy")
_UNIT = "twin group"  # what a cluster of pairs is called


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
    def _examples(self) -> dict[Condition, Sequence[Example]]:
        runs = [run for one in self.configurations for seed in one.seeds for run in seed.runs]
        return {Condition.of(run): [one.example for one in run.outcomes()] for run in reversed(runs)}

    def _feature(self, column: Condition, name: str) -> Any:
        return self._examples[column][0].features.get(name)

    @cached_property
    def languages(self) -> list[str]:
        """Those of the sets, in order."""
        return list(dict.fromkeys(self._feature(one, "language") for one in self.columns))

    def _columns(self, language: str) -> list[Condition]:
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

    def part(self, one: Configuration, columns: Sequence[Condition], measure: str, **features: Any) -> Cell | None:
        """A measure of a configuration on the pairs with these features, several sets together."""

        def holds(example: Example) -> bool:
            return all(example.features.get(name) == value for name, value in features.items())

        tallies = []
        for seed in one.seeds:
            runs = [(column, run) for column in columns if (run := seed.run_on(column)) is not None]
            rows = tuple(  # pairs with the same id in several languages have the same formulas
                row._replace(id=f"{run.source.name} {row.id}", cluster=f"{self._feature(column, 'task')} {row.cluster}")
                for column, run in runs
                for row in metric(measure).tally(_Part(run, holds)).rows
            )
            if rows:
                tallies.append(Tally(rows, _UNIT))
        found = over_seeds(tallies)
        if len(tallies) > 1 and all(tally == tallies[0] for tally in tallies):
            # They have no variance, so it is as with one seed.
            found = over_seeds(tallies[:1])
            found = replace(found, method=found.method.replace("one seed", f"{len(tallies)} identical seeds"))
        asked = [example for column in columns for example in self._examples[column] if holds(example)]
        return Cell(found, metric(measure).chance_on(asked)) if found.value is not None else None

    def estimate(self, one: Configuration, measure: str, column: Condition) -> Estimate:
        """The same as in the tables: identical seeds count as one."""
        cell = self.part(one, [column], measure)
        return cell.estimate if cell else Estimate.undefined("no model, or no such pairs")

    def _named(self, one: Configuration, columns: Sequence[Condition]) -> str:
        """A configuration's name, which says so if it has answered only some of these sets."""
        count = len(set(columns).intersection(one.asked_on()))
        return one.name if count == len(columns) else f"{one.name} ({count} of {len(columns)} sets)"

    def p_value(self, one: Configuration, columns: Sequence[Condition], **features: Any) -> float:
        """For the hypothesis that a configuration guesses on the pairs with these features, over all its seeds.

        The labels of a twin group are permuted together, for all seeds: each becomes the next; of two, the other.
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
                    Row((self._named(one, self._columns(language)),), tuple(cells), _role(one))
                    for one in self.configurations
                    if any(cells := found[language, one.name])
                ]
                if rows:  # the axis holds the baselines too: whether they are better is the question
                    axis = axis_of([replace(row, role="model") for row in rows])
                    groups.append(Group(tuple(rows), language, axis))
            if groups:
                shown = [cell.estimate for group in groups for row in group.rows for cell in row.cells if cell]
                caption = f"All tasks of a language together. {based_on(shown)} Grey: baselines. Dashed: chance."
                if measure == "accuracy":
                    caption += " Starred: differs from chance, after Holm's correction over all rows and columns."
                made.append(
                    Figure(
                        f"{measure}-by-depth",
                        metric(measure).label + (" by depth" if many else ""),
                        "%, with 95% interval",
                        ("Model",),
                        tuple(f"depth {depth}" for depth in self.depths) if many else ("all pairs",),
                        tuple(groups),
                        caption=caption,
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
            if cell is not None and p < _ALPHA:
                found[key][at] = replace(cell, note="*", is_significant=True)
        return found

    @cached_property
    def curves(self) -> Plot | None:
        """Accuracy against the number of training pairs."""
        made = super().curves
        unit = "%, by training pairs (logarithmic), with 95% interval over seeds and twin groups"
        grey = "Grey: controls. " if any(one.control for one in self._curved) else ""
        return made and replace(made, unit=unit, caption=f"{grey}Dashed: chance. The tables by task have every number.")

    @cached_property
    def tables(self) -> list[Table]:
        """By task and language, by task and depth, by family, tests, transfer, seeds."""
        made: list[Table | None] = []
        for measure in _MEASURED:
            for language in self.languages:
                rows = list(self._task_rows(measure, language))
                caption = f"{metric(measure).label} by task, {language}, in percent"
                made.append(Table.of(f"{measure}-{language}", caption, rows))
        if len(self.depths) > 1:
            made.append(Table.of("depths", "Accuracy by task and depth, in percent", list(self._depth_rows())))
        caption = "Against chance: p-values by permuting labels of twin groups, with Holm's correction"
        made += [*self.families, Table.of("tests", caption, self._tests)]
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
                yield {"model": self._named(one, columns), **total, **cells}
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

    @cached_property
    def families(self) -> list[Table]:
        """Accuracy by family, one table per language, so that all models in a row have answered the same pairs."""
        made = []
        for language in self.languages:
            caption = f"Accuracy by family of pairs, {language}, in percent"
            made.append(Table.of(f"families-{language}", caption, list(self._family_rows(language))))
        return [one for one in made if one is not None]

    def _family_rows(self, language: str) -> Iterator[dict[str, Value]]:
        columns = self._columns(language)
        asked = [one for one in self.plain if set(columns).intersection(one.asked_on())]
        for column in columns:
            families = dict.fromkeys(one.features["family"] for one in self._examples[column])
            for family in families if len(families) > 1 else ():  # a single one is the whole task
                cells = {one.name: self.part(one, [column], "accuracy", family=family) for one in asked}
                yield {"task": self._feature(column, "task"), "family": family, **cells}

    @cached_property
    def _tests(self) -> list[dict[str, Value]]:
        found = []
        for one in self.configurations:
            for column in self.columns:
                if one.runs(column):
                    found.append((one, column, self.p_value(one, [column])))
        rows: list[dict[str, Value]] = []
        for (one, column, _), p in zip(found, holm([p for *_, p in found]), strict=True):
            cell = self.part(one, [column], "accuracy")
            is_above = cell is not None and (cell.estimate.value or 0.0) > (cell.chance or 0.0)
            rows.append(
                {
                    "model": one.name,
                    "set": column.collection,
                    "accuracy": cell,
                    "p": p_value(p, is_named=False),
                    "above chance": "yes" if p < _ALPHA and is_above else "no",
                }
            )
        return rows

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
                        "validation accuracy": seed.accuracy,
                        **dict(zip(names, steps, strict=True)),
                        "note": seed.missing or ("" if one.control or not seed.failure else "not above chance"),
                    }
                )
        return made

    @cached_property
    def verdict(self) -> str:
        """On how many sets the model with the best validation accuracy is above chance."""
        asked = [one for one in self.plain if one.asked_on()]
        if not asked:
            return "Models on logic pairs"
        above = Counter(row["model"] for row in self._tests if row["above chance"] == "yes")
        if not any(above[one.name] for one in self.configurations if not one.control):
            return "No model is above chance" + _on(0, len(self.columns))
        best, *others = sorted(asked, key=_validated, reverse=True)
        if others and _validated(others[0]) == _validated(best):  # their order says nothing: none was trained, or a tie
            count = sum(one.name in above for one in asked)
            several = " on at least one set" if len(self.columns) > 1 else ""
            return f"{count} of {len(asked)} models are above chance{several}"
        own = above[best.name]
        return f"{best.name} is {'above' if own else 'not above'} chance{_on(own, len(best.asked_on()))}"

    @cached_property
    def evidence(self) -> str:
        """All configurations on all their sets together."""
        found = [(one, cell) for one in self.plain if (cell := self.part(one, self.columns, "accuracy"))]
        found.sort(key=lambda pair: pair[1].estimate.value or 0.0, reverse=True)
        rows = tuple((self._named(one, self.columns), cell) for one, cell in found)
        texts = Table("evidence", "", ("model", "accuracy"), rows).texts()
        told = ", ".join(f"{name} {text.replace(' ', _NO_BREAK)}" for name, text in texts)
        sets = " over all sets" if len(self.columns) > 1 else ""
        return f"Accuracy{sets}, in percent: {told}. {based_on(cell.estimate for _, cell in found)}" if found else ""

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
        return as_csv(rows, tuple(rows[0]) if rows else ())

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


def _on(above: int, sets: int) -> str:
    """On how many sets, unless there is only one."""
    if sets == 1:
        return ""
    if above == sets:
        return " on both sets" if sets == 2 else f" on all {sets} sets"
    return f" on {above or 'any'} of {sets} sets"


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
