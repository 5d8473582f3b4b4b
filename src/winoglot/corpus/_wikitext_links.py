"""What a link leaves in the text: its label; nothing for pictures, categories and links to other languages."""

from __future__ import annotations

from functools import cache

from winoglot.languages.base import read_words

_LONGEST_PREFIX = 24


def label(link: str) -> str | None:
    """The words that a link's inside shows, None for a link that shows none.

    >>> label("Lisbon|the capital"), label("Mercury: a novel"), label("wikt:rain|rain")
    ('the capital', 'Mercury: a novel', 'rain')
    >>> label("Ficheiro:Chuva.jpg|thumb|Chuva"), label("fr:Pluie"), label(":fr:Pluie|Pluie")
    (None, None, 'Pluie')
    """
    target, sign, text = link.partition("|")
    if ":" in target:
        if is_unseen(target):
            return None
        target = target.lstrip().removeprefix(":")
    if not sign:
        return target
    # [[Rain|]] shows its target without namespace and parenthesis; the wiki writes that out when a page is saved.
    return text.replace("|", "&vert;") if text.strip() else target.partition(" (")[0].rpartition(":")[2]


def is_unseen(target: str) -> bool:
    """Whether a target's prefix is one whose links show nothing.

    >>> is_unseen("Category:Rain"), is_unseen(":Category:Rain"), is_unseen("Star Trek: Picard")
    (True, False, False)
    """
    prefix, colon, _ = target[:_LONGEST_PREFIX].partition(":")
    return bool(colon) and prefix.replace("_", " ").strip().lower() in _unseen()


def is_file(target: str) -> bool:
    """Whether a target's prefix is that of pictures and the like."""
    prefix, colon, _ = target[:_LONGEST_PREFIX].partition(":")
    return bool(colon) and prefix.replace("_", " ").strip().lower() in _namespaces("file")


@cache
def _namespaces(kind: str) -> frozenset[str]:
    lines = (line.partition(" = ") for line in read_words("winoglot.corpus", "markup/namespaces.txt"))
    return frozenset(name for which, _, names in lines if which == kind for name in names.split(", "))


@cache
def _unseen() -> frozenset[str]:
    codes = " ".join(read_words("winoglot.corpus", "markup/interlanguage.txt")).split()
    return frozenset((*codes, *_namespaces("file"), *_namespaces("category")))
