"""Lines of wikitext without templates, links and elements: to paragraphs, list items and headings, a line each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.corpus._wikitext_gaps import mended
from winoglot.corpus._wikitext_nesting import GAP

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTHING = GAP + " \t"
_LIST = "*#:;"
_HEADING = re.compile(rf"(={{1,6}})(.+?)\1[\s{GAP}]*")
_QUOTES = re.compile("''+")
_WORD = re.compile(r"\w")


def paragraphs(text: str, *, headings: bool, joint: str) -> Iterator[str]:
    """One by one; lines of a paragraph are joined by `joint`, for in wikitext only a blank line ends one."""
    for line in _unwrapped(text, headings=headings, joint=joint):
        clean = mended(line) if GAP in line else line
        if "''" in clean:
            clean = without_quotes(clean)
        if _WORD.search(clean):
            yield clean


def _unwrapped(text: str, *, headings: bool, joint: str) -> Iterator[str]:
    waiting: list[str] = []
    for line in text.split("\n"):
        first = line[:1]
        if first and first not in "*#:;=|!- \t\0":  # most lines
            waiting.append(line)
            continue
        bare = line.strip(_NOTHING)
        if bare and first in " \t\0":
            waiting.append(line)
            continue
        if waiting:
            yield joint.join(waiting)
            waiting.clear()
        if not bare:
            continue
        if first in _LIST:
            yield line.lstrip(_LIST + " \t")  # a gap stays: what follows it is mended
        elif first == "=" and (found := _HEADING.fullmatch(line)):
            if headings:
                yield found.group(2).strip("= ")
        elif line.startswith("----"):
            waiting.append(line.lstrip("-"))
        elif not (first == "|" or (first == "!" and ("|" in line or "!!" in line))):  # those are of a broken table
            waiting.append(line)
    if waiting:
        yield joint.join(waiting)


def without_quotes(line: str) -> str:
    """The line without the marks of italics and bold.

    Three marks may be an apostrophe and italics: where a line has neither bold nor italics closed, the first three
    after a single letter are, else the first three after a word.

    >>> without_quotes("l'''Iliade'' et '''Homère'''")
    "l'Iliade et Homère"
    """
    if "'''" not in line:
        return line.replace("''", "")
    runs = [(mark.start(), len(mark.group())) for mark in _QUOTES.finditer(line)]
    italic = sum(length not in (3, 4) for _, length in runs)
    bold = sum(length != 2 for _, length in runs)
    apostrophe = -1
    if italic % 2 and bold % 2:
        threes = [start for start, length in runs if length == 3 and line[start - 1 : start].strip()]
        single = (start for start in threes if not line[max(start - 2, 0) : start - 1].strip())
        apostrophe = next(single, threes[0] if threes else -1)

    def left(mark: re.Match[str]) -> str:
        length = len(mark.group())
        return "'" if length == 4 or length > 5 or mark.start() == apostrophe else ""

    return _QUOTES.sub(left, line)
