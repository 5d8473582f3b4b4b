"""Clozes: what a masked language model is asked about a reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from winoglot.models._rows import Row
from winoglot.models._stretch import candidate_stretches, word_ends

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.models._framing import FramedText
    from winoglot.schemas.model import Reading


@dataclass(frozen=True)
class Cloze:
    """A token to be found at a place of a row of which a stretch, from `start` up to `stop`, is hidden.

    The copy of the row that shows the gap is made when its batch is: a text of n tokens needs n copies.
    """

    row: Row
    start: int
    stop: int
    at: int
    token: int


def hide(row: Row, start: int, stop: int, mask: int) -> Row:
    """The row with a stretch hidden.

    >>> hide(Row((2, 7, 8, 9, 3)), 1, 3, mask=4).ids
    (2, 4, 4, 9, 3)
    """
    return Row((*row.ids[:start], *[mask] * (stop - start), *row.ids[stop:]), row.types)


def candidate_clozes(
    readings: Sequence[Reading], texts: Sequence[FramedText], mask: int
) -> tuple[tuple[Cloze, ...], ...]:
    """For each reading the tokens of its candidate, all hidden at once.

    The rows are hidden already, so that candidates of as many tokens have the same one.
    """
    made = []
    for text, (first, last) in zip(texts, candidate_stretches(readings, texts), strict=True):
        start, stop = text.opening + first, text.opening + last
        row = hide(text.row, start, stop, mask)
        made.append(tuple(Cloze(row, start, stop, at, text.row.ids[at]) for at in range(start, stop)))
    return tuple(made)


def token_clozes(text: FramedText) -> tuple[Cloze, ...]:
    """Every token of a text, hidden alone."""
    return _up_to(text, range(1, len(text.ids) + 1))


def word_clozes(text: FramedText, written: str, language: str) -> tuple[Cloze, ...]:
    """Every token of a text, hidden with those that follow it in its word."""
    return _up_to(text, word_ends(written, text, language))


def _up_to(text: FramedText, ends: Sequence[int]) -> tuple[Cloze, ...]:
    opening = text.opening
    return tuple(
        Cloze(text.row, opening + at, opening + end, opening + at, token)
        for at, (token, end) in enumerate(zip(text.ids, ends, strict=True))
    )
