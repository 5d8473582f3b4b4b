"""Which models are best: the mean over the collections that all ranked models share, and the places they could have.

A model is ranked in one setting, so that a model asked in many ways gains nothing from it, and not at all if it was
trained on what it was asked, drafted it or read the draft. Schemas that are translations of each other (they share a
parallel id) are resampled and exchanged together in all collections. Collections of one origin that cannot be aligned
are counted as if they were one sample.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.formats.published import origins, texts_in
from winoglot.metrics.accuracy import credit
from winoglot.metrics.base import Metric, metric
from winoglot.report.columns import Column
from winoglot.report.solvers import SolverRow, is_guessing
from winoglot.runs.comparing import ALPHA
from winoglot.runs.pairing import aligned, joined
from winoglot.schemas.model import Collection
from winoglot.statistics.intervals import FEWER, Estimate, group_totals, mean_of_dependent, mean_of_means
from winoglot.statistics.significance import PValue, against_chance, dependent_tests, flip_tests, holm, turn_test

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from winoglot.examples import Example, Outcome
    from winoglot.report.summary import RunSummary
    from winoglot.runs.run import Run
    from winoglot.statistics.resampling import Floats

    Pair = tuple[SolverRow, SolverRow]
    Groups = NDArray[np.int64]

_FIRST_SCORINGS = ("", "partial")  # an empty one does not distinguish rows
_CHANGES = ("consistency", "pair-accuracy")  # in which two models may differ that are equally often right


@dataclass(frozen=True)
class Place:
    """A solver in the leaderboard; `best` and `worst` are the places it could have, 0 for one that is not ranked."""

    solver: SolverRow
    mean: Estimate  # of its accuracies in the shared collections
    abstained: int
    guesses: Estimate  # the mean if it had guessed instead
    chance: float | None  # what guessing gives
    test: PValue | None = None  # against guessing, in all shared collections together
    corrected_p: float | None = None
    best: int = 0
    worst: int = 0

    @property
    def rank(self) -> str:
        """Its place, or the places that it could have.

        >>> from winoglot.report.solvers import SolverRow
        >>> unknown = Estimate.undefined("")
        >>> Place(SolverRow("gemma", "model"), unknown, 0, unknown, 0.5, best=2, worst=5).rank
        '2–5'
        """
        return "" if not self.best else str(self.best) if self.best == self.worst else f"{self.best}–{self.worst}"

    @property
    def is_tested_apart(self) -> bool:
        """Whether it is significantly better or worse than guessing."""
        return self.corrected_p is not None and self.corrected_p <= ALPHA

    @property
    def beats_chance(self) -> bool:
        """Whether it is significantly better than guessing, with a guess for each abstention."""
        return self.is_tested_apart and (self.guesses.value or 0.0) > (self.chance or 0.0)


@dataclass(frozen=True)
class Gap:
    """How far a solver is above another, on the items that both have."""

    first: SolverRow
    second: SolverRow
    difference: Estimate
    test: PValue
    corrected_p: float
    is_by_abstaining: bool = False  # less than half of it would remain with guesses instead of abstentions

    @property
    def is_clear(self) -> bool:
        """Whether it is significant after correction."""
        return self.corrected_p <= ALPHA

    @property
    def turned(self) -> Gap:
        """The same difference from the other side."""
        gap = self.difference
        value, low, high = (None if limit is None else -limit for limit in (gap.value, gap.high, gap.low))
        turned = Estimate(value, low, high, gap.n, gap.method)
        return replace(self, first=self.second, second=self.first, difference=turned)


@dataclass(frozen=True)
class Ranking:
    """The leaderboard of a report."""

    columns: tuple[Column, ...]  # over which means are taken
    places: tuple[Place, ...]  # ranked solvers, the highest mean first
    others: tuple[Place, ...]  # people, baselines and models that overlap, with answers in all of these columns
    unranked: tuple[SolverRow, ...]  # in their main setting, with answers in some of these columns only
    gaps: tuple[Gap, ...]  # between every two ranked solvers, the one with the higher mean first
    from_best: Mapping[tuple[SolverRow, str], Gap]  # other solver minus best, by the key of a column; "" for the mean
    tops: frozenset[tuple[SolverRow, str]]  # those not significantly below the highest ranked one of a column
    samples: tuple[tuple[Column, ...], ...]  # the columns; those of two samples have schemas of one origin, unaligned
    overlapping: frozenset[SolverRow]  # those that were trained on items, drafted them or read the drafts
    evaluated: frozenset[SolverRow]  # those that are no references
    changes: Mapping[str, Gap]  # if two models were evaluated, how they differ in other metrics than accuracy

    @property
    def best(self) -> Place | None:
        """The highest mean."""
        return self.places[0] if self.places else None

    @property
    def best_evaluated(self) -> Place | None:
        """The highest mean of a solver that is no reference or, if all are references, of those."""
        return next((place for place in self.places if place.solver in self.evaluated), self.best)

    @property
    def lag(self) -> Gap | None:
        """How far the best reference is above everything that was evaluated, if it is."""
        best, second = self.best, self.best_evaluated
        pairs = {(gap.first, gap.second): gap for gap in self.gaps}
        return pairs.get((best.solver, second.solver)) if best and second else None

    @property
    def clear_changes(self) -> dict[str, Gap]:
        """The other metrics in which the two models that were evaluated clearly differ, with the higher value first."""
        clear = {name: gap for name, gap in self.changes.items() if gap.is_clear}
        return {name: gap if (gap.difference.value or 0.0) > 0 else gap.turned for name, gap in clear.items()}

    @property
    def main(self) -> frozenset[SolverRow]:
        """The rows of the leaderboard."""
        return frozenset([*(place.solver for place in (*self.places, *self.others)), *self.unranked])

    @property
    def behind(self) -> frozenset[SolverRow]:
        """Those that are significantly below the best."""
        return frozenset(gap.second for gap in self.gaps if gap.first == self.places[0].solver and gap.is_clear)

    @property
    def tied(self) -> int:
        """How many others are not significantly below the best."""
        return len(self.places) - 1 - len(self.behind)

    @property
    def closest(self) -> Place:
        """The first of the others that is not significantly below the best."""
        return next(place for place in self.places[1:] if place.solver not in self.behind)

    @property
    def silent(self) -> int:
        """How many others are significantly below the best mostly because they abstain."""
        return sum(gap.first == self.places[0].solver and gap.is_clear and gap.is_by_abstaining for gap in self.gaps)


def ranking(runs: Sequence[RunSummary], every_column: Sequence[Column]) -> Ranking:
    """Rank the models of a report or, without any, its rules."""
    rows: dict[SolverRow, dict[str, RunSummary]] = {run.solver: {} for run in runs}
    most: dict[str, int] = {}
    for run in runs:
        if run.accuracy.n:
            rows[run.solver][run.column.key] = run
            most[run.column.key] = max(most.get(run.column.key, 0), run.accuracy.n)
    # With less than half of the items of another, a solver counts as one that did not answer.
    rows = {
        solver: {key: run for key, run in answered.items() if 2 * run.accuracy.n >= most[key]}
        for solver, answered in rows.items()
    }
    main = _main_settings(rows)
    overlapping = {solver for solver in main if any(run.settings.overlap for run in rows[solver].values())}
    able = [
        solver
        for solver in main
        if rows[solver] and solver not in overlapping and not any(map(_guesses, rows[solver].values()))
    ]
    roles = {solver.role for solver in able}
    role = next((role for role in ("model", "baseline", "people") if role in roles), "model")
    rivals = [solver for solver in able if solver.role == role]
    keys = _shared([frozenset(rows[solver]) for solver in rivals])
    columns = tuple(column for column in every_column if column.key in keys)
    if len(rivals) > 1 and sum(keys <= rows[solver].keys() for solver in rivals) == 1:
        keys, columns = frozenset(), ()  # no two have a collection in common
    covering = [solver for solver in main if keys and keys <= rows[solver].keys()]
    answers = _Answers(columns, {solver: rows[solver] for solver in covering})
    ranked = sorted((solver for solver in rivals if solver in covering), key=lambda solver: -answers.value(solver))
    others = [solver for solver in covering if solver not in ranked]
    gaps = _gaps(answers, list(combinations(ranked, 2)))
    evaluated = [solver for solver in main if all(run.run.reference is None for run in rows[solver].values())]
    compared = [solver for solver in ranked if solver in evaluated and solver.role == "model"]
    tests = [answers.test(solver) for solver in ranked]
    corrected = holm([test.value for test in tests]) if tests else []
    places = [
        Place(
            *answers.mean(solver),
            test=test,
            corrected_p=p,
            best=1 + sum(gap.second == solver and gap.is_clear for gap in gaps),
            worst=len(ranked) - sum(gap.first == solver and gap.is_clear for gap in gaps),
        )
        for solver, test, p in zip(ranked, tests, corrected, strict=True)
    ]
    return Ranking(
        columns=columns,
        places=tuple(places),
        others=tuple(Place(*answers.mean(solver)) for solver in others),
        unranked=tuple(solver for solver in main if solver not in covering),
        gaps=tuple(gaps),
        from_best=_from_best(answers, ranked, others, gaps),
        tops=frozenset(_tops(answers, ranked)),
        samples=tuple(tuple(columns[at] for at in places) for places in answers.samples),
        overlapping=frozenset(overlapping),
        evaluated=frozenset(evaluated),
        changes=_changes(answers, (compared[0], compared[1]), gaps) if len(compared) == 2 else {},
    )


def every_gap(runs: Sequence[RunSummary], columns: Sequence[Column]) -> dict[str, list[Gap]]:
    """The differences between every two solvers, baselines and all: by the key of a column, and `""` for the mean.

    The mean is over all these columns, of the solvers that answered each of them. Holm's correction is over the pairs
    of a column, and over those of the mean.
    """
    rows: dict[SolverRow, dict[str, RunSummary]] = {}
    for run in runs:
        rows.setdefault(run.solver, {})[run.column.key] = run
    gaps = {}
    for key, part in {"": tuple(columns), **{column.key: (column,) for column in columns}}.items():
        asked = {column.key for column in part}
        answers = _Answers(part, {solver: answered for solver, answered in rows.items() if asked <= answered.keys()})
        ordered = sorted(answers.runs, key=lambda solver: -answers.value(solver))
        gaps[key] = _gaps(answers, list(combinations(ordered, 2)))
    return gaps


def _guesses(run: RunSummary) -> bool:
    return is_guessing(run.run)


def _main_settings(rows: Mapping[SolverRow, Mapping[str, RunSummary]]) -> list[SolverRow]:
    """Of rows that differ in scoring or readings, the one with most collections, then the defaults, then the first."""
    alike: dict[tuple[str, str, str], list[SolverRow]] = {}
    for solver in rows:
        alike.setdefault((solver.role, solver.name, solver.more), []).append(solver)

    def preference(solver: SolverRow) -> tuple[int, bool, bool]:
        return -len(rows[solver]), solver.scoring not in _FIRST_SCORINGS, solver.readings == "naive"

    return [min(solvers, key=preference) for solvers in alike.values()]


def _shared(covered: Sequence[frozenset[str]]) -> frozenset[str]:
    """The columns with which the most accuracies are ranked; of several such sets, that of the most solvers.

    >>> both, one = frozenset("ab"), frozenset("a")
    >>> sorted(_shared([both, both, both, one])), sorted(_shared([both, one, one, one]))
    (['a', 'b'], ['a'])
    """
    if not covered:
        return frozenset()

    def size(keys: frozenset[str]) -> tuple[int, int]:
        solvers = sum(keys <= covered_keys for covered_keys in covered)
        return len(keys) * solvers, solvers

    return max(dict.fromkeys([frozenset.intersection(*covered), *covered]), key=size)


def _gaps(answers: _Answers, pairs: Sequence[tuple[SolverRow, SolverRow]], only: int | None = None) -> list[Gap]:
    """The difference of each pair, on average over the columns or in `only` one, with Holm's correction over all."""
    pairs = [pair for pair in pairs if all(counts.any() for counts in answers.counts(pair, only))]
    if not pairs:
        return []
    tests = answers.flip_tests(pairs, only)
    gaps = []
    for pair, test, p in zip(pairs, tests, holm([test.value for test in tests]), strict=True):
        difference, guesses = answers.difference(pair, only), answers.with_guesses(pair, only)
        is_by_abstaining = abs(guesses) < abs(difference.value or 0.0) / 2
        gaps.append(Gap(*pair, difference, test, p, is_by_abstaining))
    return gaps


