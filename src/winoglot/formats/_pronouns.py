"""Wrong pronouns in a source, found by what is wrong with them, and put right where there is only one way."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from winoglot.languages.base import function_words
from winoglot.schemas.item import BLANKS
from winoglot.schemas.span import Span
from winoglot.schemas.words import folded, is_inside_word

if TYPE_CHECKING:
    from winoglot.formats._rows import Row
    from winoglot.formats.base import InputFile
    from winoglot.schemas.function_words import FunctionWords


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
    fault = _fault(row, row.pronoun, row.text, words)
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


def _fault(row: Row, pronoun: Span, text: str, words: FunctionWords) -> str | None:
    surface = folded(pronoun.of(text))
    longer = _longer_word(text, pronoun, words)
    if longer is not None:
        return f"it stands inside {longer.of(text)!r}"
    if surface not in words.pronouns and not _is_inflected(surface, words):
        return "it is no pronoun of the language"
    if is_inside_word(text, pronoun.start, pronoun.end):
        return "it stands inside a longer word"
    expletive = _expletive(text, pronoun, words)
    if expletive is not None:
        return f"in {expletive!r} it refers to nothing"
    if any(pronoun.end <= m.start <= pronoun.end + 1 for mentions in row.mentions or () for m in mentions):
        return "it is the determiner of a candidate"
    return None


def _is_inflected(surface: str, words: FunctionWords) -> bool:
    """A pronoun with its particle, as Japanese writes it: 彼に."""
    particles = ("は", "が", "を", "に", "の", "と", "へ", "も", "で")
    return surface.endswith(particles) and surface[:-1] in words.pronouns


def _longer_word(text: str, pronoun: Span, words: FunctionWords) -> Span | None:
    for word in words.longer_words:
        for found in re.finditer(re.escape(word), text):
            span = Span(*found.span())
            if pronoun.within(span) and pronoun != span:
                return span
    return None


def _expletive(text: str, pronoun: Span, words: FunctionWords) -> str | None:
    rest = folded(text[pronoun.start :])
    return next((e for e in words.expletives if re.match(re.escape(e) + r"\b", rest)), None)


def _other_pronoun(pronoun: Span, text: str, words: FunctionWords) -> Span | None:
    """What is surely meant by a mark inside a longer word: the pronoun right after it, or a zero one there.

    A zero pronoun only where the text has no other pronoun at all: 因为担心 but not 因为…他担心.
    """
    longer = _longer_word(text, pronoun, words)
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
