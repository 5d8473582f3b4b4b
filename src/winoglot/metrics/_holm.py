"""Holm's correction: many comparisons, one error rate for the family."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from winoglot.metrics._clusters import numbers

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


def holm(p_values: ArrayLike) -> list[float]:
    """The p-values adjusted so that rejecting those up to 0.05 rejects any true hypothesis at most once in twenty.

    The smallest is multiplied by the number of tests, the next by one less, and so on; none may fall below a smaller
    one. It holds however the tests depend on each other, and is never weaker than Bonferroni's correction.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    given = numbers(p_values, "p_values")
    if ((given < 0) | (given > 1)).any():
        raise ValueError("p-values lie between 0 and 1")
    order = np.argsort(given, kind="stable")
    stepped = np.minimum(1.0, given[order] * np.arange(len(given), 0, -1))
    adjusted = np.empty_like(given)
    adjusted[order] = np.maximum.accumulate(stepped)
    return [float(value) for value in adjusted]
