"""The commands that make the same runs and the same report again."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING

from winoglot.files import folder_name
from winoglot.schemas.bundled import bundled
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from winoglot.runs.run import Run

_LONGEST_LINE = 96  # of a command
_OPTIONS = ("precision",)  # settings of a model that are options of the command


def commands(
    runs: Sequence[Run],
    human: Sequence[Run] = (),
    title: str | None = None,
    name: str = "report.html",
    *,
    references: bool = False,
) -> list[str]:
    """One `evaluate` for all runs that differ only in collection, model, scoring and readings, then `report`.

    Runs that differ in anything else would share a folder, so they get folders of their own (`runs-2` …).
    A collection that does not come with Winoglot is named with its language, as its file may contain several.
    No command makes runs of people or over examples that are not schema items: their folders are named.

    >>> import winoglot as wg
    >>> print("\\n".join(commands([wg.evaluate(wg.load("winoglot-en"), "first")])))
    winoglot evaluate winoglot-en --model first --scoring choice --readings grammatical -o runs
    winoglot report runs -o report.html
    """
    over_schemas = [run for run in runs if isinstance(run.source, Collection)]
    evaluated = [run for run in over_schemas if run.settings.scoring != "imported"]
    imported = dict.fromkeys(
        f"winoglot runs import FILE --collection {_source(run)}{_language(run)} --model {quote(run.settings.model)}"
        f" -o runs/{quote(folder_name(run.source.name, run.settings.model))}"
        for run in over_schemas
        if run.settings.scoring == "imported"
    )
    people = "".join(f" --human {quote(run.folder or 'HUMAN_RUN')}" for run in human)
    beside = " --references" if references else ""
    titled = f" --title {quote(title)}" if title else ""
    folders = _folders(evaluated)
    others = [quote(run.folder or "OTHER_RUNS") for run in runs if not isinstance(run.source, Collection)]
    named = [*folders.values(), *["runs"] * bool(imported), *others] or [run.folder or "HUMAN_RUN" for run in human]
    return [
        *_evaluations(evaluated, folders),
        *imported,
        f"winoglot report {' '.join(dict.fromkeys(named))} -o {quote(name)}{titled}{people}{beside}",
    ]


def wrapped(command: str) -> str:
    """A command on several lines, each short enough to be read, which can still be pasted as it is."""
    lines = [""]
    for part in re.split(r" (?=--|-o )", command):
        if lines[-1] and len(lines[-1]) + len(part) > _LONGEST_LINE:
            lines.append("")
        lines[-1] += f" {part}" if lines[-1] else part
    return " \\\n  ".join(lines)


def unbundled(runs: Sequence[Run]) -> list[tuple[str, str]]:
    """The collections that do not come with Winoglot, with their hash and the file they were loaded from."""
    by_name = {run.source.name: run for run in runs if isinstance(run.source, Collection)}
    return [
        (f"{name}@{run.source.version} sha:{run.source.hash[:8]}", run.file)
        for name, run in by_name.items()
        if name not in bundled()
    ]


def _folders(runs: Sequence[Run]) -> dict[str, str]:
    """For each set of the command's other options, the first folder in which no other run has the same place."""
    wanted: dict[str, set[str]] = {}
    for run in runs:
        settings = run.settings
        place = folder_name(run.source.name, settings.model, settings.scoring, settings.readings)
        wanted.setdefault(_rest(run), set()).add(place)
    taken: list[set[str]] = []
    folders = {}
    for rest, places in wanted.items():
        number = next((at for at, others in enumerate(taken) if not others & places), len(taken))
        taken += [set()] * (number == len(taken))
        taken[number] = taken[number] | places
        folders[rest] = f"runs-{number + 1}" if number else "runs"
    return folders


def _evaluations(runs: Sequence[Run], folders: Mapping[str, str]) -> list[str]:
    """Runs that make up a full product of collections, models and readings go into one command, and no others."""
    sources: dict[tuple[str, ...], dict[str, None]] = {}
    for run in runs:
        key = (quote(str(run.settings.asked_model)), run.settings.readings, run.settings.scoring, _rest(run))
        sources.setdefault(key, {})[_source(run)] = None
    readings: dict[tuple[str, ...], list[str]] = {}
    for (model, style, scoring, rest), collections in sources.items():
        readings.setdefault((model, scoring, rest, " ".join(collections)), []).append(style)
    models: dict[tuple[str, ...], list[str]] = {}
    for (model, scoring, rest, found_in), styles in readings.items():
        models.setdefault((found_in, scoring, ",".join(styles), rest), []).append(f"--model {model}")
    return [
        f"winoglot evaluate {found_in} {' '.join(names)} --scoring {scoring} --readings {styles}{rest}"
        f" -o {folders[rest]}"
        for (found_in, scoring, styles, rest), names in models.items()
    ]


def _rest(run: Run) -> str:
    settings = run.settings
    settings_of_command = {
        "fallback": settings.fallback if settings.fallback != "naive" else None,
        "kinds": ",".join(settings.kinds),
        "limit": settings.limit,
        "seed": settings.seed or None,
        "renamed": settings.renamed or None,
        **{name: settings.model_settings.get(name) for name in _OPTIONS},
    }
    options = "".join(f" --option {quote(f'{name}={value}')}" for name, value in run.options.items())
    allowed = " --allow-overlap" if settings.overlap else ""
    return (
        _language(run)
        + "".join(f" --{name} {value}" for name, value in settings_of_command.items() if value)
        + options
        + allowed
    )


def _source(run: Run) -> str:
    """What to type for its collection: the name of a bundled one, or the file that the user named."""
    return quote(run.source.name if run.source.name in bundled() else run.file or run.source.name)


def _language(run: Run) -> str:
    return "" if run.source.name in bundled() else f" --language {quote(run.source.language)}"
