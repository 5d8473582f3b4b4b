"""What a corpus is made of: one article, or whatever the source calls a document."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Article:
    """Clean prose, one paragraph a line; of a text that is tokenised already, tokens with blanks between, one sentence
    a line.

    `id` and `revision` are the source's own, where it has them; they find the article again and give it its split.

    >>> Article("Chuva", "Chove muito.\\nDepois não.").text.splitlines()
    ['Chove muito.', 'Depois não.']
    """

    title: str
    text: str
    id: str = ""
    revision: str = ""
