"""The page about models for pairs: tables by task, depth, family and language, transfer, learning curves, tests.

The configurations are those of fine-tuning (`finetune/seeds.py`), whose estimates are over seeds and twins.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from winoglot.examples import Example
from winoglot.files import as_csv
from winoglot.finetune.seeds import Condition, Configuration
from winoglot.metrics.base import labelled, metric
from winoglot.report.figure import Axis, Cell, Figure, Group, Matrix, MatrixCell, Row, axis_of, based_on, figure_of
from winoglot.report.items import count_right, twin_example
from winoglot.report.page import Page, Section, page_files, sections_of
from winoglot.report.rendering import said, shortened
from winoglot.report.tables import Table, Value
from winoglot.report.tuning import TuningReport, curved_configurations, learning_curves, learning_title
from winoglot.runs.run import Run
from winoglot.schemas.text import counted
from winoglot.statistics.formatting import Scale, interval, p_value, percent
from winoglot.statistics.intervals import Estimate
from winoglot.statistics.significance import holm, turn_test
from winoglot.statistics.tally import Tally, over_seeds

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from winoglot.examples import Outcome
    from winoglot.report.page import MakeFile
    from winoglot.report.solvers import Role

_ALPHA = 0.05  # of p-values, after Holm's correction
_NO_BREAK = "\u00a0"  # a space at which no line ends
_MEASURED = ("accuracy", "twin-accuracy")
_MOST_SHOWN = 4  # models in the line below the headline, and in an example
_LABELS = {"1": "contradiction", "0": "none"}  # of pairs with two labels
_CSV = ("model", "seeds", "set", "depth", "metric", "value", "low", "high", "n", "chance", "method")
_UNIT = "twin group"  # what a cluster of pairs is called


@dataclass(frozen=True)
class _Part:
    """The outcomes of a run on some of its examples."""

    run: Run
    holds: Callable[[Example], bool]
    kinds: Sequence[str] = ()

    def outcomes(self, kind: str | None = None) -> list[Outcome]:
        return [outcome for outcome in self.run.outcomes(kind) if self.holds(outcome.example)]


@dataclass(frozen=True)
class LogicReport(TuningReport):
    """What a page about models for pairs is made from; `published` has labels, sets and percentages of a paper."""

    published: tuple[tuple[str, str, float], ...] = ()
    source: str = ""

    @cached_property
    def examples(self) -> dict[Condition, Sequence[Example]]:
        """The pairs of each set."""
        runs = [run for _, seed in self.seeds for run in seed.runs]
        return {Condition.of(run): [outcome.example for outcome in run.outcomes()] for run in reversed(runs)}

    def feature(self, column: Condition, name: str) -> Any:
        """A feature that all pairs of a set share: its task or its language."""
        return self.examples[column][0].features.get(name)

    @cached_property
    def languages(self) -> list[str]:
        """The languages of the sets, in order."""
        return list(dict.fromkeys(self.feature(column, "language") for column in self.columns))

    def in_language(self, language: str) -> list[Condition]:
        """The sets of a language."""
        return [column for column in self.columns if self.feature(column, "language") == language]

    @cached_property
    def depths(self) -> list[int]:
        """All depths of the pairs."""
        return sorted({example.features["depth"] for examples in self.examples.values() for example in examples})

    @property
    def plain(self) -> list[Configuration]:
        """Configurations without a control; of several sizes, only the largest."""
        largest: dict[str, int] = {}
        for configuration in self.configurations:
            largest[configuration.entry] = max(largest.get(configuration.entry, 0), _size(configuration))
        return [
            configuration
            for configuration in self.configurations
            if not configuration.control and _size(configuration) == largest[configuration.entry]
        ]

    def part(
        self, configuration: Configuration, columns: Sequence[Condition], measure: str, **features: Any
    ) -> Cell | None:
        """A measure of a configuration on the pairs with these features, several sets together."""

        def holds(example: Example) -> bool:
            return all(example.features.get(name) == value for name, value in features.items())

        tallies = []
        for seed in configuration.seeds:
            runs = [(column, run) for column in columns if (run := seed.run_on(column)) is not None]
            rows = tuple(  # pairs with the same id in several languages have the same formulas
                row._replace(id=f"{run.source.name} {row.id}", cluster=f"{self.feature(column, 'task')} {row.cluster}")
                for column, run in runs
                for row in metric(measure).tally(_Part(run, holds)).rows
            )
            if rows:
                tallies.append(Tally(rows, _UNIT))
        estimate = over_seeds(tallies)
        if len(tallies) > 1 and all(tally == tallies[0] for tally in tallies):
            # They have no variance, so it is as with one seed.
            estimate = over_seeds(tallies[:1])
            estimate = replace(estimate, method=estimate.method.replace("one seed", f"{len(tallies)} identical seeds"))
        examples = [example for column in columns for example in self.examples[column] if holds(example)]
        return Cell.of(estimate, metric(measure).chance_on(examples)) if estimate.value is not None else None

    def estimate(self, configuration: Configuration, measure: str, column: Condition) -> Estimate:
        """A measure on one set, where identical seeds count as one."""
        cell = self.part(configuration, [column], measure)
        return cell.estimate if cell else Estimate.undefined("no model, or no such pairs")

    def name_on(self, configuration: Configuration, columns: Sequence[Condition]) -> str:
        """A configuration's name, which says so if it has answered only some of these sets."""
        count = len(set(columns).intersection(configuration.asked_on()))
        return configuration.name if count == len(columns) else f"{configuration.name} ({count} of {len(columns)} sets)"

    def p_value(self, configuration: Configuration, columns: Sequence[Condition], **features: Any) -> float:
        """For the hypothesis that a configuration guesses on the pairs with these features, over all its seeds.

        The labels of a twin group are permuted together, for all seeds: each becomes the next; of two, the other.
        """
        cases = [
            (case, f"{column.collection} {case.example.cluster}")
            for column in columns
            for run in configuration.runs(column)
            for case in labelled(run).cases
            if all(case.example.features.get(name) == value for name, value in features.items())
        ]
        return turn_test(
            [case.choice for case, _ in cases],
            [case.example.answer or 0 for case, _ in cases],
            [len(case.example.options) for case, _ in cases],
            [cluster for _, cluster in cases],
        ).value

    @cached_property
    def tests(self) -> list[dict[str, Value]]:
        """Each configuration on each set against chance, with Holm's correction over all."""
        asked = [
            (configuration, column)
            for configuration in self.configurations
            for column in self.columns
            if configuration.runs(column)
        ]
        corrected = holm([self.p_value(configuration, [column]) for configuration, column in asked])
        rows: list[dict[str, Value]] = []
        for (configuration, column), p in zip(asked, corrected, strict=True):
            cell = self.part(configuration, [column], "accuracy")
            is_above = cell is not None and (cell.estimate.value or 0.0) > (cell.chance or 0.0)
            rows.append(
                {
                    "model": configuration.name,
                    "set": column.collection,
                    "accuracy": cell,
                    "p": p_value(p, is_named=False),
                    "above chance": "yes" if p < _ALPHA and is_above else "no",
                }
            )
        return rows


