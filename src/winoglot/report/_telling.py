"""Figures in words, for those who cannot see them: what is drawn, then all numbers or the extremes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.report.table import estimate_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.report.rows import Bar, Contrast, Margins, Reliability

_MOST = 12  # numbers that a listener can take in
_TABLE = "All numbers are in the table."


def told_bars(bars: Sequence[Bar], what: str) -> str:
    """The estimates by panel; of many, the highest and the lowest, and how many are clear of chance."""
    groups = dict.fromkeys(bar.group for bar in bars)
    said = [f"{what}, with 95% intervals."]
    for group in groups:
        panel = [bar for bar in bars if bar.group == group]
        few = len(bars) <= _MOST
        said.append(f"{group}: {'; '.join(map(_bar, panel))}." if few else f"{group}: {_ends(panel)}.")
    return " ".join([*said, *[_TABLE] * (len(bars) > _MOST)])


def told_contrasts(contrasts: Sequence[Contrast]) -> str:
    """Which solver is better than which, and how many pairs do not differ significantly."""
    told = [one for one in contrasts if one.is_told_apart]
    group = contrasts[0].group if contrasts else ""
    said = [f"{group}: of {len(contrasts)} pairs, {len(told)} differ significantly."]
    for one in told[:_MOST]:
        first_better = (one.difference.value or 0.0) > 0
        better, worse = (one.first, one.second) if first_better else (one.second, one.first)
        difference = estimate_text(one.difference, is_signed=True)
        why = f"; {one.weakness}" if one.weakness else ""
        said.append(f"{better} is better than {worse} ({one.first} less {one.second}: {difference}{why}).")
    return " ".join([*said, _TABLE])


def told_reliability(rows: Sequence[Reliability]) -> str:
    """The calibration errors."""
    errors = [f"{row.group}, {row.label}: {estimate_text(row.error)}" for row in rows]
    return f"Accuracy over confidence; calibration error in percent. {'; '.join(errors)}. {_TABLE}"


def told_margins(rows: Sequence[Margins]) -> str:
    """How many items lie on the right side of 0."""
    sides = [f"{row.group}, {row.label}: {sum(value > 0 for value in row.values)} of {len(row.values)}" for row in rows]
    return f"Histograms of score margins; items above 0 are answered correctly. Above 0: {'; '.join(sides)}. {_TABLE}"


def _bar(bar: Bar) -> str:
    name = ", ".join(part for part in (bar.label, bar.series) if part)
    chance = "" if bar.chance is None or bar.estimate.value is None else f", chance {100 * bar.chance:.1f}"
    return f"{name} {estimate_text(bar.estimate)}{chance}"


def _ends(panel: Sequence[Bar]) -> str:
    drawn = sorted((bar for bar in panel if bar.estimate.value is not None), key=lambda bar: bar.estimate.value or 0.0)
    if not drawn:
        return "nothing defined"
    clear = sum(bar.chance is not None and (bar.estimate.low or 0.0) > bar.chance for bar in drawn)
    guessed = any(bar.chance is not None for bar in drawn)
    above = f"; {clear} of {len(drawn)} intervals lie entirely above chance" if guessed else ""
    return f"highest {_bar(drawn[-1])}; lowest {_bar(drawn[0])}{above}" if len(drawn) > 1 else _bar(drawn[0])
