"""Slots: the place of a mention, separated from the noun that fills it.

*na maleta* is a slot with the preposition *em* and the article *a*, filled by *maleta*; filled by *cofre* it becomes
*no cofre*.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from unicodedata import category

from winoglot.languages.base import function_words, language_module
from winoglot.languages.lexicon import lexicon, optional_contractions
from winoglot.languages.names import is_name
from winoglot.languages.openings import on_second_mention, split, start_of
from winoglot.languages.substitution import apostrophe_of, begins_with_vowel, fused, match_case, unelided
from winoglot.schemas.spans import Edit, Span, moved, shared_start
from winoglot.schemas.text import OPENING, folded, needs_space

if TYPE_CHECKING:
    from collections.abc import Sequence

    from winoglot.schemas.model import Item

_NOWHERE = Span(0, 0)
_WORD_BEFORE = re.compile(r"\b[^\W\d_]+\.? $")
_ELIDED = re.compile(r"[^\W\d_]+['’](?=\w)")
_PICTURES = ("So", "Sk", "Cf")  # emoji, with their skin tones and joiners
_ENDS = ".!?…。！？"
_NOT_LETTERS = " \t\n\u00a0\u202f\"'—–-" + "".join(OPENING) + "”’»"


@dataclass(frozen=True)
class Slot:
    """A mention with the preceding words that depend on its noun."""

    span: Span  # including contraction and determiner
    preposition: str  # the one in the contraction, or empty
    determiner: str  # in lower case and unelided
    noun: Span
    is_optional: bool  # the contraction was optional


@dataclass(frozen=True)
class Filling:
    """The edit that fills a slot, and the resulting phrase with its contraction."""

    edit: Edit
    phrase: str

    def mention(self, edits: Sequence[Edit]) -> Span:
        """The span of the phrase after all edits of the text."""
        end = moved(self.edit.span, edits).end
        return Span(end - len(self.phrase), end)


def slot_of(item: Item, mention: Span, language: str) -> Slot:
    """The slot of a mention.

    >>> from winoglot import Candidate, Item
    >>> text = "Pus a carta na gaveta e ela sumiu."
    >>> slot = slot_of(Item("a.0", "a", text=text, pronoun=Span(24, 27), candidates=(Candidate("a carta"),)),
    ...                Span(15, 21), "pt")
    >>> slot.preposition, slot.determiner, slot.noun.of(text), slot.span.of(text)
    ('em', 'a', 'gaveta', 'na gaveta')
    """
    text = item.text or ""
    words = function_words(language)
    mention = Span(_start_of_name(text, mention.start, language), mention.end)
    start = mention.start
    opening = split(mention.of(text), language)[0].split()
    if (
        not opening or opening[0] in words.possessives
    ):  # "a" in "a um turista" is a preposition, in "a sua prima" it is not
        start = start_of(text, mention, item.pronoun or _NOWHERE, language)
    determiner, noun = split(text[start : mention.end], language)
    if on_second_mention(determiner, language) != determiner:
        determiner, noun = "", text[start : mention.end]  # "du" is a contraction here
    preposition, is_optional = "", False
    first, rest = _first_word(text[start : mention.end])
    if not determiner and rest and folded(first) in lexicon(language, "determiners").words("loose"):
        determiner, noun = folded(first), rest  # "that chair", where "that" is part of the mention
    if not determiner and rest and folded(first) in words.contractions:
        preposition, determiner = words.contractions[folded(first)]
        is_optional = folded(first) in optional_contractions(language)
        second, noun = split(rest, language)  # "na sua gaveta"
        determiner = f"{determiner} {second}".strip()
    determiner = unelided(determiner + " ", noun, language).strip()
    return Slot(
        Span(start, mention.end), preposition, determiner, Span(mention.end - len(noun), mention.end), is_optional
    )


def _first_word(phrase: str) -> tuple[str, str]:
    """The first word and the rest, which may follow an apostrophe: *dell'* and *amico*."""
    elided = _ELIDED.match(phrase)
    if elided:
        return elided.group(), phrase[elided.end() :]
    first, _, rest = phrase.partition(" ")
    return first, rest


def _start_of_name(text: str, start: int, language: str) -> int:
    """The start of the full name if the mention is only its last part: "Prado" in "Rui Prado"."""
    if not text[start].isupper() or text.isupper():  # in "PAUL A VU LUC" capitals mean nothing
        return start
    before = _WORD_BEFORE.search(text[:start])
    are_nouns_capital = hasattr(language_module(language), "NOUNS_HAVE_CAPITALS")
    while before and before.group()[0].isupper() and not opens_sentence(text, before.start()):
        if are_nouns_capital and not is_name(before.group().strip(), language):
            break
        start = before.start()
        before = _WORD_BEFORE.search(text[:start])
    return start


def filled(text: str, slot: Slot, determiner: str, noun: str, language: str) -> Filling:
    """Fill the slot with another noun, adapting the words before it.

    Raises NotDerivedError if spelling does not show how.

    >>> filled("Pus na mala.", Slot(Span(4, 11), "em", "a", Span(7, 11), is_optional=False), "o", "cofre", "pt").phrase
    'no cofre'
    """
    apostrophe = apostrophe_of(text)
    start = slot.span.start
    left = unelided(text[:start], text[start:], language)
    if text[:start].endswith(("'", "’")) and not determiner and begins_with_vowel(noun, language):
        left = text[:start]  # "d'Anna", where "di" may also stay as it is
    phrase = noun
    if determiner:
        gap = " " * needs_space(determiner, noun)
        phrase = "".join(fused(determiner + gap, noun, language))
    opening = text[start] if opens_sentence(text, start) else ""
    if slot.preposition:
        left += match_case(opening, slot.preposition) + " "
    else:
        phrase = match_case(opening, phrase)
    left, phrase = fused(left, phrase, language, optional=slot.is_optional, apostrophe=apostrophe)
    new = left + phrase.replace("'", apostrophe)
    shared_length = shared_start(text[: slot.noun.start], new)
    return Filling(Edit(Span(shared_length, slot.span.end), new[shared_length:]), new[len(left) :])


def opens_sentence(text: str, index: int) -> bool:
    """Whether a sentence begins here, judging by the punctuation before; emoji are ignored.

    >>> opens_sentence("Saiu. «O tio riu.»", 7), opens_sentence("Viu o tio.", 4), opens_sentence("🎉 O tio riu.", 2)
    (True, False, True)
    """
    while index and (
        text[index - 1] in _NOT_LETTERS or category(text[index - 1]) in _PICTURES or text[index - 1] == "\ufe0f"
    ):
        index -= 1
    return not index or text[index - 1] in _ENDS
