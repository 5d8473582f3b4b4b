"""Abbreviations that end in a dot, from each language's `abbreviations.txt`: *Dr.*, *etc.*, *p. 12*."""

from __future__ import annotations

from functools import cache

from winoglot.errors import InputError
from winoglot.languages.tables import word_list

KINDS = ("", "may end", "number", "word")


@cache
def abbreviations(tag: str) -> dict[str, str]:
    """Each abbreviation, in lower case with its dot, and its kind; empty for a language without a list.

    Kinds: "" never ends a sentence, "may end" ends one before a capital letter, "number" is an abbreviation only before
    a number, and "word" is not an abbreviation but a one-letter word that could be mistaken for an initial.

    >>> abbreviations("en")["dr."], abbreviations("en")["etc."], abbreviations("tlh")
    ('', 'may end', {})
    """
    table: dict[str, str] = {}
    for line in word_list(tag, "abbreviations.txt"):
        form, _, kind = (part.strip() for part in line.partition("="))
        if kind not in KINDS or not form.endswith("."):
            raise InputError(
                f"abbreviations.txt of {tag!r} has the invalid line {line!r}",
                remedy="Write a form that ends in a dot, optionally followed by '= may end', '= number' or '= word'.",
            )
        table[form] = kind
    return table
