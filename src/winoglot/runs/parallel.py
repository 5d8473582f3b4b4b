"""The same schemas in several languages: is 63% in each of them the same 63%?

Collections whose items share parallel ids are translations of each other, so one solver's answers can be compared item
by item. `parallel` gives three answers, as rows of `Result` whose language is `en+fr+pt` for those compared:

- `parallel-accuracy`: the share of schemas whose items are all right in all languages. Its number `independent` is the
  product of the languages' pair accuracies.
- `agreement` and `kappa`: how often an item is right in both or wrong in both of two languages, and how far that
  exceeds chance (Cohen); with more than two languages, the mean over all pairs, then each pair.
- the same with a `kind`: between an item and its variant of that kind in the same language, a ceiling for what a
  translation can reach; `agreement-lost` is how much less an item agrees with its translations than with that variant,
  with a p-value from exchanging the two in whole schemas.

An abstention counts as wrong, as in accuracy. Only items that are labelled, were asked and have equally many candidates
in all languages count.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from winoglot.errors import InputError, check_argument
from winoglot.metrics.base import wordings
from winoglot.runs.pairing import are_parallel, joined
from winoglot.runs.results import Result, Results, identity
from winoglot.runs.run import IMPORTED, Run
from winoglot.schemas.text import primary
from winoglot.statistics.agreement import cohen_kappa
from winoglot.statistics.intervals import bootstrap_ratio, group_totals, mean_of_means
from winoglot.statistics.significance import flip_tests, holm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from winoglot.examples import Outcome
    from winoglot.statistics.intervals import Estimate
    from winoglot.statistics.resampling import Floats

PARALLEL_ACCURACY, AGREEMENT, KAPPA, LOST = "parallel-accuracy", "agreement", "kappa", "agreement-lost"
MEASURE = "parallel"


def parallel(runs: Run | Iterable[Run], *, languages: Sequence[str] | None = None) -> Results:
    """How far one solver's answers to the same schemas agree between languages, for each solver in turn.

    Runs belong together if model, weights, scoring and readings are the same and their collections share parallel ids.
    `languages` limits the comparison to these. P-values are corrected (Holm) over all solvers and kinds. It is an input
    error if no two runs belong together, or if two of one solver are in one language.

    >>> import winoglot as wg
    >>> results = parallel(wg.evaluate(wg.load(f"winoglot-{tag}"), "first", limit=40) for tag in ("en", "fr"))
    >>> for row in results:  # its choices do not depend on the language, so it agrees with itself, right or wrong
    ...     print(row.language, row.metric, format(row.estimate, ".2f"))
    en+fr parallel-accuracy 0.00 [0.00, 0.09], n=40, exact (Clopper-Pearson) over 40 schemas, all alike
    en+fr agreement 1.00 [0.91, 1.00], n=80, exact (Clopper-Pearson) over 40 schemas, all alike
    en+fr kappa 1.00 [0.82, 1.00], n=80, exact (Clopper-Pearson) over 40 schemas, all alike
    """
    return corrected(row for group in parallel_runs(runs, languages) for row in parallel_rows(group))


def parallel_runs(runs: Run | Iterable[Run], languages: Sequence[str] | None = None) -> list[dict[str, Run]]:
    """The runs that belong together, by language: one group per solver and family of parallel collections."""
    all_runs = [runs] if isinstance(runs, Run) else list(runs)
    for run in all_runs:
        check_argument(run, Run, "a run", "Pass what winoglot.evaluate() returned, or winoglot.load_runs(FOLDER).")
    tags = list(dict.fromkeys(run.source.language for run in all_runs))
    if languages is not None:
        tags = list(dict.fromkeys(tag for language in languages for tag in _matching(language, tags)))
        if len(tags) < 2:
            raise InputError("agreement needs two languages or more", remedy="Name at least two, as in en,pt.")
    chosen = [run for run in all_runs if run.source.language in tags]
    solvers: dict[tuple[str, ...], list[Run]] = {}
    for run in chosen:
        solvers.setdefault(_solver(run), []).append(run)
    groups = [group for of_solver in solvers.values() for group in _families(of_solver) if len(group) > 1]
    for group in groups:
        _check_languages(group)
    by_language = [{run.source.language: run for run in group} for group in groups]
    complete = [group for group in by_language if languages is None or group.keys() == set(tags)]
    if not complete:
        raise _none_parallel(chosen, languages)
    return [{tag: group[tag] for tag in tags if tag in group} for group in complete]


def parallel_rows(runs: Mapping[str, Run]) -> Iterator[Result]:
    """The rows of one solver's runs by language; the p-values are not yet corrected."""
    answers = _Answers(tuple(runs), tuple(runs.values()))
    about = {**identity(answers.runs[0]), "collection": _name(answers.runs), "measure": MEASURE}
    together = "+".join(runs)

    def row(metric: str, estimate: Estimate, **more: Any) -> Result:
        return Result(**{**about, "language": together, "metric": metric, "estimate": estimate, **more})

    estimate, independent = answers.all_right()
    yield row(PARALLEL_ACCURACY, estimate, numbers={"independent": independent})
    places = list(combinations(range(len(runs)), 2))
    every = [places, *([pair] for pair in places if len(places) > 1)]
    for pairs in every:
        tags = together if pairs == places else "+".join(answers.languages[place] for place in pairs[0])
        sides = [(answers.right[first], answers.right[second]) for first, second in pairs]
        yield row(AGREEMENT, answers.agreement(sides), language=tags)
        yield row(KAPPA, answers.kappa(sides), language=tags)
    for kind, variants in answers.variants.items():
        ways = [list(variants), *([place] for place in variants if len(variants) > 1)]
        for chosen in ways:
            tags = "+".join(answers.languages[place] for place in chosen)
            sides = [(answers.right[place], variants[place]) for place in chosen]
            yield row(AGREEMENT, answers.agreement(sides), language=tags, kind=kind)
            yield row(KAPPA, answers.kappa(sides), language=tags, kind=kind)
        lost, p = answers.lost(variants)
        yield row(LOST, lost, kind=kind, numbers={"p": p, "corrected_p": p})


