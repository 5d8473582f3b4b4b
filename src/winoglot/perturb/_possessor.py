"""The ending of an English possessor when another one takes its place: *James' hat* becomes *Jim's hat*."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.base import NotDerivedError
from winoglot.languages.name_spans import NameSpan
from winoglot.languages.renamed_text import edits_for
from winoglot.schemas.language_tag import primary

if TYPE_CHECKING:
    from winoglot.languages.slots import Slot
    from winoglot.schemas.edits import Edit

_POSSESSIVE = re.compile(r"['’]s\b")
_APOSTROPHES = ("'", "’")


def ending_edit(text: str, slot: Slot, new: str, number: str | None, language: str) -> Edit | None:
    """What changes right after a slot that the new noun, of the number, fills; None where nothing does.

    Raises NotDerivedError for an apostrophe that may close a quotation, and for a plural in -s after one without.

    >>> from winoglot.languages.slots import Slot
    >>> from winoglot.schemas.span import Span
    >>> ending_edit("James' hat", Slot(Span(0, 5), "", "", Span(0, 5), is_optional=False), "Jim", "singular", "en").new
    "'s"
    """
    if primary(language) != "en" or not text.startswith(_APOSTROPHES, slot.noun.end):
        return None
    old = slot.noun.of(text)
    if _POSSESSIVE.match(text, slot.noun.end) and number == "plural" and new.endswith("s"):
        raise NotDerivedError(f"the possessive of {new!r} is not written like that of {old!r}")
    edits = edits_for(text, NameSpan(old, slot.noun), new, "", language)
    return next((edit for edit in edits if edit.span.start >= slot.noun.end), None)
