"""Winograd schemas in any language: `import winoglot as wg`.

Names are imported when they are first used, so that `import winoglot` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__ as __version__
from winoglot.finetune import finetune as finetune  # at once: the package would take its place otherwise
from winoglot.perturb import perturb as perturb
from winoglot.report import report as report

if TYPE_CHECKING:
    from winoglot import logic as logic
    from winoglot.analysis.analyse import Analysis as Analysis
    from winoglot.analysis.analyse import analyse as analyse
    from winoglot.analysis.contamination import contamination as contamination
    from winoglot.errors import InputError as InputError
    from winoglot.experiment.running import run_experiment as run_experiment
    from winoglot.languages.readings import readings as readings
    from winoglot.languages.windows import window as window
    from winoglot.loading import load as load
    from winoglot.loading import load_all as load_all
    from winoglot.loading import save as save
    from winoglot.models.base import Options as Options
    from winoglot.perturb.switched import switch as switch
    from winoglot.runs.comparing import Comparison as Comparison
    from winoglot.runs.comparing import compare as compare
    from winoglot.runs.comparing import compare_all as compare_all
    from winoglot.runs.evaluate import evaluate as evaluate
    from winoglot.runs.parallel import parallel as parallel
    from winoglot.runs.references import references as references
    from winoglot.runs.run import Run as Run
    from winoglot.runs.store import load_run as load_run
    from winoglot.runs.store import load_runs as load_runs
    from winoglot.schemas.model import Candidate as Candidate
    from winoglot.schemas.model import Collection as Collection
    from winoglot.schemas.model import Features as Features
    from winoglot.schemas.model import Inference as Inference
    from winoglot.schemas.model import Item as Item
    from winoglot.schemas.model import Reading as Reading
    from winoglot.schemas.model import Schema as Schema
    from winoglot.schemas.model import Source as Source
    from winoglot.schemas.model import Terms as Terms
    from winoglot.schemas.model import Variant as Variant
    from winoglot.schemas.model import WrittenReading as WrittenReading
    from winoglot.schemas.spans import Span as Span
    from winoglot.statistics.intervals import Estimate as Estimate

_MODULES = {
    "winoglot.analysis.analyse": ("Analysis", "analyse"),
    "winoglot.analysis.contamination": ("contamination",),
    "winoglot.errors": ("InputError",),
    "winoglot.experiment.running": ("run_experiment",),
    "winoglot.languages.readings": ("readings",),
    "winoglot.languages.windows": ("window",),
    "winoglot.loading": ("load", "load_all", "save"),
    "winoglot.perturb.switched": ("switch",),
    "winoglot.models.base": ("Options",),
    "winoglot.runs.comparing": ("Comparison", "compare", "compare_all"),
    "winoglot.runs.evaluate": ("evaluate",),
    "winoglot.runs.parallel": ("parallel",),
    "winoglot.runs.references": ("references",),
    "winoglot.runs.run": ("Run",),
    "winoglot.runs.store": ("load_run", "load_runs"),
    "winoglot.schemas.model": (
        *("Candidate", "Collection", "Features", "Inference", "Item", "Reading", "Schema", "Source", "Terms"),
        *("Variant", "WrittenReading"),
    ),
    "winoglot.schemas.spans": ("Span",),
    "winoglot.statistics.intervals": ("Estimate",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
__all__ = ["__version__", "finetune", "logic", "perturb", "report", *_HOMES]  # noqa: PLE0604 - the names are strings


def __getattr__(name: str) -> Any:
    """Import a public name from the module that defines it."""
    if name == "logic":
        return import_module("winoglot.logic")
    if name not in _HOMES:
        raise AttributeError(f"module 'winoglot' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """The public names alone, for completion in a shell or a notebook."""
    return sorted(__all__)