def _changes(answers: _Answers, pair: Pair, gaps: Sequence[Gap]) -> dict[str, Gap]:
    """The differences of two solvers in what else was measured of both.

    A headline is chosen from these and from the gaps in accuracy, so Holm's correction is over all of them.
    """
    measured = {name: answers.measured_by(metric(name), pair) for name in _CHANGES}
    changes = {name: gap for name, values in measured.items() if values for gap in _gaps(values, [pair])}
    corrected = holm([gap.test.value for gap in (*changes.values(), *gaps)]) if changes else []
    return {name: replace(gap, corrected_p=p) for (name, gap), p in zip(changes.items(), corrected, strict=False)}


def _from_best(
    answers: _Answers, ranked: Sequence[SolverRow], others: Sequence[SolverRow], gaps: Sequence[Gap]
) -> dict[tuple[SolverRow, str], Gap]:
    """Every other solver minus the best: on average as in `gaps`, and in each column with a correction for them all."""
    if not ranked:
        return {}
    best = ranked[0]
    pairs = [(solver, best) for solver in (*ranked[1:], *others)]
    means = [gap.turned for gap in gaps if gap.first == best]
    means += _gaps(answers, [(solver, best) for solver in others])
    found = {(gap.first, ""): gap for gap in means}
    if len(answers.columns) > 1:
        of_columns = [
            (column.key, gap) for at, column in enumerate(answers.columns) for gap in _gaps(answers, pairs, at)
        ]
        corrected = holm([gap.test.value for _, gap in of_columns]) if of_columns else []
        found |= {
            (gap.first, key): replace(gap, corrected_p=p) for (key, gap), p in zip(of_columns, corrected, strict=True)
        }
    return found


