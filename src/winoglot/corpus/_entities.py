"""Characters written by name or number, and blanks of every width."""

from __future__ import annotations

import html
import re
from functools import lru_cache

# With its semicolon only: "AT&T" and "black&notable" hold no entity.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WIDTHS = "".join(map(chr, range(0x2000, 0x200B)))
_BLANKS = "\t\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + _WIDTHS


def characters(text: str) -> str:
    """The text with its entities as characters; a blank of any kind is a plain one.

    >>> characters("5&nbsp;km &ndash; caf&eacute; &amp;c. AT&T &unheard;")
    '5 km – café &c. AT&T &unheard;'
    """
    if "&" in text:
        text = _ENTITY.sub(lambda found: _character(found.group()), text)
    return text


def plain_blanks(text: str) -> str:
    """The text with single plain blanks, none at a line's border; line ends stay.

    >>> plain_blanks("um\\u2009  dois \\n três")
    'um dois\\ntrês'
    """
    for blank in _BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.replace(" \n", "\n").replace("\n ", "\n").strip(" ")


@lru_cache(maxsize=4096)
def _character(entity: str) -> str:
    found = html.unescape(entity)
    return " " if found.isspace() else found
