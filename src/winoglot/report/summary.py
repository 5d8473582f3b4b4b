"""All numbers of a report, computed from runs; nothing here knows how they are displayed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from math import isfinite
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.metrics.accuracy import accuracy, chance_test, with_guesses
from winoglot.metrics.base import estimates, guessing
from winoglot.metrics.calibration import curve
from winoglot.metrics.subsets import subsets
from winoglot.report.columns import Column, columns
from winoglot.report.ranking import Ranking, ranking
from winoglot.report.solvers import (
    SolverRow,
    is_guessing,
    maker_and_name,
    solvers_of,
    without_guessing,
    without_repeats,
)
from winoglot.runs.comparing import ALPHA, Comparison, compare_all
from winoglot.runs.pairing import comparable_pairs, names
from winoglot.runs.run import Run, Settings
from winoglot.schemas.text import counted
from winoglot.statistics.calibration import Calibration
from winoglot.statistics.intervals import Estimate
from winoglot.statistics.significance import PValue, holm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcome, Outcomes

FEW = 20  # with fewer, the interval of a share near one half spans over 40 points: too wide to rank anything
_LOG_PROBABILITIES = ("partial", "full")  # the scorings whose margins are log odds, so that they give a confidence


@dataclass(frozen=True)
class Accuracy(Estimate):
    """An accuracy, and how many of its n items the solver abstained on, which do not count as right."""

    abstained: int = 0

    @classmethod
    def of(cls, run: Outcomes) -> Accuracy:
        """The accuracy of a run or a part of it."""
        silent = sum(outcome.choice is None and outcome.right is not None for outcome in run.outcomes())
        return cls(**vars(accuracy.of(run)), abstained=silent)


@dataclass(frozen=True)
class RunSummary:
    """One solver in one column."""

    run: Run
    solver: SolverRow
    column: Column
    accuracy: Accuracy
    guesses: Estimate  # its accuracy if it had guessed instead of abstaining: what is tested
    metrics: Mapping[str, Estimate]  # every other metric that tables show, by name, if the run has what it needs
    kinds: Mapping[str, Mapping[str, Estimate]]  # by kind of variant, then by name: the metrics that need variants
    subsets: Mapping[str, Accuracy]  # of models; of rules only if there is no model
    calibration: Calibration | None  # None if scores are not log probabilities
    guess: float | None = None  # what guessing gives on its items
    chance: PValue | None = None  # the test against guessing; None if it is not made
    corrected_p: float | None = None  # of that test, after Holm's correction over the whole report

    @property
    def settings(self) -> Settings:
        """How the run was made."""
        return self.run.settings

    @property
    def missing(self) -> int:
        """How many items of the column the run has no answer to."""
        return len(self.column.examples) - len(self.run.outcomes())

    @cached_property
    def choices(self) -> Counter[str]:
        """What the solver did with schemas (or other clusters) whose items have different answers, each counted once.

        It was `right` in every item, made the `same` choice throughout, `changed` its choice without being right
        in every item, or was `silent` on an item.
        """
        clusters: dict[str, list[Outcome]] = {}
        for outcome in self.run.outcomes():
            if outcome.right is not None:
                clusters.setdefault(outcome.example.cluster, []).append(outcome)
        counts: Counter[str] = Counter()
        for outcomes in clusters.values():
            if len({outcome.example.answer for outcome in outcomes}) > 1:
                chosen, is_right = {outcome.choice for outcome in outcomes}, all(outcome.right for outcome in outcomes)
                changed = "changed" if len(chosen) > 1 else "same"
                counts["silent" if None in chosen else "right" if is_right else changed] += 1
        return counts

    @cached_property
    def margins(self) -> list[float]:
        """The score of the answer minus that of the other candidate, of labelled items with two finite scores."""
        margins = []
        for outcome in self.run.outcomes():
            scores = [score for score in outcome.scores if score is not None and isfinite(score)]
            if len(scores) == len(outcome.scores) == 2 and outcome.example.answer is not None:
                margins.append(scores[outcome.example.answer] - scores[1 - outcome.example.answer])
        return margins

    @property
    def beats_chance(self) -> bool | None:
        """Whether it is better (True) or worse (False) than guessing; None if that cannot be decided.

        Abstaining is neither: as in the test, an abstention counts as a guess.
        """
        share = self.guesses.value
        if self.corrected_p is None or self.corrected_p > ALPHA or share is None or self.guess is None:
            return None
        return share > self.guess


@dataclass(frozen=True)
class Compared:
    """A comparison, with the two runs compared."""

    first: RunSummary
    second: RunSummary
    comparison: Comparison

    @property
    def is_by_abstaining(self) -> bool:
        """Whether less than half of the difference would remain if both had guessed instead of abstaining."""
        difference = self.comparison.difference.value
        gains = [(side.guesses.value or 0.0) - (side.accuracy.value or 0.0) for side in (self.first, self.second)]
        return difference is not None and abs(difference + gains[0] - gains[1]) < abs(difference) / 2

    @property
    def outcome(self) -> str:
        """Whether they differ, in words."""
        if not self.comparison.is_distinguishable:
            return "no significant difference"
        return "significant, mostly by abstaining" if self.is_by_abstaining else "significant"

    @property
    def is_of_readings(self) -> bool:
        """Whether only the style of the readings differs."""
        first, second = self.first.settings, self.second.settings
        same = (first.model, first.fingerprint, first.scoring) == (second.model, second.fingerprint, second.scoring)
        return same and self.first.column is self.second.column and first.readings != second.readings


@dataclass(frozen=True)
class Summary:
    """Runs in order of solver, then column, with everything that was computed."""

    runs: tuple[RunSummary, ...]
    columns: tuple[Column, ...]
    compared: tuple[Compared, ...]
    refused: tuple[tuple[RunSummary, RunSummary, str], ...]  # two runs and why they cannot be compared
    passed_over: int  # pairs that differ in several respects
    shown_once: tuple[str, ...]  # rules for which the style of the readings makes no difference
    has_guessing: bool = False  # whether runs of a solver that guesses were left out
    named: tuple[Run, ...] = ()  # the runs that were asked for, those that have no row included
    human: tuple[Run, ...] = ()  # runs of people that were asked for

    def __repr__(self) -> str:
        """How much there is; `winoglot.report.findings` says what was found."""
        numbers = counted(len(self.solvers), "solver"), counted(len(self.columns), "collection")
        return f"<Summary of {counted(len(self.runs), 'run')}: {', '.join(numbers)}>"

    def _repr_html_(self) -> str:
        """The verdict and its evidence, for notebooks."""
        from winoglot.report.findings import evidence, facts, verdict

        head, *more = (escape(make(self)) for make in (verdict, evidence, facts))
        return f"<p><b>{head}</b></p>" + "".join(f"<p>{text}</p>" for text in more)

    @cached_property
    def solvers(self) -> tuple[SolverRow, ...]:
        """Rows: people, models in the order of the leaderboard, each with its other settings, and baselines."""
        ranked = {(place.solver.name, place.solver.more): at for at, place in enumerate(self.ranking.places)}
        roles, main = ("people", "model", "baseline"), self.ranking.main

        def order(solver: SolverRow) -> tuple[int, int, bool]:
            at = ranked.get((solver.name, solver.more), len(ranked))
            return roles.index(solver.role), at, solver not in main

        return tuple(sorted(dict.fromkeys(run.solver for run in self.runs), key=order))

    @cached_property
    def ranking(self) -> Ranking:
        """The leaderboard."""
        return ranking(self.runs, self.columns)

    @cached_property
    def main_solvers(self) -> tuple[SolverRow, ...]:
        """The rows of the leaderboard: each solver in one setting."""
        main = self.ranking.main
        return tuple(solver for solver in self.solvers if solver in main) or self.solvers

    @cached_property
    def _tails(self) -> Counter[str]:
        """How many names end in the same way."""
        return Counter(maker_and_name(name)[1] for name in {solver.name for solver in self.solvers})

    def short_name(self, name: str) -> str:
        """A name without its maker or folder, unless two names differ in nothing else."""
        tail = maker_and_name(name)[1]
        return tail if self._tails[tail] == 1 else name

    def main_name(self, solver: SolverRow) -> str:
        """The name of a leaderboard row elsewhere: the short name, with settings only if the solver has two rows."""
        is_once = sum(other.name == solver.name for other in self.main_solvers) == 1
        return self.short_name(solver.name) if is_once else self.brief(solver)

    def brief(self, solver: SolverRow) -> str:
        """What a narrow place calls a solver: without the model's name if there is only one."""
        models = {solver.name for solver in self.solvers if solver.role == "model"}
        is_only, name = solver.role == "model" and len(models) == 1, self.short_name(solver.name)
        return solver.settings if solver.settings and is_only else ", ".join(filter(None, (name, solver.settings)))

    @cached_property
    def cells(self) -> dict[tuple[SolverRow, str], RunSummary]:
        """The runs by their row and the key of their column."""
        return {(run.solver, run.column.key): run for run in self.runs}

    def of(self, column: Column) -> tuple[RunSummary, ...]:
        """The runs of a column."""
        return tuple(run for run in self.runs if run.column is column)

    @property
    def units(self) -> str:
        """What clusters of examples are called: schemas, and whatever else there is."""
        return " and ".join(dict.fromkeys(f"{column.unit}s" for column in self.columns))

    @property
    def has_schemas(self) -> bool:
        """Whether some of its examples are schema items."""
        return any(column.items for column in self.columns)

    @property
    def has_references(self) -> bool:
        """Whether some of its runs come with Winoglot."""
        return any(run.run.reference for run in self.runs)

    @property
    def tested(self) -> tuple[RunSummary, ...]:
        """The runs that were tested against guessing."""
        return tuple(run for run in self.runs if run.chance is not None)


