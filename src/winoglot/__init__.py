"""Winograd schemas in any language: `import winoglot as wg`.

Names are imported when they are first used, so that `import winoglot` costs next to nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from winoglot._version import __version__

_HOMES = {
    "Estimate": "winoglot.metrics.base",
    "Run": "winoglot.runs.run",
    "compare": "winoglot.runs.comparing",
    "evaluate": "winoglot.runs.evaluate",
    "Candidate": "winoglot.schemas.model",
    "Collection": "winoglot.schemas.model",
    "Features": "winoglot.schemas.model",
    "Inference": "winoglot.schemas.model",
    "InputError": "winoglot.errors",
    "Item": "winoglot.schemas.model",
    "Reading": "winoglot.schemas.model",
    "Schema": "winoglot.schemas.model",
    "Source": "winoglot.schemas.model",
    "Span": "winoglot.schemas.spans",
    "Terms": "winoglot.schemas.model",
    "Variant": "winoglot.schemas.model",
    "WrittenReading": "winoglot.schemas.model",
    "load": "winoglot.loading",
    "load_all": "winoglot.loading",
    "readings": "winoglot.languages.readings",
    "report": "winoglot.report",
    "save": "winoglot.loading",
    "switch": "winoglot.perturb.switched",
    "window": "winoglot.languages.windows",
}
__all__ = [
    "Candidate",
    "Collection",
    "Estimate",
    "Features",
    "Inference",
    "InputError",
    "Item",
    "Reading",
    "Run",
    "Schema",
    "Source",
    "Span",
    "Terms",
    "Variant",
    "WrittenReading",
    "__version__",
    "compare",
    "evaluate",
    "load",
    "load_all",
    "readings",
    "report",
    "save",
    "switch",
    "window",
]

if TYPE_CHECKING:
    from winoglot.errors import InputError as InputError
    from winoglot.languages.readings import readings as readings
    from winoglot.languages.windows import window as window
    from winoglot.loading import load as load
    from winoglot.loading import load_all as load_all
    from winoglot.loading import save as save
    from winoglot.metrics.base import Estimate as Estimate
    from winoglot.perturb.switched import switch as switch
    from winoglot.report.page import report as report
    from winoglot.runs.comparing import compare as compare
    from winoglot.runs.evaluate import evaluate as evaluate
    from winoglot.runs.run import Run as Run
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


def __getattr__(name: str) -> Any:
    """Import a public name from where it lives."""
    if name not in _HOMES:
        raise AttributeError(f"module 'winoglot' has no attribute {name!r}")
    home = import_module(_HOMES[name])
    return home if name == "report" else getattr(home, name)  # the package `winoglot.report` can be called
