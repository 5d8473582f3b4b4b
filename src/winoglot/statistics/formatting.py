"""How numbers are written: shares in percent, differences in points, intervals, p-values; for every table and page.

A `Scale` says how a value is read: `percent` (a share), `points` (a difference of shares, with its sign) or `plain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from winoglot.statistics.intervals import Estimate

Scale: TypeAlias = Literal["percent", "points", "plain"]
MINUS = "−"
MISSING = "–"  # in place of a number


def number(value: float, scale: Scale) -> str:
    """A value as it is read: in percent, in points with its sign, or as it is, with a typographic minus.

    >>> number(0.5627, "percent"), number(-0.0204, "points"), number(0.0001, "points"), number(1.234, "plain")
    ('56.3', '−2.0', '0.0', '1.23')
    """
    if scale == "points":
        return signed(value) if float(f"{100 * value:.1f}") else "0.0"
    return (f"{100 * value:z.1f}" if scale == "percent" else f"{value:z.2f}").replace("-", MINUS)


def percent(share: float, digits: int = 1) -> str:
    """A share in percent, without the sign.

    >>> percent(0.5627), percent(0.5627, 0)
    ('56.3', '56')
    """
    return f"{100 * share:.{digits}f}"


def percent_interval(estimate: Estimate, missing: str = "", sign: str = "") -> str:
    """Value and interval in percent, as tables in a terminal show them; `missing` if undefined.

    >>> from winoglot.statistics.intervals import Estimate
    >>> percent_interval(Estimate(0.5627, 0.5012, 0.6218, 263, "BCa"))
    '56.3 [50, 62]'
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return missing
    return f"{percent(estimate.value)}{sign} [{percent(estimate.low, 0)}, {percent(estimate.high, 0)}]"


def points_interval(estimate: Estimate) -> str:
    """A difference and its interval in points, with signs; a dash if undefined.

    >>> from winoglot.statistics.intervals import Estimate
    >>> points_interval(Estimate(0.0203, -0.0411, 0.0629, 277, "BCa"))
    '+2.0 [−4, +6]'
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return MISSING
    low, high = (f"{100 * limit:+.0f}" for limit in (estimate.low, estimate.high))
    return f"{100 * estimate.value:+.1f} [{low}, {high}]".replace("-", MINUS)


def plain_interval(estimate: Estimate, spec: str = "z.3f", missing: str = "") -> str:
    """Value and interval as they are, formatted by `spec`; `missing` if undefined.

    >>> from winoglot.statistics.intervals import Estimate
    >>> plain_interval(Estimate(1.5, 1.25, 2.0, 40, "BCa"))
    '1.500 [1.250, 2.000]'
    """
    if estimate.value is None or estimate.low is None or estimate.high is None:
        return missing
    return f"{estimate.value:{spec}} [{estimate.low:{spec}}, {estimate.high:{spec}}]"


def signed(share: float) -> str:
    """A difference in percentage points, always with its sign.

    >>> signed(-0.0411), signed(0.15)
    ('−4.1', '+15.0')
    """
    return f"{100 * share:+z.1f}".replace("-", MINUS)


def signed_limits(low: float, high: float) -> str:
    """The limits of a difference in points.

    >>> signed_limits(-0.0411, 0.0629)
    '−4.1 … +6.3'
    """
    return f"{signed(low)} … {signed(high)}"


def points(share: float) -> str:
    """The size of a difference, in words.

    >>> points(0.084), points(0.05), points(0.01)
    ('8.4 points', '5 points', '1 point')
    """
    size = percent(share).removesuffix(".0")
    return f"{size} {'point' if size == '1' else 'points'}"


def probability(p: float) -> str:
    """A p-value alone in the cell of a table; below 0.001 in scientific notation.

    >>> probability(0.0312), probability(2.4e-7)
    ('0.031', '2e-07')
    """
    return f"{p:.3f}" if p >= 0.001 else f"{p:.0e}"


def interval(estimate: Estimate, scale: Scale) -> str:
    """The limits of an estimate as they are read.

    >>> from winoglot.statistics.intervals import Estimate
    >>> interval(Estimate(0.56, 0.52, 0.609, 229, "BCa"), "percent")
    '52.0–60.9'
    """
    if estimate.low is None or estimate.high is None:
        return ""
    between = "–" if scale == "percent" else " to "
    return f"{number(estimate.low, scale)}{between}{number(estimate.high, scale)}"


def p_value(p: float | None, *, is_named: bool = True) -> str:
    """A p-value as it is read, with more digits near 0.05.

    >>> p_value(0.0312), p_value(2.4e-7), p_value(0.0505), p_value(1.0), p_value(0.124, is_named=False)
    ('p = 0.031', 'p < 0.001', 'p = 0.0505', 'p = 1', '0.12')
    """
    if p is None:
        return ""
    if p < 0.001:
        return "p < 0.001" if is_named else "< 0.001"
    digits = 4 if 0.045 <= p < 0.055 else 3 if p < 0.1 else 2
    return f"{'p = ' if is_named else ''}{f'{p:.{digits}f}' if round(p, 2) < 1 else 1}"


def tick_text(value: float, scale: Scale) -> str:
    """The number at a tick."""
    if scale == "plain":
        return f"{value:g}".replace("-", MINUS)
    text = f"{100 * value:+.0f}" if scale == "points" and value else f"{100 * value:.0f}"
    return text.replace("-", MINUS)
