"""The paper that figures are drawn for: its width, its font, and how much space a text takes.

Lengths are in CSS pixels, of which an inch has 96; text is 8 pt, small text 7.2 pt, whatever the width.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from winoglot.errors import InputError
from winoglot.report.rendering import shortened

MILLIMETRE = 96 / 25.4
TEXT, SMALL = 8 * 96 / 72, 7.2 * 96 / 72
_NAMED_WIDTHS = {"column": 84.0, "page": 174.0}  # mm, in papers with two columns
_LIMITS = (60.0, 600.0)  # mm
_UNITS = {"mm": 1.0, "in": 25.4}
_FONTS = (
    "Arial, Helvetica, 'Liberation Sans', 'Noto Sans', 'Noto Sans CJK SC', 'Noto Sans CJK JP', 'Hiragino Sans', "
    "'Microsoft YaHei', 'Yu Gothic', sans-serif"
)
_WIDE = "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
_CLOSING = "、。，．！？；：）」』】》〉％"  # which no line begins with
_PIECES = re.compile(rf"\s+|[{_WIDE}][{_CLOSING}]*|[^\s/_:\-,{_WIDE}]*[/_:\-,]+|[^\s/_:\-,{_WIDE}]+")
# Hundredths of the font's size that a letter of Arial and Helvetica takes.
_LETTERS = {
    letter: width
    for width, letters in {
        20: "'",
        23: "ijl",
        28: "ftI.,:;/\\! |[]()-`",
        34: 'r"°',
        39: "*{}",
        50: "ckszvxyJ",
        56: "abdeghnopqu0123456789L_?$#–«»",
        61: "FTZ+<=>~−×±",
        67: "ABEKPSVXY&",
        73: "wCDHNRU",
        78: "GOQ",
        84: "mM",
        90: "%",
        95: "W",
        100: "…—@",
    }.items()
    for letter in letters
}
_OTHER_SMALL, _OTHER_LARGE = 64, 76  # of other alphabets, whose letters differ
_BOLD = 1.08  # how much wider bold letters are
_WIDEST = 1.18  # how much wider the letters of a wide font (Verdana) are than Arial's
_MONOSPACED = re.compile("mono|courier|consol|menlo|typewriter|code", re.IGNORECASE)


@dataclass(frozen=True)
class Paper:
    """A width in pixels and the name of a font; without a font, any sans-serif that is installed.

    >>> paper = Paper.of("84mm")
    >>> round(paper.width), paper.millimetres
    (317, 84.0)
    >>> paper.wrapped("organisation/a-model-with-a-long-name-7b", 120)
    ['organisation/a-model-', 'with-a-long-name-7b']
    """

    millimetres: float = _NAMED_WIDTHS["page"]
    font: str = ""

    @classmethod
    def of(cls, width: str = "page", font: str | None = None) -> Paper:
        """The paper for a width (`column`, `page`, `84mm`, `3.3in`) and the name of a font; InputError for others."""
        if not isinstance(width, str) or not (size := _millimetres(width)):
            remedy = "Write column (84 mm), page (174 mm), or a size such as 88mm or 3.25in."
            raise InputError(f"{width!r} is not the width of a figure", remedy=remedy)
        low, high = _LIMITS
        if not low <= size <= high:
            raise InputError(f"a figure cannot be {width} wide", remedy=f"Choose a width from {low:g}mm to {high:g}mm.")
        if font is not None and not (isinstance(font, str) and re.fullmatch(r"\w[\w +.-]{0,79}", font)):
            remedy = "Name one font, as text programs call it, without quotation marks: Times New Roman."
            raise InputError(f"{font!r} is not the name of a font", remedy=remedy)
        return cls(size, font or "")

    @property
    def width(self) -> float:
        """In pixels."""
        return self.millimetres * MILLIMETRE

    @property
    def fonts(self) -> str:
        """The font, and those that have the letters it lacks."""
        return f"'{self.font}', {_FONTS}" if self.font else _FONTS

    def length(self, text: str, style: str = "") -> float:
        """The length of a text, rather over- than underestimated; `style` may contain `small` and `strong`."""
        size = (SMALL if "small" in style else TEXT) * (_BOLD if "strong" in style else 1.0)
        if self.font:
            size *= _WIDEST
        least = 51 if _MONOSPACED.search(self.font) else 0  # of Arial's size: 0.6 of the widened one
        return size / 100 * sum(max(_hundredths(letter), least) for letter in unicodedata.normalize("NFD", text))

    def wrapped(self, text: str, room: float, style: str = "") -> list[str]:
        """A text in lines that fit, broken at spaces, after signs in names, and between Chinese characters."""
        lines, line = [], ""
        for piece in _PIECES.findall(text):
            if self.length((line + piece).rstrip(), style) <= room:
                line += piece
                continue
            lines.append(line)
            line = ""
            for letter in piece.lstrip():  # a name without a sign may be longer than a line
                if line and self.length(line + letter, style) > room:
                    lines.append(line)
                    line = ""
                line += letter
        return [line.strip() for line in (*lines, line) if line.strip()]

    def fitted(self, text: str, room: float, style: str = "") -> str:
        """A text on one line, its middle left out if it is too long."""
        longest = next(
            (count for count in range(len(text), 3, -1) if self.length(shortened(text, count), style) <= room), 3
        )
        return shortened(text, longest)


PAGE = Paper()


def _millimetres(width: str) -> float | None:
    size = re.fullmatch(r"(\d{1,4}(?:\.\d{1,3})?)\s?(mm|in)", width.strip())
    return float(size[1]) * _UNITS[size[2]] if size else _NAMED_WIDTHS.get(width.strip())


def _hundredths(letter: str) -> int:
    if letter in _LETTERS:
        return _LETTERS[letter]
    if unicodedata.combining(letter):
        return 0
    if unicodedata.east_asian_width(letter) in "WF":
        return 100
    return _OTHER_LARGE if letter.isupper() else _OTHER_SMALL
