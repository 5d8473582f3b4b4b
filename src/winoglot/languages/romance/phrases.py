"""The candidate after a preposition: *do Rui e da Ana*, *du chat et de la souris*, but *de Rose et Paul*."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from winoglot.languages.openings import split
from winoglot.languages.substitution import prepended

if TYPE_CHECKING:
    from winoglot.languages.romance.grammar import Grammar
    from winoglot.languages.substitution import Phrase


def with_preposition(preposition: str, phrase: Phrase, grammar: Grammar) -> str:
    """The phrase with its preposition, which is repeated before each part that has a determiner."""
    return prepended(preposition, repeated(preposition, phrase, grammar), phrase.language)


def repeated(preposition: str, phrase: Phrase, grammar: Grammar) -> str:
    """The phrase after a preposition that is already in the text."""
    first, *rest = joints(grammar).split(phrase.text)
    for joint, part in zip(rest[::2], rest[1::2], strict=True):
        has_determiner = bool(split(part, phrase.language)[0])
        first += joint + (prepended(preposition, part, phrase.language) if has_determiner else part)
    return first


@cache
def joints(grammar: Grammar) -> re.Pattern[str]:
    """What separates the parts of a coordination."""
    return re.compile(rf"(,\s+|\s+(?:{'|'.join(sorted(grammar.small('coordinator')))})\s+)")
