"""The borders of what was dropped from a sentence: no empty parentheses, no blank before a comma."""

from __future__ import annotations

from winoglot.corpus._wikitext_nesting import GAP

_OPENING, _CLOSING = ("(", "（", "["), (")", "）", "]")
_JUNK = " \t,;:/，；：、·–—-"  # what stands between two things in parentheses, and is nothing by itself
_POINTS = (",", ".", ";", ":", "!", "?", "，", "。", "；", "：", "！", "？")
_GLUED = (",", ".", "，", "。", "；", "：", "！", "？", "、")  # French has blanks before the others


def mended(line: str) -> str:
    """A line whose gaps are closed.

    >>> mended(f"Lisbon ({GAP}; {GAP}) is old {GAP}, and big {GAP}.")
    'Lisbon is old, and big.'
    >>> mended(f"Rita ({GAP}; born 1960, {GAP}) and main()")
    'Rita (born 1960) and main()'
    >>> mended(f"{GAP}, which is a sum")
    'which is a sum'
    >>> mended(f"one{GAP} {GAP}two")
    'one two'
    """
    done: list[str] = []
    left, *others = line.split(GAP)
    for right in others:
        before, after = _joined(left, right) if done or left.strip(" ") else ("", right.lstrip(_JUNK))
        if after:
            done.append(before)
        left = after or before
    done.append(left)
    return "".join(done)


def _joined(left: str, right: str) -> tuple[str, str]:
    """The two sides of a gap as they stand beside each other."""
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
