"""The outcome of a comparison in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.schemas.text import counted

if TYPE_CHECKING:
    from winoglot.runs.comparing import Comparison


def verdict(comparison: Comparison) -> str:
    """One sentence: whether the two runs differ, by how much, and what so few items can show."""
    return _better(comparison) if comparison.is_distinguishable else _not_told_apart(comparison)


def planning(comparison: Comparison) -> str:
    """One sentence on how many schemas would show the difference asked for; nothing where that cannot be said."""
    needed, wanted, units = comparison.schemas_needed, points(comparison.wanted), f"{comparison.unit}s"
    if needed is None:
        return ""
    if needed <= comparison.schemas:
        return f"{comparison.schemas:,} {units} are enough to show {wanted}: about {needed:,} like these would be."
    return f"To show {wanted}, about {needed:,} {units} like these are needed; here are {comparison.schemas:,}."


def points(share: float) -> str:
    """A share of 1 in percentage points.

    >>> points(0.084), points(0.05), points(0.01)
    ('8.4 points', '5 points', '1 point')
    """
    number = f"{100 * share:.1f}".removesuffix(".0")
    return f"{number} {'point' if number == '1' else 'points'}"


def signed(share: float) -> str:
    """A difference in percentage points, with its sign.

    >>> signed(-0.0411), signed(0.15)
    ('−4.1', '+15.0')
    """
    return f"{100 * share:+z.1f}".replace("-", "−")


def interval(low: float, high: float) -> str:
    """The limits of a difference in points.

    >>> interval(-0.0411, 0.0629)
    '−4.1 … +6.3'
    """
    return f"{signed(low)} … {signed(high)}"


def _limits(comparison: Comparison) -> tuple[float, float]:
    return comparison.difference.low or 0.0, comparison.difference.high or 0.0


def _better(comparison: Comparison) -> str:
    (low, high), value = _limits(comparison), comparison.difference.value or 0.0
    winner, loser = comparison.first, comparison.second
    if value < 0:
        winner, loser, low, high = loser, winner, -high, -low
    but = ", which holds 0" if low <= 0 else ""
    return (
        f"{winner} is better than {loser} by {points(abs(value))}: 95% interval {interval(low, high)}{but}, "
        f"{_p(comparison)}"
    )


def _not_told_apart(comparison: Comparison) -> str:
    low, high = _limits(comparison)
    why = ""
    if comparison.test.value <= 0.05:
        why = f" once {comparison.comparisons} comparisons are corrected for ({_p(comparison)})"
    elif low > 0 or high < 0:
        why = f" ({_p(comparison)}, though the interval leaves out 0)"
    return f"not distinguishable{why}: 95% interval {interval(low, high)} points; {_showable(comparison)}"


def _showable(comparison: Comparison) -> str:
    if comparison.detectable is None:
        return f"with {counted(comparison.schemas, comparison.unit)} no difference can show"
    size = 100 * comparison.detectable
    return f"with {comparison.items:,} items only differences over {size:.{0 if size >= 2 else 1}f} points show"


def _p(comparison: Comparison) -> str:
    if comparison.comparisons == 1:
        return f"p = {probability(comparison.test.value)}"
    return f"p = {probability(comparison.test.value)}, corrected {probability(comparison.corrected_p)}"


def probability(p: float) -> str:
    """A p-value as a sentence has it.

    >>> probability(0.0312), probability(2.4e-7)
    ('0.031', '2e-07')
    """
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"
