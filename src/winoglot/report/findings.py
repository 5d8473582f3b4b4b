"""What a report found, in words that claim no more than its tests; the sentences are in `templates/sentences.txt`."""

from __future__ import annotations

from collections import Counter
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

from winoglot.examples import all_examples
from winoglot.report.rendering import listed, said
from winoglot.report.summary import FEW, RunSummary
from winoglot.runs.comparing import ALPHA
from winoglot.runs.overlap import SAID

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.figure import Figure
    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import Summary
    from winoglot.statistics.intervals import Estimate

_ROLES = ("people", "model", "baseline")


def verdict(summary: Summary) -> str:
    """The headline: about a dozen words."""
    return said("verdict", headline(summary))


def evidence(summary: Summary) -> str:
    """The numbers behind the verdict, in one line."""
    return said("evidence", headline(summary), summary)


def facts(summary: Summary) -> str:
    """What was evaluated, counted."""
    limits = {(run.settings.limit, run.settings.seed) for run in summary.runs if run.settings.limit and _is_cut(run)}
    clusters = sorted({len({example.cluster for example in column.examples}) for column in summary.columns})
    all_variants = [variant for column in summary.columns for variant in column.variants]
    variants = Counter(variant.kind for variant in all_variants)
    unknown = sum(variant.effect == "unknown" for variant in all_variants)
    unlabelled = sum(example.answer is None for column in summary.columns for example in column.examples)
    return said("facts", summary, clusters, unlabelled, variants, unknown, sorted(limits, key=str), headline(summary))


def cautions(summary: Summary) -> list[str]:
    """What the reader must know before comparing rows or columns, the most serious first; often nothing."""
    versions: dict[tuple[str, str], list[str]] = {}
    for column in summary.columns:
        versions.setdefault((column.source.name, column.source.language), []).append(column.label)
    of_models = [run for run in summary.runs if run.solver.role == "model" and run.solver in summary.main_solvers]
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
        said("caution_refused", Counter(why for *two, why in summary.refused if _are_of_one_language(*two))),
        said("caution_few", [column.label for column in summary.columns if len(column.examples) < FEW]),
    ]
    return list(filter(None, sentences))


def _is_cut(run: RunSummary) -> bool:
    """Whether its limit may have left out schemas: a smaller collection was asked in full."""
    return (run.settings.limit or 0) <= len({example.cluster for example in all_examples(run.run.source)})


def _are_of_one_language(first: RunSummary, second: RunSummary) -> bool:
    """Whether somebody may expect that they are compared."""
    return first.column.source.language == second.column.source.language


def _by_rule(run: RunSummary) -> list[tuple[int, str]]:
    """How many items overlap with what the model was trained on, and how that was found."""
    return [(count, SAID[rule]) for rule, count in run.settings.overlap.items() if rule in SAID]


def headline(summary: Summary) -> dict[str, Any]:
    """What can be said about chance and about the best: what the verdict is based on."""
    tested = summary.tested
    models = list(dict.fromkeys(run.solver.name for run in tested))  # or rules, if there are no models

    def where(name: str, *, is_better: bool) -> list[str]:
        matching = [run for run in tested if run.solver.name == name and run.beats_chance is is_better]
        return list(dict.fromkeys(run.column.label for run in matching))

    better = {name: where(name, is_better=True) for name in models}
    ranking = summary.ranking
    is_above_chance = any(place.beats_chance for place in ranking.places) or any(better.values())
    return {
        "models": models,
        "are_models": any(run.solver.role == "model" for run in tested),
        "places": list(dict.fromkeys(run.column.label for run in tested)),
        "are_languages": all(column.is_language for column in summary.columns),
        "better": better,  # in which columns than guessing
        "worse": {name: where(name, is_better=False) for name in models},
        "ranking": ranking,
        "is_above_chance": is_above_chance,  # whether any is
        # in what models differ that are not clearly apart in accuracy
        "changes": ranking.clear_changes if ranking.lag or ranking.tied or not is_above_chance else {},
        "name": summary.short_name,
        "labelled": any(run.accuracy.value is not None for run in summary.runs),
        "lowest_p": min((run.corrected_p for run in tested if run.corrected_p is not None), default=None),
        "people": [run for run in summary.runs if run.accuracy.value is not None and run.solver.role == "people"],
    }


