"""A section of a report, and how runs become rows of its figures and cells of its tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.report.figures import Figure
from winoglot.report.rows import Bar
from winoglot.report.table import Cell, Table

if TYPE_CHECKING:
    from collections.abc import Callable

    from winoglot.report.summary import RunSummary, Summary
    from winoglot.statistics.intervals import Estimate


@dataclass(frozen=True)
class Section:
    """A heading with its contents; `more` are tables that unfold."""

    id: str
    title: str
    lead: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    figures: Sequence[Figure] = ()
    tables: Sequence[Table] = ()
    more: Sequence[Table] = ()


def bar(one: RunSummary, estimate: Estimate, *, series: str = "", chance: float | None = None) -> Bar:
    """An estimate of a run, under the names of its solver and its column."""
    return Bar(one.solver, one.column.label, estimate, series=series, chance=chance, is_people=one.is_human)


def cells(summary: Summary, solver: str, pick: Callable[[RunSummary], Estimate | None]) -> tuple[Cell, ...]:
    """A row: the solver, and in each column the chosen figure of its run."""
    found = (summary.cell(solver, column) for column in summary.columns)
    return (solver, *(None if one is None else pick(one) for one in found))
