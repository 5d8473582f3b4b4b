"""Δaccuracy: what a change of the text does to accuracy, on the same items."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winoglot.metrics._changes import changes, why_none

if TYPE_CHECKING:
    from winoglot.metrics._changes import Change
    from winoglot.metrics.base import Outcomes
    from winoglot.statistics.intervals import Estimate


def estimate(run: Outcomes, kind: str | None = None) -> Estimate:
    """Accuracy on a kind's variants − accuracy on their originals, from −1 to 1; abstentions are not right.

    Variants exist for some items only, and those may be the easy ones: so the originals are those of the variants, and
    the interval is that of a paired difference.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> collection = wg.load("winoglot-en")
    >>> always_first = {item.id: 0 for item in (*collection.items, *collection.variants("relative"))}
    >>> print(f'{estimate(Answers(collection, always_first), "relative"):+.1%}')
    +0.0% [-97.5%, +97.5%], n=2, exact (Clopper-Pearson) over 1 schema
    """
    both = changes(run, kind).where(_is_labelled, "unlabelled")
    undefined = why_none(run, kind, f"no labelled items of kind {kind!r}")
    return both.share(_gain, bounds=(-1.0, 1.0), undefined=undefined)


def _is_labelled(change: Change) -> bool:
    return change.original.right is not None and change.variant.right is not None


def _gain(change: Change) -> float:
    return float(bool(change.variant.right)) - float(bool(change.original.right))
