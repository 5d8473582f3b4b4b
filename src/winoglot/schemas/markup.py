r"""The marks inside one string of the notation: `{pronoun}`, `[one|other]`, and `\` before a mark meant as text.

An absent word takes one of its spaces with it: `was [not|] full` is "was not full" and "was full", and
`porque {} estava` is "porque estava" with a zero pronoun. A space written as `\ ` always stays.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise, zip_longest
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.schemas.spans import Span
from winoglot.schemas.text import (
    CLOSING,
    MAX_CHARACTERS,
    MAX_ITEMS,
    MAX_PLACES,
    OPENING,
    check_length,
    check_number,
    counted,
    is_unspaced,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

MARKS = "{}[]|"
_ESCAPED = {character: f"\\{character}" for character in MARKS + "\\"}
_ESCAPES = str.maketrans(_ESCAPED)
_MARKED = re.compile(r"[\\{}\[\]|]")


@dataclass(frozen=True)
class Marked:
    """A text with the places that were marked in it."""

    text: str
    braces: tuple[Span, ...] = ()
    segment: tuple[Span, ...] = ()


@dataclass(frozen=True)
class _Token:
    """A mark of the notation, or a stretch of text without one."""

    mark: str  # one of MARKS, or "" for text
    text: str
    offset: int
    fixed: bool = False  # escaped, so never dropped


@dataclass
class Markup:
    """A string of the notation, parsed: what every alternative shares and where they differ."""

    shared: list[list[_Token]] = field(default_factory=lambda: [[]])
    groups: list[list[list[_Token]]] = field(default_factory=list)
    offsets: list[int] = field(default_factory=list)

    @property
    def count(self) -> int | None:
        """The number of alternatives in each group; None without groups."""
        return len(self.groups[0]) if self.groups else None

    def alternative(self, number: int) -> Marked:
        """The text of one alternative, with its marks as spans."""
        flat: list[_Token | None] = list(self.shared[0])  # None marks both ends of a group
        for group, after in zip(self.groups, self.shared[1:], strict=True):
            flat += [None, *group[number], None, *after]
        return _assemble(flat)


def parse(string: str) -> Markup:
    r"""Parse a string of the notation; what is not well formed is an input error with its offset.

    >>> parse(r"It [rained|snowed].").alternative(1)
    Marked(text='It snowed.', braces=(), segment=(Span(start=3, end=9),))
    """
    if not _MARKED.search(string):  # most strings
        return Markup([[_Token("", string, 0)]])
    markup = Markup()
    group: list[list[_Token]] | None = None
    group_offset = 0
    for token in _tokens(string):
        if token.mark == "[":
            if group is not None:
                raise InputError(
                    "there is a '[' inside another group",
                    remedy=r"Groups do not nest: write all alternatives in one, or \[ for a bracket.",
                    offset=token.offset,
                )
            group, group_offset = [[]], token.offset
        elif token.mark in ("|", "]") and group is None:
            raise InputError(
                f"there is a {token.mark!r} outside any [ ] group",
                remedy=rf"Open the group with [, or write \{token.mark} for the character itself.",
                offset=token.offset,
            )
        elif token.mark == "|" and group is not None:
            group.append([])
        elif token.mark == "]" and group is not None:
            markup.groups.append(group)
            markup.offsets.append(group_offset)
            markup.shared.append([])
            group = None
        else:
            (group[-1] if group is not None else markup.shared[-1]).append(token)
    if group is not None:
        raise InputError("a '[' is not closed", remedy=r"Close it with ], or write \[.", offset=group_offset)
    _check_groups(markup)
    return markup


def _check_groups(markup: Markup) -> None:
    check_number(len(markup.groups), MAX_PLACES, "groups [ ]", r"Mark what differs; write \[ \] for brackets.")
    check_number(markup.count or 1, MAX_ITEMS, "alternatives", "Write several schemas.")
    for group, offset in zip(markup.groups, markup.offsets, strict=True):
        if len(group) != markup.count:
            raise InputError(
                f"this group has {counted(len(group), 'alternative')}, the first one has {markup.count}",
                remedy="Linked groups vary together, so each has the same number; leave one empty if necessary: [a|].",
                offset=offset,
            )
        for alternative in group:
            _check_braces(alternative)
    _check_braces([token for shared in markup.shared for token in shared])


def _check_braces(tokens: list[_Token]) -> None:
    """Braces pair up within an alternative, or within what all alternatives share."""
    open_brace: _Token | None = None
    number = sum(token.mark == "{" for token in tokens)
    check_number(number, MAX_PLACES, "pronouns { }", r"Mark exactly one; write \{ \} for braces.")
    for token in tokens:
        if token.mark == ("}" if open_brace is None else "{"):
            raise InputError(
                f"a {token.mark!r} has no matching brace",
                remedy=rf"Put braces around the pronoun once, {{…}}; write \{token.mark} for the character itself.",
                offset=token.offset,
            )
        if token.mark:
            open_brace = token if token.mark == "{" else None
    if open_brace is not None:
        raise InputError(
            "a '{' is not closed",
            remedy=r"Close it with } in the same alternative, or write \{.",
            offset=open_brace.offset,
        )


def _tokens(string: str) -> Iterator[_Token]:
    for match in re.finditer(r"\\(?P<escaped>.?)|[^\\{}\[\]|]+|.", string, re.DOTALL):
        written, escaped, offset = match.group(), match["escaped"], match.start()
        if escaped is None:
            yield _Token(written if written in MARKS else "", written, offset)
        elif escaped and escaped in MARKS + "\\ ":
            yield _Token("", escaped, offset, fixed=True)
        else:
            raise InputError(
                f"the backslash before {escaped!r} has no meaning" if escaped else "the text ends with a backslash",
                remedy=r"Write \\ for a backslash; \{ \} \[ \] \| stand for the marks themselves.",
                offset=offset,
            )


def _assemble(flat: list[_Token | None]) -> Marked:
    """Join the stretches of text, turn marks into positions, and drop the spaces of absent words."""
    if len(flat) == 1 and flat[0] is not None and not flat[0].mark:
        return Marked(flat[0].text)
    text = ""
    braces: list[int] = []
    bounds: list[int] = []
    fixed: list[int] = []
    for token in flat:
        if token is None:
            bounds.append(len(text))
        elif token.mark:
            braces.append(len(text))
        else:
            fixed += [len(text)] if token.fixed else []
            text += token.text
    empty = {start for marks in (braces, bounds) for start, end in _pairs(marks) if start == end}
    if len(text) > MAX_CHARACTERS + len(empty):  # whatever is dropped
        check_length(text, "the text")
    for position in sorted(empty, reverse=True):
        dropped = superfluous_space(text, position, fixed)
        if dropped is not None:
            text = text[:dropped] + text[dropped + 1 :]
            braces, bounds, fixed = (
                [index - (index > dropped) for index in places] for places in (braces, bounds, fixed)
            )
    check_length(text, "the text")
    return Marked(text, tuple(Span(*pair) for pair in _pairs(braces)), tuple(Span(*pair) for pair in _pairs(bounds)))


def superfluous_space(text: str, position: int, fixed: Collection[int] = ()) -> int | None:
    """Where an absent word at this position leaves a space behind, if it does; `fixed` ones always stay."""

    def is_space(index: int) -> bool:
        return text[index : index + 1] == " " and index not in fixed

    before, after = text[max(0, position - 2) : position], text[position : position + 1]
    after_space = position > 0 and is_space(position - 1)
    if is_space(position):
        opens_quote = before.endswith('"') and (before == '"' or before[-2].isspace())
        opens = not before or opens_quote or before[-1] == "\n" or before[-1] in OPENING
        return position if after_space or opens else None
    if after_space and (not after or after in CLOSING | {'"', "\n"}):
        return position - 1
    return None


def _pairs(marks: list[int]) -> list[tuple[int, int]]:
    return list(zip(marks[::2], marks[1::2], strict=True))


def escape(text: str) -> str:
    r"""The text with a backslash before every mark.

    >>> escape("a|b")
    'a\\|b'
    """
    return text.translate(_ESCAPES)


def join_alternatives(values: Sequence[str]) -> str:
    """One string of the notation for all alternatives: a group where they differ.

    >>> join_alternatives(["to", "to"]), join_alternatives(["to", "from"])
    ('to', '[to|from]')
    """
    return values[0] if all(value == values[0] for value in values) else f"[{'|'.join(values)}]"


def join_lists(rows: Sequence[Sequence[str]]) -> list[str]:
    """`join_alternatives` for lists of strings, element by element; shorter lists have nothing in the last places.

    >>> join_lists([["Rita", "Clara"], ["Rita"]])
    ['Rita', '[Clara|]']
    """
    return [join_alternatives(column) for column in zip_longest(*rows, fillvalue="")]


def print_marked(marked: Marked) -> str:
    r"""The string that parses to this text with these marks; spaces that would be dropped are written as `\ `.

    >>> print_marked(Marked("It snowed.", (Span(0, 2),), (Span(3, 9),)))
    '{It} [snowed].'
    """
    kept_spaces: set[int] = set()
    for span in (*marked.braces, *marked.segment):
        if span.start == span.end and superfluous_space(marked.text, span.start) is not None:
            before = span.start - 1
            kept_spaces.add(before if before >= 0 and marked.text[before] == " " else span.start)
    pieces = print_pieces(marked, frozenset(kept_spaces))
    return "".join(f"[{piece}]" if index % 2 else piece for index, piece in enumerate(pieces))


def print_pieces(
    marked: Marked, kept_spaces: frozenset[int] = frozenset(), *, late: bool = True, spaced: bool = True
) -> list[str]:
    """The text outside and inside the places of the segment, in turn, with the braces in their piece.

    `late` puts a zero pronoun that could be before or after an empty place after it; `spaced` puts a space between one
    and a place of the segment.
    """
    bounds = [0, *(edge for place in marked.segment for edge in (place.start, place.end)), len(marked.text)]
    stretches = [Span(start, end) for start, end in pairwise(bounds)]
    opening, closing = _brace_pieces(marked, stretches, late=late)
    pieces = []
    for index, stretch in enumerate(stretches):
        piece = ""
        for position in range(stretch.start, stretch.end + 1):
            if index == opening and position == marked.braces[0].start:
                piece += "{"
            if index == closing and position == marked.braces[0].end:
                is_zero = marked.braces[0].start == position and (spaced or position < stretch.end)
                piece += "} " if is_zero and takes_space(marked.text, position, kept_spaces) else "}"
            if position < stretch.end:
                character = marked.text[position]
                piece += "\\ " if position in kept_spaces and character == " " else _ESCAPED.get(character, character)
        pieces.append(piece)
    return pieces


def takes_space(text: str, position: int, kept_spaces: frozenset[int] = frozenset()) -> bool:
    """Whether a space after a zero pronoun would be dropped again, so that it can be written, as people do.

    >>> takes_space("porque ia", 7), takes_space("因为太饿", 2)
    (True, False)
    """
    following = text[position : position + 1]
    if following in ("", " ") or is_unspaced(following):
        return False
    start = max(0, position - 2)  # nothing further away matters
    fixed = {index - start + (index >= position) for index in kept_spaces if start <= index <= position}
    around = f"{text[start:position]} {text[position : position + 1]}"
    return superfluous_space(around, position - start, fixed) == position - start


def _brace_pieces(marked: Marked, stretches: list[Span], *, late: bool) -> tuple[int | None, int | None]:
    """The pieces in which the brace opens and closes: inside a place that holds all of it, else outside all places."""
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
