"""Articles of plain text: a line, a block between blank lines, or a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from winoglot.corpus.article import Article

if TYPE_CHECKING:
    from collections.abc import Iterator

    from winoglot.corpus.stretches import Stretch

_BLANK_LINES = re.compile(r"\n(?:[^\S\n]*\n)+")


def articles(stretch: Stretch, document: str, *, tokenised: bool) -> Iterator[Article]:
    """The articles of a stretch; the source's name is the title of each.

    >>> from winoglot.corpus.stretches import Stretch
    >>> stretch = Stretch("chuva.txt", 1, "Chove\\nmuito.\\n\\nE depois?".encode())
    >>> [article.text for article in articles(stretch, "blank-line", tokenised=False)]
    ['Chove muito.', 'E depois?']
    """
    name = Path(stretch.source).name
    for part in _documents(stretch.text(), document):
        if part := part.strip():
            yield Article(name, part if tokenised or "\n" not in part else _unwrapped(part))


def _documents(text: str, document: str) -> list[str]:
    if document == "line":
        return text.split("\n")
    return _BLANK_LINES.split(text) if document == "blank-line" else [text]


def _unwrapped(text: str) -> str:
    """Every paragraph in one line: single breaks are where an editor wrapped it."""
    return "\n".join(paragraph.replace("\n", " ") for paragraph in _BLANK_LINES.split(text))