def logic_page(report: LogicReport, title: str | None = None) -> Page:
    """The page about these models."""
    numbers = evidence(report)
    return Page(
        template="logic.html",
        subject=report,
        brand="Winoglot logic",
        tab=f"{title or 'Logic pairs'} – Winoglot",
        result=Section("top", "Result", verdict(report), (), {"example": example(report)}),
        sections=sections_of(report, SECTIONS),
        title=title,
        evidence=(numbers,) if numbers else (),
        facts=said("logic_facts", report),
        footnote=f"Rows without intervals: {report.source}." if report.published else "",
    )


def logic_files(report: LogicReport, folder: Path, title: str, names: Sequence[str]) -> dict[Path, MakeFile]:
    """By path, what makes the page, and all its tables in Markdown and as CSV; their `names` are in this order."""
    page = logic_page(report, title)
    html, markdown, table = (folder / name for name in names)
    return {markdown: page.markdown, table: lambda: results_csv(report)} | page_files(page, html)


def example(report: LogicReport) -> Mapping[str, Any] | None:
    """A pair and its twin with what models answered, first the best: two that it has right, or only one."""
    models = sorted(report.plain, key=_validation_accuracy, reverse=True)
    is_above = bool(models) and any(
        row["model"] == models[0].name and row["above chance"] == "yes" for row in report.tests
    )
    columns = sorted(report.columns, key=lambda column: report.feature(column, "language") != "en")
    for column in columns:
        asked = [model for model in models if model.runs(column)]
        runs = [(shortened(model.name), model.runs(column)[0]) for model in asked[:_MOST_SHOWN]]
        shown = twin_example(runs, partial(_rank, 1 + is_above))
        if shown:
            options = report.examples[column][0].options
            return {**shown, "options": [_LABELS.get(option, option) for option in options], "set": column.collection}
    return None


