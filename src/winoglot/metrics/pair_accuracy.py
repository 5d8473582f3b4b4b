"""Pair accuracy: the share of schemas whose items are all answered right."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from winoglot.metrics._counting import Counted, labelled
from winoglot.metrics.base import Outcome
from winoglot.statistics.intervals import counted

if TYPE_CHECKING:
    from winoglot.metrics.base import Outcomes
    from winoglot.schemas.model import Item
    from winoglot.statistics.intervals import Estimate


@dataclass(frozen=True)
class _Schema:
    """The outcomes of one schema's labelled items."""

    outcomes: tuple[Outcome, ...]

    @property
    def item(self) -> Item:
        return self.outcomes[0].item


def estimate(run: Outcomes, kind: str | None = None, *, interval: str = "bootstrap") -> Estimate:
    """Schemas all of whose items are right by schemas of two or more; `n` counts schemas.

    A solver that takes one candidate whatever the segment says has an accuracy of one half, and a pair accuracy of 0.
    Two coins have one quarter. Only labelled items that the run has an outcome for are looked at.

    >>> import winoglot as wg
    >>> from winoglot.metrics._answers import Answers
    >>> collection = wg.load("winoglot-en")
    >>> print(estimate(Answers(collection, {item.id: 0 for item in collection.items[:12]})))
    0.000 [0.000, 0.459], n=6, exact (Clopper-Pearson) over 6 schemas, all alike
    """
    items = labelled(run, kind)
    schemas: dict[str, list[Outcome]] = {}
    for outcome in items.cases:
        schemas.setdefault(outcome.item.schema_id, []).append(outcome)
    found = Counted(tuple(_Schema(tuple(outcomes)) for outcomes in schemas.values()), items.left_out)
    pairs = found.where(lambda schema: len(schema.outcomes) > 1, "of a single item")
    made = pairs.share(_all_right, interval=interval, undefined="no schemas of two or more labelled items")
    if interval == "wilson" and made.value is not None:
        return pairs.noted(replace(made, method=f"Wilson over {counted(made.n)}"))
    return made


def _all_right(schema: _Schema) -> bool:
    return all(outcome.right for outcome in schema.outcomes)
