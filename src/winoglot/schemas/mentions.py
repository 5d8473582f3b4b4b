"""Where a text mentions a candidate: by match modulo determiner and contraction, or as its author says."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.schemas.span import Span
from winoglot.schemas.words import folded, is_inside_word, straight

if TYPE_CHECKING:
    from winoglot.schemas.function_words import FunctionWords

_BLANKS = str.maketrans("\u00a0\u202f", "  ")  # that do not break a line
_OCCURRENCE = re.compile(r"(.+)#([1-9][0-9]{0,3})", re.DOTALL)


def find_mentions(text: str, candidate: str, words: FunctionWords, pronoun: Span) -> list[Span]:
    """Every place where the text mentions the candidate, modulo determiner and contraction.

    >>> from winoglot.schemas.function_words import FunctionWords
    >>> words = FunctionWords(frozenset({"a", "o"}), contractions={"na": ("em", "a")})
    >>> text = "A chave caiu na gaveta e ela ficou presa."
    >>> [span.of(text) for span in find_mentions(text, "a gaveta", words, Span(25, 28))]
    ['na gaveta']
    """
    core = words.without_determiner(candidate)
    found = [span for span in _word_matches(text, core) if not span.overlaps(pronoun)]
    if core == candidate:
        return found
    return [Span(words.before(text, span.start, pronoun), span.end) for span in found]


def resolve_mention(text: str, spelled: str) -> Span:
    """The span an author means by `Clara`, or by `Clara#2` where it occurs more than once, whole words counted first.

    >>> resolve_mention("Ana viu Ana.", "Ana#2")
    Span(start=8, end=11)
    """
    numbered = _OCCURRENCE.fullmatch(spelled)
    surface, number = (numbered.group(1), int(numbered.group(2))) if numbered else (spelled, None)
    whole, parts = _occurrences(text, surface)
    found = whole + parts
    if not found:
        raise InputError(f"{surface!r} does not occur in {text!r}", remedy="Copy it from the text as it is written.")
    if number is None and len(whole or parts) > 1:
        raise InputError(
            f"{surface!r} occurs {len(whole or parts)} times in {text!r}",
            remedy=f"Say which one: {surface}#1, {surface}#2, ….",
        )
    if number is not None and number > len(found):
        raise InputError(f"{surface!r} occurs only {len(found)} times in {text!r}", remedy="Count from 1.")
    return found[(number or 1) - 1]


def spell_mention(text: str, span: Span) -> str:
    """The shortest spelling that `resolve_mention` takes back to the span."""
    surface = span.of(text)
    whole, parts = _occurrences(text, surface)
    if (whole or parts) == [span] and not _OCCURRENCE.fullmatch(surface):
        return surface
    return f"{surface}#{(whole + parts).index(span) + 1}"


def _occurrences(text: str, surface: str) -> tuple[list[Span], list[Span]]:
    """Where the surface stands as whole words, and where inside of others: authors count the former first."""
    whole: list[Span] = []
    parts: list[Span] = []
    start = text.find(surface) if surface else -1
    while start >= 0:
        end = start + len(surface)
        (parts if is_inside_word(text, start, end) else whole).append(Span(start, end))
        start = text.find(surface, start + 1)
    return whole, parts


def _word_matches(text: str, core: str) -> list[Span]:
    """Places where the core stands as whole words; its first letter may be a capital in one and not in the other.

    Where there is none, in any case: some sources write all names small. "M. Dupont" may have a blank of another kind.
    """
    text, core = text.translate(_BLANKS), core.translate(_BLANKS)
    plain, wanted = straight(text), straight(core)
    found: list[Span] = []
    for first in {wanted[:1], wanted[:1].upper(), wanted[:1].lower()}:
        found += _occurrences(plain, first + wanted[1:])[0]
    return sorted(found or _occurrences(folded(text), folded(core))[0])


def whole_words(text: str, phrase: str) -> list[Span]:
    """Where the phrase stands as whole words, whatever its capitals and the blanks between its words.

    >>> whole_words("He hid the  KEY where he sat.", "the key")
    [Span(start=7, end=15)]
    """
    pattern = r"\s+".join(map(re.escape, folded(phrase).split()))
    spans = [Span(*found.span()) for found in re.finditer(pattern, folded(text))] if pattern else []
    return [span for span in spans if not is_inside_word(text, span.start, span.end)]