def _rank(right: int, answers: list[list[tuple[int | None, int | None]]]) -> float:
    """Before all others, a pair of which the first model has this many right; then one on which models differ."""
    counts = list(map(count_right, answers))
    return (counts[0] != right) - len(set(counts)) / 9


def tasks(report: LogicReport) -> Section:
    """Accuracy and twin accuracy by task, one table per language, with published numbers."""
    model = _headline_model(report)
    cells = []
    for column in report.columns:
        if model and column in model.asked_on() and report.feature(column, "language") == report.languages[0]:
            cells.append((report.feature(column, "task"), report.part(model, [column], "accuracy")))
    return Section("tasks", "Tasks", _extremes(model, cells, "Accuracy by task"), tuple(task_tables(report)))


def task_tables(report: LogicReport) -> list[Table]:
    """A table per measure and language: models by task."""
    tables = []
    for measure in _MEASURED:
        for language in report.languages:
            caption = f"{metric(measure).label} by task, {language}, in percent"
            rows = list(_task_rows(report, measure, language))
            tables.append(Table.of(f"{measure}-{language}", caption, rows))
    return [table for table in tables if table is not None]


def _task_rows(report: LogicReport, measure: str, language: str) -> Iterator[dict[str, Value]]:
    columns = report.in_language(language)
    names = {column: str(report.feature(column, "task")) for column in columns}
    is_several = len(columns) > 1
    for configuration in report.configurations:
        cells = {names[column]: report.part(configuration, [column], measure) for column in columns}
        if any(cells.values()):
            total: dict[str, Value] = {"all": report.part(configuration, columns, measure)} if is_several else {}
            yield {"model": report.name_on(configuration, columns), **total, **cells}
    labels = dict.fromkeys(label for label, _, _ in report.published) if measure == "accuracy" else ()
    tasks_of = {column.collection: name for column, name in names.items()}
    for label in labels:
        rows = [(tasks_of[name], value) for who, name, value in report.published if who == label and name in tasks_of]
        values = {task: f"{value:.1f}" for task, value in rows}
        if values:
            total = {"all": None} if is_several else {}
            yield {"model": label, **total, **{name: values.get(name) for name in names.values()}}


def depth(report: LogicReport) -> Section | None:
    """Accuracy and twin accuracy against depth, all tasks of a language together, baselines among the models."""
    figures = [figure for measure in _MEASURED if (figure := _depth_figure(report, measure)) is not None]
    if not figures:
        return None
    model = _headline_model(report)
    parts: list[dict[str, Any]] = [{"depth": number} for number in report.depths] if len(report.depths) > 1 else [{}]
    overall = [(part.get("depth"), report.part(model, model.asked_on(), "accuracy", **part)) for part in parts if model]
    values = [(number, cell.estimate) for number, cell in overall if cell]
    title = said("logic_depth", model.name if model else "", values)
    if len(report.depths) == 1:
        return Section("depth", "All tasks", title, tuple(figures))
    rows: list[dict[str, Value]] = []
    for column in report.columns:
        for configuration in report.plain:
            cells = {f"depth {n}": report.part(configuration, [column], "accuracy", depth=n) for n in report.depths}
            if any(cells.values()):
                rows.append({"set": column.collection, "model": configuration.name, **cells})
    table = Table.of("depths", "Accuracy by task and depth, in percent", rows)
    return Section("depth", "Depth", title, (*figures, table))


