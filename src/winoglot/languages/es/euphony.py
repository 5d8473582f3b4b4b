"""*y* is *e* before the sound of i, *o* is *u* before that of o: *y {ella} rio* → *e Inés rio*, *o {ella}* → *u Olga*.

Not before a diphthong: *y hierro*. The tables for elision know single words and vowels, not these sounds.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution

_SEAMS = (
    (re.compile(r"\by(?=\s$)"), re.compile(r"h?[iíIÍ](?![aeoáéó])", re.IGNORECASE), "e"),
    (re.compile(r"\bo(?=\s$)"), re.compile(r"h?[oó]", re.IGNORECASE), "u"),
)


def euphonic(made: Substitution, start: int) -> Substitution:
    """The substitution with the conjunction before `start`, where the touched region began, as its sound wants it.

    >>> from winoglot.languages.base import Substitution
    >>> euphonic(Substitution("Rio y ", "Inés", " no.", "subject"), 6).before
    'Rio e '
    """
    left, right = made.before[:start], made.before[start:] + made.inserted
    for conjunction, sound, form in _SEAMS:
        if conjunction.search(left) and sound.match(right):
            return replace(made, before=conjunction.sub(form, left) + made.before[start:])
    return made
