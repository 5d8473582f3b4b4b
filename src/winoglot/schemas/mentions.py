"""Where a text mentions a candidate: by unique match modulo determiner and contraction, or as its author says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from winoglot.errors import InputError
from winoglot.schemas.span import Span
from winoglot.schemas.words import is_unspaced, is_word_character

_OCCURRENCE = re.compile(r"(.+)#([1-9][0-9]{0,3})", re.DOTALL)


@dataclass(frozen=True)
class FunctionWords:
    """The closed-class words of a language that may stand before a noun, in lower case, apostrophes straight.

    `possessives` are those determiners that may follow an article or a contraction (`o seu`, `ao seu`);
    `contractions` maps a written form to what it is made of: `na` to `("em", "a")`.
    """

    determiners: frozenset[str] = frozenset()
    possessives: frozenset[str] = frozenset()
    contractions: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def without_determiner(self, phrase: str) -> str:
        """The phrase less the determiner that opens it, and less the possessive after that.

        >>> FunctionWords(frozenset({"the"})).without_determiner("The old lamp")
        'old lamp'
        """
        rest = _without(phrase, self.determiners | self.possessives)
        return rest if rest == phrase else _without(rest, self.possessives)

    def before(self, text: str, start: int, barrier: Span) -> int:
        """Where the determiner or contraction that stands right before `start` begins, with one before a possessive."""
        articles = self.determiners | set(self.contractions)
        word = _before(text, start, articles | self.possessives, barrier)
        if word != start and folded(text[word:start]).strip() in self.possessives:
            return _before(text, word, articles, barrier)
        return word


def _without(phrase: str, words: frozenset[str]) -> str:
    plain = folded(phrase)
    for word in sorted(words, key=len, reverse=True):
        rest = phrase[len(word) :].lstrip()
        if rest and plain.startswith(word) and not _is_inside_word(phrase, 0, len(word)):
            return rest
    return phrase


def _before(text: str, start: int, words: frozenset[str], barrier: Span) -> int:
    plain = folded(text)
    end = len(plain[:start].rstrip(" "))
    for word in sorted(words, key=len, reverse=True):
        begin = end - len(word)
        if plain[:end].endswith(word) and _starts_word(text, begin) and not Span(begin, start).overlaps(barrier):
            return begin
    return start


def straight(text: str) -> str:
    """The text with curly apostrophes made straight; its length stays."""
    return text.replace("’", "'")


def folded(text: str) -> str:
    """Straight apostrophes and small letters, character for character, so that positions stay (`İ` has no match)."""
    return "".join(low if len(low := character.lower()) == 1 else character for character in straight(text))


def find_mentions(text: str, candidate: str, words: FunctionWords, pronoun: Span) -> list[Span]:
    """Every place where the text mentions the candidate, modulo determiner and contraction.

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
    starts = (at for at in range(len(text) - len(surface) + 1) if text.startswith(surface, at))
    spans = [Span(start, start + len(surface)) for start in starts]
    whole = [span for span in spans if not _is_inside_word(text, span.start, span.end)]
    return whole, [span for span in spans if span not in whole]


def _word_matches(text: str, core: str) -> list[Span]:
    """Places where the core stands as whole words; its first letter may be a capital in one and not in the other."""
    plain, wanted = straight(text), straight(core)
    found: list[Span] = []
    for first in {wanted[:1], wanted[:1].upper(), wanted[:1].lower()}:
        found += _occurrences(plain, first + wanted[1:])[0]
    return sorted(found)


def _is_inside_word(text: str, start: int, end: int) -> bool:
    return not _starts_word(text, start) or not _ends_word(text, end)


def _starts_word(text: str, at: int) -> bool:
    return at == 0 or not (_joins(text[at - 1]) and _joins(text[at]))


def _ends_word(text: str, at: int) -> bool:
    return at == len(text) or text[at - 1] in "'’" or not (_joins(text[at - 1]) and _joins(text[at]))


def _joins(character: str) -> bool:
    """Hyphens too: the rain in "guarda-chuva" is no rain."""
    return (is_word_character(character) or character in "-‐‑") and not is_unspaced(character)
