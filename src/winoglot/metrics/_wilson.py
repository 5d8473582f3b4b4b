"""Wilson's interval for a share of independent trials, for those who ask for it by name."""

from __future__ import annotations

from math import sqrt

from winoglot.metrics.base import Estimate, at_level


def wilson(successes: int, n: int, *, level: float = 0.95, undefined: str = "no items") -> Estimate:
    """Estimate a probability from `successes` among `n` independent trials.

    The limits are the probabilities that the score test does not reject. Items of one schema are not independent, so
    this is right for one item a schema (or pair accuracy), too narrow where a solver gets both or none of a pair, too
    wide where it gets exactly one; it is what other tools report, and therefore here.

    >>> print(wilson(149, 263))
    0.567 [0.506, 0.625], n=263, Wilson, items taken as independent
    """
    from scipy.special import ndtri

    if n == 0:
        return Estimate.undefined(undefined)
    if not 0 <= successes <= n:
        raise ValueError(f"{successes} successes among {n} trials cannot be")
    share = successes / n
    z2 = float(ndtri((1 + level) / 2)) ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n**2))) / (1 + z2 / n)
    low = 0.0 if successes == 0 else centre - half  # exactly, where rounding would leave a trace
    high = 1.0 if successes == n else centre + half
    return Estimate(share, low, high, n, at_level(level, "Wilson, items taken as independent"))
