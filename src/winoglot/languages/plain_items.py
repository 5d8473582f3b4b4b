"""Normalise an item for the rules (composed letters, ordinary spaces), and restore the original afterwards.

Editors write *M. Petit* and « oui » with non-breaking spaces, and some store *é* as a letter with a combining mark.
Word lists have neither, so the grammar works on a plain copy; unchanged parts are then restored from the original text.
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
    """A plain text, its source, and the mapping of positions between them."""

    text: str
    source: str
    places: tuple[int, ...]

    def span(self, span: Span) -> Span:
        """The position of a source span in the plain text."""
        return Span(bisect_left(self.places, span.start), bisect_left(self.places, span.end))

    def edit(self, edit: Edit) -> Edit:
        """An edit of the plain text as an edit of the source."""
        start, end = self.places[edit.span.start], self.places[edit.span.end]
        return Edit(Span(start, end), self.written(edit.new))

    def start(self, length: int) -> str:
        """The first `length` characters, as in the source."""
        return self.source[: self.places[length]]

    def end(self, length: int) -> str:
        """The last `length` characters, as in the source."""
        return self.source[self.places[len(self.text) - length] :]

    def carried(self, piece: str, start: int) -> str:
        """A new piece, in which the longest stretch moved from after `start` is written as in the source."""
        match = SequenceMatcher(None, self.text, piece, autojunk=False).find_longest_match(start)
        stretch = piece[match.b : match.b + match.size]
        blanks, length = len(stretch) - len(stretch.lstrip()), len(stretch.strip())
        here, source_start = match.b + blanks, match.a + blanks
        unchanged = self.source[self.places[source_start] : self.places[source_start + length]] if length else ""
        return self.written(piece[:here]) + unchanged + self.written(piece[here + length :])

    def written(self, text: str) -> str:
        """New text, with letters composed or decomposed as in the source."""
        has_marks = not unicodedata.is_normalized("NFC", self.source)
        return unicodedata.normalize("NFD", text) if has_marks else text


def is_plain(text: str) -> bool:
    """Whether the text has only composed letters and ordinary spaces.

    >>> is_plain("élan !"), is_plain("e\\u0301lan"), is_plain("élan\\u00a0!")
    (True, False, False)
    """
    return "\u00a0" not in text and "\u202f" not in text and unicodedata.is_normalized("NFC", text)


def plain_text(source: str) -> PlainText:
    """The plain text, composed letter by letter with its combining marks.

    >>> plain_text("e\\u0301lan\\u00a0!").text, plain_text("e\\u0301lan").span(Span(2, 4))
    ('élan !', Span(start=1, end=3))
    """
    starts = [index for index, character in enumerate(source) if index == 0 or not unicodedata.combining(character)]
    parts = [source[start:end] for start, end in pairwise([*starts, len(source)])]
    composed = [unicodedata.normalize("NFC", part).translate(_BLANKS) for part in parts]
    places: list[int] = []
    for start, part, letter in zip(starts, parts, composed, strict=True):  # marks that do not compose stay last
        places += [start, *range(start + len(part) - len(letter) + 1, start + len(part))]
    return PlainText("".join(composed), source, (*places, len(source)))


def plain_item(item: Item) -> Item:
    """The item with plain text and candidates; unchanged if it is plain, or if two candidates would become the same."""
    if item.text is None or all(map(is_plain, (item.text, *(candidate.text for candidate in item.candidates)))):
        return item
    plain = plain_text(item.text)
    try:
        return replace(
            item,
            text=plain.text,
            pronoun=item.pronoun and plain.span(item.pronoun),
            candidates=tuple(
                replace(
                    candidate, text=plain_text(candidate.text).text, mentions=tuple(map(plain.span, candidate.mentions))
                )
                for candidate in item.candidates
            ),
            segment=tuple(map(plain.span, item.segment)),
            phrase=item.phrase and plain.span(item.phrase),
            readings=(),
        )
    except InputError:
        return item


def restored(substitution: Substitution, item: Item, index: int) -> Substitution:
    """A substitution on the plain item, with unchanged parts restored as in the item's text and candidate."""
    plain, candidate = plain_text(item.text or ""), plain_text(item.candidates[index].text)
    start, end = shared_start(substitution.before, plain.text), shared_end(substitution.after, plain.text)
    shared_length = shared_end(substitution.inserted, candidate.text)
    return replace(
        substitution,
        before=plain.start(start) + plain.carried(substitution.before[start:], start),
        inserted=plain.written(substitution.inserted[: len(substitution.inserted) - shared_length])
        + candidate.end(shared_length),
        after=plain.written(substitution.after[: len(substitution.after) - end]) + plain.end(end),
    )
