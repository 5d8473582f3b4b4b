"""*y* becomes *e* before the sound i, *o* becomes *u* before the sound o.

*y {ella} rio* → *e Inés rio*, *o {ella}* → *u Olga*. Not before a diphthong: *y hierro*. The elision tables cover
single words and vowels, not these sounds. With a capital it stays unchanged: *¿Y Inés?* asks where she is.
"""

from __future__ import annotations

import re

_SEAMS = (
    (re.compile(r"\b[ye](?=\s$)"), "y", "e", re.compile(r"(?:h?[ií](?![aeoáéó])|y(?![aeiouáéíóú])).", re.IGNORECASE)),
    (re.compile(r"\b[ou](?=\s$)"), "o", "u", re.compile(r"h?[oó]", re.IGNORECASE)),
)


def euphonic(left: str, right: str) -> str:
    """The left text, with its final conjunction (if any) adapted to the first sound of the right one.

    >>> euphonic("Rio y ", "Inés"), euphonic("Rio e ", "Ana"), euphonic("Agua y ", "hierro"), euphonic("Rio o ", "Olga")
    ('Rio e ', 'Rio y ', 'Agua y ', 'Rio u ')
    """
    for conjunction, full, before_sound, sound in _SEAMS:
        if conjunction.search(left):
            return conjunction.sub(before_sound if sound.match(right) else full, left)
    return left
