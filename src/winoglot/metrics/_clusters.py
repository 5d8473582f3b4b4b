"""Items grouped by schema: the unit that is sampled, resampled and flipped is the schema, never the item.

The items of a schema share their text but for a word or two, so that a solver's answers to them depend on each other,
positively (it knows the topic) or negatively (it prefers one candidate whatever the segment says, and is right exactly
once). Methods that take items as independent have wrong error rates in either case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats: TypeAlias = NDArray[np.float64]


def numbers(values: ArrayLike, what: str) -> Floats:
    """The values as one row of finite floats."""
    row = np.asarray(values, dtype=np.float64)
    if row.ndim != 1:
        raise ValueError(f"{what} must be one row of numbers, one an item; it has {row.ndim} dimensions")
    if not np.isfinite(row).all():
        raise ValueError(f"{what} must be finite; value {int(np.argmin(np.isfinite(row)))} is not")
    return row


def cluster_sums(clusters: ArrayLike, *columns: Floats) -> Floats:
    """The columns summed over the items of each schema: one row a schema, one column a column.

    >>> cluster_sums(["a", "b", "a"], np.array([1.0, 0.0, 1.0]), np.ones(3))
    array([[2., 2.],
           [0., 1.]])
    """
    ids = np.asarray(clusters)
    for column in columns:
        if ids.shape != column.shape:
            raise ValueError(f"{len(column)} values cannot belong to {ids.size} schema ids: there must be one an item")
    known, index = np.unique(ids, return_inverse=True)
    return np.stack([np.bincount(index, weights=column, minlength=len(known)) for column in columns], axis=1)


def counted(number: int, unit: str = "schema") -> str:
    """The number with its unit.

    >>> counted(1), counted(131)
    ('1 schema', '131 schemas')
    """
    return f"{number} {unit}" if number == 1 else f"{number:,} {unit}s"
