"""The solvers of a report, one row each: what to call them, which are baselines, which are people."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.runs.run import Run

Role = Literal["people", "model", "baseline"]
STYLES = ("grammatical", "naive")  # of readings, in the order in which they are shown
_NAMED_KINDS = 2
_GUESSING = "chance"  # the model that guesses


@dataclass(frozen=True)
class SolverRow:
    """A row of a report: the name, and what distinguishes the row from others, as columns or facets show it.

    >>> SolverRow("gemma", "model", "partial", "naive").label
    'gemma, partial scoring, naive readings'
    """

    name: str
    role: Role
    scoring: str = ""
    readings: str = ""
    more: str = ""  # other settings, in words

    @property
    def settings(self) -> str:
        """What distinguishes it from other rows of the same name."""
        return ", ".join(filter(None, (self.scoring, self.readings, self.more)))

    @property
    def label(self) -> str:
        """Everything in one line."""
        scoring = self.scoring if self.scoring in {"", "imported"} else f"{self.scoring} scoring"
        readings = self.readings and f"{self.readings} readings"
        return ", ".join(filter(None, (self.name, scoring, readings, self.more)))


def maker_and_name(name: str) -> tuple[str, str]:
    """The two parts of a hub's name; a name that is no address has no maker.

    >>> maker_and_name("google/gemma-3-270m"), maker_and_name("gemma-3-270m"), maker_and_name("a<b/c>")
    (('google', 'gemma-3-270m'), ('', 'gemma-3-270m'), ('', 'a<b/c>'))
    """
    maker, _, tail = name.rpartition("/")
    return (maker, tail) if re.fullmatch(r"[\w.:-]+", tail) else ("", name)


def solvers_of(runs: Sequence[Run], people: Sequence[bool], places: Sequence[int]) -> list[SolverRow]:
    """The solver of each run, equal in every column for the same solver, and never twice in one column.

    Beside the model's name it has whatever distinguishes its own runs, or models that were asked in different ways.
    """
    rows = [
        SolverRow(name, "people" if human else "baseline" if run.is_baseline else "model", more=_reference(run))
        for name, run, human in zip(_model_names(runs, people), runs, people, strict=True)
    ]
    for name, ways in _ways(runs).items():
        ways_of: dict[str, set[str]] = {}
        for row, way in zip(rows, ways, strict=True):
            ways_of.setdefault(row.name, set()).add(way)
        is_varied = len({way for row, way in zip(rows, ways, strict=True) if row.role == "model"} - {""}) > 1
        is_named = [len(ways_of[row.name]) > 1 or (is_varied and row.role == "model") for row in rows]
        rows = [replace(row, **{name: way}) if say else row for row, way, say in zip(rows, ways, is_named, strict=True)]
    rows = _with_settings(runs, rows, places)
    counts = Counter(zip(rows, places, strict=True))
    seen: Counter[tuple[SolverRow, int]] = Counter()
    for at, key in enumerate(zip(list(rows), places, strict=True)):
        seen[key] += 1
        if counts[key] > 1:
            rows[at] = replace(rows[at], more=f"{rows[at].more} run {seen[key]}".strip())
    return rows


def without_repeats(runs: Sequence[Run]) -> tuple[list[Run], list[tuple[Run, Run]]]:
    """The runs without those of a rule that chose the same with naive as with grammatical readings, and these repeats.

    Each run that is left out comes with the run that represents it.
    """
    groups: dict[tuple[object, ...], dict[str, dict[str, Run]]] = {}
    for run in runs:
        settings = run.settings
        if run.is_baseline and settings.readings in STYLES:
            key = (settings.model, settings.fingerprint, settings.scoring, settings.limit, settings.seed)
            group = groups.setdefault(key, {style: {} for style in STYLES})
            group[settings.readings][f"{run.source.name} {run.source.language} {run.source.hash}"] = run
    repeats: list[tuple[Run, Run]] = []
    for group in groups.values():
        kept, others = (group[style] for style in STYLES)
        if kept.keys() == others.keys() and all(_choices(kept[key]) == _choices(run) for key, run in others.items()):
            repeats += [(run, kept[key]) for key, run in others.items()]
    gone = {id(run) for run, _ in repeats}
    return [run for run in runs if id(run) not in gone], repeats


def without_guessing(runs: Sequence[Run]) -> list[Run]:
    """The runs without those that guess, unless there are no others: one random draw says less than the chance line."""
    return [run for run in runs if not is_guessing(run)] or list(runs)


def is_guessing(run: Run) -> bool:
    """Whether its solver only guesses."""
    return run.settings.model == _GUESSING


def _reference(run: Run) -> str:
    return f"reference of {run.reference.date}" if run.reference else ""


def _model_names(runs: Sequence[Run], people: Sequence[bool]) -> list[str]:
    prints: dict[str, set[str]] = {}
    for run in runs:
        prints.setdefault(run.settings.model, set()).add(run.settings.fingerprint)
    names = []
    for run, human in zip(runs, people, strict=True):
        name = run.settings.model
        # People have no weights, and an imported run is identified by its file, one per collection.
        if len(prints[name]) > 1 and not human and run.settings.scoring != "imported":
            name += f" sha:{run.settings.fingerprint[:8]}"
        names.append(f"people ({name})" if human and not name.startswith("people") else name)
    return names


def _with_settings(runs: Sequence[Run], solvers: Sequence[SolverRow], places: Sequence[int]) -> list[SolverRow]:
    """The solvers; those that appear twice in a column get the settings in which their runs differ."""
    cells: dict[tuple[SolverRow, int], list[dict[str, str]]] = {}
    for run, solver, place in zip(runs, solvers, places, strict=True):
        cells.setdefault((solver, place), []).append(_details(run))
    differing: dict[SolverRow, dict[str, None]] = {}
    for (solver, _), settings_of in cells.items():
        names = dict.fromkeys(name for details in settings_of for name in details)
        varied = (name for name in names if len({details.get(name) for details in settings_of}) > 1)
        differing.setdefault(solver, {}).update(dict.fromkeys(varied))
    rows = []
    for run, solver in zip(runs, solvers, strict=True):
        details = _details(run)
        words = (details.get(name, f"no {name}") for name in differing[solver])
        rows.append(replace(solver, more=", ".join(filter(None, (solver.more, *words)))))
    return rows


def _ways(runs: Sequence[Run]) -> dict[str, list[Any]]:
    """How each run was scored, and its readings if it has any."""
    has_readings = [isinstance(run.source, Collection) and run.settings.readings != "imported" for run in runs]
    readings = [run.settings.readings if has else "" for run, has in zip(runs, has_readings, strict=True)]
    return {"scoring": [run.settings.scoring for run in runs], "readings": readings}


def _details(run: Run) -> dict[str, str]:
    """All other settings in words, by their name."""
    settings = run.settings
    return {
        **{name: f"{name} {value}" for name, value in sorted(settings.model_settings.items())},
        "limit": "all schemas" if settings.limit is None else f"limit {settings.limit}",
        "seed": f"seed {settings.seed}",
        "tolerance": f"ties below {settings.tolerance:g}",
        "kinds": f"with {_few(settings.kinds)}" if settings.kinds else "originals only",
    }


def _few(kinds: Sequence[str]) -> str:
    """Few kinds by name, more as a number: a label must stay short."""
    return ", ".join(kinds) if len(kinds) <= _NAMED_KINDS else f"{len(kinds)} kinds"


def _choices(run: Run) -> dict[str, int | None]:
    return {prediction.item_id: prediction.choice for prediction in run.predictions}
