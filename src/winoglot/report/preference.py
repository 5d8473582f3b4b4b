"""The section on preference: which mention a solver chooses if nothing shows which is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.report.section import Section, cells
from winoglot.report.table import Table
from winoglot.runs.breakdowns import by_kind

if TYPE_CHECKING:
    from winoglot.report.summary import RunSummary, Summary
    from winoglot.statistics.intervals import Estimate


def preference(summary: Summary) -> Section:
    """One table per kind whose variants have no right answer; nothing if there is no such kind."""
    found = {id(one): _preferences(one) for one in summary.runs}
    kinds = dict.fromkeys(kind for of_run in found.values() for kind in of_run)
    tables = [
        Table(
            f"preference-{kind}",
            f"Share of answers that are the candidate mentioned first, in percent [95% interval], {kind} variants",
            ("solver", *(column.label for column in summary.columns)),
            tuple(cells(summary, s, lambda one, kind=kind: found[id(one)].get(kind)) for s in summary.solvers),  # type: ignore[misc]
        )
        for kind in kinds
    ]
    lead = (
        "When the deciding words are masked, nothing shows which candidate is meant, so no answer is right or wrong; "
        "what remains is a preference. 100 means always the candidate mentioned first, 0 always the second, 50 no "
        "preference. Abstentions are left out."
    )
    return Section("preference", "Preference for a mention", (lead,) if tables else (), tables=tables)


def _preferences(one: RunSummary) -> dict[str, Estimate]:
    return {each.kind: each.position_preference for each in by_kind(one.run) if each.position_preference is not None}
