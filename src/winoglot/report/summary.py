"""All numbers of a report, computed from runs; nothing here knows how they are displayed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.metrics.accuracy import accuracy, chance_test, with_guesses
from winoglot.metrics.base import estimates, guessing
from winoglot.metrics.calibration import curve
from winoglot.metrics.subsets import subsets
from winoglot.report.columns import Column, columns
from winoglot.report.gaps import Gaps, gaps_of
from winoglot.report.pairs import compared_pairs
from winoglot.report.rows import Accuracy
from winoglot.report.solvers import solver_labels, without_repeats
from winoglot.runs.breakdowns import by_kind
from winoglot.runs.comparing import ALPHA, Comparison
from winoglot.runs.run import Run
from winoglot.statistics.calibration import Calibration
from winoglot.statistics.intervals import Estimate
from winoglot.statistics.significance import PValue, holm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.examples import Outcomes

_LOG_PROBABILITIES = ("partial", "full")  # the scorings whose margins are log odds, so that they give a confidence


@dataclass(frozen=True)
class RunSummary:
    """One solver in one column."""

    run: Run
    solver: str
    column: Column
    is_human: bool
    is_baseline: bool
    accuracy: Accuracy
    metrics: Mapping[str, Estimate]  # every other metric that tables show, by name, if the run has what it needs
    kinds: Mapping[str, Mapping[str, Estimate]]  # by kind of variant, then by name: the metrics that need variants
    subsets: Mapping[str, Accuracy]
    gaps: Gaps
    calibration: Calibration | None  # None if scores are not log probabilities
    success: Estimate | None = None  # its accuracy if it had guessed instead of abstaining: what is tested
    guess: float | None = None  # what guessing gives on its items
    chance: PValue | None = None  # the test against guessing; None if it is not made
    corrected_p: float | None = None  # of that test, after Holm's correction over the whole report

    @property
    def has_window(self) -> bool:
        """Whether its scores are those of a window."""
        return self.run.settings.scoring == "partial"

    @property
    def has_readings(self) -> bool:
        """Whether it was asked about readings of schema items."""
        return bool(self.column.items)

    @property
    def beats_chance(self) -> bool | None:
        """Whether it is better (True) or worse (False) than guessing; None if that cannot be decided.

        Abstaining is neither: as in the test, an abstention counts as a guess.
        """
        found = None if self.success is None else self.success.value
        if self.corrected_p is None or self.corrected_p > ALPHA or found is None or self.guess is None:
            return None
        return found > self.guess


@dataclass(frozen=True)
class Compared:
    """A comparison, with the two runs compared."""

    first: RunSummary
    second: RunSummary
    comparison: Comparison

    @property
    def is_by_abstaining(self) -> bool:
        """Whether less than half of the difference would remain if both had guessed instead of abstaining."""
        found = self.comparison.difference.value
        gains = [
            guessed - (side.accuracy.value or 0.0) if (guessed := side.accuracy.guessing(side.column.chance)) else 0.0
            for side in (self.first, self.second)
        ]
        return found is not None and abs(found + gains[0] - gains[1]) < abs(found) / 2


@dataclass(frozen=True)
class Summary:
    """Runs in order of solver, then column, with everything that was computed."""

    runs: tuple[RunSummary, ...]
    columns: tuple[Column, ...]
    compared: tuple[Compared, ...]
    refused: tuple[tuple[RunSummary, RunSummary, str], ...]  # two runs and why they cannot be compared
    passed_over: int  # pairs that differ in several respects
    shown_once: tuple[str, ...]  # rules for which the style of the readings makes no difference
    tests: int  # against guessing, corrected together

    @cached_property
    def solvers(self) -> tuple[str, ...]:
        """Row labels: people, models, baselines."""
        return tuple(dict.fromkeys(one.solver for one in self.runs))

    @cached_property
    def _cells(self) -> dict[tuple[str, str], RunSummary]:
        return {(one.solver, one.column.key): one for one in self.runs}

    def cell(self, solver: str, column: Column) -> RunSummary | None:
        """The run in a row and column, if there is one."""
        return self._cells.get((solver, column.key))

    def of(self, column: Column) -> tuple[RunSummary, ...]:
        """The runs of a column."""
        return tuple(one for one in self.runs if one.column is column)

    @property
    def units(self) -> str:
        """What clusters of examples are called: schemas, and whatever else there is."""
        return " and ".join(dict.fromkeys(f"{column.unit}s" for column in self.columns))

    @property
    def has_schemas(self) -> bool:
        """Whether some of its examples are schema items."""
        return any(column.items for column in self.columns)

    @property
    def readings_compared(self) -> tuple[Compared, ...]:
        """Grammatical readings (first) against naive ones, all else equal."""
        return tuple(one for one in self.compared if _is_of_readings(one))


def summarise(runs: Sequence[Run], human: Sequence[Run] = ()) -> Summary:
    """Compute everything a report says. `human` are runs of people; no run at all is an input error.

    >>> import winoglot as wg
    >>> found = summarise([wg.evaluate(wg.load("winoglot-en"), name) for name in ("first", "chance")])
    >>> found.solvers, found.columns[0].label, found.columns[0].chance
    (('first', 'chance'), 'English', 0.5)
    """
    if not runs and not human:
        raise InputError("there are no runs", remedy="Name run folders that `winoglot evaluate … -o` wrote.")
    for run in (*runs, *human):
        if not run.predictions:
            raise InputError(
                f"the run of {run.settings.model} on {run.source.name} has no predictions",
                remedy="Repeat the evaluate command to resume it, or leave it out.",
            )
    kept, repeats = without_repeats(_oriented(runs))
    every, people = [*human, *kept], [True] * len(human) + [False] * len(kept)
    found, places = columns(every)
    labels = solver_labels(every, people, places)
    made = [
        _summarised(run, label, found[place], is_human)
        for run, label, place, is_human in zip(every, labels, places, people, strict=True)
    ]
    made, tests = _tested(made)
    order = {one.solver: (not one.is_human, one.is_baseline) for one in made}
    ranked = sorted(dict.fromkeys(one.solver for one in made), key=order.__getitem__)
    made.sort(key=lambda one: (ranked.index(one.solver), found.index(one.column)))
    pairs = compared_pairs([one.run for one in made], repeats)
    return Summary(
        runs=tuple(made),
        columns=found,
        compared=tuple(Compared(made[first], made[second], one) for (first, second), one in pairs.made.items()),
        refused=tuple((made[first], made[second], why) for (first, second), why in pairs.refused.items()),
        passed_over=pairs.passed_over,
        shown_once=tuple(dict.fromkeys(run.settings.model for run, _ in repeats)),
        tests=tests,
    )


def _oriented(runs: Sequence[Run]) -> list[Run]:
    """Each run once, grammatical readings before naive ones, so that a difference is what grammar gains."""
    once = list({id(run): run for run in runs}.values())
    return sorted(once, key=lambda run: run.settings.readings != "grammatical")


def _summarised(run: Run, solver: str, column: Column, is_human: bool) -> RunSummary:
    return RunSummary(
        run=run,
        solver=solver,
        column=column,
        is_human=is_human,
        is_baseline=not is_human and run.is_baseline,
        accuracy=_accuracy(run),
        metrics={name: made for name, made in estimates(run).items() if name != "accuracy"},
        kinds={own.kind: own.estimates for own in by_kind(run)},
        subsets={name: _accuracy(part) for name, part in subsets(run).items()},
        gaps=gaps_of(run, column),
        calibration=curve(run) if run.settings.scoring in _LOG_PROBABILITIES else None,
    )


def _accuracy(run: Outcomes) -> Accuracy:
    silent = sum(outcome.choice is None and outcome.right is not None for outcome in run.outcomes())
    return Accuracy.of(accuracy(run), silent)


def _tested(made: list[RunSummary]) -> tuple[list[RunSummary], int]:
    """With tests against guessing: of models or, if there are none, of the rules other than guessing itself."""
    models = [one for one in made if not one.is_human and not one.is_baseline]
    chosen = models or [one for one in made if not one.is_human and one.run.settings.model != "chance"]
    tests = {id(one): chance_test(one.run) for one in chosen if one.accuracy.n}
    corrected = dict(zip(tests, holm([test.value for test in tests.values()]), strict=True)) if tests else {}
    tested = [
        replace(
            one,
            success=with_guesses(one.run),
            guess=guessing([outcome.example for outcome in one.run.outcomes()]),
            chance=tests[id(one)],
            corrected_p=corrected[id(one)],
        )
        if id(one) in tests
        else one
        for one in made
    ]
    return tested, len(tests)


def _is_of_readings(pair: Compared) -> bool:
    one, other = pair.first.run.settings, pair.second.run.settings
    same = (one.model, one.fingerprint, one.scoring) == (other.model, other.fingerprint, other.scoring)
    return same and pair.first.column is pair.second.column and one.readings != other.readings
