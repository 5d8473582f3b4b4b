"""Repairs to what a source marks wrongly or not at all: pronouns, spaces around a gap or in Chinese, repeated texts."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.formats.importing.pronoun_choice import describe_pronoun, only_agreeing_pronoun
from winoglot.languages.base import function_words
from winoglot.languages.pronouns import longer_word, pronoun_fault
from winoglot.schemas.model import BLANKS
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_unspaced

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.formats.base import InputFile
    from winoglot.formats.importing.rows import SourceRow
    from winoglot.schemas.mentions import FunctionWords


def fix_pronoun(row: SourceRow, language: str, file: InputFile) -> SourceRow:
    """The row with its pronoun corrected, or as it is if that is not certain; either way, what is wrong is reported."""
    words = function_words(language)
    if row.text is None or row.pronoun is None or not words.pronouns:
        return row
    surface = row.pronoun.of(row.text)
    if surface in BLANKS or not surface:
        return row
    marked = f"the pronoun {surface!r} of row {row.source_id}"
    bare = surface.rstrip(".,;:!?。，、")
    if bare != surface and folded(bare) in words.pronouns:
        file.repaired(row.line, marked, f"cut down to {bare!r}")
        return replace(row, pronoun=Span(row.pronoun.start, row.pronoun.start + len(bare)))
    mentions = [mention for spans in row.mentions or () for mention in spans]
    fault = pronoun_fault(row.text, row.pronoun, mentions, words)
    if fault is None:
        return row
    pronoun = _intended_pronoun(row.pronoun, row.text, words)
    if pronoun is None and folded(surface) in words.pronouns:  # but a marked noun may be meant as it is: "the man"
        pronoun = only_agreeing_pronoun(row.text, row.candidates, language, apart_from=row.pronoun)
    if pronoun is None:
        file.repaired(row.line, marked, f"{fault}; kept, because it is not certain which word is meant")
        return row
    file.repaired(row.line, marked, f"{fault}; read as {describe_pronoun(row.text, pronoun)}")
    return replace(row, pronoun=pronoun)


def _intended_pronoun(pronoun: Span, text: str, words: FunctionWords) -> Span | None:
    """What a mark inside a longer word certainly means: the pronoun right after that word, or a zero pronoun there.

    A zero pronoun only if the text has no other pronoun at all: 因为担心 but not 因为…他担心.
    """
    longer = longer_word(text, pronoun, words)
    if longer is None:
        return None
    forms = sorted(words.pronouns, key=len, reverse=True)
    following = next((form for form in forms if text.startswith(form, longer.end)), None)
    if following is not None:
        return Span(longer.end, longer.end + len(following))
    rest = text
    for word in words.longer_words:
        rest = rest.replace(word, "")
    return None if any(form in rest for form in forms) else Span(longer.end, longer.end)


_GLUED = re.compile(r"[.,)\]}…]|['’]s\b|[\"”](?!\w)")


def tidy_gap(text: str, gap: Span) -> tuple[str, Span]:
    """The text with at most one space on either side of its gap, and none before what belongs to the word.

    >>> tidy_gap("We fed  _ .", Span(8, 9))
    ('We fed _.', Span(start=7, end=8))
    """
    before, after = text[: gap.start], text[gap.end :]
    left = before.rstrip() + " " * (before != before.rstrip() and bool(before.strip()))
    rest = after.lstrip()
    right = " " * (rest != after and bool(rest) and not _GLUED.match(rest)) + rest
    mark = gap.of(text)
    return left + mark + right, Span(len(left), len(left) + len(mark))


def report_repeated(rows: Sequence[SourceRow], file: InputFile) -> None:
    """Report each row that has the same sentence as an earlier one; it is kept."""
    seen: dict[str | None, int] = {}
    for row in rows:
        first = seen.setdefault(row.text, row.line)
        if first != row.line:
            file.repaired(row.line, f"row {row.source_id}", f"the same sentence as in line {first}; kept")


def join_words(words: str) -> str:
    """Without the spaces between words of a script that has none.

    >>> join_words("Ann 和 小雯 走 了 。"), join_words("Ann and Bea left.")
    ('Ann和小雯走了。', 'Ann and Bea left.')
    """
    usable = (
        "" if character == " " and (is_unspaced(words[index - 1]) or is_unspaced(words[index + 1])) else character
        for index, character in enumerate(words)
    )
    return "".join(usable)
