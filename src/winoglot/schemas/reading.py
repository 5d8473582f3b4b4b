"""A reading: an item with one candidate in the pronoun's place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Style = Literal["naive", "grammatical"]


@dataclass(frozen=True)
class Reading:
    """What a solver scores: the text before the insertion, the insertion, and the text after it.

    >>> Reading("lamp.0", 1, "It fell because ", "the vase", " shook.", "naive", "replace").text
    'It fell because the vase shook.'
    """

    item_id: str
    candidate: int
    before: str
    inserted: str
    after: str
    style: Style
    rule: str
    derived: bool = True
    reason: str = ""  # why it is not derived

    @property
    def text(self) -> str:
        """The whole sentence."""
        return self.before + self.inserted + self.after
