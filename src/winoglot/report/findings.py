"""What a report found, in words that claim no more than its tests; the sentences are in `templates/sentences.txt`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from winoglot.errors import InputError
from winoglot.report.figure import interval, number, p_value, tick_text
from winoglot.report.summary import RunSummary
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.report.figure import Figure
    from winoglot.report.solvers import SolverRow
    from winoglot.report.summary import Compared, Summary

_LONGEST = 40  # characters of a name in a headline


@dataclass(frozen=True)
class Headline:
    """What the verdict is based on."""

    models: tuple[str, ...]  # what was tested: models or, if there are none, rules
    are_models: bool
    places: tuple[str, ...]  # the columns in which something was tested
    are_languages: bool
    better: Mapping[str, tuple[str, ...]]  # by model, the columns in which a setting of it is better than guessing
    worse: Mapping[str, tuple[str, ...]]
    ahead: str  # the model that is significantly better than every other in every column
    top: RunSummary | None  # the highest accuracy of the best solver
    rivals: int  # how many solvers it is the best of
    lowest_p: float | None
    people: tuple[RunSummary, ...]


def verdict(summary: Summary) -> str:
    """The headline: about a dozen words."""
    return said("verdict", headline(summary))


def evidence(summary: Summary) -> str:
    """The numbers behind the verdict, in one line."""
    return said("evidence", headline(summary), summary)


def facts(summary: Summary) -> str:
    """What was evaluated, counted."""
    runs = {
        role: {one.solver.name for one in summary.runs if one.solver.role == role} for role in ("model", "baseline")
    }
    limits = {(one.run.settings.limit, one.run.settings.seed) for one in summary.runs if one.run.settings.limit}
    items = sorted({len(column.examples) for column in summary.columns})
    clusters = sorted({len({one.cluster for one in column.examples}) for column in summary.columns})
    variants = {kind: 0 for column in summary.columns for kind in dict.fromkeys(one.kind for one in column.variants)}
    for column in summary.columns:
        for one in column.variants:
            variants[one.kind] += 1
    return said("facts", summary, runs, items, clusters, variants, sorted(limits, key=str), headline(summary))


def title(section: str, summary: Summary, **found: Any) -> str:
    """The title of a section: what it found."""
    return said(f"title_{section}", summary, **found)


def headline(summary: Summary) -> Headline:
    """What can be said about chance and about the best."""
    tested = summary.tested
    models = tuple(dict.fromkeys(one.solver.name for one in tested))
    by_model = {name: [one for one in tested if one.solver.name == name] for name in models}
    found = {
        beats: {
            name: tuple(dict.fromkeys(one.column.label for one in own if one.beats_chance is beats))
            for name, own in by_model.items()
        }
        for beats in (True, False)
    }
    best = best_solver(summary)
    shown = [one for one in summary.runs if one.solver == best and one.accuracy.value is not None]
    return Headline(
        models=models,
        are_models=any(one.solver.role == "model" for one in tested),
        places=tuple(dict.fromkeys(one.column.label for one in tested)),
        are_languages=all(column.is_language for column in summary.columns),
        better=found[True],
        worse=found[False],
        ahead=_ahead(summary, models),
        top=max(shown, key=lambda one: one.accuracy.value or 0.0, default=None),
        rivals=len(_rivals(_labelled(summary))),
        lowest_p=min((one.corrected_p for one in tested if one.corrected_p is not None), default=None),
        people=tuple(one for one in summary.runs if one.is_human and one.accuracy.value is not None),
    )


def best_solver(summary: Summary, name: str | None = None) -> SolverRow | None:
    """The solver with the highest mean accuracy among those that answered in the most columns; None if there is none.

    A column counts if the solver has at least half of the items that another has. Models come before baselines, and
    an abstention counts as a guess. With a name, the best setting of that model.
    """
    found = _labelled(summary)

    def rank(solver: SolverRow) -> tuple[int, float]:
        covered = _covered(found, solver)
        return len(covered), sum(one.guesses.value or 0.0 for one in covered) / max(1, len(covered))

    return max((one for one in _rivals(found) if name in {None, one.name}), key=rank, default=None)


def _labelled(summary: Summary) -> dict[SolverRow, list[RunSummary]]:
    """The runs on labelled items by their solver, people left out."""
    found: dict[SolverRow, list[RunSummary]] = {}
    for one in summary.runs:
        if one.accuracy.value is not None and not one.is_human:
            found.setdefault(one.solver, []).append(one)
    return found


def _rivals(found: Mapping[SolverRow, Sequence[RunSummary]]) -> list[SolverRow]:
    """The solvers that a finding may be about: models, or else rules."""
    return [solver for solver in found if solver.role == "model"] or list(found)


def _covered(found: Mapping[SolverRow, Sequence[RunSummary]], solver: SolverRow) -> list[RunSummary]:
    """What the solver answered, without columns in which it has under half as many items as another solver."""
    most: dict[str, int] = {}
    for rival in _rivals(found):
        for one in _answered(found[rival]):
            most[one.column.key] = max(most.get(one.column.key, 0), one.accuracy.n)
    return [one for one in _answered(found[solver]) if 2 * one.accuracy.n >= most[one.column.key]]


def _answered(runs: Sequence[RunSummary]) -> list[RunSummary]:
    """Those that did not abstain on every item."""
    return [one for one in runs if one.gaps.abstained < one.gaps.items]


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


def clear_cells(figure: Figure) -> tuple[int, int, int]:
    """How many intervals exclude chance (or no change), of how many, and how many of them are of few items."""
    shown = [cell for row in figure.rows if not row.facet for cell in row.cells if cell is not None]
    clear = [cell for cell in shown if cell.is_clear]
    return len(clear), len(shown), sum(cell.is_few for cell in clear)


def significant(compared: Sequence[Compared]) -> tuple[int, int]:
    """How many of the differences are significant, and how many of those are mostly due to abstentions."""
    found = [one for one in compared if one.comparison.is_distinguishable]
    return len(found), sum(one.is_by_abstaining for one in found)


def said(name: str, *given: Any, **named: Any) -> str:
    """A sentence of the template, on one line."""
    made: str = getattr(_sentences(), name)(*given, **named)
    return " ".join(made.split())


def listed(names: Sequence[str]) -> str:
    """Names as a text lists them.

    >>> listed(["a"]), listed(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def shortened(name: str, longest: int = _LONGEST) -> str:
    """A name with its middle left out: names of models differ at their ends.

    >>> shortened("causal:/models/organisation/a-rather-long-name-7b-instruct-v2", 26)
    'causal:/mo…-7b-instruct-v2'
    """
    head = 2 * longest // 5
    return name if len(name) <= longest else f"{name[:head]}…{name[head + 1 - longest :]}"


@cache
def environment(*, is_html: bool) -> Any:
    """Where templates are found and what they may call."""
    try:
        import jinja2
    except ImportError as error:
        raise InputError("a report needs Jinja2", remedy="Install it: pip install 'winoglot[report]'.") from error

    made = jinja2.Environment(
        loader=jinja2.FunctionLoader(template_text),
        autoescape=is_html,
        undefined=jinja2.StrictUndefined,
        trim_blocks=is_html,
        lstrip_blocks=is_html,
    )
    made.globals |= {
        "counted": counted,
        "interval": interval,
        "listed": listed,
        "number": number,
        "p_value": p_value,
        "shortened": shortened,
        "tick_text": tick_text,
    }
    return made


def template_text(name: str) -> str:
    """The text of a file among the templates."""
    return files("winoglot.report").joinpath("templates", name).read_text(encoding="utf-8")


@cache
def _sentences() -> Any:
    return environment(is_html=False).get_template("sentences.txt").module
