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
    limits = {(run.settings.limit, run.settings.seed) for run in summary.runs if run.settings.limit}
    clusters = sorted({len({example.cluster for example in column.examples}) for column in summary.columns})
    variants = Counter(variant.kind for column in summary.columns for variant in column.variants)
    return said("facts", summary, clusters, variants, sorted(limits, key=str), headline(summary))


def cautions(summary: Summary) -> list[str]:
    """What the reader must know before comparing rows or columns, the most serious first; often nothing."""
    versions: dict[tuple[str, str], list[str]] = {}
    for column in summary.columns:
        versions.setdefault((column.source.name, column.source.language), []).append(column.label)
    of_models = [run for run in summary.runs if run.solver.role == "model"]
    of_models = of_models if len({run.settings.model for run in of_models}) > 1 else []
    readings = dict.fromkeys(run.settings.readings for run in of_models if run.column.items)
    sentences = [
        *(said("caution_overlap", run, _by_rule(run)) for run in summary.runs if run.settings.overlap),
        *(said("caution_versions", name, labels) for (name, _), labels in versions.items()),
        *(
            said("caution_coverage", column, [run for run in summary.of(column) if run.missing])
            for column in summary.columns
        ),
        said("caution_ways", "scoring", list(dict.fromkeys(run.settings.scoring for run in of_models))),
        said("caution_ways", "readings", list(readings)),
        said("caution_ties", sorted({run.settings.tolerance for run in summary.runs})),
        said("caution_software", sorted({run.run.made_with.get("winoglot", "unknown") for run in summary.runs})),
        said("caution_refused", Counter(why for _, _, why in summary.refused)),
        said("caution_few", [column.label for column in summary.columns if len(column.examples) < FEW]),
    ]
    return list(filter(None, sentences))


def _by_rule(run: RunSummary) -> list[tuple[int, str]]:
    """How many items overlap with what the model was trained on, and how that was found."""
    return [(count, SAID[rule]) for rule, count in run.settings.overlap.items() if rule in SAID]


def headline(summary: Summary) -> dict[str, Any]:
    """What can be said about chance and about the best: what the verdict is based on."""
    tested, best = summary.tested, best_solver(summary)
    models = list(dict.fromkeys(run.solver.name for run in tested))  # or rules, if there are no models
    labelled = [run for run in summary.runs if run.accuracy.value is not None]
    of_best = [run for run in labelled if run.solver == best]

    def where(name: str, *, is_better: bool) -> list[str]:
        matching = [run for run in tested if run.solver.name == name and run.beats_chance is is_better]
        return list(dict.fromkeys(run.column.label for run in matching))

    return {
        "models": models,
        "are_models": any(run.solver.role == "model" for run in tested),
        "places": list(dict.fromkeys(run.column.label for run in tested)),
        "are_languages": all(column.is_language for column in summary.columns),
        "better": {name: where(name, is_better=True) for name in models},  # in which columns than guessing
        "worse": {name: where(name, is_better=False) for name in models},
        "ahead": _ahead(summary, models),
        "top": max(of_best, key=lambda run: run.accuracy.value or 0.0, default=None),
        "rivals": len(_rivals(summary)),  # of which it is the best
        "lowest_p": min((run.corrected_p for run in tested if run.corrected_p is not None), default=None),
        "people": [run for run in labelled if run.solver.role == "people"],
    }


def best_solver(summary: Summary, name: str | None = None) -> SolverRow | None:
    """The solver with the highest mean accuracy among those that answered in the most columns; None if there is none.

    A column counts if the solver has at least half of the items that another has, and did not abstain on all of them.
    Models come before baselines, and an abstention counts as a guess. With a name, the best setting of that model.
    """
    rivals = _rivals(summary)
    runs = [run for runs in rivals.values() for run in runs]
    answered = [run for run in runs if any(outcome.choice is not None for outcome in run.run.outcomes())]
    most: dict[str, int] = {}
    for run in answered:
        most[run.column.key] = max(most.get(run.column.key, 0), run.accuracy.n)

    def rank(solver: SolverRow) -> tuple[int, float]:
        covered = [run for run in answered if run.solver == solver and 2 * run.accuracy.n >= most[run.column.key]]
        return len(covered), sum(run.guesses.value or 0.0 for run in covered) / max(1, len(covered))

    return max((solver for solver in rivals if name in {None, solver.name}), key=rank, default=None)


def _rivals(summary: Summary) -> dict[SolverRow, list[RunSummary]]:
    """The solvers that a finding may be about, models or else rules, with their runs on labelled items."""
    runs_of: dict[SolverRow, list[RunSummary]] = {}
    for run in summary.runs:
        if run.accuracy.value is not None and run.solver.role != "people":
            runs_of.setdefault(run.solver, []).append(run)
    return {solver: runs for solver, runs in runs_of.items() if solver.role == "model"} or runs_of


def _ahead(summary: Summary, models: Sequence[str]) -> str:
    """The model that is significantly better, in every column, than the best setting of every other."""
    if len(models) < 2:
        return ""
    best: dict[tuple[str, str], float] = {}
    for run in summary.runs:
        key = run.solver.name, run.column.key
        best[key] = max(best.get(key, 0.0), run.guesses.value or 0.0)
    wins: dict[tuple[str, str], set[str]] = {}
    for pair in summary.compared:
        comparison, first, second = pair.comparison, pair.first, pair.second
        if first.column is second.column and comparison.is_distinguishable and not pair.is_by_abstaining:
            winner, loser = (first, second) if (comparison.difference.value or 0.0) > 0 else (second, first)
            if loser.guesses.value == best[loser.solver.name, loser.column.key]:
                wins.setdefault((winner.solver.name, loser.solver.name), set()).add(first.column.key)
    places = {column.key for column in summary.columns}
    for name in models:
        if all(wins.get((name, other)) == places and not wins.get((other, name)) for other in models if other != name):
            return name
    return ""


def contrasts(runs: Sequence[RunSummary]) -> str:
    """What the clusters whose choices are counted (`RunSummary.choices`) are called."""
    return listed(list(dict.fromkeys(run.column.contrasts for run in runs)))


def clear_cells(figure: Figure) -> tuple[int, int, int]:
    """How many intervals exclude chance (or no change), of how many, and how many of them are of few items."""
    shown = [cell for row in figure.rows if not row.facet for cell in row.cells if cell is not None]
    clear = [cell for cell in shown if cell.is_clear]
    return len(clear), len(shown), sum(cell.is_few for cell in clear)


def significant(compared: Sequence[Compared]) -> tuple[int, int]:
    """How many of the differences are significant, and how many of those are mostly due to abstentions."""
    apart = [pair for pair in compared if pair.comparison.is_distinguishable]
    return len(apart), sum(pair.is_by_abstaining for pair in apart)
