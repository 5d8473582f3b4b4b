"""Runs as figures, tables and one self-contained page.

As `wg.report(runs, path)` writes a report and `winoglot.report` is this package too, the package can be called.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from winoglot.report.summary import Summary
    from winoglot.runs.run import Run


class _Callable(ModuleType):
    def __call__(self, runs: Run | Iterable[Run], path: str | Path, **options: Any) -> Summary:
        """Write the report of runs; see `winoglot.report.page.report`."""
        from winoglot.report.page import report

        return report(runs, path, **options)


sys.modules[__name__].__class__ = _Callable
