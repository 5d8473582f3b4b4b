"""A phrase after *à* or *de*, repeated before each part of a coordination: *du chat et de la souris*.

Coordinated names form one group: *de Rose et Paul*.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.openings import split
from winoglot.languages.substitution import prepended

if TYPE_CHECKING:
    from winoglot.languages.phrases import Phrase

_SEAM = re.compile(r"( et | ou |, )")


def after_preposition(preposition: str, phrase: Phrase) -> str:
    """The phrase with its preposition.

    >>> from winoglot.languages.phrases import Phrase
    >>> from winoglot.languages.features import Traits
    >>> after_preposition("de", Phrase("le", "chat et la souris", Traits(), is_name=False, language="fr"))
    'du chat et de la souris'
    """
    return prepended(preposition, repeated(preposition, phrase), phrase.language)


def repeated(preposition: str, phrase: Phrase) -> str:
    """The phrase after a preposition that is already in the text."""
    first, *rest = _SEAM.split(phrase.text)
    for seam, part in zip(rest[::2], rest[1::2], strict=True):
        has_determiner = bool(split(part, phrase.language)[0])
        first += seam + (prepended(preposition, part, phrase.language) if has_determiner else part)
    return first
