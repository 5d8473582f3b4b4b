"""Abbreviations that end in a dot, from each language's `spelling.txt`: *Dr.*, *etc.*, *p. 12*."""

from __future__ import annotations

from functools import cache

from winoglot.languages.lexicon import lexicon


@cache
def abbreviations(tag: str) -> dict[str, str]:
    """Each abbreviation, in lower case with its dot, and its kind; empty for a language without a list.

    Kinds: "" never ends a sentence, "may end" ends one before a capital letter, "number" is an abbreviation only before
    a number, and "word" is not an abbreviation but a one-letter word that could be mistaken for an initial.

    >>> abbreviations("en")["dr."], abbreviations("en")["etc."], abbreviations("tlh")
    ('', 'may end', {})
    """
    spelling = lexicon(tag, "spelling")
    kinds = {"may-end": "may end", "before-number": "number"}
    table = dict.fromkeys(spelling.words("abbreviation"), "")
    for feature, kind in kinds.items():
        table |= dict.fromkeys(spelling.words("abbreviation", feature), kind)
    return table | dict.fromkeys(spelling.words("letter-word"), "word")
