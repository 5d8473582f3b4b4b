"""Where a text mentions a candidate: found by its words, with any determiner, or as the author states."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from winoglot.errors import InputError
from winoglot.schemas.spans import Span, apart
from winoglot.schemas.text import folded, is_inside_word, shown, starts_word, straight

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Item

_SPACES = str.maketrans("\u00a0\u202f", "  ")  # non-breaking ones count as plain ones
_OCCURRENCE = re.compile(r"(.+)#([1-9][0-9]{0,3})", re.DOTALL)


def find_mentions(text: str, candidate: str, words: FunctionWords, pronoun: Span) -> list[Span]:
    """Every place where the text mentions the candidate, with any determiner or contraction.

    >>> from winoglot.schemas.mentions import FunctionWords
    >>> words = FunctionWords(frozenset({"a", "o"}), contractions={"na": ("em", "a")})
    >>> text = "A chave caiu na gaveta e ela ficou presa."
    >>> [span.of(text) for span in find_mentions(text, "a gaveta", words, Span(25, 28))]
    ['na gaveta']
    """
    core = words.without_determiner(candidate)
    spans = [span for span in _word_matches(text, core) if not span.overlaps(pronoun)]
    spans += _inflected_matches(text, candidate, words, [*spans, pronoun])
    if core == candidate:
        return sorted(spans)
    return [Span(words.before(text, span.start, pronoun), span.end) for span in sorted(spans)]


def resolve_mention(text: str, spelled: str) -> Span:
    """The span that an author means by `Clara`, or by `Clara#2` if it occurs twice; whole words are counted first.

    >>> resolve_mention("Ana viu Ana.", "Ana#2")
    Span(start=8, end=11)
    """
    numbered = _OCCURRENCE.fullmatch(spelled)
    surface, number = (numbered.group(1), int(numbered.group(2))) if numbered else (spelled, None)
    occurrences = _occurrences(text, surface)
    if not occurrences.in_order:
        raise InputError(
            f"{surface!r} does not occur in {shown(text)}", remedy="Copy it from the text exactly as written."
        )
    if number is None and len(occurrences.meant) > 1:
        raise InputError(
            f"{surface!r} occurs {len(occurrences.meant)} times in {shown(text)}",
            remedy=f"Say which one: {surface}#1, {surface}#2, ….",
        )
    if number is not None and number > len(occurrences.in_order):
        raise InputError(
            f"{surface!r} occurs only {len(occurrences.in_order)} times in {shown(text)}", remedy="Count from 1."
        )
    return occurrences.in_order[(number or 1) - 1]


def spell_mention(text: str, span: Span) -> str:
    """The shortest spelling that `resolve_mention` turns back into the span."""
    surface = span.of(text)
    occurrences = _occurrences(text, surface)
    if len(occurrences.meant) == 1 and occurrences.meant[0] == span and not _OCCURRENCE.fullmatch(surface):
        return surface
    return f"{surface}#{occurrences.numbers[span]}"


@dataclass(frozen=True)
class _Occurrences:
    """Where a surface occurs as whole words, and where inside other words: authors count the former first."""

    whole: tuple[Span, ...]
    parts: tuple[Span, ...]

    @cached_property
    def in_order(self) -> tuple[Span, ...]:
        """All occurrences in the order in which authors count them."""
        return self.whole + self.parts

    @property
    def meant(self) -> tuple[Span, ...]:
        """The occurrences that the surface alone, without a number, may mean."""
        return self.whole or self.parts

    @cached_property
    def numbers(self) -> dict[Span, int]:
        """The number of each occurrence, from 1."""
        return {span: number for number, span in enumerate(self.in_order, 1)}


@lru_cache(maxsize=64)  # a text that mentions somebody a thousand times is searched once, not a thousand times
def _occurrences(text: str, surface: str) -> _Occurrences:
    whole: list[Span] = []
    parts: list[Span] = []
    start = text.find(surface) if surface else -1
    while start >= 0:
        end = start + len(surface)
        (parts if is_inside_word(text, start, end) else whole).append(Span(start, end))
        start = text.find(surface, start + 1)
    return _Occurrences(tuple(whole), tuple(parts))


def _word_matches(text: str, core: str) -> list[Span]:
    """Where the core occurs as whole words; only the case of its first letter may differ.

    If there is no such place, case is ignored: some sources write names in lower case. All kinds of spaces are alike.
    """
    text, core = text.translate(_SPACES), core.translate(_SPACES)
    plain, wanted = straight(text), straight(core)
    matches: list[Span] = []
    for first in {wanted[:1], wanted[:1].upper(), wanted[:1].lower()}:
        matches += _occurrences(plain, first + wanted[1:]).whole
    return sorted(matches or _occurrences(folded(text), folded(core)).whole)


def _inflected_matches(text: str, candidate: str, words: FunctionWords, taken: Sequence[Span]) -> list[Span]:
    """Where other forms of the candidate occur, longest first, beside those already found: *den Jungen*."""
    if words.inflected is None:
        return []
    matches: list[Span] = []
    for form in sorted(words.inflected(candidate), key=lambda form: (-len(form), form)):
        matches += apart(_word_matches(text, form), (*taken, *matches))
    return matches


def whole_words(text: str, phrase: str) -> list[Span]:
    """Where the phrase occurs as whole words, ignoring case and the number of spaces between them.

    >>> whole_words("He hid the  KEY where he sat.", "the key")
    [Span(start=7, end=15)]
    """
    pattern = r"\s+".join(map(re.escape, folded(phrase).split()))
    spans = [Span(*match.span()) for match in re.finditer(pattern, folded(text))] if pattern else []
    return [span for span in spans if not is_inside_word(text, span.start, span.end)]


@dataclass(frozen=True)
class FunctionWords:
    """The closed-class words of a language that may precede a noun, in lower case, apostrophes straight.

    `possessives` are those determiners that may follow an article or a contraction (`o seu`, `ao seu`);
    `contractions` maps a written form to what it is made of: `na` to `("em", "a")`. `pronouns` holds every form a
    pronoun to be resolved may have, `attached_pronouns` those that are written with the verb before them (`verlo`),
    `places` the adverbs that stand for a place (`there`); `expletives` are phrases whose pronoun refers to nothing
    (`il y a`), `longer_words` words that only contain the letters of a pronoun (`因为`). `inflected` gives the other
    forms of a phrase, without its determiner, in a language whose nouns decline.
    """

    determiners: frozenset[str] = frozenset()
    possessives: frozenset[str] = frozenset()
    contractions: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    pronouns: frozenset[str] = frozenset()
    attached_pronouns: frozenset[str] = frozenset()
    places: frozenset[str] = frozenset()
    expletives: frozenset[str] = frozenset()
    longer_words: frozenset[str] = frozenset()
    inflected: Callable[[str], Collection[str]] | None = field(default=None, compare=False)

    def without_determiner(self, phrase: str) -> str:
        """The phrase without its determiner and without a possessive after that.

        >>> FunctionWords(frozenset({"the"})).without_determiner("The old lamp")
        'old lamp'
        """
        rest = _without(phrase, self._determining)
        return rest if rest == phrase else _without(rest, self.possessives)

    def before(self, text: str, start: int, barrier: Span) -> int:
        """Where the determiner or contraction right before `start` begins, or the article before a possessive there."""
        word = _before(text, start, self.openers, barrier)
        if word != start and folded(text[word:start]).strip() in self.possessives:
            return _before(text, word, self._articles, barrier)
        return word

    @cached_property
    def openers(self) -> frozenset[str]:
        """Every word that may open a noun phrase: determiners, possessives and contractions."""
        return self._determining | self._articles

    @cached_property
    def closed(self) -> frozenset[str]:
        """Every function word: those that open a noun phrase, and pronouns."""
        return self.openers | self.pronouns

    @cached_property
    def prepositions(self) -> frozenset[str]:
        """The prepositions that contract with a determiner."""
        return frozenset(preposition for preposition, _ in self.contractions.values())

    @cached_property
    def _determining(self) -> frozenset[str]:
        return self.determiners | self.possessives

    @cached_property
    def _articles(self) -> frozenset[str]:
        return self.determiners | frozenset(self.contractions)


@lru_cache(maxsize=10_000)  # the candidates of a schema recur
def _without(phrase: str, words: frozenset[str]) -> str:
    plain = folded(phrase)
    for length in _lengths(words):
        rest = phrase[length:].lstrip()
        if rest and plain[:length] in words and not is_inside_word(phrase, 0, length):
            return rest
    return phrase


def _before(text: str, start: int, words: frozenset[str], barrier: Span) -> int:
    end = start
    while end and text[end - 1] == " ":
        end -= 1
    for length in _lengths(words):
        begin = end - length
        if begin < 0 or folded(text[begin:end]) not in words:
            continue
        if starts_word(text, begin) and not Span(begin, start).overlaps(barrier):
            return begin
    return start


@lru_cache(maxsize=64)
def _lengths(words: frozenset[str]) -> tuple[int, ...]:
    """The lengths of the words, longest first: one look-up per length instead of one comparison per word."""
    return tuple(sorted({len(word) for word in words}, reverse=True))


def mention_order(item: Item) -> tuple[int, ...] | None:
    """The candidates' indices in the order of their first mentions.

    None if a candidate is not mentioned, or if two first mentions begin at the same place, as *Rita* and *Rita's aunt*
    do. The pronoun's place does not matter: a candidate mentioned only after it counts like the others.

    >>> from winoglot import Candidate, Item, Span
    >>> vase, lamp = Candidate("the vase", (Span(13, 21),)), Candidate("the lamp", (Span(0, 8),))
    >>> item = Item("a.0", "a", text="The lamp hit the vase and it broke.", pronoun=Span(26, 28),
    ...             candidates=(vase, lamp))
    >>> mention_order(item)
    (1, 0)
    """
    starts = [candidate.mentions[0].start for candidate in item.candidates if candidate.mentions]
    if not starts or len(starts) < len(item.candidates) or len(set(starts)) < len(starts):
        return None
    return tuple(sorted(range(len(starts)), key=starts.__getitem__))
