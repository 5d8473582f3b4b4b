"""Where the items of a schema differ: the linked places of their segment."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.schemas.spans import Span
from winoglot.schemas.text import is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

Tokens = list[Span]


def segments(items: Sequence[tuple[str | None, Span | None]]) -> list[tuple[Span, ...]]:
    """For each text, the places where it differs from the others; none where they have too little in common.

    >>> segments([("He ran home.", Span(0, 2)), ("He walked home.", Span(0, 2))])
    [(Span(start=3, end=6),), (Span(start=3, end=9),)]
    """
    texts = [text for text, _ in items if text is not None]
    nowhere: list[tuple[Span, ...]] = [() for _ in items]
    if len(items) < 2 or len(texts) < len(items):
        return nowhere
    tokens = [tokenise(text) for text in texts]
    shared = common_tokens(texts, tokens)
    if not shared or len(shared) * 2 < min(map(len, tokens)):
        return nowhere
    places = [_gaps(text, spans, column) for text, spans, column in zip(texts, tokens, _columns(shared), strict=True)]
    differing = [n for n in range(len(shared) + 1) if any(row[n].start < row[n].end for row in places)]
    result = [tuple(row[number] for number in differing) for row in places]
    if any(_cuts(place, pronoun) for row, (_, pronoun) in zip(result, items, strict=True) for place in row):
        return nowhere
    return result


def tokenise(text: str) -> Tokens:
    """Words, single marks, and single characters of scripts without spaces."""
    spans = [Span(*match.span()) for match in re.finditer(r"\w+|[^\w\s]", text)]
    result: Tokens = []
    for span in spans:
        if not (word := span.of(text)).isascii() and any(map(is_unspaced, word)):
            result += [Span(at, at + 1) for at in range(span.start, span.end)]
        else:
            result.append(span)
    return result


def common_tokens(
    texts: Sequence[str], tokens: Sequence[Tokens], pronouns: Sequence[Span | None] = ()
) -> list[tuple[int, ...]]:
    """The tokens that all texts share, in order: for each its number in every text.

    Where `pronouns` are given, what they cover is shared with nothing.
    """
    rows = [[span.of(text) for span in spans] for text, spans in zip(texts, tokens, strict=True)]
    for number, (pronoun, spans) in enumerate(zip(pronouns, tokens, strict=False)):
        for index, span in enumerate(spans):
            if pronoun is not None and span.overlaps(pronoun):
                rows[number][index] = f"\0{number}"
    first = rows[0]
    shared: dict[int, tuple[int, ...]] = {index: (index,) for index in range(len(first))}
    for words in rows[1:]:
        blocks = SequenceMatcher(None, first, words, autojunk=False).get_matching_blocks()
        matched = {block.a + n: block.b + n for block in blocks for n in range(block.size)}
        shared = {index: (*row, matched[index]) for index, row in shared.items() if index in matched}
    return list(shared.values())


def _columns(shared: list[tuple[int, ...]]) -> list[list[int]]:
    return [list(column) for column in zip(*shared, strict=True)]


def _gaps(text: str, tokens: Tokens, shared: list[int]) -> list[Span]:
    """What stands between the shared tokens, before the first and after the last; empty where nothing does."""
    gaps = []
    for left, right in pairwise([-1, *shared, len(tokens)]):
        if right - left > 1:
            gaps.append(Span(tokens[left + 1].start, tokens[right - 1].end))
        else:
            at = tokens[right].start if right < len(tokens) else len(text)
            gaps.append(Span(at, at))
    return gaps


def _cuts(place: Span, pronoun: Span | None) -> bool:
    if pronoun is None or not place.overlaps(pronoun):
        return False
    return not (place.within(pronoun) or pronoun.within(place))
