"""What a report found, in words that claim no more than its tests; the sentences are in `templates/sentences.txt`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from winoglot.report.rendering import listed, said
from winoglot.report.summary import FEW, RunSummary
from winoglot.runs.overlap import SAID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.figure import Figure
    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import Compared, Summary


def verdict(summary: Summary) -> str:
    """The headline: about a dozen words."""
    return said("verdict", headline(summary))


def evidence(summary: Summary) -> str:
    """The numbers behind the verdict, in one line."""
    return said("evidence", headline(summary), summary)


def facts(summary: Summary) -> str:
    """What was evaluated, counted."""
    limits = {(one.settings.limit, one.settings.seed) for one in summary.runs if one.settings.limit}
    clusters = sorted({len({one.cluster for one in column.examples}) for column in summary.columns})
    variants = Counter(one.kind for column in summary.columns for one in column.variants)
    return said("facts", summary, clusters, variants, sorted(limits, key=str), headline(summary))


def cautions(summary: Summary) -> list[str]:
    """What the reader must know before comparing rows or columns, the most serious first; often nothing."""
    versions: dict[tuple[str, str], list[str]] = {}
    for column in summary.columns:
        versions.setdefault((column.source.name, column.source.language), []).append(column.label)
    asked = [one for one in summary.runs if one.solver.role == "model"]
    asked = asked if len({one.settings.model for one in asked}) > 1 else []
    readings = dict.fromkeys(one.settings.readings for one in asked if one.column.items)
    told = [
        *(said("caution_overlap", one, _by_rule(one)) for one in summary.runs if one.settings.overlap),
        *(said("caution_versions", name, own) for (name, _), own in versions.items()),
        *(said("caution_coverage", one, [run for run in summary.of(one) if run.missing]) for one in summary.columns),
        said("caution_ways", "scoring", list(dict.fromkeys(one.settings.scoring for one in asked))),
        said("caution_ways", "readings", list(readings)),
        said("caution_ties", sorted({one.settings.tolerance for one in summary.runs})),
        said("caution_software", sorted({one.run.made_with.get("winoglot", "unknown") for one in summary.runs})),
        said("caution_refused", Counter(why for _, _, why in summary.refused)),
        said("caution_few", [column.label for column in summary.columns if len(column.examples) < FEW]),
    ]
    return list(filter(None, told))


def _by_rule(one: RunSummary) -> list[tuple[int, str]]:
    """How many items overlap with what the model was trained on, and how that was found."""
    return [(count, SAID[rule]) for rule, count in one.settings.overlap.items() if rule in SAID]


def headline(summary: Summary) -> dict[str, Any]:
    """What can be said about chance and about the best: what the verdict is based on."""
    tested, best = summary.tested, best_solver(summary)
    models = list(dict.fromkeys(one.solver.name for one in tested))  # or rules, if there are no models
    labelled = [one for one in summary.runs if one.accuracy.value is not None]
    own = [one for one in labelled if one.solver == best]

    def where(name: str, *, is_better: bool) -> list[str]:
        found = [one for one in tested if one.solver.name == name and one.beats_chance is is_better]
        return list(dict.fromkeys(one.column.label for one in found))

    return {
        "models": models,
        "are_models": any(one.solver.role == "model" for one in tested),
        "places": list(dict.fromkeys(one.column.label for one in tested)),
        "are_languages": all(column.is_language for column in summary.columns),
        "better": {name: where(name, is_better=True) for name in models},  # in which columns than guessing
        "worse": {name: where(name, is_better=False) for name in models},
        "ahead": _ahead(summary, models),
        "top": max(own, key=lambda one: one.accuracy.value or 0.0, default=None),
        "rivals": len(_rivals(summary)),  # of which it is the best
        "lowest_p": min((one.corrected_p for one in tested if one.corrected_p is not None), default=None),
        "people": [one for one in labelled if one.solver.role == "people"],
    }


def best_solver(summary: Summary, name: str | None = None) -> SolverRow | None:
    """The solver with the highest mean accuracy among those that answered in the most columns; None if there is none.

    A column counts if the solver has at least half of the items that another has, and did not abstain on all of them.
    Models come before baselines, and an abstention counts as a guess. With a name, the best setting of that model.
    """
    found = _rivals(summary)
    runs = [one for own in found.values() for one in own]
    answered = [one for one in runs if any(outcome.choice is not None for outcome in one.run.outcomes())]
    most: dict[str, int] = {}
    for one in answered:
        most[one.column.key] = max(most.get(one.column.key, 0), one.accuracy.n)

    def rank(solver: SolverRow) -> tuple[int, float]:
        covered = [one for one in answered if one.solver == solver and 2 * one.accuracy.n >= most[one.column.key]]
        return len(covered), sum(one.guesses.value or 0.0 for one in covered) / max(1, len(covered))

    return max((one for one in found if name in {None, one.name}), key=rank, default=None)


def _rivals(summary: Summary) -> dict[SolverRow, list[RunSummary]]:
    """The solvers that a finding may be about, models or else rules, with their runs on labelled items."""
    found: dict[SolverRow, list[RunSummary]] = {}
    for one in summary.runs:
        if one.accuracy.value is not None and one.solver.role != "people":
            found.setdefault(one.solver, []).append(one)
    return {solver: own for solver, own in found.items() if solver.role == "model"} or found


def _ahead(summary: Summary, models: Sequence[str]) -> str:
    """The model that is significantly better, in every column, than the best setting of every other."""
    if len(models) < 2:
        return ""
    best: dict[tuple[str, str], float] = {}
    for own in summary.runs:
        key = own.solver.name, own.column.key
        best[key] = max(best.get(key, 0.0), own.guesses.value or 0.0)
    wins: dict[tuple[str, str], set[str]] = {}
    for one in summary.compared:
        made, first, second = one.comparison, one.first, one.second
        if first.column is second.column and made.is_distinguishable and not one.is_by_abstaining:
            winner, loser = (first, second) if (made.difference.value or 0.0) > 0 else (second, first)
            if loser.guesses.value == best[loser.solver.name, loser.column.key]:
                wins.setdefault((winner.solver.name, loser.solver.name), set()).add(first.column.key)
    places = {column.key for column in summary.columns}
    for name in models:
        if all(wins.get((name, other)) == places and not wins.get((other, name)) for other in models if other != name):
            return name
    return ""


def contrasts(runs: Sequence[RunSummary]) -> str:
    """What the clusters whose choices are counted (`RunSummary.choices`) are called."""
    return listed(list(dict.fromkeys(one.column.contrasts for one in runs)))


def clear_cells(figure: Figure) -> tuple[int, int, int]:
    """How many intervals exclude chance (or no change), of how many, and how many of them are of few items."""
    shown = [cell for row in figure.rows if not row.facet for cell in row.cells if cell is not None]
    clear = [cell for cell in shown if cell.is_clear]
    return len(clear), len(shown), sum(cell.is_few for cell in clear)


def significant(compared: Sequence[Compared]) -> tuple[int, int]:
    """How many of the differences are significant, and how many of those are mostly due to abstentions."""
    found = [one for one in compared if one.comparison.is_distinguishable]
    return len(found), sum(one.is_by_abstaining for one in found)
