"""Pronouns that a source marks wrongly or not at all, found by the closed-class words of the language."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words
from winoglot.languages.pronouns import expletive, longer_word, pronoun_fault
from winoglot.schemas.model import BLANKS
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded, is_inside_word

if TYPE_CHECKING:
    from winoglot.formats._rows import Row
    from winoglot.formats.base import InputFile
    from winoglot.schemas.mentions import FunctionWords


def mend_pronoun(row: Row, language: str, file: InputFile) -> Row:
    """The row with its pronoun put right, or as it is; either way, what is wrong is reported."""
    words = function_words(language)
    if row.text is None or row.pronoun is None or not words.pronouns:
        return row
    surface = row.pronoun.of(row.text)
    if surface in BLANKS or not surface:
        return row
    bare = surface.rstrip(".,;:!?。，、")
    if bare != surface and folded(bare) in words.pronouns:
        file.repaired(row.line, f"the pronoun {surface!r} of row {row.source_id}", f"cut down to {bare!r}")
        return replace(row, pronoun=Span(row.pronoun.start, row.pronoun.start + len(bare)))
    mentions = [mention for spans in row.mentions or () for mention in spans]
    fault = pronoun_fault(row.text, row.pronoun, mentions, words)
    if fault is None:
        return row
    found = _other_pronoun(row.pronoun, row.text, words)
    if found is None:
        why = f"{fault}; which word is meant is not sure, so it stays as the source marks it"
        file.repaired(row.line, f"the pronoun {surface!r} of row {row.source_id}", why)
        return row
    meant = repr(found.of(row.text)) if found.start < found.end else "a zero pronoun"
    why = f"{fault}; taken to be {meant} at character {found.start}"
    file.repaired(row.line, f"the pronoun {surface!r} of row {row.source_id}", why)
    return replace(row, pronoun=found)


def _other_pronoun(pronoun: Span, text: str, words: FunctionWords) -> Span | None:
    """What is surely meant by a mark inside a longer word: the pronoun right after it, or a zero one there.

    A zero pronoun only where the text has no other pronoun at all: 因为担心 but not 因为…他担心.
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


def pronouns_in(text: str, window: Span, words: FunctionWords, *, surely: bool = False) -> list[Span]:
    """The pronouns in a stretch of the text.

    Those that may be determiners or contractions come only where there is no other, and with `surely` not at all.

    >>> words = function_words("pt")
    >>> [span.of("Ela os viu na rua.") for span in pronouns_in("Ela os viu na rua.", Span(0, 18), words)]
    ['Ela']
    >>> [span.of("Rita os viu.") for span in pronouns_in("Rita os viu.", Span(0, 12), words)]
    ['os']
    """
    others = words.determiners | words.possessives | set(words.contractions)
    for forms in (words.pronouns - others, frozenset[str]() if surely else words.pronouns):
        # the longest form first: 她们 and not 她
        either = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
        spans = [Span(*found.span()) for found in re.finditer(either, folded(text))] if forms else []
        found = [span for span in spans if span.within(window) and _stands_alone(text, span, words)]
        if found:
            return found
    return []


def _stands_alone(text: str, span: Span, words: FunctionWords) -> bool:
    return not (
        is_inside_word(text, span.start, span.end) or longer_word(text, span, words) or expletive(text, span, words)
    )