def corrected(rows: Iterable[Result]) -> Results:
    """The rows with Holm's correction over their tests."""
    results = list(rows)
    tested = [place for place, result in enumerate(results) if "p" in result.numbers]
    p_values = [results[place].numbers["p"] or 0.0 for place in tested]
    for place, p in zip(tested, holm(p_values) if tested else [], strict=True):
        results[place] = replace(results[place], numbers={**results[place].numbers, "corrected_p": p})
    return Results(tuple(results))


@dataclass(frozen=True)
class _Answers:
    """Which of the items that all languages share were right in each."""

    languages: tuple[str, ...]
    runs: tuple[Run, ...]

    @cached_property
    def outcomes(self) -> list[list[Outcome]]:
        """The outcomes of the same items in each language."""
        by_id = [
            {outcome.example.parallel_id: outcome for outcome in run.outcomes() if outcome.right is not None}
            for run in self.runs
        ]
        ids = [
            parallel_id
            for parallel_id in by_id[0]
            if all(parallel_id in outcomes for outcomes in by_id)
            and len({len(outcomes[parallel_id].example.options) for outcomes in by_id}) == 1
        ]
        if not ids:
            message = f"no item has an answer in all of {', '.join(self.languages)}"
            raise InputError(
                message, remedy="Evaluate the same items, with the same --limit and --seed, or name fewer languages."
            )
        return [[outcomes[parallel_id] for parallel_id in ids] for outcomes in by_id]

    @cached_property
    def groups(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """The number of each item's schema; schemas that share an item in any language count as one."""
        return joined(
            [[(outcome.example.cluster, place) for place, outcome in enumerate(side)] for side in self.outcomes]
        )[0]

    @property
    def unit(self) -> str:
        """What a cluster is called."""
        return self.outcomes[0][0].example.unit

    @cached_property
    def right(self) -> list[Floats]:
        """1 for an item that is right, 0 for one that is not."""
        return [np.array([float(bool(outcome.right)) for outcome in outcomes]) for outcomes in self.outcomes]

    @cached_property
    def variants(self) -> dict[str, dict[int, Floats]]:
        """The same for the items' variants that keep the answer, by kind and place of the language; NaN without one."""
        by_kind: dict[str, dict[int, Floats]] = {}
        for place, (run, outcomes) in enumerate(zip(self.runs, self.outcomes, strict=True)):
            for kind in wordings(run):
                right = {outcome.example.variant_of: outcome.right for outcome in run.outcomes(kind)}
                values = [right.get(outcome.example.id) for outcome in outcomes]
                if any(value is not None for value in values):
                    column = np.array([np.nan if value is None else float(value) for value in values])
                    by_kind.setdefault(kind, {})[place] = column
        return by_kind

    def all_right(self) -> tuple[Estimate, float]:
        """The share of schemas that are right in all languages, and the product of the shares in each language."""
        items = np.bincount(self.groups)
        several = items > 1  # a single item is no pair, as in pair accuracy
        whole = [(np.bincount(self.groups, weights=right) == items)[several] for right in self.right]
        every = np.all(whole, axis=0).astype(float)
        undefined = f"no {self.unit}s with two or more items in all languages"
        estimate = bootstrap_ratio(
            every, np.ones_like(every), np.arange(len(every)), undefined=undefined, unit=self.unit
        )
        return estimate, prod(float(right.mean()) for right in whole) if several.any() else 0.0

    def agreement(self, sides: Sequence[tuple[Floats, Floats]]) -> Estimate:
        """The mean over pairs of series of how often both are right or both wrong."""
        same = [np.where(np.isnan(first + second), np.nan, first == second) for first, second in sides]
        return self._mean(same)

    def kappa(self, sides: Sequence[tuple[Floats, Floats]]) -> Estimate:
        """The same beyond chance."""
        return cohen_kappa(sides, self.groups, unit=self.unit)

    def lost(self, variants: Mapping[int, Floats]) -> tuple[Estimate, float]:
        """How much more an item agrees with its variant than with its translations, and the p-value."""
        differences = []
        for place, variant in variants.items():
            right = self.right[place]
            others = [right == other for at, other in enumerate(self.right) if at != place]
            differences.append(np.where(np.isnan(variant), np.nan, (right == variant) - np.mean(others, axis=0)))
        totals = group_totals(differences, [self.groups] * len(differences))
        test = flip_tests(totals[:, np.newaxis], unit=self.unit)[0]
        return self._mean(differences, (-1.0, 1.0)), test.value

    def _mean(self, values: Sequence[Floats], bounds: tuple[float, float] = (0.0, 1.0)) -> Estimate:
        estimate = mean_of_means(values, [self.groups] * len(values), bounds=bounds, unit=self.unit)
        return replace(estimate, n=int(np.any(~np.isnan(values), axis=0).sum()))


def _matching(language: str, tags: Sequence[str]) -> list[str]:
    """The tags of runs that a language stands for: itself or, without a region, those of all its regions."""
    matching = [tag for tag in tags if tag == language] or [tag for tag in tags if primary(tag) == language]
    if not matching:
        remedy = f"There are runs in {', '.join(sorted(tags))}." if tags else "Name folders of runs."
        raise InputError(f"there is no run in {language!r}", remedy=remedy)
    return matching


def _solver(run: Run) -> tuple[str, ...]:
    """What runs of one solver have in common in all languages."""
    settings = run.settings
    weights = "" if settings.scoring == IMPORTED else settings.fingerprint  # of the file that was imported
    return run.solver_name, weights, settings.scoring, settings.readings


def _families(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs in groups; each run is parallel to another of its group."""
    links = [(place, run) for place, pair in enumerate(_parallel_pairs(runs)) for run in pair]
    numbers = joined([[(place, place) for place in range(len(runs))], links])[0]
    return [[run for run, at in zip(runs, numbers, strict=True) if at == number] for number in np.unique(numbers)]


def _parallel_pairs(runs: Sequence[Run]) -> list[tuple[int, int]]:
    places = combinations(range(len(runs)), 2)
    return [(first, second) for first, second in places if are_parallel(runs[first], runs[second])]


def _check_languages(runs: Sequence[Run]) -> None:
    """Refuse two runs in one language, since it is not clear which to compare with the others."""
    by_language: dict[str, Run] = {}
    for run in runs:
        other = by_language.setdefault(run.source.language, run)
        if other is not run:
            names = " and ".join(f"{each.source.name}@{each.source.version}" for each in (other, run))
            raise InputError(
                f"{run.settings.model} has two runs in {run.source.language}, on {names}",
                remedy="Name the runs to compare: one per language, with the same items and settings.",
            )


def _none_parallel(runs: Sequence[Run], languages: Sequence[str] | None) -> InputError:
    """The error that says why no two runs belong together, and what to do."""
    for first, second in _parallel_pairs(runs):
        one, other = runs[first], runs[second]
        is_other_way = one.settings.model == other.settings.model and one.source.language != other.source.language
        if is_other_way and _solver(one) != _solver(other):
            ways = [
                f"{run.source.name} with {run.settings.scoring} scoring and {run.settings.readings} readings"
                if _solver(one)[2:] != _solver(other)[2:]
                else f"{run.source.name} with the weights {run.settings.fingerprint[:8]}"
                for run in (one, other)
            ]
            return InputError(
                f"{one.settings.model} answered {' but '.join(ways)}",
                remedy="Evaluate it in all languages in the same way.",
            )
    where = "two parallel collections" if languages is None else f"parallel collections in {', '.join(languages)}"
    return InputError(
        f"no solver has runs on {where}",
        remedy="Evaluate a model on collections with the same parallel_id: "
        "winoglot evaluate winoglot-en winoglot-pt --model … -o runs.",
    )


def _name(runs: Sequence[Run]) -> str:
    """What to call the collections together: what their names have in common, or all names.

    `winoglot-en` and `winoglot-pt` are `winoglot`.
    """
    names = list(dict.fromkeys(run.source.name for run in runs))
    stems = {run.source.name.removesuffix(f"-{run.source.language}") for run in runs}
    return stems.pop() if len(stems) == 1 else "+".join(names)