def groups(summary: Summary) -> dict[str, list[SolverRow]]:
    """The rows of the leaderboard under titles that say what the tests found."""
    ranking = summary.ranking
    ranked: dict[str, list[SolverRow]] = {}
    for at, place in enumerate(ranking.places):
        title = said("group", at=at, is_below=place.solver in ranking.behind, place=place, ranking=ranking)
        ranked.setdefault(title, []).append(place.solver)
    rest = [solver for solver in summary.main_solvers if solver not in {place.solver for place in ranking.places}]
    people, models, baselines = ([solver for solver in rest if solver.role == role] for role in _ROLES)
    overlapping = [solver for solver in models if solver in ranking.overlapping]
    models = [solver for solver in models if solver not in ranking.overlapping]
    is_labelled = any(run.accuracy.n for run in summary.runs)
    unranked = {
        said("group_unranked", ranking, is_labelled): models,
        "Not ranked: asked about what they learnt or drafted": overlapping,
    }
    titled = {"People": people, **ranked, **unranked, "Baselines": baselines}
    return {title: solvers for title, solvers in titled.items() if solvers}


def settings_shown(summary: Summary) -> tuple[dict[SolverRow, str], str]:
    """Of each row of the leaderboard, the settings in which models differ; and in words, those that they share."""
    shown = summary.main_solvers
    runs = [run for run in summary.runs if run.solver in shown and run.solver.role == "model"]
    labels: dict[SolverRow, list[str]] = {solver: [] for solver in shown}
    common = []
    for name in ("scoring", "readings"):
        has_it = [run for run in runs if getattr(run.settings, name) != "imported"]
        has_it = [run for run in has_it if name == "scoring" or run.column.items]
        values = {run.solver: f"{getattr(run.settings, name)} {name}" for run in has_it}
        if len(set(values.values())) == 1:
            common.append(next(iter(values.values())))
        elif values:
            for solver, value in values.items():
                labels[solver].append(value)
    for solver in shown:
        labels[solver] += [solver.more] if solver.more else []
    return {solver: ", ".join(parts) for solver, parts in labels.items()}, " and ".join(common)


def best_solver(summary: Summary) -> SolverRow | None:
    """The first of the leaderboard, or the first solver with labelled items."""
    best = summary.ranking.best
    answered = (run.solver for run in summary.runs if run.accuracy.value is not None)
    return best.solver if best else next(answered, None)


def contrasts(runs: Sequence[RunSummary]) -> str:
    """What the clusters whose choices are counted (`RunSummary.choices`) are called."""
    return listed(list(dict.fromkeys(run.column.contrasts for run in runs)))


def clear_cells(figure: Figure) -> dict[str, Any]:
    """Which rows clearly differ from chance (or show a change), of how many, with the first choice of solver."""
    rows = [row for row in figure.rows if not row.facet]
    total = sum(cell is not None for row in rows for cell in row.cells)
    clear = [
        row.labels[0]
        for row in rows
        if any(cell and is_beyond(cell.estimate, cell.chance, total) for cell in row.cells)
    ]
    return {"clear": clear, "total": len(rows)}


def is_beyond(estimate: Estimate, level: float | None, intervals: int) -> bool:
    """Whether an interval, widened by Bonferroni's correction for the number of intervals, excludes the level.

    >>> from winoglot.statistics.intervals import Estimate
    >>> change = Estimate(-0.05, -0.10, -0.01, 200, "BCa")
    >>> is_beyond(change, 0.0, 1), is_beyond(change, 0.0, 28)
    (True, False)
    """
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None or level is None:
        return False
    wider = _quantile(ALPHA / intervals) / _quantile(ALPHA)
    return not value - wider * (value - low) <= level <= value + wider * (high - value)


def _quantile(alpha: float) -> float:
    """How many standard errors from the middle a share of 1 − alpha ends."""
    return NormalDist().inv_cdf(1 - alpha / 2)
