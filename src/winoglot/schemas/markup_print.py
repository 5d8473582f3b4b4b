"""The way back from marked texts to strings of the notation."""

from __future__ import annotations

from itertools import pairwise

from winoglot.schemas.markup import MARKS, Marked, Token, superfluous_space
from winoglot.schemas.span import Span


def escape(text: str) -> str:
    r"""The text with a backslash before every mark.

    >>> escape("a|b")
    'a\\|b'
    """
    return "".join("\\" + character if character in MARKS + "\\" else character for character in text)


def print_marked(marked: Marked) -> str:
    r"""The string that parses to this text with these marks; spaces that would be dropped are written as `\ `.

    >>> print_marked(Marked("It snowed.", (Span(0, 2),), (Span(3, 9),)))
    '{It} [snowed].'
    """
    kept: set[int] = set()
    tokens = [Token("", character, 0) for character in marked.text]
    for span in (*marked.braces, *marked.segment):
        if span.start == span.end and superfluous_space(tokens, span.start) is not None:
            before = span.start - 1
            kept.add(before if before >= 0 and marked.text[before] == " " else span.start)
    pieces = print_pieces(marked, frozenset(kept))
    return "".join(f"[{piece}]" if number % 2 else piece for number, piece in enumerate(pieces))


def print_pieces(marked: Marked, kept: frozenset[int] = frozenset(), *, late: bool = True) -> list[str]:
    """What stands outside and inside the places of the segment, by turns, with the braces in their piece.

    `late` says where a zero pronoun goes that could stand before or after an empty place.
    """
    bounds = [0, *(edge for place in marked.segment for edge in (place.start, place.end)), len(marked.text)]
    stretches = [Span(start, end) for start, end in pairwise(bounds)]
    opening, closing = _brace_pieces(marked, stretches, late=late)
    pieces = []
    for number, stretch in enumerate(stretches):
        piece = ""
        for position in range(stretch.start, stretch.end + 1):
            if number == opening and position == marked.braces[0].start:
                piece += "{"
            if number == closing and position == marked.braces[0].end:
                piece += "}"
            if position < stretch.end:
                character = marked.text[position]
                piece += "\\ " if position in kept and character == " " else escape(character)
        pieces.append(piece)
    return pieces


def _brace_pieces(marked: Marked, stretches: list[Span], *, late: bool) -> tuple[int | None, int | None]:
    """In which pieces the brace opens and closes: inside a place that holds all of it, else outside all places."""
    if not marked.braces:
        return None, None
    pronoun = marked.braces[0]
    for number in range(1, len(stretches), 2):
        place = stretches[number]
        strictly = place.start < pronoun.start and pronoun.end < place.end
        if pronoun.within(place) and (pronoun.start < pronoun.end or strictly):
            return number, number
    outside = range(0, len(stretches), 2)
    possible = [n for n in outside if stretches[n].start <= pronoun.start <= stretches[n].end]
    if pronoun.start == pronoun.end:
        number = possible[-1] if late else possible[0]
        return number, number
    return possible[-1], min(n for n in outside if stretches[n].start <= pronoun.end <= stretches[n].end)
