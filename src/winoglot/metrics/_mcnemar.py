"""McNemar's exact test, for those who ask for it by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.metrics._clusters import numbers
from winoglot.metrics._p_value import PValue

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def exact_mcnemar(right_a: ArrayLike, right_b: ArrayLike) -> PValue:
    """Test that of the items only one of two solvers gets right, each gets half: the exact binomial test, two-sided.

    It takes items as independent, which those of a schema are not: with pairs that a solver gets both or none of, it
    finds differences that are not there. The test that flips whole schemas is the default for that reason.

    >>> print(exact_mcnemar([1, 1, 1, 1, 1, 1, 0, 1], [0, 0, 0, 0, 0, 0, 1, 1]))
    p=0.125, n=7, exact McNemar, items taken as independent
    """
    from scipy.special import bdtr

    first, second = numbers(right_a, "right_a"), numbers(right_b, "right_b")
    if first.shape != second.shape:
        raise ValueError(f"{len(first)} and {len(second)} answers cannot be paired: both solvers need the same items")
    if not (np.isin(first, (0, 1)).all() and np.isin(second, (0, 1)).all()):
        raise ValueError("McNemar's test knows right (1) and wrong (0) only")
    only_a, only_b = int((first > second).sum()), int((second > first).sum())
    discordant = only_a + only_b
    p = min(1.0, 2 * float(bdtr(min(only_a, only_b), discordant, 0.5))) if discordant else 1.0
    return PValue(p, 0.0, discordant, "exact McNemar, items taken as independent")
