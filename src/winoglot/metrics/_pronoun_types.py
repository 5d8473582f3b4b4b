"""What a pronoun is in its clause: as its author says, or as its form shows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.languages.tables import pairs, words_of
from winoglot.schemas.text import folded

if TYPE_CHECKING:
    from winoglot.schemas.model import Item

TYPES = ("subject", "object", "possessive", "prepositional", "blank", "zero")
_TABLE, _GOVERNS = "pronoun_types.txt", "governs"
_LAST_WORD = re.compile(r"[^\W\d_]+['’]?$")


def pronoun_type(item: Item) -> str | None:
    """One of `TYPES`; None without a text, or where neither a tag nor the form tells.

    A language's `pronoun_types.txt` says what each form may be, and marks the prepositions that `govern` the pronoun
    after them; after another word of its `prepositions.txt`, which may be something else there, nothing is sure.

    >>> from winoglot import Candidate, Item, Span
    >>> text = "A Ana falou com ela."
    >>> pronoun_type(Item("a.0", "a", text=text, pronoun=Span(16, 19), candidates=(Candidate("Ana"),), language="pt"))
    'prepositional'
    """
    tagged = [type_ for type_ in TYPES if type_ in item.tags]
    if tagged:
        return tagged[0]
    if item.text is None or item.pronoun is None or item.pronoun_form != "word":
        return item.pronoun_form
    table = pairs(item.language, _TABLE)
    may_be = table.get(folded(item.pronoun.of(item.text)), "").split()
    if "prepositional" in may_be[1:]:
        before = _LAST_WORD.search(folded(item.text[: item.pronoun.start]).rstrip())
        word = before.group() if before else ""
        if table.get(word) == _GOVERNS:
            return "prepositional"
        if word in words_of(item.language, "prepositions.txt"):
            return None
        may_be.remove("prepositional")
    return may_be[0] if len(may_be) == 1 else None
