"""What a report found, in one sentence that claims no more than its numbers do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.runs.sentences import probability

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.metrics.base import Estimate
    from winoglot.report.summary import RunSummary, Summary


def finding(summary: Summary) -> str:
    """The best solver, how often it is right and how sure that is, and whether it could as well be guessing."""
    tested = [one for one in summary.runs if one.accuracy.value is not None and not one.is_human]
    if not tested:
        people = _people(summary)
        return people.strip() or "No labelled items, so nothing can be said of right and wrong."
    best = best_solver(summary)
    shown = [one for one in tested if one.solver == best]
    model, _, way = best.partition(", ")
    return f"{model}{f' ({way})' if way else ''} {_share(shown)}{_verdict(shown, summary.tests)}{_people(summary)}"


def choice_of_best(summary: Summary) -> str:
    """Why the finding speaks of that solver, where there are others it could speak of."""
    best = best_solver(summary)
    baseline = {one.solver: one.is_baseline for one in summary.runs if not one.is_human and one.accuracy.n}
    rivals = [solver for solver, is_baseline in baseline.items() if is_baseline == baseline[best]]
    if len(rivals) < 2:
        return ""
    return f"It has the highest average of {len(rivals)} solvers; the highest of several owes something to luck."


def percent(value: float) -> str:
    """As `58.3%`."""
    return f"{100 * value:.1f}%"


def best_solver(summary: Summary) -> str:
    """The solver with the highest mean accuracy among those in the most columns; models before baselines."""
    runs = [one for one in summary.runs if one.accuracy.value is not None and not one.is_human]
    columns: dict[str, list[RunSummary]] = {}
    for one in runs:
        columns.setdefault(one.solver, []).append(one)

    def rank(solver: str) -> tuple[bool, int, float]:
        own = columns[solver]
        mean = sum(one.accuracy.value or 0.0 for one in own) / len(own)
        return not own[0].is_baseline, len(own), mean

    return max(columns, key=rank, default="")


def _share(shown: Sequence[RunSummary]) -> str:
    ranked = sorted(shown, key=lambda one: one.accuracy.value or 0.0)
    low, high = ranked[0], ranked[-1]
    if low is high:
        return f"answers {_spelled(low.accuracy, low.column.label)} of the items right"
    return (
        f"answers between {_spelled(low.accuracy, low.column.label)} and "
        f"{_spelled(high.accuracy, high.column.label)} of the items right"
    )


def _spelled(estimate: Estimate, where: str) -> str:
    low, high = estimate.low or 0.0, estimate.high or 0.0
    sure = f"95% interval {100 * low:.1f} to {100 * high:.1f}, n\u00a0=\u00a0{estimate.n:,}"
    return f"{percent(estimate.value or 0.0)} ({where}; {sure})"


def _verdict(shown: Sequence[RunSummary], tests: int) -> str:
    tested = [one for one in shown if one.corrected_p is not None]
    if not tested:
        return "."
    guess = {round(one.column.chance, 3) for one in tested if one.column.chance is not None}
    guessing = f"guessing ({percent(guess.pop())})" if len(guess) == 1 else "guessing"
    if len(tested) == 1:
        p = probability(tested[0].corrected_p or 0.0)
        corrected = f", corrected for {tests} tests" if tests > 1 else ""
        beats = tested[0].beats_chance
        if beats is None:
            return f"; that cannot be told from {guessing} (p = {p}{corrected})."
        return f"; that is {'better' if beats else 'worse'} than {guessing} (p = {p}{corrected})."
    better, worse = ([one.column.label for one in tested if one.beats_chance is way] for way in (True, False))
    parts = [f"better than {guessing} in {_listed(better)}"] if better else []
    parts += [f"worse than {'guessing' if better else guessing} in {_listed(worse)}"] if worse else []
    if not parts:
        return f"; in none of the {len(tested)} collections can that be told from {guessing}."
    rest = [one.column.label for one in tested if one.beats_chance is None]
    unclear = f", and cannot be told from it in {_listed(rest)}" if rest else ""
    return f"; that is {' and '.join(parts)}{unclear} (p-values corrected for {tests} tests)."


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _people(summary: Summary) -> str:
    people = [one for one in summary.runs if one.is_human and one.accuracy.value is not None]
    said = [_spelled(one.accuracy, one.column.label) for one in people]
    return f" People answer {', '.join(said)} right." if said else ""
