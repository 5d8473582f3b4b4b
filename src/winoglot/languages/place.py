"""The place where a candidate is inserted: what a language's rules can see, and how they write."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from unicodedata import normalize

from winoglot.languages.base import Substitution
from winoglot.languages.fusion import apostrophe_of, fused, like, loosened, prepended
from winoglot.languages.phrases import Phrase
from winoglot.schemas.model import Item
from winoglot.schemas.spans import Span
from winoglot.schemas.text import folded

# A word with its marks and its apostrophe, or one punctuation mark: "l'", "ami", "abri", "-", "lo", "."
_TOKEN = re.compile(r"(?:\w[\u0300-\u036f]*)+['’]?|[^\w\s]")


@dataclass(frozen=True)
class Token:
    """A word or punctuation mark of the text; `form` is case-folded, with composed accents."""

    form: str
    span: Span


@dataclass(frozen=True)
class Place:
    """The marked pronoun of an item and the phrase that will replace it.

    >>> from winoglot import Candidate, Item
    >>> from winoglot.languages.phrases import phrase_of
    >>> item = Item("a.0", "a", text="Falei dele ao tio.", pronoun=Span(6, 10), candidates=(Candidate("o tio"),))
    >>> place = Place(item, item.text, item.pronoun, phrase_of(item, 0, "pt"), "pt")
    >>> place.surface, [token.form for token in place.following]
    ('dele', ['ao', 'tio', '.'])
    >>> place.rewrite(place.pronoun, "do tio", rule="contraction").before
    'Falei '
    """

    item: Item
    text: str
    pronoun: Span
    phrase: Phrase
    language: str
    mentions: tuple[Span, ...] = ()  # of the candidate, in the text
    index: int = 0  # of the candidate, in the item

    @cached_property
    def surface(self) -> str:
        """The pronoun as written, case-folded."""
        return folded(self.pronoun.of(self.text))

    @cached_property
    def following(self) -> tuple[Token, ...]:
        """The words and punctuation after the pronoun."""
        return _tokens(self.text, self.pronoun.end, len(self.text))

    @cached_property
    def preceding(self) -> tuple[Token, ...]:
        """The words and punctuation before the pronoun, nearest first."""
        return _tokens(self.text, 0, self.pronoun.start)[::-1]

    def rewrite(
        self, touched: Span, inserted: str, *, rule: str, lead: str = "", trail: str = "", fuse: bool = True
    ) -> Substitution:
        """Replace the touched region by `lead`, the insertion and `trail`, and adapt what comes before.

        `lead` is anything else written before the insertion (the possessed phrase, a verb), with its trailing space. A
        capital at the start of the region is kept; contraction and elision apply at every seam unless `fuse` is False.
        """
        text, language = self.text, self.language
        apostrophe = apostrophe_of(text)
        left = text[: touched.start]
        if fuse:
            left = loosened(left, text[touched.start :], language)
            lead, inserted = fused(lead, inserted, language)
        parts = [part.replace("'", apostrophe) for part in (lead, inserted, trail)]
        opening = 0 if lead else 1
        parts[opening] = like(text[touched.start : touched.start + 1], parts[opening])
        if fuse:
            left, parts[opening] = fused(left, parts[opening], language, apostrophe=apostrophe)
        return Substitution(left + parts[0], parts[1], parts[2] + text[touched.end :], rule)

    def replace(self, *, rule: str, preposition: str = "", fuse: bool = True) -> Substitution:
        """Replace only the pronoun by the phrase, with a preposition if the pronoun contains one (*dele*)."""
        phrase = self.phrase.text
        if preposition:
            phrase = prepended(preposition, phrase, self.language)
        return self.rewrite(self.pronoun, phrase, rule=rule, fuse=fuse)


@lru_cache(maxsize=64)  # the candidates of an item share its text
def _tokens(text: str, start: int, end: int) -> tuple[Token, ...]:
    return tuple(Token(normalize("NFC", folded(m.group())), Span(*m.span())) for m in _TOKEN.finditer(text, start, end))
