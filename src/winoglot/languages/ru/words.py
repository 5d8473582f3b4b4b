"""The words and marks of a text; unlike those of `Place`, words keep their hyphens: *из-за*, *кто-то*."""

from __future__ import annotations

import re
from functools import lru_cache

from winoglot.languages.substitution import Token
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

_TOKEN = re.compile(r"\w+(?:-\w+)*|[^\w\s]")


@lru_cache(maxsize=256)
def words_of(text: str, start: int, end: int) -> tuple[Token, ...]:
    """The words and marks between two positions.

    >>> [token.form for token in words_of("Из-за него всё.", 0, 15)]
    ['из-за', 'него', 'всё', '.']
    """
    return tuple(Token(folded(m.group()), Span(*m.span())) for m in _TOKEN.finditer(text, start, end))
