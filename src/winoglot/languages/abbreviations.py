"""Words that end in a dot of their own, as each language's `abbreviations.txt` lists them: *Dr.*, *etc.*, *p. 12*."""

from __future__ import annotations

from functools import cache

from winoglot.errors import InputError
from winoglot.languages.tables import word_list

KINDS = ("", "may end", "number", "word")


@cache
def abbreviations(tag: str) -> dict[str, str]:
    """Each abbreviation, in small letters and with its dot, and its kind; empty for a language without a list.

    Kinds: "" never ends a sentence, "may end" does before a capital, "number" is one only before a number, and
    "word" is none: a word of one letter that would pass for an initial.

    >>> abbreviations("en")["dr."], abbreviations("en")["etc."], abbreviations("tlh")
    ('', 'may end', {})
    """
    table: dict[str, str] = {}
    for line in word_list(tag, "abbreviations.txt"):
        form, _, kind = (part.strip() for part in line.partition("="))
        if kind not in KINDS or not form.endswith("."):
            raise InputError(
                f"abbreviations.txt of {tag!r} has the line {line!r}",
                remedy="Write a form that ends in a dot, then nothing, '= may end', '= number' or '= word'.",
            )
        table[form] = kind
    return table