def summarise(runs: Sequence[Run], human: Sequence[Run] = ()) -> Summary:
    """Compute everything a report says. `human` are runs of people; no run at all is an input error.

    >>> import winoglot as wg
    >>> found = summarise([wg.evaluate(wg.load("winoglot-en"), name) for name in ("first", "chance")])
    >>> [solver.label for solver in found.solvers], found.columns[0].label, found.columns[0].chance
    (['first'], 'English', 0.5)
    """
    if not runs and not human:
        raise InputError("there are no runs", remedy="Name run folders that `winoglot evaluate … -o` wrote.")
    for run in (*runs, *human):
        if not run.predictions:
            raise InputError(
                f"the run of {run.settings.model} on {run.source.name} has no predictions",
                remedy="Repeat the evaluate command to resume it, or leave it out.",
            )
    shown = without_guessing(_oriented(runs))
    kept, repeats = without_repeats(shown)
    every, people = [*human, *kept], [True] * len(human) + [False] * len(kept)
    shown_columns, places = columns(every)
    solvers = solvers_of(every, people, places)
    roles = {solver.role for solver in solvers}
    with_subsets = {"people", "model"} if "model" in roles else roles  # the roles whose subsets are shown
    summaries = [
        _summarised(run, solver, shown_columns[place], has_subsets=solver.role in with_subsets)
        for run, solver, place in zip(every, solvers, places, strict=True)
    ]
    summaries = _tested(summaries)
    order = ("people", "model", "baseline")
    ranked = sorted(dict.fromkeys(run.solver for run in summaries), key=lambda solver: order.index(solver.role))
    summaries.sort(key=lambda run: (ranked.index(run.solver), shown_columns.index(run.column)))
    compared, refused, passed_over = _pairs(summaries, repeats)
    return Summary(
        runs=tuple(summaries),
        columns=shown_columns,
        compared=tuple(compared),
        refused=tuple(refused),
        passed_over=passed_over,
        shown_once=tuple(dict.fromkeys(run.settings.model for run, _ in repeats)),
        has_guessing=any(map(is_guessing, runs)) and not any(map(is_guessing, shown)),
        named=tuple(run for run in runs if run.reference is None),
        human=tuple(human),
    )


