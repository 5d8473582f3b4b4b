"""An answer that was given elsewhere, as the readers of its file understand it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from winoglot.models.base import NOT_A_NUMBER, Scores
from winoglot.schemas.model import Item


@dataclass(frozen=True)
class Answer:
    """What a line of a file says about one item; `item` is None, with the reason, where the collection has no such."""

    line: int
    label: str  # what the file calls the item
    item: Item | None = None
    choice: int | None = None
    scores: tuple[float | None, ...] = ()
    note: str = ""
    why: str = ""


def by_scores(line: int, label: str, item: Item, scores: tuple[float | None, ...], tolerance: float) -> Answer:
    """The answer that the scores amount to: the best candidate, or an abstention and its reason.

    >>> from winoglot import load
    >>> item = load("winoglot-en").items[0]
    >>> by_scores(2, item.id, item, (-3.0, -2.0), 1e-6).choice, by_scores(3, item.id, item, (-3.0, -3.0), 1e-6).note
    (1, 'tie')
    """
    choice = Scores(scores).choice(tolerance)
    note = ""
    if choice is None:
        known = [value for value in scores if value is not None]
        bad = any(map(math.isnan, known))
        note = NOT_A_NUMBER if bad else "no score" if len(known) < len(scores) else "tie"
    return Answer(line, label, item, choice, scores, note)
