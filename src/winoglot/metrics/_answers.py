"""Choices that were made anywhere, as metrics take them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.metrics.base import Outcome
from winoglot.schemas.model import Collection

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True)
class Answers:
    """A collection, and by item id the candidate chosen or None for an abstention; items without an entry are left out.

    >>> import winoglot as wg
    >>> answers = Answers(wg.load("winoglot-en"), {"piano-sale.0": 1, "piano-sale.1": None})
    >>> [(outcome.item.id, outcome.right) for outcome in answers.outcomes()]
    [('piano-sale.0', True), ('piano-sale.1', False)]
    """

    collection: Collection
    choices: Mapping[str, int | None]

    def outcomes(self, kind: str | None = None) -> Sequence[Outcome]:
        """Of the originals or, where a kind is named, of the variants of that kind."""
        items = self.collection.items if kind is None else self.collection.variants(kind)
        return [Outcome(item, self.choices[item.id]) for item in items if item.id in self.choices]