def _depth_figure(report: LogicReport, measure: str) -> Figure | None:
    is_several = len(report.depths) > 1
    parts: list[dict[str, Any]] = [{"depth": number} for number in report.depths] if is_several else [{}]
    cells = {
        (language, configuration.name): [
            report.part(configuration, report.in_language(language), measure, **part) for part in parts
        ]
        for language in report.languages
        for configuration in report.configurations
    }
    if measure == "accuracy":
        _test_cells(report, cells, parts)
    groups = []
    for language in report.languages:
        rows = [
            Row(
                (report.name_on(configuration, report.in_language(language)),),
                tuple(cells[language, configuration.name]),
                _role(configuration),
            )
            for configuration in report.configurations
        ]
        groups.append(Group(tuple(rows), language))
    estimates = [cell.estimate for row in cells.values() for cell in row if cell]
    if not estimates:
        return None
    caption = f"All tasks of a language together. {based_on(estimates)} Grey: baselines. Dashed line: chance."
    if measure == "accuracy":
        caption += " Hollow: not clearly different from chance, after Holm's correction over all rows and columns."
    return figure_of(
        f"{measure}-by-depth",
        metric(measure).label + (" by depth" if is_several else ""),
        "%, with 95% interval",
        ("Model",),
        [f"depth {number}" for number in report.depths] if is_several else ["all pairs"],
        groups,
        group_axis=_axis_for_all,
        caption=caption,
        is_tested=measure == "accuracy",
        is_exploratory=measure != "accuracy",
    )


def _axis_for_all(rows: Sequence[Row], scale: Scale) -> Axis:
    """An axis that holds the baselines too: whether they are better is the question."""
    return axis_of([replace(row, role="model") for row in rows], scale)


def _test_cells(
    report: LogicReport, rows: dict[tuple[str, str], list[Cell | None]], parts: Sequence[dict[str, Any]]
) -> None:
    """Add to cells their p-value against chance, after Holm's correction over all of them."""
    named = {configuration.name: configuration for configuration in report.configurations}
    places = [(key, at) for key, cells in rows.items() for at, cell in enumerate(cells) if cell is not None]
    p_values = [report.p_value(named[key[1]], report.in_language(key[0]), **parts[at]) for key, at in places]
    for (key, at), p in zip(places, holm(p_values), strict=True):
        cell = rows[key][at]
        if cell is not None:
            rows[key][at] = replace(cell, p=p, is_significant=p < _ALPHA)


def transfer(report: LogicReport) -> Section | None:
    """The configurations that were tested in several languages, and their accuracy in each."""
    asked = [
        configuration
        for configuration in report.configurations
        if len(configuration.data) == 1
        and len({report.feature(column, "language") for column in configuration.asked_on()}) > 1
    ]
    if not asked:
        return None
    cells = {
        (language, configuration.name): [report.part(configuration, report.in_language(language), "accuracy")]
        for configuration in asked
        for language in report.languages
    }
    _test_cells(report, cells, [{}])
    rows = [
        (
            configuration.name,
            counted(len(configuration.seeds), "seed"),
            tuple(_above_chance(*cells[language, configuration.name]) for language in report.languages),
        )
        for configuration in asked
    ]
    estimates = [cell.estimate for _, _, cells in rows for cell in cells if cell]
    matrix = Matrix(
        name="transfer",
        title="Accuracy",
        unit="%, all tasks of a language together, with 95% interval",
        label="Accuracy by training data and language",
        heading="Model",
        columns=tuple(report.languages),
        rows=tuple(rows),
        key={"yes": "above chance", "": "not clearly above chance"},
        caption=f"{based_on(estimates)} Tests against chance are corrected over all cells (Holm).",
        table_caption="Accuracy in each test language, all tasks together, in percent",
    )
    above = sum(cell.tone == "yes" for _, _, cells in rows for cell in cells if cell)
    return Section("transfer", "Transfer", said("logic_transfer", above, len(estimates)), (matrix,))


