"""The words and marks of a text; unlike those of `Place`, words keep their hyphens: *из-за*, *кто-то*."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from functools import lru_cache

from winoglot.languages.substitution import Token
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

_TOKEN = re.compile(r"\w+(?:-\w+)*|[^\w\s]")


def words_of(text: str, start: int, end: int) -> tuple[Token, ...]:
    """The words and marks between two positions.

    >>> [token.form for token in words_of("Из-за него всё.", 0, 15)]
    ['из-за', 'него', 'всё', '.']
    """
    tokens, starts, ends = _tokens(text)
    return tokens[bisect_left(starts, start) : bisect_right(ends, end)]


@lru_cache(maxsize=256)
def _tokens(text: str) -> tuple[tuple[Token, ...], list[int], list[int]]:
    tokens = tuple(Token(folded(m.group()), Span(*m.span())) for m in _TOKEN.finditer(text))
    return tokens, [token.span.start for token in tokens], [token.span.end for token in tokens]
