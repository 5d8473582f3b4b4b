"""Which tokens of a reading are hidden from a masked language model at once."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from winoglot.languages.tokens import word_spans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.models._framing import FramedText
    from winoglot.schemas.model import Reading


def candidate_stretches(readings: Sequence[Reading], texts: Sequence[FramedText]) -> list[tuple[int, int]]:
    """From and up to which of its own tokens each reading is hidden, so that all show the same rest.

    That is the insertion, and no letter of it may stay visible: a token that reaches over its edge is hidden whole.
    What else differs between the readings is hidden in all of them, since it would give the candidate away or favour
    it: *qu'* of *qu'Anne* beside *que Julie*, *were* of *the citizens were* beside *the government was*. Where nobody
    marked the insertion, it is the tokens in which the readings differ.
    """
    sizes = [len(text.ids) for text in texts]
    before = _shared([text.ids for text in texts])
    after = _shared([text.ids[::-1] for text in texts])
    for reading, text in zip(readings, texts, strict=True):
        if reading.before or reading.after:
            start, end = len(reading.before), len(reading.before) + len(reading.inserted)
            before = min(before, int((text.ends <= start).sum()))
            after = min(after, int((text.starts >= end).sum()))
    after = min(after, min(sizes) - before)
    return [(before, size - after) for size in sizes]


def word_ends(text: str, tokens: FramedText, language: str) -> list[int]:
    """For each token, up to which token its word goes: the language's word in which the token's first letter stands."""
    spans = word_spans(text, language)
    starts = [span.start for span in spans]
    words: list[int | None] = []
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        piece = text[start:end]
        at = int(start) + len(piece) - len(piece.lstrip())
        number = bisect_right(starts, at) - 1
        inside = number >= 0 and at < spans[number].end and bool(piece.strip())
        words.append(number if inside else None)
    ends: list[int] = []
    for at in reversed(range(len(words))):
        same = ends and words[at] is not None and words[at] == words[at + 1]
        ends.append(ends[-1] if same else at + 1)
    return ends[::-1]


def _shared(rows: Sequence[Sequence[int]]) -> int:
    """How many tokens all begin with."""
    return next((at for at, tokens in enumerate(zip(*rows, strict=False)) if len(set(tokens)) > 1), min(map(len, rows)))