def _above_chance(cell: Cell | None) -> MatrixCell | None:
    if cell is None:
        return None
    is_above = cell.is_significant and (cell.estimate.value or 0.0) > (cell.chance or 0.0)
    return MatrixCell(cell.estimate, "yes" if is_above else "", interval(cell.estimate, "percent"))


def learning(report: LogicReport) -> Section | None:
    """Accuracy against the number of training pairs."""
    unit = "%, by training pairs (logarithmic), with 95% interval over seeds and twin groups"
    grey = "Grey: controls. " if any(configuration.control for configuration in curved_configurations(report)) else ""
    plot = learning_curves(report, unit, f"{grey}Dashed: chance. The tables by task have every number.")
    return Section("learning", "Learning curves", learning_title(report, "pair"), (plot,)) if plot else None


def families(report: LogicReport) -> Section | None:
    """Accuracy by family, one table per language, so that all models in a row have answered the same pairs."""
    tables = []
    for language in report.languages:
        caption = f"Accuracy by family of pairs, {language}, in percent"
        tables.append(Table.of(f"families-{language}", caption, list(_family_rows(report, language))))
    model, cells = _headline_model(report), []
    for column in report.columns:
        if model and column in model.asked_on():
            for name in dict.fromkeys(pair.features["family"] for pair in report.examples[column]):
                cells.append((name, report.part(model, [column], "accuracy", family=name)))
    title = _extremes(model, cells, "Accuracy by family of pairs")
    return Section("families", "Families", title, tuple(tables)) if any(tables) else None


def _family_rows(report: LogicReport, language: str) -> Iterator[dict[str, Value]]:
    columns = report.in_language(language)
    asked = [configuration for configuration in report.plain if set(columns).intersection(configuration.asked_on())]
    for column in columns:
        names = dict.fromkeys(example.features["family"] for example in report.examples[column])
        for name in names if len(names) > 1 else ():  # a single one is the whole task
            cells = {
                configuration.name: report.part(configuration, [column], "accuracy", family=name)
                for configuration in asked
            }
            yield {"task": report.feature(column, "task"), "family": name, **cells}


def chance(report: LogicReport) -> Section | None:
    """Each configuration on each set against chance."""
    caption = "Against chance: p-values by permuting labels of twin groups, with Holm's correction"
    table = Table.of("tests", caption, report.tests)
    above = sum(row["above chance"] == "yes" for row in report.tests)
    title = said("logic_chance", above, len(report.tests))
    return Section("chance", "Against chance", title, (table,)) if table else None


def seeds(report: LogicReport) -> Section:
    """Every seed; what a model without steps does not have is left empty."""
    rows: list[dict[str, Value]] = []
    for configuration, seed in report.seeds:
        is_validated = seed.accuracy is not None
        steps = (seed.steps, seed.best_step, seed.tokens, round(seed.seconds)) if seed.steps else (None,) * 4
        rows.append(
            {
                "model": configuration.name,
                "seed": str(seed.seed),
                "training pairs per model": seed.items if is_validated else None,
                "validation pairs": seed.held_out if is_validated else None,
                "validation accuracy": seed.accuracy,
                **dict(zip(("steps", "best steps", "tokens", "seconds"), steps, strict=True)),
                "note": seed.missing or ("" if configuration.control or not seed.failure else "not above chance"),
            }
        )
    table = Table.of("seeds-list", "Every seed: steps, tokens and seconds of all its models together", rows)
    notes = [row["note"] for row in rows]
    return Section("all-seeds", "Seeds", said("title_seeds", len(list(filter(None, notes))), len(notes)), (table,))


SECTIONS = (depth, tasks, transfer, learning, families, chance, seeds)


