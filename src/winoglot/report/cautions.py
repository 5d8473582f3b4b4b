"""What a report contains but cannot compare, each with the reason."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from winoglot.report.rows import FEW
from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.report.summary import Summary

_REASONS = 6  # how many a reader still reads


def cautions(summary: Summary) -> list[str]:
    """Sentences, the most serious first; none if all runs are of the same kind."""
    found = [*_versions(summary), *_coverage(summary), *_ways(summary), *_software(summary), *_refused(summary)]
    if len(summary.columns) > 1:
        found.append(
            "Accuracies in different collections are based on different items: a difference between columns says "
            "nothing about a model unless it is listed under “Which models differ”, where translations are paired."
        )
    few = [column.label for column in summary.columns if len(column.examples) < FEW]
    if few:
        found.append(
            f"Fewer than {FEW} items in {', '.join(few)}: such figures are grey and should not be quoted as results. "
            "With so few of them, intervals may also be too narrow."
        )
    return found


def _versions(summary: Summary) -> list[str]:
    versions = defaultdict(list)
    for column in summary.columns:
        versions[column.source.name, column.source.language].append(column)
    return [
        f"There are {len(found)} versions of {name} ({', '.join(column.label for column in found)}): they have "
        "separate columns, and runs are compared across them only if no shared item has changed."
        for (name, _), found in versions.items()
        if len(found) > 1
    ]


def _coverage(summary: Summary) -> list[str]:
    said = []
    for column in summary.columns:
        partial = [one for one in summary.of(column) if one.gaps.missing]
        if partial:
            names = ", ".join(f"{one.solver} ({one.gaps.items})" for one in partial[:5])
            more = f" and {len(partial) - 5} more" if len(partial) > 5 else ""
            said.append(
                f"{column.label}: some runs do not cover all {len(column.examples)} items: {names}{more}. "
                "Their figures are based on different items from those next to them; comparisons use only the items "
                "that both runs have."
            )
    return said


def _ways(summary: Summary) -> list[str]:
    said = []
    asked = [one for one in summary.runs if not one.is_baseline and not one.is_human]
    scorings = Counter(one.run.settings.scoring for one in asked)
    readings = Counter(one.run.settings.readings for one in asked if one.has_readings)
    for what, values in (("scoring", scorings), ("readings", readings)):
        models = {one.run.settings.model for one in asked}
        if len(values) > 1 and len(models) > 1:
            said.append(f"Runs differ in {what} ({', '.join(values)}): such rows differ in more than the model.")
    kinds = {one.run.settings.tolerance for one in summary.runs}
    if len(kinds) > 1:
        said.append(f"Runs differ in what counts as a tie ({', '.join(f'{kind:g}' for kind in sorted(kinds))}).")
    return said


def _software(summary: Summary) -> list[str]:
    versions = sorted({one.run.made_with.get("winoglot", "unknown") for one in summary.runs})
    if len(versions) < 2:
        return []
    return [f"Runs were made with different versions of Winoglot ({', '.join(versions)}): readings may differ."]


def _refused(summary: Summary) -> list[str]:
    reasons = Counter(why for _, _, why in summary.refused)
    if not reasons:
        return []
    more = f"; and {len(reasons) - _REASONS} more reasons" if len(reasons) > _REASONS else ""
    said = "; ".join(why for why, _ in reasons.most_common(_REASONS))
    return [f"{counted(sum(reasons.values()), 'pair')} of runs not compared: {said}{more}."]