def _oriented(runs: Sequence[Run]) -> list[Run]:
    """Each run once, grammatical readings before naive ones, so that a difference is what grammar gains."""
    once = list({id(run): run for run in runs}.values())
    return sorted(once, key=lambda run: run.settings.readings != "grammatical")


def _summarised(run: Run, solver: SolverRow, column: Column, *, has_subsets: bool) -> RunSummary:
    estimate = Accuracy.of(run)
    return RunSummary(
        run=run,
        solver=solver,
        column=column,
        accuracy=estimate,
        guesses=with_guesses(run) if estimate.abstained else estimate,
        metrics={name: value for name, value in estimates(run).items() if name != "accuracy"},
        kinds={kind: estimates(run, kind) for kind in run.settings.kinds},
        subsets={name: Accuracy.of(part) for name, part in subsets(run).items()} if has_subsets else {},
        calibration=curve(run) if run.settings.scoring in _LOG_PROBABILITIES else None,
        guess=guessing([outcome.example for outcome in run.outcomes()]),
    )


def _tested(runs: list[RunSummary]) -> list[RunSummary]:
    """With tests against guessing: of models or, if there are none, of the rules other than guessing itself."""
    models = [run for run in runs if run.solver.role == "model"]
    chosen = models or [run for run in runs if run.solver.role == "baseline" and not is_guessing(run.run)]
    tests = {id(run): chance_test(run.run) for run in chosen if run.accuracy.n}
    corrected = dict(zip(tests, holm([test.value for test in tests.values()]), strict=True)) if tests else {}
    return [replace(run, chance=tests.get(id(run)), corrected_p=corrected.get(id(run))) for run in runs]


