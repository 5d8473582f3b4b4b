"""The possessive ending when a name is replaced: *James' hat* becomes *Jim's hat*."""

from __future__ import annotations

import re

from winoglot.languages.base import NotDerivedError
from winoglot.schemas.spans import Edit, Span

_POSSESSIVE = re.compile(r"['’]s\b")
_BARE = re.compile(r"['’](?=[ \u00a0]\w)")
_QUOTE_OPEN = re.compile(r"(?:^|[\s(—-])'|‘")


def behind(text: str, noun: Span, new: str, number: str | None) -> Edit | None:
    """The edit right after the noun when it is replaced by `new`; None if nothing changes.

    Raises NotDerivedError for an apostrophe that may close a quotation, and for a plural in -s replacing one without.

    >>> behind("James' hat", Span(0, 5), "Jim", "singular").new
    "'s"
    """
    old = noun.of(text)
    if _POSSESSIVE.match(text, noun.end) and number == "plural" and new.endswith("s"):
        raise NotDerivedError(f"the possessive of {new!r} is not written like that of {old!r}")
    bare = _BARE.match(text, noun.end)
    if not bare or not old.endswith("s") or new.endswith("s"):
        return None
    if _QUOTE_OPEN.search(text[: noun.start]):
        raise NotDerivedError(f"{text[noun.start : noun.end + 1]!r} may close a quotation")
    return Edit(Span(noun.end, noun.end + 1), bare.group() + "s")
