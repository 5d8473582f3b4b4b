"""Which models differ: comparisons as rows of figures and tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.report.rows import Contrast
from winoglot.report.table import Table, p_value, percent
from winoglot.schemas.text import counted
from winoglot.statistics.intervals import Estimate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.summary import Compared, Summary

_HEAD = ("first", "second", "difference", "p", "corrected p", "least detectable", "outcome")


def comparisons(summary: Summary) -> tuple[tuple[str, ...], list[Contrast], list[Table]]:
    """What to say about them, those within a collection for the matrix, and those between collections as a table."""
    if not summary.compared:
        return _nothing(summary), [], []
    contrasts = [_contrast(one) for one in summary.compared if one.first.column is one.second.column]
    drawn = {one.group for one in contrasts}
    contrasts += [
        Contrast(first.solver, second.solver, first.column.label, Estimate.undefined(why), refused=why)
        for first, second, why in summary.refused
        if first.column is second.column and first.column.label in drawn
    ]
    tables = []
    across = [one for one in summary.compared if one.first.column is not one.second.column]
    if across:
        caption = "The same solver in two collections: difference in points, paired by translation or by shared items"
        tables.append(_table("comparisons-across", caption, across))
    return _lead(summary), contrasts, tables


def _nothing(summary: Summary) -> tuple[str, ...]:
    if len(summary.runs) < 2:
        return ("There is only one run, so there is nothing to compare it with.",)
    reasons = dict.fromkeys(why for _, _, why in summary.refused)
    return (f"No two runs can be compared: {'; '.join(reasons)}.",)


def _lead(summary: Summary) -> tuple[str, ...]:
    apart = sum(one.comparison.is_distinguishable for one in summary.compared)
    sizes = [one.comparison.detectable for one in summary.compared if one.comparison.detectable is not None]
    said = (
        f"Of {counted(len(summary.compared), 'comparison')}, {apart or 'none'} "
        f"{'shows' if apart == 1 else 'show'} a difference at the 5% level, after Holm’s correction. "
        "“No difference found” does not prove that two solvers are equal."
    )
    if sizes:
        said += (
            " The smallest true difference that four out of five such collections would show is between "
            f"{100 * min(sizes):.1f} and {100 * max(sizes):.1f} points, depending on the pair."
        )
    lead = [said]
    silent = sum(one.comparison.is_distinguishable and one.is_by_abstaining for one in summary.compared)
    if silent:
        lead.append(
            f"{silent} of these differences {'is' if silent == 1 else 'are'} mostly due to abstentions (grey): an "
            "abstention is not right, and less than half of the difference would remain if both had guessed instead."
        )
    if summary.passed_over:
        lead.append(
            f"{counted(summary.passed_over, 'pair')} of runs that differ in several respects at once are not compared: "
            "a difference could not be attributed to any one of them."
        )
    return tuple(lead)


def _contrast(one: Compared) -> Contrast:
    return Contrast(
        one.first.solver,
        one.second.solver,
        one.first.column.label,
        one.comparison.difference,
        corrected_p=one.comparison.corrected_p,
        is_distinguishable=one.comparison.is_distinguishable,
        detectable=one.comparison.detectable,
        is_by_abstaining=one.is_by_abstaining,
    )


def _outcome(one: Compared) -> str:
    if not one.comparison.is_distinguishable:
        return "no difference found"
    return "different, mostly by abstaining" if one.is_by_abstaining else "different"


def _table(name: str, caption: str, compared: Sequence[Compared]) -> Table:
    rows = []
    for one in compared:
        made = one.comparison
        names = [f"{side.solver}, {side.column.label}" for side in (one.first, one.second)]
        rows.append(
            (
                *names,
                made.difference,
                p_value(made.test.value),
                p_value(made.corrected_p),
                percent(made.detectable),
                _outcome(one),
            )
        )
    return Table(name, caption, _HEAD, tuple(rows), is_signed=True)
