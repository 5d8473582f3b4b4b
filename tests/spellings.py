"""Items as other editors spell them: letters with marks of their own, blanks that break no line."""

import unicodedata
from dataclasses import replace

from winoglot import Span

BLANKS = str.maketrans("\u00a0\u202f", "  ")


def decomposed(text):
    return unicodedata.normalize("NFD", text)


def unbroken(text):
    return text.replace(" ", "\u00a0")


def plainly(text):
    return text and unicodedata.normalize("NFC", text).translate(BLANKS)


def rewritten(item, write):
    """The item with another spelling; its spans are taken along."""

    def moved(span):
        return Span(len(write(item.text[: span.start])), len(write(item.text[: span.end])))

    candidates = tuple(
        replace(one, text=write(one.text), mentions=tuple(map(moved, one.mentions))) for one in item.candidates
    )
    return replace(item, text=write(item.text), pronoun=moved(item.pronoun), candidates=candidates)
