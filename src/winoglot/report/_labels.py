"""Names that fit beside a figure: how wide a text is, and how to shorten it without losing what distinguishes it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

LONGEST = 26  # columns, at about six pixels each
_MOST_LINES = 3
_PIXELS = 6.2  # of a column at the figures' small size


def columns(text: str) -> int:
    """How many columns a text takes: Chinese characters two, marks above and below letters none.

    >>> columns("gemma"), columns("中文"), columns("e\u0301")
    (5, 4, 1)
    """
    return sum(_columns(character) for character in text)


def pixels(text: str) -> float:
    """About how wide a text is."""
    return columns(text) * _PIXELS


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text with its middle left out: names of models differ at their ends.

    >>> shortened("causal:/models/organisation/a-rather-long-name-7b-instruct-v2")
    'causal:/mo…-7b-instruct-v2'
    """
    if columns(text) <= longest:
        return text
    head, tail = _fitting(text, 2 * longest // 5), _fitting(text[::-1], longest - 2 * longest // 5 - 1)[::-1]
    return f"{head}…{tail}"


def lines(text: str, longest: int = LONGEST) -> list[str]:
    """The text on as few lines as possible, broken after commas: what distinguishes runs follows the model's name.

    >>> lines("gemma-3-270m, partial scoring, grammatical readings")
    ['gemma-3-270m,', 'partial scoring,', 'grammatical readings']
    """
    made: list[str] = []
    for part in text.replace(", ", ",\n").split("\n"):
        if made and columns(made[-1]) + 1 + columns(part) <= longest:
            made[-1] += f" {part}"
        else:
            made.append(part)
    if len(made) > _MOST_LINES:
        made = [*made[: _MOST_LINES - 1], " ".join(made[_MOST_LINES - 1 :])]
    return [shortened(line, longest) for line in made]


def wrapped(text: str, longest: int) -> list[str]:
    """The text on as many lines as it needs, broken between words; a word that is too long is shortened.

    >>> wrapped("English · gemma-3-270m, partial scoring", 22)
    ['English ·', 'gemma-3-270m, partial', 'scoring']
    """
    made: list[str] = []
    for word in text.split():
        if made and columns(made[-1]) + 1 + columns(word) <= longest:
            made[-1] += f" {word}"
        else:
            made.append(shortened(word, longest))
    return made


def all_different(texts: Iterable[str], longest: int = LONGEST) -> dict[str, list[str]]:
    """Each text with its lines; if two would look alike, all get more room.

    >>> all_different(["a-model-of-seven-billion", "a-model-of-eight-billion"], 12).values()
    dict_values([['a-mode…n-billion'], ['a-mode…t-billion']])
    """
    wanted = list(dict.fromkeys(texts))
    while True:
        short = {text: lines(text, longest) for text in wanted}
        if len({tuple(one) for one in short.values()}) == len(wanted):
            return short
        longest += 4


def _fitting(text: str, room: int) -> str:
    used = 0
    for place, character in enumerate(text):
        used += _columns(character)
        if used > room:
            return text[:place]
    return text


def _columns(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in {"Mn", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