def _tops(answers: _Answers, ranked: Sequence[SolverRow]) -> Iterator[tuple[SolverRow, str]]:
    """In each column the highest accuracy, and those that are not significantly below it."""
    for at, column in enumerate(answers.columns):
        best = max(ranked, key=lambda solver: answers.value(solver, at), default=None)
        if best is not None and len(ranked) > 1:
            gaps = _gaps(answers, [(best, solver) for solver in ranked if solver != best], at)
            yield from ((solver, column.key) for solver in (best, *(gap.second for gap in gaps if not gap.is_clear)))


class _Answers:
    """Who was right where: per solver and column a number for each labelled item, nan for one that was not asked."""

    def __init__(self, columns: Sequence[Column], runs: Mapping[SolverRow, Mapping[str, RunSummary]]) -> None:
        self.columns = columns
        self.runs = runs
        self.unit = columns[0].unit if columns else "schema"
        self.labelled = [[example for example in column.examples if example.answer is not None] for column in columns]
        # of each item, the number of the group that is resampled as a whole
        self.groups, self.samples = _groups_and_samples(columns, self.labelled)
        self.outcomes: dict[SolverRow, list[list[Outcome | None]]] = {}
        for solver, by_column in runs.items():
            of_solver = []
            for column, examples in zip(columns, self.labelled, strict=True):
                by_id = {outcome.example.id: outcome for outcome in by_column[column.key].run.outcomes()}
                of_solver.append([by_id.get(example.id) for example in examples])
            self.outcomes[solver] = of_solver
        self.right = self._worth(lambda outcome: float(bool(outcome.right)))
        self.credit = self._worth(credit)  # an abstention is a guess

    def _worth(self, of_one: Callable[[Outcome], float]) -> dict[SolverRow, list[Floats]]:
        def worth(outcomes: Sequence[Outcome | None]) -> Floats:
            return np.array([np.nan if outcome is None else of_one(outcome) for outcome in outcomes])

        return {solver: [worth(column) for column in columns] for solver, columns in self.outcomes.items()}

    def measured_by(self, metric: Metric, solvers: Sequence[SolverRow]) -> _Answers | None:
        """What a metric counts of these solvers, in place of what is right; None if some of their runs do not allow it.

        A variant counts for its original, and a whole schema for its first item.
        """
        runs = {solver: [self.runs[solver][column.key].run for column in self.columns] for solver in solvers}
        if any(metric.lacks(run, metric.default_kind) for of_solver in runs.values() for run in of_solver):
            return None

        def values(column: Column, examples: Sequence[Example], run: Run) -> Floats:
            items = {variant.id: variant.variant_of for variant in column.variants}
            counts = {items.get(row.id, row.id): row.numerator for row in metric.tally(run, metric.default_kind).rows}
            return np.array([counts.get(example.id, np.nan) for example in examples])

        measured = copy(self)
        measured.right = measured.credit = {
            solver: list(map(values, self.columns, self.labelled, of_solver)) for solver, of_solver in runs.items()
        }
        return measured

    def value(self, solver: SolverRow, only: int | None = None) -> float:
        """Its mean accuracy, or that in one column."""
        chosen = self.right[solver] if only is None else self.right[solver][only : only + 1]
        return float(np.mean([np.nanmean(right) for right in chosen]))

    def mean(self, solver: SolverRow) -> tuple[SolverRow, Estimate, int, Estimate, float | None]:
        """The solver, its mean accuracy, its abstentions, the mean with guesses, and what guessing gives."""
        runs = [self.runs[solver][column.key] for column in self.columns]
        chances = [run.guess for run in runs if run.guess is not None]
        chance = sum(chances) / len(chances) if chances else None
        estimate = self._mean(self.right[solver])
        silent = sum(run.accuracy.abstained for run in runs)
        guesses = self._mean(self.credit[solver]) if silent else estimate
        return solver, estimate, silent, guesses, chance

    def test(self, solver: SolverRow) -> PValue:
        """Against guessing: the keys of translations are turned together."""
        tests, gains = zip(*(self._chance_test(solver, places) for places in self.samples), strict=True)
        return dependent_tests(tests, gains, list(map(len, self.samples)))

    def _chance_test(self, solver: SolverRow, places: Sequence[int]) -> tuple[PValue, float]:
        """The test in some columns, and how much better than guessing it is there."""
        asked = [
            (outcome, str(group))
            for at in places
            for outcome, group in zip(self.outcomes[solver][at], self.groups[at], strict=True)
            if outcome is not None
        ]
        outcomes, groups = [outcome for outcome, _ in asked], [group for _, group in asked]
        options, worth = [len(outcome.example.options) for outcome in outcomes], list(map(credit, outcomes))
        gain = sum(worth) - sum(1 / number for number in options)
        if all(number == 2 for number in options):
            return against_chance(worth, groups, unit=self.unit), gain
        choices = [outcome.choice for outcome in outcomes]
        answers = [outcome.example.answer or 0 for outcome in outcomes]
        return turn_test(choices, answers, options, groups, unit=self.unit), gain

    def counts(self, pair: Pair, only: int | None = None) -> list[Floats]:
        """Of each column, which items both solvers were asked."""
        return [~np.isnan(first - second) for first, second, _ in self._sides(pair, self.right, only)]

    def flip_tests(self, pairs: Sequence[Pair], only: int | None = None) -> list[PValue]:
        """Of each pair, whether the mean difference is 0: the two solvers are exchanged in whole groups."""
        samples = self.samples if only is None else [[only]]
        totals = [
            np.stack([group_totals(*self._differences(pair, places)) for pair in pairs], axis=1) for places in samples
        ]
        tests = [flip_tests(of_sample, unit=self.unit) for of_sample in totals]
        effects = [of_sample.sum(axis=0) for of_sample in totals]
        weights = list(map(len, samples))
        return [
            dependent_tests([test[at] for test in tests], [effect[at] for effect in effects], weights)
            for at in range(len(pairs))
        ]

    def difference(self, pair: Pair, only: int | None = None) -> Estimate:
        """The mean difference."""
        values, _ = self._differences(pair, range(len(self.columns)))
        return self._mean(values, only, bounds=(-1.0, 1.0), resamples=FEWER)

    def _differences(self, pair: Pair, places: Iterable[int]) -> tuple[list[Floats], list[Groups]]:
        first, second = (self.right[solver] for solver in pair)
        chosen = list(places)
        return [first[at] - second[at] for at in chosen], [self.groups[at] for at in chosen]

    def _mean(self, values: Sequence[Floats], only: int | None = None, **options: Any) -> Estimate:
        """The mean over columns of the mean over items, by resampling groups."""
        samples = self.samples if only is None else [[only]]
        estimates = [
            mean_of_means([values[at] for at in places], [self.groups[at] for at in places], unit=self.unit, **options)
            for places in samples
        ]
        return mean_of_dependent(estimates, list(map(len, samples)))

    def with_guesses(self, pair: Pair, only: int | None = None) -> float:
        """The mean difference if both had guessed instead of abstaining."""
        return float(np.mean([np.nanmean(first - second) for first, second, _ in self._sides(pair, self.credit, only)]))

    def _sides(
        self, pair: Pair, values: Mapping[SolverRow, list[Floats]], only: int | None
    ) -> list[tuple[Floats, Floats, Groups]]:
        sides = list(zip(*(values[solver] for solver in pair), self.groups, strict=True))
        return sides if only is None else sides[only : only + 1]


