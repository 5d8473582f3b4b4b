"""An item as the rules know it: letters composed, blanks that break no line as plain ones; and the way back.

Editors write *M. Petit* and « oui » with other blanks, and some store *é* as a letter with a mark behind it. No word
list has those, so grammar works on a plain copy; what it leaves alone is then taken from the text as it was.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.schemas.spans import Edit, Span, shared_end, shared_start

if TYPE_CHECKING:
    from winoglot.languages.base import Substitution
    from winoglot.schemas.model import Item

_BLANKS = str.maketrans("\u00a0\u202f", "  ")


@dataclass(frozen=True)
class PlainText:
    """A plain text, the text it was made from, and where each of its places was in that."""

    text: str
    source: str
    places: tuple[int, ...]

    def span(self, span: Span) -> Span:
        """Where a span of the source lies."""
        return Span(bisect_left(self.places, span.start), bisect_left(self.places, span.end))

    def edit(self, edit: Edit) -> Edit:
        """The same edit of the source."""
        start, end = self.places[edit.span.start], self.places[edit.span.end]
        return Edit(Span(start, end), self.written(edit.new))

    def start(self, length: int) -> str:
        """So many characters from the start, as the source has them."""
        return self.source[: self.places[length]]

    def end(self, length: int) -> str:
        """So many characters from the end, as the source has them."""
        return self.source[self.places[len(self.text) - length] :]

    def carried(self, piece: str, start: int) -> str:
        """A new piece; the longest stretch that was moved into it, from behind a place, is as the source has it."""
        match = SequenceMatcher(None, self.text, piece, autojunk=False).find_longest_match(start)
        stretch = piece[match.b : match.b + match.size]
        blanks, length = len(stretch) - len(stretch.lstrip()), len(stretch.strip())
        here, there = match.b + blanks, match.a + blanks
        same = self.source[self.places[there] : self.places[there + length]] if length else ""
        return self.written(piece[:here]) + same + self.written(piece[here + length :])

    def written(self, text: str) -> str:
        """Something new with its letters composed or not, as the source has them."""
        has_marks = not unicodedata.is_normalized("NFC", self.source)
        return unicodedata.normalize("NFD", text) if has_marks else text


def is_plain(text: str) -> bool:
    """Whether the text has composed letters and plain blanks only.

    >>> is_plain("élan !"), is_plain("e\\u0301lan"), is_plain("élan\\u00a0!")
    (True, False, False)
    """
    return "\u00a0" not in text and "\u202f" not in text and unicodedata.is_normalized("NFC", text)


def plain_text(source: str) -> PlainText:
    """The plain text, letter by letter with the marks that belong to each.

    >>> plain_text("e\\u0301lan\\u00a0!").text, plain_text("e\\u0301lan").span(Span(2, 4))
    ('élan !', Span(start=1, end=3))
    """
    starts = [at for at, character in enumerate(source) if at == 0 or not unicodedata.combining(character)]
    parts = [source[start:end] for start, end in pairwise([*starts, len(source)])]
    composed = [unicodedata.normalize("NFC", part).translate(_BLANKS) for part in parts]
    places: list[int] = []
    for start, part, made in zip(starts, parts, composed, strict=True):  # marks that compose with nothing stay last
        places += [start, *range(start + len(part) - len(made) + 1, start + len(part))]
    return PlainText("".join(composed), source, (*places, len(source)))


def plain_item(item: Item) -> Item:
    """The item with plain text and candidates; the very same where it is plain, or where two candidates become one."""
    if item.text is None or all(map(is_plain, (item.text, *(candidate.text for candidate in item.candidates)))):
        return item
    plain = plain_text(item.text)
    try:
        return replace(
            item,
            text=plain.text,
            pronoun=item.pronoun and plain.span(item.pronoun),
            candidates=tuple(
                replace(one, text=plain_text(one.text).text, mentions=tuple(map(plain.span, one.mentions)))
                for one in item.candidates
            ),
            segment=tuple(map(plain.span, item.segment)),
            phrase=item.phrase and plain.span(item.phrase),
            readings=(),
        )
    except InputError:
        return item


def restored(made: Substitution, item: Item, index: int) -> Substitution:
    """What was made of the plain item, with what it left alone of the item's text and candidate as these have it."""
    plain, candidate = plain_text(item.text or ""), plain_text(item.candidates[index].text)
    start, end = shared_start(made.before, plain.text), shared_end(made.after, plain.text)
    own = shared_end(made.inserted, candidate.text)
    return replace(
        made,
        before=plain.start(start) + plain.carried(made.before[start:], start),
        inserted=plain.written(made.inserted[: len(made.inserted) - own]) + candidate.end(own),
        after=plain.written(made.after[: len(made.after) - end]) + plain.end(end),
    )
