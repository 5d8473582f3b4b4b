"""The last step to prose: flattened wikitext to paragraphs, list items and headings, one per line.

Gaps that dropped markup left in a sentence are closed (no empty parentheses, no space before a comma), quotes of bold
and italics removed, entities replaced by characters and all spaces made plain.
"""

from __future__ import annotations

import html
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from winoglot.corpus.wikitext.scanner import GAP

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTHING = GAP + " \t"
_LIST = "*#:;"
_HEADING = re.compile(rf"(={{1,6}})(.+?)\1[\s{GAP}]*")
_QUOTES = re.compile("''+")
_WORD = re.compile(r"\w")
_OPENING, _CLOSING = ("(", "（", "["), (")", "）", "]")
_JUNK = " \t,;:/，；：、·–—-"  # what separates two things in parentheses and means nothing by itself
_POINTS = (",", ".", ";", ":", "!", "?", "，", "。", "；", "：", "！", "？")
_GLUED = (",", ".", "，", "。", "；", "：", "！", "？", "、")  # French has spaces before the others
# With its semicolon only: "AT&T" and "black&notable" contain no entity.
_ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_WIDTHS = "".join(map(chr, range(0x2000, 0x200B)))
_SPACES = "\t\r\v\f\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + _WIDTHS


def paragraphs(text: str, *, headings: bool, joint: str) -> Iterator[str]:
    """The paragraphs of flattened wikitext. Only a blank line ends one; its lines are joined by `joint`."""
    for line in _unwrapped_lines(text, headings=headings, joint=joint):
        clean = closed(line) if GAP in line else line
        if "''" in clean:
            clean = without_quotes(clean)
        if _WORD.search(clean):
            yield clean


def _unwrapped_lines(text: str, *, headings: bool, joint: str) -> Iterator[str]:
    pending: list[str] = []
    for line in text.split("\n"):
        first = line[:1]
        if first and first not in "*#:;=|!- \t\0":  # most lines
            pending.append(line)
            continue
        bare = line.strip(_NOTHING)
        if bare and first in " \t\0":
            pending.append(line)
            continue
        if pending:
            yield joint.join(pending)
            pending.clear()
        if not bare:
            continue
        if first in _LIST:
            yield line.lstrip(_LIST + " \t")  # a gap stays, so that it is closed together with what follows it
        elif first == "=" and (heading := _HEADING.fullmatch(line)):
            if headings:
                yield heading.group(2).strip("= ")
        elif line.startswith("----"):
            pending.append(line.lstrip("-"))
        elif not (first == "|" or (first == "!" and ("|" in line or "!!" in line))):  # rows of a broken table
            pending.append(line)
    if pending:
        yield joint.join(pending)


def closed(line: str) -> str:
    """A line with its gaps closed.

    >>> closed(f"Lisbon ({GAP}; {GAP}) is old {GAP}, and big {GAP}.")
    'Lisbon is old, and big.'
    >>> closed(f"Rita ({GAP}; born 1960, {GAP}) and main()")
    'Rita (born 1960) and main()'
    >>> closed(f"{GAP}, which is a sum")
    'which is a sum'
    >>> closed(f"one{GAP} {GAP}two")
    'one two'
    """
    pieces: list[str] = []
    open_piece, *pieces_after = line.split(GAP)
    for piece in pieces_after:
        before, after = _join_sides(open_piece, piece) if pieces or open_piece.strip(" ") else ("", piece.lstrip(_JUNK))
        if after:
            pieces.append(before)
        open_piece = after or before
    pieces.append(open_piece)
    return "".join(pieces)


def _join_sides(left: str, right: str) -> tuple[str, str]:
    """The two sides of a gap as they appear next to each other."""
    before, after = left.rstrip(_JUNK), right.lstrip(_JUNK)
    if before.endswith(_OPENING):
        if after.startswith(_CLOSING):
            return before[:-1].rstrip(" "), after[1:]
        return before, after
    if after.startswith(_CLOSING):
        return before, after
    if not after and left.endswith(tuple(_JUNK)):
        return left, ""
    if right.startswith(" ") and left.endswith(" "):
        return left, right.lstrip(" ")
    if right.startswith(_GLUED):
        left = left.rstrip(" ")
        return left, right[1:] if left.endswith(_POINTS) and right[0] != "." else right
    return left, right


def without_quotes(line: str) -> str:
    """The line without the marks of italics and bold.

    Three quotes may be an apostrophe and italics. In a line that closes neither bold nor italics they are, at the first
    place after a single letter, else at the first place after a word.

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

    def remainder(mark: re.Match[str]) -> str:
        length = len(mark.group())
        return "'" if length == 4 or length > 5 or mark.start() == apostrophe else ""

    return _QUOTES.sub(remainder, line)


def characters(text: str) -> str:
    """The text with entities replaced by their characters; any kind of space becomes a plain one.

    >>> characters("5&nbsp;km &ndash; caf&eacute; &amp;c. AT&T &unheard;")
    '5 km – café &c. AT&T &unheard;'
    """
    return _ENTITY.sub(lambda match: _character(match.group()), text) if "&" in text else text


@lru_cache(maxsize=4096)
def _character(entity: str) -> str:
    character = html.unescape(entity)
    return " " if character.isspace() else character


def plain_spaces(text: str) -> str:
    """The text with single plain spaces and none at the ends of lines; line breaks stay.

    >>> plain_spaces("um\\u2009  dois \\n três")
    'um dois\\ntrês'
    """
    for space in _SPACES:
        if space in text:
            text = text.replace(space, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.replace(" \n", "\n").replace("\n ", "\n").strip(" ")