def _groups_and_samples(
    columns: Sequence[Column], examples: Sequence[Sequence[Example]]
) -> tuple[list[Groups], list[list[int]]]:
    """For each column the number of each item's group, and the columns in samples that are each resampled as one.

    Schemas with a parallel id in common belong together. Collections that were made from the same published schemas
    (`formats/lineage.toml`) are aligned by what they share; if that is less than half of the smaller one, nobody knows
    which of their schemas correspond, and they are in different samples, which depend on each other.
    """
    sides: list[list[tuple[Hashable, Hashable]]] = [
        [(example.cluster, example.parallel_id) for example in column] for column in examples
    ]
    apart = set()
    origins_of = [_origins(column) for column in columns]
    for first, second in combinations(range(len(columns)), 2):
        if origins_of[first] & origins_of[second]:
            sources = columns[first].source, columns[second].source
            pairs = aligned(*sources, examples[first], examples[second])
            for one, other in pairs:
                link = (first, second, one.id)
                sides[first].append((one.cluster, link))
                sides[second].append((other.cluster, link))
            if 2 * len(pairs) < min(len(examples[first]), len(examples[second])):
                apart.add((first, second))
    groups = [numbers[: len(column)] for numbers, column in zip(joined(sides), examples, strict=True)]
    samples: list[list[int]] = []
    for at in range(len(columns)):
        sample = next((places for places in samples if apart.isdisjoint((place, at) for place in places)), None)
        if sample is None:
            samples.append([at])
        else:
            sample.append(at)
    return groups, samples


def _origins(column: Column) -> frozenset[str]:
    """The published collections that a column goes back to."""
    return origins(texts_in(column.source)) if isinstance(column.source, Collection) else frozenset()