def verdict(report: LogicReport) -> str:
    """On how many sets the model with the best validation accuracy is above chance."""
    asked = [configuration for configuration in report.plain if configuration.asked_on()]
    if not asked:
        return "Models on logic pairs"
    above = Counter(row["model"] for row in report.tests if row["above chance"] == "yes")
    if not any(above[configuration.name] for configuration in report.configurations if not configuration.control):
        return "No model is above chance" + _on(0, len(report.columns))
    best, *others = sorted(asked, key=_validation_accuracy, reverse=True)
    if others and _validation_accuracy(others[0]) == _validation_accuracy(best):  # none was trained, or a tie
        count = sum(configuration.name in above for configuration in asked)
        several = " on at least one set" if len(report.columns) > 1 else ""
        return f"{count} of {len(asked)} models {'is' if count == 1 else 'are'} above chance{several}"
    count = above[best.name]
    return f"{shortened(best.name)} is {'above' if count else 'not above'} chance{_on(count, len(best.asked_on()))}"


def evidence(report: LogicReport) -> str:
    """All configurations on all their sets together."""
    cells = [
        (configuration, cell)
        for configuration in report.plain
        if (cell := report.part(configuration, report.columns, "accuracy"))
    ]
    cells.sort(key=lambda pair: pair[1].estimate.value or 0.0, reverse=True)
    shown, rest = (cells, []) if len(cells) <= _MOST_SHOWN else (cells[: _MOST_SHOWN - 1], cells[_MOST_SHOWN - 1 :])
    rows = tuple((report.name_on(configuration, report.columns), cell) for configuration, cell in shown)
    texts = Table("evidence", "", ("model", "accuracy"), rows).texts()
    numbers = ", ".join(f"{name} {text.replace(' ', _NO_BREAK)}" for name, text in texts)
    numbers += f" and {len(rest)} more, the last {percent(rest[-1][1].estimate.value or 0.0)}" if rest else ""
    sets = " over all sets" if len(report.columns) > 1 else ""
    return f"Accuracy{sets}, in percent: {numbers}. {based_on(cell.estimate for _, cell in cells)}" if cells else ""


def results_csv(report: LogicReport) -> str:
    """One line per configuration, set, depth and measure."""
    rows = []
    for configuration in report.configurations:
        for column in report.columns:
            depths = sorted({example.features["depth"] for example in report.examples[column]})
            for features in ({}, *({"depth": number} for number in depths)):
                about = {"model": configuration.name, "seeds": len(configuration.seeds), "set": column.collection}
                for measure in _MEASURED:
                    cell = report.part(configuration, [column], measure, **features)
                    if cell is not None:
                        rows.append(about | features | vars(cell.estimate) | {"metric": measure, "chance": cell.chance})
    return as_csv(rows, _CSV if rows else ())


def _headline_model(report: LogicReport) -> Configuration | None:
    """The one that titles speak of: the best on validation pairs, or the first of several."""
    asked = [configuration for configuration in report.plain if configuration.asked_on()]
    return max(asked, key=_validation_accuracy, default=None)


def _extremes(model: Configuration | None, cells: Sequence[tuple[str, Cell | None]], otherwise: str) -> str:
    """Where a model is right least and most often."""
    defined = [(name, cell.estimate) for name, cell in cells if cell is not None]
    defined.sort(key=lambda pair: pair[1].value or 0.0)
    return said("logic_extremes", model.name, defined[0], defined[-1]) if model and defined else otherwise


def _role(configuration: Configuration) -> Role:
    is_baseline = any(run.is_baseline for seed in configuration.seeds for run in seed.runs)
    return "baseline" if configuration.control or is_baseline else "model"


def _size(configuration: Configuration) -> int:
    """How many pairs it was allowed to learn from; all of them are more than any number."""
    return configuration.size or 2**62


def _on(above: int, sets: int) -> str:
    """On how many sets, unless there is only one."""
    if sets == 1:
        return ""
    if above == sets:
        return " on both sets" if sets == 2 else f" on all {sets} sets"
    return f" on {above or 'any'} of {sets} sets"


def _validation_accuracy(configuration: Configuration) -> float:
    accuracies = [seed.accuracy for seed in configuration.seeds if seed.accuracy is not None]
    return sum(accuracies) / len(accuracies) if accuracies else 0.0
