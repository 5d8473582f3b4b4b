"""What a report found, in one sentence that claims no more than its numbers do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.runs.comparing import probability
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.report.rows import Accuracy
    from winoglot.report.summary import RunSummary, Summary


_EQUAL = 1e-9  # averages that differ by less differ only by rounding
_NAMED = 5  # how many solvers a reader still reads


def finding(summary: Summary) -> str:
    """The best solver, how often it is right, how certain that is, and whether it could just be guessing."""
    best = best_solver(summary)
    if not best:
        return _people(summary).strip() or "There are no labelled items, so accuracy is undefined."
    shown = _tested(summary)[best]
    model, _, way = best.partition(", ")
    return f"{model}{f' ({way})' if way else ''} {_said(shown, summary.tests)}{_people(summary)}"


def choice_of_best(summary: Summary) -> str:
    """Why the finding is about that solver, if there are others."""
    tested = _tested(summary)
    rivals = _rivals(tested)
    best = best_solver(summary)
    if len(rivals) < 2 or not _answered(tested[best]):
        return ""
    covered = {solver: _covered(tested, solver) for solver in rivals}
    most = len(covered[best])
    widest = [solver for solver in rivals if len(covered[solver]) == most]
    columns = len(summary.columns)
    where = f"all {columns}" if most == columns else f"{most} of {columns}"
    sparse = _sparse(tested, rivals, covered)
    answered = (
        f"answered in {where} collections" if columns > 1 else "answered enough" if sparse else "answered anything"
    )
    if len(widest) == 1:
        return f"It is the only one of {len(rivals)} solvers that {answered}.{sparse}"
    among = f"{len(widest)} solvers"
    if len(widest) < len(rivals):
        among = f"the {len(widest)} solvers, of {len(rivals)}, that {answered}"
    equal = [solver for solver in widest if abs(_mean(covered[solver]) - _mean(covered[best])) < _EQUAL]
    if len(equal) == len(widest):
        return f"{among[0].upper()}{among[1:]} have the same average; it is the first of them.{sparse}"
    luck = "the highest of several is partly due to luck."
    if len(equal) > 1:
        return f"{len(equal)} of {among} share the highest average; {luck}{sparse}"
    return f"It has the highest average of {among}; {luck}{sparse}"


def _sparse(
    tested: Mapping[str, Sequence[RunSummary]],
    rivals: Sequence[str],
    covered: Mapping[str, Sequence[RunSummary]],
) -> str:
    """The solvers that are left out because they were asked too few items."""
    few = []
    for solver in rivals:
        short = [one for one in _answered(tested[solver]) if one not in covered[solver]]
        few += [f"{solver} in {one.column.label} (n\u00a0=\u00a0{one.accuracy.n:,})" for one in short]
    if not few:
        return ""
    more = [f"{len(few) - _NAMED} more"] if len(few) > _NAMED else []
    return f" Left out, with fewer than half as many items as another: {_listed([*few[:_NAMED], *more])}."


def percent(value: float) -> str:
    """As `58.3%`."""
    return f"{100 * value:.1f}%"


def best_solver(summary: Summary) -> str:
    """The solver with the highest mean accuracy among those that answered in the most columns; empty if there is none.

    A column counts if the solver has at least half of the items that another has. Models come before baselines, and
    baselines before guessing, which says nothing about the items.
    """
    tested = _tested(summary)

    def rank(solver: str) -> tuple[int, float]:
        covered = _covered(tested, solver)
        return len(covered), _mean(covered)

    return max(_rivals(tested), key=rank, default="")


def _tested(summary: Summary) -> dict[str, list[RunSummary]]:
    """The runs on labelled items by their solver, people left out."""
    found: dict[str, list[RunSummary]] = {}
    for one in summary.runs:
        if one.accuracy.value is not None and not one.is_human:
            found.setdefault(one.solver, []).append(one)
    return found


def _rivals(tested: Mapping[str, Sequence[RunSummary]]) -> list[str]:
    """The solvers that a finding may be about: models, or else rules, or else guessing."""
    models = [solver for solver, own in tested.items() if not own[0].is_baseline]
    rules = [solver for solver, own in tested.items() if own[0].run.settings.model != "chance"]
    return models or rules or list(tested)


def _answered(runs: Sequence[RunSummary]) -> list[RunSummary]:
    """Those that did not abstain on every item."""
    return [one for one in runs if one.gaps.abstained < one.gaps.items]


def _covered(tested: Mapping[str, Sequence[RunSummary]], solver: str) -> list[RunSummary]:
    """What the solver answered, without columns in which it has under half as many items as another solver."""
    rivals = [one for other in _rivals(tested) for one in _answered(tested[other])]
    most = {one.column.key: 0 for one in rivals}
    for one in rivals:
        most[one.column.key] = max(most[one.column.key], one.accuracy.n)
    return [one for one in _answered(tested[solver]) if 2 * one.accuracy.n >= most[one.column.key]]


def _mean(runs: Sequence[RunSummary]) -> float:
    return sum(one.accuracy.value or 0.0 for one in runs) / len(runs) if runs else 0.0


def _said(shown: Sequence[RunSummary], tests: int) -> str:
    answered = _answered(shown)
    silent = [
        f"{counted(one.gaps.items, 'item')} ({one.column.label})"
        for one in shown
        if one.gaps.abstained == one.gaps.items
    ]
    nothing = f"answered none of {_listed(silent)}." if silent else ""
    if not answered:
        return nothing
    return f"{_share(answered)}{_verdict(answered, tests)}{f' It {nothing}' if nothing else ''}"


def _share(shown: Sequence[RunSummary]) -> str:
    ranked = sorted(shown, key=lambda one: one.accuracy.value or 0.0)
    low, high = ranked[0], ranked[-1]
    if low is high:
        return f"answers {_spelled(low.accuracy, low.column.label)} of the items correctly"
    share = percent(low.accuracy.value or 0.0)
    if share == percent(high.accuracy.value or 0.0):
        each = "; ".join(f"{one.column.label}: {_sure(one.accuracy)}" for one in shown)
        return f"answers {share} of the items correctly in each of {len(shown)} collections ({each})"
    return (
        f"answers between {_spelled(low.accuracy, low.column.label)} and "
        f"{_spelled(high.accuracy, high.column.label)} of the items correctly"
    )


def _spelled(estimate: Accuracy, where: str) -> str:
    return f"{percent(estimate.value or 0.0)} ({where}; {_sure(estimate)})"


def _sure(estimate: Accuracy) -> str:
    low, high = estimate.low or 0.0, estimate.high or 0.0
    silent = f", {estimate.abstained:,} abstained" if estimate.abstained else ""
    return f"95% interval {100 * low:.1f} to {100 * high:.1f}, n\u00a0=\u00a0{estimate.n:,}{silent}"


def _verdict(shown: Sequence[RunSummary], tests: int) -> str:
    tested = [one for one in shown if one.corrected_p is not None]
    if not tested:
        return "."
    guess = {round(one.guess, 3) for one in tested if one.guess is not None}
    level = percent(guess.pop()) if len(guess) == 1 else ""
    guessing = f"chance ({level})" if level else "chance"
    worth = "as one half" if level == percent(1 / 2) else "as a guess"
    half = f", an abstention counting {worth}" if any(one.accuracy.abstained for one in tested) else ""
    if len(tested) == 1:
        p = probability(tested[0].corrected_p or 0.0)
        corrected = (f", corrected for {tests} tests" if tests > 1 else "") + half
        aside = "; ".join(filter(None, (level, f"p = {p}{corrected}")))
        beats = tested[0].beats_chance
        told = "not distinguishable from" if beats is None else f"{'better' if beats else 'worse'} than"
        return f"; this is {told} chance ({aside})."
    better, worse = ([one.column.label for one in tested if one.beats_chance is way] for way in (True, False))
    parts = [f"better than {guessing} in {_listed(better)}"] if better else []
    parts += [f"worse than {'chance' if better else guessing} in {_listed(worse)}"] if worse else []
    if not parts:
        lowest = probability(min(one.corrected_p or 0.0 for one in tested))
        corrected = f"lowest p = {lowest}, corrected for {tests} tests{half}"
        aside = "; ".join(filter(None, (level, corrected)))
        return f"; this is not distinguishable from chance in any of the {len(tested)} collections ({aside})."
    rest = [one.column.label for one in tested if one.beats_chance is None]
    unclear = f", and not distinguishable from it in {_listed(rest)}" if rest else ""
    return f"; this is {' and '.join(parts)}{unclear} (p-values corrected for {tests} tests{half})."


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _people(summary: Summary) -> str:
    people = [one for one in summary.runs if one.is_human and one.accuracy.value is not None]
    said = [_spelled(one.accuracy, one.column.label) for one in people]
    return f" People answer {', '.join(said)} correctly." if said else ""