def _pairs(
    shown: Sequence[RunSummary], repeats: Sequence[tuple[Run, Run]]
) -> tuple[list[Compared], list[tuple[RunSummary, RunSummary, str]], int]:
    """Every two runs that may be compared, as `winoglot compare` does, with Holm's correction over all.

    A repeat is a run whose choices are those of another run, paired with that run: a rule with naive readings, shown in
    the row with grammatical readings. It takes part, so that a model with naive readings is compared with the rule too;
    the result is reported for that row.
    """
    row_of = {id(row.run): row for row in shown}
    every = [*(row.run for row in shown), *(run for run, _ in repeats)]
    rows = [*shown, *(row_of[id(kept)] for _, kept in repeats)]
    if len(shown) < 2:
        return [], [], 0
    by_name = dict(zip(names(every), rows, strict=True))
    try:
        comparisons = compare_all(every)
    except InputError as error:  # no two runs may be compared
        return [], [(shown[0], shown[1], error.message)], 0
    pairs: dict[frozenset[int], Compared | tuple[RunSummary, RunSummary, str]] = {}
    for comparison in comparisons.made:
        first, second = by_name[comparison.first], by_name[comparison.second]
        pairs.setdefault(frozenset((id(first), id(second))), Compared(first, second, comparison))
    for *two, why in comparisons.refused:
        first, second = (by_name[name] for name in two)
        pairs.setdefault(frozenset((id(first), id(second))), (first, second, why))
    kept = [pair for sides, pair in pairs.items() if len(sides) > 1]  # a repeat and its own row are no pair
    compared = [pair for pair in kept if isinstance(pair, Compared)]
    refused = [pair for pair in kept if not isinstance(pair, Compared)]
    corrected = holm([pair.comparison.test.value for pair in compared])
    compared = [
        replace(pair, comparison=replace(pair.comparison, corrected_p=p, comparisons=len(compared)))
        for pair, p in zip(compared, corrected, strict=True)
    ]
    return compared, refused, len(comparable_pairs([row.run for row in shown])) - len(kept)
