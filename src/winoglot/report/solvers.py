"""The solvers of a report, one row each: what to call them, which are baselines, which are people."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.runs.run import Run

_READINGS = ("grammatical", "naive")


def solver_labels(runs: Sequence[Run], people: Sequence[bool], places: Sequence[int]) -> list[str]:
    """A label for each run, the same in every column for the same solver, and never twice in one column.

    The model's name, then whatever distinguishes its own runs, or models that were asked in different ways.
    """
    models = _model_names(runs, people)
    ways = [_ways(run) for run in runs]
    asked = [at for at, run in enumerate(runs) if not people[at] and not run.is_baseline]
    labels = list(models)
    for number in range(2):
        differs = len({ways[at][number] for at in asked} - {""}) > 1
        for at, name in enumerate(models):
            own = {ways[other][number] for other, known in enumerate(models) if known == name}
            if ways[at][number] and (len(own) > 1 or (differs and at in asked)):
                labels[at] += f", {ways[at][number]}"
    told = _with_settings(runs, labels, places)
    counts = Counter(zip(told, places, strict=True))
    seen: Counter[tuple[str, int]] = Counter()
    for at, key in enumerate(zip(list(told), places, strict=True)):
        seen[key] += 1
        if counts[key] > 1:
            told[at] += f" ({seen[key]})"
    return told


def _with_settings(runs: Sequence[Run], labels: Sequence[str], places: Sequence[int]) -> list[str]:
    """The labels; those that appear twice in a column are followed by the settings in which their runs differ."""
    cells: dict[tuple[str, int], list[dict[str, str]]] = {}
    for run, label, place in zip(runs, labels, places, strict=True):
        cells.setdefault((label, place), []).append(_details(run))
    differing: dict[str, dict[str, None]] = {}
    for (label, _), found in cells.items():
        names = dict.fromkeys(name for details in found for name in details)
        varied = (name for name in names if len({details.get(name) for details in found}) > 1)
        differing.setdefault(label, {}).update(dict.fromkeys(varied))
    made = []
    for run, label in zip(runs, labels, strict=True):
        details = _details(run)
        made.append(", ".join([label, *(details.get(name, f"no {name}") for name in differing[label])]))
    return made


def without_repeats(runs: Sequence[Run]) -> tuple[list[Run], list[tuple[Run, Run]]]:
    """The runs without those of a rule that chose the same with naive as with grammatical readings, and these repeats.

    Each run that is left out comes with the run that represents it.
    """
    groups: dict[tuple[str, ...], list[Run]] = {}
    for run in runs:
        settings = run.settings
        key = (settings.model, settings.fingerprint, settings.scoring, str(settings.limit), str(settings.seed))
        groups.setdefault(key, []).append(run)
    repeats: list[tuple[Run, Run]] = []
    for group in groups.values():
        by_style = [{_target(run): run for run in group if run.settings.readings == style} for style in _READINGS]
        kept, others = by_style
        if not group[0].is_baseline or not others or kept.keys() != others.keys():
            continue
        if all(_choices(kept[key]) == _choices(others[key]) for key in kept):
            repeats += [(run, kept[key]) for key, run in others.items()]
    gone = {id(run) for run, _ in repeats}
    return [run for run in runs if id(run) not in gone], repeats


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
        names.append(f"people ({name})" if human and name != "people" else name)
    return names


def _ways(run: Run) -> tuple[str, str]:
    settings = run.settings
    imported = settings.scoring == settings.readings == "imported"
    scoring = "imported" if imported else f"{settings.scoring} scoring"
    has_readings = isinstance(run.source, Collection) and not imported
    return scoring, f"{settings.readings} readings" if has_readings else ""


def _details(run: Run) -> dict[str, str]:
    """All other settings in words, by their name."""
    settings = run.settings
    return {
        **{name: f"{name} {value}" for name, value in sorted(settings.model_settings.items())},
        "limit": "all schemas" if settings.limit is None else f"limit {settings.limit}",
        "seed": f"seed {settings.seed}",
        "tolerance": f"ties below {settings.tolerance:g}",
        "kinds": f"with {', '.join(settings.kinds)}" if settings.kinds else "originals only",
    }


def _target(run: Run) -> tuple[str, str, str]:
    return run.source.name, run.source.language, run.source.hash


def _choices(run: Run) -> dict[str, int | None]:
    return {prediction.item_id: prediction.choice for prediction in run.predictions}
